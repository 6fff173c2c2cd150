// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The exact words and the exit status of each error of `encrypt`, `decrypt`, `inspect` and `open`. After a
//! change of words: `TRYCMD=overwrite cargo test --test openpgp_cases`, then read the difference.

#![cfg(unix)]

mod common;
#[path = "../../manyfish-files/tests/fixtures/mod.rs"]
mod fixtures;
#[path = "../../manyfish/tests/rsp/mod.rs"]
mod rsp;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use fixtures::unpacked;
use rsp::messages;

/// Where the case files expect the messages of `vectors/openpgp`.
const MESSAGES: &str = "../../build/openpgp";
const VOLUMES: &str = "../../build/volumes";

fn write_messages() {
    for message in messages() {
        let path = Path::new(MESSAGES).join(format!("{}.pgp", message.text("NAME")));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, message.bytes("MESSAGE")).unwrap();
    }
}

/// The same for the volumes of `interop/fixtures`, and for some that do not open.
fn write_volumes() {
    fs::create_dir_all(VOLUMES).unwrap();
    let write = |name: &str, image: &[u8]| {
        fs::write(Path::new(VOLUMES).join(format!("{name}.img")), image).unwrap();
    };
    let [mut first, mut second] = ["luks1-cbc-essiv", "luks2-xts-plain64"].map(|name| {
        let image = unpacked(&format!("{name}.img"));
        write(name, &image);
        image
    });
    for name in ["aes-twofish", "twofish-key-file"] {
        write(name, &unpacked(&format!("truecrypt-{name}.tc")));
    }
    write("truncated", &second[..4096]);
    first[8..15].copy_from_slice(b"serpent");
    write("serpent", &first);
    second[0x1c0] ^= 1;
    write("first-copy-damaged", &second);
    second[(16 << 10) + 0x1c0] ^= 1;
    write("damaged", &second);
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
    write_volumes();
    make_dangling_link();
    common::run_cases(trycmd::TestCases::new(), &["encrypt", "decrypt", "inspect", "open"]);
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
