// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Opens the keystore that Bouncy Castle wrote, `interop/fixtures/keystore.py`, whole, cut and altered.

mod fixtures;

use fixtures::read;
use manyfish_files::uber::{Content, Keystore, Sealed};
use manyfish_files::{Error, LIMITS, Limits, Result};

fn open(file: &[u8]) -> Result<Keystore> {
    let passphrase = String::from_utf8(fixtures::passphrase()).unwrap();
    Sealed::read(file)?.open(&passphrase, &LIMITS)
}

#[test]
fn all_entries_are_there() {
    let store = open(&read("keystore.ubr")).unwrap();
    let passphrase = String::from_utf8(fixtures::passphrase()).unwrap();
    let mut found: Vec<_> = store
        .entries
        .iter()
        .map(|entry| {
            let opened = match &entry.content {
                Content::Sealed(key) => key.open(&passphrase, &LIMITS),
                Content::Certificate(certificate) => {
                    return (entry.alias.clone(), "X.509".into(), certificate.octets.len());
                }
                Content::Key(_) => panic!("Bouncy Castle encrypts keys"),
            };
            match opened {
                Ok(key) => (
                    entry.alias.clone(),
                    format!("{} {}", key.kind, key.algorithm),
                    key.octets.len(),
                ),
                Err(error) => (entry.alias.clone(), error.to_string(), 0),
            }
        })
        .collect();
    found.sort();
    let n_bytes = found[3].2;
    assert_eq!(
        found,
        [
            ("Schlüssel".into(), "X.509".into(), found[0].2),
            ("key".into(), "private EC".into(), found[1].2),
            ("other".into(), "wrong passphrase".into(), 0),
            ("secret".into(), "secret AES".into(), n_bytes),
        ]
    );
    assert_eq!(n_bytes, 16);
    let of_other = store.entries.iter().find(|entry| entry.alias == "other").unwrap();
    let Content::Sealed(key) = &of_other.content else { panic!("it is encrypted") };
    assert_eq!(*key.open("another passphrase", &LIMITS).unwrap().octets, b"sixteen test oct");
}

#[test]
fn no_part_and_nothing_altered_opens() {
    let mut file = read("keystore.ubr");
    for cut in 0..file.len() {
        assert!(open(&file[..cut]).is_err(), "{cut}");
    }
    // The lowest bit of the version makes an older one.
    for i in 0..file.len() {
        let bit = 1 << (i % 8);
        file[i] ^= bit;
        assert!(i == 3 || open(&file).is_err(), "byte {i}");
        file[i] ^= bit;
    }
}

#[test]
fn costs_are_refused_before_any_work() {
    let file = read("keystore.ubr");
    let opened = Sealed::read(&file).unwrap().open("x", &Limits::NOTHING);
    assert!(matches!(opened, Err(Error::OverLimits { .. })));
}
