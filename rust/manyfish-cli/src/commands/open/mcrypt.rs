// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Files of mcrypt: the first pass checks the hash of the data, the second one writes them.

use std::fs::File;

use manyfish_files::mcrypt::Sealed;

use super::{OpenArgs, beginning, explain, explain_writing, file};
use crate::Error;
use crate::input::Input;
use crate::output::Content;

pub fn is_one(input: &Input) -> bool {
    beginning(input).is_some_and(|beginning: [u8; 3]| Sealed::<&File>::is_one(&beginning))
}

pub fn read(input: &Input) -> Result<Sealed<&File>, Error> {
    Sealed::read(file(input)?).map_err(|error| explain(error, input))
}

pub fn open(args: &OpenArgs, input: &Input) -> Result<(), Error> {
    let sealed = read(input)?;
    let target = args.output.target(Content::Plaintext, input)?;
    let passphrase = args.unlock.passphrase.get()?;
    let opened = sealed.open(&passphrase).map_err(|error| explain(error, input))?;
    let mut output = target.create()?;
    opened.copy(&mut output).map_err(|error| explain_writing(error, &target, input))?;
    output.commit()
}
