//! `CMakeLists.txt` and `driver.c`: one executable for each test, run by CTest.
//!
//! A test that went wrong under pct is expected to go wrong here too. What C does not define does nothing in particular
//! on its own, so that is checked only with sanitizers, which turn it (and signals) into an exit code; without them such a
//! test is not run. A test that does not end, or floods the machine, is never run.

use std::fmt::Write;
use std::path::PathBuf;

use super::test_file::RENAMED_MAIN;
use super::{Expected, Kept, Places};
use crate::config::Overflow;
use crate::report::tests::test_name;

/// The text of `CMakeLists.txt` for these tests.
pub(super) fn render(kept: &Kept<'_>, places: &Places, numbers: &[usize]) -> String {
    let place = |path: PathBuf| match path.is_relative() {
        true => format!("${{CMAKE_CURRENT_SOURCE_DIR}}/{}", escaped(&path.display().to_string())),
        false => escaped(&path.display().to_string()),
    };
    let options = |options: &[std::ffi::OsString]| {
        let mut text = String::new();
        let spelled = places.options(options, &|path| format!("\0{}", place(path)));
        let mut words = spelled.into_iter().peekable();
        while let Some(word) = words.next() {
            let word = escaped(&word);
            match words.next_if(|next| next.starts_with('\0')) {
                Some(path) => {
                    let _ = write!(text, "\n  \"SHELL:{word} \\\"{}\\\"\"", &path[1..]);
                }
                None => {
                    let _ = write!(text, "\n  \"{word}\"");
                }
            }
        }
        text
    };
    let source = kept.source();
    let compiled = kept.source_options();
    let mut text = format!(
        "# Tests of {function}, written by pct.\n\
         #   cmake -S . -B build && cmake --build build && ctest --test-dir build\n\
         cmake_minimum_required(VERSION 3.13)\n\
         project(pct_tests C)\n\
         enable_testing()\n\n\
         set(PCT_SOURCE \"{source}\" CACHE FILEPATH \"The file with {function}\")\n\
         option(PCT_SANITIZE \"Use AddressSanitizer and UndefinedBehaviorSanitizer, if the compiler has them\" ON)\n\n\
         # How pct was told to compile the file.\n\
         set(PCT_OPTIONS\n  \"-std={standard}\"{options})\n",
        function = kept.observed.cfg.function,
        source = place(places.relative(source)),
        standard = compiled.standard,
        options = options(&compiled.options),
    );
    let others = kept.other_sources();
    text.push_str("add_library(pct_driver OBJECT driver.c)\n");
    let mut objects = vec!["$<TARGET_OBJECTS:pct_driver>".to_string()];
    for (number, other) in others.iter().enumerate() {
        let position = kept.config.files.iter().position(|file| file == other).unwrap_or(0);
        let compiled = &kept.options[position];
        let _ = write!(
            text,
            "\nset(PCT_OTHER_SOURCE_{number} \"{}\" CACHE FILEPATH \"A file that belongs to the program\")\n\
             add_library(pct_other_{number} OBJECT \"${{PCT_OTHER_SOURCE_{number}}}\")\n\
             target_compile_definitions(pct_other_{number} PRIVATE main={RENAMED_MAIN}_{number})\n\
             target_compile_options(pct_other_{number} PRIVATE\n  \"-std={}\"{})\n",
            place(places.relative(other)),
            compiled.standard,
            options(&compiled.options),
        );
        objects.push(format!("$<TARGET_OBJECTS:pct_other_{number}>"));
    }
    let wraps = kept.config.followed_overflow() == Overflow::Wrap;
    let _ = write!(
        text,
        "\nset(PCT_FLAGS -O0 -g -w -fno-builtin -Wno-error=implicit-function-declaration{wrapv})\n\
         if(PCT_SANITIZE)\n  \
           include(CheckCSourceCompiles)\n  \
           set(CMAKE_REQUIRED_FLAGS \"-fsanitize=address,undefined\")\n  \
           check_c_source_compiles(\"int main(void) {{ return 0; }}\" PCT_HAS_SANITIZERS)\n  \
           unset(CMAKE_REQUIRED_FLAGS)\n\
         endif()\n\
         if(PCT_SANITIZE AND PCT_HAS_SANITIZERS)\n  \
           list(APPEND PCT_FLAGS -fno-omit-frame-pointer {sanitizers})\n  \
           add_compile_definitions(PCT_SANITIZE)\n  \
           link_libraries(-fsanitize=address,undefined)\n  \
           set(PCT_CHECKS TRUE)\n\
         else()\n  \
           set(PCT_CHECKS FALSE)\n\
         endif()\n{other_flags}\n\
         function(pct_test NAME)\n  \
           add_executable(${{NAME}} ${{NAME}}.c {objects})\n  \
           target_compile_definitions(${{NAME}} PRIVATE PCT_SOURCE=\"${{PCT_SOURCE}}\")\n  \
           target_compile_options(${{NAME}} PRIVATE ${{PCT_OPTIONS}} ${{PCT_FLAGS}})\n  \
           target_link_libraries(${{NAME}} PRIVATE m)\n  \
           set_property(SOURCE ${{NAME}}.c APPEND PROPERTY OBJECT_DEPENDS \"${{PCT_SOURCE}}\")\n  \
           add_test(NAME ${{NAME}} COMMAND ${{NAME}})\n  \
           set_tests_properties(${{NAME}} PROPERTIES TIMEOUT 60 ENVIRONMENT\n    \
             \"ASAN_OPTIONS={asan};UBSAN_OPTIONS={asan}\")\n\
         endfunction()\n\n\
         # Expected to go wrong. Only the sanitizers see that for sure.\n\
         function(pct_failing_test NAME)\n  \
           pct_test(${{NAME}})\n  \
           if(PCT_CHECKS)\n    \
             set_tests_properties(${{NAME}} PROPERTIES WILL_FAIL TRUE)\n  \
           else()\n    \
             set_tests_properties(${{NAME}} PROPERTIES DISABLED TRUE)\n  \
           endif()\n\
         endfunction()\n\n\
         # Compiled, but not run.\n\
         function(pct_disabled_test NAME)\n  \
           pct_test(${{NAME}})\n  \
           set_tests_properties(${{NAME}} PROPERTIES DISABLED TRUE)\n\
         endfunction()\n\n",
        wrapv = if wraps { " -fwrapv" } else { "" },
        sanitizers = SANITIZERS.join(" ") + if wraps { " -fno-sanitize=signed-integer-overflow" } else { "" },
        other_flags = (0..others.len())
            .map(|number| format!("target_compile_options(pct_other_{number} PRIVATE ${{PCT_FLAGS}})\n"))
            .collect::<String>(),
        objects = objects.join(" "),
        asan = ASAN_OPTIONS,
    );
    for number in numbers {
        let name = test_name(*number);
        let _ = match kept.expected(*number) {
            Expected::Passes => writeln!(text, "pct_test({name})"),
            Expected::Fails(why) => writeln!(text, "pct_failing_test({name})  # {}", one_line(&why)),
            Expected::Disabled(why) => writeln!(text, "pct_disabled_test({name})  # {}", one_line(&why)),
        };
    }
    text
}

/// The same that pct uses when it runs a test.
const SANITIZERS: [&str; 4] = [
    "-fsanitize=address,undefined",
    "-fsanitize=float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-fno-sanitize=shift-base,alignment,pointer-overflow",
];

/// Signals become exit codes, for CTest takes a signal as a failure even where one is expected.
const ASAN_OPTIONS: &str = "exitcode=66:abort_on_error=0:detect_leaks=0:allocator_may_return_null=1:\
    detect_stack_use_after_return=0:handle_abort=1:handle_sigill=1:handle_sigfpe=1:handle_segv=1";

/// A string of CMake between quotes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$").replace(';', "\\;")
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}
