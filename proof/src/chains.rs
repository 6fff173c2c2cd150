// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Look-ups at an address that depends on more than eight forms, in tables that are chains of look-ups in small tables.
//!
//! The address must be a sum of parts, of which each is a function of a *digit* of at most eight forms. A chain takes
//! the digits in some order: its value is f_n(... f_1(f_0(d_0) ^ d_1) ... ^ d_n). Each f is computed from a few
//! entries of the table. Then all entries are compared with the chain, so the look-up may be replaced by it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, Bit, Byte, LookUp, Op, UNKNOWN};
use crate::machine::number;
use crate::memory::{Memory, Sealed};

const DIGIT_BITS: usize = 8;

/// A part of an address: a sum's value at each value of the digit.
struct Part {
    digit: Byte,
    values: Vec<u64>,
}

/// The addresses of a look-up, whatever the digits are, and what it reads.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pattern {
    version: u64,
    at: u64,
    values: Vec<Vec<u64>>,
    entry_bytes: usize,
}

struct Chain {
    /// The digits in the order in which the chain takes them.
    order: Vec<usize>,
    /// f_0 to f_(n-1), from bytes to bytes.
    inner: Vec<Vec<u8>>,
    /// f_n, from bytes to entries.
    last: Vec<Vec<u8>>,
}

/// The chains that were found, `None` where there is none.
#[derive(Default)]
pub struct Chains(FxHashMap<Pattern, Option<Rc<Chain>>>);

impl Chains {
    /// The `n` bytes at an address: a displacement and numbers, each with a factor. `None`: no chain is known to be there.
    pub fn look_up(
        &mut self,
        algebra: &mut Algebra,
        memory: &mut Memory,
        displacement: u64,
        numbers: &[(Vec<Byte>, u64)],
        n: usize,
    ) -> Option<Vec<Byte>> {
        let address = Address::new(algebra, displacement, numbers)?;
        self.load(algebra, memory, &address, n)
    }

    /// As one entry or, if the bytes are several ones, as those.
    fn load(
        &mut self,
        algebra: &mut Algebra,
        memory: &mut Memory,
        address: &Address,
        n: usize,
    ) -> Option<Vec<Byte>> {
        if let Some(bytes) = self.entry(algebra, memory, address, n) {
            return Some(bytes);
        }
        let half = n / 2;
        if half == 0 {
            return None;
        }
        let mut bytes = self.load(algebra, memory, address, half)?;
        let rest = address.plus(half as u64);
        bytes.extend(self.load(algebra, memory, &rest, n - half)?);
        Some(bytes)
    }

    fn entry(
        &mut self,
        algebra: &mut Algebra,
        memory: &mut Memory,
        address: &Address,
        n: usize,
    ) -> Option<Vec<Byte>> {
        let table = memory.sealed(address.at)?;
        let pattern = Pattern {
            version: table.version,
            at: address.at,
            values: address.values.clone(),
            entry_bytes: n,
        };
        let chain = self.0.entry(pattern).or_insert_with_key(|pattern| {
            let found = find(&table, pattern);
            found.map(Rc::new)
        });
        Some(chain.as_ref()?.value(algebra, &address.digits))
    }
}

/// A constant, and a value for each digit, of which none is negative.
struct Address {
    at: u64,
    digits: Vec<Byte>,
    values: Vec<Vec<u64>>,
}

impl Address {
    fn new(algebra: &mut Algebra, displacement: u64, numbers: &[(Vec<Byte>, u64)]) -> Option<Self> {
        let mut address = Self {
            at: displacement,
            digits: Vec::new(),
            values: Vec::new(),
        };
        for (number, factor) in numbers {
            for part in parts(algebra, number)? {
                let (least, above) = from_least(&part.values, *factor);
                address.at = address.at.wrapping_add(least);
                if above.len() > 1 {
                    address.digits.push(part.digit);
                    address.values.push(above);
                }
            }
        }
        Some(address)
    }

    fn plus(&self, n: u64) -> Self {
        Self {
            at: self.at.wrapping_add(n),
            digits: self.digits.clone(),
            values: self.values.clone(),
        }
    }
}

/// A number as a sum.
fn parts(algebra: &mut Algebra, bytes: &[Byte]) -> Option<Vec<Part>> {
    if bytes.contains(&UNKNOWN) {
        return None;
    }
    if let Some((forms, points)) = algebra.coordinates(bytes) {
        let values = points
            .iter()
            .map(|at| number(at).expect("constant"))
            .collect();
        return Some(vec![Part {
            digit: byte_of(algebra, &forms),
            values,
        }]);
    }
    let bits: Vec<Bit> = bytes.iter().flat_map(|&byte| algebra.bits(byte)).collect();
    Some(digits_of(algebra, &bits))
}

/// The bits as digits of eight neighbouring ones, from the first one on that is no constant.
fn digits_of(algebra: &mut Algebra, bits: &[Bit]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut place = 0;
    while place < bits.len() {
        let n = if bits[place] > 1 { DIGIT_BITS } else { 1 };
        let digit = &bits[place..bits.len().min(place + n)];
        let value = |digit: u64| digit << place;
        let values = if n == 1 {
            vec![value(u64::from(bits[place]))]
        } else {
            (0..1 << digit.len()).map(value).collect()
        };
        parts.push(Part {
            digit: byte_of(algebra, digit),
            values,
        });
        place += n;
    }
    parts
}

