// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Small readers that every parser here uses: exact reads that tell truncation from other errors, and
//! a cursor over a packet body. Nothing here allocates ahead of the input.

use std::io::{self, Read};

use crate::algorithm::PacketType;
use crate::error::{Error, Result};

/// Fills `buffer`; an end of the input before that means the message ends in `what`.
pub fn exact(
    input: &mut (impl Read + ?Sized),
    buffer: &mut [u8],
    what: &'static str,
) -> Result<()> {
    if up_to(input, buffer)? == buffer.len() { Ok(()) } else { Err(Error::Truncated(what)) }
}

/// Reads until `buffer` is full or the input ends, and returns how much it read.
pub fn up_to(input: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}

/// The next octet, or `None` at the end of the input.
pub fn octet(input: &mut (impl Read + ?Sized)) -> io::Result<Option<u8>> {
    let mut octet = [0];
    Ok((up_to(input, &mut octet)? == 1).then_some(octet[0]))
}

/// Reads and forgets the rest.
pub fn discard(input: &mut (impl Read + ?Sized)) -> io::Result<u64> {
    io::copy(input, &mut io::sink())
}

/// The rest of a packet body, to parse.
#[derive(Debug)]
pub struct Fields<'a> {
    packet: PacketType,
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub fn new(packet: PacketType, body: &'a [u8]) -> Self {
        Self { packet, rest: body }
    }

    pub fn malformed(&self, problem: &'static str) -> Error {
        Error::Malformed { packet: self.packet, problem }
    }

    pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (head, rest) =
            self.rest.split_at_checked(n).ok_or_else(|| self.malformed("it is too short"))?;
        self.rest = rest;
        Ok(head)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    pub fn octet(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_names_what_is_cut() {
        let mut short: &[u8] = &[1, 2];
        let error = exact(&mut short, &mut [0; 3], "its salt").unwrap_err();
        assert_eq!(error.to_string(), "the message is truncated: it ends in its salt");
    }

    #[test]
    fn fields_never_run_past_the_body() {
        let mut fields = Fields::new(PacketType::SKESK, &[6, 7]);
        assert_eq!(fields.octet().unwrap(), 6);
        assert!(fields.take(2).is_err());
        assert_eq!(fields.rest(), [7]);
        assert!(fields.is_empty() && fields.octet().is_err());
    }
}
