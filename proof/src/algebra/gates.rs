// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Gates on single bits, for bit slices: there each bit of a byte belongs to another block, so a byte as a whole
//! depends on too much.
//!
//! A bit is a form and, perhaps, a *gate*: a function of at most eight forms, of which everything affine is part of the
//! form. A function does not change with the form whose direction has no influence on it, except for a constant:
//! such forms leave the basis. So the form and the gate of a bit are unique, however gates were composed.
//!
//! Where more than eight forms meet, the gates become atoms first ([`Algebra::settle`]). In circuits of S-boxes that
//! happens between two of them, since all inside depends on the same eight bits. Adders are different: their carries
//! depend on more and more. [`Algebra::know_carries`] says which atoms they are.

use super::{Algebra, Basis, Bit, Byte, FxHashMap, Lists, MAX_RANK, Op, Part, Rc, Shape, Store};
use crate::sums::Word;

/// The values at 256 points.
type Truth = [u64; 4];

/// Forms as sums of those of another basis.
type Places = [u16; MAX_RANK];

/// The number of a gate in [`Gates::all`]; 0: there is none.
type Gate = u32;

/// The sum of a form and a gate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Value {
    form: Bit,
    gate: Gate,
}

/// A function over r forms as an affine one and one of fewer forms, the sums of these that `masks` has.
struct Reduced {
    affine: u16,
    one: bool,
    masks: Vec<u16>,
    truth: Truth,
}

impl Value {
    pub(super) fn numbers(self) -> [u32; 2] {
        [self.form, self.gate]
    }

    pub(super) fn of_numbers(form: Bit, gate: Gate) -> Self {
        Self { form, gate }
    }
}

pub(super) struct Gates {
    all: Store<(Basis, Truth)>,
    /// Forms that gates are known to be.
    meaning: FxHashMap<Gate, Bit>,
    /// Atoms that gates became where too many forms met. Elsewhere they stay gates.
    settled: FxHashMap<Gate, Bit>,
    and: FxHashMap<(Value, Value), Value>,
    ternary: FxHashMap<(u8, [Value; 3]), Value>,
    /// By the number of forms and the values; their numbers are those of `reduced`.
    reduced_by: FxHashMap<(usize, Truth), u32>,
    reduced: Vec<Rc<Reduced>>,
    /// Functions that are reduced so, over a basis.
    made: FxHashMap<(Basis, u32), Value>,
    places: FxHashMap<(Basis, Basis), Option<Places>>,
    /// The bases and forms of values that met, and for each the basis of all of them.
    met: Lists,
    bases: Vec<Option<Basis>>,
    bytes: FxHashMap<(Op, Byte, Byte), Byte>,
    ternary_bytes: FxHashMap<(u8, [Byte; 3]), Byte>,
}

impl Gates {
    pub(super) fn new() -> Self {
        let mut all = Store::new();
        all.add((Basis(u32::MAX), [0; 4])); // the number 0
        Self {
            all,
            meaning: FxHashMap::default(),
            settled: FxHashMap::default(),
            and: FxHashMap::default(),
            ternary: FxHashMap::default(),
            reduced_by: FxHashMap::default(),
            reduced: Vec::new(),
            made: FxHashMap::default(),
            places: FxHashMap::default(),
            met: Lists::new(),
            bases: Vec::new(),
            bytes: FxHashMap::default(),
            ternary_bytes: FxHashMap::default(),
        }
    }
}

const fn form(form: Bit) -> Value {
    Value { form, gate: 0 }
}

/// The coordinates of the points.
const COORDINATES: [Truth; MAX_RANK] = [
    [0xAAAA_AAAA_AAAA_AAAA; 4],
    [0xCCCC_CCCC_CCCC_CCCC; 4],
    [0xF0F0_F0F0_F0F0_F0F0; 4],
    [0xFF00_FF00_FF00_FF00; 4],
    [0xFFFF_0000_FFFF_0000; 4],
    [0xFFFF_FFFF_0000_0000; 4],
    [0, u64::MAX, 0, u64::MAX],
    [0, 0, u64::MAX, u64::MAX],
];

fn pointwise<const N: usize>(inputs: [Truth; N], f: impl Fn([u64; N]) -> u64) -> Truth {
    std::array::from_fn(|i| f(inputs.map(|input| input[i])))
}

fn add(a: Truth, b: Truth) -> Truth {
    pointwise([a, b], |[a, b]| a ^ b)
}

