// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The options that choose a kernel for the expected work.

use clap::{Args, ValueEnum};
use manyfish::{Expectation, Tables};

use crate::tuned::with_stored_costs;
use crate::{saved, size};

#[derive(Args)]
pub struct ExpectArgs {
    /// Use the fastest kernel for this many bytes under one key, such as 16, 64K or 1G
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_negative_numbers = true)]
    expect: Option<u64>,
    /// Secrets that the kernel may leak through the cache, for --expect [default: none]
    #[arg(long, value_enum, value_name = "WHAT", requires = "expect")]
    leaks: Option<Leaks>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Leaks {
    // No documentation of each: it would spread the help of the whole command over pages.
    None,
    Text,
    Any,
}

fn bytes(text: &str) -> Result<u64, String> {
    let found = size::parse(text);
    found.ok_or_else(|| "expected a number below 2^64, such as 16, 64K or 1G".into())
}

impl ExpectArgs {
    /// The expectation, with the stored costs of this machine if there are any, and the unit of costs.
    pub fn expectation(&self) -> Option<(Expectation, &'static str)> {
        let expected = Expectation::bytes(self.expect?).leaks(match self.leaks {
            None | Some(Leaks::None) => manyfish::Leaks::None,
            Some(Leaks::Text) => manyfish::Leaks::Text,
            Some(Leaks::Any) => manyfish::Leaks::Any,
        });
        Some(with_stored_costs(self.with_saved_tables(expected)))
    }

    /// Where all may leak, kernels with saved tables count. Not `full-huge`, whose costs are those of rows in the cache:
    /// its tables do not fit there.
    fn with_saved_tables(&self, expected: Expectation) -> Expectation {
        if self.leaks == Some(Leaks::Any) && saved::open(Tables::Big) {
            expected.max_shared_bytes(Tables::Big.bytes())
        } else {
            expected
        }
    }

    /// The expected number of bytes.
    pub fn n_bytes(&self) -> Option<u64> {
        self.expect
    }

    /// The level of leaks as the command line spells it.
    pub fn leaks(&self) -> String {
        format!("{:?}", self.leaks.unwrap_or(Leaks::None)).to_lowercase()
    }
}
