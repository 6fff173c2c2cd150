// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The exact words and the exit status of each error of `encrypt`, `decrypt` and `inspect`. After a
//! change of words: `TRYCMD=overwrite cargo test --test openpgp_cases`, then read the difference.

#[test]
fn errors_are_said_as_the_case_files_have_them() {
    let cases = trycmd::TestCases::new();
    cases.case("tests/cases/encrypt*.trycmd");
    cases.case("tests/cases/decrypt*.trycmd");
    cases.case("tests/cases/inspect*.trycmd");
}
