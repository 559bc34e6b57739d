//! Boolean programs, run: a small model checker in the manner of Bebop.
//!
//! A Boolean program over-approximates the C function, so its reachable states must contain U of the analysis: U comes
//! from the most precise abstraction, the Boolean program assigns each variable on its own. For partition both are the 49
//! states of Figure 3.

use std::collections::{BTreeMap, BTreeSet};

use pct::abstraction::boolean::{BooleanExpr, BooleanProgram, BooleanStatement, Cube};
use pct::config::{Config, PointMode, PredicateSource};
use pct::pipeline::{analyze, boolean_program};
use pct::report::state_id;

/// An instruction of the flattened program.
enum Code {
    Assign(Vec<(usize, BooleanExpr)>),
    Require(BooleanExpr),
    /// Go on behind it if the condition may be true, elsewhere if it may be false.
    Branch(BooleanExpr, usize),
    Jump(usize),
    /// To a label, resolved when it is run.
    Goto(String),
    Stop,
}

#[derive(Default)]
struct Flat {
    code: Vec<Code>,
    labels: BTreeMap<String, usize>,
}

impl Flat {
    fn statements(&mut self, statements: &[BooleanStatement]) {
        for statement in statements {
            match statement {
                // A place of its own, so that labels before and behind it differ.
                BooleanStatement::Skip | BooleanStatement::Assert(_) => self.code.push(Code::Jump(self.code.len() + 1)),
                BooleanStatement::Assign(all) => self.code.push(Code::Assign(all.clone())),
                BooleanStatement::Assume(condition) => self.code.push(Code::Require(condition.clone())),
                BooleanStatement::Label(name) => {
                    self.labels.insert(name.clone(), self.code.len());
                }
                BooleanStatement::If(condition, then, otherwise) => {
                    let branch = self.branch(condition);
                    self.statements(then);
                    let end = self.code.len();
                    self.code.push(Code::Stop);
                    self.code[branch] = Code::Branch(condition.clone(), self.code.len());
                    self.statements(otherwise);
                    self.code[end] = Code::Jump(self.code.len());
                }
                BooleanStatement::While(condition, body) => {
                    let head = self.code.len();
                    let branch = self.branch(condition);
                    self.statements(body);
                    self.code.push(Code::Jump(head));
                    self.code[branch] = Code::Branch(condition.clone(), self.code.len());
                }
                BooleanStatement::Goto(name) => self.code.push(Code::Goto(name.clone())),
                BooleanStatement::Return => self.code.push(Code::Stop),
            }
        }
    }

    fn branch(&mut self, condition: &BooleanExpr) -> usize {
        self.code.push(Code::Branch(condition.clone(), 0));
        self.code.len() - 1
    }
}

/// The values that an expression can have.
fn values(expr: &BooleanExpr, state: &[bool]) -> BTreeSet<bool> {
    let holds = |cube: &Cube| cube.iter().all(|(variable, value)| state[*variable] == *value);
    let both = |a: &BooleanExpr, b: &BooleanExpr, combine: fn(bool, bool) -> bool| {
        let (a, b) = (values(a, state), values(b, state));
        a.iter().flat_map(|x| b.iter().map(move |y| combine(*x, *y))).collect()
    };
    match expr {
        BooleanExpr::Constant(value) => BTreeSet::from([*value]),
        BooleanExpr::Unknown => BTreeSet::from([false, true]),
        BooleanExpr::Sum(cubes) => BTreeSet::from([cubes.iter().any(holds)]),
        BooleanExpr::Not(inner) => values(inner, state).iter().map(|value| !value).collect(),
        BooleanExpr::And(a, b) => both(a, b, |x, y| x && y),
        BooleanExpr::Or(a, b) => both(a, b, |x, y| x || y),
        BooleanExpr::Choose(c, a, b) => {
            values(c, state).iter().flat_map(|value| values(if *value { a } else { b }, state)).collect()
        }
    }
}

