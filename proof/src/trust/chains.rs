// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Tests look-ups in tables that are chains: in random ones, at random symbols, they must give what the tables have; and a
//! table with one wrong entry must count as no chain.

use super::Random;
use crate::algebra::Byte;
use crate::evaluation::Evaluation;
use crate::machine::{Common, number_bytes};
use crate::memory::Rights;

/// Not at a multiple of its size where it has two digits.
const STARTS: [u64; 2] = [0x1234_5000, 0x5_0000_0000];
const TESTS: u64 = 12;

/// Prints how many tables passed.
pub fn test(random: &mut Random) -> Result<(), String> {
    for test in 0..TESTS {
        let n_digits = if test < 10 { 2 } else { 3 };
        let entry_bytes = if random.below(2) == 0 { 1 } else { 4 };
        test_table(random, n_digits, entry_bytes)
            .map_err(|error| format!("a table of {n_digits} digits: {error}"))?;
    }
    println!("{TESTS} passed, 0 failed, 0 skipped");
    Ok(())
}

fn test_table(random: &mut Random, n_digits: usize, entry_bytes: usize) -> Result<(), String> {
    let start = STARTS[n_digits - 2];
    let mut table = chain(random, n_digits, entry_bytes);
    let mut common = Common::default();
    let digits: Vec<Byte> = (0..n_digits).map(|_| symbol(&mut common, random)).collect();
    let loaded = look_up(&mut common, start, &digits, &table, entry_bytes)?;
    let loaded = loaded.ok_or("it is not seen to be a chain")?;
    let Common { algebra, sums, .. } = &mut common;
    let mut bits = Random(random.next());
    let mut evaluation = Evaluation::new(algebra, sums, move || bits.next() & 1 == 1);
    let digits = digits
        .iter()
        .map(|&digit| usize::from(evaluation.byte(digit)));
    let entry = digits.rev().fold(0, |at, digit| at << 8 | digit);
    let found: Vec<u8> = loaded.iter().map(|&byte| evaluation.byte(byte)).collect();
    if found != table[entry * entry_bytes..][..entry_bytes] {
        return Err("an entry differs".into());
    }
    let at = random.below(table.len() as u64);
    table[at as usize] ^= 1 << random.below(8);
    let mut other = Common::default();
    let digits: Vec<Byte> = (0..n_digits).map(|_| other.algebra.new_byte()).collect();
    match look_up(&mut other, start, &digits, &table, entry_bytes)? {
        None => Ok(()),
        Some(_) => Err("with a wrong entry it is seen as a chain".into()),
    }
}

/// Eight independent sums of bits of a byte of which nothing is known.
fn symbol(common: &mut Common, random: &mut Random) -> Byte {
    let byte = common.algebra.new_byte();
    let rows = std::array::from_fn(|i| 1 << i | random.byte() & ((1 << i) - 1));
    common.algebra.linear(rows, byte)
}

/// A table at `start` at these digits, the lowest of which is an index and the others are a part of the base.
fn look_up(
    common: &mut Common,
    start: u64,
    digits: &[Byte],
    table: &[u8],
    entry_bytes: usize,
) -> Result<Option<Vec<Byte>>, String> {
    let memory = &mut common.memory;
    memory.map(start, table.len());
    for (at, bytes) in table.chunks(1 << 12).enumerate() {
        let bytes: Vec<Byte> = bytes.iter().map(|&byte| Byte::from(byte)).collect();
        memory.store(start + ((at as u64) << 12), &bytes)?;
    }
    memory.protect(start, table.len() as u64, Some(Rights::Read))?;
    let scale = entry_bytes as u64;
    let base = base(common, start, &digits[1..], scale)?;
    let mut index = number_bytes(0);
    index[0] = digits[0];
    let numbers = [(base, 1), (index.to_vec(), scale)];
    Ok(common.in_chain(0, &numbers, entry_bytes))
}

/// As code computes it: of one digit by points, of two without carries.
fn base(common: &mut Common, start: u64, digits: &[Byte], scale: u64) -> Result<Vec<Byte>, String> {
    let algebra = &mut common.algebra;
    if let [digit] = digits {
        let at = |point: &[Byte]| number_bytes(start + (u64::from(point[0]) << 8) * scale).to_vec();
        return algebra.map_points(&[*digit], at).ok_or("no points".into());
    }
    let shift = scale.trailing_zeros() as usize;
    let mut base = number_bytes(start);
    let all = [0, digits[0], digits[1], 0];
    for i in 1..4 {
        base[i] = algebra.window(all[i - 1], all[i], 8 - shift);
    }
    Ok(base.to_vec())
}

/// All entries of a random chain, which takes the digits in a random order.
fn chain(random: &mut Random, n_digits: usize, entry_bytes: usize) -> Vec<u8> {
    let mut order: Vec<usize> = (0..n_digits).collect();
    shuffle(random, &mut order);
    let inner: Vec<Vec<usize>> = (1..n_digits).map(|_| permutation(random)).collect();
    let last = permutation(random);
    let mut table = Vec::new();
    for all in 0..1_usize << (8 * n_digits) {
        let digit = |which: usize| all >> (8 * order[which]) & 0xFF;
        let reached = (0..n_digits - 1).fold(0, |value, i| inner[i][value ^ digit(i)]);
        let value = last[reached ^ digit(n_digits - 1)];
        table.extend((0..entry_bytes).map(|i| (value ^ (i * i)).to_le_bytes()[0]));
    }
    table
}

fn permutation(random: &mut Random) -> Vec<usize> {
    let mut values: Vec<usize> = (0..256).collect();
    shuffle(random, &mut values);
    values
}

fn shuffle(random: &mut Random, values: &mut [usize]) {
    for i in 1..values.len() {
        values.swap(i, random.below(i as u64 + 1) as usize);
    }
}
