// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Measuring: what each kernel costs, in core cycles.
//!
//! `stopwatch.rs` turns ticks into cycles, `rows.rs` measures kernels, `curve.rs` the set-up with
//! messages of growing length, `history.rs` has the figures of 1998, `machine.rs` says what was
//! measured on what, and `report.rs` prints it all.

pub mod curve;
pub mod history;
pub mod machine;
pub mod report;
pub mod rows;
pub mod stopwatch;
