// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The encrypted packet, version 1 [RFC9580, 5.13.1]: CFB over a random prefix, the packets inside, and
//! a SHA-1 of all that, the modification detection code (MDC).
//!
//! The code stands at the end, so a reader goes over the data twice: `verify` checks it and remembers the
//! hash at each mile stone, `Reader` gives out what it verified, a piece at a time and only while the
//! hashes are the same. An attacker who changes the input between the two gets an error, and no plaintext.

use std::io::{self, Read, Write};

use manyfish::Twofish;
use manyfish::modes::Cfb;
use sha1::{Digest, Sha1};
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::pool::{self, Pool};
use crate::read;

pub const VERSION: u8 = 1;
const BLOCK: usize = 16;
/// A random block, and its last two octets once more.
pub const PREFIX_BYTES: usize = BLOCK + 2;
/// Packet type 19, and its length.
const MDC_HEADER: [u8; 2] = [0xd3, 20];
const MDC_BYTES: usize = MDC_HEADER.len() + 20;
/// The octets that the form adds to the packets inside.
pub const OVERHEAD_BYTES: u64 = (1 + PREFIX_BYTES + MDC_BYTES) as u64;
/// The octets that a core decrypts at a time, and between two mile stones.
const PIECE_BYTES: usize = crate::piece(1 << 20);
/// Pieces between the threads, which bounds the memory.
const MOST_IN_FLIGHT: usize = 24;
/// Encryption goes one block after the other, a buffer at a time.
const BUFFER_BYTES: usize = crate::piece(64 << 10);
const WHAT: &str = "its modification detection code";

pub type Prefix = [u8; PREFIX_BYTES];
type Hash = [u8; 20];

pub fn cfb(cipher: &Twofish, iv: &[u8; BLOCK]) -> Cfb {
    Cfb::new(cipher, iv, 128).expect("the mode of a block")
}

/// Whether the decrypted prefix repeats its two octets: under a wrong key one in 65,536 does.
pub fn is_prefix(cipher: &Twofish, prefix: &Prefix) -> bool {
    let mut plain = Zeroizing::new(*prefix);
    cfb(cipher, &[0; BLOCK]).decrypt(&mut plain[..]).expect("no length is too long");
    plain[BLOCK - 2..BLOCK] == plain[BLOCK..]
}

/// Encrypts what is written into it. `finish` must be called.
pub struct Writer<W> {
    output: W,
    cfb: Cfb,
    sha1: Sha1,
    buffer: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Begins with the version and the prefix, made of a random block.
    pub fn new(mut output: W, cipher: &Twofish, random: &[u8; BLOCK]) -> io::Result<Self> {
        output.write_all(&[VERSION])?;
        let buffer = Vec::with_capacity(BUFFER_BYTES);
        let cfb = cfb(cipher, &[0; BLOCK]);
        let mut writer = Self { output, cfb, sha1: Sha1::new(), buffer };
        writer.write_all(random)?;
        writer.write_all(&random[BLOCK - 2..])?;
        Ok(writer)
    }

    /// Ends with the hash of everything, its own packet header included.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_all(&MDC_HEADER)?;
        self.encrypt_buffer()?;
        let hash = self.sha1.finalize_reset();
        self.write_all(&hash)?;
        self.encrypt_buffer()?;
        Ok(self.output)
    }

    fn encrypt_buffer(&mut self) -> io::Result<()> {
        self.sha1.update(&self.buffer[..]);
        self.cfb.encrypt(&mut self.buffer).expect("no length is too long");
        self.output.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        if self.buffer.len() == BUFFER_BYTES {
            self.encrypt_buffer()?;
        }
        let n = data.len().min(BUFFER_BYTES - self.buffer.len());
        self.buffer.extend_from_slice(&data[..n]);
        Ok(n)
    }

    /// Nothing to do: what is buffered goes out when the buffer is full, or at the end.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W> std::fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

/// A piece of ciphertext, decrypted in place, and the block of ciphertext before it.
struct Piece {
    before: [u8; BLOCK],
    data: Vec<u8>,
}

