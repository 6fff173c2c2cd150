// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Whether the kernel that is chosen is the best one, or nearly: all that may be chosen are measured side
//! by side, set-up and calls together.

use std::fmt;
use std::time::Duration;

use manyfish::{BLOCK_BYTES, Choice, Error, Expectation, KernelInfo, Leaks, Twofish};

use crate::costs::Keys;
use crate::rows::key;
use crate::stopwatch::race;

/// Time for one figure.
const BUDGET: Duration = Duration::from_millis(8);
/// Where a choice seems to miss, all is measured again: another program may have disturbed one kernel, and
/// can make nothing faster.
const TRIES: usize = 4;
/// A choice may cost so much more than the best kernel.
pub const TOLERANCE: f64 = 1.15;
/// The lengths of messages, which double from the shortest to the longest.
const LENGTHS: (usize, usize) = (16, 1 << 20);
/// In how many blocks a long message is handed over, as the modes of the library do it.
const PIECE_BLOCKS: usize = 128;

/// The work to choose for, beside a number of bytes.
#[derive(Clone, Copy)]
pub struct Work {
    pub key_bits: usize,
    pub leaks: Leaks,
    pub serial: bool,
    /// Tables that all keys share are allowed.
    pub shared: bool,
}

impl Work {
    /// For a key size, whatever may leak, in either order, without shared tables.
    pub fn plain(key_bits: usize) -> impl Iterator<Item = Self> {
        [Leaks::None, Leaks::Text, Leaks::Any].into_iter().flat_map(move |leaks| {
            [false, true].map(|serial| Self { key_bits, leaks, serial, shared: false })
        })
    }

    /// Everything that is checked for a key size: also with the tables that are ready.
    pub fn all(key_bits: usize) -> impl Iterator<Item = Self> {
        let shared = Self::plain(key_bits).filter(|work| work.leaks == Leaks::Any);
        Self::plain(key_bits).chain(shared.map(|work| Self { shared: true, ..work }))
    }

    pub fn expectation(self, n_bytes: usize, allowed: &Expectation) -> Expectation {
        let (per_call, leaks) = (u64::from(self.serial), self.leaks);
        let shared = if self.shared { usize::MAX } else { 0 };
        let expected = allowed.clone().total_bytes(n_bytes as u64).blocks_per_call(per_call);
        expected.leaks(leaks).max_shared_bytes(shared)
    }

    /// Every way to work that may be chosen.
    fn ways(self) -> Vec<Way> {
        let runnable = manyfish::kernels().filter(|kernel| kernel.runnable);
        let kernels: Vec<KernelInfo> =
            runnable.filter(|kernel| self.shared || kernel.shared_bytes == 0).collect();
        let ways = kernels.iter().flat_map(|kernel| {
            let ct = !kernel.constant_time && self.leaks != Leaks::None;
            let plain = kernel.constant_time || self.leaks == Leaks::Any;
            let kinds = [(plain, false), (ct, true)].into_iter().filter(|(may, _)| *may);
            kinds.map(|(_, ct)| Way { kernel: kernel.name, ct })
        });
        ways.collect()
    }
}

/// A kernel, and by which set-up it gets its keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    pub kernel: &'static str,
    /// By the constant-time one, where there is another.
    pub ct: bool,
}

impl Way {
    pub fn chosen(choice: &Choice) -> Self {
        Self { kernel: choice.kernel, ct: choice.ct_set_up }
    }

    fn cipher(self, key: &[u8]) -> Result<Twofish, Error> {
        let new = if self.ct { Twofish::with_constant_time_set_up } else { Twofish::with_kernel };
        new(self.kernel, key)
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kernel)?;
        if self.ct { f.write_str(", ct") } else { Ok(()) }
    }
}

/// A message, the kernel chosen for it, and how it compares.
pub struct Point {
    pub n_bytes: usize,
    pub chosen: Way,
    pub best: Way,
    /// Cycles of the chosen one for each of the best: 1 if it is the best.
    pub ratio: f64,
}

pub fn lengths() -> impl Iterator<Item = usize> {
    let doubled = std::iter::successors(Some(LENGTHS.0), |n_bytes| Some(2 * n_bytes));
    doubled.take_while(|n_bytes| *n_bytes <= LENGTHS.1)
}

