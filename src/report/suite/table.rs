//! The inputs as a table: a row for each test, a column for each parameter, global and function that answers.

use std::collections::BTreeSet;

use super::Kept;
use crate::program::VarId;
use crate::report::{inputs, source_name, tests};

/// The table as comma-separated values.
pub(super) fn render(kept: &Kept<'_>) -> Vec<u8> {
    let cfg = kept.observed.cfg;
    let all = || kept.campaign.tests.iter().map(|ran| &ran.test.inputs);
    let globals: BTreeSet<VarId> = all().flat_map(|inputs| inputs.variables.keys().copied()).collect();
    let globals = globals.into_iter().filter(|variable| !cfg.parameters.contains(variable));
    let variables: Vec<VarId> = cfg.parameters.iter().copied().chain(globals).collect();
    let asking: BTreeSet<String> =
        all().flat_map(|inputs| inputs.answers.iter().map(|answer| source_name(&answer.source))).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = variables.iter().map(|variable| cfg.variables[variable.index()].name.clone());
    let header: Vec<String> = ["test".to_string()]
        .into_iter()
        .chain(names)
        .chain(asking.iter().cloned())
        .chain(["end".to_string()])
        .collect();
    // Writing into memory does not fail.
    let _ = writer.write_record(&header);
    for (number, ran) in kept.campaign.tests.iter().enumerate() {
        let given = &ran.test.inputs;
        let mut row = vec![tests::test_name(number)];
        for variable in &variables {
            row.push(inputs::variable(cfg, given, *variable).unwrap_or_default());
        }
        for name in &asking {
            let answers = given.answers.iter().filter(|answer| source_name(&answer.source) == *name);
            let answers: Vec<String> = answers.map(|answer| inputs::answer(kept.observed.program, answer)).collect();
            row.push(answers.join(" "));
        }
        row.push(ran.run.as_ref().map(tests::end).unwrap_or_default());
        let _ = writer.write_record(&row);
    }
    writer.into_inner().unwrap_or_default()
}
