// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Where the passphrase comes from: the terminal, or the first line of a file. Never the command line
//! or the environment, where others can read it. It is wiped after use.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use zeroize::Zeroizing;

use crate::error::warn_at_terminal;
use crate::input::{Input, length};
use crate::{Error, platform, signals};

pub type Passphrase = Zeroizing<Vec<u8>>;

const MAX_BYTES: usize = 4096;
const STDIN: &str = "-";

#[derive(Debug, Args)]
pub struct PassphraseArgs {
    /// Read the passphrase from the first line of this file; "-" is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase")]
    passphrase_file: Option<PathBuf>,
    /// Ask for the passphrase on the terminal, which is the default
    #[arg(short, long)]
    passphrase: bool,
}

impl PassphraseArgs {
    /// Refuses to read passphrase and message from the same stream.
    pub fn check(&self, input: &Input) -> Result<(), Error> {
        if !self.is_stdin() || !input.is_stdin() {
            return Ok(());
        }
        Err(Error::usage("standard input cannot be both the passphrase and the input")
            .hint("name a file to read as INPUT, or another --passphrase-file"))
    }

    /// The file that holds it.
    pub fn file(&self) -> Option<&PathBuf> {
        self.passphrase_file.as_ref()
    }

    /// Whether it comes from standard input.
    pub fn is_stdin(&self) -> bool {
        self.passphrase_file.as_deref().is_some_and(is_stdin)
    }

    /// Whether the command line says where it comes from.
    pub fn is_given(&self) -> bool {
        self.passphrase || self.passphrase_file.is_some()
    }

    /// For decryption: asks once.
    pub fn get(&self) -> Result<Passphrase, Error> {
        self.get_or_empty(false)
    }

    /// The same; an empty one may do, where there is another secret.
    pub fn get_or_empty(&self, may_be_empty: bool) -> Result<Passphrase, Error> {
        match &self.passphrase_file {
            Some(path) => from_file(path, may_be_empty),
            None => ask("Passphrase: ", may_be_empty),
        }
    }

    /// For encryption: asks twice, since a slip would lock the file for ever.
    pub fn get_confirmed(&self) -> Result<Passphrase, Error> {
        if let Some(path) = &self.passphrase_file {
            return from_file(path, false);
        }
        let passphrase = ask("Passphrase: ", false)?;
        if ask("Repeat passphrase: ", false)? != passphrase {
            return Err(Error::failed("the two passphrases differ"));
        }
        Ok(passphrase)
    }
}

/// Whether a path of the command line stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

fn ask(prompt: &str, may_be_empty: bool) -> Result<Passphrase, Error> {
    signals::listen();
    let line = platform::ask(prompt, MAX_BYTES)
        .map_err(|e| Error::io("cannot read the passphrase from the terminal", &e))?;
    let line = line.ok_or_else(|| {
        Error::failed("there is no terminal to ask for the passphrase")
            .hint("use --passphrase-file FILE")
    })?;
    checked(line, "typed", may_be_empty)
}

fn from_file(path: &Path, may_be_empty: bool) -> Result<Passphrase, Error> {
    let (name, text) = read(path, MAX_BYTES, |text| text.contains(&b'\n'))?;
    if let Some(found) = not_plain_text(&text) {
        return Err(Error::failed(format_args!("{name} {found}, expected plain text"))
            .hint("save it as UTF-8 without a byte order mark"));
    }
    if first_line(&text).len() == MAX_BYTES {
        return Err(Error::failed(format_args!(
            "the first line of {name} has {MAX_BYTES} bytes or more, expected a passphrase"
        )));
    }
    checked(text, &format!("first line of {name}"), may_be_empty)
}

/// All bytes of a key file, line feeds too, which has at most `most`.
pub fn from_key_file(path: &Path, most: usize) -> Result<Passphrase, Error> {
    let (name, key) = beginning(path, most + 1)?;
    if key.len() > most {
        let limit = most >> 20;
        return Err(Error::failed(format_args!("the key file {name} is longer than {limit} MiB")));
    }
    Ok(key)
}

/// The first bytes of a key file of any length, at most `most`.
pub fn from_key_file_beginning(path: &Path, most: usize) -> Result<Passphrase, Error> {
    beginning(path, most).map(|(_, key)| key)
}

fn beginning(path: &Path, most: usize) -> Result<(String, Passphrase), Error> {
    let (name, key) = read(path, most, |_| false)?;
    if key.is_empty() {
        return Err(Error::failed(format_args!("the key file {name} is empty")));
    }
    Ok((name, key))
}

