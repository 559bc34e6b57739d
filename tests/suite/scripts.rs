//! The scripts that count what pct can do and that look for crashes: what they say is right, also when pct misbehaves.

use std::path::Path;
use std::process::{Command, Output};

use super::commands::{Scratch, stderr, stdout, text};

fn script(name: &str, arguments: &[&str]) -> Output {
    Command::new("python3").arg(format!("scripts/{name}")).args(arguments).output().expect("python3 runs")
}

/// A program that lists one function `f`, and does `instead` of any analysis.
fn stand_in(scratch: &Scratch, instead: &str) -> String {
    let listed = r#"if [ "$1" = functions ]; then echo '[{"name": "f", "file": "", "line": 1}]'; exit 0; fi"#;
    text(&scratch.program("stand-in", &format!("{listed}\n{instead}"))).to_string()
}

const PCT: &str = env!("CARGO_BIN_EXE_pct");

#[test]
fn pct_bears_mutants() {
    let scratch = Scratch::new();
    let keep = scratch.0.path().join("kept");
    let arguments = ["--pct", PCT, "--seed", "7", "--count", "60", "--keep", text(&keep)];
    let output = script("fuzz.py", &arguments);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}{}", stderr(&output));
    assert!(said.starts_with("SEED=7 COUNT=60\n"), "{said}");
    assert!(said.ends_with("60 mutants, 0 failures\n"), "{said}");
    // The mutants are of both kinds, and none ended otherwise.
    let ends = said.lines().nth(1).unwrap();
    let mut sum = 0;
    for end in ends.split(", ") {
        let (code, count) = end.strip_prefix("exit code ").and_then(|end| end.split_once(": ")).expect(ends);
        let count: usize = count.parse().unwrap();
        assert!(["0", "2", "3"].contains(&code), "{said}");
        assert!(code == "2" || count >= 10, "{said}");
        sum += count;
    }
    assert_eq!(sum, 60, "{said}");
}

#[test]
fn the_fuzzer_finds_what_a_program_does_wrong() {
    let scratch = Scratch::new();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("f.c"), "int f(int x) { return x; }\n").unwrap();
    let keep = scratch.0.path().join("kept");
    for (instead, found) in [
        ("echo \"thread 'main' panicked at src/x.rs\" >&2; exit 101", Some("panic: panicked at src/x.rs")),
        ("exit 101", Some("exit code 101: ")),
        ("echo 'there is no function `g`' >&2; exit 2", Some("exit code 2: ")),
        ("kill -SEGV $$", Some("SIGSEGV: ")),
        ("exit 3", Some("exit code 3 without a message")),
        ("echo 'there is no function `f`' >&2; exit 2", None),
        ("echo refused >&2; exit 3", None),
        ("exit 0", None),
    ] {
        let program = stand_in(&scratch, instead);
        let arguments = ["--pct", &program, "--seed", "1", "--count", "2", "--keep", text(&keep), text(folder.path())];
        let output = script("fuzz.py", &arguments);
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(i32::from(found.is_some())), "{instead}: {said}{}", stderr(&output));
        let failures = if found.is_some() { 2 } else { 0 };
        assert!(said.ends_with(&format!("2 mutants, {failures} failures\n")), "{instead}: {said}");
        if let Some(found) = found {
            assert!(said.contains(found), "{instead}: {said}");
            let kept = keep.join("1-0.txt");
            assert!(std::fs::read_to_string(&kept).unwrap().contains("1-0.c"));
            assert!(keep.join("1-1.c").exists());
            std::fs::remove_dir_all(&keep).unwrap();
        }
    }
}

/// Runs the tally on a folder.
fn corpus(program: &str, folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let output = script("corpus.py", &[&["--pct", program, text(folder)], more].concat());
    assert_eq!(stderr(&output), "");
    (output.status.code(), stdout(&output))
}

#[test]
fn the_tally_of_a_folder_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| std::fs::write(folder.path().join(name), content).unwrap();
    file("good.c", "int f(int x) { return x > 0; }\nint g(int x) { if (x) x = f(x); return x; }\n");
    file("refused.c", "int a(void) { __asm__(\"nop\"); return 0; }\nint b(void) { __asm__(\"hlt\"); return 0; }\n");
    file("names.c", "int a(void) { return one; }\nint b(void) { return two; }\nint c(void) { return three; }\n");
    // This is no C; three definitions can be seen in it all the same.
    file("broken.c", "int a(int x)\n{\n  if (x) { return 1 }\n}\n\nold(x) int x; { }\nstatic char *s(void) {}\n}}\n");
    std::fs::create_dir(folder.path().join("below")).unwrap();
    file("below/flags.c", "#ifndef NEEDED\n#error NEEDED\n#endif\nint f(int x) { return x; }\n");
    let flags = folder.path().join("flags");
    std::fs::write(&flags, "-D NEEDED # a comment\n").unwrap();
    let details = folder.path().join("details");
    let (code, said) =
        corpus(PCT, folder.path(), &["--flags", text(&flags), "--std", "gnu89", "--details", text(&details)]);
    assert_eq!(code, Some(0), "{said}");
    let expected = "11 functions in 5 files\n  analysed      3   27.3 %\n  partial       0    0.0 %\n  \
                    refused       8   72.7 %\n  crashed       0    0.0 %\n\nrefused:\n";
    assert!(said.starts_with(expected), "{said}");
    // Equal reasons are one group, whatever the names are; the most frequent comes first.
    let reasons: Vec<&str> = said.lines().skip(7).take(6).step_by(2).collect();
    assert_eq!(reasons[0], "     3  `…` is not declared", "{said}");
    assert!(reasons[1].starts_with("     3  ") && reasons[2].starts_with("     2  "), "{said}");
    assert!(said.contains("names.c a\n"), "{said}");
    let rows = std::fs::read_to_string(&details).unwrap();
    let of = |name: &str| rows.lines().filter(|row| row.contains(name)).count();
    assert_eq!((of("broken.c\t"), of("good.c\t"), of("analysed\t")), (3, 2, 3), "{rows}");
    let (_, said) = corpus(PCT, folder.path(), &[]);
    assert!(said.contains("\n  analysed      2 ") && said.contains("#error NEEDED"), "{said}");
}

#[test]
fn the_tally_tells_crashes_and_partial_results() {
    let scratch = Scratch::new();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("f.c"), "int f(int x) { return x; }\n").unwrap();
    for (instead, line, reason) in [
        (
            "echo \"thread 'main' panicked at src/x.rs\" >&2; exit 101",
            "crashed ",
            "exit code 101: panicked at src/x.rs",
        ),
        ("kill -SEGV $$", "crashed ", "signal SIGSEGV"),
        ("echo rubbish", "crashed ", "no JSON"),
        ("exit 3", "crashed ", "exit code 3"),
        (r#"echo '{"summary": {"partial": true, "limit": "time"}}'"#, "partial ", "limit of time"),
        (r#"echo '{"summary": {"partial": false}}'"#, "analysed ", ""),
    ] {
        let program = stand_in(&scratch, instead);
        let (code, said) = corpus(&program, folder.path(), &[]);
        assert_eq!(code, Some(i32::from(line == "crashed ")), "{instead}: {said}");
        assert!(said.contains(&format!("\n  {line:9}     1  100.0 %\n")), "{instead}: {said}");
        assert!(said.contains(reason), "{instead}: {said}");
        let command = format!("{program} analyze {}/f.c -f f --points statements", text(folder.path()));
        assert_eq!(said.contains(&command), line == "crashed ", "{instead}: {said}");
    }
}
