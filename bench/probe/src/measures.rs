// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The measurements of `make bench`, `bench-paper`, `bench-costs`, `bench-peers` and `timing`, by the code of these.

use std::time::{Duration, Instant};

use manyfish_bench::report::Report;
use manyfish_bench::speed::{self, Wanted};
use manyfish_bench::{machine::Machine, stopwatch, tune};
use manyfish_bench_peers::{self as peers, Cipher};
use serde::Serialize;

use crate::parts;
use crate::steps::Steps;

/// Rounds of all kernels: a figure that other programs disturbed in one may be good in another.
const ROUNDS: usize = 3;
/// A round that would end later than this is not begun: 40 seconds follow, which make five minutes.
const LIMIT: Duration = Duration::from_secs(250);

/// The names are those of the JSON. Texts are what programs print for bench/costs.py and bench/timing.py.
#[derive(Debug, Serialize)]
pub struct Measured {
    /// As `manyfish speed --json --calls --keys`, a report for each round.
    pub twofish: Vec<Report>,
    /// As `manyfish speed --json --cipher des`, likewise.
    pub des: Vec<Report>,
    /// As `manyfish speed --json --paper`.
    pub paper: Report,
    /// As `manyfish tune --huge --print`.
    pub costs: String,
    pub set_ups: String,
    pub peers: peers::Report,
    pub peers_des: peers::Report,
    pub timing: String,
}

type Problem = String;

/// Measures everything, or with `quick` shows that all of it works.
pub fn measure(steps: &Steps, quick: bool) -> Result<Measured, Problem> {
    if quick {
        stopwatch::hurry();
    }
    let commit = Machine::here().commit.unwrap_or_default();
    let start = Instant::now();
    let (twofish, des) = round(steps, 1)?;
    let a_round = start.elapsed();
    let peers = |cipher| {
        let wanted = peers::Wanted { cipher, many: false, quick, commit: commit.clone() };
        peers::measure(&wanted, &mut |_, _| ())
    };
    let of_twofish = steps.step("other libraries' Twofish", || peers(Cipher::Twofish))?;
    let of_des = steps.step("other libraries' DES", || peers(Cipher::Des))?;
    let timing = if quick { parts::QUICK_TIMING } else { parts::TIMING };
    let timing = part(steps, "whether times depend on secrets", &timing)?;
    let (mut twofish, mut des) = (vec![twofish], vec![des]);
    for number in 2..=if quick { 1 } else { ROUNDS } {
        if steps.elapsed() + a_round > LIMIT {
            steps.say("no time is left for another round");
            break;
        }
        let more = round(steps, number)?;
        twofish.push(more.0);
        des.push(more.1);
    }
    // Last: they build tables, with which more kernels run.
    Ok(Measured {
        twofish,
        des,
        set_ups: part(steps, "set-ups", &parts::SET_UPS)?,
        costs: steps.step("the costs that choose a kernel", costs)?,
        paper: steps.step("every keying option", paper)?,
        peers: of_twofish,
        peers_des: of_des,
        timing,
    })
}

/// Every kernel of both ciphers.
fn round(steps: &Steps, number: usize) -> Result<(Report, Report), Problem> {
    let wanted = Wanted { calls: true, keys: true, ..Wanted::default() };
    let twofish = steps.step(&format!("Twofish, round {number} of {ROUNDS}"), || {
        speed::twofish(&wanted, &mut silent)
    });
    let des =
        steps.step(&format!("DES, round {number} of {ROUNDS}"), || speed::des(&[], &mut silent));
    Ok((twofish.map_err(text)?, des.map_err(text)?))
}

fn paper() -> Result<Report, Problem> {
    let wanted = Wanted { paper: true, messages: true, ..Wanted::default() };
    speed::twofish(&wanted, &mut silent).map_err(text)
}

fn costs() -> Result<String, Problem> {
    tune::build_tables(true).map_err(text)?;
    tune::measure(&mut |_, _| ()).map_err(text)
}

fn part(steps: &Steps, what: &str, part: &parts::Part) -> Result<String, Problem> {
    let found = steps.step(what, || parts::run(part));
    found.map_err(|(ending, text)| format!("measuring {what}: {ending}\n{text}"))
}

#[allow(clippy::unnecessary_wraps)] // the form that is asked for
fn silent(_: &str) -> std::io::Result<()> {
    Ok(())
}

#[allow(clippy::needless_pass_by_value)] // the form that map_err wants
fn text(error: impl ToString) -> Problem {
    error.to_string()
}
