//! `pct test` as a person uses it: partition as the paper has it, other compilers, missing sanitizers, Ctrl-C, and
//! functions that do what is hard to run.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use pct::tools::{Tool, find};

use super::commands::{Scratch, fails, pct, stderr, stdout, text};
use super::needed;

const PARTITION: &str = "examples/partition/partition.c";
const GUARDED: &str = "examples/partition/partition_guarded.c";
const PREDICATES: &str = "--predicates=examples/partition/partition.pred";

/// `pct test --json` with these arguments, and its exit code.
#[track_caller]
fn tested(arguments: &[&str]) -> (Value, i32) {
    let output = pct(&[&["test"], arguments, &["--json"]].concat());
    let code = output.status.code().expect("it ends by itself");
    assert!(matches!(code, 0 | 1), "{}", stderr(&output));
    let json: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(json["defects"], serde_json::json!([]), "{arguments:?}");
    (json, code)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn strings(value: &Value) -> BTreeSet<String> {
    list(value).iter().map(|item| item.as_str().expect("a text").to_string()).collect()
}

/// The end points of the path of a test.
fn ends(test: &Value) -> String {
    let path = list(&test["path"]);
    let id = |state: Option<&Value>| state.and_then(Value::as_str).expect("a state").to_string();
    format!("({}, {})", id(path.first()), id(path.last()))
}

/// The states of a report that the condition holds of.
fn states(json: &Value, is_wanted: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    let wanted = list(&json["states"]).iter().filter(|state| is_wanted(state));
    wanted.map(|state| state["id"].as_str().expect("a text").to_string()).collect()
}

/// Figure 7, typed from the paper: the end points of the ten paths.
const FIGURE_7: [&str; 10] = [
    "(L0:TTTT, L4:FTFT)",
    "(L0:TTTT, L4:TTFT)",
    "(L0:TTTT, L4:TTTT)",
    "(L0:TTTF, L4:TTFF)",
    "(L0:TTTF, L4:FTTF)",
    "(L0:TTTF, L4:TTTF)",
    "(L0:TTFT, L7:TTFF)",
    "(L0:TTFT, L7:FTFT)",
    "(L0:TTFT, L7:TTFT)",
    "(L0:TTFF, L0:TTTT)",
];

/// The first ten tests are those of Figure 7; of them exactly two find the bug.
#[track_caller]
fn is_figure_7(json: &Value, engine: &str) {
    let tests: Vec<&Value> = list(&json["tests"]).iter().filter(|test| test["engine"] == engine).take(10).collect();
    assert_eq!(tests.iter().map(|test| ends(test)).collect::<BTreeSet<_>>(), FIGURE_7.map(String::from).into());
    for test in tests {
        let length = list(&test["inputs"]["a"]).len();
        assert!(matches!(length, 3 | 4), "{engine} {test}");
        assert_eq!(test["inputs"]["n"], length, "{engine} {test}");
        assert_eq!(test["strayed"], Value::Null, "{engine} {test}");
        if ["(L0:TTTF, L4:FTTF)", "(L0:TTTF, L4:TTTF)"].contains(&ends(test).as_str()) {
            assert_eq!(test["error"]["kind"], "bounds", "{engine} {test}");
            assert_eq!(test["error"]["line"], 28, "{engine} {test}");
            assert_eq!(test["last"], "L2:FFTF", "{engine} {test}");
        } else {
            assert_eq!(test["error"], Value::Null, "{engine} {test}");
            assert_eq!(test["end"], "returned", "{engine} {test}");
        }
    }
}

/// What was observed lies in U.
#[track_caller]
fn shows_nothing_impossible(json: &Value) {
    let upper = states(json, |state| state["upper"] == true);
    for test in list(&json["tests"]) {
        assert!(strings(&test["observed"]).is_subset(&upper), "{test}");
    }
    assert!(strings(&json["witnessed"]).is_subset(&upper));
}

#[test]
fn the_ten_tests_of_figure_7_run_and_two_of_them_find_the_bug() {
    let (json, code) = tested(&[PARTITION, PREDICATES, "--length", "a=n"]);
    assert_eq!(code, 1);
    is_figure_7(&json, "z3");
    shows_nothing_impossible(&json);
    assert!(strings(&json["witnessed"]).is_superset(&states(&json, |state| state["lower"] == true)));
}

#[test]
fn cbmc_finds_the_ten_tests_of_figure_7_too() {
    find(Tool::Cbmc).unwrap_or_else(|error| panic!("{error}: run `make cbmc`"));
    let (json, code) = tested(&[PARTITION, PREDICATES, "--length", "a=n", "--engine", "cbmc"]);
    assert_eq!(code, 1);
    is_figure_7(&json, "cbmc");
    shows_nothing_impossible(&json);
    let (json, code) = tested(&[GUARDED, PREDICATES, "--length", "a=n", "--engine", "cbmc"]);
    assert_eq!(code, 0);
    is_all_of_the_guarded_partition(&json);
}

#[test]
fn both_engines_are_timed_path_by_path() {
    find(Tool::Cbmc).unwrap_or_else(|error| panic!("{error}: run `make cbmc`"));
    let output = pct(&["test", PARTITION, PREDICATES, "--length", "a=n", "--engine", "both", "--no-run"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = stdout(&output);
    let (_, table) = report.split_once("  time to solve\n").expect("there is a table of times");
    let rows: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(rows.len(), 11, "{table}");
    for (row, path) in rows.iter().zip(FIGURE_7.iter().map(|_| "(L0:").chain(["all"])) {
        assert!(row.trim_start().starts_with(path), "{row}");
        assert!(row.contains(" z3 ") && row.contains(" cbmc ") && row.ends_with(" ms"), "{row}");
    }
}

/// Nothing goes wrong, all of L is seen, and so is all that can be reached, which is what three more predicates leave
/// of U.
#[track_caller]
fn is_all_of_the_guarded_partition(json: &Value) {
    assert!(list(&json["tests"]).iter().all(|test| test["error"].is_null()), "{}", json["tests"]);
    shows_nothing_impossible(json);
    let lower = states(json, |state| state["lower"] == true);
    let witnessed = strings(&json["witnessed"]);
    assert_eq!(lower.len(), 41);
    assert!(witnessed.is_superset(&lower), "{witnessed:?}");
    let tracked = ["lo == hi + 1", "a[lo - 1] <= pivot", "a[hi + 1] > pivot"];
    let tracked: Vec<&str> = tracked.iter().flat_map(|predicate| ["--track", predicate]).collect();
    let output = pct(&[&["analyze", GUARDED, PREDICATES, "--json"], tracked.as_slice()].concat());
    let exact: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let reachable = states(&exact, |state| state["lower"] == true);
    assert_eq!(reachable, states(&exact, |state| state["upper"] == true));
    assert_eq!(reachable.len(), 50);
    assert_eq!(witnessed, reachable);
}

#[test]
fn all_that_the_guarded_partition_can_reach_is_shown() {
    let (json, code) = tested(&[GUARDED, PREDICATES, "--length", "a=n"]);
    assert_eq!(code, 0);
    is_all_of_the_guarded_partition(&json);
    // Some of it depends on what lies behind the array, which is an input too.
    let report = stdout(&pct(&["test", GUARDED, PREDICATES, "--length", "a=n"]));
    assert!(report.lines().any(|line| line.trim_start().starts_with('t') && line.contains("} [")), "{report}");
}

/// With clang the same inputs lead to the same observations and the same ends.
#[test]
fn clang_runs_tests_as_gcc_does() {
    if !needed("clang", "apt-get install clang") || !needed("gcc", "apt-get install gcc") {
        return;
    }
    for arguments in [
        &[PARTITION, PREDICATES, "--length", "a=n"][..],
        &["examples/figure1/figure1b.c"],
        &["examples/control/debounce.c", "-f", "debounce"],
        &["examples/control/watchdog.c", "-f", "watchdog_check"],
        &["examples/scheduling/round_robin.c", "-f", "schedule"],
        &["examples/hardware/uart_registers.c", "-f", "uart_configure"],
    ] {
        let [by_gcc, by_clang] = ["gcc", "clang"].map(|compiler| tested(&[arguments, &["--cc", compiler]].concat()));
        assert_eq!(by_gcc.1, by_clang.1, "{arguments:?}");
        let shape = |json: &Value| -> Vec<Value> {
            let keys = ["path", "inputs", "observed", "end", "last"];
            list(&json["tests"]).iter().map(|test| keys.iter().map(|key| test[key].clone()).collect()).collect()
        };
        assert_eq!(shape(&by_gcc.0), shape(&by_clang.0), "{arguments:?}");
        assert!(!shape(&by_gcc.0).is_empty(), "{arguments:?}");
    }
}

/// A compiler without some sanitizers: what they would find is found by others, or is said not to be found.
#[test]
fn without_sanitizers_tests_run_and_what_is_not_found_is_told() {
    let scratch = Scratch::new();
    let without = |name: &str, pattern: &str| {
        let script = format!(
            "for word in \"$@\"; do case \"$word\" in {pattern}) echo 'error: no such option' >&2; exit 1;; esac; done\n\
             exec cc \"$@\""
        );
        scratch.program(name, &script)
    };
    let source = "int f(int n) {\n  int a[4] = {1, 2, 3, 4}, *p = a;\n  if (n > 40 && n < 50)\n    return p[n * 100000];\n  \
                  if (n == 7)\n    return a[n];\n  if (n == 8)\n    return 1 / (n - 8);\n  return 0;\n}\n";
    let file = scratch.file("f.c", source);
    let run = |compiler: &str| {
        let (json, _) = tested(&[text(&file), "--cc", compiler, "-f", "f"]);
        let kinds: BTreeSet<(String, Option<u64>)> = list(&json["tests"])
            .iter()
            .filter(|test| !test["error"].is_null())
            .map(|test| {
                (test["error"]["kind"].as_str().unwrap_or_default().to_string(), test["error"]["line"].as_u64())
            })
            .collect();
        (kinds, strings(&json["run_notes"]).into_iter().collect::<Vec<_>>().join("\n"))
    };
    let kinds = |expected: &[(&str, Option<u64>)]| -> BTreeSet<(String, Option<u64>)> {
        expected.iter().map(|(kind, line)| (kind.to_string(), *line)).collect()
    };
    let (found, notes) = run("cc");
    assert_eq!(found, kinds(&[("bounds", Some(4)), ("bounds", Some(6)), ("div", Some(8))]));
    assert_eq!(notes, "");
    // The undefined-behaviour sanitizer knows the length of an array that is declared there; the far access crashes.
    let (found, notes) = run(text(&without("no-address", "-fsanitize=*address*")));
    assert_eq!(found, kinds(&[("crash", None), ("bounds", Some(6)), ("div", Some(8))]));
    assert!(notes.starts_with("the address sanitizer of the compiler does not work: "), "{notes}");
    // Nothing but what the processor notices.
    let (found, notes) = run(text(&without("none", "-fsanitize=*")));
    assert!(found.contains(&("crash".to_string(), None)), "{found:?}");
    assert!(notes.contains("accesses outside an object are not found"), "{notes}");
    assert!(notes.contains("the undefined-behaviour sanitizer of the compiler does not work: "), "{notes}");
}

#[test]
fn other_files_may_have_a_main_too() {
    let scratch = Scratch::new();
    let first = "int g(int);\nint f(int x) {\n  if (x > 3)\n    return g(x);\n  return 0;\n}\nint main(void) { return f(4); }\n";
    let second = "int g(int y) {\n  if (y > 5)\n    return 1;\n  return 2;\n}\nint main(void) { return g(4); }\n";
    let [first, second] = [("first.c", first), ("second.c", second)].map(|(name, text)| scratch.file(name, text));
    for (files, function) in [(&[&first, &second][..], "f"), (&[&second, &first], "f"), (&[&first], "main")] {
        let files: Vec<&str> = files.iter().map(|file| text(file)).collect();
        let (json, code) = tested(&[&files[..], &["-f", function]].concat());
        assert_eq!(code, 0);
        let shown = strings(&json["witnessed"]);
        assert_eq!(shown, states(&json, |state| state["upper"] == true), "{files:?}");
    }
}

#[test]
fn what_is_taken_as_undefined_answers_also_through_a_pointer() {
    let scratch = Scratch::new();
    let direct = "int f(int x) {\n  int r = g(x);\n";
    let pointer = "int f(int x) {\n  int (*q)(int) = g;\n  int r = q(x);\n";
    let rest = "  if (r > 10)\n    return 1;\n  return 0;\n}\n";
    for (number, call) in [direct, pointer].iter().enumerate() {
        let source = format!("static int g(int y) {{ return y > 5 ? 1 : 2; }}\n{call}{rest}");
        let file = scratch.file(&format!("f{number}.c"), source);
        let (json, code) = tested(&[text(&file), "-f", "f", "--havoc", "g"]);
        assert_eq!(code, 0);
        // The real body never returns more than 10.
        assert!(list(&json["tests"]).iter().all(|test| test["strayed"].is_null()), "{}", json["tests"]);
        assert_eq!(strings(&json["witnessed"]), states(&json, |state| state["upper"] == true));
    }
}

#[test]
fn a_long_jump_is_refused_or_does_not_happen() {
    let scratch = Scratch::new();
    let head = "#include <setjmp.h>\nstatic jmp_buf there;\n";
    let inner = format!(
        "{head}void h(void) {{ longjmp(there, 1); }}\nint f(int x) {{\n  if (x > 3)\n    h();\n  return 0;\n}}\n"
    );
    let inner = scratch.file("inner.c", inner);
    // In what is inlined it is refused, and the hint says what helps.
    fails(3, &["test", text(&inner), "-f", "f"], &["a call of `longjmp`", "inner.c:3", "--havoc"]);
    // It does: the body is not looked at, and does not run.
    let (json, code) = tested(&[text(&inner), "-f", "f", "--havoc", "h"]);
    assert_eq!(code, 0);
    assert!(list(&json["tests"]).iter().all(|test| test["end"] == "returned"), "{}", json["tests"]);
    assert_eq!(strings(&json["witnessed"]), states(&json, |state| state["upper"] == true));
    let own = format!("{head}int f(int x) {{\n  if (setjmp(there))\n    return 1;\n  return x;\n}}\n");
    let own = scratch.file("own.c", own);
    fails(3, &["test", text(&own), "-f", "f"], &["setjmp", "own.c:4"]);
}

/// How long pct may take to end after Ctrl-C: a second, and ten times that for a machine with much else to do.
const AT_ONCE: Duration = Duration::from_secs(10);

/// A running pct whose temporary files are in a folder of its own.
struct Running {
    scratch: Scratch,
    child: Child,
}

impl Running {
    fn start(scratch: Scratch, arguments: &[&str], variables: &[(&str, &str)]) -> Running {
        let temporary = scratch.0.path().join("temporary");
        std::fs::create_dir(&temporary).expect("a folder");
        let kept = scratch.0.path().join("kept");
        let child = Command::new(env!("CARGO_BIN_EXE_pct"))
            .arg("test")
            .args(arguments)
            .arg("-o")
            .arg(&kept)
            .env("TMPDIR", &temporary)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("pct starts");
        Running { scratch, child }
    }

    /// Waits until the file has been written `count` times, and has stayed as it is for a while.
    fn wait_for(&mut self, file: &Path, count: u64) {
        let length = || std::fs::metadata(file).map_or(0, |metadata| metadata.len());
        let (start, mut last, mut since) = (Instant::now(), 0, Instant::now());
        loop {
            let now = length();
            if now != last {
                (last, since) = (now, Instant::now());
            }
            if last >= count && since.elapsed() > Duration::from_secs(3) {
                return;
            }
            assert!(self.child.try_wait().expect("it can be asked").is_none(), "it ended before, after {last}");
            assert!(start.elapsed() < Duration::from_secs(300), "it has not come so far: {last}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Says Ctrl-C; it ends at once, says so, keeps its tests, and leaves no file behind.
    fn stop(mut self) -> (Output, Scratch) {
        let begin = Instant::now();
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
        while self.child.try_wait().expect("it can be asked").is_none() {
            if begin.elapsed() > AT_ONCE {
                let _ = self.child.kill();
                panic!("it did not end within {AT_ONCE:?}");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let output = self.child.wait_with_output().expect("it has ended");
        let report = stdout(&output);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{:?} {}", output.status, stderr(&output));
        assert!(report.contains("stopped before the end: these are the tests found so far"), "{report}");
        assert!(report.contains("\n  t01 "), "{report}");
        let kept = self.scratch.0.path().join("kept");
        assert!(kept.join("t01.c").exists() && kept.join("tests.json").exists());
        let temporary = self.scratch.0.path().join("temporary");
        let left: Vec<_> =
            std::fs::read_dir(temporary).expect("a folder").flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{left:?}");
        (output, self.scratch)
    }
}

/// What a file does before the function is called: it leaves a byte in `file`.
fn telling(file: &Path) -> String {
    format!(
        "int open(const char *, int, ...); long write(int, const void *, unsigned long);\n\
         __attribute__((constructor)) static void tell(void) {{ write(open(\"{}\", 02101, 0600), \"x\", 1); }}\n",
        file.display()
    )
}

#[test]
fn an_interrupt_ends_a_run() {
    let scratch = Scratch::new();
    let told = scratch.0.path().join("told");
    let source = telling(&told)
        + "int f(int x) {\n  if (x == 1)\n    return 1;\n  if (x == 2)\n    for (;;)\n      ;\n  return 0;\n}\n";
    let file = scratch.file("f.c", source).display().to_string();
    let mut running = Running::start(scratch, &[&file, "-f", "f", "--run-timeout", "600"], &[]);
    running.wait_for(&told, 2);
    running.stop();
}

#[test]
fn an_interrupt_ends_a_question_to_the_solver() {
    let scratch = Scratch::new();
    let told = scratch.0.path().join("told");
    // Factoring. No step of the abstraction sees both the product and what it is compared with; the path does.
    let source = telling(&told)
        + "int f(unsigned long a, unsigned long b) {\n  unsigned long p, q;\n  if (a == 0)\n    return 5;\n  \
           if (a < 2 || b < 2 || a > 4294967295 || b > 4294967295)\n    return 2;\n  p = a * b;\n  q = p;\n  \
           if (q == 8670687648630721837u)\n    return 1;\n  return 0;\n}\n";
    let file = scratch.file("f.c", source).display().to_string();
    let mut running = Running::start(scratch, &[&file, "-f", "f", "--timeout", "7200"], &[]);
    running.wait_for(&told, 1);
    running.stop();
}

#[test]
fn an_interrupt_ends_cbmc() {
    let cbmc = find(Tool::Cbmc).unwrap_or_else(|error| panic!("{error}: run `make cbmc`"));
    let scratch = Scratch::new();
    let told = scratch.0.path().join("told");
    // It answers three times, and then never.
    let script = format!(
        "if [ \"$1\" = --version ]; then exec '{real}' --version; fi\nprintf x >> '{told}'\n\
         if [ $(wc -c < '{told}') -le 3 ]; then exec '{real}' \"$@\"; fi\nexec sleep 600",
        real = cbmc.path.display(),
        told = told.display()
    );
    let slow = scratch.program("slow", &script).display().to_string();
    let arguments = [PARTITION, PREDICATES, "--length", "a=n", "--engine", "cbmc"];
    let mut running = Running::start(scratch, &arguments, &[("PCT_CBMC", &slow)]);
    running.wait_for(&told, 4);
    running.stop();
}
