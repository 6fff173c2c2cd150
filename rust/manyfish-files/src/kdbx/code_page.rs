// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keys of KeePass 1, which encoded a passphrase in the code page of its Windows. Other programs took UTF-8, and the crate
//! keepass takes that alone.

use keepass::DatabaseKey;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::Key;
use crate::kdf::{Secret, copied};

/// The characters of the octets from 0x80 to 0x9f in Windows-1252, the code page of the West.
const FROM_80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
/// Octets of a key.
const KEY_BYTES: usize = 32;

/// The key of a passphrase in Windows-1252, or in octets that are no UTF-8. `None` if there is no other than in UTF-8.
pub fn key(key: &Key) -> Option<DatabaseKey> {
    let hash = match str::from_utf8(&key.passphrase) {
        Ok(text) => Sha256::digest(windows_1252(text)?),
        Err(_) => Sha256::digest(&key.passphrase),
    };
    let hash = match &key.key_file {
        Some(file) => Sha256::new().chain_update(hash).chain_update(key_of(file)).finalize(),
        None => hash,
    };
    // A key file of this length is the key itself.
    DatabaseKey::new().with_keyfile(&mut &copied(&hash)[..]).ok()
}

/// `None` if it is the same in UTF-8, or if it has other characters.
fn windows_1252(text: &str) -> Option<Secret> {
    if text.is_ascii() {
        return None;
    }
    let mut octets = Zeroizing::new(Vec::with_capacity(text.len()));
    for c in text.chars() {
        octets.push(match u8::try_from(c) {
            Ok(octet @ (0..0x80 | 0xa0..)) => octet,
            _ => FROM_80.chars().zip(0x80..).find(|(other, _)| *other == c)?.1,
        });
    }
    Some(octets)
}

/// The key in a key file: its octets, its hexadecimal digits, or its hash.
fn key_of(file: &[u8]) -> Secret {
    let digits = if file.len() == 2 * KEY_BYTES { file } else { &[] };
    match base16ct::mixed::decode_vec(digits) {
        Ok(key) if key.len() == KEY_BYTES => Zeroizing::new(key),
        _ if file.len() == KEY_BYTES => copied(file),
        _ => copied(&Sha256::digest(file)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_windows_1252() {
        let octets = |text| windows_1252(text).map(|octets| octets.to_vec());
        assert_eq!(octets("€ Ÿ\u{a0}ÿ\u{81}~").unwrap(), b"\x80 \x9f\xa0\xff\x81~");
        assert_eq!(octets("plain"), None);
        assert_eq!(octets("ж"), None);
        assert_eq!(octets("\u{80}"), None);
    }

    #[test]
    fn key_files_are_octets_digits_or_anything() {
        assert_eq!(*key_of(&[7; 32]), [7; 32]);
        assert_eq!(*key_of("0A".repeat(32).as_bytes()), [10; 32]);
        for other in [&[b'x'; 64][..], b"", b"0a"] {
            assert_eq!(**key_of(other), *Sha256::digest(other));
        }
    }
}
