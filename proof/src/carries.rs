// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Addition bit by bit, with a form for each carry: for counters, of which few bits are symbols that meet a carry.

use crate::algebra::{Algebra, Bit, Byte};

/// a + b + carry in as many bytes as both have, and the carry out.
pub fn add(algebra: &mut Algebra, a: &[Byte], b: &[Byte], mut carry: Bit) -> (Vec<Byte>, Bit) {
    let mut sum = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let (a, b) = (algebra.bits(a), algebra.bits(b));
        let bits = std::array::from_fn(|i| {
            let without = algebra.xor_bits(a[i], b[i]);
            let bit = algebra.xor_bits(without, carry);
            carry = majority(algebra, [a[i], b[i], carry]);
            bit
        });
        sum.push(algebra.byte(bits));
    }
    (sum, carry)
}

/// a - b - borrow, and the borrow out: a + !b + !borrow has the opposite carry.
pub fn subtract(algebra: &mut Algebra, a: &[Byte], b: &[Byte], borrow: Bit) -> (Vec<Byte>, Bit) {
    let not_b: Vec<Byte> = b
        .iter()
        .map(|&byte| {
            let bits = algebra.bits(byte).map(|bit| algebra.xor_bits(bit, 1));
            algebra.byte(bits)
        })
        .collect();
    let carry = algebra.xor_bits(borrow, 1);
    let (difference, carry) = add(algebra, a, &not_b, carry);
    (difference, algebra.xor_bits(carry, 1))
}

/// The bit that two of three have.
fn majority(algebra: &mut Algebra, bits: [Bit; 3]) -> Bit {
    match bits {
        [a, b, _] if a == b => a,
        [a, _, c] if a == c => a,
        [_, b, c] if b == c => b,
        _ => {
            let bytes = bits.map(|bit| algebra.byte([bit, 0, 0, 0, 0, 0, 0, 0]));
            let is_most = |at: &[Byte]| vec![Byte::from(at.iter().sum::<Byte>() >= 2)];
            let bytes = algebra.map_points(&bytes, is_most);
            algebra.bits(bytes.expect("three forms")[0])[0]
        }
    }
}
