// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What the fuzz targets do with any octets, for `rust/fuzz` and for the replay of its seeds. Nothing
//! may panic; what is opened must be what was sealed.

use std::io::{self, Write};

use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::body::BodyWriter;
use crate::chunks::Sealer;
use crate::compressed;
use crate::decryption::{DecryptOptions, Decryption};
use crate::error::Result;
use crate::inspect::inspect;
use crate::key::{KEY_BYTES, Key};
use crate::literal::Opened;
use crate::mdc;
use crate::message_key::twofish;
use crate::seipd::{ChunkSize, SeipdV2};

/// A well-formed packet for a passphrase: a salted hash, no session key in it, a tag of zeros.
const SKESK: [u8; 48] = {
    let mut packet = [0; 48];
    let head = [0xc3, 46, 6, 3 + 10 + 15, 10, 2, 10, 1, 8];
    packet.split_at_mut(head.len()).0.copy_from_slice(&head);
    packet
};

/// The same of the older form: a hash gives the key.
const OLDER_SKESK: [u8; 6] = [0xc3, 4, 4, 10, 0, 8];

fn session_key() -> Key {
    Key::copied(&[7; KEY_BYTES]).expect("the length of a key")
}

/// Armor and packets.
pub fn inspect_octets(octets: &[u8]) {
    if let Ok(report) = inspect(octets) {
        assert!(report.bytes <= octets.len() as u64);
    }
}

/// First as a message, then as the packets inside messages that are in order. What comes out of the two
/// is the same, and is no more than a compressed packet may hold.
pub fn open_octets(octets: &[u8]) {
    let _ = open(octets, &mut io::sink());
    if let (Ok(message), Ok(older)) = (wrapped(octets), wrapped_older(octets)) {
        let [chunks, mdc] = [message, older].map(|m| open(&m, &mut io::sink()).ok());
        assert_eq!(chunks, mdc);
        let most =
            compressed::FREE_BYTES + (compressed::MOST_TIMES + 1) * (octets.len() as u64 + 1);
        assert!(chunks.is_none_or(|opened| opened.bytes <= most));
    }
}

fn open(message: &[u8], output: &mut impl Write) -> Result<Opened> {
    let options = DecryptOptions { insecure_legacy: true, ..DecryptOptions::default() };
    Decryption::seekable_with(io::Cursor::new(message), options)?.run(session_key(), output)
}

/// The octets inside an encrypted packet of the older form.
fn wrapped_older(octets: &[u8]) -> io::Result<Vec<u8>> {
    let packet = BodyWriter::new(OLDER_SKESK.to_vec(), PacketType::SEIPD, None)?;
    let mut inside = mdc::Writer::new(packet, &twofish(&session_key()), &[9; 16])?;
    inside.write_all(octets)?;
    inside.finish()?.finish()
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
        for message in [wrapped(&literal), wrapped_older(&literal)] {
            let mut output = Vec::new();
            open(&message.unwrap(), &mut output).unwrap();
            assert_eq!(output, b"ok");
        }
    }
}
