//! Tests that the user keeps: they compile, they do what the runs did, and they can be run again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::commands::{Scratch, pct, stderr, stdout};
use super::{needed, program};

const PREDICATES: &str = "--predicates=examples/partition/partition.pred";

/// A folder with kept tests.
struct Kept {
    scratch: Scratch,
    /// What pct said on standard error.
    said: String,
}

impl Kept {
    /// `pct test` with these arguments, keeping the tests.
    #[track_caller]
    fn of(scratch: Scratch, arguments: &[&str]) -> Kept {
        let folder = scratch.0.path().join("kept");
        let mut all = vec!["test"];
        all.extend(arguments);
        let folder_name = folder.display().to_string();
        all.extend(["-o", &folder_name]);
        let output = pct(&all);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
        Kept { scratch, said: stderr(&output) }
    }

    /// The tests of a text, which is the file `name`.
    #[track_caller]
    fn of_text(name: &str, text: &str, arguments: &[&str]) -> Kept {
        let scratch = Scratch::new();
        let file = scratch.file(name, text).display().to_string();
        let mut all = vec![file.as_str()];
        all.extend(arguments);
        Kept::of(scratch, &all)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.0.path().join("kept").join(name)
    }

    #[track_caller]
    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.read("tests.json")).expect("tests.json is JSON")
    }

    /// What CTest expects of each test.
    fn expected(&self) -> BTreeMap<String, Option<String>> {
        let json = self.json();
        let tests = json["suite"]["tests"].as_array().expect("a list").iter();
        let text = |value: &serde_json::Value| value.as_str().map(String::from);
        tests.map(|test| (text(&test["name"]).expect("a name"), text(&test["ctest"]))).collect()
    }

    fn replay(&self) -> Output {
        pct(&["test", "--replay", &self.path("").display().to_string()])
    }

    /// All tests pass, with gcc and with clang: through CTest, and one by one, as it would.
    #[track_caller]
    fn passes(&self, source: &Path) {
        for compiler in ["gcc", "clang"] {
            if needed(compiler, &format!("apt-get install {compiler}")) {
                if needed("cmake", "run `make cmake`") {
                    self.passes_through_ctest(compiler);
                }
                self.passes_one_by_one(compiler, source);
            }
        }
    }

    #[track_caller]
    fn passes_through_ctest(&self, compiler: &str) {
        let build = self.scratch.0.path().join(format!("build-{compiler}"));
        let mut commands = [program("cmake"), program("cmake"), program("ctest")];
        commands[0].env("CC", compiler).arg("-S").arg(self.path("")).arg("-B").arg(&build);
        commands[1].arg("--build").arg(&build);
        commands[2].arg("--test-dir").arg(&build).arg("--output-on-failure");
        for command in &mut commands {
            let output = command.output().expect("the program starts");
            assert!(output.status.success(), "{compiler}: {}{}", stdout(&output), stderr(&output));
        }
    }

    #[track_caller]
    fn passes_one_by_one(&self, compiler: &str, source: &Path) {
        let cmake = self.read("CMakeLists.txt");
        let between = |from: &str, to: &str| {
            let (_, rest) = cmake.split_once(from).unwrap_or_else(|| panic!("no {from}"));
            rest.split_once(to).map_or("", |(words, _)| words).to_string()
        };
        let options = between("set(PCT_OPTIONS\n  \"", "\")");
        let flags = between("set(PCT_FLAGS ", ")") + " " + &between("list(APPEND PCT_FLAGS ", ")");
        let environment = between("\"ASAN_OPTIONS=", ";");
        let mut count = 0;
        for (name, expected) in self.expected() {
            let Some(expected) = expected else {
                continue;
            };
            let program = self.scratch.0.path().join(format!("{name}-{compiler}"));
            let output = Command::new(compiler)
                .args(options.split("\"\n  \"").chain(flags.split_whitespace()))
                .args(["-DPCT_SANITIZE", &format!("-DPCT_SOURCE=\"{}\"", source.display())])
                .args([self.path(&format!("{name}.c")), self.path("driver.c")])
                .arg("-o")
                .arg(&program)
                .arg("-lm")
                .output()
                .expect("the compiler starts");
            assert!(output.status.success(), "{compiler} {name}: {}", stderr(&output));
            if expected == "disabled" {
                continue;
            }
            let output = Command::new(&program)
                .env("ASAN_OPTIONS", &environment)
                .env("UBSAN_OPTIONS", &environment)
                .output()
                .expect("the test starts");
            let code = output.status.code();
            let is_as_expected = if expected == "pass" { code == Some(0) } else { code.is_some_and(|code| code != 0) };
            assert!(is_as_expected, "{compiler} {name}: expected to {expected}, {code:?}: {}", stderr(&output));
            assert!(cmake.contains(&format!("test({name})")), "{name} is not in CMakeLists.txt");
            count += 1;
        }
        assert!(count > 0, "no test was run");
    }
}