/// The affine function that adds these coordinates, and 1.
fn affine(mask: u16, one: bool) -> Truth {
    let start = if one { [u64::MAX; 4] } else { [0; 4] };
    (0..MAX_RANK)
        .filter(|i| mask >> i & 1 == 1)
        .fold(start, |sum, i| add(sum, COORDINATES[i]))
}

fn at(truth: &Truth, y: usize) -> bool {
    truth[y / 64] >> (y % 64) & 1 == 1
}

/// A function of the lowest `rank` bits of a point.
fn truth_of(rank: usize, f: impl Fn(usize) -> bool) -> Truth {
    let mut truth = [0; 4];
    for y in (0..1 << rank).filter(|&y| f(y)) {
        truth[y / 64] |= 1 << (y % 64);
    }
    repeated(rank, truth)
}

/// The values of the lowest points at all points.
fn repeated(rank: usize, mut truth: Truth) -> Truth {
    for i in rank..6 {
        truth[0] |= truth[0] << (1 << i);
    }
    let words = (1 << rank.max(6)) / 64;
    std::array::from_fn(|i| truth[i % words])
}

/// The function of points whose coordinates are sums of those of other points, of `rank` bits.
fn composed(rank: usize, truth: &Truth, places: &Places) -> Truth {
    let column = |i: usize| {
        let bits = places.iter().enumerate();
        bits.fold(0, |column, (bit, place)| {
            column | usize::from(place >> i & 1) << bit
        })
    };
    let columns: [usize; MAX_RANK] = std::array::from_fn(column);
    // The points come in an order in which one coordinate changes at a time.
    let (mut y, mut point, mut composed) = (0, 0, [0; 4]);
    for next in 1..=1_usize << rank {
        if at(truth, point) {
            composed[y / 64] |= 1 << (y % 64);
        }
        let i = next.trailing_zeros() as usize;
        y ^= 1 << i;
        point ^= columns.get(i).copied().unwrap_or(0);
    }
    repeated(rank, composed)
}

/// The function at points moved by a direction.
fn moved(truth: &Truth, by: usize) -> Truth {
    let mut moved = *truth;
    for (i, shift) in [1, 2, 4, 8, 16, 32].into_iter().enumerate() {
        if by >> i & 1 == 1 {
            let high = COORDINATES[i][0];
            moved = moved.map(|word| (word & high) >> shift | (word & !high) << shift);
        }
    }
    std::array::from_fn(|i| moved[i ^ by >> 6])
}

/// The affine part by its values at 0 and at the unit points.
fn without_affine(rank: usize, truth: &Truth) -> (u16, bool, Truth) {
    let one = at(truth, 0);
    let mask = (0..rank)
        .filter(|i| at(truth, 1 << i) != one)
        .fold(0, |mask, i| mask | 1 << i);
    (mask, one, add(*truth, affine(mask, one)))
}

/// An echelon of the directions that change a function by a constant, each with its pivot and that constant.
fn linear_structures(rank: usize, truth: &Truth) -> Vec<(usize, usize, bool)> {
    let mut rows: Vec<(usize, usize, bool)> = Vec::new();
    for by in 1..1_usize << rank {
        let rest = rows.iter().fold(by, |rest, &(pivot, row, _)| {
            if rest >> pivot & 1 == 1 {
                rest ^ row
            } else {
                rest
            }
        });
        if rest == 0 {
            continue;
        }
        let change = add(*truth, moved(truth, rest));
        if change != [0; 4] && change != [u64::MAX; 4] {
            continue;
        }
        let (pivot, constant) = (rest.ilog2() as usize, change[0] != 0);
        for (_, row, other) in &mut rows {
            if *row >> pivot & 1 == 1 {
                *row ^= rest;
                *other ^= constant;
            }
        }
        rows.push((pivot, rest, constant));
    }
    rows
}

