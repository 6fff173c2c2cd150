// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Opens the files that mcrypt wrote, `interop/fixtures/nc.py`, whole, cut and altered.

mod fixtures;

use fixtures::passphrase;
use manyfish_files::mcrypt::Sealed;
use manyfish_files::{Error, Result};

const NAMES: [&str; 9] = [
    "cbc-long",
    "cbc-md5-short",
    "cbc-asis-short",
    "cbc-noiv-short",
    "ecb-short",
    "cfb-long",
    "ofb-short",
    "nofb-short",
    "ctr-short",
];

fn file(name: &str) -> Vec<u8> {
    fixtures::read(&format!("mcrypt-{name}.nc"))
}

fn open(file: &[u8], passphrase: &[u8]) -> Result<Vec<u8>> {
    let opened = Sealed::read(file)?.open(passphrase)?;
    let mut data = Vec::new();
    opened.copy(&mut data)?;
    Ok(data)
}

#[test]
fn all_files_open() {
    for name in NAMES {
        let plain = if name.ends_with("long") { "long.bin" } else { "short.bin" };
        let opened = open(&file(name), &passphrase());
        assert_eq!(opened.unwrap(), fixtures::read(plain), "{name}");
        let opened = open(&file(name), b"wrong");
        assert!(matches!(opened, Err(Error::WrongPassphrase)), "{name}");
    }
}

/// Padding is the one part that no hash covers.
#[test]
fn no_part_and_nothing_altered_opens() {
    for name in ["cbc-md5-short", "ctr-short"] {
        let mut file = file(name);
        for cut in 0..file.len() {
            assert!(open(&file[..cut], &passphrase()).is_err(), "{name}: {cut}");
        }
        for i in 0..file.len() {
            let bit = 1 << (i % 8);
            file[i] ^= bit;
            if let Ok(data) = open(&file, &passphrase()) {
                assert_eq!(data, fixtures::read("short.bin"), "{name}: byte {i}");
            }
            file[i] ^= bit;
        }
    }
}
