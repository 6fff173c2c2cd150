// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/twofish_choice.h>`: the kernel that costs least, and tables of costs.

use core::ffi::c_char;
use core::fmt;
use core::mem::MaybeUninit;
use core::ptr;

use crate::ffi::{
    MF_COST_CALL_BLOCKS, MF_COST_CALLS, MF_COST_KERNELS, MF_COST_NAME_BYTES, mf_leaks,
};
use crate::shared::Place;
use crate::twofish::c_name;
use crate::{Status, ffi, static_text};

/// The numbers of blocks whose calls have a figure in a table of costs.
pub const COST_CALL_BLOCKS: [u32; MF_COST_CALLS] = MF_COST_CALL_BLOCKS;

/// The secrets that timing and cache may reveal.
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

/// The work that a key will do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expectation<'a> {
    /// Under this key, in calls of `blocks_per_call`.
    pub n_blocks: u64,
    /// 1: each waits for the one before; 0: all at once.
    pub blocks_per_call: u64,
    /// Of a context that may be filled for a key; 0: any.
    pub max_key_bytes: usize,
    /// The secrets that may leak.
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
    pub ct_set_up: bool,
    /// In the unit of the table; `None` if the table does not know.
    pub cost: Option<u64>,
}

/// Chooses the kernel for keys of `key_bytes` bytes.
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
            ct_set_up: choice.ct_set_up,
            cost: known(choice.cost),
        })
    }
}

/// The expected cost of a kernel, if the table knows it; it need not run here.
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

pub(crate) fn known(cost: u64) -> Option<u64> {
    (cost != u64::MAX).then_some(cost)
}

/// The costs of one kernel with keys of one size: a row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostRow<'a> {
    /// Its name.
    pub kernel: &'a str,
    /// 128, 192 or 256.
    pub key_bits: u32,
    /// Of a key; not 0.
    pub set_up: u32,
    /// A constant-time set-up of a kernel that is not; 0: it is not known.
    pub ct_set_up: u32,
    /// Of a call of [`COST_CALL_BLOCKS`]; not 0.
    pub calls: [u32; MF_COST_CALLS],
}

/// The sizes of keys in the order of a table.
const KEY_BITS: [u32; 3] = [128, 192, 256];

/// The costs of each kernel, in any unit.
#[derive(Clone)]
pub struct Costs(Place<ffi::mf_twofish_costs>);

impl Costs {
    /// Those that are part of the library.
    #[must_use]
    pub fn shipped() -> Self {
        let mut costs = Self::empty();
        // SAFETY: costs has room for what is written, and says how large it is.
        let filled = unsafe { ffi::mf_twofish_shipped_costs(&raw mut *costs.0) };
        assert_eq!(filled.check(), Ok(()));
        costs
    }

    /// None is known.
    #[must_use]
    pub fn empty() -> Self {
        let row = ffi::mf_twofish_cost {
            kernel: [0; MF_COST_NAME_BYTES],
            set_up: [0; 3],
            ct_set_up: [0; 3],
            calls: [[0; MF_COST_CALLS]; 3],
        };
        Self(Place::new(ffi::mf_twofish_costs {
            struct_bytes: size_of::<ffi::mf_twofish_costs>(),
            n_kernels: 0,
            kernels: [row; MF_COST_KERNELS],
        }))
    }

    /// Adds a row; false if there is one already, if a table has no room for it, or if it is none: its name is
    /// empty, too long or has a zero byte, a figure is 0, or no keys have that size.
    #[must_use]
    pub fn add(&mut self, row: &CostRow) -> bool {
        let Some(size) = KEY_BITS.iter().position(|bits| *bits == row.key_bits) else {
            return false;
        };
        if row.set_up == 0 || row.calls.contains(&0) || row.kernel.is_empty() {
            return false;
        }
        let Some(place) = self.place_of(row.kernel).filter(|place| place.set_up[size] == 0) else {
            return false;
        };
        place.set_up[size] = row.set_up;
        place.ct_set_up[size] = row.ct_set_up;
        place.calls[size] = row.calls;
        true
    }

    /// That of a kernel, a new one if it has none yet.
    fn place_of(&mut self, kernel: &str) -> Option<&mut ffi::mf_twofish_cost> {
        let name = c_name(kernel).ok()?.into_chars();
        let all = &mut *self.0;
        let at = all.kernels[..all.n_kernels].iter().position(|place| place.kernel == name);
        let at = at.unwrap_or(all.n_kernels);
        let place = all.kernels.get_mut(at)?;
        place.kernel = name;
        all.n_kernels = all.n_kernels.max(at + 1);
        Some(place)
    }

