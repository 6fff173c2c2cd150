// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Opens the keystores that Bouncy Castle wrote, `interop/fixtures/keystore.py`, whole, cut and altered.

mod fixtures;

use std::time::Duration;

use base64ct::{Base64, Encoding};
use fixtures::read;
use manyfish_files::uber::{Content, Keystore, Sealed};
use manyfish_files::{Error, LIMITS, Limits, Result};

fn open(file: &[u8]) -> Result<Keystore> {
    let passphrase = String::from_utf8(fixtures::passphrase()).unwrap();
    Sealed::read(file)?.open(&passphrase, &LIMITS)
}

/// Each key by its name: what it is, and its octets.
fn keys(store: &Keystore) -> Vec<(&str, String, Vec<u8>)> {
    let passphrase = String::from_utf8(fixtures::passphrase()).unwrap();
    let each = store.entries.iter().map(|entry| {
        let (kind, octets) = match &entry.content {
            Content::Sealed(key) => match key.open(&passphrase, &LIMITS) {
                Ok(key) => (format!("{} {}", key.kind, key.algorithm), key.octets.to_vec()),
                Err(error) => (error.to_string(), vec![]),
            },
            Content::Certificate(certificate) => (certificate.kind.clone(), vec![]),
            Content::Key(_) => panic!("Bouncy Castle encrypts keys"),
        };
        (&*entry.alias, kind, octets)
    });
    let mut keys: Vec<_> = each.collect();
    keys.sort();
    keys
}

/// The octets of the first block of the PEM that made the keystores.
fn private_key() -> Vec<u8> {
    let pem = String::from_utf8(read("keystore.pem")).unwrap();
    let lines = pem.lines().skip(1).take_while(|line| !line.starts_with('-'));
    Base64::decode_vec(&lines.collect::<String>()).unwrap()
}

#[test]
fn all_entries_are_there() {
    const SECRET: &[u8] = b"sixteen test oct";
    for name in ["keystore", "keystore-0", "keystore-2"] {
        let store = open(&read(&format!("{name}.ubr"))).unwrap();
        let expected = [
            ("Schlüssel", "X.509".into(), vec![]),
            ("key", "private EC".into(), private_key()),
            ("other", "wrong passphrase".into(), vec![]),
            ("secret", "secret AES".into(), SECRET.to_vec()),
        ];
        assert_eq!(keys(&store), expected, "{name}");
        let of_other = store.entries.iter().find(|entry| entry.alias == "other").unwrap();
        let Content::Sealed(key) = &of_other.content else { panic!("it is encrypted") };
        assert_eq!(*key.open("another passphrase", &LIMITS).unwrap().octets, SECRET);
    }
}

#[test]
fn no_part_and_nothing_altered_opens() {
    let mut file = read("keystore.ubr");
    for cut in 0..file.len() {
        assert!(open(&file[..cut]).is_err(), "{cut}");
    }
    for i in 0..file.len() {
        let bit = 1 << (i % 8);
        file[i] ^= bit;
        assert!(open(&file).is_err(), "byte {i}");
        file[i] ^= bit;
    }
}

#[test]
fn costs_are_refused_before_any_work() {
    let file = read("keystore.ubr");
    let opened = Sealed::read(&file).unwrap().open("x", &Limits::NOTHING);
    assert!(matches!(opened, Err(Error::OverLimits { .. })));
}

#[test]
fn the_limits_are_for_all_keys_together() {
    let file = read("keystore.ubr");
    let passphrase = String::from_utf8(fixtures::passphrase()).unwrap();
    let sealed = Sealed::read(&file).unwrap();
    let store = sealed.open(&passphrase, &LIMITS).unwrap();
    let keys = store.entries.iter().filter_map(|entry| match &entry.content {
        Content::Sealed(key) => Some(key.asks_for().unwrap()),
        _ => None,
    });
    let all = keys.fold(sealed.asks_for(), Limits::and);
    assert!(sealed.open(&passphrase, &all).is_ok());
    let less = Limits { work: all.work.saturating_sub(Duration::from_micros(1)), ..all };
    let refused = sealed.open(&passphrase, &less);
    assert!(matches!(refused, Err(Error::OverLimits { asked, .. }) if asked == all));
}
