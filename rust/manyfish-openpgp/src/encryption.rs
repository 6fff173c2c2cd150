// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A whole message written: a stream encrypted under a passphrase, in the form of RFC 9580 or in the
//! older one.

use std::fmt;
use std::io::{self, Read, Write};

use manyfish::{Twofish, on_wiped_stack};

use crate::algorithm::{AeadMode, Cipher, Hash, PacketType};
use crate::armor::ArmorWriter;
use crate::body::BodyWriter;
use crate::chunks::Sealer;
use crate::error::{Error, Result};
use crate::key::Key;
use crate::message_key::{MessageKey, twofish};
use crate::s2k::{Argon2Cost, S2k};
use crate::seipd::{ChunkSize, SeipdV2};
use crate::skesk::{SkeskV4, SkeskV6};
use crate::{NONCE_BYTES, literal, mdc, read};

/// The largest count of an iterated hash: 62 MiB, as GnuPG takes on a fast machine.
const MOST_ITERATED: u8 = 255;

/// The form of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// That of RFC 9580, of 2024: Argon2id, and chunks in OCB, each with a tag.
    #[default]
    Rfc9580,
    /// That of 2007, for programs that know no other: an iterated hash, CFB, and one SHA-1 inside at
    /// the end of it all (MDC). A passphrase is tried faster, and the cipher goes one block after the
    /// other.
    Rfc4880,
}

/// How to write a message: [`Settings::new`] gives the defaults, and each field can be set.
///
/// ```
/// use manyfish_openpgp::{ChunkSize, Settings, encrypt};
///
/// let mut settings = Settings::new()?;
/// settings.armor = true;
/// settings.chunk = ChunkSize::from_bytes(64 << 10).expect("a power of two within the limits");
/// let message = encrypt(b"correct horse", settings, &b"battery"[..], Vec::new())?;
/// assert!(message.starts_with(b"-----BEGIN PGP MESSAGE-----"));
/// # Ok::<(), manyfish_openpgp::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The form of the message.
    pub format: Format,
    /// Octets of plaintext in a chunk: 1 MiB. The older form has no chunks.
    pub chunk: ChunkSize,
    /// How the passphrase becomes a key, with the salt: Argon2id over 64 MiB, and in the older form
    /// SHA-256 over 62 MiB. A salt belongs to one message, hence to one `Settings`.
    pub s2k: S2k,
    /// Text that survives e-mail instead of binary: no.
    pub armor: bool,
}

impl Settings {
    /// The defaults, with a fresh salt. Fails with [`Error::Random`] where the system gives none.
    pub fn new() -> Result<Self> {
        Self::of(Format::Rfc9580)
    }

    /// The defaults of a form, with a fresh salt. Fails as [`Settings::new`] does.
    ///
    /// ```
    /// use manyfish_openpgp::{Format, Settings, decrypt, encrypt};
    ///
    /// let settings = Settings::of(Format::Rfc4880)?; // for a reader with GnuPG
    /// let message = encrypt(b"correct horse", settings, &b"battery"[..], Vec::new())?;
    /// assert_eq!(decrypt(b"correct horse", &message[..], &mut Vec::new())?.bytes, 7);
    /// # Ok::<(), manyfish_openpgp::Error>(())
    /// ```
    pub fn of(format: Format) -> Result<Self> {
        let s2k = match format {
            Format::Rfc9580 => S2k::Argon2(Argon2Cost::recommended(random()?)),
            Format::Rfc4880 => {
                S2k::Iterated { hash: Hash::SHA256, salt: random()?, count: MOST_ITERATED }
            }
        };
        Ok(Self { format, chunk: ChunkSize::DEFAULT, s2k, armor: false })
    }
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut octets = [0; N];
    getrandom::fill(&mut octets).map_err(Error::Random)?;
    Ok(octets)
}

/// Encrypts all of `input` under a passphrase into `output`, and gives the output back.
///
/// # Errors
/// [`Error::Read`] and [`Error::Write`] as input and output fail, [`Error::Random`], and the errors of
/// settings of one's own ([`Error::Argon2`] and its neighbours).
pub fn encrypt<W: Write>(
    passphrase: &[u8],
    settings: Settings,
    input: impl Read,
    output: W,
) -> Result<W> {
    Encryption::new(passphrase, settings)?.run(input, None, output)
}

