// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! keepass-rs and rpgp open what other programs wrote under Twofish, and what they write themselves. The
//! program in unpatched/ runs the same tests with RustCrypto's Twofish.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use manyfish_compat_proof::databases::{self, Entry};
use manyfish_compat_proof::{implementations, messages, times};

/// The folder of files that other programs wrote; its README.md says what they hold.
fn fixtures() -> PathBuf {
    let mut folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    while !folder.join("interop/fixtures").is_dir() {
        assert!(folder.pop(), "interop/fixtures is in no folder above the manifest");
    }
    folder.join("interop/fixtures")
}

/// Names and contents of the fixtures whose names begin and end so; at least one.
fn files(prefix: &str, suffix: &str) -> Vec<(String, Vec<u8>)> {
    let names = fs::read_dir(fixtures()).unwrap().map(|each| each.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let chosen: Vec<_> =
        names.filter(|name| name.starts_with(prefix) && name.ends_with(suffix)).collect();
    assert!(!chosen.is_empty(), "no {prefix}*{suffix}");
    chosen
        .into_iter()
        .map(|name| (name.clone(), fs::read(fixtures().join(name)).unwrap()))
        .collect()
}

fn passphrase() -> String {
    fs::read_to_string(fixtures().join("passphrase")).unwrap().trim_end().to_owned()
}

fn entry(path: &str, user: &str, password: &str, octets: &[u8]) -> Entry {
    let attachments =
        if octets.is_empty() { vec![] } else { vec![("octets.bin".into(), octets.to_vec())] };
    Entry { path: path.into(), user: user.into(), password: password.into(), attachments }
}

#[test]
fn twofish_is_the_one_that_the_manifest_asks_for() {
    let patched = !env!("CARGO_PKG_NAME").ends_with("unpatched");
    for name in implementations() {
        assert_eq!(name.starts_with("manyfish::"), patched, "{name}");
    }
}

#[test]
fn databases_of_other_programs_open() {
    let long = fs::read(fixtures().join("long.bin")).unwrap();
    for (name, file) in files("kdbx", ".kdbx") {
        let octets = if name.starts_with("kdbx4") { &long[..2000] } else { &[] };
        let mut expected = vec![
            entry("Bänke/account", "ada", "zweites Geheimnis ä€𝄞", octets),
            entry("Bänke/empty", "", "", &[]),
            entry("mail", "ada", "first secret", &[]),
        ];
        if name.ends_with("keepassxc.kdbx") {
            expected.insert(2, entry("from KeePassXC", "bob", "third secret", &[]));
        }
        let mut found = databases::open(&mut Cursor::new(file), &passphrase()).expect(&name);
        found.sort_by(|a, b| a.path.cmp(&b.path));
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn databases_that_are_written_open() {
    for (n_octets, compress) in [(0, true), (5, true), (100_000, true), (100_000, false)] {
        let entries = [entry("one", "ada", "secret", &times::payload(n_octets))];
        let mut file = Vec::new();
        databases::write(&mut file, "test words", &entries, compress).unwrap();
        assert_eq!(databases::open(&mut Cursor::new(&file), "test words").unwrap(), entries);
        assert!(databases::open(&mut Cursor::new(&file), "test word").is_err());
    }
}

/// All but those that are compressed by bzip2, which rpgp is built without here, and those without any check of
/// changes, which rpgp refuses.
#[test]
fn messages_of_other_programs_open() {
    for (form, n_least) in [("gnupg-", 10), ("rnp-plain", 2), ("rnp-zip", 2), ("rnp-two", 1)] {
        for length in ["short", "long"] {
            let expected = fs::read(fixtures().join(format!("{length}.bin"))).unwrap();
            for (name, file) in messages_of(form, length) {
                let found = messages::open(Cursor::new(file), &passphrase());
                assert_eq!(found.expect(&name), expected, "{name}");
            }
        }
        let all = files(form, ".pgp");
        assert!(all.len() >= n_least, "{} of {form}", all.len());
    }
}

fn messages_of(form: &str, length: &str) -> Vec<(String, Vec<u8>)> {
    let mut all = files(form, ".pgp");
    let refused = ["bzip2", "-no-mdc-"];
    all.retain(|(name, _)| {
        name.ends_with(&format!("-{length}.pgp")) && !refused.iter().any(|way| name.contains(way))
    });
    all
}

#[test]
fn messages_that_are_written_open() {
    for n_octets in [0, 1, 13, 14, 15, 16, 100_000] {
        let text = times::payload(n_octets);
        let message = messages::write(text.clone(), "test words").unwrap();
        assert_eq!(messages::open(Cursor::new(&message), "test words").unwrap(), text);
        assert!(messages::open(Cursor::new(&message), "test word").is_err());
    }
}

#[test]
fn altered_messages_are_refused() {
    let mut message = messages::write(times::payload(1000), "test words").unwrap();
    let middle = message.len() / 2;
    message[middle] ^= 1;
    assert!(messages::open(Cursor::new(&message), "test words").is_err());
}
