// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A whole message from end to end: a stream encrypted under a passphrase, and such a message opened.

use std::fmt;
use std::io::{self, BufRead, Read, Write};

use zeroize::Zeroizing;

use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::armor::{ArmorWriter, Dearmored};
use crate::body::{BodyReader, BodyWriter};
use crate::chunks::{Opener, Sealer};
use crate::error::{Error, Result};
use crate::packet::{self, Header};
use crate::read;
use crate::s2k::{Argon2Budget, Argon2Cost, Key, S2k};
use crate::seipd::{self, ChunkSize, SeipdV2};
use crate::skesk::{Skesk, SkeskV6};
use crate::{NONCE_BYTES, literal};

/// More passphrases than anybody gives a message; each costs a trial.
const MAX_PASSPHRASES: usize = 16;
/// Far above any packet with a session key.
const MAX_SKESK_BYTES: usize = 1024;
/// What one read and one write move.
const COPY_BYTES: usize = 64 << 10;
/// What a message that is cut there ends in.
const ENCRYPTED: &str = "the encrypted data";

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
    /// Octets of plaintext in a chunk: 1 MiB.
    pub chunk: ChunkSize,
    /// How the passphrase becomes a key, with the salt: Argon2id over 64 MiB. A salt belongs to one
    /// message, hence to one `Settings`.
    pub s2k: S2k,
    /// Text that survives e-mail instead of binary: no.
    pub armor: bool,
}

impl Settings {
    /// The defaults, with a fresh salt. Fails with [`Error::Random`] where the system gives none.
    pub fn new() -> Result<Self> {
        let s2k = S2k::Argon2(Argon2Cost::recommended(random()?));
        Ok(Self { chunk: ChunkSize::DEFAULT, s2k, armor: false })
    }
}

/// All that must be secret or fresh in one message.
struct Fresh {
    session_key: Key,
    skesk_nonce: [u8; NONCE_BYTES],
    salt: [u8; 32],
}

impl Fresh {
    fn new() -> Result<Self> {
        let session_key = Zeroizing::new(random()?);
        Ok(Self { session_key, skesk_nonce: random()?, salt: random()? })
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

/// Decrypts the message that `input` holds into `output`, all of it or up to the first error; see
/// [`Decryption`] for the errors, and for who must ask for the passphrase first.
pub fn decrypt(passphrase: &[u8], input: impl BufRead, output: &mut impl Write) -> Result<Opened> {
    let decryption = Decryption::new(input)?;
    let key = decryption.session_key(passphrase)?;
    decryption.run(&key, output)
}

/// What was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opened {
    /// Octets of the file.
    pub bytes: u64,
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
    skesk: SkeskV6,
    seipd: SeipdV2,
    session_key: Key,
    armor: bool,
}

impl Encryption {
    /// Makes the session key and encrypts it under the passphrase, which takes as long as the settings
    /// ask for. Fails as [`encrypt`] does, before anything is written.
    pub fn new(passphrase: &[u8], settings: Settings) -> Result<Self> {
        let Fresh { session_key, skesk_nonce, salt } = Fresh::new()?;
        let skesk = SkeskV6::seal(settings.s2k, skesk_nonce, passphrase, &session_key)?;
        let (cipher, mode) = (Cipher::TWOFISH_256, AeadMode::OCB);
        let seipd = SeipdV2 { cipher, mode, chunk: settings.chunk, salt };
        Ok(Self { skesk, seipd, session_key, armor: settings.armor })
    }

    /// Encrypts all of `input`, and gives the output back. Where `file_bytes` says its length, the
    /// message is a few octets shorter, and made without a copy; an input of another length is
    /// [`Error::InputChanged`]. After an error `output` holds a part of a message, of no use.
    pub fn run<W: Write>(self, input: impl Read, file_bytes: Option<u64>, output: W) -> Result<W> {
        if self.armor {
            let output = ArmorWriter::new(output).map_err(Error::Write)?;
            self.write_packets(input, file_bytes, output)?.finish().map_err(Error::Write)
        } else {
            self.write_packets(input, file_bytes, output)
        }
    }

