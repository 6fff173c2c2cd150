// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A whole message opened: its header, the packets for passphrases, and the data in each of its forms.

use std::fs::File;
use std::io::{self, BufRead, Chain, Cursor, Read, Seek, SeekFrom, Write};

use manyfish::{Twofish, on_wiped_stack};

use crate::aead::AeadData;
use crate::algorithm::{Cipher, PacketType};
use crate::armor::Dearmored;
use crate::body::BodyReader;
use crate::chunks::Opener;
use crate::error::{Error, Result};
use crate::key::Key;
use crate::limits::Limits;
use crate::literal::{self, Opened};
use crate::message_key::{MessageKey, twofish};
use crate::s2k::S2k;
use crate::seipd::{self, ChunkSize, SeipdV2};
use crate::session_keys::{read_session_keys, stated_cipher};
use crate::skesk::Skesk;
use crate::{mdc, read, sed};

/// The part in which a message ends that is cut there.
const ENCRYPTED: &str = "the encrypted data";

/// Decrypts the message that `input` holds into `output`, all of it or up to the first error; see
/// [`Decryption`] for the errors, and for who must ask for the passphrase first.
pub fn decrypt(passphrase: &[u8], input: impl BufRead, output: &mut impl Write) -> Result<Opened> {
    let decryption = Decryption::new(input)?;
    let key = decryption.session_key(passphrase)?;
    decryption.run(key, output)
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
/// assert_eq!(decryption.run(key, &mut file)?.bytes, 7);
/// # Ok::<(), Error>(())
/// ```
///
/// A message in the older form shows only at its end whether it was altered, so it is read twice. Where
/// the input can go back, [`Decryption::seekable`] does so; else the ciphertext goes to a nameless
/// temporary file first. Either way nothing is written before all of it is verified.
#[derive(Debug)]
pub struct Decryption<R> {
    skesks: Vec<Skesk>,
    /// The needs of all packets together, where some of them are over the limits.
    left_out: Option<Limits>,
    data: Data,
    body: Body<R>,
    again: Option<Again<R>>,
    options: DecryptOptions,
}

/// The messages to open: the defaults are safe for messages of strangers.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct DecryptOptions {
    /// The limits of a message before its passphrase has proved right. [`Error::OverLimits`] refuses one over
    /// them, before anybody asks for a passphrase.
    pub limits: Limits,
    /// Also opens what old programs wrote and nobody should trust: data without any check (packet type 9), and
    /// passphrases hashed with RIPEMD-160. Anyone who had such a message **may have altered or made up its
    /// data**; [`Decryption::insecurities`] says so.
    pub insecure_legacy: bool,
}

/// The encrypted packet, by its form, as far as it has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Data {
    Chunks(SeipdV2),
    Mdc(mdc::Prefix),
    LibrePgp(AeadData),
    /// Without a check.
    Sed(mdc::Prefix),
}

/// The session key made ready for the data.
enum Expanded {
    Chunks(ChunkSize, MessageKey),
    Mdc(Twofish),
    Sed(Twofish),
}

/// The encrypted octets: what was read ahead, and the rest.
type Body<R> = Chain<Cursor<Vec<u8>>, BodyReader<Dearmored<R>>>;

/// How to go back to the beginning of the message.
#[derive(Clone, Copy, Debug)]
struct Again<R> {
    start: u64,
    seek: fn(&mut R, SeekFrom) -> io::Result<u64>,
}

impl<R: BufRead + Seek> Decryption<R> {
    /// The same as [`Decryption::new`] for an input that can be read again from where it stands.
    pub fn seekable(input: R) -> Result<Self> {
        Self::seekable_with(input, DecryptOptions::default())
    }

    /// The same as [`Decryption::with`] for an input that can be read again from where it stands.
    pub fn seekable_with(mut input: R, options: DecryptOptions) -> Result<Self> {
        let start = input.stream_position()?;
        let again = Some(Again { start, seek: R::seek });
        Ok(Self { again, ..Self::with(input, options)? })
    }
}

impl<R: BufRead> Decryption<R> {
    /// Reads the header, and refuses what cannot be opened before anybody asks for a passphrase: any
    /// [`Error`] but those about passphrase, chunks and output.
    pub fn new(input: R) -> Result<Self> {
        Self::with(input, DecryptOptions::default())
    }

