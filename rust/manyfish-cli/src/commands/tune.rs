// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish tune`: measures what each kernel costs on this machine, for the choice of a kernel by
//! `--expect`, and keeps it.

use std::io::{self, Write};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use manyfish::{Costs, Expectation, KernelInfo, Leaks, Tables, Twofish};

use crate::Error;
use crate::speed::choices::{self, Point, TOLERANCE, Way, Work};
use crate::speed::costs::{self, Cost, PASSES};
use crate::speed::machine::Machine;
use crate::speed::rows::key;
use crate::table::Table;
use crate::tuned;

const KEY_BITS: [usize; 3] = [128, 192, 256];

#[derive(Args)]
#[command(after_help = NOTES)]
#[allow(clippy::struct_excessive_bools)] // options, of which one is given at most
pub struct TuneArgs {
    /// Print the costs that choices go by, and measure nothing
    #[arg(long, group = "what")]
    show: bool,
    /// Remove what was stored: choices go by the library's own costs again
    #[arg(long, group = "what")]
    forget: bool,
    /// Print what is measured, and store nothing
    #[arg(long, group = "what")]
    print: bool,
    /// Measure all kernels for messages of 16 bytes to 1 MiB, and compare each choice with the best
    #[arg(long, group = "what")]
    check: bool,
    /// Measure full-huge too, whose tables take 256 MiB
    #[arg(long, conflicts_with_all = ["show", "forget"])]
    huge: bool,
}

const NOTES: &str = "\
Measures for some seconds: each kernel's key set-ups, and calls of 1 to 128 blocks. The costs are stored
in $XDG_CACHE_HOME/manyfish or ~/.cache/manyfish, for this version and this processor; \"raw --expect\"
and \"kernels --expect\" go by them. Other programs at work disturb the figures.
With --check the exit status is 1 if a choice costs over 15 % more than the best kernel in the same run.";

pub fn run(args: &TuneArgs) -> Result<(), Error> {
    match args {
        TuneArgs { show: true, .. } => print(&shown()),
        TuneArgs { forget: true, .. } => forget(),
        TuneArgs { print: true, .. } => print(&measured(args)?),
        TuneArgs { check: true, .. } => check(args),
        _ => store(args),
    }
}

/// Kernels that need tables take part.
fn build_tables(args: &TuneArgs) -> Result<(), Error> {
    let mut all = Tables::ALL.into_iter().filter(|tables| args.huge || *tables == Tables::Big);
    all.try_for_each(|tables| tables.build(0, |_, _| true)).map_err(Error::failed)
}

fn print(text: &str) -> Result<(), Error> {
    io::stdout().write_all(text.as_bytes()).map_err(Error::output)
}

fn shown() -> String {
    match tuned::load() {
        Some(costs) => {
            let path = tuned::path().unwrap_or_default();
            format!("# measured on this machine: {}\n{costs}", path.display())
        }
        None => format!(
            "# the library's own; manyfish tune measures this machine\n{}",
            Costs::shipped()
        ),
    }
}

fn forget() -> Result<(), Error> {
    match tuned::forget()? {
        Some(path) => print(&format!("removed {}\n", path.display())),
        None => print("nothing was stored\n"),
    }
}

fn store(args: &TuneArgs) -> Result<(), Error> {
    let path = tuned::place()?;
    let text = measured(args)?;
    let costs: Costs = text.parse().map_err(Error::failed)?;
    tuned::store(&path, &text)?;
    print(&format!("{}\nstored in {}\n", choices_table(&costs)?, path.display()))
}

/// Measures every kernel that runs here; a table with its head.
fn measured(args: &TuneArgs) -> Result<String, Error> {
    build_tables(args)?;
    let kernels: Vec<KernelInfo> = manyfish::kernels().filter(|kernel| kernel.runnable).collect();
    let all = kernels.iter().flat_map(|kernel| KEY_BITS.map(|key_bits| (kernel, key_bits)));
    let pairs: Vec<(&KernelInfo, usize)> =
        all.filter(|(kernel, bits)| takes(kernel, *bits)).collect();
    let bar = progress(pairs.len() * PASSES);
    let mut measure = |(kernel, key_bits): (&KernelInfo, usize)| {
        bar.set_message(format!("{}, {key_bits} bits", kernel.name));
        bar.inc(1);
        costs::measure(kernel, key_bits)
    };
    let mut rows = pairs.iter().copied().map(&mut measure).collect::<Result<Vec<Cost>, _>>()?;
    for _ in 1..PASSES {
        for (row, pair) in rows.iter_mut().zip(pairs.iter().copied()) {
            row.merge(&measure(pair)?);
        }
    }
    bar.finish_and_clear();
    Ok(tuned::head(&Machine::here()) + &costs::table(&rows))
}

/// Not every kernel has every key size.
fn takes(kernel: &KernelInfo, key_bits: usize) -> bool {
    Twofish::with_kernel(kernel.name, &key(key_bits)).is_ok()
}

/// A line on standard error, if that is a terminal.
fn progress(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3}%  {msg}");
    ProgressBar::new(steps as u64).with_style(style.expect("the template is constant"))
}

