// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The data of an old volume in a new one of LUKS 2.

use std::fs::File;

use manyfish_files::luks::{self, Luks, New};
use manyfish_files::{Error as FileError, Source, Volume};
use zeroize::Zeroizing;

use super::{Cipher, MoveArgs, differs};
use crate::commands::open::copy::{PIECE_BYTES, pieces};
use crate::commands::open::{Format, Found, explain_writing};
use crate::input::Input;
use crate::output::{Content, OUT, Target, write_error};
use crate::passphrase::Passphrase;
use crate::{Error, platform};

pub fn run(args: &MoveArgs, found: &Found) -> Result<(), Error> {
    let cipher = match args.cipher {
        None | Some(Cipher::Aes) => luks::Cipher::Aes,
        Some(Cipher::Twofish) => luks::Cipher::Twofish,
        Some(Cipher::Chacha20) => {
            return Err(Error::usage("disks have no cipher chacha20")
                .hint("take --cipher aes, the default, or twofish"));
        }
    };
    if matches!(found.format, Format::Noise) && args.unlock.has_key_file() {
        return Err(Error::failed(
            "LUKS mixes no key file with the passphrase, so this volume cannot move",
        )
        .hint("manyfish open writes its data, and cryptsetup luksFormat makes a volume for them"));
    }
    let target = args.output.target(Content::Bare, &found.input)?;
    let output = target.create_readable()?;
    let (volume, passphrase) = found.volume(&args.unlock)?;
    let place = Place { disk: output.file(), target: &target, input: &found.input };
    place.make_room(New::HEADER_BYTES + volume.n_bytes())?;
    place.write(cipher, &volume, &passphrase)?;
    place.compare(&volume, &passphrase)?;
    output.commit()
}

/// Where the new volume comes to lie, and the names for messages.
struct Place<'a> {
    disk: &'a File,
    target: &'a Target,
    input: &'a Input,
}

impl Place<'_> {
    /// A device has its length.
    fn make_room(&self, n_bytes: u64) -> Result<(), Error> {
        let refuse = |error| write_error(&self.target.name, OUT, &error);
        if self.disk.metadata().map_err(refuse)?.is_file() {
            return self.disk.set_len(n_bytes).map_err(refuse);
        }
        let there = self.disk.n_bytes().map_err(refuse)?;
        if there < n_bytes {
            return Err(Error::failed(format_args!(
                "{} has {there} bytes, but the new volume takes {n_bytes}",
                self.target.name
            )));
        }
        Ok(())
    }

    fn write(
        &self,
        cipher: luks::Cipher,
        volume: &Volume<File>,
        passphrase: &Passphrase,
    ) -> Result<(), Error> {
        let mut new = New::default();
        new.cipher = cipher;
        let refuse = |error| explain_writing(error, self.target, self.input);
        let copy = new.create(self.disk, passphrase).map_err(refuse)?;
        let mut offset = 0;
        pieces(volume, 0, true, self.input, |piece| {
            copy.write_at(piece, offset).map_err(|error| refuse(FileError::Write(error)))?;
            offset += piece.len() as u64;
            Ok(())
        })?;
        let synced = copy.sync().and_then(|()| platform::drop_cache(self.disk));
        synced.map_err(|error| refuse(FileError::Write(error)))
    }

    /// Opens the new volume by the passphrase, and reads all of it.
    fn compare(&self, volume: &Volume<File>, passphrase: &Passphrase) -> Result<(), Error> {
        let name = &self.target.name;
        let refuse = |error| Error::failed(format_args!("cannot read {name} again: {error}"));
        let luks = Luks::read(self.disk).map_err(refuse)?;
        let copy = luks.open(self.disk, self.disk, passphrase, &luks.asks_for()).map_err(refuse)?;
        let mut buffer = Zeroizing::new(vec![0; PIECE_BYTES]);
        let mut offset = 0;
        pieces(volume, 0, true, self.input, |piece| {
            let again = &mut buffer[..piece.len()];
            copy.read_at(again, offset).map_err(|error| refuse(error.into()))?;
            if again != piece {
                return Err(differs(self.target));
            }
            offset += piece.len() as u64;
            Ok(())
        })
    }
}
