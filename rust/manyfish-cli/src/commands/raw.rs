// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish raw`: a bare mode, for exchange with other programs.

use clap::Args;

use crate::Error;

#[derive(Debug, Args)]
pub struct RawArgs {}

pub fn run(args: RawArgs) -> Result<(), Error> {
    Err(Error::failed(format_args!("{args:?}")))
}
