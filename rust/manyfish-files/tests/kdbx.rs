// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Opens the databases that KeePassXC and pykeepass wrote, `interop/fixtures/kdbx.py`, whole, cut and altered.

mod fixtures;

use std::time::Duration;

use fixtures::passphrase;
use manyfish_files::entries::{Entries, Entry};
use manyfish_files::kdbx::{Cipher, Database, Key, Sealed, from_safe};
use manyfish_files::{Error, LIMITS, Limits, Result, psafe3};
use zeroize::Zeroizing;

const NAMES: [&str; 8] = [
    "kdbx3-aeskdf-keepassxc",
    "kdbx3-aeskdf-pykeepass",
    "kdbx4-aeskdf-keepassxc",
    "kdbx4-aeskdf-pykeepass",
    "kdbx4-argon2-keepassxc",
    "kdbx4-argon2-pykeepass",
    "kdbx4-argon2id-keepassxc",
    "kdbx4-argon2id-pykeepass",
];

fn file(name: &str) -> Vec<u8> {
    fixtures::read(&format!("{name}.kdbx"))
}

fn key() -> Key {
    Key { passphrase: Zeroizing::new(passphrase()), key_file: None }
}

/// An altered number of rounds is not worth the wait.
const FEW: Limits = Limits { memory: 1 << 20, work: Duration::from_millis(100) };

fn open(file: &[u8]) -> Result<Database> {
    Sealed::read(file)?.open(&key(), &LIMITS)
}

fn entries_of(entries: &impl Entries) -> Vec<Entry> {
    let mut all = Vec::new();
    entries.visit(&mut |entry| all.push(entry.clone()));
    all
}

/// All texts and files, in their order.
fn content(database: &Database) -> Vec<(String, Vec<u8>)> {
    let entries = entries_of(database).into_iter();
    let parts = entries.flat_map(|entry| {
        let texts = entry
            .texts
            .into_iter()
            .map(|(name, text)| (name.into_owned(), text.as_bytes().to_vec()));
        texts.chain(
            entry.octets.into_iter().map(|(name, octets)| (name.into_owned(), octets.to_vec())),
        )
    });
    parts.collect()
}

#[test]
fn all_databases_open() {
    for name in NAMES {
        let entries = entries_of(&open(&file(name)).unwrap());
        let texts = |name| -> Vec<_> { entries.iter().map(|entry| entry.text(name)).collect() };
        // KeePassXC adds one.
        let (titles, passwords) = if name.ends_with("keepassxc") {
            (vec!["mail", "from KeePassXC", "account", "empty"], vec!["third secret"])
        } else {
            (vec!["mail", "account", "empty"], vec![])
        };
        let passwords =
            [vec!["first secret"], passwords, vec!["zweites Geheimnis ä€𝄞", ""]].concat();
        assert_eq!(texts("title"), titles, "{name}");
        assert_eq!(texts("password"), passwords, "{name}");
        let account = &entries[entries.len() - 2];
        assert_eq!(account.path(), "Bänke/account");
        assert_eq!(account.text("notes"), "two\nlines");
        if name.starts_with("kdbx4") {
            assert_eq!(account.octets[0].0, "octets.bin");
            assert!(fixtures::read("long.bin").starts_with(&account.octets[0].1), "{name}");
        }
    }
}

/// pykeepass puts a field that it changes behind all else of its entry.
#[test]
fn fields_stand_in_any_order() {
    let file = fixtures::read("edited/plain.kdbx");
    let [entry] = &entries_of(&open(&file).unwrap())[..] else { panic!("one entry") };
    assert_eq!([entry.text("user"), entry.text("password")], ["ada", "second secret"]);
    assert_eq!(entry.text("PIN"), "own PIN");
    let moved = Sealed::read(&file).unwrap().moved(&key(), Cipher::Aes, &LIMITS).unwrap();
    assert_eq!(content(&open(&moved).unwrap()), content(&open(&file).unwrap()));
}

/// KeePass distinguishes capitals: "password" is a field beside its "Password".
#[test]
fn own_fields_under_our_names_are_kept() {
    let file = fixtures::read("edited/plain.kdbx");
    let [entry] = &entries_of(&open(&file).unwrap())[..] else { panic!("one entry") };
    let texts: Vec<_> = entry.texts.iter().map(|(name, text)| (&**name, text.as_str())).collect();
    let expected = [
        ("group", ""),
        ("title", "mail"),
        ("user", "ada"),
        ("password", "second secret"),
        ("url", ""),
        ("notes", ""),
        ("PIN", "own PIN"),
        ("group (own field)", "own group"),
        ("other (own field)", "own other"),
        ("password (own field)", "own password (own field)"),
        ("password (own field) (own field)", "own password"),
    ];
    assert_eq!(texts, expected);
}

