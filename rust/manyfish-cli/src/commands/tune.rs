// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish tune`: measures the cost of each kernel on this machine and stores it for `--expect`.

use std::io::{self, Write};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use manyfish::{Costs, Expectation};
use manyfish_bench::tune::{self, Checked};

use crate::Error;
use crate::tuned;

#[derive(Args)]
#[command(after_help = NOTES)]
#[allow(clippy::struct_excessive_bools)] // options, of which one is given at most
pub struct TuneArgs {
    /// Print the costs that --expect uses; measure nothing
    #[arg(long, group = "what")]
    show: bool,
    /// Delete the stored costs; --expect then uses the library's own
    #[arg(long, group = "what")]
    forget: bool,
    /// Print the measured costs; store nothing
    #[arg(long, group = "what")]
    print: bool,
    /// Measure all kernels for messages of 16 bytes to 1 MiB; compare each choice with the best kernel
    #[arg(long, group = "what")]
    check: bool,
    /// Also measure full-huge, whose tables take 256 MiB
    #[arg(long, conflicts_with_all = ["show", "forget"])]
    huge: bool,
}

const NOTES: &str = "\
Takes some seconds. Measures each kernel's key set-ups, and calls of 1 to 128 blocks. Stores the costs in
$XDG_CACHE_HOME/manyfish or ~/.cache/manyfish, for this version and this processor; \"raw --expect\" and
\"kernels --expect\" use them. Other running programs disturb the figures.
With --check, the exit status is 1 if a choice costs over 15 % more than the best kernel in the same run.";

pub fn run(args: &TuneArgs) -> Result<(), Error> {
    match args {
        TuneArgs { show: true, .. } => print(&shown()),
        TuneArgs { forget: true, .. } => forget(),
        TuneArgs { print: true, .. } => print(&measured(args)?),
        TuneArgs { check: true, .. } => check(args),
        _ => store(args),
    }
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
    print(&format!(
        "{}\nstored in {}\n",
        tune::choices_table(&costs).map_err(Error::failed)?,
        path.display()
    ))
}

fn measured(args: &TuneArgs) -> Result<String, Error> {
    tune::build_tables(args.huge)?;
    let bar = bar();
    let text = tune::measure(&mut |n_steps, what| step(&bar, n_steps, what));
    bar.finish_and_clear();
    text.map_err(Error::failed)
}

/// A line on standard error, if that is a terminal.
fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3}%  {msg}");
    ProgressBar::new(0).with_style(style.expect("the template is constant"))
}

fn step(bar: &ProgressBar, n_steps: usize, what: &str) {
    bar.set_length(n_steps as u64);
    bar.set_message(what.to_owned());
    bar.inc(1);
}

fn check(args: &TuneArgs) -> Result<(), Error> {
    tune::build_tables(args.huge)?;
    let (allowed, whose) = match tuned::load() {
        Some(costs) => (Expectation::default().costs(&costs), "measured by manyfish tune"),
        None => (Expectation::default(), "of the library"),
    };
    let bar = bar();
    let checked = tune::check(&allowed, &mut |n_steps, what| step(&bar, n_steps, what));
    bar.finish_and_clear();
    let Checked { worst, missed } = checked.map_err(Error::failed)?;
    print(&format!(
        "Choices based on the costs {whose}, compared with the best kernel\n\n{worst}\n"
    ))?;
    print(&missed.concat())?;
    verdict(missed.len())
}

fn verdict(n_missed: usize) -> Result<(), Error> {
    if n_missed == 0 {
        return print("every choice is within 15 % of the best kernel\n");
    }
    Err(Error::failed(format_args!("{n_missed} choices cost over 15 % more than the best"))
        .hint("measure on an idle machine; \"manyfish tune\" stores the costs of this one"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_that_misses_is_an_error() {
        assert!(verdict(0).is_ok());
        assert!(verdict(1).is_err());
    }
}