    fn write_packets<W: Write>(
        &self,
        mut input: impl Read,
        file_bytes: Option<u64>,
        output: W,
    ) -> Result<W> {
        let mut file = self.begin(file_bytes, output).map_err(Error::Write)?;
        let limit = file_bytes.unwrap_or(u64::MAX);
        let copied = seal_file(&mut input.by_ref().take(limit), &mut file)?;
        if file_bytes.is_some_and(|n| n != copied) || read::octet(&mut input)?.is_some() {
            return Err(Error::InputChanged);
        }
        let chunks = file.finish().map_err(Error::Write)?;
        let packet = chunks.finish().map_err(Error::Write)?;
        packet.finish().map_err(Error::Write)
    }

    /// Writes all that comes before the file's first octet.
    fn begin<W: Write>(
        &self,
        file_bytes: Option<u64>,
        output: W,
    ) -> io::Result<BodyWriter<Sealer<BodyWriter<W>>>> {
        let skesk = self.skesk.to_bytes();
        let mut packet = BodyWriter::new(output, PacketType::SKESK, Some(skesk.len() as u64))?;
        packet.write_all(&skesk)?;
        let body_bytes = file_bytes
            .and_then(literal::packet_bytes)
            .and_then(|plaintext| self.seipd.chunk.body_bytes(plaintext));
        let mut packet = BodyWriter::new(packet.finish()?, PacketType::SEIPD, body_bytes)?;
        packet.write_all(&self.seipd.to_bytes())?;
        let key = self.seipd.message_key(&self.session_key);
        literal::writer(Sealer::new(packet, self.seipd.chunk, key), file_bytes)
    }
}

/// Shows no key.
impl fmt::Debug for Encryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryption").field("seipd", &self.seipd).finish_non_exhaustive()
    }
}

/// A message whose header has been read, up to the first chunk.
///
/// ```
/// use manyfish_openpgp::{Decryption, Error, Settings, encrypt};
///
/// let message = encrypt(b"correct horse", Settings::new()?, &b"battery"[..], Vec::new())?;
/// let decryption = Decryption::new(&message[..])?; // now is the time to ask for the passphrase
/// assert!(matches!(decryption.session_key(b"Correct horse"), Err(Error::WrongPassphrase)));
/// let key = decryption.session_key(b"correct horse")?;
/// let mut file = Vec::new();
/// assert_eq!(decryption.run(&key, &mut file)?.bytes, 7);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Decryption<R> {
    skesks: Vec<SkeskV6>,
    seipd: SeipdV2,
    body: BodyReader<Dearmored<R>>,
}

impl<R: BufRead> Decryption<R> {
    /// Reads the header, and refuses what cannot be opened before anybody asks for a passphrase: any
    /// [`Error`] but those about passphrase, chunks and output.
    pub fn new(input: R) -> Result<Self> {
        let mut input = Dearmored::new(input)?;
        let (skesks, header) = read_session_keys(&mut input)?;
        let mut body = BodyReader::new(input, header.length, ENCRYPTED);
        let version = read::octet(&mut body)?.ok_or(Error::Truncated(ENCRYPTED))?;
        let seipd = match version {
            1 => return Err(Error::OlderForm { cipher: stated_cipher(&skesks) }),
            seipd::VERSION => SeipdV2::read(&mut body)?,
            version => return Err(Error::Version { packet: PacketType::SEIPD, version }),
        };
        seipd.check()?;
        let skesks = usable(skesks)?;
        Ok(Self { skesks, seipd, body })
    }

    /// The session key. Tries each packet that holds it; slow, as the message demands. Fails with
    /// [`Error::WrongPassphrase`], or with the reason why a packet could not be tried.
    pub fn session_key(&self, passphrase: &[u8]) -> Result<Key> {
        self.session_key_within(Argon2Budget::default(), passphrase)
    }

    fn session_key_within(&self, mut budget: Argon2Budget, passphrase: &[u8]) -> Result<Key> {
        let mut failure = Error::WrongPassphrase;
        for skesk in &self.skesks {
            match skesk.open(passphrase, &mut budget) {
                Ok(key) => return Ok(key),
                Err(Error::WrongPassphrase) => {}
                Err(other) => failure = other,
            }
        }
        Err(failure)
    }