/// Decrypts what it reads, piece by piece, on all cores, and hashes it.
struct Pieces<R> {
    input: R,
    pool: Pool<Piece>,
    before: [u8; BLOCK],
    /// Set where the input ended or failed; told after all that came before.
    end: Option<Result<()>>,
    sha1: Sha1,
    /// The last octets so far, perhaps the code, which is not hashed.
    tail: Vec<u8>,
}

impl<R: Read> Pieces<R> {
    fn new(input: R, cipher: &Twofish) -> Self {
        let cipher = cipher.clone();
        let work = move |piece: &mut Piece| {
            cfb(&cipher, &piece.before).decrypt(&mut piece.data).expect("no length is too long");
        };
        let pool = Pool::new(pool::workers(), MOST_IN_FLIGHT, work);
        Self { input, pool, before: [0; BLOCK], end: None, sha1: Sha1::new(), tail: Vec::new() }
    }

    fn read_piece(&mut self) {
        let mut data = Vec::with_capacity(PIECE_BYTES + BLOCK);
        let read = self.input.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut data);
        if let Err(error) = read {
            self.end = Some(Err(error.into()));
            return;
        }
        if data.len() < PIECE_BYTES {
            self.end = Some(Ok(()));
        }
        let before = self.before;
        if let Some(last) = data.last_chunk() {
            self.before = *last;
        }
        self.pool.submit(Piece { before, data });
    }

    /// The next octets that cannot belong to the code, and the hash of all up to their end; `None` at
    /// the end of the input.
    fn next(&mut self) -> Result<Option<(Vec<u8>, Hash)>> {
        while self.end.is_none() && !self.pool.is_full() && !self.pool.is_oldest_done() {
            self.read_piece();
        }
        let Some(piece) = self.pool.next() else {
            return self.end.replace(Ok(())).unwrap_or(Ok(())).map(|()| None);
        };
        let mut data = [std::mem::take(&mut self.tail), piece.data].concat();
        self.tail = data.split_off(data.len().saturating_sub(MDC_BYTES));
        self.sha1.update(&data[..]);
        Ok(Some((data, self.sha1.clone().finalize().into())))
    }
}

/// The result of `verify`: the hash at each mile stone.
pub struct Verified {
    hashes: Vec<Hash>,
}

/// Reads all of the body after its version, and checks the code at its end. All faults give one error:
/// an attacker who alters messages and sees the answers must not learn more.
pub fn verify(input: impl Read, cipher: &Twofish) -> Result<Verified> {
    let mut pieces = Pieces::new(input, cipher);
    let (mut hashes, mut octets) = (Vec::new(), 0);
    while let Some((data, hash)) = pieces.next()? {
        octets += data.len();
        hashes.push(hash);
    }
    if octets < PREFIX_BYTES || pieces.tail.len() < MDC_BYTES {
        return Err(Error::Truncated(WHAT));
    }
    pieces.sha1.update(MDC_HEADER);
    let expected = [&MDC_HEADER[..], &pieces.sha1.finalize()].concat();
    let differ = expected.iter().zip(&pieces.tail).fold(0, |bits, (a, b)| bits | (a ^ b));
    if differ == 0 { Ok(Verified { hashes }) } else { Err(Error::WrongOrAltered) }
}

/// Reads the same body again, and gives out the packets inside.
pub struct Reader<R> {
    pieces: Pieces<R>,
    hashes: std::vec::IntoIter<Hash>,
    ready: Vec<u8>,
    position: usize,
    /// Octets of the prefix that are still to be passed over.
    prefix: usize,
}

impl<R: Read> Reader<R> {
    pub fn new(input: R, cipher: &Twofish, verified: Verified) -> Self {
        let (pieces, hashes) = (Pieces::new(input, cipher), verified.hashes.into_iter());
        Self { pieces, hashes, ready: Vec::new(), position: 0, prefix: PREFIX_BYTES }
    }

