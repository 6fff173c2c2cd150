// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! ASCII armor [RFC9580, 6]: written without a checksum, which the standard forbids for messages like
//! ours [RFC9580, 6.1], but with one in the older form: without it GnuPG 2.2 takes the last line for data.
//! The checksum of others is read over, since the tags protect everything.

use std::io::{self, BufRead, Read, Write};

use crate::error::{Error, Result};

const BEGIN: &str = "-----BEGIN PGP MESSAGE-----";
const END: &str = "-----END PGP MESSAGE-----";
const ANY_BEGIN: &str = "-----BEGIN PGP ";
const DASHES: &str = "-----";
const UTF8_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
/// 64 characters, as PEM has it; the standard allows up to 76.
const LINE_OCTETS: usize = 48;
/// In so many lines is a misplaced beginning looked for.
const SEARCHED_LINES: usize = 1000;
/// Longer lines are not armor; reading stops there, whatever the input's size.
const MAX_LINE: u64 = 4096;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PAD: u8 = b'=';
const CRC24_START: u32 = 0x00b7_04ce;
const CRC24_GENERATOR: u32 = 0x0186_4cfb;
const CRC24_TABLE: [u32; 256] = crc24_table();

/// Armors what is written into it. `finish` must be called.
#[derive(Debug)]
pub struct ArmorWriter<W> {
    output: W,
    line: Vec<u8>,
    checksum: Option<u32>,
}

impl<W: Write> ArmorWriter<W> {
    pub fn new(mut output: W, with_checksum: bool) -> io::Result<Self> {
        write!(output, "{BEGIN}\n\n")?;
        let checksum = with_checksum.then_some(CRC24_START);
        Ok(Self { output, line: Vec::with_capacity(LINE_OCTETS), checksum })
    }

    pub fn finish(mut self) -> io::Result<W> {
        if !self.line.is_empty() {
            self.write_line()?;
        }
        if let Some(checksum) = self.checksum {
            let text = encode(&checksum.to_be_bytes()[1..]);
            self.output.write_all(&[&[PAD], &text[..], b"\n"].concat())?;
        }
        writeln!(self.output, "{END}")?;
        Ok(self.output)
    }

    fn write_line(&mut self) -> io::Result<()> {
        if let Some(checksum) = &mut self.checksum {
            *checksum = crc24(*checksum, &self.line);
        }
        let mut text = Vec::with_capacity(LINE_OCTETS / 3 * 4 + 1);
        for octets in self.line.chunks(3) {
            text.extend(encode(octets));
        }
        text.push(b'\n');
        self.line.clear();
        self.output.write_all(&text)
    }
}

impl<W: Write> Write for ArmorWriter<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let n = data.len().min(LINE_OCTETS - self.line.len());
        self.line.extend_from_slice(&data[..n]);
        if self.line.len() == LINE_OCTETS {
            self.write_line()?;
        }
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// The checksum so far, over further octets [RFC9580, 6.1.1].
fn crc24(checksum: u32, octets: &[u8]) -> u32 {
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
fn encode(octets: &[u8]) -> [u8; 4] {
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
fn decode(text: [u8; 4]) -> Option<Vec<u8>> {
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

/// A message, armored or not, as its octets.
#[derive(Debug)]
pub enum Dearmored<R> {
    Binary(R),
    Armored(ArmorReader<R>),
}

impl<R: BufRead> Dearmored<R> {
    /// Looks at the first octets: a packet has its top bit set, text has not.
    pub fn new(mut input: R) -> Result<Self> {
        let start = input.fill_buf()?;
        match start {
            [] => Err(Error::Empty),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(Error::Utf16),
            _ if start.starts_with(UTF8_MARK) => {
                input.consume(UTF8_MARK.len());
                ArmorReader::new(input).map(Self::Armored)
            }
            [first, ..] if first & 0x80 != 0 => Ok(Self::Binary(input)),
            _ => ArmorReader::new(input).map(Self::Armored),
        }
    }

    pub fn into_inner(self) -> R {
        match self {
            Self::Binary(input) => input,
            Self::Armored(armor) => armor.input,
        }
    }

    #[must_use]
    pub fn is_armored(&self) -> bool {
        matches!(self, Self::Armored(_))
    }
}

impl<R: BufRead> Read for Dearmored<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Binary(input) => input.read(buffer),
            Self::Armored(input) => input.read(buffer),
        }
    }
}

/// Reads the octets of an armored message.
#[derive(Debug)]
pub struct ArmorReader<R> {
    input: R,
    line: u64,
    /// Characters of an unfinished group of four.
    group: Vec<u8>,
    ready: Vec<u8>,
    position: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Data,
    /// After padding or a checksum only the last line may follow.
    Closing,
    Done,
}

