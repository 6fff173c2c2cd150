// SPDX-License-Identifier: Apache-2.0 OR MIT

//! The test for weak keys.

use core::fmt;

use manyfish::des::{KeyFlaws, WEAK_KEYS, key_flaws};

/// Looks for weak keys in a key of DES or Triple-DES. \[SP800-67, 3.3.2\]
///
/// # Errors
/// If a part of 8 bytes is one of the 64 keys that are weak, semi-weak or possibly weak, or if two parts are
/// equal. Parity bits are ignored, as DES ignores them; `des` 0.9.0 itself takes weak keys of wrong parity for good.
///
/// # Panics
/// If the key has not 8, 16 or 24 bytes.
pub fn weak_key_test(key: &[u8]) -> Result<(), WeakKeyError> {
    let flaws = key_flaws(key).unwrap_or_else(|error| panic!("{error}"));
    let refused = KeyFlaws { two_keys: true, ..WEAK_KEYS };
    if flaws.and(refused) == KeyFlaws::default() { Ok(()) } else { Err(WeakKeyError) }
}

/// A key is weak.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct WeakKeyError;

impl fmt::Display for WeakKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the key is weak")
    }
}

impl core::error::Error for WeakKeyError {}
