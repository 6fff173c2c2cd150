// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Files of mcrypt 2.6, which end in `.nc`: a header in the clear, then the data, their hash, and padding in the modes that
//! need it. No document has the format; it was found by trying the program.

use std::io::{self, Write};

use manyfish::modes::{Cfb, Ctr, Ofb, cbc, ecb};
use manyfish::{BLOCK_BYTES, Twofish, on_wiped_stack};
use zeroize::Zeroizing;

use crate::blocks::twofish;
use crate::kdf::Secret;
use crate::rest::Rest;
use crate::source::read;
use crate::{Error, Hash, Result, Source};

const MAGIC: &[u8] = b"\0m\x03";
/// Bits of the byte behind.
const SALTED: u8 = 0x40;
const WITHOUT_IV: u8 = 0x80;
/// No header is longer: it has four names and a salt.
const MOST_HEADER_BYTES: usize = 512;
const PIECE_BYTES: usize = 1 << 20;

/// A file whose header was read.
#[derive(Debug)]
pub struct Sealed<S> {
    source: S,
    key_bytes: usize,
    mode: Mode,
    key_mode: KeyMode,
    salt: Vec<u8>,
    hash: Hash,
    iv: [u8; BLOCK_BYTES],
    /// Where the encrypted data begins.
    offset: u64,
    n_bytes: u64,
}

/// By mcrypt's names: its cfb and ofb feed back a byte, ncfb and nofb a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Ecb,
    Cbc,
    Cfb8,
    Ofb8,
    Ofb,
    Ctr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyMode {
    /// SHA-1 of salt, passphrase and all hashes before.
    Hashed,
    /// The passphrase, and zeros.
    AsIs,
}

impl<S: Source> Sealed<S> {
    /// Whether a file begins as one of mcrypt does.
    #[must_use]
    pub fn is_one(beginning: &[u8]) -> bool {
        beginning.starts_with(MAGIC)
    }

    /// Reads the header.
    pub fn read(source: S) -> Result<Self> {
        let all = source.n_bytes()?;
        let n = MOST_HEADER_BYTES.min(usize::try_from(all).unwrap_or(usize::MAX));
        let mut beginning = vec![0; n];
        read(&source, &mut beginning, 0, WHAT)?;
        let mut rest = Rest::of(&beginning, WHAT);
        let magic = rest.take(MAGIC.len())?;
        if !Self::is_one(magic) {
            return Err(unknown("another format than that of mcrypt 2.6".into()));
        }
        let flags = rest.byte()?;
        let cipher = rest.name()?;
        let key_bytes = usize::from(u16::from_le_bytes(rest.array()?));
        let (mode, key_mode) = (rest.name()?, rest.name()?);
        if cipher != "twofish" {
            return Err(unknown(format!("the cipher {cipher:?}")));
        }
        let mode = Mode::named(mode).ok_or_else(|| unknown(format!("the mode {mode:?}")))?;
        let key_mode = KeyMode::named(key_mode)
            .ok_or_else(|| unknown(format!("the way {key_mode:?} from passphrase to key")))?;
        let salt_bytes = if flags & SALTED == 0 { 0 } else { usize::from(rest.byte()? & !1) };
        let salt = rest.take(salt_bytes)?.to_vec();
        let hash = rest.name()?;
        let hash = Hash::named(hash).map_err(|_| unknown(format!("the hash {hash:?}")))?;
        let mut iv = [0; BLOCK_BYTES];
        if mode != Mode::Ecb && flags & WITHOUT_IV == 0 {
            iv = rest.array()?;
        }
        if ![16, 24, 32].contains(&key_bytes) {
            return Err(unknown(format!("a key of {key_bytes} bytes")));
        }
        let offset = (n - rest.octets.len()) as u64;
        let n_bytes = all - offset;
        let sealed = Self { source, key_bytes, mode, key_mode, salt, hash, iv, offset, n_bytes };
        sealed.check_length()?;
        Ok(sealed)
    }

    /// There is a hash, and whole blocks where the mode needs them.
    fn check_length(&self) -> Result<()> {
        let hash_bytes = self.hash.bytes() as u64;
        let block = BLOCK_BYTES as u64;
        let fits = if self.mode.is_padded() {
            self.n_bytes.is_multiple_of(block) && self.n_bytes > hash_bytes
        } else {
            self.n_bytes >= hash_bytes
        };
        if fits { Ok(()) } else { Err(Error::Truncated { what: WHAT }) }
    }

    /// Its properties that need no passphrase, in lines.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let mode = format!("{:?}", self.mode).to_lowercase();
        let key = match self.key_mode {
            KeyMode::Hashed => "passphrase hashed with SHA-1 once: cheap to guess",
            KeyMode::AsIs => "which is the passphrase",
        };
        vec![
            format!("a file of mcrypt, {} encrypted bytes", self.n_bytes),
            format!("twofish-{mode}, a key of {} bits, {key}", 8 * self.key_bytes),
            format!("checked by {} of the data", self.hash),
        ]
    }

    /// Decrypts all and compares the hash. [`Error::WrongPassphrase`] if it differs: nobody can tell whether the file was
    /// altered.
    pub fn open(self, passphrase: &[u8]) -> Result<Opened<S>> {
        let key = on_wiped_stack(|| self.key(passphrase));
        let cipher = twofish(&key);
        let opened = Opened { sealed: self, cipher };
        opened.copy(&mut io::sink())?;
        Ok(opened)
    }

    fn key(&self, passphrase: &[u8]) -> Secret {
        let mut key = Zeroizing::new(Vec::with_capacity(2 * self.key_bytes + passphrase.len()));
        match self.key_mode {
            KeyMode::Hashed => {
                while key.len() < self.key_bytes {
                    let next = Hash::Sha1.of(&[&self.salt, passphrase, &key]);
                    key.extend_from_slice(&next);
                }
            }
            KeyMode::AsIs => key.extend_from_slice(passphrase),
        }
        key.resize(self.key_bytes, 0);
        key
    }
}

