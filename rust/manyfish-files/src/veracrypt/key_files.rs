// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Key files, which are mixed into the passphrase \[VeraCrypt, Keyfiles\].

use crate::kdf::{Secret, copied, secret};

/// The length of the beginning of a key file: no more of it counts.
pub const KEY_FILE_BYTES: usize = 1 << 20;
const SHORT: usize = 64;
const LONG: usize = 128;

/// The passphrase with key files mixed in. Without any it stays as it is.
#[must_use]
pub fn mixed(passphrase: &[u8], key_files: &[&[u8]]) -> Secret {
    if key_files.is_empty() {
        return copied(passphrase);
    }
    let mut pool = secret(if passphrase.len() > SHORT { LONG } else { SHORT });
    for file in key_files {
        mix(&mut pool, &file[..file.len().min(KEY_FILE_BYTES)]);
    }
    pool.iter_mut().zip(passphrase).for_each(|(sum, octet)| *sum = sum.wrapping_add(*octet));
    pool
}

/// Adds the CRC-32 of each beginning of the file, byte by byte, round and round.
fn mix(pool: &mut [u8], file: &[u8]) {
    let mut crc = u32::MAX;
    let mut place = 0;
    for octet in file {
        crc = step(crc, *octet);
        for part in crc.to_be_bytes() {
            pool[place] = pool[place].wrapping_add(part);
            place = (place + 1) % pool.len();
        }
    }
}

/// One octet into a CRC-32 without the complement at its end. Computed: a table would have addresses from key files.
fn step(crc: u32, octet: u8) -> u32 {
    (0..8).fold(crc ^ u32::from(octet), |crc, _| {
        (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
    })
}
