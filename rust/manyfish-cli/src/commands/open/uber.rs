// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keystores of Bouncy Castle: listed, shown, exported.

use std::fmt::Write;

use base64ct::{Base64, Encoding};
use manyfish_files::uber::{Certificate, Content as Held, Entry, Key, Sealed};
use manyfish_files::{Error as FileError, Limits, Source};
use zeroize::Zeroizing;

use super::entries::{Form, Text, nothing_called, read};
use super::{OpenArgs, beginning, explain, file};
use crate::Error;
use crate::error::{note, shown};
use crate::input::Input;
use crate::output::Content;

/// Keystores are small, and the parts of a strange one take ten times its memory.
pub const MOST_BYTES: u64 = 8 << 20;
/// Characters of a line of PEM [RFC7468].
const LINE: usize = 64;

pub fn may_be(input: &Input) -> bool {
    let n_bytes = file(input).ok().and_then(|file| file.n_bytes().ok());
    beginning(input).zip(n_bytes).is_some_and(|(beginning, n)| Sealed::may_be(beginning, n))
}

pub fn open(args: &OpenArgs, mut input: Input) -> Result<(), Error> {
    if args.export.is_some_and(|form| form != Form::Pem) {
        return Err(Error::usage("a keystore is exported by --export pem"));
    }
    let file = read(&mut input, MOST_BYTES)?;
    let refuse = |error| explain(error, &input);
    let sealed = Sealed::read(&file).map_err(refuse)?;
    let target = args.output.target(Content::Plaintext, &input)?;
    let limits = args.unlock.within(sealed.asks_for()).map_err(refuse)?;
    let passphrase = args.unlock.passphrase.get()?;
    let passphrase = str::from_utf8(&passphrase).map_err(|_| refuse(FileError::NotUtf8))?;
    let store = sealed.open(passphrase, &limits).map_err(|error| match error {
        FileError::WrongPassphrase => {
            refuse(error).hint("or this is no keystore UBER: keytool opens BKS, and others")
        }
        other => refuse(other),
    })?;
    let mut text = Text::default();
    let wanted = |entry: &&Entry| args.show.as_ref().is_none_or(|name| *name == entry.alias);
    for entry in store.entries.iter().filter(wanted) {
        let thing = Thing::of(entry, passphrase, &limits).map_err(refuse)?;
        if args.show.is_some() && matches!(thing, Thing::Closed) {
            return Err(closed(&entry.alias));
        }
        if args.show.is_some() || args.export.is_some() {
            thing.write_pem(&mut text, entry);
        } else {
            writeln!(text, "{}\t{}", shown(&entry.alias), thing.words())
                .expect("a string takes all");
        }
    }
    if let Some(name) = args.show.as_ref().filter(|_| text.is_empty()) {
        return Err(nothing_called(name));
    }
    let mut output = target.create()?;
    output.put(text.as_bytes())?;
    output.commit()
}

fn closed(alias: &str) -> Error {
    Error::failed(format_args!("the entry {alias:?} is under another passphrase"))
        .hint("give it that of the keystore: keytool -keypasswd")
}

/// The content of an entry, as far as the passphrase opens it.
enum Thing<'a> {
    Certificate(&'a Certificate),
    Key(&'a Key),
    Opened(Key),
    Closed,
}

impl<'a> Thing<'a> {
    fn of(entry: &'a Entry, passphrase: &str, limits: &Limits) -> Result<Self, FileError> {
        match &entry.content {
            Held::Certificate(certificate) => Ok(Self::Certificate(certificate)),
            Held::Key(key) => Ok(Self::Key(key)),
            Held::Sealed(sealed) => match sealed.open(passphrase, limits) {
                Ok(key) => Ok(Self::Opened(key)),
                Err(FileError::WrongPassphrase) => Ok(Self::Closed),
                Err(other) => Err(other),
            },
        }
    }

    fn key(&self) -> Option<&Key> {
        match self {
            Self::Key(key) => Some(key),
            Self::Opened(key) => Some(key),
            _ => None,
        }
    }

    fn words(&self) -> String {
        match (self, self.key()) {
            (_, Some(key)) => format!("{} key, {}", key.kind, shown(&key.algorithm)),
            (Self::Certificate(certificate), _) => {
                format!("certificate, {}", shown(&certificate.kind))
            }
            _ => "key under another passphrase".into(),
        }
    }

    /// Programs ignore what stands between the blocks.
    fn write_pem(&self, text: &mut Text, entry: &Entry) {
        let alias = shown(&entry.alias);
        if let Self::Closed = self {
            note(format_args!("{alias} is under another passphrase, and left out"));
            return;
        }
        writeln!(text, "{alias}: {}", self.words()).expect("a string takes all");
        if let Some(key) = self.key() {
            write_block(text, &format!("{} KEY", key.kind.to_uppercase()), &key.octets);
        }
        let own = match self {
            Self::Certificate(certificate) => Some(*certificate),
            _ => None,
        };
        for certificate in own.into_iter().chain(&entry.chain) {
            write_block(text, "CERTIFICATE", &certificate.octets);
        }
    }
}

fn write_block(text: &mut Text, label: &str, octets: &[u8]) {
    let encoded = Zeroizing::new(Base64::encode_string(octets));
    writeln!(text, "-----BEGIN {label}-----").expect("a string takes all");
    for line in encoded.as_bytes().chunks(LINE) {
        let line = str::from_utf8(line).expect("Base64 is ASCII");
        writeln!(text, "{line}").expect("a string takes all");
    }
    writeln!(text, "-----END {label}-----").expect("a string takes all");
}
