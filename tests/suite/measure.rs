//! `pct measure`: which states tests of the user's reach. What they reach is found by hand, or by running the function here.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use super::commands::{Scratch, pct, stderr, stdout};

const PARTITION: &str = "examples/partition/partition.c";
const PREDICATES: &str = "--predicates=examples/partition/partition.pred";

/// Its states by hand: `x < 0` and `x > 0` exclude each other, so L2 has three, and each branch has those that lead there.
const SIGN: &str = "int sign(int x) {\n  if (x < 0)\n    return -1;\n  if (x > 0)\n    return 1;\n  return 0;\n}\n";
const NEGATIVE: [&str; 2] = ["L2:TF", "L3:TF"];
const ZERO: [&str; 3] = ["L2:FF", "L4:FF", "L6:FF"];
const POSITIVE: [&str; 3] = ["L2:FT", "L4:FT", "L5:FT"];

/// A function with a struct and a static variable, over two files and a header.
const COUNTER_H: &str = "struct counter { int count; unsigned full : 1; };\nint reset(struct counter *c);\n";
const COUNTER: &str = "#include \"counter.h\"\nstatic int limit = 3;\nint step(struct counter *c)\n{\n\tif (c->count >= limit)\n\
                       \t\treturn reset(c);\n\tc->count++;\n\treturn 0;\n}\nint main(void) { return 7; }\n";
const RESET: &str = "#include \"counter.h\"\nint reset(struct counter *c) { c->count = 0; c->full = 1; return 1; }\n";

fn set<'a>(parts: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    parts.into_iter().map(String::from).collect()
}

#[track_caller]
fn list(value: &serde_json::Value) -> BTreeSet<String> {
    let all = value.as_array().unwrap_or_else(|| panic!("a list: {value}"));
    all.iter().map(|id| id.as_str().expect("a string").to_string()).collect()
}

