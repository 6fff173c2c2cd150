// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Armor, or what is none, to octets.

use std::io::{self, BufRead, Read};

use base64ct::{Base64, Encoding};

use super::{BEGIN, END, PAD};
use crate::error::{Error, Result};

const ANY_BEGIN: &str = "-----BEGIN PGP ";
const DASHES: &str = "-----";
const UTF8_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
/// Lines in which we look for a misplaced beginning.
pub(super) const SEARCHED_LINES: usize = 1000;
/// Longer lines are not armor; reading stops there, whatever the input's size.
const MAX_LINE: u64 = 4096;

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
    /// The line, without its end and without trailing blanks.
    text: Vec<u8>,
    /// Characters that are not decoded yet: between lines, those of an unfinished group of four.
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
        let (text, group, ready) = (Vec::new(), Vec::new(), Vec::new());
        let mut reader =
            Self { input, line: 0, text, group, ready, position: 0, state: State::Data };
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
                Some(kind) => return Err(Error::OtherArmor(shown(&format!("PGP {kind}")))),
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

    /// The next line, shown; `None` at the end of the input.
    fn next_line(&mut self) -> Result<Option<String>> {
        let found = self.read_line()?;
        Ok(found.then(|| String::from_utf8_lossy(&self.text).into_owned()))
    }

    /// Reads the next line; says whether there was one.
    fn read_line(&mut self) -> Result<bool> {
        self.text.clear();
        self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.text)?;
        self.line += 1;
        if self.text.len() as u64 == MAX_LINE {
            return Err(self.not_valid("it is too long"));
        }
        let found = !self.text.is_empty();
        self.text.truncate(self.text.trim_ascii_end().len());
        Ok(found)
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
        if !self.read_line()? {
            return Err(Error::Truncated("the armor"));
        }
        match &self.text[..] {
            [] => Ok(()),
            line if line == END.as_bytes() => self.read_end(),
            line if END.as_bytes().starts_with(line) => Err(Error::Truncated("the armor")),
            [PAD, checksum @ ..] if self.group.is_empty() && checksum.len() <= 4 => {
                self.state = State::Closing;
                Ok(())
            }
            _ => self.decode_line(),
        }
    }

    /// Only at the end of the data may a group have padding.
    fn decode_line(&mut self) -> Result<()> {
        if self.state != State::Data {
            return Err(self.not_valid("it comes after the end of the data"));
        }
        self.group.append(&mut self.text);
        let (whole, rest) = self.group.split_at(self.group.len() / 4 * 4);
        self.ready.resize(whole.len() / 4 * 3, 0);
        let Ok(octets) = Base64::decode(whole, &mut self.ready) else {
            return Err(self.not_valid("it is not base64"));
        };
        let (n_octets, n_whole) = (octets.len(), whole.len());
        if whole.ends_with(&[PAD]) {
            self.state = State::Closing;
            if !rest.is_empty() {
                return Err(self.not_valid("it comes after the end of the data"));
            }
        }
        self.ready.truncate(n_octets);
        self.group.drain(..n_whole);
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

/// The start of a line, quoted, for a message to the user. Nothing in it can steer a terminal or change the
/// direction of the text around it.
fn shown(line: &str) -> String {
    format!("{:?}", line.chars().take(32).collect::<String>())
}