fn partition(file: &str) -> (Kept, PathBuf) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/partition").join(file);
    let name = source.display().to_string();
    (Kept::of(Scratch::new(), &[&name, PREDICATES, "--length", "a=n", "--emit", "libfuzzer"]), source)
}

#[test]
fn the_bug_of_partition_is_kept_as_tests_that_fail() {
    let (kept, source) = partition("partition.c");
    kept.passes(&source);
    let expected = kept.expected();
    let failing: Vec<&str> =
        expected.iter().filter(|(_, word)| word.as_deref() == Some("fail")).map(|(name, _)| name.as_str()).collect();
    // Figure 7: (L0:TTTF, L4:TTTF) and (L0:TTTF, L4:FTTF), and what the search finds.
    assert!(failing.len() >= 2, "{failing:?}");
    for name in failing {
        let text = kept.read(&format!("{name}.c"));
        assert!(text.contains("end: bounds error in line 28"), "{text}");
    }
    let output = kept.replay();
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains(" same, 0 changed"), "{}", stdout(&output));
}

#[test]
fn the_guarded_partition_passes() {
    let (kept, source) = partition("partition_guarded.c");
    kept.passes(&source);
    assert!(kept.expected().values().all(|word| word.as_deref() == Some("pass")), "{:?}", kept.expected());
    let table = kept.read("inputs.csv");
    assert!(table.starts_with("test,a,n,end\n"), "{table}");
    assert_eq!(table.lines().count(), 1 + kept.expected().len());
    // The harness turns the corpus into the same runs: none goes wrong.
    let program = kept.scratch.0.path().join("standalone");
    let compiler = if needed("clang", "apt-get install clang") { "clang" } else { "gcc" };
    let output = Command::new(compiler)
        .args(["-w", "-g", "-fsanitize=address", "-DPCT_STANDALONE"])
        .arg(format!("-DPCT_SOURCE=\"{}\"", source.display()))
        .args([kept.path("fuzz/harness.c"), kept.path("driver.c")])
        .arg("-o")
        .arg(&program)
        .output()
        .expect("the compiler starts");
    assert!(output.status.success(), "{}", stderr(&output));
    let corpus: Vec<PathBuf> =
        std::fs::read_dir(kept.path("fuzz/corpus")).expect("a corpus").flatten().map(|entry| entry.path()).collect();
    assert_eq!(corpus.len(), kept.expected().len());
    let output =
        Command::new(&program).args(&corpus).env("ASAN_OPTIONS", "detect_leaks=0").output().expect("it starts");
    assert!(output.status.success(), "{}", stderr(&output));
}