impl Mode {
    fn named(name: &str) -> Option<Self> {
        match name {
            "ecb" => Some(Self::Ecb),
            "cbc" => Some(Self::Cbc),
            "cfb" => Some(Self::Cfb8),
            "ofb" => Some(Self::Ofb8),
            "nofb" => Some(Self::Ofb),
            "ctr" => Some(Self::Ctr),
            _ => None,
        }
    }

    /// Whether padding fills the last block.
    fn is_padded(self) -> bool {
        matches!(self, Self::Ecb | Self::Cbc)
    }
}

impl KeyMode {
    fn named(name: &str) -> Option<Self> {
        match name {
            "mcrypt-sha1" => Some(Self::Hashed),
            "asis" => Some(Self::AsIs),
            _ => None,
        }
    }
}

/// A file whose hash was right under its key.
pub struct Opened<S> {
    sealed: Sealed<S>,
    cipher: Twofish,
}

impl<S: Source> Opened<S> {
    /// Writes the plain data.
    pub fn copy(&self, out: &mut impl Write) -> Result<()> {
        let sealed = &self.sealed;
        let mut decrypt = decryption(&self.cipher, sealed.mode, sealed.iv);
        let mut hash = sealed.hash.start();
        // The hash and a block of padding are held back: only the end tells where the data ends.
        let held = sealed.hash.bytes() + if sealed.mode.is_padded() { BLOCK_BYTES } else { 0 };
        let mut plain = Zeroizing::new(Vec::with_capacity(PIECE_BYTES + held));
        let mut done = 0;
        while done < sealed.n_bytes {
            let n = PIECE_BYTES.min(usize::try_from(sealed.n_bytes - done).unwrap_or(PIECE_BYTES));
            let start = plain.len();
            plain.resize(start + n, 0);
            sealed.source.read_exact_at(&mut plain[start..], sealed.offset + done)?;
            decrypt(&mut plain[start..]);
            done += n as u64;
            let certain = plain.len().saturating_sub(held);
            hash.update(&plain[..certain]);
            out.write_all(&plain[..certain]).map_err(Error::Write)?;
            plain.drain(..certain);
        }
        let n_bytes = sealed.data_bytes(&plain).ok_or(Error::WrongPassphrase)?;
        let (data, rest) = plain.split_at(n_bytes);
        hash.update(data);
        if !rest.starts_with(&hash.finalize()) {
            return Err(Error::WrongPassphrase);
        }
        out.write_all(data).map_err(Error::Write)
    }
}

impl<S> Sealed<S> {
    /// How many bytes of the end are data. The last byte of a padded file says how many bytes of its block are none of
    /// padding.
    fn data_bytes(&self, end: &[u8]) -> Option<usize> {
        let padding = if self.mode.is_padded() {
            BLOCK_BYTES.checked_sub((*end.last()?).into()).filter(|n| *n > 0)?
        } else {
            0
        };
        end.len().checked_sub(padding)?.checked_sub(self.hash.bytes())
    }
}

type Decryption<'a> = Box<dyn FnMut(&mut [u8]) + 'a>;

const WHOLE: &str = "whole blocks";
const ANY: &str = "any length";

/// Decrypts pieces in their order; all but the last have whole blocks.
fn decryption(cipher: &Twofish, mode: Mode, mut iv: [u8; BLOCK_BYTES]) -> Decryption<'_> {
    match mode {
        Mode::Ecb => Box::new(|data| ecb::decrypt(cipher, data).expect(WHOLE)),
        Mode::Cbc => Box::new(move |data| cbc::decrypt(cipher, &mut iv, data).expect(WHOLE)),
        Mode::Ofb8 => Box::new(move |data| ofb8(cipher, &mut iv, data)),
        Mode::Cfb8 => {
            let mut stream = Cfb::new(cipher, &iv, 8).expect("a byte");
            Box::new(move |data| stream.decrypt(data).expect(ANY))
        }
        Mode::Ofb => {
            let mut stream = Ofb::new(cipher, &iv).expect(ANY);
            Box::new(move |data| stream.crypt(data).expect(ANY))
        }
        Mode::Ctr => {
            let mut stream = Ctr::new(cipher, &iv, 128).expect("the block");
            Box::new(move |data| stream.crypt(data).expect(ANY))
        }
    }
}

/// OFB of bytes, which the standard no longer has: a block for each.
fn ofb8(cipher: &Twofish, register: &mut [u8; BLOCK_BYTES], data: &mut [u8]) {
    for octet in data {
        let mut block = *register;
        ecb::encrypt(cipher, &mut block).expect(WHOLE);
        *octet ^= block[0];
        register.rotate_left(1);
        register[BLOCK_BYTES - 1] = block[0];
    }
}

/// Shows no key.
impl<S> std::fmt::Debug for Opened<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").finish_non_exhaustive()
    }
}

impl<'a> Rest<'a> {
    /// Up to a zero.
    fn name(&mut self) -> Result<&'a str> {
        let end = self.octets.iter().position(|octet| *octet == 0);
        let name = self.take(end.ok_or_else(|| self.truncated())?)?;
        self.byte()?;
        str::from_utf8(name).map_err(|_| unknown("a name that is no text".into()))
    }
}

const WHAT: &str = "file of mcrypt";

fn unknown(what: String) -> Error {
    Error::Unknown(what, "mcrypt opens it")
}
