// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// For the build scripts of published-04 and published-05: writes OUT_DIR/published.rs, which has a module for
// each file of tests in packages that cargo has fetched and checked by Cargo.lock.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages by name and version.
pub fn tests_of(packages: &[(&str, &str)]) {
    let metadata = metadata();
    let mut modules = String::new();
    for (name, version) in packages {
        let folder = folder_of(&metadata, name, version).join("tests");
        for file in sources(&folder) {
            let stem = file.file_stem().expect("it ends in .rs").to_string_lossy();
            writeln!(modules, "#[allow(warnings, clippy::all, clippy::pedantic)]").unwrap();
            writeln!(modules, "#[path = \"{}\"]\nmod {name}_{stem};", file.display()).unwrap();
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("published.rs"), modules).expect("OUT_DIR is there to be written");
    let lock = ["Cargo.lock", "../Cargo.lock"].into_iter().find(|path| Path::new(path).exists());
    println!("cargo:rerun-if-changed={}", lock.expect("the workspace has one"));
    println!("cargo:rerun-if-changed=../find.rs");
}

/// Cargo's list of all packages, as one line of JSON.
fn metadata() -> String {
    let cargo = env::var_os("CARGO").expect("cargo sets it");
    let output = Command::new(cargo).args(["metadata", "--format-version=1", "--locked"]).output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("JSON is UTF-8")
}

/// The folder of a package: its manifest is the first one named behind its name and version.
fn folder_of(metadata: &str, name: &str, version: &str) -> PathBuf {
    let start = format!(r#"{{"name":"{name}","version":"{version}","#);
    let package = metadata.split_once(&start).unwrap_or_else(|| panic!("no {name} {version}")).1;
    let manifest = package.split_once(r#""manifest_path":""#).expect("each package has one").1;
    let manifest = Path::new(manifest.split_once('"').expect("JSON").0);
    manifest.parent().expect("it is in a folder").to_owned()
}

/// The source files in a folder, in order; at least one.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    assert!(!files.is_empty(), "no tests in {}", folder.display());
    files.sort();
    files
}