/// A message under a passphrase, whose header is ready to be written; the slow part is done.
///
/// ```
/// use manyfish_openpgp::{Encryption, Settings};
///
/// let file = b"battery";
/// let encryption = Encryption::new(b"correct horse", Settings::new()?)?;
/// let message = encryption.run(&file[..], Some(file.len() as u64), Vec::new())?;
/// # Ok::<(), manyfish_openpgp::Error>(())
/// ```
pub struct Encryption {
    /// The body of the packet with the session key, or with what leads to it.
    skesk: Vec<u8>,
    data: Data,
    armor: bool,
}

/// The encrypted packet, by its form, with the key expanded for it.
#[derive(Debug)]
enum Data {
    Chunks(SeipdV2, MessageKey),
    /// With the random block in front.
    Mdc([u8; 16], Twofish),
}

impl Encryption {
    /// Makes the session key and encrypts it under the passphrase, which takes as long as the settings
    /// ask for. Fails as [`encrypt`] does, before anything is written.
    pub fn new(passphrase: &[u8], settings: Settings) -> Result<Self> {
        let Settings { format, chunk, s2k, armor } = settings;
        on_wiped_stack(|| match format {
            Format::Rfc9580 => Self::rfc9580(passphrase, s2k, chunk, armor),
            Format::Rfc4880 => Self::rfc4880(passphrase, s2k, armor),
        })
    }

    fn rfc9580(passphrase: &[u8], s2k: S2k, chunk: ChunkSize, armor: bool) -> Result<Self> {
        let session_key = Key::random()?;
        let nonce: [u8; NONCE_BYTES] = random()?;
        let skesk = SkeskV6::seal(s2k, nonce, passphrase, &session_key)?.to_bytes();
        let (cipher, mode) = (Cipher::TWOFISH_256, AeadMode::OCB);
        let seipd = SeipdV2 { cipher, mode, chunk, salt: random()? };
        let data = Data::Chunks(seipd, seipd.message_key(&session_key));
        Ok(Self { skesk, data, armor })
    }

    /// The passphrase gives the key of the message itself, as most programs have it; the salt makes
    /// it fresh.
    fn rfc4880(passphrase: &[u8], s2k: S2k, armor: bool) -> Result<Self> {
        if matches!(s2k, S2k::Argon2(_)) {
            return Err(Error::Argon2("the older form does not know it"));
        }
        let session_key = s2k.derive(passphrase)?;
        let skesk = SkeskV4::new(s2k).to_bytes();
        Ok(Self { skesk, data: Data::Mdc(random()?, twofish(&session_key)), armor })
    }

    /// Encrypts all of `input`, and gives the output back. Where `file_bytes` says its length, the
    /// message is a few octets shorter, and made without a copy; an input of another length is
    /// [`Error::InputChanged`]. After an error `output` holds a part of a message, of no use.
    pub fn run<W: Write>(self, input: impl Read, file_bytes: Option<u64>, output: W) -> Result<W> {
        if self.armor {
            let with_checksum = matches!(self.data, Data::Mdc(..));
            let output = ArmorWriter::new(output, with_checksum).map_err(Error::Write)?;
            self.write_packets(input, file_bytes, output)?.finish().map_err(Error::Write)
        } else {
            self.write_packets(input, file_bytes, output)
        }
    }

    fn write_packets<W: Write>(
        self,
        mut input: impl Read,
        file_bytes: Option<u64>,
        output: W,
    ) -> Result<W> {
        let mut file = input.by_ref().take(file_bytes.unwrap_or(u64::MAX));
        let length = self.skesk.len() as u64;
        let mut packet =
            BodyWriter::new(output, PacketType::SKESK, Some(length)).map_err(Error::Write)?;
        packet.write_all(&self.skesk).map_err(Error::Write)?;
        let output = packet.finish().map_err(Error::Write)?;
        let output = match self.data {
            Data::Chunks(seipd, key) => write_chunks(seipd, key, &mut file, file_bytes, output)?,
            Data::Mdc(random, key) => write_mdc(&random, &key, &mut file, file_bytes, output)?,
        };
        if read::octet(&mut input)?.is_some() {
            return Err(Error::InputChanged);
        }
        Ok(output)
    }
}