/// All states at labels, as pct writes them.
fn reachable(program: &BooleanProgram) -> BTreeSet<String> {
    let mut flat = Flat::default();
    flat.statements(&program.body);
    flat.code.push(Code::Stop);
    let width = program.variables.len();
    let enforced =
        |state: &[bool]| !program.impossible.iter().any(|cube| cube.iter().all(|(v, value)| state[*v] == *value));
    // Variables start with any value.
    let mut work: Vec<(usize, Vec<bool>)> = (0..1usize << width)
        .map(|bits| (0, (0..width).map(|bit| bits >> bit & 1 == 1).collect()))
        .filter(|(_, state): &(usize, Vec<bool>)| enforced(state))
        .collect();
    let mut seen: BTreeSet<(usize, Vec<bool>)> = work.iter().cloned().collect();
    while let Some((at, state)) = work.pop() {
        let mut next: Vec<(usize, Vec<bool>)> = Vec::new();
        match &flat.code[at] {
            Code::Stop => {}
            Code::Jump(target) => next.push((*target, state)),
            Code::Goto(label) => next.push((flat.labels[label], state)),
            Code::Require(condition) => {
                if values(condition, &state).contains(&true) {
                    next.push((at + 1, state));
                }
            }
            Code::Branch(condition, otherwise) => {
                for value in values(condition, &state) {
                    next.push((if value { at + 1 } else { *otherwise }, state.clone()));
                }
            }
            Code::Assign(assignments) => {
                let mut states = vec![state.clone()];
                for (variable, value) in assignments {
                    states = states
                        .into_iter()
                        .flat_map(|before| {
                            values(value, &state).into_iter().map(move |value| {
                                let mut after = before.clone();
                                after[*variable] = value;
                                after
                            })
                        })
                        .collect();
                }
                next.extend(states.into_iter().map(|state| (at + 1, state)));
            }
        }
        for (at, state) in next {
            if enforced(&state) && seen.insert((at, state.clone())) {
                work.push((at, state));
            }
        }
    }
    let mut states = BTreeSet::new();
    for (label, at) in &flat.labels {
        for (_, state) in seen.iter().filter(|(place, _)| place == at) {
            let valuation: String = state.iter().map(|value| if *value { 'T' } else { 'F' }).collect();
            states.insert(format!("{label}:{valuation}"));
        }
    }
    states
}

/// U, if the solver answered every question.
fn upper(config: &Config) -> Option<BTreeSet<String>> {
    let analysis = analyze(config, &|_, _| {}).unwrap();
    let ids = analysis.bounds.states.iter().map(|state| state_id(&analysis.observed.cfg, state)).collect();
    (analysis.abstraction.statistics.unknown == 0).then_some(ids)
}

#[test]
fn the_boolean_program_of_partition_reaches_figure_3() {
    let mut config = Config::new("examples/partition/partition.c");
    config.predicates = PredicateSource::File("examples/partition/partition.pred".into());
    let reached = reachable(&boolean_program(&config).unwrap());
    assert_eq!(reached.len(), 49);
    assert_eq!(Some(reached), upper(&config));
}

#[test]
fn boolean_programs_reach_everything_in_the_upper_bound() {
    let mut checked = 0;
    for entry in std::fs::read_dir("tests/exhaustive").unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        if !text.contains("//pct points: labels") {
            continue;
        }
        let mut config = Config::new(&path);
        config.function = Some("f".to_string());
        config.points = PointMode::Labels;
        // What stands behind `when` is for the native run only.
        let predicates = text.lines().filter_map(|line| line.strip_prefix("//pct predicate: "));
        let predicates = predicates.map(|line| line.split_once(" when ").map_or(line, |(predicate, _)| predicate));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("predicates");
        std::fs::write(&file, predicates.collect::<Vec<_>>().join("\n")).unwrap();
        config.predicates = PredicateSource::File(file);
        // Where the solver gives up, the two over-approximate differently.
        config.timeout = std::time::Duration::from_millis(300);
        let Some(upper) = upper(&config) else { continue };
        let program = boolean_program(&config).unwrap();
        let reached = reachable(&program);
        let labels: BTreeSet<&str> = reached.iter().filter_map(|id| id.split(':').next()).collect();
        for state in &upper {
            let (label, valuation) = state.split_once(':').unwrap();
            // Points that were made up are no labels of the Boolean program; unobserved predicates may have any value.
            if !labels.contains(label) && !text.contains(&format!("{label}:")) {
                continue;
            }
            let fits = |id: &String| {
                id.split_once(':').is_some_and(|(l, v)| {
                    l == label && v.chars().zip(valuation.chars()).all(|(x, y)| y == '-' || x == y)
                })
            };
            assert!(
                reached.iter().any(fits),
                "{}: {state} is in U, but the Boolean program does not reach it\n{}",
                path.display(),
                pct::report::boolean::render(&program)
            );
            checked += 1;
        }
    }
    assert!(checked > 200, "only {checked} states were compared");
}

