// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What the fuzz targets do with any octets, for `rust/fuzz` and for the replay of its corpus. Nothing
//! may panic; what is opened must be what was sealed.

use std::io::{self, Write};

use zeroize::Zeroizing;

use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::body::BodyWriter;
use crate::chunks::Sealer;
use crate::inspect::inspect;
use crate::message::Decryption;
use crate::s2k::Key;
use crate::seipd::{ChunkSize, SeipdV2};

/// A well-formed packet for a passphrase: a salted hash, no session key in it, a tag of zeros.
const SKESK: [u8; 48] = {
    let mut packet = [0; 48];
    let head = [0xc3, 46, 6, 3 + 10 + 15, 10, 2, 10, 1, 8];
    packet.split_at_mut(head.len()).0.copy_from_slice(&head);
    packet
};

fn session_key() -> Key {
    Zeroizing::new([7; 32])
}

/// Armor and packets.
pub fn inspect_octets(octets: &[u8]) {
    if let Ok(report) = inspect(octets) {
        assert!(report.bytes <= octets.len() as u64);
    }
}

/// First as a message, then as the packets inside a message that is in order.
pub fn open_octets(octets: &[u8]) {
    open(octets, &mut io::sink());
    if let Ok(message) = wrapped(octets) {
        let mut output = Vec::new();
        open(&message, &mut output);
        assert!(output.len() <= octets.len());
    }
}

fn open(message: &[u8], output: &mut impl Write) {
    if let Ok(decryption) = Decryption::new(message) {
        let _ = decryption.run(&session_key(), output);
    }
}

/// The octets inside an encrypted packet with small chunks.
fn wrapped(octets: &[u8]) -> io::Result<Vec<u8>> {
    let chunk = ChunkSize::from_bytes(64).expect("64 is a size");
    let (cipher, mode) = (Cipher::TWOFISH_256, AeadMode::OCB);
    let header = SeipdV2 { cipher, mode, chunk, salt: [9; 32] };
    let mut packet = BodyWriter::new(SKESK.to_vec(), PacketType::SEIPD, None)?;
    packet.write_all(&header.to_bytes())?;
    let mut chunks = Sealer::new(packet, chunk, header.message_key(&session_key()));
    chunks.write_all(octets)?;
    chunks.finish()?.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise the fuzzer would stop at the first packet.
    #[test]
    fn what_is_wrapped_gets_to_the_output() {
        let literal = [0xcb, 8, b'b', 0, 0, 0, 0, 0, b'o', b'k'];
        let mut output = Vec::new();
        open(&wrapped(&literal).unwrap(), &mut output);
        assert_eq!(output, b"ok");
    }
}
