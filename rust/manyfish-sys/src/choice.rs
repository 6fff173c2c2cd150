// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/twofish_choice.h>`: the kernel that costs least, and tables of costs.

use core::fmt;
use core::mem::MaybeUninit;
use core::ptr;

use crate::ffi::{MF_COST_CALL_BLOCKS, MF_COST_CALLS, mf_leaks};
use crate::shared::Place;
use crate::twofish::c_name;
use crate::{Status, ffi, static_text};

/// The numbers of blocks whose calls have a figure in a table of costs.
pub const COST_CALL_BLOCKS: [u32; MF_COST_CALLS] = MF_COST_CALL_BLOCKS;

/// What may depend on secrets beside the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Leaks {
    /// Nothing: constant-time kernels only.
    #[default]
    None,
    /// Addresses from text and subkeys while a block is worked on. The set-up from a key is
    /// constant-time.
    Text,
    /// Addresses from keys and texts.
    Any,
}

impl Leaks {
    fn number(self) -> mf_leaks {
        match self {
            Self::None => ffi::MF_LEAK_NONE,
            Self::Text => ffi::MF_LEAK_TEXT,
            Self::Any => ffi::MF_LEAK_ANY,
        }
    }
}

/// What a key is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expectation<'a> {
    /// Under this key, in calls of `blocks_per_call`.
    pub n_blocks: u64,
    /// 1: each waits for the one before; 0: all at once.
    pub blocks_per_call: u64,
    /// Of a context that may be filled for a key; 0: any.
    pub max_key_bytes: usize,
    /// What may leak.
    pub leaks: Leaks,
    /// `None`: those of the library.
    pub costs: Option<&'a Costs>,
    /// Under this key in addition, each in a call of its own.
    pub n_single_blocks: u64,
    /// Of tables that all keys share; those up to this size may be used if they are ready. 0: none.
    pub max_shared_bytes: usize,
}

impl Expectation<'_> {
    /// The same for C. It points to the costs: use it while self lives.
    pub(crate) fn for_c(&self) -> ffi::mf_twofish_expectation {
        ffi::mf_twofish_expectation {
            n_blocks: self.n_blocks,
            blocks_per_call: self.blocks_per_call,
            max_key_bytes: self.max_key_bytes,
            leaks: self.leaks.number(),
            costs: self.costs.map_or(ptr::null(), |costs| &raw const *costs.0),
            n_single_blocks: self.n_single_blocks,
            max_shared_bytes: self.max_shared_bytes,
        }
    }
}

/// The kernel that costs least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As [`Twofish::new`](crate::Twofish::new) takes it.
    pub kernel: &'static str,
    /// Taken with the set-up in which no address depends on the key, though it has another: it costs less,
    /// or must be. Of constant-time kernels it is false.
    pub quiet_set_up: bool,
    /// In the unit of the table; `None` if the table does not know.
    pub cost: Option<u64>,
}

/// Chooses the kernel for keys of so many bytes.
pub fn choose(key_bytes: usize, expectation: &Expectation) -> Result<Choice, Status> {
    let expectation = expectation.for_c();
    let mut choice = MaybeUninit::<ffi::mf_twofish_choice>::uninit();
    // SAFETY: choice has room for what is written; the costs that expectation points to are borrowed by
    // the argument of this function.
    unsafe { ffi::mf_twofish_choose(choice.as_mut_ptr(), key_bytes, &raw const expectation) }
        .check()?;
    // SAFETY: on MF_OK all of choice is filled, and the name lies in static storage.
    unsafe {
        let choice = choice.assume_init();
        Ok(Choice {
            kernel: static_text(choice.kernel),
            quiet_set_up: choice.quiet_set_up,
            cost: known(choice.cost),
        })
    }
}

/// What a kernel is expected to cost, if the table knows; it need not run here.
pub fn expected_cost(
    kernel: &str,
    key_bytes: usize,
    expectation: &Expectation,
) -> Result<Option<u64>, Status> {
    let kernel = c_name(kernel)?;
    let expectation = expectation.for_c();
    let mut cost = 0;
    // SAFETY: kernel is a C string; the costs are borrowed by the argument of this function.
    unsafe {
        ffi::mf_twofish_expected_cost(
            &raw mut cost,
            kernel.as_ptr(),
            key_bytes,
            &raw const expectation,
        )
    }
    .check()?;
    Ok(known(cost))
}

fn known(cost: u64) -> Option<u64> {
    (cost != u64::MAX).then_some(cost)
}

/// What each kernel costs, in any unit.
#[derive(Clone)]
pub struct Costs(Place<ffi::mf_twofish_costs>);

