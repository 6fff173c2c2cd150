// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Reads the messages of `tests/messages/`: each opens, or is refused with the sentence that stands
//! in `index.txt`, and never gives out an octet that was not in the file.

use std::fs;
use std::path::{Path, PathBuf};

use manyfish_openpgp::inspect::inspect;
use manyfish_openpgp::{Result, decrypt};

const PASSPHRASE: &[u8] = b"correct horse";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages")
}

/// Name and expectation of each message.
fn index() -> Vec<(String, String)> {
    let text = fs::read_to_string(folder().join("index.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let columns = lines.map(|line| line.split(" | ").collect::<Vec<_>>());
    columns.map(|columns| (columns[0].to_owned(), columns[1].to_owned())).collect()
}

fn read(name: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{name}.pgp"))).unwrap()
}

fn file(size: usize) -> Vec<u8> {
    (0..=250).cycle().take(size).collect()
}

fn open(message: &[u8], output: &mut Vec<u8>) -> Result<u64> {
    decrypt(PASSPHRASE, message, output).map(|opened| opened.bytes)
}

#[test]
fn every_message_is_taken_as_the_index_says() {
    let index = index();
    assert!(index.len() > 60, "the index has {} lines", index.len());
    for (name, expected) in index {
        let mut output = Vec::new();
        match (open(&read(&name), &mut output), expected.parse::<usize>()) {
            (Ok(n), Ok(size)) => {
                assert_eq!(n, size as u64, "{name}");
                assert!(output == file(size), "{name}");
            }
            (Err(error), Err(_)) => {
                assert_eq!(error.to_string(), expected, "{name}");
                assert!(output.len() <= 1 || file(1000).starts_with(&output), "{name}");
            }
            (found, _) => panic!("{name}: expected {expected}, found {found:?}"),
        }
    }
}

#[test]
fn inspection_takes_every_message_and_its_truncations() {
    for (name, _) in index() {
        let message = read(&name);
        for end in (0..=message.len()).rev().take(400) {
            if let Ok(report) = inspect(&message[..end]) {
                assert!(report.bytes <= end as u64, "{name} cut at {end}");
                let bodies: u64 = report.packets.iter().map(|packet| packet.body_bytes).sum();
                assert!(bodies <= report.bytes, "{name} cut at {end}");
            }
        }
    }
}

/// The folder holds nothing that the index does not name.
#[test]
fn the_index_is_complete() {
    let named = index();
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(name) = name.strip_suffix(".pgp") {
            assert!(named.iter().any(|(known, _)| known == name), "{name}");
        }
    }
}
