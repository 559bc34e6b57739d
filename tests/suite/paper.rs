//! What Ball's paper says of its examples, checked against what pct computes. Expectations are typed from the paper (or
//! come from brute force here), never from pct's own output.

use std::collections::BTreeSet;

use pct::abstraction::Node;
use pct::bounds::{BoundedState, Verdict};
use pct::config::{Arithmetic, Config, PointMode, PredicateSource};
use pct::pipeline::{Analysis, analyze};
use pct::report::state_id;

const PARTITION: &str = "examples/partition/partition.c";
const GUARDED: &str = "examples/partition/partition_guarded.c";

fn config(file: &str) -> Config {
    let mut config = Config::new(file);
    if file.contains("partition") {
        config.predicates = PredicateSource::File("examples/partition/partition.pred".into());
    }
    config
}

fn run(config: &Config) -> Analysis {
    analyze(config, &|_, _| {}).unwrap_or_else(|error| panic!("{error}"))
}

fn ids(analysis: &Analysis, condition: impl Fn(&BoundedState) -> bool) -> BTreeSet<String> {
    let chosen = analysis.bounds.states.iter().filter(|state| condition(state));
    chosen.map(|state| state_id(&analysis.observed.cfg, state)).collect()
}

/// Transitions between states as `from to kind`, with # + - for must and . for may.
fn transitions(analysis: &Analysis) -> BTreeSet<String> {
    let id = |node: Node| match node {
        Node::State(id) => state_id(&analysis.observed.cfg, &analysis.bounds.states[id.index()]),
        other => panic!("{other:?} is no state"),
    };
    let kind = |plus, minus| match (plus, minus) {
        (true, true) => "#",
        (true, false) => "+",
        (false, true) => "-",
        (false, false) => ".",
    };
    analysis
        .bounds
        .between_states()
        .map(|t| format!("{} {} {}", id(t.from), id(t.to), kind(t.must_plus, t.must_minus)))
        .collect()
}

fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(String::from).collect()
}

/// Figure 3, typed from the paper: columns as there, a row for each label, x for a reachable state.
fn figure_3() -> BTreeSet<String> {
    let columns = ["TTTT", "TTTF", "FTTF", "FFTF", "TTFT", "FTFT", "FFFT", "TTFF", "FFFF", "FFTT"];
    let rows = [
        ("L0", "xx..x..xx."),
        ("L1", "xx..x..x.."),
        ("L2", "xxxxxx.xx."),
        ("L3", "xxxx......"),
        ("L4", "xxxxxx.xx."),
        ("L5", "....xxxxx."),
        ("L6", "....xxx..."),
        ("L7", "....xxxxx."),
        ("L8", ".......xx."),
        ("L9", ".......x.."),
        ("LA", "x........."),
        ("LB", "x.......x."),
        ("LC", "........x."),
    ];
    let mut states = BTreeSet::new();
    for (label, row) in rows {
        for (column, mark) in columns.iter().zip(row.chars()) {
            if mark == 'x' {
                states.insert(format!("{label}:{column}"));
            }
        }
    }
    states
}

fn partition_is_as_in_the_paper(arithmetic: Arithmetic) {
    let analysis = run(&Config { arithmetic, ..config(PARTITION) });
    let bounds = &analysis.bounds;
    assert_eq!(analysis.observed.cfg.points.len(), 13);
    assert_eq!(analysis.abstraction.feasible.as_ref().map(Vec::len), Some(10));
    assert_eq!(
        ids(&analysis, |s| s.verdict == Verdict::Initial),
        set("L0:TTFT L0:TTTT L0:TTTF L0:TTFF"),
        "the ovals of Figure 4"
    );
    assert_eq!(ids(&analysis, |_| true), figure_3());
    assert_eq!(bounds.states.len(), 49);
    assert_eq!(bounds.count(|s| s.lower_pessimistic), 35);
    assert_eq!(bounds.count(|s| s.lower), 43);
    assert_eq!(format!("{:.3}", bounds.ratio()), "0.878");
    assert_eq!(ids(&analysis, |s| !s.lower), set("L2:FFTF L3:FFTF L4:FFTF L5:FFFT L6:FFFT L7:FFFT"));
    assert_eq!(bounds.count(|s| s.lower_exact), 29);
    assert!(!bounds.initial_assumption_holds);
    let kinds = |kind: &str| transitions(&analysis).iter().filter(|t| t.ends_with(kind)).count();
    assert_eq!((kinds("#"), kinds("+"), kinds("-"), kinds(".")), (41, 0, 0, 17));
    assert!(analysis.abstraction.statistics.queries <= 150, "{:?}", analysis.abstraction.statistics);
    assert_eq!(analysis.abstraction.statistics.unknown, 0);
}

