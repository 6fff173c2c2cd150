// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Whether the kernel that is chosen is the best one, or nearly: all that may be chosen are measured side
//! by side, set-up and calls together.

use std::time::Duration;

use manyfish::{BLOCK_BYTES, Error, Expectation, KernelInfo, Leaks, Twofish};

use super::rows::key;
use super::stopwatch::race;

/// Time for one figure.
const BUDGET: Duration = Duration::from_millis(8);
/// What seems to miss is measured again, all of it: another program may have disturbed one kernel, and can
/// make nothing faster.
const TRIES: usize = 4;
/// A choice may cost so much more than the best kernel.
pub const TOLERANCE: f64 = 1.15;
/// The lengths of messages, which double from the shortest to the longest.
const LENGTHS: (usize, usize) = (16, 1 << 20);
/// In how many blocks a long message is handed over, as the modes of the library do it.
const PIECE_BLOCKS: usize = 128;

/// What is asked for, beside a number of bytes.
#[derive(Clone, Copy)]
pub struct Work {
    pub key_bits: usize,
    pub leaks: Leaks,
    pub serial: bool,
}

impl Work {
    /// Everything that is checked for a key size.
    pub fn all(key_bits: usize) -> impl Iterator<Item = Self> {
        let both = [Leaks::None, Leaks::Any].into_iter();
        both.flat_map(move |leaks| {
            [false, true].map(|serial| Self { key_bits, leaks, serial }).into_iter()
        })
    }

    pub fn expectation(self, n_bytes: usize, allowed: &Expectation) -> Expectation {
        let (per_call, leaks) = (u64::from(self.serial), self.leaks);
        allowed.clone().total_bytes(n_bytes as u64).blocks_per_call(per_call).leaks(leaks)
    }
}

/// A message, the kernel chosen for it, and how it compares.
pub struct Point {
    pub n_bytes: usize,
    pub chosen: &'static str,
    pub best: &'static str,
    /// Cycles of the chosen one for each of the best: 1 if it is the best.
    pub ratio: f64,
}

pub fn lengths() -> impl Iterator<Item = usize> {
    let doubled = std::iter::successors(Some(LENGTHS.0), |n_bytes| Some(2 * n_bytes));
    doubled.take_while(|n_bytes| *n_bytes <= LENGTHS.1)
}

/// Measures all kernels that may be chosen, in turn.
pub fn measure(work: Work, n_bytes: usize, expectation: &Expectation) -> Result<Point, Error> {
    let chosen = expectation.choose(work.key_bits / 8)?.kernel;
    let may =
        |kernel: &KernelInfo| kernel.runnable && (kernel.constant_time || work.leaks == Leaks::Any);
    let mut ciphers = Vec::new();
    for kernel in manyfish::kernels().filter(may) {
        ciphers.extend(Twofish::with_kernel(kernel.name, &key(work.key_bits)));
    }
    let mut key = key(work.key_bits);
    let mut message = vec![0; n_bytes];
    let piece = if work.serial { 1 } else { PIECE_BLOCKS } * BLOCK_BYTES;
    let names: Vec<&'static str> = ciphers.iter().map(Twofish::kernel).collect();
    let mut cycles = vec![f64::INFINITY; names.len()];
    for _ in 0..TRIES {
        let figures = race(BUDGET, &mut ciphers, |cipher| {
            key[0] = key[0].wrapping_add(1);
            cipher.set_key(&key).expect("the length is right");
            encrypt(cipher, &mut message, piece);
        });
        for (cycles, figure) in cycles.iter_mut().zip(figures) {
            *cycles = cycles.min(figure.minimum);
        }
        if point(n_bytes, chosen, &names, &cycles).ratio <= TOLERANCE {
            break;
        }
    }
    Ok(point(n_bytes, chosen, &names, &cycles))
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

fn point(n_bytes: usize, chosen: &'static str, names: &[&'static str], cycles: &[f64]) -> Point {
    let of = |name| names.iter().position(|found| *found == name).map(|at| cycles[at]);
    let best = (0..names.len()).min_by(|a, b| cycles[*a].total_cmp(&cycles[*b]));
    let best = names[best.expect("some kernel always runs")];
    let ratio = of(chosen).zip(of(best)).map_or(f64::INFINITY, |(chosen, best)| chosen / best);
    Point { n_bytes, chosen, best, ratio }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_has_a_ratio_of_one() {
        let names = ["a", "b", "c"];
        let found = point(16, "c", &names, &[3.0, 2.0, 2.5]);
        assert_eq!((found.chosen, found.best), ("c", "b"));
        assert!((found.ratio - 1.25).abs() < 1e-9);
        assert!((point(16, "b", &names, &[3.0, 2.0, 2.5]).ratio - 1.0).abs() < 1e-9);
        assert!(point(16, "none", &names, &[3.0, 2.0, 2.5]).ratio.is_infinite());
    }

    #[test]
    fn lengths_go_from_a_block_to_a_mebibyte() {
        let all: Vec<usize> = lengths().collect();
        assert_eq!((all[0], all[16], all.len()), (16, 1 << 20, 17));
    }

    #[test]
    fn a_choice_is_measured() {
        let work = Work { key_bits: 128, leaks: Leaks::Any, serial: true };
        let point = measure(work, 32, &work.expectation(32, &Expectation::default())).unwrap();
        assert!(point.ratio >= 1.0 && point.ratio.is_finite(), "{}", point.ratio);
    }
}
