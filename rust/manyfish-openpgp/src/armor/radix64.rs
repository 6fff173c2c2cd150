// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Base64 and its checksum [RFC9580, 6.1.1, 6.2].

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
pub const PAD: u8 = b'=';
pub const CRC24_START: u32 = 0x00b7_04ce;
const CRC24_GENERATOR: u32 = 0x0186_4cfb;
const CRC24_TABLE: [u32; 256] = crc24_table();

/// The checksum so far, over further octets.
pub fn crc24(checksum: u32, octets: &[u8]) -> u32 {
    octets.iter().fold(checksum, |checksum, &octet| {
        let index = checksum.to_be_bytes()[1] ^ octet;
        checksum << 8 & 0x00ff_ffff ^ CRC24_TABLE[usize::from(index)]
    })
}

/// What each octet at the top of the checksum leaves behind when it is divided away.
const fn crc24_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut top: u32 = 0;
    while top < 256 {
        let mut rest = top << 16;
        let mut bit = 0;
        while bit < 8 {
            rest <<= 1;
            if rest & 0x0100_0000 != 0 {
                rest ^= CRC24_GENERATOR;
            }
            bit += 1;
        }
        table[top as usize] = rest;
        top += 1;
    }
    table
}

/// One to three octets as four characters.
pub fn encode(octets: &[u8]) -> [u8; 4] {
    let mut wide = [0; 4];
    wide[1..=octets.len()].copy_from_slice(octets);
    let bits = u32::from_be_bytes(wide);
    let mut text = [PAD; 4];
    for (i, character) in text.iter_mut().take(octets.len() + 1).enumerate() {
        *character = ALPHABET[(bits >> (18 - 6 * i)) as usize & 63];
    }
    text
}

/// Four characters as one to three octets; `None` unless `encode` gives just these characters.
pub fn decode(text: [u8; 4]) -> Option<Vec<u8>> {
    let padding = text.iter().rev().take_while(|&&character| character == PAD).count();
    let mut bits = 0;
    for &character in &text {
        bits = bits << 6 | if character == PAD { 0 } else { value(character)? };
    }
    let octets = bits.to_be_bytes()[1..].get(..3usize.checked_sub(padding)?)?.to_vec();
    (!octets.is_empty() && encode(&octets) == text).then_some(octets)
}

fn value(character: u8) -> Option<u32> {
    Some(u32::from(match character {
        b'A'..=b'Z' => character - b'A',
        b'a'..=b'z' => character - b'a' + 26,
        b'0'..=b'9' => character - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}