fn reduce(rank: usize, truth: &Truth) -> Reduced {
    let structures = linear_structures(rank, truth);
    let changed = structures
        .iter()
        .filter(|(_, _, change)| *change)
        .fold(0_u16, |mask, (pivot, _, _)| mask | 1 << pivot);
    let rest = add(*truth, affine(changed, false));
    let free: Vec<usize> = (0..rank)
        .filter(|i| structures.iter().all(|(pivot, _, _)| pivot != i))
        .collect();
    let mask_of = |i: usize| {
        structures
            .iter()
            .filter(|(_, row, _)| row >> i & 1 == 1)
            .fold(1 << i, |mask, (pivot, _, _)| mask | 1 << pivot)
    };
    let masks: Vec<u16> = free.iter().map(|&i| mask_of(i)).collect();
    let point = |y: usize| -> usize {
        (0..free.len())
            .filter(|j| y >> j & 1 == 1)
            .map(|j| 1 << free[j])
            .sum()
    };
    let fewer = truth_of(free.len(), |y| at(&rest, point(y)));
    let (mask, one, truth) = without_affine(free.len(), &fewer);
    let sum = (0..free.len())
        .filter(|j| mask >> j & 1 == 1)
        .fold(changed, |sum, j| sum ^ masks[j]);
    Reduced {
        affine: sum,
        one,
        masks,
        truth,
    }
}

impl Algebra {
    /// A gate and 1, or a bit of a function whose values are constants, or a form.
    fn value(&mut self, part: Part) -> Value {
        match part {
            Part::Form(bit) => form(bit),
            Part::Gate(value) => self.known(value),
            Part::Of { byte, bit } => match self.shape(byte) {
                Shape::Function(basis, table) if self.is_concrete(table) => {
                    let values = self.values(table);
                    let rank = self.forms_of(basis).len();
                    let truth = truth_of(rank, |y| values[y] >> bit & 1 == 1);
                    self.reduced(basis, &truth)
                }
                _ => form(self.bits(byte)[usize::from(bit)]),
            },
        }
    }

    /// A gate that is known to be a form becomes that.
    fn known(&mut self, value: Value) -> Value {
        match self.gates.meaning.get(&value.gate) {
            Some(&meaning) => form(self.xor_bits(value.form, meaning)),
            None => value,
        }
    }

    fn gate_at(&self, gate: Gate) -> (Basis, Truth) {
        self.gates.all[gate]
    }

    /// The one form that a bit becomes.
    pub(super) fn settle_value(&mut self, value: Value) -> Bit {
        let value = self.known(value);
        if value.gate == 0 {
            return value.form;
        }
        let settled = match self.gates.settled.get(&value.gate) {
            Some(&known) => known,
            None => self.settle_gate(value.gate),
        };
        self.xor_bits(value.form, settled)
    }

    fn settle_gate(&mut self, gate: Gate) -> Bit {
        let (basis, truth) = self.gate_at(gate);
        let table = self.table_of_truth(basis, &truth);
        let settled = self.settle_function(basis, table)[0];
        self.gates.settled.insert(gate, settled);
        settled
    }

    fn table_of_truth(&mut self, basis: Basis, truth: &Truth) -> super::Table {
        let points = 1 << self.forms_of(basis).len();
        let values: Vec<Byte> = (0..points).map(|y| Byte::from(at(truth, y))).collect();
        self.table(&values)
    }

    pub(super) fn table_of_value(&mut self, basis: Basis, value: Value) -> super::Table {
        let truth = self.truth(basis, value);
        self.table_of_truth(basis, &truth)
    }

    /// The forms that a bit is made of.
    pub(super) fn support_of_value(&self, value: Value, into: &mut Vec<Bit>) {
        if value.gate != 0 {
            super::add_new(into, self.forms_of(self.gate_at(value.gate).0));
        }
        super::add_new(into, &[value.form]);
    }

    /// The forms of a basis as sums of those of another; `None`: that does not have all of them.
    fn places(&mut self, own: Basis, basis: Basis) -> Option<Places> {
        if let Some(&known) = self.gates.places.get(&(own, basis)) {
            return known;
        }
        let places = self.places_of(self.forms_of(own), basis);
        self.gates.places.insert((own, basis), places);
        places
    }

    fn places_of(&self, forms: &[Bit], basis: Basis) -> Option<Places> {
        let mut places = [0; MAX_RANK];
        for (place, &form) in places.iter_mut().zip(forms) {
            *place = self.place(basis, form)?.0;
        }
        Some(places)
    }

    /// The value at each point of a basis that has all of it.
    fn truth(&mut self, basis: Basis, value: Value) -> Truth {
        let (mask, one) = self.place(basis, value.form).expect("the basis has it");
        let sum = affine(mask, one);
        if value.gate == 0 {
            return sum;
        }
        let (own, truth) = self.gate_at(value.gate);
        if own == basis {
            return add(sum, truth);
        }
        let places = self.places(own, basis).expect("the basis has it");
        let rank = self.forms_of(basis).len();
        add(sum, composed(rank, &truth, &places))
    }