const RECORDS: &str = "\
struct pair { short kind; float width; unsigned flag : 3; struct { int inner; }; };
int level;
double table[3];
extern int offset;
int read_sensor(int channel, const char *name);
static int choose(struct pair p, int *cell, float ratio, _Bool is_on, long wide) {
  if (p.width > 1.5f)
    return 1;
  if (table[1] < ratio)
    return 2;
  if (*cell == level + p.flag + p.inner + is_on)
    return 3;
  if (read_sensor(1, \"a\") + wide == offset - 5000000000)
    return 4;
  return 0;
}
";

#[test]
fn structs_pointers_globals_and_numbers_are_written_as_c() {
    // The result tells which way was taken: as an oracle, it shows that the inputs in C are those of the run.
    let kept = Kept::of_text("records.c", RECORDS, &["-f", "choose", "--points", "statements"]);
    let source = kept.scratch.0.path().join("records.c");
    assert_eq!(kept.said, "", "every test can be written");
    let json = kept.json();
    let tests = json["suite"]["tests"].as_array().expect("a list");
    let mut results = std::collections::BTreeSet::new();
    for test in tests {
        let name = test["name"].as_str().expect("a name");
        let last = test["run"]["trace"].as_array().and_then(|trace| trace.last()).and_then(|id| id.as_str());
        let line = last.and_then(|id| id.split([':', '.']).next()).and_then(|label| label[1..].parse::<usize>().ok());
        let statement = RECORDS.lines().nth(line.expect("a line") - 1).expect("a statement").trim();
        let result: i32 = statement.trim_start_matches("return ").trim_end_matches(';').parse().expect("a result");
        results.insert(result);
        let path = kept.path(&format!("{name}.c"));
        let text = kept.read(&format!("{name}.c"));
        let before = text.strip_suffix("return 0;\n}\n").unwrap_or_else(|| panic!("{text}"));
        let oracle = format!("{before}if (result != {result}) return 1;\n  return 0;\n}}\n");
        std::fs::write(&path, oracle).expect("the oracle is written");
    }
    assert_eq!(results.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    kept.passes(&source);
}

const NONDET: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  int y = __VERIFIER_nondet_int();
  __VERIFIER_assume(x < 100);
  if (x > 10 && c == 200)
    return 3;
  if (y == x - 5)
    reach_error();
  return 0;
}
";

/// Answers for the calls, from the values of a testcase as arguments, and reports how `main` ended.
const READER: &str = "\
#include <stdlib.h>
static int next = 0; static int count; static char **values;
static long value(void) { if (next >= count) exit(90); return atol(values[next++]); }
int __VERIFIER_nondet_int(void) { return (int)value(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)value(); }
void __VERIFIER_assume(int c) { if (!c) exit(91); }
void reach_error(void) { exit(92); }
#define main program
#include PCT_SOURCE
#undef main
int main(int argc, char **argv) { count = argc - 1; values = argv + 1; int r = program(); return next == count ? r : 93; }
";

/// Checks a document against the format, and prints the inputs of a testcase, one a line.
const CHECKER: &str = r#"
import sys, re, xml.etree.ElementTree as tree
text = open(sys.argv[1], encoding="utf-8").read()
root = tree.fromstring(text.encode())
doctype = re.search(r'<!DOCTYPE (\S+) PUBLIC "\+//IDN sosy-lab.org//DTD test-format (\S+) 1.1//EN" "(\S+)">', text)
assert doctype and doctype.group(1) == doctype.group(2) == root.tag, text
assert doctype.group(3) == "https://sosy-lab.org/test-format/%s-1.1.dtd" % root.tag, text
if root.tag == "test-metadata":
    names = ["sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction", "architecture", "creationtime"]
    assert [child.tag for child in root] == names, text
    assert all(len(child) == 0 and child.text for child in root), text
    assert re.fullmatch("[0-9a-f]{64}", root.find("programhash").text), text
    assert root.find("architecture").text in ("32bit", "64bit"), text
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", root.find("creationtime").text), text
    print(root.find("programhash").text)
else:
    assert root.tag == "testcase" and set(root.attrib) <= {"coversError"}, text
    for child in root:
        assert child.tag == "input" and set(child.attrib) <= {"variable", "type"} and len(child) == 0, text
        print(child.text)
"#;

#[test]
fn the_suite_for_test_comp_holds_the_values_in_the_order_of_the_calls() {
    let kept = Kept::of_text("nondet.c", NONDET, &[]);
    let source = kept.scratch.0.path().join("nondet.c");
    kept.passes(&source);
    let check = |name: &str| {
        let output =
            Command::new("python3").args(["-c", CHECKER]).arg(kept.path(&format!("test-suite/{name}"))).output();
        let output = output.expect("python3 starts");
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        stdout(&output)
    };
    let hash = Command::new("sha256sum").arg(&source).output().expect("sha256sum starts");
    assert_eq!(check("metadata.xml").trim(), stdout(&hash).split_whitespace().next().expect("a hash"));
    let reader = kept.scratch.file("reader.c", READER);
    let program = kept.scratch.0.path().join("reader");
    let output = Command::new("cc")
        .arg(format!("-DPCT_SOURCE=\"{}\"", source.display()))
        .args([reader.as_os_str(), "-o".as_ref(), program.as_os_str()])
        .output()
        .expect("the compiler starts");
    assert!(output.status.success(), "{}", stderr(&output));
    let mut ends = std::collections::BTreeSet::new();
    for test in kept.json()["suite"]["tests"].as_array().expect("a list") {
        let name = test["name"].as_str().expect("a name");
        let values = check(&format!("{name}.xml"));
        let code = Command::new(&program).args(values.lines()).output().expect("it starts").status.code();
        let trace = test["run"]["trace"].as_array().expect("a trace");
        let went_wrong = test["run"]["end"].as_str().expect("an end").starts_with("failure");
        let returns_3 = trace.last().and_then(|id| id.as_str()).is_some_and(|id| id.starts_with("L11"));
        let expected = if went_wrong {
            92
        } else if returns_3 {
            3
        } else {
            0
        };
        assert_eq!(code, Some(expected), "{name}: {values}");
        ends.insert(expected);
        assert_eq!(kept.read(&format!("test-suite/{name}.xml")).contains("coversError"), went_wrong);
    }
    assert_eq!(ends.into_iter().collect::<Vec<_>>(), [0, 3, 92]);
}

const SIGN: &str = "\
static int sign(int x) {
  if (x < 0)
    return -1;
  if (x > 0)
    return 1;
  return 0;
}
";

#[test]
fn replay_tells_what_has_changed() {
    let kept = Kept::of_text("sign.c", SIGN, &["-f", "sign"]);
    let source = kept.scratch.0.path().join("sign.c");
    kept.passes(&source);
    let output = kept.replay();
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    // Lines that move change nothing.
    std::fs::write(&source, format!("/* A comment. */\n\n{SIGN}")).expect("it is written");
    let output = kept.replay();
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("3 tests: 3 same, 0 changed"), "{}", stdout(&output));
    // The branch is taken for zero now.
    std::fs::write(&source, SIGN.replace("x > 0", "x >= 0")).expect("it is written");
    let output = kept.replay();
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let text = stdout(&output);
    assert!(text.contains("3 tests: 2 same, 1 changed"), "{text}");
    assert!(text.contains("no longer observed: L6:FF; newly observed: L5:FF"), "{text}");
    // It ends otherwise.
    std::fs::write(&source, SIGN.replace("return 1;", "return 1 / (x - x);")).expect("it is written");
    let text = stdout(&kept.replay());
    assert!(text.contains("ended otherwise: div error in line 5; before: returned"), "{text}");
    // Its parameter is wider.
    std::fs::write(&source, SIGN.replace("int x", "long x")).expect("it is written");
    let text = stdout(&kept.replay());
    assert!(text.contains("cannot be run any more: `x` has 8 bytes now, not 4"), "{text}");
}