impl<R: BufRead> ArmorReader<R> {
    fn new(input: R) -> Result<Self> {
        let (group, ready) = (Vec::new(), Vec::new());
        let mut reader = Self { input, line: 0, group, ready, position: 0, state: State::Data };
        reader.read_begin()?;
        reader.read_headers()?;
        Ok(reader)
    }

    fn read_begin(&mut self) -> Result<()> {
        while let Some(line) = self.next_line()? {
            match line.strip_prefix(ANY_BEGIN).and_then(|rest| rest.strip_suffix(DASHES)) {
                _ if line.is_empty() => {}
                _ if line == BEGIN => return Ok(()),
                _ if BEGIN.starts_with(&line) => return Err(Error::Truncated("the armor")),
                Some(kind) => return Err(Error::OtherArmor(format!("PGP {kind}"))),
                None => return Err(self.other_text(&line)),
            }
        }
        Err(Error::Empty)
    }

    /// The input begins with this line; perhaps the armor comes later, or after a mark in each line.
    fn other_text(&mut self, first: &str) -> Error {
        let mut line = first.to_owned();
        for _ in 0..SEARCHED_LINES {
            if line.ends_with(BEGIN) {
                return Error::TextBeforeArmor { line: self.line };
            }
            let Ok(Some(next)) = self.next_line() else { break };
            line = next;
        }
        Error::NotOpenPgp(shown(first))
    }

    /// Up to the empty line; without that line the data would be taken for headers.
    fn read_headers(&mut self) -> Result<()> {
        const CUT: Error = Error::Truncated("the armor's headers");
        loop {
            let line = self.next_line()?.ok_or(CUT)?;
            if line.is_empty() {
                return Ok(());
            }
            if !line.contains(':') {
                let at_end = self.input.fill_buf()?.is_empty();
                return Err(if at_end { CUT } else { Error::ArmorHeader { line: self.line } });
            }
        }
    }

    /// The next line without its end and without trailing blanks; `None` at the end of the input.
    fn next_line(&mut self) -> Result<Option<String>> {
        let mut line = Vec::new();
        self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        self.line += 1;
        if line.is_empty() {
            return Ok(None);
        }
        if line.len() as u64 == MAX_LINE {
            return Err(self.not_valid("it is too long"));
        }
        let text = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
        Ok(Some(text))
    }

    fn not_valid(&self, problem: &'static str) -> Error {
        if self.line <= 1 {
            return Error::NotOpenPgp("something that is neither a packet nor armor".into());
        }
        Error::Armor { line: self.line, problem }
    }

    /// Decodes one more line into `ready`.
    fn refill(&mut self) -> Result<()> {
        self.ready.clear();
        self.position = 0;
        let line = self.next_line()?.ok_or(Error::Truncated("the armor"))?;
        if line == END {
            return self.read_end();
        }
        if !line.is_empty() && END.starts_with(&line) {
            return Err(Error::Truncated("the armor"));
        }
        if line.starts_with(PAD as char) && self.group.is_empty() && line.len() <= 5 {
            self.state = State::Closing;
            return Ok(());
        }
        self.decode_line(line.as_bytes())
    }

    fn decode_line(&mut self, line: &[u8]) -> Result<()> {
        for &character in line {
            if self.state != State::Data {
                return Err(self.not_valid("it comes after the end of the data"));
            }
            self.group.push(character);
            if let Ok(group) = <[u8; 4]>::try_from(&self.group[..]) {
                let octets = decode(group).ok_or_else(|| self.not_valid("it is not base64"))?;
                if octets.len() < 3 {
                    self.state = State::Closing;
                }
                self.ready.extend(octets);
                self.group.clear();
            }
        }
        Ok(())
    }

    /// After the last line: nothing but blank lines.
    fn read_end(&mut self) -> Result<()> {
        if !self.group.is_empty() {
            return Err(self.not_valid("the data before it is not a multiple of four characters"));
        }
        while let Some(line) = self.next_line()? {
            if !line.is_empty() {
                return Err(Error::TrailingData);
            }
        }
        self.state = State::Done;
        Ok(())
    }
}

impl<R: BufRead> Read for ArmorReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.position == self.ready.len() {
            if buffer.is_empty() || self.state == State::Done {
                return Ok(0);
            }
            self.refill()?;
        }
        let n = buffer.len().min(self.ready.len() - self.position);
        buffer[..n].copy_from_slice(&self.ready[self.position..][..n]);
        self.position += n;
        Ok(n)
    }
}

