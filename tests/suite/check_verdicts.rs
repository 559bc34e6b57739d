//! What is said of checks, compared with every input run under the compiler's own checks: a check that is proved safe
//! never goes wrong, one that fails goes wrong for some input.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::commands::{Scratch, succeeds, text};

/// Functions of one parameter of 8 bits, taken as two of 4; each line has at most one operation that can go wrong.
const FUNCTIONS: &[&str] = &[
    // Divisions: guarded, unguarded, guarded by something that does not help.
    "int f(unsigned char x)\n{\n\tint a = x & 15, b = x >> 4, r = 0;\n\tif (b)\n\t\tr = a / b;\n\tr = 7 % (a + 1);\n\
     \tif (a > b)\n\t\tr = 1 / b;\n\treturn r / (a - 3);\n}\n",
    // Shifts.
    "int f(unsigned char x)\n{\n\tint a = (x & 15) - 8, b = (x >> 4) * 5, r = 0;\n\tif (b < 31)\n\t\tr = 1 << b;\n\
     \tif (a >= 0)\n\t\tr ^= 3 >> a;\n\tr ^= 1u << (b & 31);\n\tif (a == 1)\n\t\tr ^= 3 >> (a - 2);\n\
     \treturn r ^ (int)(5u >> b);\n}\n",
    // Overflow.
    "int f(unsigned char x)\n{\n\tint a = (x & 15) - 8, b = x >> 4;\n\tint r = a * 268435456;\n\tint s = a * 268435457;\n\
     \tif (a > 0 && b > 0)\n\t\ts = r + 268435456;\n\treturn a == b ? -(r) : 0;\n}\n",
    // Arrays, and a loop that runs too far for some inputs only.
    "int f(unsigned char x)\n{\n\tint a = x & 15, b = x >> 4, i = 0;\n\tint t[10] = {0};\n\twhile (i < a % 12) {\n\
     \t\tt[i] = b;\n\t\ti++;\n\t}\n\tif (i < 10)\n\t\treturn t[i];\n\treturn t[i - 1];\n}\n",
    // Null pointers.
    "int f(unsigned char x)\n{\n\tint a = x & 15, b = x >> 4, y = 1;\n\tint *p = a > 3 ? &y : 0;\n\tint *q = b ? p : &y;\n\
     \tif (p)\n\t\ty += *p;\n\tif (a > 5)\n\t\ty += *q;\n\tif (!b)\n\t\ty += *q;\n\treturn *q;\n}\n",
    // A value that only a chain of decisions can make wrong.
    "int f(unsigned char x)\n{\n\tint a = x & 15, b = x >> 4, d = 4;\n\tif (a == 11)\n\t\td--;\n\tif (b == 6)\n\t\td--;\n\
     \tif ((a ^ b) == 13)\n\t\td -= 2;\n\treturn 100 / d;\n}\n",
    // Loops that lose precision: the quotient goes wrong in the fifth round, or never.
    "int f(unsigned char x)\n{\n\tint a = x & 15, b = x >> 4, d = 8, r = 0;\n\tfor (int i = 0; i < (b & 7); i++) {\n\
     \t\tr += 10 / d;\n\t\td -= a & 2;\n\t}\n\treturn 3 / (d + 40);\n}\n",
    // What is called.
    "static int half(int x, int y)\n{\n\treturn x / (y / 2);\n}\nint f(unsigned char x)\n{\n\tint a = x & 15, b = x >> 4;\n\
     \tint r = half(a, b + 2);\n\tif (b > 9)\n\t\tr += half(a, b);\n\treturn r + (b == 9 ? half(a, 1) : 0);\n}\n",
];

/// Runs every input in a process of its own; the first error ends it, and the compiler's check names its line.
const DRIVER: &str = "#include <sys/wait.h>\n#include <unistd.h>\nint f(unsigned char);\nint main(void)\n{\n\
     \tfor (int x = 0; x < 256; x++) {\n\t\tif (!fork()) {\n\t\t\t(void)f(x);\n\t\t\t_exit(0);\n\t\t}\n\
     \t\twait(0);\n\t}\n\treturn 0;\n}\n";

