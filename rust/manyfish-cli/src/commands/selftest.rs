// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish selftest`: the known answers on every kernel of this machine.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use manyfish::{KernelInfo, Tables, des};

use crate::Error;
use crate::commands::kernels::why_not;

pub fn run() -> Result<(), Error> {
    // The huge tables take more memory than a self-test should.
    Tables::Big.build(0, |_, _| true).map_err(Error::failed)?;
    let mut failed = Vec::new();
    let checks = manyfish::kernels().map(|kernel| ("twofish", verdict(&kernel, &TWOFISH), kernel));
    let checks = checks.chain(des::kernels().map(|kernel| ("des", verdict(&kernel, &DES), kernel)));
    for (cipher, (verdict, is_good), kernel) in checks {
        let name = format!("{cipher} {}", kernel.name);
        let (word, rest) = verdict.split_once(':').expect("a word, and what there is to say");
        let style = style(word);
        writeln!(anstream::stdout(), "{name:19} {style}{word}{style:#}:{rest}")
            .map_err(Error::output)?;
        if !is_good {
            failed.push(name);
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::failed(format_args!("wrong results from: {}", failed.join(", ")))
        .hint("do not use this build on this machine"))
}

fn style(word: &str) -> Style {
    match word {
        "passed" => AnsiColor::Green.on_default(),
        "failed" => AnsiColor::Red.on_default().bold(),
        _ => AnsiColor::Yellow.on_default(),
    }
}

/// The known-answer test of a cipher, and the words for its success.
struct Check {
    run: fn(&str) -> Result<(), manyfish::Error>,
    passed: &'static str,
}

const TWOFISH: Check = Check {
    run: manyfish::selftest,
    passed: "official table test both ways, bulk equal to single blocks",
};
const DES: Check = Check {
    run: des::selftest,
    passed: "chain of known answers both ways, bulk equal to single blocks",
};

/// The verdict on a kernel, and whether it is good. A kernel that cannot run here does no harm.
fn verdict(kernel: &KernelInfo, check: &Check) -> (String, bool) {
    if !kernel.runnable {
        return (format!("skipped: {}", why_not(kernel)), true);
    }
    match (check.run)(kernel.name) {
        Ok(()) => (format!("passed: {}", check.passed), true),
        Err(error) => (format!("failed: {error}"), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_cannot_run_is_skipped_and_named() {
        let kernel = manyfish::kernels().next().unwrap();
        let kernel = KernelInfo { runnable: false, cpu_features: "gfni", ..kernel };
        assert_eq!(
            verdict(&kernel, &DES),
            ("skipped: this CPU lacks one of: gfni".to_owned(), true)
        );
    }

    #[test]
    fn a_kernel_that_fails_is_bad_news() {
        let kernel = manyfish::kernels().next().unwrap();
        let (text, is_good) =
            verdict(&KernelInfo { name: "nosuch", runnable: true, ..kernel }, &TWOFISH);
        assert!(text.starts_with("failed: ") && !is_good, "{text}");
    }
}
