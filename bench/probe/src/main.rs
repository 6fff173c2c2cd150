// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! manyfish-probe: checks and measures all of Manyfish on this machine, in at most five minutes, and writes one file.
//! It needs nothing but Linux. docs/measuring.md tells what to do with the file.

mod checks;
mod file;
mod found;
mod measures;
mod parts;
mod steps;

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use checks::Check;
use found::Found;
use steps::Steps;

const HELP: &str = "\
usage: manyfish-probe [FOLDER]

Checks every kernel of Manyfish that this processor can run, measures all of them
and other libraries, and writes one file to the folder, or to the present one. It
takes up to five minutes, needs no network and changes nothing else. Measure when
nothing else runs. Send the file to the project: docs/measuring.md there says how.
";

/// The name of the part that is written in Rust.
const SELF_TESTS: &str = "self-tests";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        // A process of this program's own.
        ["part", SELF_TESTS] => std::process::exit(checks::self_tests()),
        ["part", name] => std::process::exit(parts::run_here(name).unwrap_or(2)),
        ["--help" | "-h"] => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        // For tests of the program.
        ["--quick", folder] => probe(folder.into(), true),
        [] => probe(".".into(), false),
        [folder] if !folder.starts_with('-') => probe(folder.into(), false),
        _ => {
            eprint!("{HELP}");
            ExitCode::from(2)
        }
    }
}

#[allow(clippy::needless_pass_by_value)] // the form that arguments have
fn probe(folder: PathBuf, quick: bool) -> ExitCode {
    if let Err(error) = file::check_folder(&folder) {
        eprintln!("manyfish-probe: error: cannot write to {}: {error}", folder.display());
        eprintln!("manyfish-probe: hint: name another folder: manyfish-probe FOLDER");
        return ExitCode::FAILURE;
    }
    let steps = Steps::begin();
    let checks = check(&steps, quick);
    let good = checks.iter().all(|check| check.failed == 0);
    let measured = if good { Some(measures::measure(&steps, quick)) } else { None };
    let measured = match measured.transpose() {
        Ok(measured) => measured,
        Err(problem) => {
            eprintln!("manyfish-probe: error: {problem}");
            return ExitCode::FAILURE;
        }
    };
    let found = Found::new(quick, checks, measured);
    let written = write(&folder, &found);
    if good && written { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// All checks; for a quick run those that take no time.
fn check(steps: &Steps, quick: bool) -> Vec<Check> {
    let self_tests = parts::in_rust(SELF_TESTS);
    let all = [&self_tests].into_iter().chain(&parts::VECTORS).chain(&parts::KERNELS);
    let wanted = all.filter(|part| !quick || [SELF_TESTS, "DES"].contains(&part.name));
    wanted
        .map(|part| steps.step(&format!("checking: {}", part.name), || Check::run(part)))
        .collect()
}

/// Shows the summary and writes the file, or to standard output if that fails: five minutes are not lost.
fn write(folder: &std::path::Path, found: &Found) -> bool {
    let json = found.json();
    print!("{}", found.summary());
    match file::write(folder, &file::name(&found.machine.date, &found.machine.cpu), &json) {
        Ok(path) => {
            println!("\nThe file: {}", path.display());
            true
        }
        Err(error) => {
            drop(io::stdout().write_all(json.as_bytes()));
            eprintln!("manyfish-probe: error: cannot write to {}: {error}", folder.display());
            eprintln!("manyfish-probe: hint: save the lines above, from the first \"{{\" on");
            false
        }
    }
}
