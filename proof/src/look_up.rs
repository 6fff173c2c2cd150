// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Reads memory at an address that depends on symbols.
//!
//! Where the address depends on at most eight forms, the bytes there are functions of these. Where it depends on more, as
//! the index of a table of 4,096 or 65,536 entries does, each bit of the entries is a polynomial in these forms. It is a
//! sum of polynomials that have no form in common; where each of them has at most eight forms, it is a look-up in a
//! small table. So a table of A(high) XOR B(low) becomes two look-ups. The sum is exact for any table, since a function
//! has one polynomial; a table without such a sum is an error.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, Bit, Byte, LookUp, Op, Table, UNKNOWN};
use crate::machine::{Common, Result};
use crate::memory::Memory;

/// Tables have up to 2^16 entries.
const MAX_FORMS: usize = 16;
const MAX_FORMS_OF_PART: u32 = 8;

/// A byte of the entries as a sum.
pub struct SumOfTables {
    constant: Byte,
    /// Each table is indexed by some forms of the index, a set of their numbers.
    tables: Vec<(usize, Table)>,
}

/// The sums that are known so far, by the bytes of all entries.
pub type Memo = FxHashMap<Vec<Byte>, SumOfTables>;

/// The n bytes at the address that `address` makes of the values of some bytes.
pub fn load(
    common: &mut Common,
    parts: &[Byte],
    n: usize,
    address: impl Fn(&[Byte]) -> Result<u64>,
) -> Result<Vec<Byte>> {
    if let Some(loaded) = load_by_points(common, parts, n, &address)? {
        return Ok(loaded);
    }
    let Common {
        memory,
        algebra,
        sums_of_tables,
        ..
    } = common;
    let index = Index::of(algebra, parts)?;
    let mut loaded = Vec::with_capacity(n);
    for entries in index.entries(memory, n, address)? {
        if !sums_of_tables.contains_key(&entries) {
            let sum = sum_of_tables(algebra, &entries)?;
            sums_of_tables.insert(entries.clone(), sum);
        }
        loaded.push(index.look_up(algebra, &sums_of_tables[&entries]));
    }
    Ok(loaded)
}

/// `None`: the address depends on more than eight forms.
pub fn load_by_points(
    common: &mut Common,
    parts: &[Byte],
    n: usize,
    address: impl Fn(&[Byte]) -> Result<u64>,
) -> Result<Option<Vec<Byte>>> {
    let Common {
        memory, algebra, ..
    } = common;
    let mut error = None;
    let loaded = algebra.map_points(parts, |values| {
        let bytes =
            address(values).and_then(|address| memory.load(address, n).map(<[Byte]>::to_vec));
        bytes.unwrap_or_else(|outside| {
            error = Some(outside);
            vec![UNKNOWN; n]
        })
    });
    error.map_or(Ok(loaded), Err)
}

/// The bytes that an address depends on.
struct Index {
    forms: Vec<Bit>,
    /// The bytes where all forms are 0.
    constant: Vec<Byte>,
    /// For each form which bits of which bytes it changes.
    changes: Vec<Vec<(usize, Byte)>>,
}

impl Index {
    fn of(algebra: &mut Algebra, parts: &[Byte]) -> Result<Self> {
        if parts.contains(&UNKNOWN) {
            return Err("the address depends on something unknown".into());
        }
        let mut index = Self {
            forms: Vec::new(),
            constant: vec![0; parts.len()],
            changes: Vec::new(),
        };
        for (at, &byte) in parts.iter().enumerate() {
            for (i, bit) in algebra.bits(byte).into_iter().enumerate() {
                index.add(algebra, at, i, bit);
            }
        }
        match index.forms.len() {
            ..=MAX_FORMS => Ok(index),
            n => Err(format!("the address depends on {n} bits")),
        }
    }

    /// Adds bit i of the byte at a place: a form, perhaps with 1.
    fn add(&mut self, algebra: &mut Algebra, at: usize, i: usize, bit: Bit) {
        let one = algebra.atoms(bit).first() == Some(&Algebra::ONE);
        self.constant[at] |= Byte::from(one) << i;
        let form = algebra.xor_bits(bit, Bit::from(one));
        if form == 0 {
            return;
        }
        match self.forms.iter().position(|other| *other == form) {
            Some(known) => self.changes[known].push((at, 1 << i)),
            None => {
                self.forms.push(form);
                self.changes.push(vec![(at, 1 << i)]);
            }
        }
    }

