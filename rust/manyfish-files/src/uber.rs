// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keystores UBER of Bouncy Castle: a salt, a number of iterations, and entries with their SHA-1, under Twofish in CBC. Keys
//! are encrypted once more, each by itself, under Triple-DES. No document has the format; it was found by trying.

use std::fmt;

use manyfish::modes::cbc;
use manyfish::{BLOCK_BYTES, BlockCipher, Des, on_wiped_stack};
use manyfish_openpgp::Limits;
use sha1::{Digest, Sha1};
use zeroize::Zeroizing;

use crate::blocks::twofish;
use crate::error::within;
use crate::kdf::{Secret, copied, secret};
use crate::rest::Rest;
use crate::{Error, Result};

/// Version 0 derives keys by mistake in another way; 1 and 2 differ in their number alone.
const VERSIONS: [u32; 3] = [0, 1, 2];
const SALT_BYTES: u32 = 20;
const DIGEST_BYTES: usize = 20;
/// A block of SHA-1.
const V: usize = 64;

/// A keystore as it lies on the disk.
#[derive(Debug)]
pub struct Sealed<'a> {
    derivation: Derivation,
    encrypted: Encrypted<'a>,
}

impl<'a> Sealed<'a> {
    /// Whether a file may be one: it has a version and the length of a salt, then whole blocks. A keystore BKS begins in
    /// the same way.
    #[must_use]
    pub fn may_be(beginning: [u8; 8], n_bytes: u64) -> bool {
        let word = |i: usize| u32::from_be_bytes(beginning[i..i + 4].try_into().expect("4 bytes"));
        let head = 4 + 4 + u64::from(SALT_BYTES) + 4;
        VERSIONS.contains(&word(0))
            && word(4) == SALT_BYTES
            && n_bytes > head
            && (n_bytes - head).is_multiple_of(BLOCK_BYTES as u64)
    }

    /// The parts of a file.
    pub fn read(file: &'a [u8]) -> Result<Self> {
        let mut rest = Rest::of(file, WHAT);
        let version = rest.word()?;
        if !VERSIONS.contains(&version) {
            return Err(unknown(&format!("version {version}")));
        }
        let derivation = if version == 0 { Derivation::Faulty } else { Derivation::Pkcs12 };
        Ok(Self { derivation, encrypted: Encrypted::read(rest.octets)? })
    }

    /// Its properties that need no passphrase, in lines.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let Encrypted { iterations, body, .. } = &self.encrypted;
        vec![
            format!("maybe a keystore UBER of Bouncy Castle, {} encrypted bytes", body.len()),
            format!("twofish-cbc, passphrase stretched by SHA-1, {iterations} times"),
        ]
    }

    /// The cost of trying a passphrase.
    #[must_use]
    pub fn asks_for(&self) -> Limits {
        self.encrypted.cost(32)
    }

    /// Opens it; the keys in it stay encrypted. [`Error::OverLimits`] comes before any work, or once it is known how many
    /// keys there are: the limits are for trying the passphrase on all of them.
    pub fn open(&self, passphrase: &str, limits: &Limits) -> Result<Keystore> {
        within(self.asks_for(), limits)?;
        let plain =
            on_wiped_stack(|| self.encrypted.decrypt(passphrase, 32, self.derivation, twofish));
        let plain = plain.ok_or(Error::WrongPassphrase)?;
        let (entries, digest) =
            plain.split_last_chunk::<DIGEST_BYTES>().ok_or(Error::WrongPassphrase)?;
        if *Sha1::digest(entries) != *digest {
            return Err(Error::WrongPassphrase);
        }
        let entries = parse(entries)?;
        let mut asked = self.asks_for();
        for entry in &entries {
            if let Content::Sealed(key) = &entry.content {
                asked = asked.and(key.asks_for()?);
            }
        }
        within(asked, limits)?;
        Ok(Keystore { entries })
    }
}

/// An opened keystore, whose digest was right.
#[derive(Debug)]
pub struct Keystore {
    /// Its entries, in their order.
    pub entries: Vec<Entry>,
}

/// A key or a certificate under its name.
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub alias: String,
    /// The certificates of a private key, its own first, in DER; their types.
    pub chain: Vec<Certificate>,
    /// The thing itself.
    pub content: Content,
}

