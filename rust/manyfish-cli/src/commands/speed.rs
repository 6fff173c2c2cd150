// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish speed`: what each kernel costs on this machine.

use clap::Args;

use crate::Error;

#[derive(Args)]
pub struct SpeedArgs {
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Measure these kernels only
    #[arg(long, value_name = "NAME", num_args = 1..)]
    kernel: Vec<String>,
    /// Measure these key sizes only: 128, 192, 256
    #[arg(long, value_name = "BITS", num_args = 1..)]
    key_bits: Vec<usize>,
}

pub fn run(args: &SpeedArgs) -> Result<(), Error> {
    Err(Error::failed(format_args!("{} {:?} {:?}", args.json, args.kernel, args.key_bits)))
}