    /// The rows that are known.
    pub fn rows(&self) -> impl Iterator<Item = CostRow<'_>> {
        let kernels = self.0.kernels[..self.0.n_kernels].iter();
        let all = kernels.flat_map(|kernel| (0..3).map(move |size| row_of(kernel, size)));
        all.filter(|row| row.set_up != 0 && !row.calls.contains(&0))
    }
}

fn row_of(kernel: &ffi::mf_twofish_cost, size: usize) -> CostRow<'_> {
    CostRow {
        kernel: text_of(&kernel.kernel),
        key_bits: KEY_BITS[size],
        set_up: kernel.set_up[size],
        ct_set_up: kernel.ct_set_up[size],
        calls: kernel.calls[size],
    }
}

/// A name up to its zero byte.
fn text_of(name: &[c_char; MF_COST_NAME_BYTES]) -> &str {
    // SAFETY: c_char has the size of u8, and any bits of it are good.
    let bytes = unsafe { &*(&raw const *name).cast::<[u8; MF_COST_NAME_BYTES]>() };
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    core::str::from_utf8(&bytes[..end]).unwrap_or_default()
}

impl fmt::Debug for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Costs").field("kernels", &self.0.n_kernels).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kernel: &str, key_bits: u32) -> CostRow<'_> {
        let calls = COST_CALL_BLOCKS.map(|blocks| 100 + blocks);
        CostRow { kernel, key_bits, set_up: 1000, ct_set_up: 0, calls }
    }

    #[test]
    fn rows_come_back() {
        let mut copy = Costs::empty();
        assert_eq!(copy.rows().count(), 0);
        let shipped = Costs::shipped();
        assert!(shipped.rows().count() > 30);
        for row in shipped.rows() {
            assert!(copy.add(&row) && !copy.add(&row), "once");
        }
        assert!(copy.rows().eq(shipped.rows()));
    }

    #[test]
    fn what_is_no_row_is_refused() {
        let good = row("full", 128);
        let mut calls = good.calls;
        calls[MF_COST_CALLS - 1] = 0;
        let long = "a-name-of-twenty-four-by";
        let bad = [
            CostRow { key_bits: 127, ..good },
            CostRow { set_up: 0, ..good },
            CostRow { kernel: "", ..good },
            CostRow { kernel: "a\0", ..good },
            CostRow { kernel: long, ..good },
            CostRow { calls, ..good },
        ];
        let mut costs = Costs::empty();
        for row in &bad {
            assert!(!costs.add(row), "{row:?}");
        }
        assert!(costs.add(&CostRow { kernel: &long[1..], ..good }));
        assert_eq!(costs.rows().next().unwrap().kernel, &long[1..]);
    }

    #[test]
    fn a_table_has_room_for_so_many_kernels() {
        let mut costs = Costs::empty();
        for i in 0..=MF_COST_KERNELS {
            let name = format!("kernel-{i}");
            assert_eq!(costs.add(&row(&name, 192)), i < MF_COST_KERNELS);
        }
        assert!(costs.add(&row("kernel-0", 256)), "a row of one that is there");
    }

    /// Costs of one kernel; others are unknown. `ct` is its set-up for `Leaks::Text`.
    fn costs(kernel: &str, ct: u32) -> Costs {
        let mut costs = Costs::empty();
        assert!(costs.add(&CostRow { ct_set_up: ct, ..row(kernel, 128) }));
        costs
    }

    #[test]
    fn each_level_of_leaks_is_handed_on() {
        let cost = |leaks, ct| {
            let costs = costs("full", ct);
            let one = Expectation { n_blocks: 1, leaks, costs: Some(&costs), ..Default::default() };
            expected_cost("full", 16, &one)
        };
        assert_eq!(cost(Leaks::None, 2000), Err(Status::POLICY));
        assert_eq!(cost(Leaks::Text, 2000), Ok(Some(2101)));
        assert_eq!(cost(Leaks::Text, 0), Ok(None), "not known, and not the largest number");
        assert_eq!(cost(Leaks::Any, 2000), Ok(Some(1101)));
    }

    #[test]
    fn numbers_of_blocks_and_bytes_are_handed_on() {
        let costs = costs("full", 0);
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
