// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! OpenPGP messages by rpgp: Twofish in CFB mode with MDC (SEIPD version 1), by `twofish` 0.7.

use std::io::BufRead;

use pgp::composed::{Message, MessageBuilder};
use pgp::crypto::hash::HashAlgorithm;
use pgp::crypto::sym::SymmetricKeyAlgorithm;
use pgp::types::{Password, StringToKey};

use crate::Result;

/// The coded count of the iterated S2K: 65,536 octets are hashed. Far too few for a passphrase in earnest.
const S2K_COUNT: u8 = 96;

/// Opens a message, binary or armored, and returns what it holds; the MDC has been checked, a signature has not.
pub fn open(source: impl BufRead + std::fmt::Debug + Send, passphrase: &str) -> Result<Vec<u8>> {
    let (message, _) = Message::from_reader(source)?;
    let mut message = message.decrypt_with_password(&Password::from(passphrase))?;
    while message.is_compressed() {
        message = message.decompress()?;
    }
    Ok(message.as_data_vec()?)
}

/// Writes a message.
pub fn write(text: Vec<u8>, passphrase: &str) -> Result<Vec<u8>> {
    let mut random = rand::thread_rng();
    let mut builder =
        MessageBuilder::from_bytes("", text).seipd_v1(&mut random, SymmetricKeyAlgorithm::Twofish);
    let s2k = StringToKey::new_iterated(&mut random, HashAlgorithm::Sha256, S2K_COUNT);
    builder.encrypt_with_password(s2k, &Password::from(passphrase))?;
    Ok(builder.to_vec(random)?)
}
