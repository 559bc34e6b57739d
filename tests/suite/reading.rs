//! Reading C as people write it: options of the preprocessor, dialects, system headers, encodings, sizes.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

use crate::commands::{Scratch, fails, pct, stderr, succeeds, text, unwrapped};

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&succeeds(&[arguments, &["--json"]].concat())).unwrap()
}

/// The command fails with `code`, says all of `words`, and underlines exactly `underlined`.
#[track_caller]
fn underlines(code: i32, arguments: &[&str], words: &[&str], underlined: &str) {
    fails(code, arguments, words);
    let message = stderr(&pct(arguments));
    let lines: Vec<&str> = message.lines().collect();
    let marks = lines.iter().position(|line| line.contains(['┬', '─']) && line.contains('·')).expect("an underline");
    let characters: Vec<char> = lines[marks].chars().collect();
    let is_mark = |c: &&char| matches!(c, '─' | '┬' | '▲');
    let start = characters.iter().position(|c| is_mark(&c)).expect("an underline");
    let length = characters[start..].iter().take_while(is_mark).count();
    let source: String = lines[marks - 1].chars().skip(start).take(length).collect();
    assert_eq!(source, underlined, "{message}");
}

#[test]
fn macros_of_the_program_can_be_used_in_predicates() {
    let scratch = Scratch::new();
    let code = "#include <limits.h>\n#define MAX 10\n#define BELOW(x) ((x) < MAX)\nint f(int n) { return n > 3; }\n";
    let file = scratch.file("f.c", code);
    let analysis = json(&["analyze", text(&file), "-p", "n < MAX", "-p", "BELOW(n + 1)", "-p", "n == INT_MAX"]);
    let texts: Vec<&str> =
        analysis["predicates"].as_array().unwrap().iter().map(|p| p["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["n < MAX", "BELOW(n + 1)", "n == INT_MAX"]);
    // n < 10, n + 1 < 10, n == INT_MAX: the feasible combinations.
    assert_eq!(analysis["summary"]["feasible_valuations"], 4);
    let predicates = scratch.file("f.pred", "small: n < MAX\n");
    let analysis = json(&["analyze", text(&file), &format!("--predicates={}", text(&predicates))]);
    assert_eq!(analysis["predicates"][0]["name"], "small");
    underlines(2, &["analyze", text(&file), "-p", "n < MAX + why"], &["`why` is not declared"], "why");
    underlines(2, &["analyze", text(&file), "-p", "BELOW(n, 1)"], &["not a C expression", "macro"], "BELOW(n, 1)");
}

#[test]
fn brackets_of_a_predicate_are_its_own() {
    let scratch = Scratch::new();
    let file = scratch.file("f.c", "int f(int a, int b) { return a; }\n");
    let words = &["not a C expression", "this bracket has no partner"][..];
    underlines(2, &["analyze", text(&file), "-p", "a) || (b"], words, ")");
    underlines(2, &["analyze", text(&file), "-p", "a + (b"], words, "(");
    underlines(2, &["analyze", text(&file), "-p", "a); } int g(void) { (1"], words, ")");
    succeeds(&["analyze", text(&file), "-p", "(a) || (b)"]);
}

#[test]
fn the_named_file_is_known_by_inclusion_not_by_name() {
    let scratch = Scratch::new();
    scratch.file("-x.c", "int f(int x) { return x > 0; }\n");
    let output = Command::new(env!("CARGO_BIN_EXE_pct"))
        .args(["analyze", "--json", "--", "-x.c"])
        .current_dir(scratch.0.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let renamed = scratch.file("y.c", "#line 5 \"other.y\"\nint f(int x)\n{\n\treturn x > 0;\n}\n");
    let analysis = json(&["analyze", text(&renamed)]);
    assert_eq!(analysis["function"], "f");
    assert_eq!(analysis["points"][0]["file"], "other.y");
    assert_eq!(analysis["points"][0]["line"], 7);
    // Messages show the preprocessed line of a file that is not there.
    let wrong = scratch.file("w.c", "#line 5 \"other.y\"\nint f(int x)\n{\n\treturn x + why;\n}\n");
    fails(3, &["analyze", text(&wrong)], &["other.y:7:", "`why` is not declared", "return x + why;"]);
    scratch.file("g.h", "static int g(int x)\n{\n\treturn x > 0;\n}\n");
    let both = scratch.file("z.c", "#include \"g.h\"\nint f(int x)\n{\n\treturn g(x);\n}\n");
    let analysis = json(&["analyze", text(&both)]);
    assert_eq!(analysis["function"], "f");
    assert_eq!(analysis["points"][0].get("file"), None);
    let inside = json(&["analyze", text(&both), "-f", "g"]);
    assert!(inside["points"][0]["file"].as_str().unwrap().ends_with("g.h"));
    assert_eq!(inside["points"][0]["line"], 3);
}

#[test]
fn exactly_what_is_wrong_is_underlined() {
    let scratch = Scratch::new();
    for (code, words, underlined) in [
        ("int f(int x)\n{\n\treturn x + (why);\n}\n", &["f.c:3:", "`why` is not declared"][..], "(why)"),
        ("int f(int x)\n{\n\tx = why // and\n\t\t+ 1;\n\treturn x;\n}\n", &["f.c:3:"], "why"),
        ("#define M why\nint f(int x)\n{\n\treturn x + M + 1;\n}\n", &["f.c:4:"], "M"),
        ("#define SUM(a, b) ((a) + (b))\nint f(int x)\n{\n\treturn SUM(x,\n\t\twhy);\n}\n", &["f.c:5:"], "why"),
        ("int f(int x)\r\n{\r\n\treturn \\\r\n\t\tx + why;\r\n}\r\n", &["`why` is not declared"], "why"),
        ("int f(int x)\n{\n\x0c\n\tgoto nowhere;\n}", &["f.c:4:"], "goto nowhere;"),
        ("static y;\nf(int x) { return x + y + why; }", &["f.c:2:"], "why"),
        (
            "void f(void)\n{\n\tint g(void) { return 0; }\n}\n",
            &["f.c:3:", "a nested function"],
            "int g(void) { return 0; }",
        ),
        ("foo_t x;\nint f(void) { return 0; }\n", &["f.c:1:", "`foo_t` is neither", "-I"], "foo_t"),
    ] {
        let file = scratch.file("f.c", code);
        underlines(3, &["analyze", text(&file)], words, underlined);
    }
}

#[test]
fn options_of_the_preprocessor_are_passed_on() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.0.path().join("inc")).unwrap();
    scratch.file("inc/h.h", "#define LIMIT 3\n");
    let forced = scratch.file("forced.h", "#define FORCED 4\n");
    let code = "#include \"h.h\"\n#if WANTED != 7 || !defined FORCED || defined GONE\n#error no\n#endif\n\
                int f(int x) { return x > LIMIT; }\n";
    let file = scratch.file("f.c", code);
    let folder = scratch.0.path().join("inc");
    fails(3, &["analyze", text(&file)], &["f.c:1:", "h.h", "-I"]);
    let options = ["-I", text(&folder), "-DWANTED=7", "-DGONE", "-U", "GONE"];
    for include in ["--include", "-include"] {
        succeeds(&[&["analyze", text(&file)], &options[..], &[include, text(&forced)]].concat());
    }
    fails(3, &[&["analyze", text(&file)], &options[..]].concat(), &["f.c:3:", "#error no"]);

    let command = format!("cc -c -Iinc '-DWANTED=7' -include {} -std=gnu2x f.c", text(&forced));
    let database = serde_json::json!([{ "directory": scratch.0.path(), "file": "f.c", "command": command }]);
    scratch.file("compile_commands.json", database.to_string());
    succeeds(&["analyze", text(&file), "--compile-commands", text(scratch.0.path())]);
    let other = scratch.file("other.c", "int f(void) { return 0; }\n");
    fails(2, &["analyze", text(&other), "--compile-commands", text(scratch.0.path())], &["says nothing about"]);
    fails(2, &["analyze", text(&file), "--compile-commands", text(&folder)], &["compile_commands.json"]);
}

#[test]
fn several_files_are_one_program() {
    let scratch = Scratch::new();
    let first = scratch.file(
        "first.c",
        "int helper(int);\nextern int limit;\nstatic int scale(int x) { return x * 2; }\n\
         int f(unsigned char x) { if (helper(x) > scale(x) + limit) return 1; return 0; }\n",
    );
    // Here `scale` is another function, and `limit` the same variable: so the condition is `x > 0`.
    let second = scratch.file(
        "second.c",
        "int limit;\nstatic int scale(int x) { return x * 3; }\nint helper(int x) { return scale(x) + limit; }\n",
    );
    let arguments = ["analyze", text(&first), text(&second), "-f", "f", "-p", "x > 0", "--json"];
    let json: serde_json::Value = serde_json::from_str(&succeeds(&arguments)).unwrap();
    assert!(!json["notes"].to_string().contains("has no body"), "{}", json["notes"]);
    let returned: Vec<&str> = json["states"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|state| state["point"] == "L4.2")
        .map(|state| state["valuation"].as_str().unwrap())
        .collect();
    assert_eq!(returned, ["T"], "1 is returned for x > 0 only");
    fails(2, &["analyze", text(&first), text(&second)], &["several functions"]);
    let broken = scratch.file("broken.c", "int g(void) { return 0 }\n");
    fails(3, &["analyze", text(&first), text(&broken), "-f", "f"], &["broken.c:1:", "the parser stops here"]);
}

#[test]
fn the_standard_decides_what_words_mean() {
    let scratch = Scratch::new();
    let c23 = scratch.file("n.c", "int f(int x) { bool b = x > 1'000; return b == true; }\n");
    succeeds(&["analyze", text(&c23), "--std", "gnu2x", "--predicates"]);
    fails(3, &["analyze", text(&c23), "--std", "c99"], &["`bool` is neither", "--std gnu2x"]);
    let old = scratch.file("o.c", "enum { false, true }; typedef int bool; bool f(bool x) { return x == true; }\n");
    succeeds(&["analyze", text(&old), "--std=c89"]);
    fails(3, &["analyze", text(&old), "--std", "c1234"], &["c1234"]);
}

#[test]
fn old_and_new_dialects_are_read() {
    let scratch = Scratch::new();
    for code in [
        "static limit = 3;\nf(void) { register i = 0; return i < limit; }\n",
        "enum e : unsigned char { A = 3 };\nint f(int x) { return sizeof(enum e) == 1 && x > A; }\n",
        "int f(int x) { switch (x) { case 1: int y = 2; x = y; [[fallthrough]]; case 2: x = 3; break; end: } return x; }\n",
        "typedef int T;\nint f(int T, int x) { return (T) + x > 3; }\n",
        "static int g(int x) { int h(int y) { return y; } return h(x); }\nint f(int x) { return x > 'ab'; }\n",
        "struct __attribute__((packed)) s { char c; int i; };\nint f(int x __attribute__((unused))) { return x > 0; }\n",
        "\n;;\n_Static_assert(1);\nasm(\"\");\n#pragma once\nint f(int x) { return x > 0b11; };\n",
    ] {
        let file = scratch.file("f.c", code);
        let analysis = json(&["analyze", text(&file), "-f", "f"]);
        assert_eq!(analysis["function"], "f", "{code}");
    }
    // (T) + x is a sum, not a cast: 2 + 2 > 3.
    let file = scratch.file("f.c", "typedef int T;\nint f(int T, int x) { if ((T) + x == 4) x = 9; return x; }\n");
    assert_eq!(succeeds(&["analyze", text(&file), "--predicates"]), "A: T + x == 4\n");
}

#[test]
fn any_encoding_of_comments_and_strings_is_read() {
    let scratch = Scratch::new();
    let latin = b"/* \xe4\xf6\xfc */\nint f(int x)\n{\n\treturn x + /* \xdf */ why; // \xe9\n}\n";
    let file = scratch.file("latin.c", latin);
    underlines(3, &["analyze", text(&file)], &["latin.c:4:", "`why` is not declared"], "why");
    let character = scratch.file("c.c", b"int f(int x)\n{\n\tif (x == '\xe4')\n\t\tx = 0;\n\treturn x;\n}\n");
    // A plain char is signed here: 0xe4 is -28.
    assert_eq!(succeeds(&["analyze", text(&character), "--predicates"]), "A: x == -28\n");
    let utf8 = scratch.file("u.c", "int f(int x)\n{\n\tchar s[] = \"\u{e4}\";\n\treturn s[x] + \u{e4}h;\n}\n");
    fails(3, &["analyze", text(&utf8)], &["u.c:4:", "is not declared"]);
}

#[test]
fn sizes_have_an_answer_or_a_clear_error() {
    let scratch = Scratch::new();
    let function = |body: String| format!("int f(int x)\n{{\n\t{body}\n\treturn x;\n}}\n");
    let nested = |open: &str, inner: &str, close: &str, n: usize| {
        function(format!("{}{inner}{}", open.repeat(n), close.repeat(n)))
    };
    for (code, refused) in [
        (nested("(", "x", ")", 200).replace("\n\treturn", ";\n\treturn"), None),
        (nested("{", "x = 1;", "}", 200), None),
        (nested("if (x) x = 1; else ", "x = 2;", "", 500), None),
        (nested("- ", "x;", "", 900), None),
        (nested("(", "x", ")", 10_000), Some("more than 256 deep")),
        (nested("{", "x = 1;", "}", 5_000), Some("more than 256 deep")),
        (nested("x = f(", "x", ")", 10_000), Some("more than 256 deep")),
        (nested("if (x) x = 1; else ", "x = 2;", "", 10_000), Some("more than 1000 deep")),
        (nested("x ? 1 : ", "x;", "", 10_000), Some("more than 1000 deep")),
        (nested("- ", "x;", "", 100_000), Some("too long")),
        (format!("int a[] = {{ {} }};\n{}", "1, ".repeat(50_000), function("x = 1;".to_string())), None),
    ] {
        let file = scratch.file("f.c", code);
        match refused {
            Some(words) => fails(3, &["analyze", text(&file), "-f", "f"], &["f.c:", words]),
            None => drop(succeeds(&["analyze", text(&file), "-f", "f"])),
        }
    }
    let many: String = (0..30_000)
        .map(|i| format!("int f{i}(int x) {{ if (x > {i} && x < 3) {{ x = x + 1; }} return x; }}\n"))
        .collect();
    assert!(many.len() > 2_000_000);
    let file = scratch.file("many.c", many);
    succeeds(&["analyze", text(&file), "-f", "f29999"]);
}

/// The compilers that are there.
fn compilers() -> Vec<&'static str> {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let found: Vec<&str> = ["gcc", "clang"].into_iter().filter(there).collect();
    assert!(!found.is_empty(), "neither gcc nor clang is installed");
    found
}