#[test]
fn partition_has_the_bounds_of_the_paper() {
    partition_is_as_in_the_paper(Arithmetic::Machine);
}

#[test]
fn partition_has_the_bounds_of_the_paper_with_mathematical_integers() {
    partition_is_as_in_the_paper(Arithmetic::Ideal);
}

#[test]
fn partition_takes_the_steps_that_the_paper_describes() {
    let analysis = run(&config(PARTITION));
    let all = transitions(&analysis);
    // Section 3.2 and 5.4.
    for must in
        ["L0:TTTT L1:TTTT #", "L1:TTTT L2:TTTT #", "L2:TTTT L3:TTTT #", "L4:FTTF L2:FTTF #", "L2:FTTF L3:FTTF #"]
    {
        assert!(all.contains(must), "{must}");
    }
    assert!(all.contains("L3:TTTF L4:FTTF ."));
    let verdict = |id: &str| {
        let found = analysis.bounds.states.iter().find(|s| state_id(&analysis.observed.cfg, s) == id);
        found.map(|state| state.verdict)
    };
    assert_eq!(verdict("L3:TTTF"), Some(Verdict::Must), "a white rectangle");
    assert_eq!(verdict("L4:FTTF"), Some(Verdict::Weak), "a light-grey rectangle");
    assert_eq!(verdict("L3:FTTF"), Some(Verdict::Weak), "a light-grey rectangle");
    assert_eq!(verdict("L4:FFFF"), Some(Verdict::Optimistic), "a dark-grey rectangle");
}

/// The predicates of section 7.
fn section_7() -> Vec<String> {
    ["lo == hi + 1", "a[lo - 1] <= pivot", "a[hi + 1] > pivot"].map(String::from).to_vec()
}

#[test]
fn the_guarded_partition_has_the_bounds_of_the_issue() {
    let analysis = run(&config(GUARDED));
    assert_eq!(analysis.bounds.states.len(), 53);
    assert_eq!(analysis.bounds.count(|s| s.lower_pessimistic), 35);
    assert_eq!(analysis.bounds.count(|s| s.lower), 41);
}

#[test]
fn observing_the_predicates_of_section_7_makes_the_bounds_match() {
    for arithmetic in [Arithmetic::Machine, Arithmetic::Ideal] {
        let analysis = run(&Config { extra_predicates: section_7(), arithmetic, ..config(GUARDED) });
        let pessimistic = analysis.bounds.count(|s| s.lower_pessimistic);
        assert_eq!(analysis.bounds.states.len(), pessimistic, "{arithmetic:?}");
    }
}

#[test]
fn tracking_the_predicates_of_section_7_gives_exactly_what_brute_force_reaches() {
    let reached = guarded_partition_by_brute_force();
    assert_eq!(reached.len(), 50);
    for arithmetic in [Arithmetic::Machine, Arithmetic::Ideal] {
        let analysis = run(&Config { tracked: section_7(), arithmetic, ..config(GUARDED) });
        assert_eq!(ids(&analysis, |_| true), reached, "{arithmetic:?}");
        assert_eq!(ids(&analysis, |s| s.lower), reached, "{arithmetic:?}");
        assert_eq!(ids(&analysis, |s| s.lower_pessimistic), reached, "{arithmetic:?}");
    }
}

/// The guarded partition, run on all arrays of 3 to 6 elements from {0, 1, 2}, with a padding cell of any of these
/// values behind the end. (Nothing before a[0] is ever observed.)
fn guarded_partition_by_brute_force() -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    for length in 3..=6usize {
        for code in 0..3usize.pow(length as u32 + 1) {
            let digits = (0..=length).scan(code, |rest, _| {
                let digit = *rest % 3;
                *rest /= 3;
                Some(digit as i64)
            });
            guarded_partition(digits.collect(), length, &mut reached);
        }
    }
    reached
}

