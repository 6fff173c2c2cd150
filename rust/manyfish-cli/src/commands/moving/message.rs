// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The file inside an old message, or one of mcrypt, in an OpenPGP message of today.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::thread;

use manyfish_openpgp::{Decryption, Encryption, Settings};
use sha2::digest::Output as Sum;
use sha2::{Digest, Sha256};

use super::{Cipher, MoveArgs, differs};
use crate::Error;
use crate::commands::explain;
use crate::commands::open::{Format, Found, explain as explain_file, file, mcrypt};
use crate::error::{note, warn};
use crate::output::{Content, Output, Target};
use crate::passphrase::Passphrase;
use crate::progress::{Clock, Progress};

const SIGNED: &str =
    "the message holds a signature, which was not checked, and which the new one lacks";

/// Writes the old file, and fails if it was altered.
type Decrypt<'a> = Box<dyn FnOnce(&mut dyn Write) -> Result<(), Error> + Send + 'a>;

pub fn run(args: &MoveArgs, found: &Found) -> Result<(), Error> {
    if !matches!(args.cipher, None | Some(Cipher::Twofish)) {
        return Err(Error::usage("new messages have the cipher twofish alone"));
    }
    let target = args.output.target(Content::Bare, &found.input)?;
    let output = target.create_readable_file()?;
    let moving = Moving { found, target: &target, passphrase: args.unlock.passphrase.get()? };
    let decrypt = match found.format {
        Format::Mcrypt => moving.of_mcrypt()?,
        _ => moving.of_message(args)?,
    };
    let (sum, mut output) = moving.write(decrypt, output)?;
    if moving.read_again(output.settle()?)? != sum {
        return Err(differs(&target));
    }
    output.commit()
}

struct Moving<'a> {
    found: &'a Found,
    target: &'a Target,
    passphrase: Passphrase,
}

impl Moving<'_> {
    fn of_mcrypt(&self) -> Result<Decrypt<'_>, Error> {
        let input = &self.found.input;
        let opened = mcrypt::read(input)?.open(&self.passphrase);
        let opened = opened.map_err(|error| explain_file(error, input))?;
        let name = input.name.as_str();
        let refuse = move |error| Error::failed(format_args!("cannot read {name}: {error}"));
        Ok(Box::new(move |mut output| opened.copy(&mut output).map_err(refuse)))
    }

    fn of_message(&self, args: &MoveArgs) -> Result<Decrypt<'_>, Error> {
        let (input, target) = (self.found.input.name.as_str(), self.target.name.as_str());
        let refuse = move |error| explain(error, input, target);
        let reader = BufReader::new(file(&self.found.input)?);
        let decryption =
            Decryption::seekable_with(reader, args.unlock.options()).map_err(refuse)?;
        decryption.insecurities().into_iter().for_each(warn);
        let session_key = decryption.session_key(&self.passphrase).map_err(refuse)?;
        Ok(Box::new(move |mut output| {
            let opened = decryption.run(session_key, &mut output).map_err(refuse)?;
            if opened.signed {
                note(SIGNED);
            }
            Ok(())
        }))
    }

    /// One thread decrypts, this one encrypts. Gives a hash of the file as well.
    fn write(&self, decrypt: Decrypt, output: Output) -> Result<(Sum<Sha256>, Output), Error> {
        let refuse = |error| explain(error, &self.found.input.name, &self.target.name);
        let settings = Settings::new().map_err(refuse)?;
        let encryption = Encryption::new(&self.passphrase, settings).map_err(refuse)?;
        let pipe = io::pipe().map_err(|error| Error::io("cannot make a pipe", &error))?;
        let (reader, mut writer) = pipe;
        thread::scope(|scope| {
            let decrypted = scope.spawn(move || decrypt(&mut writer));
            let mut hashed = Hashed { inner: reader, hash: Sha256::new() };
            let clock = Clock::default();
            clock.start();
            let encrypted =
                encryption.run(Progress::new(&mut hashed, None, true, &clock), None, output);
            let Hashed { inner: reader, hash } = hashed;
            drop(reader); // after an error the other side shall not wait
            let decrypted = decrypted.join().expect("it does not panic");
            let output = encrypted.map_err(refuse)?;
            decrypted?;
            Ok((hash.finalize(), output))
        })
    }

    /// The hash of the file in the new message.
    fn read_again(&self, mut message: &File) -> Result<Sum<Sha256>, Error> {
        let name = &self.target.name;
        let refuse = |error| explain(error, name, name);
        message.rewind().map_err(|error| Error::io(format_args!("cannot read {name}"), &error))?;
        let decryption = Decryption::new(BufReader::new(message)).map_err(refuse)?;
        let session_key = decryption.session_key(&self.passphrase).map_err(refuse)?;
        let mut hashed = Hashed { inner: io::sink(), hash: Sha256::new() };
        decryption.run(session_key, &mut hashed).map_err(refuse)?;
        Ok(hashed.hash.finalize())
    }
}

/// Hashes all that passes.
struct Hashed<T> {
    inner: T,
    hash: Sha256,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.hash.update(&buffer[..n]);
        Ok(n)
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(data)?;
        self.hash.update(&data[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
