// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Shared by the tests of case files.

use std::fs;
use std::path::Path;

use trycmd::TestCases;

/// Runs the case files whose names begin with one of `commands`. A glob that matches nothing passes
/// by itself, hence the count.
pub fn run_cases(cases: TestCases, commands: &[&str]) {
    for command in commands {
        assert!(count(command) > 0, "no file is called tests/cases/{command}*.trycmd");
        cases.case(format!("tests/cases/{command}*.trycmd"));
    }
    drop(cases); // which runs them
}

fn count(command: &str) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let names =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(command) && name.ends_with(".trycmd")).count()
}
