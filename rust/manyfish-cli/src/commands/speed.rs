// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish speed`: the cost of each kernel on this machine.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use clap::Args;
use manyfish_bench::report::Report;
use manyfish_bench::speed::{self, Wanted};
use manyfish_bench::{self as bench, plot, stored};

use crate::Error;
use crate::commands::family::Family;
use crate::commands::{des_kernel_error, kernel_error, require_default_kernel, require_des_kernel};
use crate::input::Input;
use crate::output::Target;

/// The key sizes of Twofish, as options and defaults.
const KEY_BITS: [&str; 3] = ["128", "192", "256"];

#[derive(Args)]
#[command(after_help = NOTES)]
#[allow(clippy::struct_excessive_bools)] // options
pub struct SpeedArgs {
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Block cipher; des covers DES and Triple-DES, with the figures of a 486 beside
    #[arg(long, value_enum, default_value_t = Family::Twofish)]
    cipher: Family,
    /// Measure only these kernels; compiled, compiled-big, compiled-huge and compiled-two-views are compiled keying
    #[arg(long, value_name = "NAME", num_args = 1..)]
    kernel: Vec<String>,
    /// Measure only these key sizes
    #[arg(long, value_name = "BITS", num_args = 1.., value_parser = KEY_BITS)]
    key_bits: Vec<String>,
    /// Also measure calls of 1 to 1000 blocks
    #[arg(long)]
    calls: bool,
    /// Also measure one block under each of 1 to 1000 keys
    #[arg(long)]
    keys: bool,
    /// Print the tables of the 1998 paper with this machine's figures beside them
    #[arg(long)]
    paper: bool,
    /// Plot the cost per byte against the length of the message
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Replace the plot if it exists
    #[arg(long, requires = "plot")]
    force: bool,
    /// Show the measurements in a file of bench/results/; measure nothing
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["kernel", "key_bits", "calls", "keys", "json", "cipher"])]
    from: Option<PathBuf>,
}

impl SpeedArgs {
    /// Are all kernels to be shown in messages, or only the best?
    fn wants_messages(&self) -> bool {
        self.paper || self.plot.is_some()
    }
}

const NOTES: &str = "\
Takes some seconds. Measures each kernel's key set-up, one block, and cycles per byte in bulk; then
set-up and encryption of messages of 16 bytes to 64 KiB with the best kernel, beside the figures that
the authors printed in 1998. Other running programs disturb the figures.
The plot is for 128-bit keys, or for the smallest of --key-bits.
For DES it also prints from how many blocks per key each kernel is faster than sp2k.";

pub fn run(args: &SpeedArgs) -> Result<(), Error> {
    if args.cipher == Family::Des {
        refuse_options_of_twofish(args)?;
        require_des_kernel()?;
        return measure(args).map(drop);
    }
    require_default_kernel()?;
    // Finds out whether the plot can be written before measuring.
    let mut input = Input::open(args.from.as_deref())?;
    let plot =
        args.plot.as_deref().map(|path| Target::plot(path, args.force, &input)).transpose()?;
    let report = match &args.from {
        Some(_) => show_stored(args, &mut input)?,
        None => measure(args)?,
    };
    plot.map_or(Ok(()), |target| draw(&report, &target))
}

/// Refuses the options that DES does not have.
fn refuse_options_of_twofish(args: &SpeedArgs) -> Result<(), Error> {
    let options = [
        ("--key-bits", !args.key_bits.is_empty()),
        ("--calls", args.calls),
        ("--keys", args.keys),
        ("--paper", args.paper),
        ("--plot", args.plot.is_some()),
    ];
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => {
            Err(Error::usage(format_args!("{option} is for --cipher twofish only")))
        }
    }
}

/// Measures, and prints.
fn measure(args: &SpeedArgs) -> Result<Report, Error> {
    let wanted = Wanted {
        kernels: args.kernel.clone(),
        key_bits: args.key_bits.iter().map(|bits| bits.parse().expect("a number")).collect(),
        calls: args.calls,
        keys: args.keys,
        paper: args.paper,
        messages: args.wants_messages(),
    };
    // Tables appear as they are measured, JSON at the end.
    let mut show = |table: &str| if args.json { Ok(()) } else { print(table) };
    let report = match args.cipher {
        Family::Twofish => speed::twofish(&wanted, &mut show),
        Family::Des => speed::des(&wanted.kernels, &mut show),
    };
    let report = report.map_err(|error| explain(error, args.cipher))?;
    if args.json {
        print(&report.json()).map_err(Error::output)?;
    }
    Ok(report)
}

/// An error of the benchmark as an error of the command.
fn explain(error: bench::Error, cipher: Family) -> Error {
    let text = error.to_string();
    match error {
        bench::Error::Output(error) => Error::output(error),
        bench::Error::Kernel(error) if cipher == Family::Des => des_kernel_error(error),
        bench::Error::Kernel(error) => kernel_error(error),
        bench::Error::Failed(error) => Error::failed(error),
        bench::Error::Tables { bytes, .. } => {
            let mebibytes = bytes.div_ceil(1 << 20);
            Error::failed(text)
                .hint(format_args!("it needs {mebibytes} MiB for them; name another kernel"))
        }
        bench::Error::KeySizes { max_key_bits: bits, .. } => Error::failed(text)
            .hint(format_args!("it takes keys of {bits} bits: --key-bits {bits}")),
    }
}

/// Prints the measurements of a file.
fn show_stored(args: &SpeedArgs, input: &mut Input) -> Result<Report, Error> {
    let mut text = String::new();
    let read = input.reader.read_to_string(&mut text);
    read.map_err(|e| Error::io(format_args!("cannot read {input}"), &e))?;
    let name = &input.name;
    let mut report = stored::parse(&text).map_err(|problem| {
        Error::failed(format_args!("{name} is not a file of speed measurements: {problem}"))
            .hint("bench/results.py record makes one from the output of manyfish speed --json")
    })?;
    if args.wants_messages() {
        if report.is_of_des() {
            return Err(Error::failed(format_args!("{name} has no figures for Twofish")));
        }
        if !report.has_messages() {
            return Err(Error::failed(format_args!(
                "{name} has no figures for messages with all kernels"
            ))
            .hint("make bench-paper measures them"));
        }
    }
    if args.paper {
        report.compare_with_paper(|_| "not measured there".to_owned());
    }
    print(&report.text()).map_err(Error::output)?;
    Ok(report)
}

/// Writes the plot.
fn draw(report: &Report, target: &Target) -> Result<(), Error> {
    let drawing = plot::svg(report).ok_or_else(|| Error::failed("there is nothing to plot"))?;
    let mut output = target.create()?;
    output.put(drawing.as_bytes())?;
    output.commit()
}

fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
}