    /// Decrypts all of it. Only authenticated octets reach `output`, but more than one write may have
    /// happened when an error shows: the caller answers for taking them back. The errors are those of a
    /// message that was altered ([`Error::Altered`], [`Error::AlteredEnd`]), cut
    /// ([`Error::Truncated`]) or appended to ([`Error::TrailingData`]; all of the file is out then), of
    /// what it holds, and of input and output.
    pub fn run<W: Write>(self, session_key: &Key, output: &mut W) -> Result<Opened> {
        let key = self.seipd.message_key(session_key);
        let mut inner = Opener::new(self.body, self.seipd.chunk, key);
        let copied = copy_file(&mut inner, output).map_err(ended_early)?;
        expect_end(inner.into_input().into_input())?;
        Ok(Opened { bytes: copied })
    }
}

/// The file inside, up to the verified end of the encrypted packet.
fn copy_file(inner: &mut impl Read, output: &mut impl Write) -> Result<u64> {
    let copied = copy(&mut literal::open(&mut *inner)?, output)?;
    literal::close(inner)?;
    Ok(copied)
}

/// Text after an armor that ends before its message does: the missing end is what counts.
fn ended_early(error: Error) -> Error {
    match error {
        Error::TrailingData => Error::Truncated("the armor"),
        other => other,
    }
}

/// The packets for passphrases, and the header of the encrypted data that follows them.
fn read_session_keys(input: &mut impl Read) -> Result<(Vec<Skesk>, Header)> {
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
            PacketType::SEIPD if skesks.is_empty() && public_key => {
                return Err(Error::PublicKeyOnly);
            }
            PacketType::SEIPD => return Ok((skesks, header)),
            PacketType::SED => {
                return Err(Error::OldestForm { cipher: stated_cipher(&skesks) });
            }
            _ => refuse_or_skip(input, header)?,
        }
    }
}

/// The cipher of a message in an older form, which its own packet does not tell.
fn stated_cipher(skesks: &[Skesk]) -> Option<Cipher> {
    skesks.iter().find_map(Skesk::message_cipher)
}

fn refuse_or_skip(input: &mut impl Read, header: Header) -> Result<()> {
    match header.packet {
        PacketType::AEAD => Err(libre_pgp(&mut BodyReader::new(input, header.length, ENCRYPTED))?),
        PacketType::LITERAL
        | PacketType::COMPRESSED
        | PacketType::ONE_PASS_SIGNATURE
        | PacketType::SIGNATURE => Err(Error::NotEncrypted),
        _ => literal::skip_filler(input, header, "an encrypted message"),
    }
}