    /// The same as [`Decryption::new`] with options.
    pub fn with(input: R, options: DecryptOptions) -> Result<Self> {
        let mut input = Dearmored::new(input)?;
        let (skesks, header) = read_session_keys(&mut input)?;
        let mut body = BodyReader::new(input, header.length, ENCRYPTED);
        let data = Data::read(header.packet, &mut body, &skesks, options)?;
        let skesks = usable(skesks, &data, options)?;
        let (skesks, left_out) = affordable(skesks, &data, options.limits)?;
        let ahead = data.ahead(&skesks, &mut body)?;
        let body = Cursor::new(ahead).chain(body);
        Ok(Self { skesks, left_out, data, body, again: None, options })
    }

    /// The session key. Tries each packet that holds it; slow, as the message demands. Fails with
    /// [`Error::WrongPassphrase`], or with the reason why a packet could not be tried. A message in the
    /// older form does not tell a wrong passphrase from damage: there [`Decryption::run`] fails with
    /// [`Error::WrongOrAltered`], when it has read all.
    pub fn session_key(&self, passphrase: &[u8]) -> Result<Key> {
        on_wiped_stack(|| self.try_keys(passphrase))
    }

    fn try_keys(&self, passphrase: &[u8]) -> Result<Key> {
        let mut failure = Error::WrongPassphrase;
        let mut likely = None;
        for skesk in &self.skesks {
            match self.try_key(skesk, passphrase) {
                Ok(key) if self.is_older() => likely = Some(key),
                Ok(key) => return Ok(key),
                Err(Error::WrongPassphrase) => {}
                Err(other) if self.is_older() => return Err(other),
                Err(other) => failure = other,
            }
        }
        match (likely, failure) {
            (Some(key), _) => Ok(key),
            // A key that nobody knows: what it gives is found wrong at the end.
            (None, Error::WrongPassphrase) if self.is_older() => Key::random(),
            (None, failure) => Err(self.left_out.map_or(failure, |asked| self.over_limits(asked))),
        }
    }

    fn over_limits(&self, asked: Limits) -> Error {
        Error::OverLimits { asked, limits: self.options.limits }
    }

    /// Its prefix proves nothing, and an attacker who alters messages must not learn whether it fits: we try all
    /// packets, and read all of the data.
    fn is_older(&self) -> bool {
        matches!(self.data, Data::Mdc(_))
    }

    /// Version 4 cannot tell a wrong passphrase: there the beginning of the data must.
    fn try_key(&self, skesk: &Skesk, passphrase: &[u8]) -> Result<Key> {
        match skesk {
            Skesk::V6(v6) => v6.open(passphrase),
            Skesk::V5(v5) => v5.open(passphrase),
            Skesk::V4(v4) => {
                let key = v4.open(passphrase)?;
                let ahead = self.body.get_ref().0.get_ref();
                let fits = match &self.data {
                    Data::Mdc(prefix) | Data::Sed(prefix) => mdc::is_prefix(&twofish(&key), prefix),
                    Data::LibrePgp(header) => header.opens(&key, ahead),
                    Data::Chunks(_) => false,
                };
                if fits { Ok(key) } else { Err(Error::WrongPassphrase) }
            }
            Skesk::Other(version) => {
                Err(Error::Version { packet: PacketType::SKESK, version: *version })
            }
        }
    }