/// A certificate.
#[derive(Debug)]
pub struct Certificate {
    /// Such as "X.509".
    pub kind: String,
    /// As that kind has it; X.509 in DER.
    pub octets: Vec<u8>,
}

/// The content of an entry.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Content {
    Certificate(Certificate),
    Key(Key),
    /// A key under a passphrase of its own, which usually is that of the keystore.
    Sealed(SealedKey),
}

/// A key.
pub struct Key {
    /// Private, public or secret.
    pub kind: &'static str,
    /// Such as "EC" and "AES".
    pub algorithm: String,
    /// PKCS #8 of a private key, X.509 of a public one, the octets of a secret one.
    pub octets: Secret,
}

/// Shows no secret.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, algorithm, .. } = self;
        f.debug_struct("Key")
            .field("kind", kind)
            .field("algorithm", algorithm)
            .finish_non_exhaustive()
    }
}

/// An encrypted key.
#[derive(Debug)]
pub struct SealedKey(Vec<u8>);

impl SealedKey {
    /// The cost of trying a passphrase: three times, since releases differ.
    pub fn asks_for(&self) -> Result<Limits> {
        let once = Encrypted::read(&self.0)?.cost(24);
        Ok(once.and(once).and(once))
    }

    /// Opens it. [`Error::OverLimits`] comes before any work.
    pub fn open(&self, passphrase: &str, limits: &Limits) -> Result<Key> {
        let encrypted = Encrypted::read(&self.0)?;
        within(self.asks_for()?, limits)?;
        let key = on_wiped_stack(|| {
            let key =
                |derivation, new: fn(&[u8]) -> Des| encrypted.key(passphrase, derivation, new);
            key(Derivation::Pkcs12, des)
                .or_else(|| key(Derivation::Pkcs12, des_with_faulty_parity))
                .or_else(|| key(Derivation::Faulty, des_with_faulty_parity))
        });
        key.ok_or(Error::WrongPassphrase)
    }
}

fn des(key: &[u8]) -> Des {
    Des::new(key).expect("24 bytes")
}

/// Under a key as old releases made it, with more than a bit of parity in each octet.
fn des_with_faulty_parity(key: &[u8]) -> Des {
    let mut key = copied(key);
    for octet in &mut *key {
        let signed = octet.cast_signed();
        let parity = (1..8).fold(1, |sum, n| sum ^ (signed >> n));
        *octet = (signed & !1 | parity).cast_unsigned();
    }
    des(&key)
}

/// Salt, iterations, and what is encrypted under a passphrase.
#[derive(Debug)]
struct Encrypted<'a> {
    salt: &'a [u8],
    iterations: u32,
    body: &'a [u8],
}

impl<'a> Encrypted<'a> {
    fn read(octets: &'a [u8]) -> Result<Self> {
        let mut rest = Rest::of(octets, WHAT);
        let salt = rest.counted()?;
        let iterations = rest.word()?;
        if salt.is_empty() {
            Err(unknown("no salt"))
        } else {
            Ok(Self { salt, iterations, body: rest.octets })
        }
    }

    /// A hash of a block for each iteration of each part of the key, and of the IV.
    fn cost(&self, key_bytes: usize) -> Limits {
        let parts = key_bytes.div_ceil(DIGEST_BYTES) as u64 + 1;
        Limits::hash(V as u64 * parts * u64::from(self.iterations))
    }

    /// A key of the keystore, if the passphrase fits, which nothing but the form of the key tells.
    fn key(&self, passphrase: &str, derivation: Derivation, new: fn(&[u8]) -> Des) -> Option<Key> {
        let plain = self.decrypt(passphrase, 24, derivation, new)?;
        let mut rest = Rest::of(&plain, WHAT);
        rest.key().ok().filter(|_| rest.octets.is_empty())
    }

    /// `None` if padding and passphrase do not fit.
    fn decrypt<C: BlockCipher>(
        &self,
        passphrase: &str,
        key_bytes: usize,
        derivation: Derivation,
        new: impl FnOnce(&[u8]) -> C,
    ) -> Option<Zeroizing<Vec<u8>>> {
        let mut text: Secret = Zeroizing::new(Vec::with_capacity(2 * passphrase.len() + 2));
        text.extend(passphrase.encode_utf16().chain([0]).flat_map(u16::to_be_bytes));
        let key = self.octets(1, &text, key_bytes, derivation);
        let iv = self.octets(2, &text, C::BLOCK_BYTES, derivation);
        let mut first = C::Block::default();
        first.as_mut().copy_from_slice(&iv);
        let mut plain = Zeroizing::new(self.body.to_vec());
        cbc::decrypt_padded(&new(&key), &mut first, &mut plain).ok()?;
        Some(plain)
    }

