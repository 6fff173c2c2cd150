// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The output of the command: help, lists, and each error message of `raw`, `speed` and the command
//! line. After a change on purpose: `TRYCMD=overwrite cargo test --test cases`, then read the
//! difference.

#![cfg(unix)]

mod common;

#[test]
fn the_command_prints_what_the_cases_say() {
    let cases = trycmd::TestCases::new();
    cases.insert_var("[VERSION]", env!("CARGO_PKG_VERSION")).expect("the form of a variable");
    let commands =
        ["help", "kernels", "raw", "selftest", "speed", "tables", "tune", "usage", "version"];
    common::run_cases(cases, &commands);
}