/// The crate keepass would decrypt such a password with the key stream of another one.
#[test]
fn a_password_behind_its_history_is_refused() {
    let file = fixtures::read("edited/history.kdbx");
    assert!(matches!(open(&file), Err(Error::Order)));
    let moved = Sealed::read(&file).unwrap().moved(&key(), Cipher::Aes, &LIMITS);
    assert!(matches!(moved, Err(Error::Order)));
}

/// The groups of KeePass 1 stand side by side, with the depth of each.
#[test]
fn a_database_of_keepass_1_opens_and_moves() {
    let file = fixtures::read("kdb.kdb");
    let sealed = Sealed::read(&file).unwrap();
    assert_eq!(sealed.describe()[1], "Twofish, passphrase stretched by AES, 1000 rounds");
    let database = sealed.open(&key(), &LIMITS).unwrap();
    let entries = entries_of(&database);
    assert_eq!(entries[0].path(), "General/mail");
    assert_eq!(entries[0].text("notes"), "two\nlines");
    assert_eq!(entries[1].path(), "General/Bänke/account");
    assert_eq!(entries[1].text("password"), "zweites Geheimnis ä€𝄞");
    assert!(entries[0].octets.is_empty(), "KeePass 1 notes that there is no attachment");
    assert_eq!(&*entries[1].octets[0].1, b"\x00\xff attached");
    let moved = sealed.moved(&key(), Cipher::Aes, &LIMITS).unwrap();
    assert_eq!(content(&open(&moved).unwrap()), content(&database));
    for cut in 0..file.len() {
        assert!(open(&file[..cut]).is_err(), "{cut}");
    }
}

/// The code page of Windows in the West; octets of others can be given. A new database has UTF-8.
#[test]
fn passphrases_of_keepass_1_may_be_in_a_code_page() {
    let expected = content(&open(&fixtures::read("kdb.kdb")).unwrap());
    let key_file = || Some(Zeroizing::new(fixtures::read("short.bin")));
    let octets = || Zeroizing::new(b"seven plain test w\xf6rds".to_vec());
    for (name, key_file) in [("kdb-windows", None), ("kdb-windows-key-file", key_file())] {
        let file = fixtures::read(&format!("{name}.kdb"));
        let sealed = Sealed::read(&file).unwrap();
        let opened = |key: &Key| sealed.open(key, &LIMITS);
        let good = Key { key_file, ..key() };
        assert_eq!(content(&opened(&good).unwrap()), expected, "{name}");
        let in_octets = Key { passphrase: octets(), ..good.clone() };
        assert_eq!(content(&opened(&in_octets).unwrap()), expected, "{name}");
        let moved = sealed.moved(&good, Cipher::Aes, &LIMITS).unwrap();
        let again = Sealed::read(&moved).unwrap().open(&good, &LIMITS).unwrap();
        assert_eq!(content(&again), expected, "{name}");
        for (wrong, maybe) in [("wörds", true), ("\u{440}", true), ("words", false)] {
            let wrong = Key { passphrase: wrong.as_bytes().to_vec().into(), ..good.clone() };
            let told = opened(&wrong).unwrap_err();
            assert_eq!(matches!(told, Error::WrongPassphraseOrCodePage), maybe, "{told}");
        }
    }
}

#[test]
fn a_moved_database_has_the_same_entries() {
    for (name, cipher, words) in [
        ("kdbx3-aeskdf-keepassxc", Cipher::Aes, "AES-256, "),
        ("kdbx4-aeskdf-pykeepass", Cipher::Twofish, "Twofish, "),
        ("kdbx4-argon2id-keepassxc", Cipher::ChaCha20, "ChaCha20, "),
    ] {
        let file = file(name);
        let moved = Sealed::read(&file).unwrap().moved(&key(), cipher, &LIMITS).unwrap();
        assert_eq!(content(&open(&moved).unwrap()), content(&open(&file).unwrap()), "{name}");
        let lines = Sealed::read(&moved).unwrap().describe();
        assert!(lines[0].starts_with("a database of KeePass, KDBX 4.1, "), "{}", lines[0]);
        assert!(lines[1].starts_with(words), "{}", lines[1]);
        assert!(lines[1].ends_with(" by Argon2id, 8 passes, 2 lanes, 65536 KiB of memory"));
    }
}