fn write_chunks<W: Write>(
    seipd: SeipdV2,
    key: MessageKey,
    input: &mut impl Read,
    file_bytes: Option<u64>,
    output: W,
) -> Result<W> {
    let begin = || -> io::Result<_> {
        let body_bytes = file_bytes
            .and_then(literal::packet_bytes)
            .and_then(|plaintext| seipd.chunk.body_bytes(plaintext));
        let mut packet = BodyWriter::new(output, PacketType::SEIPD, body_bytes)?;
        packet.write_all(&seipd.to_bytes())?;
        literal::writer(Sealer::new(packet, seipd.chunk, key), file_bytes)
    };
    let mut file = begin().map_err(Error::Write)?;
    let copied = seal_file(input, &mut file)?;
    require_length(file_bytes, copied)?;
    let chunks = file.finish().map_err(Error::Write)?;
    let packet = chunks.finish().map_err(Error::Write)?;
    packet.finish().map_err(Error::Write)
}

fn write_mdc<W: Write>(
    random: &[u8; 16],
    key: &Twofish,
    input: &mut impl Read,
    file_bytes: Option<u64>,
    output: W,
) -> Result<W> {
    let begin = || -> io::Result<_> {
        let body_bytes = file_bytes
            .and_then(literal::packet_bytes)
            .and_then(|plaintext| plaintext.checked_add(mdc::OVERHEAD_BYTES));
        let packet = BodyWriter::new(output, PacketType::SEIPD, body_bytes)?;
        literal::writer(mdc::Writer::new(packet, key, random)?, file_bytes)
    };
    let mut file = begin().map_err(Error::Write)?;
    let copied = literal::copy(input, &mut file)?;
    require_length(file_bytes, copied)?;
    let inside = file.finish().map_err(Error::Write)?;
    let packet = inside.finish().map_err(Error::Write)?;
    packet.finish().map_err(Error::Write)
}

/// Before a packet ends whose length was stated.
fn require_length(stated: Option<u64>, copied: u64) -> Result<()> {
    if stated.is_some_and(|n| n != copied) { Err(Error::InputChanged) } else { Ok(()) }
}

/// Shows no key.
impl fmt::Debug for Encryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryption").field("data", &self.data).finish_non_exhaustive()
    }
}

/// The file into the packet that holds it, without a copy where its length is known.
fn seal_file<W: Write>(
    input: &mut impl Read,
    file: &mut BodyWriter<Sealer<BodyWriter<W>>>,
) -> Result<u64> {
    let mut copied = 0;
    while let Some(read) = file.direct(|sealer| sealer.read_from(input)) {
        match read? {
            0 => return Ok(copied),
            n => copied += n as u64,
        }
    }
    literal::copy(input, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_is_not_as_long_as_stated_is_an_error() {
        for (format, stated) in [
            (Format::Rfc9580, 9),
            (Format::Rfc9580, 11),
            (Format::Rfc4880, 9),
            (Format::Rfc4880, 11),
        ] {
            let mut settings = Settings::of(format).unwrap();
            settings.s2k = S2k::Salted { hash: Hash::SHA256, salt: [1; 8] };
            let encryption = Encryption::new(b"passphrase", settings).unwrap();
            let result = encryption.run(&[0; 10][..], Some(stated), io::sink());
            assert!(matches!(result, Err(Error::InputChanged)), "{format:?}, stated {stated}");
        }
    }

    #[test]
    fn argon2_does_not_belong_to_the_older_form() {
        let mut settings = Settings::new().unwrap();
        settings.format = Format::Rfc4880;
        let result = Encryption::new(b"passphrase", settings);
        assert!(matches!(result, Err(Error::Argon2(_))));
    }
}