    /// The bit with these values at the points of a basis.
    fn reduced(&mut self, basis: Basis, truth: &Truth) -> Value {
        let rank = self.forms_of(basis).len();
        let gates = &mut self.gates;
        let number = *gates.reduced_by.entry((rank, *truth)).or_insert_with(|| {
            gates.reduced.push(Rc::new(reduce(rank, truth)));
            u32::try_from(gates.reduced.len() - 1).expect("fewer than 2^32")
        });
        if let Some(&made) = gates.made.get(&(basis, number)) {
            return self.known(made);
        }
        let reduced = Rc::clone(&gates.reduced[number as usize]);
        let made = self.make_gate(basis, &reduced);
        self.gates.made.insert((basis, number), made);
        made
    }

    fn make_gate(&mut self, basis: Basis, reduced: &Reduced) -> Value {
        let sum = self.sum_of_forms(basis, reduced.affine) ^ Bit::from(reduced.one);
        if reduced.masks.is_empty() {
            return form(sum);
        }
        if reduced.masks.len() == self.forms_of(basis).len() {
            return self.with_gate(sum, basis, reduced.truth);
        }
        // The basis of the sums may consist of other sums.
        let forms = self.sums_of_forms(basis, &reduced.masks);
        let own = self.basis(&forms).expect("a part of a basis");
        let places = self.places_of(&forms, own).expect("its own");
        let truth = composed(forms.len(), &reduced.truth, &places);
        let (mask, one, truth) = without_affine(forms.len(), &truth);
        let part = self.sum_of_forms(own, mask) ^ Bit::from(one);
        let sum = self.xor_bits(sum, part);
        self.with_gate(sum, own, truth)
    }

    fn with_gate(&mut self, form: Bit, basis: Basis, truth: Truth) -> Value {
        let gate = self.gates.all.add((basis, truth));
        self.known(Value { form, gate })
    }

    // --- operations on bits ----------------------------------------------------------------------------------------

    /// The values, some settled if they depend on more than eight forms together; and a basis of them. A gate whose forms
    /// were there earlier is settled first: it is an input of the circuit to which the others belong.
    fn together<const N: usize>(&mut self, mut values: [Value; N]) -> ([Value; N], Basis) {
        loop {
            match self.basis_of_values(&values) {
                Some(basis) => return (values, basis),
                None => values = self.settle_first(values),
            }
        }
    }

    /// `None`: they depend on more forms than an S-box has inputs.
    fn basis_of_values<const N: usize>(&mut self, values: &[Value; N]) -> Option<Basis> {
        let mut key = [0; 6];
        for (pair, value) in key.chunks_exact_mut(2).zip(values) {
            let gate = (value.gate != 0).then(|| self.gate_at(value.gate).0.0 + 1);
            pair.copy_from_slice(&[gate.unwrap_or(0), value.form & !1]);
        }
        let number = self.gates.met.add(&key[..2 * N]) as usize;
        if let Some(&known) = self.gates.bases.get(number) {
            return known;
        }
        let basis = self.find_basis_of_values(values);
        self.gates.bases.push(basis);
        basis
    }

    fn find_basis_of_values(&mut self, values: &[Value]) -> Option<Basis> {
        let rank = |basis: Basis| self.forms_of(basis).len();
        let gates = values.iter().filter(|value| value.gate != 0);
        let largest = gates
            .map(|value| self.gate_at(value.gate).0)
            .max_by_key(|&basis| rank(basis));
        if let Some(basis) = largest
            && values.iter().all(|&value| self.lies_in(basis, value))
        {
            return (self.forms_of(basis).len() <= self.gate_forms).then_some(basis);
        }
        let mut bits = Vec::with_capacity(2 * MAX_RANK);
        for &value in values {
            self.support_of_value(value, &mut bits);
        }
        let basis = self.find_basis(&bits)?;
        (self.forms_of(basis).len() <= self.gate_forms).then_some(basis)
    }

    fn lies_in(&mut self, basis: Basis, value: Value) -> bool {
        let own = (value.gate != 0).then(|| self.gate_at(value.gate).0);
        let has = |own| own == basis || self.places(own, basis).is_some();
        own.is_none_or(has) && self.place(basis, value.form).is_some()
    }

