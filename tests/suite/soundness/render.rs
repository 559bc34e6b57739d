//! Program -> its C text for `pct`, the same text with probes for gcc, and the names of its points.
//!
//! Both texts come from one walk, so a probe stands where the point is: the walk writes one text with marks and then
//! deletes the marks or replaces them. On the way it keeps the scopes and the variables that are certainly set, because
//! a predicate is observed only where its variables are in scope and set.
//!
//! What is not a program of the suite is refused with a reason: undeclared or unset variables, jumps without target,
//! and the few places where the names of points are not fixed by the rules (a branch inside an atomic condition).

mod marks;
mod scopes;
mod text;
mod walk;

use std::fmt::Write as _;

use super::analysis::Question;
use super::check::Probes;
use super::native::{Input, ProbedProgram};
use super::program::{Declaration, Program};

/// A program in all the forms that checking it needs.
#[derive(Clone, Debug)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) question: Question,
    pub(crate) probed: ProbedProgram,
    pub(crate) probes: Probes,
}

/// Writes the program; `index` makes its names at file level unique within a batch.
pub(crate) fn render(program: &Program, index: usize) -> Result<Rendered, String> {
    let walked = walk::walk(program)?;
    if visible_predicates(program)?.contains(&false) {
        return Err("a predicate is visible nowhere".into());
    }
    let predicates = program.predicates.iter().map(text::predicate_text);
    let predicates: Vec<String> = predicates.collect();
    let names = names_at_file_level(program);
    let mut source = String::new();
    for name in &names {
        let _ = writeln!(source, "#define {name} p{index}_{name}");
    }
    source.push_str(&marks::with_probes(&walked.marked, &walked.probes, &predicates));
    for name in &names {
        let _ = writeln!(source, "#undef {name}");
    }
    let inputs = program.inputs.iter();
    let names = walked.probes.iter().map(|probe| probe.name.clone());
    Ok(Rendered {
        text: marks::without_marks(&walked.marked),
        question: Question {
            predicates,
            tracked: program.tracked.iter().map(text::predicate_text).collect(),
            options: vec![],
            points: program.points,
            overflow: program.overflow,
        },
        probed: ProbedProgram {
            source,
            function: format!("p{index}_f"),
            inputs: inputs.map(|input| native_input(input, index)).collect(),
        },
        probes: Probes { names: names.collect(), loop_heads: walked.loop_heads, body: walked.body },
    })
}

/// Which predicates, and then which tracked ones, are visible at some point.
pub(crate) fn visible_predicates(program: &Program) -> Result<Vec<bool>, String> {
    let probes = walk::walk(program)?.probes;
    let predicates = 0..program.predicates.len() + program.tracked.len();
    let is_visible = |index: usize| probes.iter().any(|probe| probe.visible[index]);
    Ok(predicates.map(is_visible).collect())
}

fn native_input(input: &Declaration, index: usize) -> Input {
    Input {
        is_global: input.is_global,
        type_text: input.type_.name().into(),
        name: format!("p{index}_{}", input.name),
        length: input.length,
        range: input.type_.small_range().expect("inputs have eight bits"),
        expression: None,
    }
}

fn names_at_file_level(program: &Program) -> Vec<String> {
    let globals = program.inputs.iter().filter(|input| input.is_global);
    let record = (!program.record.is_empty()).then(|| "S".to_owned());
    let definitions = program.constants.iter().chain(&program.helpers);
    std::iter::once("f".to_owned())
        .chain(record)
        .chain(globals.map(|input| input.name.clone()))
        .chain(definitions.flat_map(|definition| definition.names.clone()))
        .collect()
}
