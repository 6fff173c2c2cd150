// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish selftest`: the known answers on every kernel of this machine.

use std::io::{self, Write};

use manyfish::{KernelInfo, Tables};

use crate::Error;
use crate::commands::kernels::why_not;

pub fn run() -> Result<(), Error> {
    // The huge ones take too much memory for a command that is run now and then.
    Tables::Big.build(0, |_, _| true).map_err(Error::failed)?;
    let mut failed = Vec::new();
    for kernel in manyfish::kernels() {
        let (verdict, is_good) = verdict(&kernel);
        writeln!(io::stdout(), "twofish {:11} {verdict}", kernel.name).map_err(Error::output)?;
        if !is_good {
            failed.push(kernel.name);
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::failed(format_args!("wrong results from: {}", failed.join(", ")))
        .hint("do not use this build on this machine"))
}

/// What to say of a kernel, and whether that is good news. One that cannot run here does no harm.
fn verdict(kernel: &KernelInfo) -> (String, bool) {
    if !kernel.runnable {
        return (format!("skipped: {}", why_not(kernel)), true);
    }
    match manyfish::selftest(kernel.name) {
        Ok(()) => {
            ("passed: official table test both ways, bulk equal to single blocks".to_owned(), true)
        }
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
        assert_eq!(verdict(&kernel), ("skipped: this CPU lacks one of: gfni".to_owned(), true));
    }

    #[test]
    fn a_kernel_that_fails_is_bad_news() {
        let kernel = manyfish::kernels().next().unwrap();
        let (text, is_good) = verdict(&KernelInfo { name: "nosuch", runnable: true, ..kernel });
        assert!(text.starts_with("failed: ") && !is_good, "{text}");
    }
}