    /// `false` at the end. A piece with another hash than the first time never comes out.
    fn refill(&mut self) -> Result<bool> {
        self.ready.clear();
        self.position = 0;
        match (self.pieces.next()?, self.hashes.next()) {
            (None, None) => return Ok(false),
            (Some((data, hash)), Some(expected)) if hash == expected => self.ready = data,
            _ => return Err(Error::InputChanged),
        }
        self.position = self.prefix.min(self.ready.len());
        self.prefix -= self.position;
        Ok(true)
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.position == self.ready.len() {
            if buffer.is_empty() || !self.refill()? {
                return Ok(0);
            }
        }
        let n = buffer.len().min(self.ready.len() - self.position);
        buffer[..n].copy_from_slice(&self.ready[self.position..][..n]);
        self.position += n;
        Ok(n)
    }
}

/// Reads the prefix, as it stands encrypted in front.
pub fn read_prefix(input: &mut impl Read) -> Result<Prefix> {
    let mut prefix = [0; PREFIX_BYTES];
    read::exact(input, &mut prefix, "the encrypted data")?;
    Ok(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Twofish {
        Twofish::new(&[3; 32]).unwrap()
    }

    fn pattern(size: usize) -> Vec<u8> {
        (0..251).cycle().take(size).collect()
    }

    /// The body after its version.
    fn sealed(file: &[u8]) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new(), &key(), &[9; 16]).unwrap();
        writer.write_all(file).unwrap();
        writer.finish().unwrap()[1..].to_vec()
    }

    fn opened(body: &[u8], again: &[u8]) -> Result<Vec<u8>> {
        let verified = verify(body, &key())?;
        let mut file = Vec::new();
        Reader::new(again, &key(), verified).read_to_end(&mut file)?;
        Ok(file)
    }

    #[test]
    fn sizes_around_the_borders_come_back() {
        let border = PIECE_BYTES - PREFIX_BYTES;
        for size in [0, 1, 15, 65_518, 65_519, border - 22, border, border + 1, 3 * PIECE_BYTES] {
            let (file, body) = (pattern(size), sealed(&pattern(size)));
            assert_eq!(body.len() as u64 + 1, size as u64 + OVERHEAD_BYTES);
            assert!(is_prefix(&key(), body[..PREFIX_BYTES].try_into().unwrap()));
            assert!(opened(&body, &body).unwrap() == file, "size {size}");
        }
    }

    #[test]
    fn no_octet_can_change_or_go() {
        let body = sealed(&pattern(50));
        for at in 0..body.len() {
            let mut altered = body.clone();
            altered[at] ^= 4;
            let error = opened(&altered, &altered).unwrap_err();
            assert!(matches!(error, Error::WrongOrAltered), "octet {at}: {error}");
            let error = opened(&body[..at], &[]).unwrap_err();
            let cut = matches!(error, Error::Truncated(_) | Error::WrongOrAltered);
            assert!(cut, "cut at {at}: {error}");
        }
    }

    /// Data that changes between the two readings stays inside, from its piece on.
    #[test]
    fn the_second_reading_gives_out_what_the_first_verified() {
        let file = pattern(3 * PIECE_BYTES);
        let body = sealed(&file);
        for at in [0, 20, PIECE_BYTES + 5, 3 * PIECE_BYTES] {
            let mut altered = body.clone();
            altered[at] ^= 4;
            let verified = verify(&body[..], &key()).unwrap();
            let (mut reader, mut out) = (Reader::new(&altered[..], &key(), verified), Vec::new());
            let error = Error::from(reader.read_to_end(&mut out).unwrap_err());
            assert!(matches!(error, Error::InputChanged), "octet {at}");
            assert!(file.starts_with(&out), "octet {at}");
        }
        let longer = [&body[..], &vec![0; PIECE_BYTES]].concat();
        assert!(matches!(opened(&body, &longer), Err(Error::InputChanged)));
        let shorter = &body[..2 * PIECE_BYTES];
        assert!(matches!(opened(&body, shorter), Err(Error::InputChanged)));
    }
}
