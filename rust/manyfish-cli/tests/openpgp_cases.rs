// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The exact words and the exit status of each error of `encrypt`, `decrypt` and `inspect`. After a
//! change of words: `TRYCMD=overwrite cargo test --test openpgp_cases`, then read the difference.

#![cfg(unix)]

mod common;
#[path = "../../manyfish/tests/rsp/mod.rs"]
mod rsp;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rsp::messages;

/// Where the case files expect the messages of `vectors/openpgp`.
const MESSAGES: &str = "../../build/openpgp";

fn write_messages() {
    for message in messages() {
        let path = Path::new(MESSAGES).join(format!("{}.pgp", message.text("NAME")));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, message.bytes("MESSAGE")).unwrap();
    }
}

/// Made here, since no package may hold such a link.
fn make_dangling_link() {
    let link = Path::new(MESSAGES).join("dangling");
    if !link.is_symlink() {
        symlink("nowhere", link).unwrap();
    }
}

#[test]
fn errors_are_said_as_the_case_files_have_them() {
    write_messages();
    make_dangling_link();
    common::run_cases(trycmd::TestCases::new(), &["encrypt", "decrypt", "inspect"]);
}

/// Each message that must be refused stands in a case file.
#[test]
fn each_refusal_has_its_case() {
    let cases = fs::read_to_string("tests/cases/decrypt-refused.trycmd").unwrap();
    for message in messages() {
        let name = message.text("NAME");
        let has_case = cases.contains(&format!("{MESSAGES}/{name}.pgp\n"));
        assert!(has_case || !name.starts_with("reject-"), "{name}");
    }
}
