// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Prints JSON for bench/results.py, and on standard error what a person should know.

use std::io::IsTerminal;
use std::process::ExitCode;

use manyfish_bench_peers::{Cipher, Wanted, measure, missing};

fn main() -> ExitCode {
    match arguments(std::env::args().skip(1)).and_then(|wanted| run(&wanted)) {
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

fn arguments(mut given: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let (cipher, commit) = (Cipher::Twofish, "unknown".to_owned());
    let mut wanted = Wanted { cipher, many: false, quick: false, commit };
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--des" => wanted.cipher = Cipher::Des,
            "--many" => wanted.many = true,
            "--quick" => wanted.quick = true,
            "--commit" => wanted.commit = given.next().ok_or("--commit needs a name")?,
            other => {
                return Err(format!(
                    "unknown argument '{other}': --des, --many, --quick, --commit NAME"
                ));
            }
        }
    }
    Ok(wanted)
}

fn run(wanted: &Wanted) -> Result<String, String> {
    for text in missing() {
        eprintln!("skipped: {text}");
    }
    let report = measure(wanted, &mut |i, n| {
        if std::io::stderr().is_terminal() {
            eprint!("\r{i} of {n} measures\x1b[K\r");
        }
    })?;
    for text in report.warnings() {
        eprintln!("warning: {text}");
    }
    Ok(report.json())
}
