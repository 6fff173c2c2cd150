// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Modes that take a message as a whole and hold it in memory: they may release nothing before they have
//! verified the tag, or the end of the message decides how it begins.

use crate::Error;
use crate::input::Input;

/// The longest message that is held in memory.
pub const MAX_BYTES: usize = 256 << 20;
/// The longest data unit of XTS. [IEEE1619, 5.1]
pub const MAX_UNIT_BYTES: usize = 16 << 20;

/// The whole input: at most `max` bytes of message and `added` bytes of tag.
pub fn read(input: &mut Input, mode: &str, max: usize, added: usize) -> Result<Vec<u8>, Error> {
    let limit = max + added;
    let mut message = Vec::new();
    if input.fill(&mut message, limit + 1)? <= limit {
        return Ok(message);
    }
    Err(Error::failed(format_args!(
        "--mode {mode} takes messages of up to {} MiB here, but {} is longer",
        max >> 20,
        input.name
    ))
    .hint("manyfish encrypt takes files of any size"))
}

/// Ciphertext stealing takes bytes from the block before.
pub fn require_block(message: &[u8], block_bytes: usize) -> Result<(), Error> {
    if message.len() >= block_bytes {
        return Ok(());
    }
    Err(Error::failed(format_args!(
        "the input has {} bytes, but this mode needs at least {block_bytes}",
        message.len()
    ))
    .hint("--mode ctr takes any length"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Reader;

    fn input(content: &'static [u8]) -> Input {
        let (reader, name) = (Reader::stream(content), "notes".to_owned());
        Input { reader, name, bytes: None, metadata: None }
    }

    #[test]
    fn a_message_fills_its_limit() {
        assert_eq!(read(&mut input(&[7; 100]), "ocb", 100, 0).unwrap(), [7; 100]);
        assert_eq!(read(&mut input(&[7; 116]), "ocb", 100, 16).unwrap(), [7; 116]);
    }

    #[test]
    fn a_longer_message_is_refused() {
        let expected = "--mode eax takes messages of up to 1 MiB here, but notes is longer";
        for added in [0, 4, 16] {
            let content = vec![7; (1 << 20) + added + 1].leak();
            let error = read(&mut input(content), "eax", 1 << 20, added).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
