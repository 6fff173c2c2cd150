// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Opens the messages that GnuPG and RNP wrote (`interop/fixtures`): the older form and LibrePGP's, each
//! compression, each way from the passphrase to the key; by one reading and a spool, and by two readings.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use manyfish_openpgp::{DecryptOptions, Decryption, Error, Opened, Result, decrypt};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../interop/fixtures")
}

fn passphrase() -> Vec<u8> {
    fs::read(fixtures().join("passphrase")).unwrap().trim_ascii_end().to_vec()
}

/// Name and octets of each message.
fn messages() -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap());
    let messages = entries.filter_map(|entry| {
        let path = entry.path();
        let name = entry.file_name().into_string().unwrap();
        path.extension().is_some_and(|end| end == "pgp").then(|| (name, fs::read(path).unwrap()))
    });
    messages.collect()
}

fn options(name: &str) -> DecryptOptions {
    let mut options = DecryptOptions::default();
    options.insecure_legacy = name.contains("-legacy-");
    options
}

fn at_once(name: &str, message: &[u8], output: &mut Vec<u8>) -> Result<Opened> {
    let decryption = Decryption::with(message, options(name))?;
    let key = decryption.session_key(&passphrase())?;
    decryption.run(key, output)
}

fn seekable(name: &str, message: &[u8], output: &mut Vec<u8>) -> Result<Opened> {
    let decryption = Decryption::seekable_with(Cursor::new(message), options(name))?;
    let key = decryption.session_key(&passphrase())?;
    decryption.run(key, output)
}

#[test]
fn every_message_opens() {
    let messages = messages();
    assert!(messages.len() >= 30, "{} messages", messages.len());
    for (name, message) in messages {
        let inside = if name.ends_with("-long.pgp") { "long.bin" } else { "short.bin" };
        let expected = fs::read(fixtures().join(inside)).unwrap();
        for way in [at_once, seekable] {
            let mut output = Vec::new();
            let opened =
                way(&name, &message, &mut output).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(output == expected, "{name}");
            assert_eq!(opened.signed, name.contains("signed"), "{name}");
        }
    }
}

/// Without the option they are refused, and say so; with it each says what is insecure in it.
#[test]
fn what_nobody_should_trust_opens_by_an_option_alone() {
    let legacy: Vec<_> =
        messages().into_iter().filter(|(name, _)| name.contains("-legacy-")).collect();
    assert_eq!(legacy.len(), 6);
    for (name, message) in legacy {
        let refused = decrypt(&passphrase(), &message[..], &mut Vec::new());
        let told = if name.contains("-no-mdc-") {
            matches!(refused, Err(Error::OldestForm { .. }))
        } else {
            matches!(refused, Err(Error::LegacyHash))
        };
        assert!(told, "{name}: {refused:?}");
        let both = name.contains("-no-mdc-ripemd160-");
        let found = Decryption::with(&message[..], options(&name)).unwrap().insecurities().len();
        assert_eq!(found, 1 + usize::from(both), "{name}");
    }
}

/// Armored ones may have marks at their end that mean nothing; another's passphrase may be anything. Messages
/// without a check are left out.
#[test]
fn no_message_opens_altered_or_cut() {
    let tells = |name: &str| {
        !["-armor-", "-two-passphrases-", "-no-mdc-"].iter().any(|way| name.contains(way))
    };
    for (name, message) in messages().into_iter().filter(|(name, _)| tells(name)) {
        for at in (0..message.len()).rev().step_by(1 + message.len() / 5) {
            let mut altered = message.clone();
            altered[at] ^= 0x10;
            for wrong in [&altered[..], &message[..at]] {
                let mut output = Vec::new();
                let result = seekable(&name, wrong, &mut output);
                assert!(result.is_err(), "{name} at {at}");
                let chunks = name.contains("-ocb-") || name.contains("-eax-");
                assert!(chunks || output.is_empty(), "{name} at {at}: something came out");
            }
        }
        let wrong = Decryption::with(&message[..], options(&name)).unwrap();
        let wrong = wrong.session_key(b"another").and_then(|key| {
            Decryption::with(&message[..], options(&name))?.run(key, &mut Vec::new())
        });
        let told = matches!(wrong, Err(Error::WrongPassphrase | Error::WrongOrAltered));
        assert!(told, "{name}: {wrong:?}");
    }
}
