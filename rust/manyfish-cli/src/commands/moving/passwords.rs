// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Passwords of an old file in a new KeePass database.

use manyfish_files::Source;
use manyfish_files::kdbx::{self, Key, Sealed, from_safe};

use super::{Cipher, MoveArgs, differs};
use crate::Error;
use crate::commands::open::entries::{MOST_BYTES, Program, explain_database, key, open_safe, read};
use crate::commands::open::explain;
use crate::input::Input;
use crate::output::Content;

pub fn run(args: &MoveArgs, program: Program, mut input: Input) -> Result<(), Error> {
    let target = args.output.target(Content::Bare, &input)?;
    let mut output = target.create_readable_file()?;
    let file = read(&mut input, MOST_BYTES)?;
    let moved = match program {
        Program::PasswordSafe => of_safe(args, file, &input)?,
        Program::KeePass => of_database(args, &file, &input)?,
    };
    output.put(&moved)?;
    let mut again = vec![0; moved.len()];
    let read = output.settle()?.read_exact_at(&mut again, 0);
    read.map_err(|error| Error::io(format_args!("cannot read {}", target.name), &error))?;
    if again != moved {
        return Err(differs(&target));
    }
    output.commit()
}

fn of_safe(args: &MoveArgs, file: Vec<u8>, input: &Input) -> Result<Vec<u8>, Error> {
    let (safe, passphrase) = open_safe(&args.unlock, file, input)?;
    let key = Key { passphrase, key_file: None };
    from_safe(&safe, &key, cipher(args)).map_err(|error| explain(error, input))
}

fn of_database(args: &MoveArgs, file: &[u8], input: &Input) -> Result<Vec<u8>, Error> {
    let refuse = |error| explain_database(error, &args.unlock, input);
    let sealed = Sealed::read(file).map_err(refuse)?;
    let limits = args.unlock.within(sealed.asks_for()).map_err(refuse)?;
    sealed.moved(&key(&args.unlock)?, cipher(args), &limits).map_err(refuse)
}

fn cipher(args: &MoveArgs) -> kdbx::Cipher {
    match args.cipher {
        None | Some(Cipher::Aes) => kdbx::Cipher::Aes,
        Some(Cipher::Chacha20) => kdbx::Cipher::ChaCha20,
        Some(Cipher::Twofish) => kdbx::Cipher::Twofish,
    }
}
