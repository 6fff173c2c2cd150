// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Tells `manyfish speed` the compiler and the commit that it was built from.

use std::path::Path;
use std::process::Command;

/// What the command is made of.
const SOURCES: [&str; 8] = [
    "build.rs",
    "src",
    "../manyfish/src",
    "../manyfish-sys/build.rs",
    "../manyfish-sys/src",
    "../../c/include",
    "../../c/src",
    "../Cargo.lock",
];

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let commit = output("git", &["describe", "--always", "--dirty", "--exclude=*"]);
    println!("cargo:rustc-env=MANYFISH_RUSTC={}", output(&rustc, &["--version"]));
    println!("cargo:rustc-env=MANYFISH_COMMIT={commit}");

    // A new commit writes a line to the log; a changed source may make the tree differ from it.
    // Outside the repository there is nothing to watch.
    let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"]);
    let watched = SOURCES.into_iter().chain([log.as_str()]);
    for path in watched.filter(|path| Path::new(path).exists()) {
        println!("cargo:rerun-if-changed={path}");
    }
}

/// What a program prints, or "unknown" if it cannot say.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok();
    let output = output.filter(|output| output.status.success());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.filter(|text| !text.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}