fn byte_of(algebra: &mut Algebra, bits: &[Bit]) -> Byte {
    algebra.byte(std::array::from_fn(|i| bits.get(i).copied().unwrap_or(0)))
}

/// The least of these values times the factor, as signed numbers, and how far each is above it.
fn from_least(values: &[u64], factor: u64) -> (u64, Vec<u64>) {
    let values: Vec<u64> = values
        .iter()
        .map(|value| value.wrapping_mul(factor))
        .collect();
    let least = values.iter().map(|value| value.cast_signed()).min();
    let least = least.expect("at least one point").cast_unsigned();
    let above = values.iter().map(|value| value.wrapping_sub(least));
    (least, above.collect())
}

/// The first chain, of all orders of the digits, that the table is.
fn find(table: &Sealed, pattern: &Pattern) -> Option<Chain> {
    let first = pattern.at.checked_sub(table.start)?;
    let greatest = |values: &Vec<u64>| values.iter().copied().max();
    let end = pattern
        .values
        .iter()
        .try_fold(first, |end, values| end.checked_add(greatest(values)?))?
        .checked_add(pattern.entry_bytes as u64)?;
    let [first, end] = [first, end].map(|at| usize::try_from(at).expect("64 bits"));
    let bytes = table.bytes.get(first..end)?;
    let values: Vec<Vec<usize>> = pattern
        .values
        .iter()
        .map(|values| values.iter().map(|&value| value as usize).collect())
        .collect();
    let entry = |digits: &[usize]| {
        let at: usize = values
            .iter()
            .zip(digits)
            .map(|(values, &digit)| values[digit])
            .sum();
        &bytes[at..at + pattern.entry_bytes]
    };
    let sizes: Vec<usize> = values.iter().map(Vec::len).collect();
    orders(sizes.len())
        .into_iter()
        .find_map(|order| chain(&entry, &sizes, order))
}

/// All orders of n things.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let longer = |order: Vec<usize>| {
        (0..n).map(move |at| {
            let mut order = order.clone();
            order.insert(at, n - 1);
            order
        })
    };
    orders(n - 1).into_iter().flat_map(longer).collect()
}

/// The chain that takes the digits in this order, if the table is one.
fn chain<'a>(
    entry: &impl Fn(&[usize]) -> &'a [u8],
    sizes: &[usize],
    order: Vec<usize>,
) -> Option<Chain> {
    // Let each f_i but the last one map 0 to 0. Then, with zeros elsewhere, a value of digit i + 1 has the effect that
    // f_i of a value of digit i has.
    let alone = |&which: &usize| -> Vec<&[u8]> {
        let mut digits = vec![0; sizes.len()];
        let mut entry_of = |value| {
            digits[which] = value;
            entry(&digits)
        };
        (0..sizes[which]).map(&mut entry_of).collect()
    };
    let alone: Vec<_> = order.iter().map(alone).collect();
    let inner: Option<Vec<_>> = alone
        .windows(2)
        .map(|pair| places(&pair[0], &pair[1]))
        .collect();
    let chain = Chain {
        order,
        inner: inner?,
        last: alone.last()?.iter().map(|entry| entry.to_vec()).collect(),
    };
    chain.is(entry, sizes).then_some(chain)
}

/// Where each of these entries stands among others.
fn places(entries: &[&[u8]], others: &[&[u8]]) -> Option<Vec<u8>> {
    let place_of: FxHashMap<&[u8], u8> = others.iter().copied().zip(0..=255).collect();
    entries
        .iter()
        .map(|entry| place_of.get(entry).copied())
        .collect()
}

impl Chain {
    /// Whether each entry of a table is what the chain makes of its digits.
    fn is<'a>(&self, entry: &impl Fn(&[usize]) -> &'a [u8], sizes: &[usize]) -> bool {
        let mut digits = vec![0; sizes.len()];
        (0..sizes.iter().product()).all(|mut all| {
            for (digit, size) in digits.iter_mut().zip(sizes) {
                *digit = all % size;
                all /= size;
            }
            entry(&digits) == self.entry(&digits)
        })
    }

    fn entry(&self, digits: &[usize]) -> &[u8] {
        let value = self
            .inner
            .iter()
            .zip(&self.order)
            .fold(0, |value, (f, &which)| {
                usize::from(f[value ^ digits[which]])
            });
        &self.last[value ^ digits[self.order[self.inner.len()]]]
    }

    /// The same of symbols.
    fn value(&self, algebra: &mut Algebra, digits: &[Byte]) -> Vec<Byte> {
        let mut value = 0;
        for (f, &which) in self.inner.iter().zip(&self.order) {
            let index = algebra.op(Op::Xor, value, digits[which]);
            value = look_up(algebra, f.iter().copied(), index);
        }
        let index = algebra.op(Op::Xor, value, digits[self.order[self.inner.len()]]);
        (0..self.last[0].len())
            .map(|i| look_up(algebra, self.last.iter().map(|entry| entry[i]), index))
            .collect()
    }
}

fn look_up(algebra: &mut Algebra, values: impl Iterator<Item = u8>, index: Byte) -> Byte {
    let values: Vec<Byte> = values.map(Byte::from).collect();
    let table = algebra.table(&values);
    algebra.look_up(table, LookUp::Low, index)
}
