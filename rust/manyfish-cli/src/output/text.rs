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

/// Passes on UTF-8 whose only control characters are tabs and line ends.
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
    let steers = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0c');
    if text.contains(steers) { Err(io::Error::other(NotText)) } else { Ok(n_bytes) }
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
        for data in [&b"\x1b[2J"[..], b"\0", b"\x7f", "\u{9b}".as_bytes(), b"\xff", b"caf\xc3"] {
            assert_eq!(shown(&[b"good", data]), None, "{data:?}");
        }
    }
}