/// The lines of the function that go wrong for some input, by the compiler's own checks.
fn lines_that_go_wrong(scratch: &Scratch, file: &Path) -> BTreeSet<u64> {
    let (driver, program) = (scratch.file("driver.c", DRIVER), scratch.0.path().join("program"));
    let options = ["-g", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o"];
    let compiled = Command::new("cc").args(options).arg(&program).args([file, &driver]).status().unwrap();
    assert!(compiled.success());
    let run = Command::new(&program).output().unwrap();
    assert!(run.status.success());
    let messages = String::from_utf8(run.stderr).unwrap();
    let line = |message: &str| message.split_once("f.c:")?.1.split(':').next()?.parse().ok();
    messages.lines().filter(|message| message.contains("runtime error")).map(|m| line(m).expect(m)).collect()
}

#[test]
fn verdicts_of_checks_agree_with_the_compilers_own() {
    for (number, function) in FUNCTIONS.iter().enumerate() {
        let scratch = Scratch::new();
        let file = scratch.file("f.c", function);
        // Seen through next to nothing: hardly anything is known, and nothing wrong may be said.
        let coarse = format!("--predicates={}", text(&scratch.file("coarse.pred", "x > 9\n")));
        // Nothing is shown by a function where nothing goes wrong.
        let native = lines_that_go_wrong(&scratch, &file);
        assert!(!native.is_empty(), "function {number}");
        for predicates in [&[][..], &[coarse.as_str()]] {
            let arguments = [&["analyze", text(&file), "-f", "f", "--checks", "all", "--json"], predicates].concat();
            let json: serde_json::Value = serde_json::from_str(&succeeds(&arguments)).unwrap();
            let mut verdicts: Vec<(u64, &str)> = Vec::new();
            for check in json["checks"].as_array().unwrap() {
                verdicts.push((check["line"].as_u64().unwrap(), check["verdict"].as_str().unwrap()));
            }
            for &(line, verdict) in &verdicts {
                let is_wrong = native.contains(&line);
                assert!(
                    verdict != "fails" || is_wrong,
                    "function {number}, line {line} never goes wrong: {verdicts:?}"
                );
            }
            for line in &native {
                let known = verdicts.iter().any(|(at, verdict)| at == line && *verdict != "safe");
                assert!(known, "function {number}, line {line} goes wrong: {verdicts:?}");
            }
        }
    }
}

#[test]
fn the_missing_guard_of_partition_is_found_with_inputs() {
    let partition = "examples/partition/partition.c";
    let predicates = "--predicates=examples/partition/partition.pred";
    for predicates in [&[][..], &[predicates]] {
        let arguments =
            [&["analyze", partition, "--length", "a=n", "--checks", "bounds", "--json"], predicates].concat();
        let json: serde_json::Value = serde_json::from_str(&succeeds(&arguments)).unwrap();
        let checks = json["checks"].as_array().unwrap();
        let at = |condition: &str| {
            let is_it = |check: &&serde_json::Value| check["line"] == 28 && check["condition"] == condition;
            checks.iter().find(is_it).unwrap_or_else(|| panic!("{condition} is not checked in line 28"))
        };
        assert_eq!(at("lo < n")["verdict"], "fails");
        // lo runs past the end if everything from lo on is <= pivot: what the paper's bug takes.
        let inputs = &at("lo < n")["inputs"];
        let a: Vec<i64> = inputs["a"].as_array().unwrap().iter().map(|value| value.as_i64().unwrap()).collect();
        let n = inputs["n"].as_u64().unwrap() as usize;
        assert!(n > 2 && a[1..n].iter().all(|value| *value <= a[0]), "{inputs}");
        // lo starts at 1 and only grows.
        assert_ne!(at("lo >= 0")["verdict"], "fails");
    }
}
