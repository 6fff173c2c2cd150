// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Outputs and passphrase files that are refused, in exact words. After a change of words:
//! `TRYCMD=overwrite cargo test --test files`, then read the difference.

#![cfg(unix)]

mod common;

#[test]
fn refusals_are_said_as_the_case_files_have_them() {
    common::run_cases(trycmd::TestCases::new(), &["output", "passphrase"]);
}