/// What `pct measure --json` says, with its exit code.
#[track_caller]
fn measured(arguments: &[&str], code: i32) -> serde_json::Value {
    let output = pct(&[&["measure"], arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(code), "{}{}", stdout(&output), stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

#[track_caller]
fn fails(arguments: &[&str], code: i32) -> String {
    let output: Output = pct(&[&["measure"], arguments].concat());
    assert_eq!(output.status.code(), Some(code), "{}{}", stdout(&output), stderr(&output));
    // Messages are wrapped; the words count.
    stderr(&output).split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// The states that partition passes with an array, by running it here. No element outside of the array may be looked at.
fn partition(array: &[i32]) -> BTreeSet<String> {
    let (mut a, pivot) = (array.to_vec(), array[0]);
    let (mut lo, mut hi) = (1, array.len() as i32 - 1);
    let mut seen = BTreeSet::new();
    let see = |label: &str, a: &[i32], lo: i32, hi: i32, seen: &mut BTreeSet<String>| {
        let values = [lo < hi, lo <= hi, a[lo as usize] <= pivot, a[hi as usize] > pivot];
        let letters: String = values.iter().map(|value| if *value { 'T' } else { 'F' }).collect();
        seen.insert(format!("{label}:{letters}"));
    };
    loop {
        see("L0", &a, lo, hi, &mut seen);
        if lo > hi {
            break;
        }
        see("L1", &a, lo, hi, &mut seen);
        loop {
            see("L2", &a, lo, hi, &mut seen);
            if a[lo as usize] > pivot {
                break;
            }
            see("L3", &a, lo, hi, &mut seen);
            lo += 1;
            see("L4", &a, lo, hi, &mut seen);
        }
        loop {
            see("L5", &a, lo, hi, &mut seen);
            if a[hi as usize] <= pivot {
                break;
            }
            see("L6", &a, lo, hi, &mut seen);
            hi -= 1;
            see("L7", &a, lo, hi, &mut seen);
        }
        see("L8", &a, lo, hi, &mut seen);
        if lo < hi {
            see("L9", &a, lo, hi, &mut seen);
            a.swap(lo as usize, hi as usize);
            see("LA", &a, lo, hi, &mut seen);
        }
        see("LB", &a, lo, hi, &mut seen);
    }
    see("LC", &a, lo, hi, &mut seen);
    seen
}

const ARRAYS: [&[i32]; 3] = [&[0, 0, 0, 1], &[0, 1, -1], &[5, 9, 2, 7, 1, 8]];

fn expected_of_partition() -> BTreeSet<String> {
    ARRAYS.iter().flat_map(|array| partition(array)).collect()
}

/// A C program that calls partition with the arrays.
fn partition_program() -> String {
    let mut text = String::from("void partition(int a[], int n);\nint main(void) {\n");
    for (number, array) in ARRAYS.iter().enumerate() {
        let elements: Vec<String> = array.iter().map(i32::to_string).collect();
        let count = array.len();
        text += &format!("  int a{number}[] = {{{}}};\n  partition(a{number}, {count});\n", elements.join(", "));
    }
    text + "  return 0;\n}\n"
}

#[test]
fn the_three_ways_reach_the_same_states_of_partition() {
    let scratch = Scratch::new();
    let folder = scratch.0.path();
    let inputs: Vec<serde_json::Value> =
        ARRAYS.iter().map(|array| serde_json::json!({ "a": array, "n": array.len() })).collect();
    let inputs = scratch.file("inputs.json", serde_json::Value::from(inputs).to_string()).display().to_string();
    std::fs::create_dir(folder.join("tests")).expect("a folder");
    let program = scratch.file("tests/arrays.c", partition_program()).display().to_string();
    scratch.file("tests/notes.txt", "no C");
    // The file has no definition of `assume`, so the build brings one.
    let assume = scratch.file("assume.c", "#include <stdlib.h>\nvoid assume(int c) { if (!c) exit(3); }\n");
    let build = |compiler: &str, source: &str| {
        format!("cd {} && {compiler} {source} {program} {} -o all && ./all", folder.display(), assume.display())
    };
    let original = std::fs::canonicalize(PARTITION).expect("it is there").display().to_string();
    let by_compiler = build("\"$PCT_CC\" -O2", &original);
    let by_source = build("cc -Wall -Wno-unused-label -Werror", "\"$PCT_SOURCE\"");
    let ways: [[&str; 2]; 4] = [
        ["--inputs", &inputs],
        ["--tests", &folder.join("tests").display().to_string()],
        ["--run", &by_compiler],
        ["--run", &by_source],
    ];
    for way in ways {
        let object = measured(&[PARTITION, PREDICATES, way[0], way[1]], 0);
        let measure = &object["measure"];
        assert_eq!(list(&measure["covered"]), expected_of_partition(), "{way:?}");
        assert_eq!(measure["outside"], serde_json::json!([]), "{way:?}");
        // The rest of L is missed, the rest of U is open.
        let states = object["states"].as_array().expect("a list");
        let rest = |lower: bool| -> BTreeSet<String> {
            let states = states.iter().filter(|state| state["lower"] == lower);
            let ids = states.map(|state| state["id"].as_str().expect("an id").to_string());
            ids.filter(|id| !expected_of_partition().contains(id)).collect()
        };
        assert_eq!(list(&measure["missed"]), rest(true), "{way:?}");
        assert_eq!(list(&measure["open"]), rest(false), "{way:?}");
        let percent = measure["percent"].as_f64().expect("a number");
        assert!((percent - 100.0 * expected_of_partition().len() as f64 / 49.0).abs() < 0.01, "{percent}");
    }
}

#[test]
fn a_function_with_a_struct_in_several_files_is_measured() {
    let scratch = Scratch::new();
    scratch.file("counter.h", COUNTER_H);
    let main = scratch.file("counter.c", COUNTER).display().to_string();
    let other = scratch.file("reset.c", RESET).display().to_string();
    let folder = scratch.0.path().display().to_string();
    std::fs::create_dir(scratch.0.path().join("tests")).expect("a folder");
    scratch.file(
        "tests/test_step.c",
        "#include \"counter.h\"\nint step(struct counter *);\nint helper(void);\nint main(void) {\n  \
         struct counter c = {0};\n  step(&c);\n  return c.count == helper() ? 0 : 1;\n}\n",
    );
    scratch.file("tests/helper.c", "int helper(void) { return 1; }\n");
    let inputs = scratch.file("inputs.json", r#"[{"c": {"count": 0}}, {"c": [{"count": -7, "full": 1}]}]"#);
    let target = [main.as_str(), other.as_str(), "-f", "step", "--globals", "initial"];
    let tests = format!("{folder}/tests");
    let command = format!(
        "cd {folder} && \"$PCT_CC\" -c counter.c reset.c && cc -Dmain=unused -I. -c tests/test_step.c -o step.o && \
         cat > run.c <<'END'\n#include \"counter.h\"\nint step(struct counter *);\n\
         __attribute__((constructor)) static void test(void) {{ struct counter c = {{1, 0}}; step(&c); }}\nEND\n\
         cc run.c counter.o reset.o -o run; ./run; test $? -eq 7"
    );
    for way in [["--inputs", &inputs.display().to_string()], ["--tests", &tests], ["--run", &command]] {
        let object = measured(&[&target[..], &way].concat(), 0);
        // Below the limit: the condition, then the two statements behind it.
        assert_eq!(list(&object["measure"]["covered"]), set(["L5:F", "L7:F", "L8:F"]), "{way:?}");
        let missed = list(&object["measure"]["missed"]);
        assert!(missed.contains("L5:T") && missed.contains("L6:T"), "{missed:?}");
    }
}

#[test]
fn inputs_are_counted_and_a_threshold_is_told() {
    let scratch = Scratch::new();
    let file = scratch.file("sign.c", SIGN).display().to_string();
    let inputs = scratch.file("inputs.json", r#"[{"x": -5}, {"x": 0}]"#).display().to_string();
    let target = [file.as_str(), "-f", "sign", "--inputs", &inputs];
    let measure = measured(&target, 0)["measure"].clone();
    assert_eq!(list(&measure["covered"]), set(NEGATIVE.into_iter().chain(ZERO)));
    assert_eq!(list(&measure["missed"]), set(POSITIVE));
    assert_eq!(measure["open"], serde_json::json!([]));
    assert_eq!((measure["percent"].as_f64(), measure["base"].as_str()), (Some(62.5), Some("U")));
    assert_eq!(list(&measure["runs"][1]["observed"]), set(ZERO));
    let output = pct(&[&["measure"], &target[..], &["--fail-under", "62.5"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("  covered 5 of 8 states of U (62.5 %): 5 of the 8 in L, 0 more\n"), "{text}");
    assert!(text.contains("  guaranteed, but missed (3): L2:FT L4:FT L5:FT\n"), "{text}");
    let said = fails(&[&target[..], &["--fail-under", "62.6"]].concat(), 1);
    assert_eq!(said, "62.5 % of the states are covered, less than 62.6 % (--fail-under)");
    // All of it.
    scratch.file("inputs.json", r#"[{"x": -5}, {"x": 0}, {"x": 2147483647}]"#);
    let measure = measured(&[&target[..], &["--fail-under", "100"]].concat(), 0)["measure"].clone();
    assert_eq!(measure["percent"].as_f64(), Some(100.0));
}

#[test]
fn kept_tests_are_measured_and_so_are_those_that_the_user_adds() {
    let scratch = Scratch::new();
    let file = scratch.file("sign.c", SIGN).display().to_string();
    let folder = scratch.0.path().join("kept").display().to_string();
    let output = pct(&["test", &file, "-f", "sign", "-o", &folder]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let all: BTreeSet<String> = set(NEGATIVE.into_iter().chain(ZERO).chain(POSITIVE));
    assert_eq!(list(&measured(&[&file, "-f", "sign", "--tests", &folder], 0)["measure"]["covered"]), all);
    // The output of `pct test --json` is a file with inputs too.
    let output = pct(&["test", &file, "-f", "sign", "--json"]);
    let inputs = scratch.file("inputs.json", stdout(&output)).display().to_string();
    assert_eq!(list(&measured(&[&file, "-f", "sign", "--inputs", &inputs], 0)["measure"]["covered"]), all);
    // The user takes all tests but the negative one away, and writes a program.
    let path = Path::new(&folder).join("tests.json");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let mut object: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let is_negative = |test: &serde_json::Value| {
        test["inputs"]["variables"][0]["memory"]["bytes"].as_str().is_some_and(|bytes| bytes.ends_with("ff"))
    };
    let tests = object["suite"]["tests"].as_array_mut().expect("a list");
    tests.retain(is_negative);
    assert_eq!(tests.len(), 1);
    std::fs::write(&path, object.to_string()).expect("it is written");
    let covered = |code: i32| list(&measured(&[&file, "-f", "sign", "--tests", &folder], code)["measure"]["covered"]);
    assert_eq!(covered(0), set(NEGATIVE));
    scratch.file("kept/mine.c", "int sign(int);\nint main(void) { return sign(9) == 1 ? 0 : 1; }\n");
    assert_eq!(covered(0), set(NEGATIVE.into_iter().chain(POSITIVE)));
    // One that fails is told of, and one that does not end too; what they showed counts.
    scratch.file("kept/failing.c", "#include PCT_SOURCE\nint main(void) { return sign(0) == 0; }\n");
    scratch.file("kept/mine.c", "int sign(int);\nint main(void) { sign(9); for (;;); }\n");
    assert_eq!(covered(1), set(NEGATIVE.into_iter().chain(ZERO).chain(POSITIVE)));
    let output = pct(&["measure", &file, "-f", "sign", "--tests", &folder]);
    let lines: Vec<String> =
        stdout(&output).lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(lines.iter().any(|line| line == "failing.c 3 3 exited with 1"), "{lines:#?}");
    assert!(lines.iter().any(|line| line == "mine.c 3 3 did not end in time"), "{lines:#?}");
    // One that does not compile.
    scratch.file("kept/mine.c", "int main(void) { return missing(); }\n");
    let output = pct(&["measure", &file, "-f", "sign", "--tests", &folder]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("it cannot be compiled: "), "{}", stdout(&output));
}

#[test]
fn all_processes_of_a_command_count_also_those_that_are_killed() {
    let scratch = Scratch::new();
    let file = scratch.file("sign.c", SIGN).display().to_string();
    scratch.file(
        "main.c",
        "#include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>\nint sign(int);\nint main(void) {\n  \
         if (fork() == 0) { sign(1); kill(getpid(), SIGKILL); }\n  wait(0);\n  \
         for (int i = 3; i < 100; i++) close(i);\n  return sign(-1) == -1 ? 0 : 1;\n}\n",
    );
    scratch.file("Makefile", "all: main.o sign.o\n\t$(CC) $(CFLAGS) -o all main.o sign.o\ncheck: all\n\t./all\n");
    let folder = scratch.0.path().display().to_string();
    let target = [file.as_str(), "-f", "sign", "--run"];
    let make = format!("make -s -B -C {folder} CC=\"$PCT_CC\" CFLAGS='-Wall -Wextra -Werror -O2 -std=gnu99' check");
    let object = measured(&[&target[..], &[&make]].concat(), 0);
    assert_eq!(list(&object["measure"]["covered"]), set(NEGATIVE.into_iter().chain(POSITIVE)));
    assert_eq!(object["measure"]["calls"], 2);
    // The original is as it was.
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), SIGN);
    // A command that fails: what was observed counts, its code is told.
    let failing = format!("{make}; exit 5");
    let object = measured(&[&target[..], &[&failing]].concat(), 1);
    assert_eq!(object["measure"]["runs"][0]["end"], "exited with 5");
    assert_eq!(list(&object["measure"]["covered"]).len(), 5);
    // A build that does not take the copy.
    let output = pct(&["measure", &file, "-f", "sign", "--run", "true"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("the instrumented copy of `sign` was never called"), "{}", stdout(&output));
    // What the command prints does not disturb the object.
    let object = measured(&[&target[..], &[&format!("echo hello; {make}")]].concat(), 0);
    assert_eq!(object["function"], "sign");
}

#[test]
fn recursion_and_failed_assumptions_count_as_in_the_analysis() {
    let scratch = Scratch::new();
    let text = "void assume(int);\nint down(int n) {\n  assume(n < 100);\n  if (n > 0)\n    return down(n - 1);\n  return n;\n}\n";
    let file = scratch.file("down.c", text).display().to_string();
    std::fs::create_dir(scratch.0.path().join("tests")).expect("a folder");
    // Only the outermost call counts: nothing of it has n <= 0. The second is assumed away, by a function that goes on.
    scratch.file(
        "tests/one.c",
        "void assume(int c) {}\nint down(int);\nint main(void) { down(2); down(500); return 0; }\n",
    );
    let tests = scratch.0.path().join("tests").display().to_string();
    let object = measured(&[&file, "-f", "down", "-p", "n < 100", "--tests", &tests], 0);
    let covered = list(&object["measure"]["covered"]);
    assert!(covered.contains("L4:TT") && covered.contains("L5:TT"), "{covered:?}");
    assert!(covered.iter().all(|id| id.ends_with("TT") || id == "L3:TF"), "{covered:?}");
    assert_eq!(object["measure"]["outside"], serde_json::json!([]));
}

#[test]
fn a_function_that_ends_the_program_is_no_failed_test_but_one_that_goes_wrong_is() {
    let scratch = Scratch::new();
    let text = "void exit(int);\nint f(int x) {\n  if (x > 0)\n    exit(3);\n  return 10 / x;\n}\n";
    let file = scratch.file("f.c", text).display().to_string();
    let inputs = scratch.file("inputs.json", r#"[{"x": 1}]"#).display().to_string();
    let object = measured(&[&file, "-f", "f", "--inputs", &inputs], 0);
    assert_eq!(object["measure"]["runs"][0]["end"], "exited with 3");
    assert_eq!(list(&object["measure"]["covered"]), set(["L3:T", "L4:T"]));
    scratch.file("inputs.json", r#"[{"x": 1}, {"x": 0}]"#);
    let object = measured(&[&file, "-f", "f", "--inputs", &inputs], 1);
    assert_eq!(object["measure"]["runs"][1]["end"], "div error in line 5");
    assert_eq!(list(&object["measure"]["covered"]), set(["L3:T", "L4:T", "L3:F", "L5:F"]));
}

#[test]
fn wrong_inputs_are_told_with_their_place() {
    let scratch = Scratch::new();
    let text = "struct pair { int x; unsigned short y : 3; };\nint f(struct pair *p, int a[], char c, double d) {\n  \
                int b[2] = {0};\n  if (p->x > a[0])\n    return c + b[0];\n  return d > 0;\n}\n\
                int table[2];\nint g(int i) {\n  if (table[i & 1] > 0)\n    return 1;\n  return 0;\n}\n";
    let file = scratch.file("f.c", text).display().to_string();
    let inputs = scratch.0.path().join("inputs.json").display().to_string();
    let said = |function: &str, text: &str| {
        scratch.file("inputs.json", text);
        let message = fails(&[&file, "-f", function, "--inputs", &inputs], 2);
        message.split_once("inputs.json").map_or(message.clone(), |(_, rest)| rest.to_string())
    };
    for (function, text, wanted) in [
        ("f", "[{\"c\": 1},\n {\"c\": }]", "is not JSON: expected value at line 2 column 8"),
        ("f", "{}", "there is no list of inputs in it"),
        ("f", "[3]", "[0]: an object with the names of inputs is needed, not a number"),
        (
            "f",
            r#"[{}, {"q": 1}]"#,
            "[1].q: `f` has no such parameter, and there is no such global; its parameters are p, a, c, d",
        ),
        ("f", r#"[{"c": 200}]"#, "[0].c: 200 does not fit into char (-128 to 127)"),
        ("f", r#"[{"c": "x"}]"#, "[0].c: a whole number is needed for char, not a string"),
        ("f", r#"[{"c": 1.5}]"#, "[0].c: a whole number is needed for char, not 1.5"),
        ("f", r#"[{"a": 5}]"#, "[0].a: a list of int is needed, not a number"),
        ("f", r#"[{"a": [1, null]}]"#, "[0].a[1]: a whole number is needed for int, not null"),
        ("f", r#"[{"p": [{"x": 1, "z": 2}]}]"#, "[0].p[0].z: struct pair has no such member; its members are x, y"),
        ("f", r#"[{"p": {"y": 8}}]"#, "[0].p[0].y: 8 does not fit into unsigned short (0 to 7)"),
        (
            "f",
            r#"[{"d": "much"}]"#,
            "[0].d: a number is needed for double, or \"NAN\", \"INFINITY\", \"-INFINITY\"; not a string",
        ),
        (
            "g",
            r#"{"tests": [{"inputs": {"table": [1, 2, 3]}}]}"#,
            "tests[0].inputs.table: 3 elements are given, but the array has 2",
        ),
        (
            "f",
            r#"[{"answers": [{"from": "h()", "bits": 1}]}]"#,
            "[0].answers[0]: `h()` is nothing that the environment answers for",
        ),
    ] {
        let message = said(function, text);
        assert!(message.contains(wanted), "{text}: {message}");
    }
    let nowhere = scratch.0.path().join("nowhere").display().to_string();
    assert!(fails(&[&file, "-f", "f", "--inputs", &nowhere], 2).contains("cannot read"));
    assert!(fails(&[&file, "-f", "f", "--tests", &nowhere], 2).contains("cannot read"));
    std::fs::create_dir(&nowhere).expect("a folder");
    assert!(fails(&[&file, "-f", "f", "--tests", &nowhere], 2).contains("holds no tests"));
    assert!(fails(&[&file, "-f", "f"], 2).contains("required arguments"));
    assert!(fails(&[&file, "-f", "f", "--run", "true", "--inputs", &inputs], 2).contains("cannot be used with"));
    for percent in ["-1", "101", "many", "NaN"] {
        let threshold = format!("--fail-under={percent}");
        let message = fails(&[&file, "-f", "f", "--run", "true", &threshold], 2);
        assert!(message.contains("a number of percent from 0 to 100 is needed"), "{message}");
    }
    assert!(fails(&["nowhere.c", "--run", "true"], 3).contains("there is no such file"));
}

#[test]
fn clang_builds_the_copy_too() {
    if Command::new("clang").arg("--version").output().is_err() {
        return;
    }
    let scratch = Scratch::new();
    let file = scratch.file("sign.c", SIGN).display().to_string();
    let main = scratch.file("main.c", "int sign(int);\nint main(void) { return sign(0); }\n").display().to_string();
    let program = scratch.0.path().join("all").display().to_string();
    let command = format!("\"$PCT_CC\" {file} {main} -o {program} && {program}");
    let object = measured(&[&file, "-f", "sign", "--cc", "clang", "--run", &command], 0);
    assert_eq!(list(&object["measure"]["covered"]), set(ZERO));
}