#[test]
fn a_file_that_the_user_changed_stays() {
    let kept = Kept::of_text("sign.c", SIGN, &["-f", "sign"]);
    let source = kept.scratch.0.path().join("sign.c").display().to_string();
    let folder = kept.path("").display().to_string();
    let arguments = ["test", source.as_str(), "-f", "sign", "-o", folder.as_str()];
    let edited = kept.read("t01.c").replace("return 0;\n}\n", "if (result != -1) return 1;\n  return 0;\n}\n");
    std::fs::write(kept.path("t01.c"), &edited).expect("it is written");
    let output = pct(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(kept.read("t01.c"), edited);
    assert!(stderr(&output).contains("t01.c was changed by hand and stays\n"), "{}", stderr(&output));
    assert!(!kept.path("t01.c.new").exists(), "nothing new is to be said");
    // With other predicates, the file would be another.
    let output = pct(&[&arguments[..], &["-p", "x == 7"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(kept.read("t01.c"), edited);
    assert!(stderr(&output).contains("t01.c was changed by hand and stays; the new one is t01.c.new"));
    assert!(kept.read("t01.c.new").contains("int main(void)"));
    // A test that is no longer one goes, unless it was changed.
    let count = kept.expected().len();
    assert!(count > 3, "{count}");
    pct(&arguments);
    assert_eq!(kept.expected().len(), 3);
    assert!(!kept.path("t04.c").exists());
}

#[test]
fn a_folder_that_is_not_ours_is_left_alone() {
    let scratch = Scratch::new();
    let source = scratch.file("sign.c", SIGN).display().to_string();
    let folder = scratch.0.path().join("mine");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("tests.json"), "{}").expect("a file");
    let name = folder.display().to_string();
    let output = pct(&["test", &source, "-f", "sign", "-o", &name]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is not empty, and it holds no tests"), "{}", stderr(&output));
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
    assert_eq!(std::fs::read_to_string(folder.join("tests.json")).expect("a file"), "{}");
    let output = pct(&["test", "--replay", &name]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn what_c_cannot_say_is_left_out_and_named() {
    let text = "int f(void) {\n  static int count;\n  count++;\n  if (count == 3)\n    return 1;\n  return 0;\n}\n";
    let kept = Kept::of_text("count.c", text, &["-f", "f"]);
    let readme = kept.read("README.txt");
    assert!(readme.contains("`count` is a static variable inside a function"), "{readme}");
    assert!(kept.said.contains("is not written as C"), "{}", kept.said);
    let output = kept.replay();
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn the_paths_are_kept_as_programs_that_compile_alone() {
    let source = "examples/partition/partition.c";
    let kept = Kept::of(Scratch::new(), &[source, PREDICATES, "--length", "a=n"]);
    let folder = kept.path("paths");
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("there are paths").map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    // Figure 7 of the paper has ten paths.
    assert_eq!(names.len(), 10, "{names:?}");
    assert_eq!(names[0], folder.join("path01.c"));
    for name in &names {
        let output = Command::new("cc").arg("-std=gnu11").arg("-fsyntax-only").arg(name).output().expect("cc starts");
        assert!(output.status.success(), "{}: {}", name.display(), stderr(&output));
    }
    assert!(kept.read("README.txt").contains("paths/ "), "{}", kept.read("README.txt"));
    // They are files of the suite: what the user changed stays.
    assert!(kept.json()["suite"]["files"]["paths/path01.c"].is_string());
}

#[test]
fn the_same_seed_gives_the_same_tests() {
    let tests = |seed: &[&str]| {
        let common = ["test", "examples/partition/partition.c", PREDICATES, "--length", "a=n", "--json"];
        let output = pct(&[&common[..], seed].concat());
        assert_eq!(output.status.code(), Some(1), "the bug of the paper is found: {}", stderr(&output));
        let object: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(object["defects"], serde_json::json!([]));
        let inputs: Vec<String> = object["tests"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|test| test["path"].as_array().is_some_and(|path| !path.is_empty()))
            .map(|test| test["inputs"].to_string())
            .collect();
        (object["tests"].to_string(), inputs)
    };
    let (simplest, seven) = (tests(&[]), tests(&["--seed", "7"]));
    assert_eq!(tests(&["--seed", "0"]).0, simplest.0);
    assert_eq!(tests(&["--seed", "7"]).0, seven.0);
    assert_ne!(seven.1, simplest.1, "the seed changes inputs");
}
