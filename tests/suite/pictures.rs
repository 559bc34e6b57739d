//! The graphs and Boolean programs of the examples.

use super::commands::{pct, stdout};

/// Each example with the options that its graph is drawn with.
const EXAMPLES: [(&str, &str, &[&str]); 4] = [
    ("partition", "examples/partition/partition.c", &["--predicates=examples/partition/partition.pred"]),
    (
        "partition_guarded",
        "examples/partition/partition_guarded.c",
        &["--predicates=examples/partition/partition.pred"],
    ),
    ("figure1a", "examples/figure1/figure1a.c", &["--arith", "ideal"]),
    ("figure1b", "examples/figure1/figure1b.c", &[]),
];

#[test]
fn the_graphs_in_the_repository_are_those_of_the_examples() {
    for (name, file, options) in EXAMPLES {
        let output = pct(&[&["graph", file], options].concat());
        let kept = std::fs::read_to_string(format!("graphs/{name}.dot")).unwrap_or_default();
        assert_eq!(
            stdout(&output),
            kept,
            "graphs/{name}.dot is out of date: run `make graphs` and read the difference"
        );
        let picture = std::fs::read_to_string(format!("graphs/{name}.svg")).unwrap_or_default();
        assert!(picture.contains("</svg>"), "graphs/{name}.svg is missing: run `make graphs`");
    }
}

#[test]
fn figure_4_is_drawn_by_the_conventions_of_the_paper() {
    let dot = stdout(&pct(&[&["graph", EXAMPLES[0].1], EXAMPLES[0].2].concat()));
    for line in [
        "\"L0:TTTT\" [shape=ellipse];",
        "\"L1:TTTT\";",
        "\"L4:FTTF\" [style=filled, fillcolor=palegreen];",
        "\"L4:FFFF\" [style=filled, fillcolor=salmon];",
        "\"L7:FFFT\" [shape=plaintext];",
        "\"L0:TTTT\" -> \"L1:TTTT\" [style=bold];",
        "\"L3:TTTF\" -> \"L4:FTTF\" [style=dotted];",
        "halt [shape=doublecircle];",
    ] {
        assert!(dot.lines().any(|found| found.trim() == line), "{line} is missing in\n{dot}");
    }
    let count = |text: &str| dot.lines().filter(|line| line.contains("->") && line.contains(text)).count();
    assert_eq!(count("style=dotted"), 17);
    // 41 between states; the last one, to halt, is must+ only: no state is observed there.
    assert_eq!(count("style=bold"), 41);
}

#[test]
fn must_transitions_of_one_kind_carry_their_sign() {
    let dot = stdout(&pct(&[&["graph", EXAMPLES[2].1], EXAMPLES[2].2].concat()));
    assert!(dot.contains("\"L3:F\" -> \"L4:T\" [style=solid, label=\"+\"]"), "{dot}");
    assert!(dot.contains("\"L4:T\" -> \"L5:T\" [style=solid, label=\"-\"]"), "{dot}");
}

#[test]
fn only_open_draws_the_open_states_and_their_neighbours() {
    let dot = stdout(&pct(&[&["graph", EXAMPLES[0].1, "--only", "open"], EXAMPLES[0].2].concat()));
    let nodes: Vec<&str> = dot
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("\"L") && !line.contains("->"))
        .map(|line| line.split('"').nth(1).unwrap())
        .collect();
    // U - L of the paper, and what a transition of Figure 4 connects with it.
    assert_eq!(
        nodes,
        ["L2:FFTF", "L3:FTTF", "L3:FFTF", "L4:FFTF", "L4:FFFF", "L5:FFFT", "L6:FTFT", "L6:FFFT", "L7:FFFT", "L7:FFFF"]
    );
}

#[test]
fn the_boolean_program_of_partition_is_figure_2b() {
    let program = stdout(&pct(&[&["boolean", EXAMPLES[0].1], EXAMPLES[0].2].concat()));
    // Typed from the paper, with its layout made ours; `enforce` is written as excluded conjunctions, which is equivalent
    // to (lt=>le) & ((!lt&le)=>((al&!ah)|(!al&ah))) (checked below).
    let expected = "void partition() begin
    decl lt,le,al,ah;
    enforce (!(lt & !le) & !(!lt & le & !al & !ah) & !(!lt & le & al & ah));
    lt,le,al,ah := T, T, *, *;
L0: while (le) do
L1:     skip;
L2:     while (al) do
L3:         lt,le,al := (!lt ? F : *), lt, *;
L4:         skip;
        od
L5:     while (ah) do
L6:         lt,le,ah := (!lt ? F : *), lt, *;
L7:         skip;
        od
L8:     if (lt) then
L9:         al,ah := !ah, !al;
LA:         skip;
        fi
LB:     skip;
    od
LC: skip;
end
";
    assert_eq!(program, expected);
    for bits in 0..16u32 {
        let [lt, le, al, ah] = [0, 1, 2, 3].map(|bit| bits >> bit & 1 == 1);
        let implies = |a: bool, b: bool| !a || b;
        let excludes = |literals: &[bool]| literals.contains(&false);
        let paper = implies(lt, le) && implies(!lt && le, al != ah);
        let ours = excludes(&[lt, !le]) && excludes(&[!lt, le, !al, !ah]) && excludes(&[!lt, le, al, ah]);
        assert_eq!(paper, ours, "{lt} {le} {al} {ah}");
    }
}

#[test]
fn boolean_programs_keep_the_structure_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.c");
    std::fs::write(
        &file,
        "#include <assert.h>\nint f(int x, int y) {\nfor (x = 0; x < 3; x++) {\nif (y == 1) continue;\nif (y == 2) break;\n}\n\
         do {\ny--;\n} while (y > 0);\nswitch (x) {\ncase 0: y = 1;\ncase 1: y = 2; break;\ndefault: y = 3;\n}\n\
         if (x < 3 && y > 0) goto out;\nassert(x >= 3);\nout: return y;\n}\n",
    )
    .unwrap();
    let output = pct(&["boolean", file.to_str().unwrap(), "-p", "x >= 0"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    insta::assert_snapshot!(stdout(&output));
}
