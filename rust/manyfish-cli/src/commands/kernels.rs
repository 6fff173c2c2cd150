// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish kernels`: every kernel of this build, and which one is taken and why.

use clap::Args;

use crate::Error;

#[derive(Debug, Args)]
pub struct KernelsArgs {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub fn run(args: &KernelsArgs) -> Result<(), Error> {
    for kernel in manyfish::kernels() {
        println!("{kernel:?} {}", args.json);
    }
    Ok(())
}