    /// Whether the message has a check of changes. All but those of packet type 9 have one.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        !matches!(self.data, Data::Sed(_))
    }

    /// The insecurities of this message, a sentence each, for callers with
    /// [`DecryptOptions::insecure_legacy`]; nothing without that.
    #[must_use]
    pub fn insecurities(&self) -> Vec<&'static str> {
        let unchecked = (!self.is_checked()).then_some(
            "nothing protects this message (packet type 9): what comes out of it may be altered or made up",
        );
        let old_hash = self.skesks.iter().any(|skesk| skesk.s2k().is_some_and(S2k::is_legacy)).then_some(
            "the passphrase of this message is hashed with RIPEMD-160, which is no longer trusted",
        );
        unchecked.into_iter().chain(old_hash).collect()
    }

    /// Decrypts all of it; the session key is wiped once it is expanded. Only authenticated octets reach `output`
    /// ([`is_checked`](Self::is_checked) names the exception), but more than one write may have happened when an
    /// error shows: the caller must take them back. The errors are those of a message that was altered ([`Error::Altered`], [`Error::AlteredEnd`]), cut
    /// ([`Error::Truncated`]) or appended to ([`Error::TrailingData`]; all of the file is out then), of
    /// what it holds, and of input and output.
    pub fn run<W: Write>(self, session_key: Key, output: &mut W) -> Result<Opened> {
        let expanded = on_wiped_stack(|| self.data.expand(&session_key));
        drop(session_key);
        let (size, key) = match expanded {
            Expanded::Mdc(cipher) => return self.run_twice(&cipher, output),
            Expanded::Sed(cipher) => return self.run_unchecked(&cipher, output),
            Expanded::Chunks(size, key) => (size, key),
        };
        let mut inner = Opener::new(self.body, size, key);
        let opened = literal::copy_file(&mut inner, output).map_err(ended_early)?;
        expect_end(inner.into_input().into_inner().1.into_input())?;
        Ok(opened)
    }

    /// Gives out what nobody has verified.
    fn run_unchecked<W: Write>(self, cipher: &Twofish, output: &mut W) -> Result<Opened> {
        let mut inner = sed::Reader::new(self.body, cipher)?;
        let opened = literal::copy_file(&mut inner, output).map_err(ended_early)?;
        match expect_end(inner.into_input().into_inner().1.into_input()) {
            Err(Error::TrailingData) => Err(Error::TrailingDataUnchecked),
            end => end.map(|()| opened),
        }
    }

    /// The older form: first verified to the end, then opened.
    fn run_twice<W: Write>(self, cipher: &Twofish, output: &mut W) -> Result<Opened> {
        let Self { data, mut body, again, options, .. } = self;
        let Some(Again { start, seek }) = again else {
            let mut spool = tempfile::tempfile().map_err(Error::Spool)?;
            let tee = Tee { input: &mut body, copy: &spool };
            let verified = mdc::verify(tee, cipher).map_err(ended_early)?;
            expect_end(body.into_inner().1.into_input())?;
            spool.rewind().map_err(Error::Spool)?;
            return literal::copy_file(mdc::Reader::new(spool, cipher, verified), output);
        };
        let verified = mdc::verify(&mut body, cipher).map_err(ended_early)?;
        let mut input = body.into_inner().1.into_input();
        expect_end(&mut input)?;
        let mut input = input.into_inner();
        seek(&mut input, SeekFrom::Start(start))?;
        let second = Self::with(input, options)?;
        if second.data != data {
            return Err(Error::InputChanged);
        }
        literal::copy_file(mdc::Reader::new(second.body, cipher, verified), output)
    }
}

impl Data {
    /// Reads the header of the encrypted packet, and refuses what cannot be opened.
    fn read(
        packet: PacketType,
        body: &mut impl Read,
        skesks: &[Skesk],
        options: DecryptOptions,
    ) -> Result<Self> {
        if packet == PacketType::AEAD {
            let header = AeadData::read(body)?;
            return header.check().map(|()| Self::LibrePgp(header));
        }
        if packet == PacketType::SED {
            if !options.insecure_legacy {
                return Err(Error::OldestForm { cipher: stated_cipher(skesks) });
            }
            require_stated_twofish(skesks)?;
            return mdc::read_prefix(body).map(Self::Sed);
        }
        match read::octet(body)?.ok_or(Error::Truncated(ENCRYPTED))? {
            mdc::VERSION => {
                require_stated_twofish(skesks)?;
                mdc::read_prefix(body).map(Self::Mdc)
            }
            seipd::VERSION => {
                let header = SeipdV2::read(body)?;
                header.check().map(|()| Self::Chunks(header))
            }
            version => Err(Error::Version { packet: PacketType::SEIPD, version }),
        }
    }