/// A function whose labels stand on lines of their own, and predicates.
struct Sample {
    name: &'static str,
    predicates: &'static [&'static str],
    code: &'static str,
    /// Assigning each variable on its own loses nothing: the Boolean program reaches U and no more.
    exact: bool,
    /// A part of the Boolean program with the labels as points.
    shows: &'static str,
}

/// Every way in which an effect can branch, repeat, or depend on a decision.
const SAMPLES: &[Sample] = &[
    Sample {
        name: "a choice as a value",
        predicates: &["a > 0", "b > 0", "c > 0", "r > 0"],
        code: "void f(int a, int b, int c, int r) {
L0: r = a > 0 ? b : c;
L1: ;
}",
        exact: true,
        shows: "L0: D := !A & C | A & B;",
    },
    Sample {
        name: "a conjunction as a value",
        predicates: &["a > 0", "b > 0", "r == 1", "c == 0"],
        code: "void f(int a, int b, int c, int r) {
L0: r = a > 0 && b > 0;
L1: ;
}",
        exact: true,
        shows: "L0: C := A & B;",
    },
    Sample {
        name: "a call with a loop",
        predicates: &["a > 0", "g > 0", "r > 0", "n > 0"],
        code: "int g;
int sum(int n) { int s = 0; while (n > 0) { s ^= n; n--; g = 1; } return s; }
void f(int a, int n, int r) {
L0: r = sum(n);
L1: ;
}",
        exact: false,
        shows: "L0: B,C := *, *;",
    },
    Sample {
        name: "a call with a loop and what is known when it ends",
        predicates: &["a > 0", "r < 10", "r == 10"],
        code: "int count(int n) { while (n < 10) { n++; } return n; }
void f(int a, int n, int r) {
L0: r = count(n);
L1: ;
}",
        exact: false,
        shows: "L0: B,C := F, *;",
    },
    Sample {
        name: "a call with a loop that is left in the middle",
        predicates: &["a > 0", "r == 1", "r == 2"],
        code: "int find(int n) { while (n < 10) { if (n == 5) return 1; n++; } return 2; }
void f(int a, int n, int r) {
L0: r = find(n);
L1: ;
}",
        exact: false,
        shows: "L0: B,C := *, *;",
    },
    Sample {
        name: "a side effect behind &&",
        predicates: &["a > 0", "n > 0", "b == 1"],
        code: "void f(int a, int n, int b) {
L0: if (a > 0 && n-- > 0) {
L1:   b = 1;
    } else {
L2:   b = 0;
    }
L3: ;
}",
        exact: true,
        shows: "if (A) then\n        if (B) then",
    },
    Sample {
        name: "a side effect behind ||",
        predicates: &["a > 0", "n > 0", "b == 1"],
        code: "void f(int a, int n, int b) {
L0: if (a > 0 || n-- > 0) {
L1:   b = 1;
    } else {
L2:   b = 0;
    }
L3: ;
}",
        exact: true,
        shows: "if (!A) then\n        if (B) then",
    },
    Sample {
        name: "side effects on both sides of ?:",
        predicates: &["a > 0", "n > 0", "m > 0", "b == 1"],
        code: "void f(int a, int n, int m, int b) {
L0: if (a > 0 ? n-- > 0 : !(m++ > 0)) {
L1:   b = 1;
    } else {
L2:   b = 0;
    }
L3: ;
}",
        exact: false,
        shows: "goto else_1;",
    },
    Sample {
        name: "a loop that counts in its test",
        predicates: &["a > 0", "n > 0", "n == -1"],
        code: "void f(int a, int n) {
L0: while (n-- > 0) {
L1:   if (n == 3) continue;
      if (a > 0) break;
L2:   a = a;
    }
L3: ;
}",
        exact: true,
        shows: "L0: while (B) do\n        B,C := *, F;",
    },
    Sample {
        name: "a loop with a side effect behind && in its test",
        predicates: &["a > 0", "n > 0"],
        code: "void f(int a, int n) {
L0: while (a > 0 && n-- > 0) {
L1:   a--;
    }
L2: ;
}",
        exact: true,
        shows: "L0: while (T) do\n        if (A) then\n            if (B) then",
    },
    Sample {
        name: "a loop with its test last",
        predicates: &["a > 0", "b > 5"],
        code: "void f(int a, int b) {
      b = b;
      do { b++; } while (b <= 5);
L1: ;
}",
        exact: true,
        shows: "while (!B) do",
    },
    Sample {
        name: "a labelled loop with its test last",
        predicates: &["a > 0", "b > 5", "n > 0"],
        code: "void f(int a, int b, int n) {
L0: do {
L1:   if (b == 2) continue;
      b++;
    } while (n-- > 0);
L2: ;
}",
        exact: true,
        shows: "L0: while (T) do",
    },
    Sample {
        name: "a variable that goes out of scope",
        predicates: &["i < n", "i > 3", "n > 0"],
        code: "void f(int n) {
    {
      int i = 5;
L0:   n = n;
    }
    n = 0;
L1: ;
}",
        exact: true,
        shows: "A,B,C := *, *, F;",
    },
    Sample {
        name: "a name that means two variables",
        predicates: &["x < 300", "x > 200"],
        code: "void f(int x) {
L0: {
      unsigned char x = 3;
L1:   x = x;
    }
L2: ;
}",
        exact: false,
        shows: "A,B := T, F;",
    },
];

