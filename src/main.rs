//! The command `pct`.

fn main() -> std::process::ExitCode {
    pct::cli::run()
}