/// Measures all kernels that may be chosen, in turn.
pub fn measure(work: Work, n_bytes: usize, expectation: &Expectation) -> Result<Point, Error> {
    let chosen = Way::chosen(&expectation.choose(work.key_bits / 8)?);
    // Not every kernel has every key size, nor a set-up of either kind.
    let take = |way: Way| Some((way, way.cipher(&key(work.key_bits)).ok()?));
    let mut ciphers: Vec<(Way, Twofish)> = work.ways().into_iter().filter_map(take).collect();
    let mut keys = Keys::new(work.key_bits);
    let mut message = vec![0; n_bytes];
    let piece = if work.serial { 1 } else { PIECE_BLOCKS } * BLOCK_BYTES;
    let ways: Vec<Way> = ciphers.iter().map(|(way, _)| *way).collect();
    let mut cycles = vec![f64::INFINITY; ways.len()];
    for _ in 0..TRIES {
        let figures = race(BUDGET, &mut ciphers, |(_, cipher)| {
            cipher.set_key(keys.another()).expect("the length is right");
            encrypt(cipher, &mut message, piece);
        });
        for (cycles, figure) in cycles.iter_mut().zip(figures) {
            *cycles = cycles.min(figure.minimum);
        }
        if point(n_bytes, chosen, &ways, &cycles).ratio <= TOLERANCE {
            break;
        }
    }
    Ok(point(n_bytes, chosen, &ways, &cycles))
}

/// In pieces; a piece of one block waits for the one before, as the first word of each is changed by it.
fn encrypt(cipher: &Twofish, message: &mut [u8], piece: usize) {
    let mut last = 0;
    for part in message.chunks_mut(piece) {
        part[0] ^= last;
        cipher.encrypt_blocks(part).expect("whole blocks");
        last = part[0];
    }
}

fn point(n_bytes: usize, chosen: Way, ways: &[Way], cycles: &[f64]) -> Point {
    let of = |way| ways.iter().position(|found| *found == way).map(|at| cycles[at]);
    let best = (0..ways.len()).min_by(|a, b| cycles[*a].total_cmp(&cycles[*b]));
    let best = ways[best.expect("some kernel always runs")];
    let ratio = of(chosen).zip(of(best)).map_or(f64::INFINITY, |(chosen, best)| chosen / best);
    Point { n_bytes, chosen, best, ratio }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_has_a_ratio_of_one() {
        let way = |kernel, ct| Way { kernel, ct };
        let ways = [way("a", false), way("b", false), way("b", true)];
        let of = |way| point(16, way, &ways, &[3.0, 2.5, 2.0]);
        let found = of(ways[1]);
        assert_eq!((found.chosen, found.best), (ways[1], ways[2]));
        assert!((found.ratio - 1.25).abs() < 1e-9);
        assert!((of(ways[2]).ratio - 1.0).abs() < 1e-9);
        assert!(of(way("a", true)).ratio.is_infinite());
        assert_eq!((ways[1].to_string(), ways[2].to_string()), ("b".into(), "b, ct".into()));
    }

    #[test]
    fn lengths_go_from_a_block_to_a_mebibyte() {
        let all: Vec<usize> = lengths().collect();
        assert_eq!((all[0], all[16], all.len()), (16, 1 << 20, 17));
    }

    #[test]
    fn a_choice_is_measured() {
        for work in Work::all(128).filter(|work| work.serial) {
            let point = measure(work, 32, &work.expectation(32, &Expectation::default())).unwrap();
            assert!(point.ratio >= 1.0 && point.ratio.is_finite(), "{}", point.ratio);
        }
    }

    #[test]
    fn what_may_leak_decides_who_takes_part() {
        let count = |leaks, ct| {
            let work = Work { key_bits: 256, leaks, serial: true, shared: false };
            let ways = work.ways().into_iter();
            ways.filter(|way| way.ct == ct).count()
        };
        let fast = manyfish::kernels().filter(|kernel| kernel.runnable && kernel.constant_time);
        let fast = fast.count();
        assert_eq!([count(Leaks::None, false), count(Leaks::None, true)], [fast, 0]);
        assert_eq!([count(Leaks::Text, false), count(Leaks::Text, true)], [fast, 5]);
        assert_eq!([count(Leaks::Any, false), count(Leaks::Any, true)], [fast + 5, 5]);
    }
}