    /// Octets of a passphrase for a purpose: 1 is a key, 2 an IV.
    fn octets(&self, id: u8, passphrase: &[u8], n_bytes: usize, derivation: Derivation) -> Secret {
        let lengths = [self.salt, passphrase].map(|text| text.len().next_multiple_of(V));
        let mut i = secret(lengths[0] + lengths[1]);
        let filled = [self.salt, passphrase].into_iter().zip(lengths);
        let filled = filled.flat_map(|(text, n)| text.iter().cycle().take(n));
        i.iter_mut().zip(filled).for_each(|(to, from)| *to = *from);
        let mut b = secret(V);
        let mut out = secret(n_bytes);
        for (part, number) in out.chunks_mut(DIGEST_BYTES).zip(1..) {
            let mut a = Sha1::new().chain_update([id; V]).chain_update(&i).finalize();
            for _ in 1..self.iterations {
                a = Sha1::digest(a);
            }
            part.copy_from_slice(&a[..part.len()]);
            match derivation {
                Derivation::Pkcs12 => {
                    b.iter_mut().zip(a.iter().cycle()).for_each(|(to, from)| *to = *from);
                }
                Derivation::Faulty => b[number] = a[(V - 1) % DIGEST_BYTES],
            }
            i.chunks_exact_mut(V).for_each(|block| add_and_1(block, &b));
        }
        out
    }
}

/// How octets are made of a passphrase.
#[derive(Clone, Copy, Debug)]
enum Derivation {
    /// \[RFC7292, B.2\]
    Pkcs12,
    /// The same, where B has one octet for each part so far, and else zeros.
    Faulty,
}

/// Numbers with the highest octet first.
fn add_and_1(block: &mut [u8], b: &[u8]) {
    let mut carry = 1;
    for (octet, added) in block.iter_mut().zip(b).rev() {
        carry += u16::from(*octet) + u16::from(*added);
        *octet = carry.to_le_bytes()[0];
        carry >>= 8;
    }
}

/// All entries up to a zero.
pub(crate) fn parse(octets: &[u8]) -> Result<Vec<Entry>> {
    let mut rest = Rest::of(octets, WHAT);
    let mut entries = Vec::new();
    loop {
        match rest.byte()? {
            0 => return Ok(entries),
            kind => entries.push(rest.entry(kind)?),
        }
    }
}

/// In Java's form: numbers with the highest octet first, texts behind their lengths.
impl<'a> Rest<'a> {
    fn word(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// Octets behind their number.
    fn counted(&mut self) -> Result<&'a [u8]> {
        let n = self.word()?;
        self.take(n.try_into().unwrap_or(usize::MAX))
    }

    fn text(&mut self) -> Result<String> {
        let n = u16::from_be_bytes(self.array()?);
        Ok(String::from_utf8_lossy(self.take(n.into())?).into_owned())
    }

    fn entry(&mut self, kind: u8) -> Result<Entry> {
        let alias = self.text()?;
        let _date = self.take(8)?;
        let n = self.word()?;
        let chain = (0..n).map(|_| self.certificate()).collect::<Result<_>>()?;
        let content = match kind {
            1 => Content::Certificate(self.certificate()?),
            2 => Content::Key(self.key()?),
            3 | 4 => Content::Sealed(SealedKey(self.counted()?.to_vec())),
            _ => return Err(unknown("an entry of another form")),
        };
        Ok(Entry { alias, chain, content })
    }

    fn certificate(&mut self) -> Result<Certificate> {
        Ok(Certificate { kind: self.text()?, octets: self.counted()?.to_vec() })
    }

    fn key(&mut self) -> Result<Key> {
        let kinds = ["private", "public", "secret"];
        let kind = *kinds.get(usize::from(self.byte()?)).ok_or_else(|| unknown("another key"))?;
        let _format = self.text()?;
        let algorithm = self.text()?;
        Ok(Key { kind, algorithm, octets: copied(self.counted()?) })
    }
}

const WHAT: &str = "keystore";

fn unknown(what: &str) -> Error {
    Error::Unknown(what.into(), "Bouncy Castle opens it")
}
