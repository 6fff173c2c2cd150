// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Tells `manyfish speed` the compiler and the commit that it was built from, the sizes of the kernels, and where the
// tables of 1998 are: in the package of this crate, and in bench/ in the repository.

#[path = "build/code_size.rs"]
mod code_size;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The sources of the command.
const SOURCES: [&str; 10] = [
    "build.rs",
    "build",
    "src",
    "../manyfish/src",
    "../manyfish-sys/build.rs",
    "../manyfish-sys/src",
    "../../c/include",
    "../../c/src",
    "../../c/study",
    "../Cargo.lock",
];

fn main() -> io::Result<()> {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = output(&rustc, &["--version"]).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=MANYFISH_RUSTC={version}");
    println!("cargo:rustc-env=MANYFISH_COMMIT={}", commit().unwrap_or_default());
    println!("cargo:rerun-if-env-changed=MANYFISH_COMMIT");

    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let packaged = root.join("tables");
    let tables = if packaged.exists() { packaged } else { root.join("../../bench") };
    println!("cargo:rustc-env=MANYFISH_TABLES={}", tables.display());

    // A new commit writes a line to the log; a changed source may make the tree differ from it.
    // Outside the repository there is nothing to watch.
    let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"]);
    let watched = SOURCES.into_iter().chain(log.as_deref());
    for path in watched.filter(|path| Path::new(path).exists()) {
        println!("cargo:rerun-if-changed={path}");
    }
    let place = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(place.join("code_sizes.rs"), code_sizes())
}

/// The sizes of the kernels as a Rust expression; an empty list where they cannot be counted.
fn code_sizes() -> String {
    // Where only documentation is made, nothing is compiled.
    let Some(archive) = env::var_os("DEP_MANYFISH_ARCHIVE") else { return "[]".to_owned() };
    println!("cargo:rerun-if-changed={}", Path::new(&archive).display());
    let mut text = "[".to_owned();
    for size in code_size::count(Path::new(&archive)).unwrap_or_default() {
        let code_size::Size { name, code, constants } = size;
        let _ = write!(text, "({name:?}, {code}, {constants}), ");
    }
    text + "]"
}

/// For sources without their history the environment names it.
fn commit() -> Option<String> {
    let named = env::var("MANYFISH_COMMIT").ok().filter(|commit| !commit.is_empty());
    named.or_else(|| output("git", &["describe", "--always", "--dirty", "--exclude=*"]))
}

/// The output of a program, if it has any.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok();
    let output = output.filter(|output| output.status.success());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.filter(|text| !text.is_empty())
}