impl Costs {
    /// Those that are part of the library.
    #[must_use]
    pub fn shipped() -> Self {
        let mut costs = Place::new(MaybeUninit::<ffi::mf_twofish_costs>::uninit());
        // SAFETY: costs has room for what is written, and it is filled, since it is not NULL.
        unsafe {
            let filled = ffi::mf_twofish_shipped_costs(costs.as_mut_ptr());
            assert_eq!(filled.check(), Ok(()));
            Self(costs.assume_init())
        }
    }

    /// Reads a table; the error is the number of the line at fault, counted from 1.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut costs = Self::shipped();
        let mut line = 0;
        // SAFETY: text is a slice of so many bytes, apart from costs.
        unsafe {
            ffi::mf_twofish_costs_parse(
                &raw mut *costs.0,
                text.as_ptr().cast(),
                text.len(),
                &raw mut line,
            )
        }
        .check()
        .map_err(|_| line)?;
        Ok(costs)
    }

    #[cfg(feature = "std")]
    fn print(&self, out: &mut [u8]) -> Result<usize, usize> {
        let mut n_bytes = 0;
        // SAFETY: out is a slice of so many bytes, apart from self.
        unsafe {
            ffi::mf_twofish_costs_print(
                &raw const *self.0,
                out.as_mut_ptr().cast(),
                out.len(),
                &raw mut n_bytes,
            )
        }
        .check()
        .map_err(|_| n_bytes)?;
        Ok(n_bytes)
    }
}

/// The text that [`Costs::parse`] reads.
#[cfg(feature = "std")]
impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = vec![0; self.print(&mut []).unwrap_or_else(|needed| needed)];
        self.print(&mut text).map_err(|_| fmt::Error)?;
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Costs").field("kernels", &self.0.n_kernels).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_costs_go_through_text() {
        let text = Costs::shipped().to_string();
        assert_eq!(Costs::parse(&text).unwrap().to_string(), text);
    }

    #[test]
    fn the_columns_are_the_calls() {
        let text = Costs::shipped().to_string();
        let columns = text.lines().next().unwrap().split(',').skip(4);
        let blocks: Vec<u32> = columns.map(|column| column.parse().unwrap()).collect();
        assert_eq!(blocks, COST_CALL_BLOCKS);
    }

    #[test]
    fn a_fault_has_a_line() {
        let text = Costs::shipped().to_string();
        assert_eq!(Costs::parse(&(text.clone() + "x")).unwrap_err(), text.lines().count() + 1);
        assert_eq!(Costs::parse("").unwrap_err(), 0);
    }

    /// Costs of one kernel; others are unknown. `quiet` is its set-up for `Leaks::Text`.
    fn costs(kernel: &str, quiet: &str) -> Costs {
        let shipped = Costs::shipped().to_string();
        let head = shipped.lines().next().unwrap();
        let calls = COST_CALL_BLOCKS.map(|blocks| format!(",{}", 100 + blocks)).concat();
        Costs::parse(&format!("{head}\n{kernel},128,1000,{quiet}{calls}\n")).unwrap()
    }

    #[test]
    fn each_level_of_leaks_is_handed_on() {
        let cost = |leaks, quiet: &str| {
            let costs = costs("full", quiet);
            let one = Expectation { n_blocks: 1, leaks, costs: Some(&costs), ..Default::default() };
            expected_cost("full", 16, &one)
        };
        assert_eq!(cost(Leaks::None, "2000"), Err(Status::POLICY));
        assert_eq!(cost(Leaks::Text, "2000"), Ok(Some(2101)));
        assert_eq!(cost(Leaks::Text, ""), Ok(None), "not known, and not the largest number");
        assert_eq!(cost(Leaks::Any, "2000"), Ok(Some(1101)));
    }

    #[test]
    fn numbers_of_blocks_and_bytes_are_handed_on() {
        let costs = costs("full", "");
        let four = Expectation {
            n_blocks: 4,
            leaks: Leaks::Any,
            costs: Some(&costs),
            ..Default::default()
        };
        let cost = |expectation: &Expectation| expected_cost("full", 16, expectation);
        assert_eq!(cost(&four), Ok(Some(1104)), "in one call");
        assert_eq!(cost(&Expectation { blocks_per_call: 1, ..four }), Ok(Some(1404)), "in four");
        assert_eq!(cost(&Expectation { max_key_bytes: 1000, ..four }), Err(Status::POLICY));
        let small = Expectation { max_key_bytes: 200, ..four };
        assert_eq!(choose(16, &small).unwrap().kernel, "zero");
    }
}
