// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Does every kernel of this processor compute what it should?

use manyfish::{KernelInfo, Tables, des};
use serde::Serialize;

use crate::parts::{self, Part};

/// The result of one test program; the names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct Check {
    pub name: String,
    pub passed: u64,
    pub failed: u64,
    /// The reasons for what it did not try.
    pub skipped: Vec<String>,
    /// Its output and its end, if it failed.
    pub output: String,
}

impl Check {
    /// Runs a part; one that crashes or counts nothing has failed.
    pub fn run(part: &Part) -> Self {
        let (ending, text) = match parts::run(part) {
            Ok(text) => (String::new(), text),
            Err((ending, text)) => (ending, text),
        };
        Self::of(part.name, &ending, &text)
    }

    fn of(name: &str, ending: &str, text: &str) -> Self {
        let skipped = text.lines().filter_map(|line| line.strip_prefix("skipped: "));
        let mut check = Self {
            name: name.to_owned(),
            passed: 0,
            failed: 0,
            skipped: skipped.map(str::to_owned).collect(),
            output: String::new(),
        };
        if let Some((passed, failed)) = text.lines().last().and_then(counts) {
            (check.passed, check.failed) = (passed, failed);
        }
        if !ending.is_empty() || check.passed == 0 {
            check.failed = check.failed.max(1);
            check.output = format!("{text}{ending}");
        }
        check
    }
}

/// Of "N passed, N failed, N skipped".
fn counts(line: &str) -> Option<(u64, u64)> {
    let (passed, rest) = line.split_once(" passed, ")?;
    let (failed, _) = rest.split_once(" failed")?;
    Some((passed.parse().ok()?, failed.parse().ok()?))
}

/// The known answers of each kernel, as a part of its own: prints what the programs in C print.
pub fn self_tests() -> i32 {
    // The huge tables take more memory than a self-test should.
    drop(Tables::Big.build(0, |_, _| true));
    let twofish = manyfish::kernels().map(|kernel| ("twofish", kernel));
    let all = twofish.chain(des::kernels().map(|kernel| ("des", kernel)));
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (cipher, kernel) in all {
        match self_test(cipher, &kernel) {
            None => {
                println!("skipped: {cipher} {}: it does not run here", kernel.name);
                skipped += 1;
            }
            Some(Ok(())) => passed += 1,
            Some(Err(error)) => {
                println!("{cipher} {}: {error}", kernel.name);
                failed += 1;
            }
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    i32::from(failed > 0)
}

/// None where the kernel does not run.
fn self_test(cipher: &str, kernel: &KernelInfo) -> Option<Result<(), manyfish::Error>> {
    let run = if cipher == "des" { des::selftest } else { manyfish::selftest };
    kernel.runnable.then(|| run(kernel.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_end_is_counted() {
        let check = Check::of("it", "", "skipped: a kernel\n12 passed, 0 failed, 1 skipped\n");
        assert_eq!((check.passed, check.failed), (12, 0));
        assert_eq!((check.skipped, check.output), (vec!["a kernel".to_owned()], String::new()));
    }

    #[test]
    fn a_failure_a_crash_and_silence_are_failures() {
        let failed = Check::of("it", "exit status: 1", "bad\n3 passed, 2 failed, 0 skipped\n");
        assert_eq!((failed.passed, failed.failed), (3, 2));
        assert!(failed.output.starts_with("bad\n") && failed.output.ends_with("status: 1"));
        let crashed = Check::of("it", "signal: 4 (SIGILL)", "");
        assert_eq!((crashed.failed, &*crashed.output), (1, "signal: 4 (SIGILL)"));
        assert_eq!(Check::of("it", "", "").failed, 1);
    }
}
