// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The packets before the encrypted data of a message, which hold the session key.

use std::io::Read;

use crate::algorithm::{Cipher, PacketType};
use crate::body::BodyReader;
use crate::error::{Error, Result};
use crate::packet::{self, Header};
use crate::skesk::Skesk;
use crate::{literal, read};

/// More passphrases than anybody gives a message; each costs a trial.
pub const MAX_PASSPHRASES: usize = 16;
/// Far above any packet with a session key.
const MAX_SKESK_BYTES: usize = 1024;

/// The packets for passphrases, and the header of the encrypted data that follows them.
pub fn read_session_keys(input: &mut impl Read) -> Result<(Vec<Skesk>, Header)> {
    let mut skesks = Vec::new();
    let mut public_key = false;
    loop {
        let header = packet::read_header(input)?.ok_or(Error::Truncated("its packet headers"))?;
        match header.packet {
            PacketType::SKESK if skesks.len() == MAX_PASSPHRASES => {
                return Err(Error::TooManyPassphrases(MAX_PASSPHRASES));
            }
            PacketType::SKESK => skesks.push(Skesk::parse(&small_body(input, header)?)?),
            PacketType::PKESK => {
                public_key = true;
                read::discard(&mut BodyReader::new(&mut *input, header.length, "a session key"))?;
            }
            PacketType::SEIPD | PacketType::AEAD | PacketType::SED
                if skesks.is_empty() && public_key =>
            {
                return Err(Error::PublicKeyOnly);
            }
            PacketType::SEIPD | PacketType::AEAD | PacketType::SED => return Ok((skesks, header)),
            _ => refuse_or_skip(input, header)?,
        }
    }
}

/// The cipher of a message in an older form, which its own packet does not tell.
pub fn stated_cipher(skesks: &[Skesk]) -> Option<Cipher> {
    skesks.iter().find_map(Skesk::message_cipher)
}

fn refuse_or_skip(input: &mut impl Read, header: Header) -> Result<()> {
    match header.packet {
        PacketType::LITERAL
        | PacketType::COMPRESSED
        | PacketType::ONE_PASS_SIGNATURE
        | PacketType::SIGNATURE => Err(Error::NotEncrypted),
        _ => literal::skip_filler(input, header, "an encrypted message"),
    }
}

fn small_body(input: &mut impl Read, header: Header) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    let reader = BodyReader::new(input, header.length, "a session key");
    reader.take(MAX_SKESK_BYTES as u64 + 1).read_to_end(&mut body)?;
    if body.len() > MAX_SKESK_BYTES {
        return Err(Error::Malformed { packet: header.packet, problem: "it is too long" });
    }
    Ok(body)
}