#[test]
fn effects_and_decisions_of_every_kind_keep_what_they_do_not_touch() {
    let folder = tempfile::tempdir().unwrap();
    let (file, list) = (folder.path().join("f.c"), folder.path().join("predicates"));
    let mut wrong = Vec::new();
    for sample in SAMPLES {
        std::fs::write(&file, sample.code).unwrap();
        std::fs::write(&list, sample.predicates.join("\n")).unwrap();
        for points in [PointMode::Labels, PointMode::Statements] {
            let mut config = Config::new(&file);
            config.function = Some("f".to_string());
            config.points = points;
            config.predicates = PredicateSource::File(list.clone());
            let program = boolean_program(&config).unwrap();
            let text = pct::report::boolean::render(&program);
            let context = format!("{}, {points:?}\n{text}", sample.name);
            if !text.contains(sample.shows) {
                wrong.push(format!("`{}` is not there: {context}", sample.shows));
            }
            // Without labels as points, a point is named by its line. Some labels are no points then.
            let label_of = |point: &str| match points {
                PointMode::Labels => sample.code.contains(&format!("{point}:")).then(|| point.to_string()),
                _ => {
                    let line: usize = point[1..].parse().ok()?;
                    let label = sample.code.lines().nth(line - 1)?.split_once(':')?.0;
                    label.starts_with('L').then(|| label.to_string())
                }
            };
            let observed = pct::pipeline::observe(&config).unwrap();
            let labels: BTreeSet<String> = observed.cfg.points.iter().filter_map(|p| label_of(&p.label)).collect();
            let upper: BTreeSet<String> = upper(&config)
                .expect("the questions are easy")
                .into_iter()
                .filter_map(|state| {
                    let (point, valuation) = state.split_once(':').unwrap();
                    Some(format!("{}:{valuation}", label_of(point)?))
                })
                .collect();
            let reached: BTreeSet<String> = reachable(&program)
                .into_iter()
                .filter(|state| labels.contains(state.split_once(':').unwrap().0))
                .collect();
            let fits = |reached: &str, upper: &str| {
                reached.len() == upper.len() && reached.chars().zip(upper.chars()).all(|(x, y)| y == '-' || x == y)
            };
            for state in &upper {
                if !reached.iter().any(|r| fits(r, state)) {
                    wrong.push(format!("{state} is in U and not reached: {context}"));
                }
            }
            if sample.exact {
                for state in &reached {
                    if !upper.iter().any(|u| fits(state, u)) {
                        wrong.push(format!("{state} is reached and not in U: {context}"));
                    }
                }
            }
            assert!(!upper.is_empty(), "{context}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_jump_out_of_a_statement_expression_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.c");
    for (inside, refused) in [
        ("if (b == 3) break; b + 1;", true),
        ("if (b == 3) return; b + 1;", true),
        ("while (b < 3) { b++; if (b == 2) break; } b + 1;", false),
        ("switch (b) { case 1: b = 2; break; } b + 1;", false),
        ("switch (b) { case 1: continue; } b + 1;", true),
    ] {
        std::fs::write(&file, format!("void f(int a, int b) {{ while (a > 0) {{ b = ({{ {inside} }}); a--; }} }}"))
            .unwrap();
        let result = boolean_program(&Config::new(&file));
        let message = result.err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(message.contains("a jump out of a statement expression"), refused, "{inside}: {message}");
    }
}