#[test]
#[expect(clippy::print_stdout, reason = "the test says which compilers it used")]
fn system_headers_are_read_with_every_compiler_and_standard() {
    let headers = [
        "stdio", "stdlib", "string", "stdbool", "stdint", "limits", "assert", "math", "ctype", "errno", "stddef",
        "inttypes", "signal", "time", "unistd", "float", "stdarg", "setjmp",
    ];
    let includes: String = headers.iter().map(|name| format!("#include <{name}.h>\n")).collect();
    let scratch = Scratch::new();
    let file: PathBuf = scratch.file("f.c", includes + "int f(int x) { assert(x != 3); return x > INT_MAX - 1; }\n");
    let fortified =
        scratch.file("forced.h", "#define _FORTIFY_SOURCE 2\n#define _GNU_SOURCE 1\n#define __OPTIMIZE__ 1\n");
    let compilers = compilers();
    println!("headers are read with {}", compilers.join(" and "));
    for compiler in compilers {
        for standard in ["gnu11", "c99", "gnu17", "gnu2x", "c89"] {
            let base = ["analyze", text(&file), "--cc", compiler, "--std", standard, "--predicates"];
            for more in [&[][..], &["-include", text(&fortified)]] {
                let output = pct(&[&base[..], more].concat());
                let message = unwrapped(&stderr(&output));
                assert_eq!(output.status.code(), Some(0), "{compiler} {standard} {more:?}: {message}");
            }
        }
    }
}