/// One run; `a` has a padding cell at its end.
fn guarded_partition(mut a: Vec<i64>, n: usize, reached: &mut BTreeSet<String>) {
    let pivot = a[0];
    let (mut lo, mut hi) = (1usize, n - 1);
    let mut see = |label: &str, a: &[i64], lo: usize, hi: usize| {
        let bit = |holds: bool| if holds { 'T' } else { 'F' };
        let valuation = [lo < hi, lo <= hi, a[lo] <= pivot, a[hi] > pivot].map(bit);
        reached.insert(format!("{label}:{}", valuation.iter().collect::<String>()));
    };
    loop {
        see("L0", &a, lo, hi);
        if lo > hi {
            break;
        }
        see("L1", &a, lo, hi);
        loop {
            see("L2", &a, lo, hi);
            if !(lo <= hi && a[lo] <= pivot) {
                break;
            }
            see("L3", &a, lo, hi);
            lo += 1;
            see("L4", &a, lo, hi);
        }
        loop {
            see("L5", &a, lo, hi);
            if a[hi] <= pivot {
                break;
            }
            see("L6", &a, lo, hi);
            hi -= 1;
            see("L7", &a, lo, hi);
        }
        see("L8", &a, lo, hi);
        if lo < hi {
            see("L9", &a, lo, hi);
            a.swap(lo, hi);
            see("LA", &a, lo, hi);
        }
        see("LB", &a, lo, hi);
    }
    see("LC", &a, lo, hi);
}

/// The transitions of Figure 6, but for the one that depends on the integers.
const FIGURE_6: &str = "L0:T L1:T #
L0:F L1:F #
L1:T L2:T #
L1:F L3:F #
L2:T L4:T #
L3:F L4:T +
L4:T L5:F .
L5:T L6:T #";

#[test]
fn figure_1a_has_the_states_and_transitions_of_the_paper() {
    let analysis = run(&Config { arithmetic: Arithmetic::Ideal, ..config("examples/figure1/figure1a.c") });
    assert_eq!(ids(&analysis, |_| true), set("L0:T L0:F L1:T L1:F L2:T L3:F L4:T L5:T L5:F L6:T"));
    let mut expected: BTreeSet<String> = FIGURE_6.lines().map(String::from).collect();
    expected.insert("L4:T L5:T -".to_string());
    assert_eq!(transitions(&analysis), expected);
}

#[test]
fn with_machine_integers_the_least_one_has_no_predecessor() {
    let analysis = run(&config("examples/figure1/figure1a.c"));
    let mut expected: BTreeSet<String> = FIGURE_6.lines().map(String::from).collect();
    // INT_MIN satisfies x < 0 at L5, and no x + 1 is INT_MIN: not must-.
    expected.insert("L4:T L5:T .".to_string());
    assert_eq!(transitions(&analysis), expected);
}

#[test]
fn figure_1b_observes_all_four_valuations_at_its_end() {
    let analysis = run(&config("examples/figure1/figure1b.c"));
    assert_eq!(ids(&analysis, |_| true), set("L1:TT L1:TF L1:FT L1:FF L2:TT L2:TF L3:TT L4:TT L4:TF L4:FT L4:FF"));
    assert!(analysis.bounds.states.iter().all(|state| state.proved));
}

fn analyze_text(text: &str, points: PointMode) -> Analysis {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.c");
    std::fs::write(&file, text).unwrap();
    run(&Config { points, ..Config::new(file) })
}

/// The states from which no run ends.
fn diverging(analysis: &Analysis) -> BTreeSet<String> {
    let states = analysis.bounds.diverges.iter().map(|id| &analysis.bounds.states[id.index()]);
    states.map(|state| state_id(&analysis.observed.cfg, state)).collect()
}

#[test]
fn an_endless_loop_does_not_make_everything_reachable() {
    // The paper's greatest fixpoint would put every state into L.
    let analysis = analyze_text("void f(int x) {\nL0: if (x > 0)\nL1: while (1)\nL2: ;\nL3: ;\n}\n", PointMode::Labels);
    assert_eq!(ids(&analysis, |_| true), set("L0:T L0:F L1:T L2:T L3:F"));
    assert_eq!(ids(&analysis, |s| s.lower), ids(&analysis, |_| true));
    assert_eq!(diverging(&analysis), set("L0:T L1:T L2:T"));
}

