// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Each variant of GHASH [SP800-38D, 6.4]. They take several blocks at once, times powers of H:
//!
//! (..((Y + X_1) H + X_2) H + .. + X_n) H = (Y + X_1) H^n + X_2 H^(n-1) + .. + X_n H
//!
//! The right side is what is compared, with H^n = H^(n-1) H. That both sides are equal is the law of the field, which is
//! not proved here.

use crate::algebra::{Bit, Byte};

use super::Setting;
use super::bench::{Bench, CONTEXT, IN, NONCE, Result, Spec, TAG};
use super::oracle::{Bytes, settle};
use super::pieces::same;

const KEY_BYTES: usize = 8 * 64;

/// Each variant, and how many blocks it takes at once.
const VARIANTS: [(&str, usize); 4] = [
    ("portable", 4),
    ("pclmul", 8),
    ("vpclmul", 16),
    ("vpclmul512", 16),
];

pub fn prove(setting: &Setting) -> Result<()> {
    for (name, group) in VARIANTS {
        prove_variant(setting, name, group).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

fn prove_variant(setting: &Setting, name: &str, group: usize) -> Result<()> {
    let mut bench = setting.bench(16);
    let at = bench.symbol(&format!("mf_ghash_{name}"))?;
    let [set_key, absorb] = [16, 24].map(|offset| bench.number_at(at + offset));
    let h = bench.symbols(16);
    let powers = powers(&mut bench, &h, group);
    bench.put_space("the hash key", CONTEXT, KEY_BYTES);
    bench.put("h", NONCE, h, false);
    bench.run(set_key, &[CONTEXT, NONCE])?;
    let key = bench.take("the hash key");
    bench.put("the hash key", CONTEXT, key, false);
    bench.put("h", NONCE, Vec::new(), false);

    let (y, blocks) = (bench.symbols(16), bench.symbols(16 * (2 * group + 2)));
    let all: Vec<usize> = (0..=group + 1).chain([2 * group, 2 * group + 2]).collect();
    let numbers = if setting.is_little() {
        vec![1, 3, group + 1]
    } else {
        all
    };
    for n in numbers {
        bench.put("the hash", TAG, y.clone(), true);
        bench.put("the input", IN, blocks[..16 * n].to_vec(), false);
        bench
            .run(absorb, &[CONTEXT, TAG, IN, n as u64])
            .map_err(|error| format!("{n} blocks: {error}"))?;
        let wanted = hash(&mut bench, &powers, &y, &blocks[..16 * n]);
        same(
            &bench.take("the hash"),
            &wanted,
            &format!("the hash of {n} blocks"),
        )?;
    }
    setting.done(&bench)
}

/// H^1 to H^n.
fn powers(bench: &mut Bench, h: &[Byte], n: usize) -> Vec<Bytes> {
    let mut powers = vec![h.to_vec()];
    for i in 1..n {
        let next = multiply(bench, &powers[i - 1], h);
        powers.push(next);
    }
    powers
}

/// Groups of as many blocks as there are powers; the last one may have fewer.
fn hash(bench: &mut Bench, powers: &[Bytes], y: &[Byte], blocks: &[Byte]) -> Bytes {
    let mut y = settle(&mut bench.machine.algebra, y);
    for group in blocks.chunks(16 * powers.len()) {
        let mut sum = vec![0; 16];
        for (block, power) in group.rchunks(16).zip(powers) {
            let is_first = std::ptr::eq(block.as_ptr(), group.as_ptr());
            let factor = if is_first {
                bench.spec().xor(block, &y)
            } else {
                block.to_vec()
            };
            let product = multiply(bench, &factor, power);
            sum = bench.spec().xor(&sum, &product);
        }
        y = sum;
    }
    y
}

/// Algorithm 1 of [SP800-38D, 6.3].
fn multiply(bench: &mut Bench, x: &[Byte], y: &[Byte]) -> Bytes {
    let mut spec = bench.spec();
    let x = spec.bits(x);
    let mut v = spec.bits(y);
    let mut pairs: Vec<Vec<(Bit, Bit)>> = vec![Vec::new(); 128];
    for x in x {
        for (pairs, &v) in pairs.iter_mut().zip(&v) {
            pairs.push((x, v));
        }
        v = shifted(&mut spec, &v);
    }
    let products = &mut bench.machine.products;
    let mut products = std::mem::take(products);
    let algebra = &mut bench.machine.algebra;
    let bits: Vec<Bit> = pairs
        .iter()
        .map(|pairs| products.sum(algebra, pairs))
        .collect();
    bench.machine.products = products;
    bench.spec().bytes(&bits)
}

/// V one bit to the right, plus R = 11100001 and zeros if the last bit was 1.
fn shifted(spec: &mut Spec, v: &[Bit]) -> Vec<Bit> {
    let mut next = [&[0], &v[..127]].concat();
    for at in [0, 1, 2, 7] {
        next[at] = spec.algebra.xor_bits(next[at], v[127]);
    }
    next
}
