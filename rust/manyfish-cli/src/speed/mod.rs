// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Measuring: what each kernel costs, in core cycles.
//!
//! `stopwatch.rs` turns ticks into cycles, `rows.rs` measures kernels, `requests.rs` requests of one to
//! many blocks, `costs.rs` what the choice of a kernel goes by, `choices.rs` whether it is a good one,
//! `curve.rs` the set-up with messages of growing length, `history.rs` has the figures of
//! 1998, `code_size.rs` how large each kernel is, `machine.rs` says what was measured on what. `report.rs`
//! prints it all, `paper.rs` beside the tables of 1998, `plot.rs` draws it, and `stored.rs` reads what was
//! measured before. `des.rs` measures and prints DES, `thread.rs` beside the figures of a thread on it. The program in `bench/peers` takes the stopwatch and the machine.

pub(crate) mod choices;
pub(crate) mod code_size;
pub(crate) mod costs;
pub(crate) mod curve;
pub(crate) mod des;
pub(crate) mod history;
pub mod machine;
pub(crate) mod paper;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod requests;
pub(crate) mod rows;
pub mod stopwatch;
pub(crate) mod stored;
pub(crate) mod thread;
