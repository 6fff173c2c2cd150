// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Output that is safe on a terminal: text without control characters that steer it.

use std::io::{self, Write};
use std::str;

/// The message is not text.
#[derive(Debug, thiserror::Error)]
#[error("it is not text")]
struct NotText;

pub fn is_not_text(error: &io::Error) -> bool {
    matches!(error.get_ref(), Some(inner) if inner.is::<NotText>())
}

/// Passes on UTF-8 without control characters other than tabs and line ends, and without those that turn the
/// direction of text.
pub struct TextOnly<W> {
    terminal: W,
    /// The beginning of a character whose end is still to come.
    begun: Vec<u8>,
}

impl<W: Write> TextOnly<W> {
    pub fn new(terminal: W) -> Self {
        Self { terminal, begun: Vec::new() }
    }
}

impl<W: Write> Write for TextOnly<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(data);
        let n_bytes = whole_characters(&self.begun)?;
        self.terminal.write_all(&self.begun[..n_bytes])?;
        self.begun.drain(..n_bytes);
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.begun.is_empty() { self.terminal.flush() } else { Err(io::Error::other(NotText)) }
    }
}

/// How many bytes are complete characters, all of which may be shown.
fn whole_characters(data: &[u8]) -> io::Result<usize> {
    let n_bytes = match str::from_utf8(data) {
        Ok(_) => data.len(),
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Err(_) => return Err(io::Error::other(NotText)),
    };
    let text = str::from_utf8(&data[..n_bytes]).expect("it was looked at");
    // The line feed of a carriage return may be still to come. A return alone would overwrite its line.
    let text = text.strip_suffix('\r').unwrap_or(text);
    let overwrites = text.split('\r').skip(1).any(|line| !line.starts_with('\n'));
    if overwrites || text.contains(steers) {
        Err(io::Error::other(NotText))
    } else {
        Ok(text.len())
    }
}

/// Control characters, and those of bidirectional text.
fn steers(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\x0c' => false,
        '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        c => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&[u8]]) -> Option<Vec<u8>> {
        let mut terminal = TextOnly::new(Vec::new());
        pieces.iter().try_for_each(|piece| terminal.write_all(piece)).ok()?;
        terminal.flush().ok()?;
        Some(terminal.terminal)
    }

    #[test]
    fn text_passes_however_it_is_cut() {
        let text = "a\tb\r\n\u{e9} \u{65e5}\u{1f600}\x0c".as_bytes();
        for cut in 0..=text.len() {
            assert_eq!(shown(&[&text[..cut], &text[cut..]]).as_deref(), Some(text));
        }
    }

    #[test]
    fn all_else_is_refused() {
        let steering = ["\x1b[2J", "\0", "\x7f", "\u{9b}", "\u{202e}", "\u{2066}", "\u{200f}"];
        let returns = ["\r", "a\rb", "\r\r\n"];
        let octets = [&b"\xff"[..], b"caf\xc3"];
        let texts = steering.iter().chain(&returns).map(|text| text.as_bytes());
        for data in texts.chain(octets) {
            for cut in 0..=data.len() {
                assert_eq!(shown(&[b"good", &data[..cut], &data[cut..]]), None, "{data:?}");
            }
        }
    }
}
