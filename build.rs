//! Tells the linker, and the built programs, where libz3 is: so `target/release/pct` runs from any folder, with no
//! environment variable. The library is the one that `make setup` put into `.deps`, or else a system-wide one.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let Some(folder) = project_z3().or_else(system_z3) else {
        println!("cargo::error=the Z3 library is not set up yet: run `make setup`, then build again");
        return;
    };
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
}

/// The folder of the library that `scripts/setup.sh` installs.
fn project_z3() -> Option<PathBuf> {
    let project = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let library = Path::new(&project).join(".deps/z3/z3/lib/libz3.so");
    if !library.exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={}", library.display());
    library.parent().map(Path::to_path_buf)
}

/// The folder of a system-wide library, if pkg-config knows one that is new enough.
fn system_z3() -> Option<PathBuf> {
    println!("cargo::rerun-if-env-changed=PKG_CONFIG_PATH");
    let wanted = env::var("Z3_SYS_Z3_VERSION").ok()?;
    pkg_config(&[&format!("--atleast-version={wanted}"), "z3"])?;
    let folder = pkg_config(&["--variable=libdir", "z3"])?;
    Some(PathBuf::from(folder.trim()))
}

fn pkg_config(arguments: &[&str]) -> Option<String> {
    let output = Command::new("pkg-config").args(arguments).output().ok()?;
    if !output.status.success() {
        return None;
    }
    String::from_utf8(output.stdout).ok()
}
