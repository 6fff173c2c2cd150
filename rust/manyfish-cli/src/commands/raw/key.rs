// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The key of a bare mode, from the command line or from a file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use manyfish::Twofish;
use zeroize::Zeroizing;

use crate::commands::kernel_error;
use crate::{Error, hex};

/// Longer files hold no key: 64 digits and a line end of two bytes.
const MAX_FILE_BYTES: usize = 66;

/// Expands the key that the options name.
pub fn load(
    key: Option<&str>,
    key_file: Option<&Path>,
    kernel: Option<&str>,
) -> Result<Twofish, Error> {
    let key = match (key, key_file) {
        (_, Some(path)) => from_file(path)?,
        (Some(key), None) => from_argument(key)?,
        (None, None) => {
            return Err(
                Error::usage("no key given").hint("name a file that holds it, with --key-file")
            );
        }
    };
    match kernel {
        Some(name) => Twofish::with_kernel(name, &key).map_err(kernel_error),
        None => Ok(Twofish::new(&key)?),
    }
}

fn from_argument(text: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
    let key = hex::decode(text.as_bytes()).filter(|key| is_key_length(key.len()));
    key.ok_or_else(|| {
        Error::usage(format_args!(
            "--key takes 32, 48 or 64 hexadecimal digits, not these {} characters",
            text.chars().count()
        ))
    })
}

fn from_file(path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
    let content = read(path).map_err(|error| {
        Error::io(format_args!("cannot read the key file {}", path.display()), &error)
    })?;
    parse(&content).ok_or_else(|| {
        let found = match content.len() {
            n_bytes @ ..=MAX_FILE_BYTES => format!("{n_bytes} bytes that are neither"),
            _ => "more".to_owned(),
        };
        Error::failed(format_args!(
            "the key file {} should hold 16, 24 or 32 bytes, or twice as many hexadecimal digits, \
             but holds {found}",
            path.display()
        ))
    })
}

fn read(path: &Path) -> std::io::Result<Zeroizing<Vec<u8>>> {
    // All the room at once: a buffer that grows leaves copies behind.
    let mut content = Zeroizing::new(Vec::with_capacity(2 * MAX_FILE_BYTES));
    File::open(path)?.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

/// Digits win: a random key of 32 bytes looks like 32 digits once in 10^34.
fn parse(content: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let line = content.strip_suffix(b"\n").unwrap_or(content);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let digits = hex::decode(line).filter(|key| is_key_length(key.len()));
    let bytes = || is_key_length(content.len()).then(|| Zeroizing::new(content.to_vec()));
    digits.or_else(bytes)
}

fn is_key_length(n_bytes: usize) -> bool {
    matches!(n_bytes, 16 | 24 | 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(content: &[u8]) -> Option<Vec<u8>> {
        parse(content).map(|key| key.to_vec())
    }

    #[test]
    fn digits_may_end_in_a_newline() {
        for end in ["", "\n", "\r\n"] {
            assert_eq!(
                parsed(format!("{}{end}", "5a".repeat(24)).as_bytes()),
                Some(vec![0x5a; 24])
            );
        }
        assert_eq!(parsed(format!("{}\n\n", "5a".repeat(24)).as_bytes()), None);
    }

    #[test]
    fn all_else_is_the_key_itself() {
        assert_eq!(parsed(&[b'\n'; 16]), Some(vec![b'\n'; 16]));
        assert_eq!(parsed(&[b'5'; 24]), Some(vec![b'5'; 24]), "12 bytes as digits are no key");
        assert_eq!(parsed(&[0xff; 32]), Some(vec![0xff; 32]));
    }

    #[test]
    fn of_two_readings_digits_win() {
        assert_eq!(parsed(&[b'5'; 32]), Some(vec![0x55; 16]));
    }

    #[test]
    fn other_lengths_are_refused() {
        for n_bytes in (0..=67).filter(|n_bytes| !is_key_length(*n_bytes)) {
            assert_eq!(parsed(&vec![0xff; n_bytes]), None, "{n_bytes}");
        }
    }
}