    /// The n bytes at the address for each value of the forms, those of the same number together.
    fn entries(
        &self,
        memory: &mut Memory,
        n: usize,
        address: impl Fn(&[Byte]) -> Result<u64>,
    ) -> Result<Vec<Vec<Byte>>> {
        let n_points = 1 << self.forms.len();
        let mut columns = vec![vec![UNKNOWN; n_points]; n];
        let (mut point, mut values) = (0, self.constant.clone());
        for next in 1..=n_points {
            let bytes = memory.load(address(&values)?, n)?;
            for (column, &byte) in columns.iter_mut().zip(bytes) {
                column[point] = byte;
            }
            // The points come in an order in which one form changes at a time.
            let form = next.trailing_zeros() as usize;
            if next < n_points {
                point ^= 1 << form;
                let changes = &self.changes[form];
                changes.iter().for_each(|&(at, bit)| values[at] ^= bit);
            }
        }
        Ok(columns)
    }

    fn look_up(&self, algebra: &mut Algebra, sum: &SumOfTables) -> Byte {
        sum.tables
            .iter()
            .fold(sum.constant, |total, &(set, table)| {
                let mut forms = elements(set).map(|i| self.forms[i]);
                let index = algebra.byte(std::array::from_fn(|_| forms.next().unwrap_or(0)));
                let part = algebra.look_up(table, LookUp::Low, index);
                algebra.op(Op::Xor, total, part)
            })
    }
}

fn elements(set: usize) -> impl Iterator<Item = usize> {
    (0..MAX_FORMS).filter(move |i| set >> i & 1 == 1)
}

/// The subset of a set that has those of its elements that a number has bits.
fn subset(set: usize, number: usize) -> usize {
    elements(set)
        .enumerate()
        .map(|(i, element)| (number >> i & 1) << element)
        .sum()
}

fn sum_of_tables(algebra: &mut Algebra, entries: &[Byte]) -> Result<SumOfTables> {
    if entries.contains(&UNKNOWN) {
        return Err("an entry of a table is unknown".into());
    }
    let mut coefficients: Vec<Byte> = entries.iter().map(|&byte| algebra.settle(byte)).collect();
    transform(algebra, &mut coefficients);
    let tables = parts(algebra, &coefficients)
        .into_iter()
        .map(|(set, bits)| Ok((set, part_of(algebra, &coefficients, set, bits)?)))
        .collect::<Result<_>>()?;
    Ok(SumOfTables {
        constant: coefficients[0],
        tables,
    })
}

/// Makes the coefficients of polynomials, by the sets of variables that they are of, of the values at all points; and
/// the values of the coefficients.
fn transform(algebra: &mut Algebra, values: &mut [Byte]) {
    let mut variable = 1;
    while variable < values.len() {
        for point in (0..values.len()).filter(|point| point & variable != 0) {
            values[point] = algebra.op(Op::Xor, values[point], values[point ^ variable]);
        }
        variable *= 2;
    }
}

/// Sets of variables without one in common, such that each monomial of a bit lies in one; with each the bits that
/// have it.
fn parts(algebra: &mut Algebra, coefficients: &[Byte]) -> BTreeMap<usize, Byte> {
    let mut of_bits: [Vec<usize>; 8] = std::array::from_fn(|_| Vec::new());
    for (monomial, &coefficient) in coefficients.iter().enumerate().skip(1) {
        if coefficient != 0 {
            let bits = algebra.bits(coefficient);
            let of_its_bits = of_bits.iter_mut().zip(bits).filter(|(_, bit)| *bit != 0);
            of_its_bits.for_each(|(sets, _)| include(sets, monomial));
        }
    }
    let mut parts = BTreeMap::new();
    for (i, sets) in of_bits.into_iter().enumerate() {
        for set in sets {
            *parts.entry(set).or_default() |= 1 << i;
        }
    }
    parts
}

/// Joins all sets that have a variable in common with this one.
fn include(sets: &mut Vec<usize>, monomial: usize) {
    if sets.iter().any(|set| set & monomial == monomial) {
        return;
    }
    let (apart, joined): (Vec<usize>, Vec<usize>) =
        sets.iter().partition(|&&set| set & monomial == 0);
    *sets = apart;
    sets.push(joined.into_iter().fold(monomial, |all, set| all | set));
}

/// The values of the monomials in these variables, of some bits.
fn part_of(algebra: &mut Algebra, coefficients: &[Byte], set: usize, bits: Byte) -> Result<Table> {
    if set.count_ones() > MAX_FORMS_OF_PART {
        return Err(format!(
            "a table indexed by {} bits is no sum of smaller ones",
            set.count_ones()
        ));
    }
    let mut values: Vec<Byte> = (0..1 << set.count_ones())
        .map(|number| algebra.op(Op::And, coefficients[subset(set, number)], bits))
        .collect();
    values[0] = 0;
    transform(algebra, &mut values);
    Ok(algebra.table(&values))
}