    /// Of gates of the same depth the one that was made first is an input of the other's circuit: so it is where
    /// Triple-DES swaps halves.
    fn settle_first<const N: usize>(&mut self, values: [Value; N]) -> [Value; N] {
        let order = |value: &Value| (self.depth_of_value(*value), value.gate);
        let gates = values.iter().filter(|value| value.gate != 0);
        let first = gates
            .min_by_key(|value| order(value))
            .map(|value| value.gate);
        values.map(|value| {
            if Some(value.gate) == first {
                form(self.settle_value(value))
            } else {
                value
            }
        })
    }

    /// `None`: there is no gate.
    fn depth_of_value(&self, value: Value) -> Option<u32> {
        (value.gate != 0).then(|| self.spans[self.gate_at(value.gate).0.0 as usize].depth)
    }

    fn and_values(&mut self, a: Value, b: Value) -> Value {
        match (a, b) {
            _ if a == form(0) || b == form(0) => return form(0),
            _ if a == form(1) || a == b => return b,
            _ if b == form(1) => return a,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.gates.and.get(&key) {
            return self.known(known);
        }
        let ([a, b], basis) = self.together([a, b]);
        let truth = pointwise([self.truth(basis, a), self.truth(basis, b)], |[a, b]| a & b);
        let value = self.reduced(basis, &truth);
        self.gates.and.insert(key, value);
        value
    }

    fn xor_values(&mut self, a: Value, b: Value) -> Value {
        if a.gate == 0 || b.gate == 0 || a.gate == b.gate {
            let gate = if a.gate == b.gate { 0 } else { a.gate | b.gate };
            let form = self.xor_bits(a.form, b.form);
            return Value { form, gate };
        }
        let [c, d] = [a, b].map(|value| Value { form: 0, ..value });
        let Some(basis) = self.basis_of_values(&[c, d]) else {
            let [a, b] = self.settle_first([a, b]);
            return self.xor_values(a, b);
        };
        let truth = pointwise([self.truth(basis, c), self.truth(basis, d)], |[c, d]| c ^ d);
        let gates = self.reduced(basis, &truth);
        let form = self.xor_bits(a.form, b.form);
        let form = self.xor_bits(form, gates.form);
        Value { form, ..gates }
    }

    fn not_value(&mut self, a: Value) -> Value {
        let form = a.form ^ 1;
        Value { form, ..a }
    }

    /// Any function of three bits: bit 4a + 2b + c of the code.
    fn ternary_values(&mut self, code: u8, values: [Value; 3]) -> Value {
        // An input that is only added, or of no influence, must not meet the others in a table.
        for (i, shift) in [(0, 4), (1, 2), (2, 1)] {
            let low = !(COORDINATES[2 - i][0].to_le_bytes()[0]);
            let influence = (code >> shift ^ code) & low;
            let mut others = values;
            others[i] = form(0);
            if influence == low {
                let rest = self.ternary_values(code & low | (code & low) << shift, others);
                return self.xor_values(values[i], rest);
            }
            if influence == 0 && values != others {
                return self.ternary_values(code, others);
            }
        }
        if let Some(&known) = self.gates.ternary.get(&(code, values)) {
            return self.known(known);
        }
        let (settled, basis) = self.together(values);
        let truths = settled.map(|value| self.truth(basis, value));
        let truth = pointwise(truths, |[a, b, c]| {
            (0..8)
                .filter(|i| code >> i & 1 == 1)
                .map(|i| {
                    let is = |word: u64, bit: u8| if i & bit != 0 { word } else { !word };
                    is(a, 4) & is(b, 2) & is(c, 1)
                })
                .fold(0, |or, word| or | word)
        });
        let value = self.reduced(basis, &truth);
        self.gates.ternary.insert((code, values), value);
        value
    }

    // --- operations on bytes ---------------------------------------------------------------------------------------

    /// XOR, AND or OR, bit by bit.
    pub(super) fn bitwise(&mut self, op: Op, a: Byte, b: Byte) -> Byte {
        let key = (op, a.min(b), a.max(b));
        if let Some(&known) = self.gates.bytes.get(&key) {
            return known;
        }
        let (x, y) = (self.parts(a), self.parts(b));
        let parts = std::array::from_fn(|i| {
            let (x, y) = (self.value(x[i]), self.value(y[i]));
            let value = match op {
                Op::Xor => self.xor_values(x, y),
                Op::And => self.and_values(x, y),
                _ => {
                    let (x, y) = (self.not_value(x), self.not_value(y));
                    let neither = self.and_values(x, y);
                    self.not_value(neither)
                }
            };
            part(value)
        });
        let byte = self.byte_of_bits(parts);
        self.gates.bytes.insert(key, byte);
        byte
    }

    /// Any function of three bits, in each bit of a byte: bit 4a + 2b + c of the code.
    pub fn ternary(&mut self, code: u8, bytes: [Byte; 3]) -> Byte {
        if bytes.contains(&super::UNKNOWN) {
            return super::UNKNOWN;
        }
        if let Some(&known) = self.gates.ternary_bytes.get(&(code, bytes)) {
            return known;
        }
        let parts = bytes.map(|byte| self.parts(byte));
        let bits = std::array::from_fn(|i| {
            let values = [0, 1, 2].map(|which| self.value(parts[which][i]));
            part(self.ternary_values(code, values))
        });
        let byte = self.byte_of_bits(bits);
        self.gates.ternary_bytes.insert((code, bytes), byte);
        byte
    }

    fn byte_of_bits(&mut self, parts: [Part; 8]) -> Byte {
        if parts.iter().all(|part| matches!(part, Part::Form(_))) {
            return self.byte(parts.map(|part| match part {
                Part::Form(bit) => bit,
                _ => unreachable!("all are forms"),
            }));
        }
        self.byte_of(&Shape::Mixed(parts))
    }

    // --- adders ----------------------------------------------------------------------------------------------------

    /// Says which forms the carries of a + b = sum are. A carry is the majority of two bits and the carry before it, and
    /// known from the sum: so an adder made of gates computes forms, whatever its gates are.
    pub fn know_carries(&mut self, a: Word, b: Word, sum: Word) {
        let [a, b, sum] = [a, b, sum].map(|word| word.map(|byte| self.bits(byte)).concat());
        let carries: Vec<Bit> = (0..32)
            .map(|i| {
                let without = self.xor_bits(a[i], b[i]);
                self.xor_bits(without, sum[i])
            })
            .collect();
        for i in 0..31 {
            let [x, y] = [a[i], b[i]].map(|bit| form(self.xor_bits(bit, carries[i])));
            let product = self.and_values(x, y);
            let is = self.xor_bits(carries[i], carries[i + 1]);
            let meaning = self.xor_bits(is, product.form);
            if product.gate != 0 {
                self.gates.meaning.entry(product.gate).or_insert(meaning);
            }
        }
    }
}

fn part(value: Value) -> Part {
    if value.gate == 0 {
        Part::Form(value.form)
    } else {
        Part::Gate(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::LookUp;

    /// A byte in which bit 0 is that bit of another.
    fn bit(algebra: &mut Algebra, byte: Byte, i: usize) -> Byte {
        let bits = algebra.bits(byte);
        algebra.byte([bits[i], 0, 0, 0, 0, 0, 0, 0])
    }

    /// A function of eight bits by its polynomial: a sum of products of bits.
    fn by_gates(algebra: &mut Algebra, x: Byte, f: impl Fn(usize) -> bool) -> Byte {
        let mut coefficients: Vec<bool> = (0..256).map(&f).collect();
        for i in 0..8 {
            for y in (0..256).filter(|y| y >> i & 1 == 1) {
                coefficients[y] ^= coefficients[y ^ 1 << i];
            }
        }
        (0..256).filter(|&y| coefficients[y]).fold(0, |sum, y| {
            let product = (0..8).filter(|i| y >> i & 1 == 1).fold(1, |product, i| {
                let bit = bit(algebra, x, i);
                algebra.op(Op::And, product, bit)
            });
            algebra.op(Op::Xor, sum, product)
        })
    }

    #[test]
    fn gates_settle_as_a_look_up_does() {
        let mut algebra = Algebra::new();
        algebra.bit_slices = true;
        let x = algebra.new_byte();
        let mut random = crate::trust::Random(1);
        let values: Vec<Byte> = (0..256).map(|_| Byte::from(random.byte())).collect();
        let s = |x: usize| values[x];
        let table = algebra.table(&values);
        let y = algebra.look_up(table, LookUp::Low, x);
        let y = algebra.settle(y);
        for i in 0..8 {
            let found = by_gates(&mut algebra, x, |x| s(x) >> i & 1 == 1);
            let found = algebra.settle(found);
            assert_eq!(found, bit(&mut algebra, y, i), "bit {i}");
        }
    }
}