/// The name of a file, and its first bytes: up to `most`, or to where they are enough.
fn read(
    path: &Path,
    most: usize,
    is_enough: impl Fn(&[u8]) -> bool,
) -> Result<(String, Passphrase), Error> {
    let is_stdin = is_stdin(path);
    let name = if is_stdin { "standard input".into() } else { path.display().to_string() };
    let refuse = |error| Error::io(format_args!("cannot read {name}"), &error);
    let file = if is_stdin { platform::stdin() } else { File::open(path) }.map_err(refuse)?;
    warn_if_open_to_others(&file, &name);
    let bytes = first_bytes(&file, most, is_enough).map_err(refuse)?;
    Ok((name, bytes))
}

/// Only its owner should be able to read a file with a secret.
pub fn warn_if_open_to_others(file: &File, name: &str) {
    if file.metadata().is_ok_and(|found| platform::is_open_to_others(&found)) {
        warn_at_terminal(format_args!(
            "other users can read {name}; chmod 600 keeps it to yourself"
        ));
    }
}

fn first_bytes(
    mut file: &File,
    most: usize,
    is_enough: impl Fn(&[u8]) -> bool,
) -> io::Result<Passphrase> {
    let there = length(&file.metadata()?).and_then(|n_bytes| usize::try_from(n_bytes).ok());
    let most = there.map_or(most, |n_bytes| most.min(n_bytes + 1));
    // All its space at once: a vector that grew would leave copies behind.
    let mut bytes = Zeroizing::new(vec![0; most]);
    manyfish::lock(&bytes);
    let mut filled = 0;
    while filled < most && !is_enough(&bytes[..filled]) {
        match file.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// Bytes that an editor adds unseen and nobody types: a user who types the rest could not open the file.
fn not_plain_text(text: &[u8]) -> Option<&'static str> {
    match text {
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => Some("is in UTF-16"),
        [0xef, 0xbb, 0xbf, ..] => Some("begins with a byte order mark"),
        _ if first_line(text).contains(&0) => Some("has a zero byte in its first line"),
        _ => None,
    }
}

/// Up to the first line feed, without a carriage return before it.
pub fn first_line(text: &[u8]) -> &[u8] {
    let line = text.split(|&octet| octet == b'\n').next().unwrap_or_default();
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The first line, where it stands: a copy would be one more to wipe.
fn checked(mut text: Passphrase, origin: &str, may_be_empty: bool) -> Result<Passphrase, Error> {
    let n_bytes = first_line(&text).len();
    if n_bytes == 0 && !may_be_empty {
        return Err(Error::failed(format_args!("the passphrase ({origin}) is empty")));
    }
    text.truncate(n_bytes);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn from(text: &[u8]) -> Result<Passphrase, Error> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text).unwrap();
        from_file(file.path(), false)
    }

    #[test]
    fn a_file_gives_its_first_line() {
        for text in [&b"open sesame"[..], b"open sesame\n", b"open sesame\r\n", b"open sesame\nx"] {
            assert_eq!(&from(text).unwrap()[..], b"open sesame");
        }
        assert_eq!(&from(b" spaces \xff count ").unwrap()[..], b" spaces \xff count ");
    }

    #[test]
    fn a_key_file_counts_whole_or_its_beginning() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let key: Vec<u8> = (0..=250).cycle().take(9 << 20).collect();
        file.write_all(&key).unwrap();
        assert!(from_key_file(file.path(), 9 << 20).unwrap()[..] == key);
        let beginning = from_key_file_beginning(file.path(), 1 << 20).unwrap();
        assert!(beginning[..] == key[..1 << 20]);
        let error = from_key_file(file.path(), 8 << 20).unwrap_err().to_string();
        assert!(error.ends_with(" is longer than 8 MiB"), "{error}");
    }

    #[test]
    fn what_is_not_plain_text_is_refused() {
        let texts: [(&[u8], _); 5] = [
            (b"\xff\xfeo\0p\0", "is in UTF-16"),
            (b"\xfe\xff\0o\0p", "is in UTF-16"),
            (b"\xef\xbb\xbfopen", "begins with a byte order mark"),
            (b"o\0p\0e\0n\0\n\0", "has a zero byte in its first line"),
            (b"\0\n", "has a zero byte in its first line"),
        ];
        for (text, found) in texts {
            let error = from(text).unwrap_err().to_string();
            assert!(error.ends_with(&format!(" {found}, expected plain text")), "{error}");
        }
        assert!(from(b"open\n\0\xef\xbb\xbf").is_ok(), "only the first line counts");
    }

    #[test]
    fn empty_and_endless_lines_are_refused() {
        for text in [&b""[..], b"\n", b"\r\nsecond"] {
            assert!(from(text).unwrap_err().to_string().ends_with("is empty"));
        }
        assert!(from(&[b'x'; MAX_BYTES - 1]).is_ok());
        assert!(
            from(&[b'x'; MAX_BYTES]).unwrap_err().to_string().contains("expected a passphrase")
        );
    }
}
