// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Reads the messages of `vectors/openpgp`: each opens, or is refused with the sentence that stands
//! there, and never gives out an octet that was not in the file.

#[path = "../../manyfish/tests/rsp/mod.rs"]
mod rsp;

use manyfish_openpgp::inspect::inspect;
use manyfish_openpgp::{Result, decrypt};
use rsp::messages;

const PASSPHRASE: &[u8] = b"correct horse";

fn file(size: usize) -> Vec<u8> {
    (0..=250).cycle().take(size).collect()
}

fn open(message: &[u8], output: &mut Vec<u8>) -> Result<u64> {
    decrypt(PASSPHRASE, message, output).map(|opened| opened.bytes)
}

#[test]
fn every_message_has_its_result() {
    for case in messages() {
        let (name, expected) = (case.text("NAME"), case.text("RESULT"));
        let mut output = Vec::new();
        match (open(&case.bytes("MESSAGE"), &mut output), expected.parse::<usize>()) {
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
    for case in messages() {
        let (name, message) = (case.text("NAME"), case.bytes("MESSAGE"));
        for end in (0..=message.len()).rev().take(400) {
            if let Ok(report) = inspect(&message[..end]) {
                assert!(report.bytes <= end as u64, "{name} cut at {end}");
                let bodies: u64 = report.packets.iter().map(|packet| packet.body_bytes).sum();
                assert!(bodies <= report.bytes, "{name} cut at {end}");
            }
        }
    }
}