    /// Reads ahead what is needed to know a wrong passphrase, and what `mdc` decrypts again.
    fn ahead(&self, skesks: &[Skesk], body: &mut impl Read) -> Result<Vec<u8>> {
        let mut ahead = Vec::new();
        match self {
            Self::Mdc(prefix) | Self::Sed(prefix) => ahead.extend_from_slice(prefix),
            Self::LibrePgp(header) if skesks.iter().any(|skesk| skesk.version() == 4) => {
                body.take(header.beginning_bytes() as u64).read_to_end(&mut ahead)?;
            }
            _ => {}
        }
        Ok(ahead)
    }

    fn expand(&self, session_key: &Key) -> Expanded {
        match self {
            Self::Chunks(seipd) => Expanded::Chunks(seipd.chunk, seipd.message_key(session_key)),
            Self::Mdc(_) => Expanded::Mdc(twofish(session_key)),
            Self::Sed(_) => Expanded::Sed(twofish(session_key)),
            Self::LibrePgp(header) => {
                Expanded::Chunks(header.chunk, header.message_key(session_key))
            }
        }
    }

    /// The cost of trying a passphrase.
    fn asks_for<'a>(&self, skesks: impl IntoIterator<Item = &'a Skesk>) -> Limits {
        let aead = if let Self::LibrePgp(header) = self { Some(header) } else { None };
        Limits::asked_by(skesks, aead)
    }

    /// The versions of the packets for passphrases that may stand before it, as a sentence has them.
    fn versions(&self) -> (&'static [u8], &'static str) {
        match self {
            Self::Chunks(_) => (&[6], "6"),
            Self::Mdc(_) | Self::Sed(_) => (&[4], "4"),
            Self::LibrePgp(_) => (&[4, 5], "5"),
        }
    }
}

/// The cipher of the older forms, where a packet for a passphrase tells it.
fn require_stated_twofish(skesks: &[Skesk]) -> Result<()> {
    match stated_cipher(skesks) {
        Some(found) if found != Cipher::TWOFISH_256 => {
            Err(Error::OtherCipherOlder { what: "message", found })
        }
        _ => Ok(()),
    }
}

/// Keeps a copy of what is read.
struct Tee<'a, R> {
    input: R,
    copy: &'a File,
}

impl<R: Read> Read for Tee<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.copy.write_all(&buffer[..n]).map_err(Error::Spool)?;
        Ok(n)
    }
}

/// Text after an armor that ends before its message does: the missing end is what counts.
fn ended_early(error: Error) -> Error {
    match error {
        Error::TrailingData => Error::Truncated("the armor"),
        other => other,
    }
}

/// Those that this program can try. If there is none, the reason is the first one's.
fn usable(skesks: Vec<Skesk>, data: &Data, options: DecryptOptions) -> Result<Vec<Skesk>> {
    let mut usable = Vec::new();
    let mut first_refusal = None;
    for skesk in skesks {
        match check(&skesk, data, options) {
            Ok(()) => usable.push(skesk),
            Err(error) => drop(first_refusal.get_or_insert(error)),
        }
    }
    match first_refusal {
        _ if !usable.is_empty() => Ok(usable),
        Some(refusal) => Err(refusal),
        None => Err(Error::NoPassphrase),
    }
}

/// Those that are within the limits one after the other, and what all ask for if these are not all. The older
/// form must try all or none: an answer that came after some would tell whether they fit.
fn affordable(
    mut skesks: Vec<Skesk>,
    data: &Data,
    limits: Limits,
) -> Result<(Vec<Skesk>, Option<Limits>)> {
    let asked = data.asks_for(&skesks);
    if limits.allow(&asked) {
        return Ok((skesks, None));
    }
    let mut left = limits;
    skesks.retain(|skesk| left.spend(&data.asks_for([skesk])));
    if skesks.is_empty() || matches!(data, Data::Mdc(_)) {
        return Err(Error::OverLimits { asked, limits });
    }
    Ok((skesks, Some(asked)))
}