/// The start of a line for a message to the user, without anything that a terminal would obey.
fn shown(line: &str) -> String {
    let start: String =
        line.chars().take(32).map(|c| if c.is_control() { '?' } else { c }).collect();
    format!("\"{start}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn armored(data: &[u8]) -> String {
        armored_with(data, false)
    }

    fn armored_with(data: &[u8], checksum: bool) -> String {
        let mut writer = ArmorWriter::new(Vec::new(), checksum).unwrap();
        writer.write_all(data).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    fn read(text: &str) -> Result<Vec<u8>> {
        let mut octets = Vec::new();
        Dearmored::new(text.as_bytes())?.read_to_end(&mut octets)?;
        Ok(octets)
    }

    #[test]
    fn every_length_comes_back() {
        for length in 0..200 {
            let data: Vec<u8> = (0..length).map(|i| 255 - i).collect();
            assert_eq!(read(&armored(&data)).unwrap(), data);
            assert_eq!(read(&armored_with(&data, true)).unwrap(), data);
        }
    }

    /// The known answer of this checksum in every catalogue of them: "123456789" gives 21cf02.
    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(crc24(CRC24_START, b"123456789"), 0x0021_cf02);
        let halves = crc24(crc24(CRC24_START, b"1234"), b"56789");
        assert_eq!(halves, 0x0021_cf02);
        assert!(armored_with(b"123456789", true).ends_with(&format!("\n=Ic8C\n{END}\n")));
    }

    #[test]
    fn the_known_answers_of_rfc_4648() {
        let body = |data| armored(data).lines().nth(2).unwrap().to_owned();
        assert_eq!(body(b"f"), "Zg==");
        assert_eq!(body(b"fo"), "Zm8=");
        assert_eq!(body(b"foobar"), "Zm9vYmFy");
    }

    #[test]
    fn reads_what_others_write() {
        let lines = ["", "-----BEGIN PGP MESSAGE-----", "Comment: x", "", "Zm", "9vYg==", "=aBcD"];
        let text = [&lines[..], &[END, "", ""]].concat().join("\r\n");
        assert_eq!(read(&text).unwrap(), b"foob");
        assert_eq!(read(&format!("\u{feff}{}", armored(b"foob"))).unwrap(), b"foob");
    }

    #[test]
    fn there_is_one_encoding_of_everything() {
        let text = armored(b"foob");
        for (from, to, why) in [
            ("Yg==", "Yh==", "bits beyond the data"),
            ("Yg==", "Yg=", "half a group"),
            ("Yg==", "Yg==Zm9v", "data after padding"),
            ("Yg==", "Y===", "one character"),
            ("Yg==", "====", "nothing but padding"),
            ("Yg==", "Yg-=", "a character outside the alphabet"),
            ("Yg==", "Yg==\n=aBcD\nZm9v", "data after the checksum"),
        ] {
            let error = read(&text.replace(from, to)).unwrap_err();
            assert!(matches!(error, Error::Armor { line: 3.., .. }), "{why}: {error}");
        }
    }

    #[test]
    fn truncation_and_appended_text_are_told_apart() {
        let text = armored(&[7; 100]);
        for end in 1..text.len() - 1 {
            assert!(matches!(read(&text[..end]), Err(Error::Truncated(_))), "cut at {end}");
        }
        assert!(matches!(read(&(text + "more\n")), Err(Error::TrailingData)));
    }

    /// A line without a colon is no header, unless it is cut there.
    #[test]
    fn the_empty_line_before_the_data_must_be_there() {
        let text = armored(b"foob").replacen("\n\n", "\nComment: x\n", 1);
        assert!(matches!(read(&text), Err(Error::ArmorHeader { line: 3 })));
        let cut = format!("{BEGIN}\nComm");
        assert!(matches!(read(&cut), Err(Error::Truncated("the armor's headers"))));
    }

    #[test]
    fn a_beginning_after_other_text_is_found_unless_it_is_far_away() {
        let text = armored(b"foob");
        let quoted = format!("> {}", text.replace('\n', "\n> "));
        assert!(matches!(read(&quoted), Err(Error::TextBeforeArmor { line: 1 })));
        let after = |lines| "Hello\n".repeat(lines) + &text;
        let near = read(&after(SEARCHED_LINES - 1));
        assert!(matches!(near, Err(Error::TextBeforeArmor { line: 1000 })), "{near:?}");
        assert!(matches!(read(&after(SEARCHED_LINES)), Err(Error::NotOpenPgp(_))));
        assert!(matches!(read(&format!("{BEGIN} x\n")), Err(Error::NotOpenPgp(_))));
    }

    #[test]
    fn other_inputs_are_named() {
        assert!(matches!(Dearmored::new(&b""[..]), Err(Error::Empty)));
        assert!(matches!(Dearmored::new(&b"\xff\xfe-\0"[..]), Err(Error::Utf16)));
        assert!(matches!(read("age-encryption.org/v1\n"), Err(Error::NotOpenPgp(_))));
        assert!(matches!(read(&"x".repeat(9000)), Err(Error::NotOpenPgp(_))));
        let key = read("-----BEGIN PGP PUBLIC KEY BLOCK-----\n").unwrap_err();
        assert!(key.to_string().contains("PGP PUBLIC KEY BLOCK"));
    }
}
