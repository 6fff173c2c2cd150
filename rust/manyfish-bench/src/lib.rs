// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Measures Twofish and DES on this machine, in core cycles, beside the figures printed in their time.
//!
//! - `speed` and `tune` are the commands `manyfish speed` and `manyfish tune`; `report` holds and prints
//!   results, `stored` reads them from a file, `plot` draws them.
//! - `stopwatch` turns ticks into cycles, `machine` names machine and build, `code_size` has the size of
//!   each kernel.
//! - `rows` measures kernels, `calls` calls of one to many blocks, `keys` of one to many keys, `messages` set-up with messages of
//!   growing length, `costs` the costs that `--expect` uses, `choices` whether its choices are good.
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
mod keys;
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
