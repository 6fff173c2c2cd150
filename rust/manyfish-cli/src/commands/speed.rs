// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish speed`: what each kernel costs on this machine.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use clap::Args;
use manyfish::{Des, KernelInfo, Tables, Twofish};
use manyfish_sys::cycles::{CLOCK, Clock};

use crate::Error;
use crate::commands::family::Family;
use crate::commands::{des_kernel_error, kernel_error, require_default_kernel, require_des_kernel};
use crate::input::Input;
use crate::output::Target;
use crate::speed::machine::Machine;
use crate::speed::paper::{self, Here};
use crate::speed::report::{self, Report};
use crate::speed::rows::{COMPILED, Compiled};
use crate::speed::{curve, des, plot, requests, rows, stored, thread};

/// The key sizes of Twofish, as options and defaults.
const KEY_BITS: [&str; 3] = ["128", "192", "256"];

#[derive(Args)]
#[command(after_help = NOTES)]
#[allow(clippy::struct_excessive_bools)] // options
pub struct SpeedArgs {
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// The block cipher; des is DES and Triple-DES, beside figures of a 486
    #[arg(long, value_enum, default_value_t = Family::Twofish)]
    cipher: Family,
    /// Measure these only: kernels, or compiled keying as compiled, compiled-big, compiled-huge
    #[arg(long, value_name = "NAME", num_args = 1..)]
    kernel: Vec<String>,
    /// Measure these key sizes only
    #[arg(long, value_name = "BITS", num_args = 1.., value_parser = KEY_BITS)]
    key_bits: Vec<String>,
    /// Measure requests of 1 to 1000 blocks, too
    #[arg(long)]
    requests: bool,
    /// Print the tables of 1998, with this machine's figures beside them
    #[arg(long)]
    paper: bool,
    /// Draw what a byte costs in messages of growing length
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Replace the plot if it exists
    #[arg(long, requires = "plot")]
    force: bool,
    /// Measure nothing, show what a file of bench/results/ has
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["kernel", "key_bits", "requests", "json", "cipher"])]
    from: Option<PathBuf>,
}

impl SpeedArgs {
    /// Are all kernels to be shown in messages, or only the best?
    fn wants_messages(&self) -> bool {
        self.paper || self.plot.is_some()
    }
}

const NOTES: &str = "\
Measures for some seconds: each kernel's key set-up, a block alone, cycles per byte in bulk; then
set-up and encryption of messages of 16 bytes to 64 KiB by the best kernel, beside the figures that
the authors printed in 1998. Other programs at work disturb the figures.
The plot is for 128-bit keys, or for the smallest of --key-bits.
For DES it says, too, from how many blocks under a key on a kernel costs less than sp2k.";

pub fn run(args: &SpeedArgs) -> Result<(), Error> {
    if args.cipher == Family::Des {
        refuse_options_of_twofish(args)?;
        return require_des_kernel().and_then(|()| measure_des(args));
    }
    require_default_kernel()?;
    // What cannot be written is said before anything is measured.
    let mut input = Input::open_hinting(args.from.as_deref(), "name one of the files in it")?;
    let plot =
        args.plot.as_deref().map(|path| Target::plot(path, args.force, &input)).transpose()?;
    let report = match &args.from {
        Some(_) => show_stored(args, &mut input)?,
        None => measure(args)?,
    };
    plot.map_or(Ok(()), |target| draw(&report, &target))
}

