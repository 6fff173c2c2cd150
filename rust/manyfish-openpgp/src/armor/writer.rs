// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Octets to armor.

use std::io::{self, Write};

use super::radix64::{CRC24_START, PAD, crc24, encode};
use super::{BEGIN, END};

/// 64 characters, as PEM has it; the standard allows up to 76.
const LINE_OCTETS: usize = 48;

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
