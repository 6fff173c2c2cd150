// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Opens the safe that `interop/fixtures/safes.py` writes with the Twofish of the model, whole, cut and altered, and one
//! of Password Safe itself.

mod fixtures;

use fixtures::passphrase;
use manyfish_files::psafe3::{Entry, Kind, Safe, Sealed};
use manyfish_files::{Error, Limits, Result};

fn file() -> Vec<u8> {
    fixtures::read("safe.psafe3")
}

fn open(file: &[u8]) -> Result<Safe> {
    Sealed::read(file.to_vec())?.open(&passphrase(), &Limits::default())
}

#[test]
fn all_entries_are_there() {
    let safe = open(&file()).unwrap();
    let entries: Vec<_> = safe.entries().collect();
    let texts = |kind| entries.iter().map(|entry| entry.text(kind)).collect::<Vec<_>>();
    assert_eq!(texts(Kind::Title), ["mail", "account", "empty \u{1b}[31m"]);
    assert_eq!(texts(Kind::Group), ["", "Bänke", ""]);
    assert_eq!(texts(Kind::Password), ["first secret", "zweites Geheimnis ä€𝄞", ""]);
    assert_eq!(texts(Kind::Notes), ["", "two\r\nlines, \"quoted\"", ""]);
    assert_eq!(entries[1].fields().len(), 8);
    assert!(!format!("{safe:?} {entries:?}").contains("secret"));
}

#[test]
fn a_safe_of_password_safe_opens() {
    let safe = open(&fixtures::read("safe-pwsafe.psafe3")).unwrap();
    let mut texts: Vec<_> = safe
        .entries()
        .map(|entry| [Kind::Title, Kind::Password].map(|kind| entry.text(kind)))
        .collect();
    texts.sort_unstable();
    assert_eq!(texts, [["account", "zweites Geheimnis ä€𝄞"], ["mail", "first secret"]]);
}

#[test]
fn no_part_of_it_opens() {
    let file = file();
    for cut in 0..file.len() {
        let error = open(&file[..cut]).unwrap_err();
        let is_expected = matches!(error, Error::Truncated { .. } | Error::Unknown(..));
        assert!(is_expected, "{cut}: {error}");
    }
    assert!(open(&[&file[..], b"x"].concat()).is_err());
}

/// The HMAC covers the data of fields, and neither their padding nor the kind of the very first one.
#[test]
fn nothing_of_an_altered_safe_is_shown() {
    let fields = |safe: &Safe| -> Vec<_> {
        let of_entry = |entry: Entry| {
            entry.fields().iter().map(|field| (field.kind, field.data.to_vec())).collect::<Vec<_>>()
        };
        safe.entries().map(of_entry).collect()
    };
    let mut file = file();
    let expected = fields(&open(&file).unwrap());
    let mut unnoticed = 0;
    for i in 0..file.len() {
        let bit = 1 << (i % 8);
        file[i] ^= bit;
        if let Ok(safe) = open(&file) {
            assert_eq!(fields(&safe), expected, "byte {i}");
            unnoticed += 1;
        }
        file[i] ^= bit;
    }
    assert!(unnoticed <= 10, "{unnoticed} alterations of the first padding");
}

#[test]
fn costs_are_refused_before_any_work() {
    let mut file = file();
    file[36..40].fill(0xff);
    let sealed = Sealed::read(file).unwrap();
    assert!(sealed.asks_for().work.as_secs() > 1000);
    let opened = sealed.open(&passphrase(), &Limits::default());
    assert!(matches!(opened, Err(Error::OverLimits { .. })));
}
