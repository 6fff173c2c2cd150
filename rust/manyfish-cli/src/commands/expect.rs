// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The options by which a kernel is chosen for what will come.

use clap::{Args, ValueEnum};
use manyfish::Expectation;

use crate::size;
use crate::tuned::with_stored_costs;

#[derive(Args)]
pub struct ExpectArgs {
    /// Take the kernel that costs least for so many bytes under the key; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_negative_numbers = true)]
    expect: Option<u64>,
    /// What may leave traces in the cache of the processor, for --expect [default: none]
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
    found.ok_or_else(|| "expected a number less than 2^64, or one with K, M or G".into())
}

impl ExpectArgs {
    /// What is expected, by the costs of this machine if they are stored, and the unit of costs.
    pub fn expectation(&self) -> Option<(Expectation, &'static str)> {
        let expected = Expectation::bytes(self.expect?).leaks(match self.leaks {
            None | Some(Leaks::None) => manyfish::Leaks::None,
            Some(Leaks::Text) => manyfish::Leaks::Text,
            Some(Leaks::Any) => manyfish::Leaks::Any,
        });
        Some(with_stored_costs(expected))
    }

    /// The bytes expected.
    pub fn n_bytes(&self) -> Option<u64> {
        self.expect
    }

    /// The level of leaks, as it is given on the command line.
    pub fn leaks(&self) -> String {
        format!("{:?}", self.leaks.unwrap_or(Leaks::None)).to_lowercase()
    }
}
