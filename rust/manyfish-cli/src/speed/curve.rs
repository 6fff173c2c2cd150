// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Set-up and encryption of one message, for messages of growing length: the kernel that precomputes
//! less wins the short ones.

use std::iter;

use manyfish::{Error, KernelInfo, Twofish};
use serde::Serialize;

use super::history;
use super::report::three_decimals;
use super::rows::{BUDGET, key, to_float};
use super::stopwatch::cost;

/// Shortest and longest message; the lengths between double.
const LENGTHS: (usize, usize) = (16, 64 << 10);

/// One length with the kernel that does it best; the names are those of the JSON.
#[derive(Serialize)]
pub struct Point {
    pub cipher: &'static str,
    pub key_bits: usize,
    pub bytes: usize,
    pub kernel: &'static str,
    #[serde(serialize_with = "three_decimals")]
    pub cycles_per_byte: f64,
    /// The authors' slide.
    pub slide_1998: Option<u32>,
    /// The best of the authors' table, by arithmetic.
    pub table_1998: Option<Past>,
}

#[derive(Serialize)]
pub struct Past {
    pub option: &'static str,
    #[serde(serialize_with = "three_decimals")]
    pub cycles_per_byte: f64,
}

/// Measures every kernel at every length, and keeps the best.
pub fn measure(kernels: &[KernelInfo], key_bits: usize) -> Result<Vec<Point>, Error> {
    let mut ciphers = Vec::new();
    for kernel in kernels.iter().filter(|kernel| key_bits / 8 <= kernel.max_key_bytes) {
        ciphers.push(Twofish::with_kernel(kernel.name, &key(key_bits))?);
    }
    let lengths = iter::successors(Some(LENGTHS.0), |n_bytes| Some(2 * n_bytes));
    let lengths = lengths.take_while(|n_bytes| *n_bytes <= LENGTHS.1);
    Ok(lengths.filter_map(|n_bytes| point(&mut ciphers, key_bits, n_bytes)).collect())
}

fn point(ciphers: &mut [Twofish], key_bits: usize, n_bytes: usize) -> Option<Point> {
    let costs = ciphers.iter_mut().map(|cipher| {
        let cycles = setup_and_encrypt(cipher, key_bits, n_bytes);
        (cipher.kernel(), cycles / to_float(n_bytes))
    });
    let (kernel, cycles_per_byte) = costs.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let past = u32::try_from(n_bytes / 16).ok().and_then(|n| history::best(key_bits, n));
    Some(Point {
        cipher: "twofish",
        key_bits,
        bytes: n_bytes,
        kernel,
        cycles_per_byte,
        slide_1998: history::slide(key_bits, n_bytes),
        table_1998: past.map(|(option, cycles_per_byte)| Past { option, cycles_per_byte }),
    })
}

fn setup_and_encrypt(cipher: &mut Twofish, key_bits: usize, n_bytes: usize) -> f64 {
    let mut key = key(key_bits);
    let mut message = vec![0; n_bytes];
    cost(BUDGET, || {
        key[0] = key[0].wrapping_add(1);
        cipher.set_key(&key).expect("the length is right");
        cipher.encrypt_blocks(&mut message).expect("whole blocks");
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_names_the_best_of_those_measured() {
        let mut only = [Twofish::with_kernel("zero", &key(128)).unwrap()];
        let point = point(&mut only, 128, 64).unwrap();
        assert_eq!((point.kernel, point.slide_1998), ("zero", Some(73)));
        assert!(point.cycles_per_byte > 0.0);
        assert_eq!(point.table_1998.unwrap().option, "Zero");
    }
}