/// Its version stands before the cipher and the mode.
fn libre_pgp(body: &mut impl Read) -> Result<Error> {
    let mut fields = [0; 3];
    read::exact(body, &mut fields, ENCRYPTED)?;
    let [_, cipher, mode] = fields;
    Ok(Error::LibrePgp { cipher: Cipher(cipher), mode: AeadMode(mode) })
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

/// Those that this program can try. If there is none, the reason is the first one's.
fn usable(skesks: Vec<Skesk>) -> Result<Vec<SkeskV6>> {
    let mut usable = Vec::new();
    let mut first_refusal = None;
    for skesk in skesks {
        match skesk {
            Skesk::V6(v6) => match v6.check() {
                Ok(()) => usable.push(v6),
                Err(error) => drop(first_refusal.get_or_insert(error)),
            },
            Skesk::V4 { .. } => drop(first_refusal.get_or_insert(Error::MixedForms { version: 4 })),
            Skesk::Other(version) => drop(first_refusal.get_or_insert(other_version(version))),
        }
    }
    match first_refusal {
        _ if !usable.is_empty() => Ok(usable),
        Some(refusal) => Err(refusal),
        None => Err(Error::NoPassphrase),
    }
}

fn other_version(version: u8) -> Error {
    match version {
        5 => Error::MixedForms { version },
        _ => Error::Version { packet: PacketType::SKESK, version },
    }
}

/// Nothing but filler may follow the encrypted packet.
fn expect_end(mut input: impl Read) -> Result<()> {
    let Some(first) = read::octet(&mut input)? else { return Ok(()) };
    literal::close((&[first][..]).chain(input)).map_err(|error| match error {
        Error::Read(_) => error,
        _ => Error::TrailingData,
    })
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
    copy(input, file)
}

/// Like `io::copy`, but tells a failed read from a failed write.
fn copy(input: &mut impl Read, output: &mut impl Write) -> Result<u64> {
    let mut buffer = vec![0; COPY_BYTES];
    let mut copied = 0;
    loop {
        let n = match input.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        output.write_all(&buffer[..n]).map_err(Error::Write)?;
        copied += n as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Hash;

    const PASSPHRASE: &[u8] = b"correct horse";

    /// Settings without the cost of Argon2.
    fn quick(chunk_bytes: u64, armor: bool) -> Settings {
        let chunk = ChunkSize::from_bytes(chunk_bytes).unwrap();
        Settings { chunk, s2k: S2k::Salted { hash: Hash::SHA256, salt: [1; 8] }, armor }
    }

    fn pattern(bytes: usize) -> Vec<u8> {
        (0..251).cycle().take(bytes).collect()
    }

    fn encrypt(file: &[u8], known: bool, settings: Settings) -> Vec<u8> {
        let known = known.then_some(file.len() as u64);
        Encryption::new(PASSPHRASE, settings).unwrap().run(file, known, Vec::new()).unwrap()
    }

    /// What reached the output, and how it ended.
    fn decrypt(message: &[u8]) -> (Vec<u8>, Result<u64>) {
        let mut output = Vec::new();
        let result = super::decrypt(PASSPHRASE, message, &mut output);
        (output, result.map(|opened| opened.bytes))
    }

    #[test]
    fn sizes_around_chunk_and_batch_borders_come_back() {
        for (chunk, sizes) in [
            (64, &[0, 1, 55, 56, 57, 63, 64, 65, 120, 1000, 300_000][..]),
            (1 << 20, &[0, (1 << 20) - 8, 1 << 20, (3 << 20) + 5]),
            (4 << 20, &[7, (8 << 20) - 14, 9 << 20]),
        ] {
            for &size in sizes {
                let file = pattern(size);
                for known in [false, true] {
                    let (opened, result) = decrypt(&encrypt(&file, known, quick(chunk, known)));
                    assert_eq!(result.unwrap(), size as u64, "size {size}, chunk {chunk}");
                    assert!(opened == file, "size {size}, chunk {chunk}");
                }
            }
        }
    }

    #[test]
    fn a_changed_bit_anywhere_is_an_error_and_releases_only_what_was_written() {
        let file = pattern(150);
        let message = encrypt(&file, true, quick(64, false));
        for bit in 0..message.len() * 8 {
            let mut altered = message.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            let (opened, result) = decrypt(&altered);
            assert!(result.is_err(), "bit {bit}");
            assert!(file.starts_with(&opened), "bit {bit}");
        }
    }

    #[test]
    fn a_message_cut_anywhere_is_truncated_and_releases_only_what_was_written() {
        let file = pattern(150);
        for (known, armor) in [(true, false), (false, false), (false, true)] {
            let message = encrypt(&file, known, quick(64, armor));
            for end in 1..message.len() - usize::from(armor) {
                let (opened, result) = decrypt(&message[..end]);
                let error = result.unwrap_err();
                assert!(matches!(error, Error::Truncated(_)), "cut at {end}: {error}");
                assert!(file.starts_with(&opened), "cut at {end}");
            }
        }
    }

    /// A cut at a chunk's border, with the packet's length made to fit again.
    #[test]
    fn missing_chunks_show_by_the_final_tag() {
        let message = encrypt(&pattern(180), true, quick(64, false));
        let last_piece = message.len() - 2 * 16 - (2 + 6 + 180) % 64;
        let mut cut = message[..last_piece].to_vec();
        cut.extend_from_slice(&message[message.len() - 16..]);
        let length_at = cut.len() - (36 + 2 * 80 + 16) - 2;
        let mut length = Vec::new();
        packet::write_length(&mut length, 36 + 2 * 80 + 16).unwrap();
        cut.splice(length_at..length_at + 2, length);
        let (opened, result) = decrypt(&cut);
        assert!(matches!(result, Err(Error::AlteredEnd | Error::Truncated(_))), "{result:?}");
        assert!(pattern(180).starts_with(&opened));
    }

    #[test]
    fn an_altered_chunk_is_named_and_what_precedes_it_is_released() {
        let file = pattern(1000);
        let mut message = encrypt(&file, true, quick(64, false));
        let third_chunk = message.len() - 16 - (64 + 16) * 14;
        message[third_chunk] ^= 1;
        let (opened, result) = decrypt(&message);
        let Err(Error::Altered { chunk, offset }) = result else { panic!("{result:?}") };
        assert_eq!(offset, chunk * 64);
        assert!(file.starts_with(&opened) && opened.len() as u64 >= offset - 9);
    }

    #[test]
    fn appended_octets_are_an_error_after_the_whole_file() {
        let file = pattern(100);
        for extra in [&b"\0"[..], b"\xd2", b"more", &encrypt(b"x", true, quick(64, false))] {
            let mut message = encrypt(&file, true, quick(64, false));
            message.extend_from_slice(extra);
            let (opened, result) = decrypt(&message);
            assert!(matches!(result, Err(Error::TrailingData)), "{result:?}");
            assert_eq!(opened, file);
        }
        let mut padded = encrypt(&file, true, quick(64, false));
        padded.extend_from_slice(&[0xd5, 1, 0]);
        assert!(decrypt(&padded).1.is_ok(), "a padding packet is no data");
    }

    #[test]
    fn any_of_several_passphrases_opens() {
        let message = encrypt(b"text", true, quick(64, false));
        let other = Encryption::new(b"another one", quick(64, false)).unwrap();
        let other = other.run(&b"text"[..], None, Vec::new()).unwrap();
        let skesk_bytes = 2 + usize::from(other[1]);
        let both = [&other[..skesk_bytes], &message].concat();
        assert_eq!(decrypt(&both).0, b"text");
        assert!(matches!(decrypt(&other).1, Err(Error::WrongPassphrase)));
        let many = [other[..skesk_bytes].repeat(MAX_PASSPHRASES + 1), message].concat();
        assert!(matches!(decrypt(&many).1, Err(Error::TooManyPassphrases(_))));
    }

    /// Two trials of 32 KiB fit into 64, a third does not.
    #[test]
    fn all_packets_spend_from_one_budget() {
        let cost = Argon2Cost { salt: [2; 16], passes: 1, lanes: 1, memory_exponent: 5 };
        let settings = Settings { s2k: S2k::Argon2(cost), ..quick(64, false) };
        let message = encrypt(b"text", true, settings);
        let skesk = &message[..2 + 88];
        for (packets, fits) in [(2, true), (3, false)] {
            let all = [skesk.repeat(packets - 1), message.clone()].concat();
            let decryption = Decryption::new(&all[..]).unwrap();
            let result = decryption.session_key_within(Argon2Budget::of_kib(64), b"wrong");
            assert!(matches!(result, Err(Error::WrongPassphrase)) == fits, "{packets}: {result:?}");
            assert!(matches!(result, Err(Error::Argon2Work { .. })) != fits, "{packets}");
        }
    }

    #[test]
    fn an_input_that_is_not_as_long_as_stated_is_an_error() {
        for stated in [9, 11] {
            let encryption = Encryption::new(PASSPHRASE, quick(64, false)).unwrap();
            let result = encryption.run(&[0; 10][..], Some(stated), io::sink());
            assert!(matches!(result, Err(Error::InputChanged)), "stated {stated}");
        }
    }

    #[test]
    fn two_messages_share_nothing() {
        let [a, b] = [0; 2].map(|_| encrypt(&[0; 64], true, quick(64, false)));
        let same = a.iter().zip(&b).filter(|(x, y)| x == y).count();
        assert_eq!(a.len(), b.len());
        assert!(same < a.len() / 3, "{same} octets are the same");
    }
}