/// What is not there for DES.
fn refuse_options_of_twofish(args: &SpeedArgs) -> Result<(), Error> {
    let options = [
        ("--key-bits", !args.key_bits.is_empty()),
        ("--requests", args.requests),
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

/// Measures DES and Triple-DES, and prints.
fn measure_des(args: &SpeedArgs) -> Result<(), Error> {
    for name in &args.kernel {
        Des::with_kernel(name, &rows::key(64)).map_err(des_kernel_error)?;
    }
    let is_chosen = |kernel: &KernelInfo| {
        args.kernel.is_empty() || args.kernel.iter().any(|n| n == kernel.name)
    };
    let kernels: Vec<KernelInfo> =
        manyfish::des::kernels().filter(|kernel| kernel.runnable && is_chosen(kernel)).collect();
    let mut report = Report::of(Machine::here());
    let show = |table: &dyn Fn() -> String| if args.json { Ok(()) } else { print(&table()) };
    show(&|| report::head(&report.machine))?;
    for (cipher, key_bits) in des::CIPHERS {
        for kernel in &kernels {
            report.rows.push(des::measure(kernel, cipher, key_bits)?);
        }
    }
    report.thread = thread::compare(&report.rows);
    report.break_even = des::break_evens(&report.rows);
    show(&|| des_tables(&report))?;
    if args.json { print(&report.json()) } else { Ok(()) }
}

fn des_tables(report: &Report) -> String {
    let (rows, thread) = (des::rows_table(&report.rows), des::thread_table(&report.thread));
    format!("{rows}{thread}{}", des::break_even_table(&report.break_even))
}

/// Measures, and prints.
fn measure(args: &SpeedArgs) -> Result<Report, Error> {
    if args.paper && args.kernel.is_empty() {
        // Tables that cannot be had are told of at the end.
        for tables in Tables::ALL {
            drop(build(tables));
        }
    }
    let kernels = chosen_kernels(&args.kernel)?;
    let key_sizes = chosen_key_sizes(&args.key_bits);
    if !args.kernel.is_empty() {
        check_key_sizes(&kernels, &key_sizes)?;
    }
    let mut report = Report::of(Machine::here());
    // Tables appear as they are measured, JSON at the end.
    let show = |table: &dyn Fn() -> String| if args.json { Ok(()) } else { print(&table()) };
    show(&|| report::head(&report.machine))?;
    for (kernel, key_bits) in pairs(&kernels, &key_sizes) {
        report.rows.push(rows::measure(kernel, key_bits)?);
    }
    let all_compiled = chosen_compiled(&args.kernel)?;
    for compiled in &all_compiled {
        for key_bits in key_sizes.iter().filter(|bits| compiled.takes(**bits)) {
            report.rows.push(rows::measure_compiled(compiled, *key_bits)?);
        }
    }
    if !args.paper {
        show(&|| report::rows_table(&report.rows))?;
    }
    if args.requests {
        for (kernel, key_bits) in pairs(&kernels, &key_sizes) {
            report.requests.extend(requests::measure(kernel, key_bits)?);
        }
        show(&|| report::requests_table(&report.requests))?;
    }
    for key_bits in &key_sizes {
        report.messages.extend(curve::measure(&kernels, &all_compiled, *key_bits)?);
    }
    report.curve = curve::best(&report.messages);
    if args.paper {
        let why = |kernel: &str| why_missing(kernel, &args.kernel);
        let cycles = CLOCK == Clock::Counter;
        let here = Here { rows: &report.rows, messages: &report.messages, in_cycles: cycles };
        report.paper = Some(paper::compare(&here, why));
    }
    if args.json {
        let messages = if args.wants_messages() { report.messages.clone() } else { Vec::new() };
        let all = std::mem::replace(&mut report.messages, messages);
        print(&report.json())?;
        report.messages = all;
    } else {
        print(&end(&report))?;
    }
    Ok(report)
}

/// The tables that come last.
fn end(report: &Report) -> String {
    report.paper.as_ref().map_or_else(|| report::curve_table(&report.curve), paper::Paper::text)
}

/// Prints what a file has.
fn show_stored(args: &SpeedArgs, input: &mut Input) -> Result<Report, Error> {
    let mut text = String::new();
    let read = input.reader.read_to_string(&mut text);
    read.map_err(|e| Error::io(format_args!("cannot read {input}"), &e))?;
    let name = &input.name;
    let mut report = stored::parse(&text).map_err(|problem| {
        Error::failed(format_args!("{name} is no file of measured speed: {problem}"))
            .hint("bench/results.py record makes such a file of the JSON of manyfish speed")
    })?;
    let (of_des, of_twofish): (Vec<_>, Vec<_>) =
        std::mem::take(&mut report.rows).into_iter().partition(|row| row.cipher != "twofish");
    report.rows = of_twofish;
    if report.rows.is_empty() && report.messages.is_empty() {
        if args.wants_messages() {
            return Err(Error::failed(format_args!("{name} has no figures of Twofish")));
        }
        report.rows = of_des;
        report.thread = thread::compare(&report.rows);
        report.break_even = des::break_evens(&report.rows);
        print(&report::head(&report.machine))?;
        print(&des_tables(&report))?;
        return Ok(report);
    }
    if args.wants_messages() && report.messages.is_empty() {
        return Err(Error::failed(format_args!("{name} has no messages by all kernels"))
            .hint("make bench-paper measures them"));
    }
    report.curve = curve::best(&report.messages);
    if args.paper {
        let cycles = report.machine.unit == "core cycles";
        let here = Here { rows: &report.rows, messages: &report.messages, in_cycles: cycles };
        report.paper = Some(paper::compare(&here, |_| "not measured there".to_owned()));
    }
    print(&report::head(&report.machine))?;
    if !args.paper {
        print(&report::rows_table(&report.rows))?;
    }
    print(&end(&report))?;
    Ok(report)
}

/// Why there are no figures of a kernel here.
fn why_missing(kernel: &str, chosen: &[String]) -> String {
    if !chosen.is_empty() && !chosen.iter().any(|name| name == kernel) {
        return format!("not among --kernel {}", chosen.join(" "));
    }
    let refused = if let Some(compiled) = Compiled::named(kernel) {
        compiled.build_tables().and_then(|()| compiled.cipher(128)).err()
    } else {
        let tables = Tables::of_kernel(kernel).and_then(|tables| build(tables).err());
        tables.or_else(|| Twofish::with_kernel(kernel, &rows::key(128)).err())
    };
    refused.map_or_else(|| "not with these key sizes".to_owned(), |error| error.to_string())
}

fn build(tables: Tables) -> Result<(), manyfish::Error> {
    tables.build(0, |_, _| true)
}

/// Writes the plot.
fn draw(report: &Report, target: &Target) -> Result<(), Error> {
    let key_bits = report.messages.iter().map(|message| message.key_bits).min().unwrap_or_default();
    let drawing = plot::svg(&report.machine, &report.rows, &report.messages, key_bits);
    let drawing = drawing.ok_or_else(|| Error::failed("there is nothing to plot"))?;
    let mut output = target.create()?;
    output.put(drawing.as_bytes())?;
    output.commit()
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
    for name in names.iter().filter(|name| Compiled::named(name).is_none()) {
        if let Some(tables) = Tables::of_kernel(name) {
            build(tables).map_err(|error| {
                let mebibytes = tables.bytes().div_ceil(1 << 20);
                Error::failed(format_args!("the tables of {name} cannot be built: {error}"))
                    .hint(format_args!("it needs {mebibytes} MiB for them; name another kernel"))
            })?;
        }
        Twofish::with_kernel(name, &rows::key(128)).map_err(kernel_error)?;
    }
    let runnable = manyfish::kernels().filter(|kernel| kernel.runnable);
    let is_chosen =
        |kernel: &KernelInfo| names.is_empty() || names.iter().any(|n| n == kernel.name);
    Ok(runnable.filter(is_chosen).collect())
}

/// A kernel that takes none of the key sizes would be left out unsaid.
fn check_key_sizes(kernels: &[KernelInfo], key_sizes: &[usize]) -> Result<(), Error> {
    let takes_none =
        |kernel: &&KernelInfo| key_sizes.iter().all(|bits| bits / 8 > kernel.max_key_bytes);
    match kernels.iter().find(takes_none) {
        Some(KernelInfo { name, max_key_bytes, .. }) => {
            let bits = 8 * max_key_bytes;
            Err(Error::failed(format_args!("the kernel \"{name}\" takes no keys of that size"))
                .hint(format_args!("it takes keys of {bits} bits: --key-bits {bits}")))
        }
        None => Ok(()),
    }
}

/// Compiled keying asked for, after its tables have been built, or all that there is here.
fn chosen_compiled(names: &[String]) -> Result<Vec<&'static Compiled>, Error> {
    if names.is_empty() {
        return Ok(COMPILED.iter().filter(|compiled| compiled.cipher(128).is_ok()).collect());
    }
    let is_chosen = |compiled: &&Compiled| names.iter().any(|name| name == compiled.name);
    let chosen: Vec<_> = COMPILED.iter().filter(is_chosen).collect();
    for compiled in &chosen {
        compiled.build_tables().map_err(Error::failed)?;
        compiled.cipher(128).map_err(kernel_error)?;
    }
    Ok(chosen)
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
    fn a_kernel_with_none_of_the_key_sizes_is_told() {
        let huge = manyfish::kernels().find(|kernel| kernel.name == "full-huge").unwrap();
        assert!(check_key_sizes(&[huge], &[128, 192]).is_ok());
        let error = check_key_sizes(&[huge], &[192, 256]).unwrap_err().to_string();
        assert_eq!(error, "the kernel \"full-huge\" takes no keys of that size");
    }

    #[test]
    fn compiled_is_named_like_a_kernel() {
        assert!(chosen_kernels(&names(&["compiled"])).unwrap().is_empty());
        assert!(chosen_compiled(&names(&["full"])).unwrap().is_empty());
        let has_code = COMPILED[0].cipher(128).is_ok();
        assert_eq!(chosen_compiled(&[]).unwrap().is_empty(), !has_code);
        for compiled in &COMPILED {
            let chosen = chosen_compiled(&names(&["zero", compiled.name]));
            assert_eq!(chosen.is_ok(), has_code);
            assert!(chosen.is_err() || chosen.is_ok_and(|c| c[0].name == compiled.name));
        }
    }

    #[test]
    fn what_is_named_comes_in_the_order_of_the_list() {
        assert_eq!(chosen_key_sizes(&names(&["256", "128"])), [128, 256]);
        let kernels = chosen_kernels(&names(&["zero", "full"])).unwrap();
        assert_eq!(kernels.iter().map(|kernel| kernel.name).collect::<Vec<_>>(), ["full", "zero"]);
    }
}
