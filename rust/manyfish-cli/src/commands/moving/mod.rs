// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish move`: what an old file holds, in a file of today.

mod disk;
mod message;
mod passwords;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::open::{Format, UnlockArgs};
use crate::Error;
use crate::input::Input;
use crate::output::{FileArgs, Target};

const NOTES: &str = "\
A safe of Password Safe or a KeePass database (KDB, KDBX) becomes a database of KDBX 4, a volume of LUKS,
VeraCrypt or TrueCrypt a disk image of LUKS 2, a file of mcrypt or an old OpenPGP message a new message,
under the same passphrase, which Argon2id stretches. The new file is read again and compared before it gets
its name. The input stays as it is.";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct MoveArgs {
    #[command(flatten)]
    output: FileArgs,
    #[command(flatten)]
    unlock: UnlockArgs,
    /// Cipher of the new file: aes is the default; disks have no chacha20, messages twofish alone
    #[arg(long, value_enum)]
    cipher: Option<Cipher>,
    /// Input file
    input: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Cipher {
    Aes,
    Chacha20,
    Twofish,
}

pub fn run(args: &MoveArgs) -> Result<(), Error> {
    let found = args.unlock.look(Input::open(Some(&args.input))?)?;
    args.output.spare(args.unlock.files())?;
    found.format.check(&found.input, args.unlock.given())?;
    match found.format {
        Format::Entries(program) => passwords::run(args, program, found.input),
        Format::Luks(_) | Format::Noise => disk::run(args, &found),
        Format::Message | Format::Mcrypt => message::run(args, &found),
        Format::Keystore => {
            let input = &found.input;
            Err(Error::failed(format_args!(
                "{input} is a keystore, for which there is no new form"
            ))
            .hint(format_args!("manyfish open --export pem {input} writes what it holds")))
        }
    }
}

/// The error of a new file that does not hold what was written.
fn differs(target: &Target) -> Error {
    let name = &target.name;
    Error::failed(format_args!("{name} gives other data than were written to it"))
        .hint("the disk that holds it may be failing")
}
