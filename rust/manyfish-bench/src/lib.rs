// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What Twofish and DES cost on this machine, in core cycles, beside what their time printed.
//!
//! - `speed` and `tune` do what the commands `manyfish speed` and `manyfish tune` ask for; `report`
//!   holds and prints what was measured, `stored` reads it from a file, `plot` draws it.
//! - `stopwatch` turns ticks into cycles, `machine` says what was measured on what, `code_size` how large
//!   each kernel is.
//! - `rows` measures kernels, `calls` calls of one to many blocks, `messages` set-up with messages of
//!   growing length, `costs` what the choice of a kernel goes by, `choices` whether it is a good one.
//! - `history` has the figures of 1998, `paper` compares them; `des` is the same for DES, beside
//!   `des_on_486`.

mod calls;
mod choices;
mod code_size;
mod costs;
mod des;
mod des_on_486;
mod error;
mod history;
pub mod machine;
mod messages;
mod paper;
pub mod plot;
pub mod report;
mod rows;
pub mod speed;
pub mod stopwatch;
pub mod stored;
pub mod table;
pub mod tune;

pub use error::Error;