/// Which kernel is chosen for messages of growing length.
fn choices_table(costs: &Costs) -> Result<String, Error> {
    let head = ["bytes", "constant time", "serial", "text leaks", "serial", "all leaks", "serial"];
    let mut table = Table::new("><<<<<<", &head);
    let allowed = Expectation::default().costs(costs);
    for n_bytes in choices::lengths() {
        let mut cells = vec![n_bytes.to_string()];
        for work in Work::plain(256) {
            let choice = work.expectation(n_bytes, &allowed).choose(32)?;
            cells.push(Way::chosen(&choice).to_string());
        }
        table.row(cells);
    }
    Ok(format!(
        "The kernels that cost least, with 256-bit keys; quiet: by the set-up that leaks nothing\n\n\
         {table}"
    ))
}

fn check(args: &TuneArgs) -> Result<(), Error> {
    build_tables(args)?;
    let (allowed, whose) = match tuned::load() {
        Some(costs) => (Expectation::default().costs(&costs), "measured by manyfish tune"),
        None => (Expectation::default(), "of the library"),
    };
    let work: Vec<Work> = KEY_BITS.into_iter().flat_map(Work::all).collect();
    let bar = progress(work.len() * choices::lengths().count());
    let head = ["key", "leaks", "blocks", "shared tables", "worst", "at bytes"];
    let mut table = Table::new("<<<<>>", &head);
    let mut missed = Vec::new();
    for work in work {
        let mut points = Vec::new();
        for n_bytes in choices::lengths() {
            points.push(choices::measure(work, n_bytes, &work.expectation(n_bytes, &allowed))?);
            bar.inc(1);
        }
        table.row(worst(work, &points));
        missed.extend(points.into_iter().filter(is_missed).map(|point| (work, point)));
    }
    bar.finish_and_clear();
    print(&format!("Choices by the costs {whose}, against the best kernel\n\n{table}\n"))?;
    missed.iter().try_for_each(|(work, point)| print(&miss(*work, point)))?;
    verdict(missed.len())
}

fn is_missed(point: &Point) -> bool {
    point.ratio > TOLERANCE
}

fn verdict(n_missed: usize) -> Result<(), Error> {
    if n_missed == 0 {
        return print("every choice is within 15 % of the best kernel\n");
    }
    Err(Error::failed(format_args!("{n_missed} choices cost over 15 % more than the best"))
        .hint("measure on an idle machine; \"manyfish tune\" stores the costs of this one"))
}

fn describe(work: Work) -> [String; 4] {
    let leaks = match work.leaks {
        Leaks::None => "none",
        Leaks::Text => "text",
        Leaks::Any => "any",
    };
    let blocks = if work.serial { "serial" } else { "parallel" };
    let shared = if work.shared { "yes" } else { "no" };
    [work.key_bits.to_string(), leaks.to_owned(), blocks.to_owned(), shared.to_owned()]
}

/// The point where most is lost.
fn worst(work: Work, points: &[Point]) -> Vec<String> {
    let worst = points.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio)).expect("some points");
    let mut cells = describe(work).to_vec();
    cells.extend([format!("{:.3}", worst.ratio), worst.n_bytes.to_string()]);
    cells
}

fn miss(work: Work, point: &Point) -> String {
    let [key_bits, leaks, blocks, shared] = describe(work);
    let Point { n_bytes, chosen, best, ratio } = point;
    format!(
        "{key_bits}-bit key, leaks {leaks}, {blocks}, shared tables: {shared}, {n_bytes} bytes: \
         {chosen} takes {ratio:.2} times what {best} takes\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(ratio: f64) -> Point {
        let way = |kernel| Way { kernel, quiet: false };
        Point { n_bytes: 64, chosen: way("zero"), best: way("full"), ratio }
    }

    #[test]
    fn a_choice_over_the_tolerance_is_an_error_that_names_it() {
        let work = Work { key_bits: 192, leaks: Leaks::Any, serial: true, shared: false };
        assert_eq!([1.0, 1.14, 1.16].map(|ratio| is_missed(&point(ratio))), [false, false, true]);
        assert!(verdict(0).is_ok());
        assert!(verdict(1).is_err());
        assert_eq!(
            miss(work, &point(1.16)),
            "192-bit key, leaks any, serial, shared tables: no, 64 bytes: zero takes 1.16 times what full takes\n"
        );
        let cells = worst(work, &[point(1.1), point(1.16), point(1.0)]);
        assert_eq!(cells, ["192", "any", "serial", "no", "1.160", "64"]);
    }

    /// `zero` costs least with short keys, `full` with long ones.
    #[test]
    fn the_table_is_of_256_bit_keys() {
        const CALLS: &str = "10,20,30,40,50,70,80,90,160,170,320,330,640,1280";
        let row = |kernel: &str, bits: usize, set_up: u32| {
            let quiet = if kernel == "bitslice" { "" } else { "99999" };
            format!("{kernel},{bits},{set_up},{quiet},{CALLS}\n")
        };
        let rows = [("bitslice", [9000; 3]), ("full", [900, 900, 100]), ("zero", [100, 900, 900])];
        let rows = rows.map(|(kernel, set_ups)| {
            KEY_BITS.iter().zip(set_ups).map(|(bits, set_up)| row(kernel, *bits, set_up)).collect()
        });
        let text = costs::table(&[]) + &rows.map(|rows: Vec<String>| rows.concat()).concat();
        let table = choices_table(&text.parse().expect(&text)).unwrap();
        assert!(table.contains("bitslice") && table.contains("full"), "{table}");
        assert!(!table.contains("zero"), "{table}");
    }
}
