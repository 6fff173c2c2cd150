// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish speed`: what each kernel costs on this machine.

use std::io::{self, Write};

use clap::Args;
use manyfish::{CompiledTwofish, KernelInfo, Tables, Twofish};

use crate::Error;
use crate::commands::kernel_error;
use crate::speed::report::{self, Report};
use crate::speed::{curve, machine::Machine, requests, rows};

/// The key sizes of Twofish, as options and defaults.
const KEY_BITS: [&str; 3] = ["128", "192", "256"];

#[derive(Args)]
#[command(after_help = NOTES)]
pub struct SpeedArgs {
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Measure these kernels only; "compiled" is compiled keying
    #[arg(long, value_name = "NAME", num_args = 1..)]
    kernel: Vec<String>,
    /// Measure these key sizes only
    #[arg(long, value_name = "BITS", num_args = 1.., value_parser = KEY_BITS)]
    key_bits: Vec<String>,
    /// Measure requests of 1 to 1000 blocks, too
    #[arg(long)]
    requests: bool,
}

const NOTES: &str = "\
Measures for some seconds: each kernel's key set-up, a block alone, cycles per byte in bulk; then
set-up and encryption of messages of 16 bytes to 64 KiB by the best kernel, beside the figures that
the authors printed in 1998. Other programs at work disturb the figures.";

pub fn run(args: &SpeedArgs) -> Result<(), Error> {
    let kernels = chosen_kernels(&args.kernel)?;
    let key_sizes = chosen_key_sizes(&args.key_bits);
    let mut report = Report::of(Machine::here());
    // Tables appear as they are measured, JSON at the end.
    let show = |table: &dyn Fn() -> String| if args.json { Ok(()) } else { print(&table()) };
    show(&|| report::head(&report.machine))?;
    for (kernel, key_bits) in pairs(&kernels, &key_sizes) {
        report.rows.push(rows::measure(kernel, key_bits)?);
    }
    if compiled_is_chosen(&args.kernel)? {
        for key_bits in &key_sizes {
            report.rows.push(rows::measure_compiled(*key_bits)?);
        }
    }
    show(&|| report::rows_table(&report.rows))?;
    if args.requests {
        for (kernel, key_bits) in pairs(&kernels, &key_sizes) {
            report.requests.extend(requests::measure(kernel, key_bits)?);
        }
        show(&|| report::requests_table(&report.requests))?;
    }
    for key_bits in key_sizes.iter().filter(|_| !kernels.is_empty()) {
        report.curve.extend(curve::measure(&kernels, *key_bits)?);
    }
    print(&if args.json { report.json() } else { report::curve_table(&report.curve) })
}

/// Each kernel with each key size that it takes.
fn pairs<'a>(
    kernels: &'a [KernelInfo],
    key_sizes: &'a [usize],
) -> impl Iterator<Item = (&'a KernelInfo, usize)> {
    let all =
        kernels.iter().flat_map(|kernel| key_sizes.iter().map(move |key_bits| (kernel, *key_bits)));
    all.filter(|(kernel, key_bits)| key_bits / 8 <= kernel.max_key_bytes)
}

fn print(text: &str) -> Result<(), Error> {
    let mut stdout = io::stdout();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(Error::output)
}

/// The kernels asked for, after their tables have been built, or all that run here, best first.
fn chosen_kernels(names: &[String]) -> Result<Vec<KernelInfo>, Error> {
    for name in names.iter().filter(|name| *name != rows::COMPILED) {
        if let Some(tables) = Tables::of_kernel(name) {
            tables.build(0, |_, _| true).map_err(Error::failed)?;
        }
        Twofish::with_kernel(name, &rows::key(128)).map_err(kernel_error)?;
    }
    let runnable = manyfish::kernels().filter(|kernel| kernel.runnable);
    let is_chosen =
        |kernel: &KernelInfo| names.is_empty() || names.iter().any(|n| n == kernel.name);
    Ok(runnable.filter(is_chosen).collect())
}

/// Is compiled keying to be measured? If it was asked for, what it lacks here is an error.
fn compiled_is_chosen(names: &[String]) -> Result<bool, Error> {
    let asked = names.iter().any(|name| name == rows::COMPILED);
    match CompiledTwofish::new(&rows::key(128)) {
        Ok(_) => Ok(asked || names.is_empty()),
        Err(error) if asked => Err(kernel_error(error)),
        Err(_) => Ok(false),
    }
}

/// The key sizes asked for, or all, smallest first.
fn chosen_key_sizes(names: &[String]) -> Vec<usize> {
    let is_chosen = |bits: &&str| names.is_empty() || names.iter().any(|name| name == bits);
    let chosen = KEY_BITS.into_iter().filter(is_chosen);
    chosen.map(|bits| bits.parse().expect("a number")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn nothing_named_is_everything() {
        assert_eq!(chosen_key_sizes(&[]), [128, 192, 256]);
        assert!(chosen_kernels(&[]).unwrap().iter().any(|kernel| kernel.is_default));
    }

    #[test]
    fn compiled_is_named_like_a_kernel() {
        assert!(chosen_kernels(&names(&["compiled"])).unwrap().is_empty());
        assert!(!compiled_is_chosen(&names(&["full"])).unwrap());
        let has_code = CompiledTwofish::new(&[0; 16]).is_ok();
        assert_eq!(compiled_is_chosen(&[]).unwrap(), has_code);
        assert_eq!(compiled_is_chosen(&names(&["compiled"])).is_ok(), has_code);
    }

    #[test]
    fn what_is_named_comes_in_the_order_of_the_list() {
        assert_eq!(chosen_key_sizes(&names(&["256", "128"])), [128, 256]);
        let kernels = chosen_kernels(&names(&["zero", "full"])).unwrap();
        assert_eq!(kernels.iter().map(|kernel| kernel.name).collect::<Vec<_>>(), ["full", "zero"]);
    }
}