/// One of each format.
const SOME: [&str; 2] = ["kdbx3-aeskdf-keepassxc", "kdbx4-argon2-pykeepass"];

/// Each byte of the headers, and some behind.
fn places(file: &[u8]) -> impl Iterator<Item = usize> + use<> {
    (0..300).chain((300..file.len()).step_by(29))
}

/// The crate keepass does not ask for the last block, which is empty.
#[test]
fn no_part_of_a_database_opens_without_its_end() {
    for name in SOME {
        let file = file(name);
        let expected = content(&open(&file).unwrap());
        for cut in places(&file) {
            match open(&file[..cut]) {
                Ok(database) => {
                    assert!(cut >= file.len() - 80, "{name}: {cut}");
                    assert_eq!(content(&database), expected, "{name}: {cut}");
                }
                Err(error) => assert!(!matches!(error, Error::OverLimits { .. }), "{cut}"),
            }
        }
    }
}

/// In KDBX 3 nothing checks the header before it is parsed.
#[test]
fn short_fields_of_a_header_are_errors() {
    let file = file(SOME[0]);
    for wanted in 2..=10 {
        let mut at = 12;
        while file[at] != wanted {
            at += 3 + usize::from(u16::from_le_bytes([file[at + 1], file[at + 2]]));
        }
        let n_bytes = usize::from(file[at + 1]);
        let short = [&file[..=at], &[1, 0, file[at + 3]], &file[at + 3 + n_bytes..]].concat();
        let opened = Sealed::read(&short).and_then(|sealed| sealed.open(&key(), &LIMITS));
        assert!(opened.is_err(), "field {wanted}");
    }
}

/// Some bits count nowhere: the minor version of the format, in KDBX 3 the end of the header.
#[test]
fn nothing_else_is_shown_of_an_altered_database() {
    for name in SOME {
        let mut file = file(name);
        let expected = content(&open(&file).unwrap());
        for i in places(&file) {
            let bit = 1 << (i % 8);
            file[i] ^= bit;
            let opened = Sealed::read(&file).and_then(|sealed| sealed.open(&key(), &FEW));
            if let Ok(database) = opened {
                assert_eq!(content(&database), expected, "{name}: byte {i}");
            }
            file[i] ^= bit;
        }
    }
}

#[test]
fn costs_are_refused_before_any_work() {
    let file = file("kdbx4-argon2id-pykeepass");
    let none = Limits { memory: 1000, ..LIMITS };
    let opened = Sealed::read(&file).unwrap().open(&key(), &none);
    assert!(matches!(opened, Err(Error::OverLimits { .. })));
}

#[test]
fn another_passphrase_is_wrong() {
    for name in SOME {
        let file = file(name);
        for (passphrase, key_file) in [("wrong", None), ("", None), ("", Some("key"))] {
            let key = Key {
                passphrase: Zeroizing::new(passphrase.into()),
                key_file: key_file.map(|file| Zeroizing::new(file.into())),
            };
            let error = Sealed::read(&file).unwrap().open(&key, &LIMITS).unwrap_err();
            assert!(matches!(error, Error::WrongPassphrase), "{name}: {error}");
        }
    }
}

#[test]
fn a_passphrase_in_another_encoding_is_called_so() {
    let key = Key { passphrase: Zeroizing::new(b"caf\xe9".to_vec()), key_file: None };
    let error = Sealed::read(&file(SOME[0])).unwrap().open(&key, &LIMITS).unwrap_err();
    assert!(matches!(error, Error::NotUtf8), "{error}");
}

#[test]
fn a_safe_becomes_a_database() {
    let safe = fixtures::read("safe.psafe3");
    let safe = psafe3::Sealed::read(safe).unwrap().open(&passphrase(), &LIMITS).unwrap();
    let file = from_safe(&safe, &key(), Cipher::Aes).unwrap();
    let mut old = entries_of(&safe);
    let mut new = entries_of(&open(&file).unwrap());
    old.sort_by_key(Entry::path);
    new.sort_by_key(Entry::path);
    assert_eq!(old.len(), new.len());
    for (old, new) in old.iter().zip(&new) {
        for (name, text) in &old.texts {
            let shown = text.replace('\u{1b}', ""); // XML has no escape
            assert_eq!(new.text(name), shown, "{name}");
            if **text != shown {
                let digits = new.text("Title in hexadecimal digits");
                assert_eq!(base16ct::lower::decode_vec(digits).unwrap(), text.as_bytes());
            }
        }
    }
}