#[test]
fn a_loop_that_no_run_leaves_guarantees_nothing_behind_it() {
    // x stays as it is: with x > 0 the loop is endless, and L2 is reached only with x <= 0. But predicates about y alone
    // do not show that.
    let text = "void f(int x, int y) {\nL0: while (x > 0)\nL1: y = y ^ 1;\nL2: ;\n}\n";
    let analysis = analyze_text(text, PointMode::Labels);
    assert_eq!(ids(&analysis, |_| true), set("L0:T L0:F L1:T L2:F"));
    assert_eq!(diverging(&analysis), set("L0:T L1:T"));
    let label = |point: &pct::cfg::PointId| analysis.observed.cfg.points[point.index()].label.clone();
    let loops: Vec<String> = analysis.bounds.loops.iter().map(label).collect();
    assert_eq!(loops, ["L0", "L1"], "the loop is reported");
}

#[test]
fn a_projected_state_diverges_only_if_every_extension_does() {
    // L0 with x > 0 diverges if y > 0 as well, and ends if not: seen through x > 0 alone it is not known to diverge.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.c");
    std::fs::write(&file, "void f(int x, int y) {\nL0: if (x > 0 && y > 0)\nL1: while (1)\nL2: ;\nL3: ;\n}\n").unwrap();
    let list = folder.path().join("predicates");
    std::fs::write(&list, "x > 0").unwrap();
    let mut config = Config::new(file);
    config.predicates = PredicateSource::File(list);
    config.tracked = vec!["y > 0".to_string()];
    assert_eq!(diverging(&run(&config)), set("L1:T L2:T"));
    config.extra_predicates = std::mem::take(&mut config.tracked);
    assert_eq!(diverging(&run(&config)), set("L0:TT L1:TT L2:TT"));
}

#[test]
fn a_solver_that_gives_up_never_makes_the_bounds_wrong() {
    let exact = run(&config(PARTITION));
    let (upper, lower) = (ids(&exact, |_| true), ids(&exact, |s| s.lower_pessimistic));
    // So short that most questions stay unanswered.
    let hurried = run(&Config { timeout: std::time::Duration::from_millis(1), ..config(PARTITION) });
    assert!(ids(&hurried, |_| true).is_superset(&upper));
    assert!(ids(&hurried, |s| s.lower_pessimistic).is_subset(&lower));
}

/// Figure 7, typed from the paper: the end points of the ten paths.
fn figure_7() -> BTreeSet<String> {
    set("L0:TTTT,L4:FTFT L0:TTTT,L4:TTFT L0:TTTT,L4:TTTT L0:TTTF,L4:TTFF L0:TTTF,L4:FTTF L0:TTTF,L4:TTTF \
         L0:TTFT,L7:TTFF L0:TTFT,L7:FTFT L0:TTFT,L7:TTFT L0:TTFF,L0:TTTT")
}

#[test]
fn figure_7_lists_ten_paths_and_each_has_a_short_array() {
    let mut config = config(PARTITION);
    config.lengths = vec![("a".to_string(), "n".to_string())];
    let analysis = run(&config);
    let Analysis { observed, abstraction, .. } = &analysis;
    let paths = pct::paths::enumerate(abstraction);
    let id = |state| pct::report::abstract_id(&observed.cfg, abstraction, 4, state);
    let ends: Vec<String> = paths.iter().map(|path| format!("{},{}", id(path.states[0]), id(path.last()))).collect();
    assert_eq!(ends.len(), 10);
    assert_eq!(ends.into_iter().collect::<BTreeSet<_>>(), figure_7());

    let (program, cfg, predicates) = (&observed.program, &observed.cfg, &observed.predicates);
    let mut generator = pct::testgen::Generator::new(program, cfg, predicates, abstraction, &config)
        .unwrap()
        .expect("there is no limit");
    for path in &paths {
        let pct::testgen::Outcome::Test(test) = generator.solve(&path.states) else {
            panic!("{path:?} has inputs, says the paper");
        };
        assert!(test.is_exact);
        let [array] = test.inputs.objects.as_slice() else {
            panic!("the only object is the array, not {:?}", test.inputs.objects);
        };
        // The paper's arrays have three or four elements.
        assert!(matches!(array.length, Some(3 | 4)), "{:?}", array.length);
    }
}