/// Whether a packet for a passphrase belongs to this form of message and can be tried.
fn check(skesk: &Skesk, data: &Data, options: DecryptOptions) -> Result<()> {
    let (version, (versions, expected)) = (skesk.version(), data.versions());
    match skesk {
        Skesk::Other(_) => Err(Error::Version { packet: PacketType::SKESK, version }),
        _ if !versions.contains(&version) => Err(Error::MixedForms { version, expected }),
        _ if !options.insecure_legacy && skesk.s2k().is_some_and(S2k::is_legacy) => {
            Err(Error::LegacyHash)
        }
        Skesk::V4(v4) => v4.check(),
        Skesk::V5(v5) => v5.check(),
        Skesk::V6(v6) => v6.check(),
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

#[cfg(test)]
mod tests {
    use std::io::BufReader;
    use std::ops::ControlFlow;
    use std::time::Duration;

    use super::*;
    use crate::algorithm::Hash;
    use crate::body::BodyWriter;
    use crate::inspect::inspect;
    use crate::s2k::{Argon2Cost, S2k};
    use crate::session_keys::MAX_PASSPHRASES;
    use crate::{Encryption, Format, Settings, Watched, packet};

    const PASSPHRASE: &[u8] = b"correct horse";

    /// Settings without the cost of Argon2.
    fn quick(chunk_bytes: u64, armor: bool) -> Settings {
        let s2k = S2k::Salted { hash: Hash::SHA256, salt: [1; 8] };
        let chunk = ChunkSize::from_bytes(chunk_bytes).unwrap();
        Settings { chunk, s2k, armor, ..Settings::new().unwrap() }
    }

    fn pattern(bytes: usize) -> Vec<u8> {
        (0..251).cycle().take(bytes).collect()
    }

    fn encrypt(file: &[u8], known: bool, settings: Settings) -> Vec<u8> {
        let known = known.then_some(file.len() as u64);
        Encryption::new(PASSPHRASE, settings).unwrap().run(file, known, Vec::new()).unwrap()
    }

    /// The output, and how it ended.
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

    /// Two passes over 32 KiB fit, a third does not, and neither does other memory. Packets within the limits are tried.
    #[test]
    fn all_packets_count_together() {
        let cost = Argon2Cost { salt: [2; 16], passes: 1, lanes: 1, memory_exponent: 5 };
        let settings = Settings { s2k: S2k::Argon2(cost), ..quick(64, false) };
        let message = encrypt(b"text", true, settings);
        let skesk = &message[..2 + 88];
        let open = |packets: usize, memory, passphrase| {
            let limits = Limits { memory, work: Duration::from_micros(64) };
            let all = [skesk.repeat(packets - 1), message.clone()].concat();
            let asked = inspect(&all[..]).unwrap().asks_for();
            assert_eq!(asked.work.as_micros(), 32 * packets as u128);
            let options = DecryptOptions { limits, ..DecryptOptions::default() };
            Decryption::with(&all[..], options)?.session_key(passphrase)
        };
        assert!(matches!(open(2, 32 << 10, b"wrong"), Err(Error::WrongPassphrase)));
        assert!(open(3, 32 << 10, PASSPHRASE).is_ok());
        for (packets, memory, passphrase) in
            [(3, 32 << 10, &b"wrong"[..]), (2, (32 << 10) - 1, PASSPHRASE)]
        {
            let result = open(packets, memory, passphrase);
            assert!(matches!(result, Err(Error::OverLimits { .. })), "{result:?}");
        }
    }

    /// Hashes and trials count too: sixteen packets of the older forms do not fit where fewer do.
    #[test]
    fn hashes_and_trials_count() {
        let refused = |skesk: &[u8], data: &[u8], packets| {
            let all = [&skesk.repeat(packets), data].concat();
            match Decryption::new(&all[..]) {
                Ok(message) => message.left_out.map(|asked| asked.work.as_micros()),
                Err(Error::OverLimits { asked, .. }) => Some(asked.work.as_micros()),
                Err(other) => panic!("{other}"),
            }
        };
        let sha512 = [&[0xc3, 13, 4, 10, 3, 10][..], &[1; 8], &[255]].concat();
        let mdc = [&[0xd2, 60, 1][..], &[0; 59]].concat();
        assert_eq!(refused(&sha512, &mdc, 7), None);
        assert_eq!(refused(&sha512, &mdc, 16), Some(16 * 62 * 1024 * 4));
        let salted = [&[0xc3, 12, 4, 10, 1, 8][..], &[1; 8]].concat();
        let libre = [&[0xd4, 60, 1, 10, 2, 16][..], &[0; 56]].concat();
        assert_eq!(refused(&salted, &libre, 15), None);
        assert_eq!(refused(&salted, &libre, 16), Some(16 * (4096 * 32 + 1)), "and the tags");
    }

    /// From a difference, an attacker who alters messages and sees the answers would learn what they decrypt to.
    #[test]
    fn the_older_form_tells_only_that_it_does_not_open() {
        let settings = Settings { format: Format::Rfc4880, ..quick(64, false) };
        let message = encrypt(&pattern(100_000), true, settings);
        let told = |passphrase: &[u8], message: &[u8]| {
            let mut octets = 0;
            let input = Watched::new(message, |n| {
                octets = n;
                ControlFlow::Continue(())
            });
            let input = BufReader::with_capacity(64, input);
            let error = super::decrypt(passphrase, input, &mut Vec::new()).unwrap_err();
            (error.to_string(), octets)
        };
        let expected = told(b"another", &message);
        assert_eq!(expected.1, message.len() as u64, "all is read");
        let prefix = message.len() - 22 - (12 + 100_000) - mdc::PREFIX_BYTES;
        for at in (prefix..prefix + 30).chain(message.len() - 22..message.len()) {
            let mut altered = message.clone();
            altered[at] ^= 1;
            assert_eq!(told(PASSPHRASE, &altered), expected, "octet {at}");
        }
    }

    /// A message without a check, made here: a prefix, and CFB begun again on its last block.
    fn unchecked(inside: &[u8], s2k: &S2k) -> Vec<u8> {
        let cipher = twofish(&s2k.derive(PASSPHRASE).unwrap());
        let mut prefix = *b"0123456789abcdefef";
        mdc::cfb(&cipher, &[0; 16]).encrypt(&mut prefix).unwrap();
        let mut inside = inside.to_vec();
        mdc::cfb(&cipher, prefix.last_chunk().unwrap()).encrypt(&mut inside).unwrap();
        let mut message = Vec::new();
        for (packet, body) in [
            (PacketType::SKESK, [&[4, 10], &s2k.to_bytes()[..]].concat()),
            (PacketType::SED, [&prefix[..], &inside].concat()),
        ] {
            let mut writer = BodyWriter::new(message, packet, Some(body.len() as u64)).unwrap();
            writer.write_all(&body).unwrap();
            message = writer.finish().unwrap();
        }
        message
    }

    /// Without the option an error says why; with it, even what was altered comes out.
    #[test]
    fn what_nothing_protects_opens_by_an_option_alone() {
        let s2k = S2k::Salted { hash: Hash::SHA256, salt: [1; 8] };
        let literal = [&[0xcb, 106][..], b"b\0\0\0\0\0", &pattern(100)].concat();
        let mut message = unchecked(&literal, &s2k);
        assert!(matches!(Decryption::new(&message[..]), Err(Error::OldestForm { .. })));
        let options = DecryptOptions { insecure_legacy: true, ..DecryptOptions::default() };
        let open = |message: &[u8], passphrase| {
            let (mut output, message) = (Vec::new(), Decryption::with(message, options)?);
            assert_eq!(message.insecurities().len(), 1);
            message.session_key(passphrase).and_then(|key| message.run(key, &mut output))?;
            Ok::<_, Error>(output)
        };
        assert_eq!(open(&message, PASSPHRASE).unwrap(), pattern(100));
        assert!(matches!(open(&message, b"another"), Err(Error::WrongPassphrase)));
        assert!(matches!(open(&message[..100], PASSPHRASE), Err(Error::Truncated(_))));
        *message.last_mut().unwrap() ^= 1;
        let altered = open(&message, PASSPHRASE).unwrap();
        assert!(altered[..99] == pattern(100)[..99] && altered[99] == pattern(100)[99] ^ 1);
    }

    #[test]
    fn two_messages_share_nothing() {
        let [a, b] = [0; 2].map(|_| encrypt(&[0; 64], true, quick(64, false)));
        let same = a.iter().zip(&b).filter(|(x, y)| x == y).count();
        assert_eq!(a.len(), b.len());
        assert!(same < a.len() / 3, "{same} octets are the same");
    }
}
