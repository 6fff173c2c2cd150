// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Measures other libraries' Twofish or DES and ours, in alternation, on the same memory, in one run.
//!
//! `operation.rs` says what is asked of everybody; `ours.rs`, `many.rs`, `rustcrypto.rs` and `foreign.rs`
//! (with shim/, one file a library) answer; `check.rs` compares the answers; `measure.rs` measures.

mod check;
mod foreign;
mod many;
mod measure;
mod operation;
mod ours;
mod report;
mod rustcrypto;

use std::time::Duration;

use measure::Measure;
use operation::{Implementation, Keys, Operation};

pub use operation::Cipher;
pub use report::{Quality, Report};

/// Time for each figure; a quick run only shows that everything works.
const BUDGET: Duration = Duration::from_millis(50);
const QUICK_BUDGET: Duration = Duration::from_millis(1);

/// The libraries that build.rs did not find.
const MISSING: &str = env!("PEERS_MISSING");

/// The cipher to measure, and the commit that the figures belong to.
#[derive(Debug)]
pub struct Wanted {
    pub cipher: Cipher,
    /// Many messages, by our functions for them and one after the other; else a message alone.
    pub many: bool,
    pub quick: bool,
    pub commit: String,
}

/// Why a library is not measured, of each that this program was built without.
#[must_use]
pub fn missing() -> Vec<&'static str> {
    MISSING.split(';').filter(|text| !text.is_empty()).collect()
}

/// The implementations of the cipher, ours first: the others' results are compared with ours.
fn everybody(cipher: Cipher, many: bool) -> Vec<Box<dyn Implementation>> {
    let mut everybody = match cipher {
        Cipher::Twofish => ours::kernels(),
        Cipher::Des => ours::des_kernels(),
    };
    if many {
        everybody.extend(many::kernels(cipher));
    }
    everybody.extend(foreign::libraries());
    everybody.push(rustcrypto::crates(cipher));
    everybody.retain(|who| {
        let mut keys = cipher.key_bits().iter().map(|bits| Keys::of(cipher, *bits));
        keys.any(|keys| who.open(Operation::CbcEncrypt, &keys).is_some())
    });
    everybody
}

/// Measures everybody; calls `progress` with the number of measures that are done, and of all.
pub fn measure(wanted: &Wanted, progress: &mut dyn FnMut(usize, usize)) -> Result<Report, String> {
    let cipher = wanted.cipher;
    let everybody = everybody(cipher, wanted.many);
    check::all_agree(cipher, &everybody)?;
    let budget = if wanted.quick { QUICK_BUDGET } else { BUDGET };
    let measures = if wanted.many {
        Measure::of_many(cipher, wanted.quick)
    } else {
        Measure::all(cipher, wanted.quick)
    };
    let mut report = Report::begin(wanted, &everybody, &missing());
    for (i, measure) in measures.iter().enumerate() {
        report.add(&everybody, *measure, &measure.run(&everybody, budget));
        progress(i + 1, measures.len());
    }
    Ok(report)
}
