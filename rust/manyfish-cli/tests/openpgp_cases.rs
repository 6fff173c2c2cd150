// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The exact words and the exit status of each error of `encrypt`, `decrypt` and `inspect`. After a
//! change of words: `TRYCMD=overwrite cargo test --test openpgp_cases`, then read the difference.

mod common;

use std::fs;
use std::path::Path;

#[test]
fn errors_are_said_as_the_case_files_have_them() {
    common::run_cases(trycmd::TestCases::new(), &["encrypt", "decrypt", "inspect"]);
}

/// Each message that must be refused stands in a case file.
#[test]
fn each_refusal_has_its_case() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let messages = "../manyfish-openpgp/tests/messages";
    let index = fs::read_to_string(here.join(messages).join("index.txt")).unwrap();
    let cases = fs::read_to_string(here.join("tests/cases/decrypt-refused.trycmd")).unwrap();
    let names = index.lines().filter_map(|line| line.split(" | ").next());
    for name in names.filter(|name| name.starts_with("reject-")) {
        assert!(cases.contains(&format!("{messages}/{name}.pgp\n")), "{name}");
    }
}
