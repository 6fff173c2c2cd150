// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Measures other libraries' Twofish or DES and ours, in alternation, on the same memory, in one run: prints
//! JSON for bench/results.py, and on standard error what a person should know.
//!
//! `operation.rs` says what is asked of everybody; `ours.rs`, `rustcrypto.rs` and `foreign.rs` (with
//! shim/, one file a library) answer; `check.rs` compares the answers; `measure.rs` measures.

mod check;
mod foreign;
mod measure;
mod operation;
mod ours;
mod report;
mod rustcrypto;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

use measure::Measure;
use operation::{Cipher, Implementation, Keys, Operation};
use report::Report;

/// Time for each figure; a quick run only shows that everything works.
const BUDGET: Duration = Duration::from_millis(50);
const QUICK_BUDGET: Duration = Duration::from_millis(1);

/// The libraries that build.rs did not find.
const MISSING: &str = env!("PEERS_MISSING");

struct Arguments {
    cipher: Cipher,
    quick: bool,
    commit: String,
}

fn main() -> ExitCode {
    match arguments(std::env::args().skip(1)).and_then(|arguments| run(&arguments)) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("bench-peers: error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments(mut given: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments =
        Arguments { cipher: Cipher::Twofish, quick: false, commit: "unknown".to_owned() };
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--des" => arguments.cipher = Cipher::Des,
            "--quick" => arguments.quick = true,
            "--commit" => arguments.commit = given.next().ok_or("--commit needs a name")?,
            other => {
                return Err(format!("unknown argument '{other}': --des, --quick, --commit NAME"));
            }
        }
    }
    Ok(arguments)
}

/// The implementations of the cipher, ours first: the others' results are compared with ours.
fn everybody(cipher: Cipher) -> Vec<Box<dyn Implementation>> {
    let mut everybody = match cipher {
        Cipher::Twofish => ours::kernels(),
        Cipher::Des => ours::des_kernels(),
    };
    everybody.extend(foreign::libraries());
    everybody.push(rustcrypto::crates(cipher));
    everybody.retain(|who| {
        let mut keys = cipher.key_bits().iter().map(|bits| Keys::of(cipher, *bits));
        keys.any(|keys| who.open(Operation::EcbEncrypt, &keys).is_some())
    });
    everybody
}

fn run(arguments: &Arguments) -> Result<String, String> {
    let missing: Vec<&str> = MISSING.split(';').filter(|text| !text.is_empty()).collect();
    for text in &missing {
        eprintln!("skipped: {text}");
    }
    let cipher = arguments.cipher;
    let everybody = everybody(cipher);
    check::all_agree(cipher, &everybody)?;
    let budget = if arguments.quick { QUICK_BUDGET } else { BUDGET };
    let measures = Measure::all(cipher, arguments.quick);
    let mut report = Report::begin(cipher, &arguments.commit, &everybody, &missing);
    for (i, measure) in measures.iter().enumerate() {
        report.add(&everybody, *measure, &measure.run(&everybody, budget));
        if std::io::stderr().is_terminal() {
            eprint!("\r{} of {} measures\x1b[K\r", i + 1, measures.len());
        }
    }
    for text in report.warnings() {
        eprintln!("warning: {text}");
    }
    Ok(report.json())
}
