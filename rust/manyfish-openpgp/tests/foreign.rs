// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Opens the messages that GnuPG and RNP wrote (`interop/fixtures`): the older form and LibrePGP's, each
//! compression, each way from the passphrase to the key; by one reading and a spool, and by two readings.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use manyfish_openpgp::{Decryption, Error, Opened, Result, decrypt};

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

fn seekable(message: &[u8], output: &mut Vec<u8>) -> Result<Opened> {
    let decryption = Decryption::seekable(Cursor::new(message))?;
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
        for way in [
            |message: &[u8], output: &mut Vec<u8>| decrypt(&passphrase(), message, output),
            seekable,
        ] {
            let mut output = Vec::new();
            let opened = way(&message, &mut output).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(output == expected, "{name}");
            assert_eq!(opened.signed, name.contains("signed"), "{name}");
        }
    }
}

/// Armored ones may have marks at their end that mean nothing; another's passphrase may be anything.
#[test]
fn no_message_opens_altered_or_cut() {
    let counts = |name: &str| !name.contains("-armor-") && !name.contains("-two-passphrases-");
    for (name, message) in messages().into_iter().filter(|(name, _)| counts(name)) {
        for at in (0..message.len()).rev().step_by(1 + message.len() / 5) {
            let mut altered = message.clone();
            altered[at] ^= 0x10;
            for wrong in [&altered[..], &message[..at]] {
                let mut output = Vec::new();
                let result = seekable(wrong, &mut output);
                assert!(result.is_err(), "{name} at {at}");
                let chunks = name.contains("-ocb-") || name.contains("-eax-");
                assert!(chunks || output.is_empty(), "{name} at {at}: something came out");
            }
        }
        let wrong = decrypt(b"another", &message[..], &mut Vec::new());
        let told = matches!(wrong, Err(Error::WrongPassphrase | Error::WrongOrAltered));
        assert!(told, "{name}: {wrong:?}");
    }
}
