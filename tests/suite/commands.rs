//! The command line as a person uses it: what it prints, its exit codes, and what it says of wrong input.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PARTITION: &str = "examples/partition/partition.c";
const PREDICATES: &str = "--predicates=examples/partition/partition.pred";

pub(crate) fn pct(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pct"));
    command.args(arguments).output().expect("pct runs")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[track_caller]
pub(crate) fn succeeds(arguments: &[&str]) -> String {
    let output = pct(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

/// A file in a folder that goes away with the test.
pub(crate) struct Scratch(pub(crate) tempfile::TempDir);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch(tempfile::tempdir().unwrap())
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// A program that stands in for another, so that a test does not depend on the machine.
    pub(crate) fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.file(name, format!("#!/bin/sh\n{script}\n"));
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, executable).unwrap();
        path
    }
}

/// Messages are wrapped to the width of the page; this undoes it.
pub(crate) fn unwrapped(message: &str) -> String {
    message.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// The command fails with `code`, prints nothing on standard output, and says all of `words`.
#[track_caller]
pub(crate) fn fails(code: i32, arguments: &[&str], words: &[&str]) {
    let output = pct(arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(stdout(&output), "");
    for word in words {
        assert!(unwrapped(&message).contains(word), "{word:?} is missing in\n{message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn the_report_shows_figure_3_and_the_ratio() {
    let report = succeeds(&["analyze", PARTITION, PREDICATES]);
    assert!(report.contains("|U| = 49, |L| = 43, |L|/|U| = 0.878"), "{report}");
    assert!(report.contains("  L3  # # · · + · · ? · ·\n"), "{report}");
    assert!(report.contains("58 may transitions: 41 must#, 0 only must+, 0 only must-"), "{report}");
    assert!(!report.contains('\x1b'), "no colours where nobody sees them");
}

#[test]
fn the_json_follows_the_contract() {
    let text = succeeds(&["analyze", PARTITION, PREDICATES, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["schema"], "pct-analysis/1");
    assert_eq!(json["function"], "partition");
    assert_eq!(json["options"]["points"], "labels");
    assert_eq!(json["options"]["arith"], "machine");
    assert_eq!(json["options"]["overflow"], "assume");
    assert_eq!(json["predicates"][0]["name"], "lt");
    assert_eq!(json["predicates"][0]["text"], "lo < hi");
    assert_eq!(json["predicates"][0]["observed"], true);
    assert_eq!(json["points"][0]["label"], "L0");
    let source = std::fs::read_to_string(PARTITION).unwrap();
    let line = 1 + source.lines().position(|line| line.starts_with("L0:")).unwrap();
    assert_eq!(json["points"][0]["line"], line);
    assert_eq!(json["states"].as_array().unwrap().len(), 49);
    let first = &json["states"][0];
    assert_eq!(first["id"], "L0:TTTT");
    for flag in ["upper", "lower", "lower_pessimistic", "lower_exact"] {
        assert_eq!(first[flag], true, "{flag}");
    }
    assert_eq!(first["verdict"], "initial");
    assert_eq!(json["transitions"].as_array().unwrap().len(), 58);
    assert_eq!(json["summary"]["upper"], 49);
    assert_eq!(json["summary"]["ratio"], 0.8776);
    assert_eq!(json["summary"]["initial"], 4);
    assert_eq!(json["summary"]["initial_assumption_holds"], false);
    assert_eq!(json["summary"]["may"], 58);
    assert_eq!(json["summary"]["must_plus"], 41);
    assert_eq!(json["summary"]["must_minus"], 41);
    assert_eq!(json["summary"]["solver_unknown"], 0);
    assert_eq!(json["summary"]["partial"], false);
}

#[test]
fn what_the_bounds_assume_is_said() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "f.c",
        "int look(const int *p, int n);\nint fill(int *p);\nint counter;\n\
         int f(int *a, int b[], int n) {\n  counter++;\n  if (look(a, n) > 0) fill(b);\n\
           if (a[0] > 0) n = 1;\n  if (b[0] > 0) n = 2;\n  if (counter > 0) n = 3;\n  return n;\n}\n",
    );
    let list = scratch.file("p", "a: a[0] > 0\nb: b[0] > 0\nc: counter > 0\n");
    let predicates = format!("--predicates={}", text(&list));
    let report = succeeds(&["analyze", text(&file), &predicates]);
    for assumption in [
        "`look`, `fill`, which have no body, change nothing but what they are given a pointer to",
        "`a`, `b` point to different objects",
        "no pointer parameter points to `counter`",
        "an access outside an array touches no other object",
        "a run is over where it does something undefined: signed overflow, division by zero, shift by too much, \
         null pointers that are followed",
    ] {
        assert!(report.contains(&format!("    - that {assumption}\n")), "{assumption} is missing in\n{report}");
        let json = succeeds(&["analyze", text(&file), &predicates, "--json"]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert!(json["assumptions"]["upper"].as_array().unwrap().iter().any(|said| said == assumption));
        assert!(!json["assumptions"]["lower"].as_array().unwrap().is_empty());
    }
    // `fill` may write b; `look` may not write a, and neither writes the counter.
    let program = succeeds(&["boolean", text(&file), &predicates]);
    assert!(program.contains("    if (*) then\n        b := *;\n    fi\n"), "{program}");
    // What does not matter is not said.
    let file = scratch.file("g.c", "int f(int x) { if (x > 0) return 1; return 0; }\n");
    let report = succeeds(&["analyze", text(&file), "--arith", "ideal"]);
    let said = "  U assumes\n    - that no integer leaves the range of its type\n    - that a run is over where it does \
                something undefined: division by zero\n  L assumes\n    - that runs do nothing undefined: no division by \
                zero\n    - nothing about the start";
    assert!(report.contains(said), "{report}");
}

#[test]
fn diverging_states_are_listed() {
    let scratch = Scratch::new();
    let file = scratch.file("f.c", "void f(int x) {\nL0: if (x > 0)\nL1: while (1)\nL2: ;\nL3: ;\n}\n");
    let report = succeeds(&["analyze", text(&file)]);
    let line = "  diverges: no run that comes to one of these (3) ends: L0:T L1:T L2:T\n";
    assert!(report.contains(line), "{report}");
    let json: serde_json::Value = serde_json::from_str(&succeeds(&["analyze", text(&file), "--json"])).unwrap();
    assert_eq!(json["summary"]["diverges"], serde_json::json!(["L0:T", "L1:T", "L2:T"]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_memory_is_no_panic() {
    // Kilobytes, and whether that is enough.
    for (limit, enough) in [(60_000, false), (200_000, false), (900_000, true), (1_200_000, true), (2_000_000, true)] {
        let command = format!("ulimit -v {limit}; exec \"$0\" \"$@\"");
        let arguments = [env!("CARGO_BIN_EXE_pct"), "analyze", PARTITION, PREDICATES];
        let output = Command::new("bash").arg("-c").arg(command).args(arguments).output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(if enough { 0 } else { 4 }), "{limit}: {message}");
        assert_eq!(message.contains("ulimit"), !enough, "{limit}: {message}");
        assert_eq!(stdout(&output).contains("|U| = 49, |L| = 43"), enough, "{limit}");
    }
}

#[test]
fn two_runs_and_any_number_of_threads_print_the_same() {
    for file in [PARTITION, "examples/partition/partition_guarded.c", "examples/figure1/figure1a.c"] {
        for command in [&["analyze", file, "--json"][..], &["graph", file], &["boolean", file]] {
            let with_jobs = |jobs: &str| succeeds(&[command, &["--jobs", jobs]].concat());
            let one = with_jobs("1");
            assert_eq!(one, with_jobs("1"), "{command:?}");
            assert_eq!(one, with_jobs("2"), "{command:?}");
        }
    }
}

#[test]
fn predicates_alone_are_printed_in_order_of_appearance_and_can_be_read_again() {
    let printed = succeeds(&["analyze", PARTITION, "--predicates"]);
    assert_eq!(printed, "A: lo <= hi\nB: a[lo] <= pivot\nC: a[hi] > pivot\nD: lo < hi\n");
    let scratch = Scratch::new();
    let file = scratch.file("same.pred", printed);
    let again = succeeds(&["analyze", PARTITION, &format!("--predicates={}", text(&file)), "--json"]);
    assert_eq!(again, succeeds(&["analyze", PARTITION, "--json"]));
}

#[test]
fn conditions_are_taken_apart_and_repetitions_merged() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "f.c",
        "int f(int x, int y, unsigned char c) {\n\
         if (x < y && !(y <= x) || x == 3) x++;\n\
         while (y > x ? c : c != 0) { c--; }\n\
         switch (c & 3) { case 1: x = 1; break; case 2: case 3: y = 2; }\n\
         for (int i = 0; i < 3; i++) if (3 != x) y = i;\n\
         for (int i = 5; i-- > 0; ) y += x;\n\
         return x >= y;\n}\n",
    );
    let printed = succeeds(&["analyze", text(&file), "--predicates"]);
    let expected = ["x < y", "x == 3", "c != 0", "(c & 3) == 1", "(c & 3) == 2", "(c & 3) == 3", "i < 3", "i > 0"];
    let texts: Vec<&str> = printed.lines().map(|line| line.split_once(": ").unwrap().1).collect();
    assert_eq!(texts, expected);
}

#[test]
fn the_only_function_or_main_is_chosen() {
    let scratch = Scratch::new();
    let one = scratch.file("one.c", "int g(int);\nint f(int x) { return x ? g(x) : 0; }\n");
    let json: serde_json::Value = serde_json::from_str(&succeeds(&["analyze", text(&one), "--json"])).unwrap();
    assert_eq!(json["function"], "f");
    assert!(json["notes"][0].as_str().unwrap().contains("`g` has no body"));
    let main = scratch.file("main.c", "int f(int x) { return x; }\nint main(void) { return f(1); }\n");
    let json: serde_json::Value = serde_json::from_str(&succeeds(&["analyze", text(&main), "--json"])).unwrap();
    assert_eq!(json["function"], "main");
    let two = scratch.file("two.c", "int f(int x) { return x; }\nint g(int x) { return f(x); }\n");
    fails(2, &["analyze", text(&two)], &["several functions", "-f", "it defines: f, g"]);
    fails(2, &["analyze", text(&two), "-f", "h"], &["no function `h`", "it defines: f, g"]);
}

#[test]
fn the_functions_of_files_are_listed_in_the_order_of_the_text() {
    let scratch = Scratch::new();
    scratch.file(
        "h.h",
        "#define DOUBLE(name) int name(int x) { return 2 * x; }\nstatic int in_header(int x) { return x; }\n",
    );
    let one = scratch.file(
        "one.c",
        "#include \"h.h\"\nint declared(int);\n\nstatic char *\ngnu_style (char *s)\n{\n  return s;\n}\n\
         old(a) char a; { return a; }\n#ifdef MORE\nint (*pointer(void))(int) { return declared; }\n#endif\n\
         DOUBLE(made)\nlong double refused(long double x) { return x; }\n",
    );
    let two = scratch.file("two.c", "int main(void) { return 0; }\n");
    let (one, two) = (text(&one), text(&two));
    let listed = succeeds(&["functions", one]);
    let lines = [("gnu_style", 5), ("old      ", 9), ("made     ", 13), ("refused  ", 14)];
    let expected: String = lines.iter().map(|(name, line)| format!("{name}  {one}:{line}\n")).collect();
    assert_eq!(listed, expected);
    let listed = succeeds(&["functions", one, two, "--json", "-DMORE"]);
    let object = |name, file, line| serde_json::json!({"name": name, "file": file, "line": line});
    let expected = serde_json::json!([
        object("gnu_style", one, 5),
        object("old", one, 9),
        object("pointer", one, 11),
        object("made", one, 13),
        object("refused", one, 14),
        object("main", two, 1),
    ]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&listed).unwrap(), expected);
    let empty = scratch.file("empty.c", "#include \"h.h\"\n");
    assert_eq!(succeeds(&["functions", text(&empty)]), "");
    assert_eq!(succeeds(&["functions", text(&empty), "--json"]), "[]\n");
    fails(3, &["functions", "no/such/file.c"], &["no/such/file.c", "there is no such file"]);
    fails(2, &["functions"], &["FILE.c"]);
    fails(2, &["functions", one, "-f", "old"], &["-f"]);
}

#[test]
fn a_function_can_be_taken_as_undefined() {
    let scratch = Scratch::new();
    let file = scratch.file("f.c", "int g(void) { return 1; }\nint f(void)\n{\n\tint x = g();\n\treturn x > 1;\n}\n");
    let arguments = ["analyze", text(&file), "-f", "f", "-p", "x > 1", "--json"];
    let known: serde_json::Value = serde_json::from_str(&succeeds(&arguments)).unwrap();
    assert_eq!(known["states"].as_array().unwrap().len(), 1);
    let unknown = succeeds(&[&arguments[..], &["--havoc", "g"]].concat());
    let unknown: serde_json::Value = serde_json::from_str(&unknown).unwrap();
    assert_eq!(unknown["states"].as_array().unwrap().len(), 2);
    fails(2, &["analyze", text(&file), "-f", "f", "--havoc", "h"], &["no function `h`", "--havoc"]);
    fails(2, &["analyze", text(&file), "-f", "f", "--length", "x=1"], &["`x` is no pointer or array parameter"]);
    fails(2, &["analyze", text(&file), "-f", "f", "--checks", "everything"], &["everything", "bounds"]);
}

#[test]
fn run_time_checks_have_a_verdict_for_each_site() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "f.c",
        "int f(int *p, unsigned char i, unsigned char d)\n{\n\tint a[8] = {0};\n\tif (i < 8)\n\t\ta[i] = 1;\n\
         \ta[i % 9] = 2;\n\tif (p)\n\t\t*p = 3;\n\treturn 100 / d;\n}\n",
    );
    let json = succeeds(&["analyze", text(&file), "--checks", "all", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let verdicts: Vec<(u64, &str, &str)> = json["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| {
            let word = |field: &str| check[field].as_str().unwrap();
            (check["line"].as_u64().unwrap(), word("kind"), word("verdict"))
        })
        .collect();
    // What C says of each line: the guard makes line 5 and 8 safe; i = 8 breaks line 6, d = 0 line 9.
    for expected in [(5, "bounds", "safe"), (6, "bounds", "fails"), (8, "null", "safe"), (9, "div", "fails")] {
        assert!(verdicts.contains(&expected), "{expected:?} is not among {verdicts:?}");
    }
    assert!(!verdicts.contains(&(5, "bounds", "fails")), "{verdicts:?}");
    assert!(!verdicts.contains(&(8, "null", "open")), "{verdicts:?}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let scratch = Scratch::new();
    fails(3, &["analyze", "no/such/file.c"], &["no/such/file.c", "there is no such file"]);
    fails(3, &["analyze", "examples"], &["examples", "it is a directory"]);
    let rubbish = scratch.file("rubbish.c", [0x7f, 0x45, 0x4c, 0x46, 0, 0, 0xff, 0xfe]);
    fails(3, &["analyze", text(&rubbish)], &["rubbish.c", "not a text file"]);
    let empty = scratch.file("empty.c", "");
    fails(2, &["analyze", text(&empty)], &["defines no function"]);
}

#[test]
fn a_syntax_error_is_underlined_in_the_original_line() {
    let scratch = Scratch::new();
    let file = scratch
        .file("f.c", "#include <limits.h>\n#define ONE 1\nint f(int x)\n{\n\tint y = ONE;\n\treturn x + * ;\n}\n");
    fails(3, &["analyze", text(&file)], &["f.c:6:", "return x + * ;", "the parser stops here"]);
    let missing = scratch.file("g.c", "#include \"nowhere.h\"\nint f(void) { return 0; }\n");
    fails(3, &["analyze", text(&missing)], &["g.c:1:", "nowhere.h", "the preprocessor stops"]);
    let undeclared = scratch.file("h.c", "int f(int x)\n{\n\treturn x + why;\n}\n");
    fails(3, &["analyze", text(&undeclared)], &["h.c:3:", "`why` is not declared"]);
}

#[test]
fn unsupported_constructs_say_what_where_and_what_to_do() {
    let scratch = Scratch::new();
    for (code, words) in [
        ("long double f(long double x)\n{\n\treturn x + 1;\n}\n", &["f.c:", "long double"][..]),
        ("int f(int x)\n{\n\t__asm__(\"nop\");\n\treturn x;\n}\n", &["f.c:3:", "assembly"]),
        ("#include <setjmp.h>\nint f(jmp_buf b)\n{\n\tlongjmp(b, 1);\n}\n", &["f.c:4:", "`longjmp`", "--havoc"]),
        ("struct s;\nint f(struct s *p)\n{\n\treturn p->a;\n}\n", &["f.c:4:", "declared, but not defined"]),
        ("struct s { int a; };\nint f(struct s *p)\n{\n\treturn p->b;\n}\n", &["f.c:4:", "no member `b`"]),
        ("int f(int x)\n{\n\tgoto nowhere;\n\treturn x;\n}\n", &["f.c:3:", "no label `nowhere`"]),
        ("int f(int x)\n{\n\tbreak;\n\treturn x;\n}\n", &["f.c:3:", "break outside"]),
    ] {
        let file = scratch.file("f.c", code);
        fails(3, &["analyze", text(&file)], words);
    }
    let bits = scratch.file("bits.c", "int f(int x)\n{\n\tif (x & 1)\n\t\tx = 0;\n\treturn x;\n}\n");
    fails(3, &["analyze", text(&bits), "--arith", "ideal"], &["bits.c:", "mathematical integers", "--arith machine"]);
}

#[test]
fn unsupported_constructs_elsewhere_in_the_file_do_no_harm() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "f.c",
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n\
         struct s { double d; };\ndouble g(struct s *p) { return p->d; }\nint f(int x) { return x > 0; }\n",
    );
    succeeds(&["analyze", text(&file), "-f", "f"]);
}

#[test]
fn wrong_predicates_are_underlined_where_they_were_written() {
    fails(2, &["analyze", PARTITION, "-p", "lo < nowhere"], &["`nowhere` is not declared", "lo < nowhere"]);
    fails(2, &["analyze", PARTITION, "-p", "lo++ < hi"], &["side effect", "lo++ < hi"]);
    fails(2, &["analyze", PARTITION, "-p", "lo = hi"], &["side effect"]);
    fails(2, &["analyze", PARTITION, "--track", "swap(a, lo, hi)"], &["swap"]);
    fails(2, &["analyze", PARTITION, "-p", "lo <"], &["not a C expression", "lo <"]);
    fails(2, &["analyze", PARTITION, "-p", "lo < hi; hi"], &["not a C expression"]);
    fails(2, &["analyze", PARTITION, "-p", ""], &["there is no expression"]);
    let scratch = Scratch::new();
    let file = scratch.file("wrong.pred", "# a comment\nlt: lo < hi\nle: lo <= high\nal: a[lo] <= pivot\n");
    let option = format!("--predicates={}", text(&file));
    fails(2, &["analyze", PARTITION, &option], &["wrong.pred:3:", "`high` is not declared", "le: lo <= high"]);
    let twice = scratch.file("twice.pred", "p: lo < hi\np: lo <= hi\n");
    let option = format!("--predicates={}", text(&twice));
    fails(2, &["analyze", PARTITION, &option], &["two predicates are called `p`", "line 2"]);
    fails(2, &["analyze", PARTITION, "--predicates=no/such.pred"], &["no/such.pred"]);
}

#[test]
fn wrong_options_are_told_by_name() {
    fails(2, &["analyze", PARTITION, "--arith", "float"], &["float", "--arith"]);
    fails(2, &["analyze", PARTITION, "--timeout=0"], &["--timeout"]);
    fails(2, &["analyse", PARTITION], &["analyse"]);
    fails(2, &["graph", PARTITION, "--predicates"], &["--predicates needs a file"]);
    fails(2, &["graph", PARTITION, "-o", "x.jpeg"], &["x.jpeg", ".svg"]);
    for command in ["analyze", "graph", "boolean", "functions", "doctor"] {
        let help = succeeds(&[command, "--help"]);
        assert!(help.contains("Example"), "{help}");
    }
}

#[test]
fn without_graphviz_there_is_a_hint_and_no_file() {
    let scratch = Scratch::new();
    let out = scratch.0.path().join("p.svg");
    let cc = which("cc");
    let output = Command::new(env!("CARGO_BIN_EXE_pct"))
        .args(["graph", PARTITION, "--cc", text(&cc), "-o", text(&out)])
        .env("PATH", scratch.0.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(unwrapped(&stderr(&output)).contains("apt-get install graphviz"), "{}", stderr(&output));
    assert!(std::fs::read_dir(scratch.0.path()).unwrap().next().is_none(), "nothing is left behind");
}

#[test]
fn graphviz_draws_pictures_where_it_is_present() {
    let scratch = Scratch::new();
    scratch.program("dot", "echo \"$1\"\ncat");
    let out = scratch.0.path().join("p.svg");
    let path = format!("{}:{}", text(scratch.0.path()), std::env::var("PATH").unwrap());
    let output = Command::new(env!("CARGO_BIN_EXE_pct"))
        .args(["graph", PARTITION, "-o", text(&out)])
        .env("PATH", path)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let drawn = std::fs::read_to_string(&out).unwrap();
    assert!(drawn.starts_with("-Tsvg\ndigraph {"), "{drawn}");
}

pub(crate) fn which(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
        .expect("it is installed")
}
