// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish inspect`.

use std::path::PathBuf;

use clap::Args;

use crate::Error;

#[derive(Debug, Args)]
pub struct InspectArgs {
    /// The file to read; standard input without it, or with "-"
    input: Option<PathBuf>,
}

pub fn run(args: &InspectArgs) -> Result<(), Error> {
    Err(Error::failed(format_args!("{args:?}")))
}
