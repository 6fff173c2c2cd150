// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The checksum of armor [RFC9580, 6.1.1].

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

/// The remainder that each octet at the top of the checksum leaves when it is divided away.
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
