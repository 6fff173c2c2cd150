// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Bytes of symbols in a form of which equality means: equal for every value of the symbols.
//!
//! - An *atom* is a bit that we know nothing of: a bit of the key, of a block, or of a result named below.
//! - A *form* is the exclusive or of atoms, perhaps with 1. XOR, shifts, shuffles and matrices make forms of forms.
//! - A *function* is a table over a basis of at most eight forms. Its values are bytes, which may be symbols
//!   themselves: a look-up in an S-box of the key is one.
//! - [`Algebra::settle`] makes forms of a function. For each basis it keeps functions that are independent of each
//!   other, of the basis and of 1, with an atom for each, so that a function settles to the same forms however it
//!   was computed.
//!
//! All of these are stored once, so an identity is a number. No two different numbers are ever *known* to differ
//! in value: two equal bytes may have different numbers, and then a proof fails that should succeed. The reverse,
//! one number for two bytes that differ, cannot happen.

mod gates;
mod lists;

use std::borrow::Cow;
use std::hash::Hash;
use std::ops::Index;
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use lists::Lists;

/// A form: twice its number without 1 in [`Algebra::forms`], plus 1 if it has 1; so 0 and 1 are the constants.
pub type Bit = u32;
/// A byte: its number; below 256 a constant.
pub type Byte = u32;
/// Nothing is known of this byte, and nothing may depend on it.
pub const UNKNOWN: Byte = u32::MAX;

const MAX_RANK: usize = 8;

pub type Atom = u32;
const ONE: Atom = Algebra::ONE;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Basis(u32);
/// Where an atom comes from, for [`crate::evaluation`].
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// It is a symbol of its own, or 1.
    Free,
    /// The function of this number that is kept for a basis.
    Function(Basis, usize),
    /// A bit of a sum.
    Sum { number: usize, bit: usize },
    /// Whether any form of a list is 1.
    Any(List),
    /// The product of two atoms, see [`crate::products`].
    Product(Atom, Atom),
    /// A name for a form.
    Name(Bit),
    /// A bit of the product of two integers of 64 bits each, which the list has one after the other.
    Integer(List, usize),
}

/// Forms in a row: their number in [`Algebra::lists`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct List(u32);

/// The values of a function: its number in [`Algebra::tables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Table(u32);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Shape {
    Plain([Bit; 8]),
    Function(Basis, Table),
    /// Bits of several functions, as a shift leaves them.
    Mixed([Part; 8]),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Form(Bit),
    Of { byte: Byte, bit: u8 },
    Gate(gates::Value),
}

impl Part {
    /// In the second number of a bit of a byte.
    const OF: u32 = 1 << 31;

    fn numbers(self) -> [u32; 2] {
        match self {
            Self::Form(bit) => [bit, 0],
            Self::Of { byte, bit } => [byte, Self::OF | u32::from(bit)],
            Self::Gate(value) => value.numbers(),
        }
    }

    fn of_numbers(first: u32, second: u32) -> Self {
        match second {
            0 => Self::Form(first),
            _ if second & Self::OF == 0 => Self::Gate(gates::Value::of_numbers(first, second)),
            _ => Self::Of {
                byte: first,
                bit: second.to_le_bytes()[0],
            },
        }
    }
}

/// A basis: its forms in the order in which they were first asked for, and where another form lies over it.
struct Span {
    forms: Vec<Bit>,
    /// Reduced by each other; with each, the forms whose sum it is, perhaps with 1.
    rows: Vec<Row>,
    node: usize,
    atoms: Vec<Atom>,
    /// The greatest one of its atoms.
    depth: u32,
}

struct Row {
    pivot: Atom,
    form: Bit,
    sum_of: u16,
}

/// The functions that were asked of a basis so far, as [`Algebra::settle`] keeps them. Only their tables matter, so bases
/// of which the same was asked share it.
struct Node {
    rank: usize,
    independent: Rows,
    next: FxHashMap<Table, Rc<Settled>>,
}

/// Functions that are independent of each other, and the greatest element of the set of each, ascending.
#[derive(Clone, Default)]
struct Rows {
    all: Vec<Rc<Independent>>,
    by_greatest: Vec<(u64, u32)>,
}

/// A function of one bit as the set of (point, atom of its value there), 0 at point 0.
struct Independent {
    /// As it was asked for: an atom stands for that.
    function: Vec<u64>,
    /// Less the sum of the others that begins it, and what sum of all it is then.
    set: Vec<u64>,
    sum_of: Vec<u32>,
}

/// The bits of a byte as sums of a constant form, forms of the basis and atoms of the node.
struct Settled {
    node: usize,
    bits: [(Bit, Vec<u32>); 8],
}

/// Rows with the table's entries at each point.
struct TableData {
    values: Rc<[Byte]>,
    concrete: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Xor,
    And,
    Or,
    AndNot,
    Add,
    AddSaturating,
    Sub,
    SubSaturating,
    Equal,
    Greater,
    Min,
}

impl Op {
    fn of(self, a: u8, b: u8) -> u8 {
        let mask = |is: bool| if is { 0xFF } else { 0 };
        match self {
            Self::Xor => a ^ b,
            Self::And => a & b,
            Self::Or => a | b,
            Self::AndNot => !a & b,
            Self::Add => a.wrapping_add(b),
            Self::AddSaturating => a.saturating_add(b),
            Self::Sub => a.wrapping_sub(b),
            Self::SubSaturating => a.saturating_sub(b),
            Self::Equal => mask(a == b),
            Self::Greater => mask(a.cast_signed() > b.cast_signed()),
            Self::Min => a.min(b),
        }
    }
}

/// How an index chooses an entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LookUp {
    /// Its lowest bits do.
    Low,
    /// Its lowest bits do, and 0 comes of an index with its highest bit.
    LowOrZero,
    /// It does, and 0 comes of one that is too large.
    OrZero,
}

impl LookUp {
    fn entry(self, values: &[Byte], index: Byte) -> Byte {
        let index = index as usize;
        match self {
            Self::LowOrZero if index >= 0x80 => 0,
            Self::OrZero if index >= values.len() => 0,
            _ => values[index & (values.len() - 1)],
        }
    }
}

/// Things stored once each, by their numbers.
struct Store<T>(IndexSet<T, FxBuildHasher>);

impl<T: Eq + Hash> Store<T> {
    fn new() -> Self {
        Self(IndexSet::default())
    }

    fn add(&mut self, each: T) -> u32 {
        u32::try_from(self.0.insert_full(each).0).expect("fewer than 2^32")
    }
}

impl<T> Index<u32> for Store<T> {
    type Output = T;

    fn index(&self, number: u32) -> &T {
        &self.0[number as usize]
    }
}

pub struct Algebra {
    origins: Vec<Origin>,
    /// Of each atom: how many atoms are defined by each other, up to it.
    depths: Vec<u32>,
    /// Each with 1 before its atoms.
    forms: Lists,
    lists: Lists,
    memo_any: FxHashMap<List, Bit>,
    bytes: Lists,
    spare: Vec<Atom>,
    tables: Vec<TableData>,
    table_index: FxHashMap<Rc<[Byte]>, Table>,
    spans: Vec<Span>,
    /// By its rows.
    span_index: FxHashMap<Vec<Bit>, Basis>,
    joined: FxHashMap<Vec<Bit>, Option<Basis>>,
    nodes: Vec<Node>,
    roots: [usize; MAX_RANK + 1],
    memo_settle: FxHashMap<Byte, Byte>,
    memo_op: FxHashMap<(Op, Byte, Byte), Byte>,
    memo_table_op: FxHashMap<(Op, Table, Table), Table>,
    memo_lift: FxHashMap<(Basis, Byte), Table>,
    memo_look_up: FxHashMap<(Table, LookUp, Byte), Byte>,
    memo_linear: FxHashMap<([u8; 8], Byte), Byte>,
    memo_window: FxHashMap<(Byte, Byte, usize), Byte>,
    memo_make: FxHashMap<(Basis, Table), Byte>,
    essence: FxHashMap<Table, Option<Rc<Essence>>>,
    gates: gates::Gates,
    /// Bytes hold bits of different blocks, so gates work bit by bit.
    pub bit_slices: bool,
    /// Of how many forms a gate may be: as many as an S-box has inputs.
    pub gate_forms: usize,
}

/// A function that does not depend on all of its basis: the sums of the basis's forms that it depends on.
struct Essence {
    masks: Vec<u16>,
    values: Vec<Byte>,
}

/// Adds forms, without 1, that are not there.
fn add_new(into: &mut Vec<Bit>, bits: &[Bit]) {
    for &bit in bits {
        let form = bit & !1;
        if form != 0 && !into.contains(&form) {
            into.push(form);
        }
    }
}

fn parity(x: u16) -> bool {
    x.count_ones() % 2 == 1
}

/// The symmetric difference of ascending lists.
pub fn add_sets<T: Ord + Copy>(a: &[T], b: &[T]) -> Vec<T> {
    let mut sum = Vec::new();
    add_sets_to(&mut sum, a, b);
    sum
}

/// The same, at the end of another list.
fn add_sets_to<T: Ord + Copy>(sum: &mut Vec<T>, a: &[T], b: &[T]) {
    sum.reserve(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => {
                sum.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                sum.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                i += 1;
                j += 1;
            }
        }
    }
    sum.extend_from_slice(&a[i..]);
    sum.extend_from_slice(&b[j..]);
}

impl Algebra {
    /// The constant bit 1.
    pub const ONE: Atom = 0;

    pub fn new() -> Self {
        let mut new = Self {
            origins: vec![Origin::Free],
            depths: vec![0],
            forms: Lists::new(),
            lists: Lists::new(),
            memo_any: FxHashMap::default(),
            bytes: Lists::new(),
            spare: Vec::new(),
            tables: Vec::new(),
            table_index: FxHashMap::default(),
            spans: Vec::new(),
            span_index: FxHashMap::default(),
            joined: FxHashMap::default(),
            nodes: Vec::new(),
            roots: [0; MAX_RANK + 1],
            memo_settle: FxHashMap::default(),
            memo_op: FxHashMap::default(),
            memo_table_op: FxHashMap::default(),
            memo_lift: FxHashMap::default(),
            memo_look_up: FxHashMap::default(),
            memo_linear: FxHashMap::default(),
            memo_window: FxHashMap::default(),
            memo_make: FxHashMap::default(),
            essence: FxHashMap::default(),
            gates: gates::Gates::new(),
            bit_slices: false,
            gate_forms: MAX_RANK,
        };
        new.forms.add(&[ONE]);
        for value in 0..256 {
            new.byte(std::array::from_fn(|i| value >> i & 1));
        }
        for rank in 0..=MAX_RANK {
            new.roots[rank] = new.nodes.len();
            new.nodes.push(Node {
                rank,
                independent: coordinates(rank),
                next: FxHashMap::default(),
            });
        }
        new
    }

    // --- forms -----------------------------------------------------------------------------------------------------

    pub fn new_bit(&mut self, origin: Origin, depth: u32) -> Bit {
        let atom = self.new_atom(origin, depth);
        self.form(&[ONE, atom])
    }

    pub fn new_atom(&mut self, origin: Origin, depth: u32) -> Atom {
        self.origins.push(origin);
        self.depths.push(depth);
        Atom::try_from(self.origins.len() - 1).expect("fewer than 2^32")
    }

    pub fn origin(&self, atom: Atom) -> Origin {
        self.origins[atom as usize]
    }

    /// A function that is kept for a basis: the forms of that, and the sum of which atoms it is at which point.
    pub fn function(&self, basis: Basis, which: usize) -> (Vec<Bit>, Vec<(u64, Atom)>) {
        let span = &self.spans[basis.0 as usize];
        let set = &self.nodes[span.node].independent.all[span.forms.len() + which].function;
        let atom = |each: u64| Atom::try_from(each & 0xFFFF_FFFF).expect("32 bits");
        (
            span.forms.clone(),
            set.iter().map(|&each| (each >> 32, atom(each))).collect(),
        )
    }

    /// The greatest depth of the atoms of these forms.
    pub fn depth(&self, bits: &[Bit]) -> u32 {
        let depths = bits.iter().map(|&bit| self.depth_of_atoms(self.atoms(bit)));
        depths.max().unwrap_or(0)
    }

    pub fn depth_of_atoms(&self, atoms: &[Atom]) -> u32 {
        let depths = atoms.iter().map(|&atom| self.depths[atom as usize]);
        depths.max().unwrap_or(0)
    }

    /// Ascending.
    pub fn atoms(&self, bit: Bit) -> &[Atom] {
        &self.forms[bit / 2][usize::from(bit.is_multiple_of(2))..]
    }

    /// The sum of ascending atoms.
    pub fn sum_of_atoms(&mut self, mut atoms: Vec<Atom>) -> Bit {
        let has_one = atoms.first() == Some(&ONE);
        if !has_one {
            atoms.insert(0, ONE);
        }
        self.form(&atoms) + Bit::from(has_one)
    }

    /// The sum of ascending atoms after 1, without that.
    fn form(&mut self, atoms: &[Atom]) -> Bit {
        2 * self.forms.add(atoms)
    }

    pub fn list(&mut self, forms: &[Bit]) -> List {
        List(self.lists.add(forms))
    }

    pub fn forms_of_list(&self, list: List) -> Vec<Bit> {
        self.lists[list.0].to_vec()
    }

    pub fn xor_bits(&mut self, a: Bit, b: Bit) -> Bit {
        if a < 2 || b < 2 || a / 2 == b / 2 {
            return if a / 2 == b / 2 { (a ^ b) & 1 } else { a ^ b };
        }
        let mut sum = std::mem::take(&mut self.spare);
        sum.clear();
        sum.push(ONE);
        add_sets_to(&mut sum, &self.forms[a / 2][1..], &self.forms[b / 2][1..]);
        let form = self.form(&sum);
        self.spare = sum;
        form | (a ^ b) & 1
    }

    // --- bases -----------------------------------------------------------------------------------------------------

    /// The sum of a basis's forms that a form is, perhaps with 1; `None`: it lies outside.
    fn place(&self, basis: Basis, bit: Bit) -> Option<(u16, bool)> {
        let (span, has_one) = (&self.spans[basis.0 as usize], bit % 2 == 1);
        let without = bit & !1;
        if let Some(at) = span.forms.iter().position(|&form| form == without) {
            return Some((1 << at, has_one));
        }
        let (rest, sum_of) = self.reduced_by(&span.rows, bit);
        rest.is_empty().then_some((sum_of, has_one))
    }

    /// A basis of the span of these forms; `None`: its rank is more than eight.
    fn basis(&mut self, bits: &[Bit]) -> Option<Basis> {
        if let Some(&basis) = self.joined.get(bits) {
            return basis;
        }
        let basis = self.find_basis(bits);
        self.joined.insert(bits.into(), basis);
        basis
    }

    fn find_basis(&mut self, bits: &[Bit]) -> Option<Basis> {
        let mut rows = Vec::<Row>::with_capacity(MAX_RANK);
        let mut forms = Vec::with_capacity(MAX_RANK);
        for &bit in bits {
            let (rest, mut sum_of) = self.reduced_by(&rows, bit);
            let Some(&pivot) = rest.last() else { continue };
            if forms.len() == MAX_RANK {
                return None;
            }
            sum_of ^= 1 << forms.len();
            let form = match rest {
                Cow::Borrowed(_) => bit & !1,
                Cow::Owned(rest) => self.sum_of_atoms(rest),
            };
            for row in &mut rows {
                if self.atoms(row.form).binary_search(&pivot).is_ok() {
                    row.form = self.xor_bits(row.form, form);
                    row.sum_of ^= sum_of;
                }
            }
            rows.push(Row {
                pivot,
                form,
                sum_of,
            });
            forms.push(bit);
        }
        Some(self.span(rows, forms))
    }

    /// The rest of a form without its 1 after the rows whose pivots it has, and the sum of forms that these are.
    fn reduced_by(&self, rows: &[Row], bit: Bit) -> (Cow<'_, [Atom]>, u16) {
        let mut rest = Cow::Borrowed(self.atoms(bit & !1));
        let mut sum_of = 0;
        for row in rows {
            if rest.binary_search(&row.pivot).is_ok() {
                rest = Cow::Owned(add_sets(&rest, self.atoms(row.form)));
                sum_of ^= row.sum_of;
            }
        }
        (rest, sum_of)
    }

    fn span(&mut self, mut rows: Vec<Row>, forms: Vec<Bit>) -> Basis {
        rows.sort_by_key(|row| row.pivot);
        let key: Vec<Bit> = rows.iter().map(|row| row.form).collect();
        if let Some(&basis) = self.span_index.get(&key) {
            return basis;
        }
        // The forms of the basis are taken without their 1.
        let forms: Vec<Bit> = forms.into_iter().map(|bit| bit & !1).collect();
        let basis = Basis(u32::try_from(self.spans.len()).expect("fewer than 2^32"));
        let depth = self.depth(&forms);
        self.spans.push(Span {
            depth,
            node: self.roots[forms.len()],
            forms,
            rows,
            atoms: Vec::new(),
        });
        self.span_index.insert(key, basis);
        basis
    }

    fn forms_of(&self, basis: Basis) -> &[Bit] {
        &self.spans[basis.0 as usize].forms
    }

    /// The forms that a byte is made of.
    fn support(&self, byte: Byte, into: &mut Vec<Bit>) {
        match &self.shape(byte) {
            Shape::Plain(bits) => add_new(into, bits),
            Shape::Function(basis, _) => add_new(into, self.forms_of(*basis)),
            Shape::Mixed(parts) => parts.iter().for_each(|part| match *part {
                Part::Form(bit) => add_new(into, &[bit]),
                Part::Of { byte, .. } => self.support(byte, into),
                Part::Gate(value) => self.support_of_value(value, into),
            }),
        }
    }

    /// A basis of all that these bytes are made of.
    fn join(&mut self, bytes: &[Byte]) -> Option<Basis> {
        let mut bits = Vec::with_capacity(MAX_RANK);
        for &byte in bytes {
            self.support(byte, &mut bits);
        }
        self.basis(&bits)
    }

    // --- tables ----------------------------------------------------------------------------------------------------

    /// A table by its values, at most 256.
    pub fn table(&mut self, values: &[Byte]) -> Table {
        if let Some(&table) = self.table_index.get(values) {
            return table;
        }
        let table = Table(u32::try_from(self.tables.len()).expect("fewer than 2^32"));
        let values: Rc<[Byte]> = values.into();
        let concrete = values.iter().all(|&value| value < 256);
        self.tables.push(TableData {
            values: Rc::clone(&values),
            concrete,
        });
        self.table_index.insert(values, table);
        table
    }

    fn values(&self, table: Table) -> Rc<[Byte]> {
        Rc::clone(&self.tables[table.0 as usize].values)
    }

    fn is_concrete(&self, table: Table) -> bool {
        self.tables[table.0 as usize].concrete
    }

    /// The byte at each point of the basis.
    fn lift(&mut self, basis: Basis, byte: Byte) -> Table {
        if let Some(&table) = self.memo_lift.get(&(basis, byte)) {
            return table;
        }
        let points = 1_u16 << self.forms_of(basis).len();
        let in_span = "the basis has it";
        let values: Vec<Byte> = match self.shape(byte) {
            Shape::Plain(bits) => {
                let places = bits.map(|bit| self.place(basis, bit).expect(in_span));
                (0..points)
                    .map(|y| {
                        let bit = |(i, &(mask, one)): (usize, &(u16, bool))| {
                            u32::from(parity(mask & y) ^ one) << i
                        };
                        places.iter().enumerate().map(bit).sum()
                    })
                    .collect()
            }
            Shape::Function(own, table) if own == basis => return table,
            Shape::Function(own, table) => {
                let values = self.values(table);
                let places: Vec<_> = self
                    .forms_of(own)
                    .iter()
                    .map(|&bit| self.place(basis, bit).expect(in_span))
                    .collect();
                let bit = |y, (i, &(mask, one)): (usize, &(u16, bool))| {
                    usize::from(parity(mask & y) ^ one) << i
                };
                (0..points)
                    .map(|y| values[places.iter().enumerate().map(|p| bit(y, p)).sum::<usize>()])
                    .collect()
            }
            Shape::Mixed(parts) => {
                let bits = parts.map(|part| match part {
                    Part::Form(bit) => {
                        let plain = self.byte_of(&Shape::Plain([bit, 0, 0, 0, 0, 0, 0, 0]));
                        (self.lift(basis, plain), 0)
                    }
                    Part::Of { byte, bit } => (self.lift(basis, byte), bit),
                    Part::Gate(value) => (self.table_of_value(basis, value), 0),
                });
                (0..usize::from(points))
                    .map(|y| {
                        let all = bits.map(|(table, bit)| (self.values(table)[y], bit));
                        self.byte_of_parts(all.map(|(byte, bit)| Part::Of { byte, bit }))
                    })
                    .collect()
            }
        };
        let table = self.table(&values);
        self.memo_lift.insert((basis, byte), table);
        table
    }

    /// The byte that has these values at the points of the basis.
    fn make(&mut self, basis: Basis, table: Table) -> Byte {
        self.once(
            |all| &mut all.memo_make,
            (basis, table),
            |all| all.make_new(basis, table),
        )
    }

    fn make_new(&mut self, basis: Basis, table: Table) -> Byte {
        let values = self.values(table);
        if values.contains(&UNKNOWN) {
            return UNKNOWN;
        }
        if values.iter().all(|value| *value == values[0]) {
            return values[0];
        }
        if let Some(masks) = self.is_concrete(table).then(|| affine(&values)).flatten() {
            let bits = std::array::from_fn(|i| {
                let mut sum = values[0] >> i & 1;
                for (j, form) in self.forms_of(basis).to_vec().into_iter().enumerate() {
                    if masks[j] >> i & 1 == 1 {
                        sum = self.xor_bits(sum, form);
                    }
                }
                sum
            });
            return self.byte_of(&Shape::Plain(bits));
        }
        let Some(essence) = self.essence(table) else {
            return self.byte_of(&Shape::Function(basis, table));
        };
        let forms = self.sums_of_forms(basis, &essence.masks);
        let own = self.basis(&forms).expect("a part of a basis");
        // The basis of that span may be another one.
        let places: Vec<_> = forms
            .iter()
            .map(|&bit| self.place(own, bit).expect("its own"))
            .collect();
        let values: Vec<Byte> = (0..1_u16 << forms.len())
            .map(|y| {
                let at = places
                    .iter()
                    .enumerate()
                    .map(|(i, &(mask, one))| usize::from(parity(mask & y) ^ one) << i);
                essence.values[at.sum::<usize>()]
            })
            .collect();
        let table = self.table(&values);
        self.byte_of(&Shape::Function(own, table))
    }

    fn sum_of_forms(&mut self, basis: Basis, mask: u16) -> Bit {
        (0..self.forms_of(basis).len())
            .filter(|i| mask >> i & 1 == 1)
            .fold(0, |sum, i| {
                let form = self.forms_of(basis)[i];
                self.xor_bits(sum, form)
            })
    }

    fn sums_of_forms(&mut self, basis: Basis, masks: &[u16]) -> Vec<Bit> {
        let sum = |&mask: &u16| self.sum_of_forms(basis, mask);
        masks.iter().map(sum).collect()
    }

    /// `None`: it depends on all of its basis.
    fn essence(&mut self, table: Table) -> Option<Rc<Essence>> {
        if let Some(known) = self.essence.get(&table) {
            return known.clone();
        }
        let found = find_essence(&self.values(table)).map(Rc::new);
        self.essence.insert(table, found.clone());
        found
    }

    // --- bytes -----------------------------------------------------------------------------------------------------

    pub fn byte(&mut self, bits: [Bit; 8]) -> Byte {
        self.bytes.add(&bits)
    }

    /// The byte of a shape: a list of 2, 8 or 16 numbers by its kind.
    fn byte_of(&mut self, shape: &Shape) -> Byte {
        match *shape {
            Shape::Function(basis, table) => self.bytes.add(&[basis.0, table.0]),
            Shape::Plain(bits) => self.byte(bits),
            Shape::Mixed(parts) => {
                let mut numbers = [0; 16];
                for (pair, part) in numbers.chunks_exact_mut(2).zip(parts) {
                    pair.copy_from_slice(&part.numbers());
                }
                self.bytes.add(&numbers)
            }
        }
    }

    fn shape(&self, byte: Byte) -> Shape {
        match self.bytes[byte] {
            [basis, table] => Shape::Function(Basis(basis), Table(table)),
            [a, b, c, d, e, f, g, h] => Shape::Plain([a, b, c, d, e, f, g, h]),
            ref pairs => Shape::Mixed(std::array::from_fn(|i| {
                Part::of_numbers(pairs[2 * i], pairs[2 * i + 1])
            })),
        }
    }

    /// A byte of which nothing is known.
    pub fn new_byte(&mut self) -> Byte {
        let bits = std::array::from_fn(|_| self.new_bit(Origin::Free, 0));
        self.byte(bits)
    }

    /// The byte as forms.
    pub fn settle(&mut self, byte: Byte) -> Byte {
        if byte == UNKNOWN || matches!(self.shape(byte), Shape::Plain(_)) {
            return byte;
        }
        if let Some(&settled) = self.memo_settle.get(&byte) {
            return settled;
        }
        let bits = match self.shape(byte) {
            Shape::Plain(bits) => bits,
            Shape::Function(basis, table) => self.settle_function(basis, table),
            Shape::Mixed(parts) => parts.map(|part| match part {
                Part::Form(bit) => bit,
                Part::Of { byte, bit } => self.bits(byte)[usize::from(bit)],
                Part::Gate(value) => self.settle_value(value),
            }),
        };
        let settled = self.byte(bits);
        self.memo_settle.insert(byte, settled);
        settled
    }

    /// The bits of a byte, the lowest first.
    ///
    /// # Panics
    /// If the byte is unknown.
    pub fn bits(&mut self, byte: Byte) -> [Bit; 8] {
        let settled = self.settle(byte);
        match self.shape(settled) {
            Shape::Plain(bits) => bits,
            _ => unreachable!("a byte that is settled"),
        }
    }

    fn settle_function(&mut self, basis: Basis, table: Table) -> [Bit; 8] {
        let node = self.spans[basis.0 as usize].node;
        let known = self.nodes[node].next.get(&table).cloned();
        let settled = known.unwrap_or_else(|| {
            let settled = Rc::new(self.settle_new(node, table));
            self.nodes[node].next.insert(table, Rc::clone(&settled));
            settled
        });
        self.spans[basis.0 as usize].node = settled.node;
        let rank = self.nodes[node].rank;
        let depth = self.spans[basis.0 as usize].depth + 1;
        while self.spans[basis.0 as usize].atoms.len()
            < self.nodes[settled.node].independent.all.len() - rank
        {
            let which = self.spans[basis.0 as usize].atoms.len();
            let atom = self.new_atom(Origin::Function(basis, which), depth);
            self.spans[basis.0 as usize].atoms.push(atom);
        }
        std::array::from_fn(|i| {
            let (constant, parts) = &settled.bits[i];
            let mut bit = *constant;
            for &part in parts {
                let part = part as usize;
                let form = if part < rank {
                    self.forms_of(basis)[part]
                } else {
                    self.form(&[ONE, self.spans[basis.0 as usize].atoms[part - rank]])
                };
                bit = self.xor_bits(bit, form);
            }
            bit
        })
    }

    fn settle_new(&mut self, node: usize, table: Table) -> Settled {
        let rank = self.nodes[node].rank;
        let mut independent = self.nodes[node].independent.clone();
        let before = independent.all.len();
        let values = self.values(table);
        let values: Vec<[Bit; 8]> = values.iter().map(|&value| self.bits(value)).collect();
        let bits = std::array::from_fn(|i| {
            let constant = values[0][i];
            let mut set = Vec::new();
            for (y, value) in values.iter().enumerate() {
                let sum = self.xor_bits(constant, value[i]);
                set.extend(
                    self.atoms(sum)
                        .iter()
                        .map(|&atom| (y as u64) << 32 | u64::from(atom)),
                );
            }
            (constant, independent.reduce(set))
        });
        // A node without anything new stands for itself.
        let node = if independent.all.len() == before {
            node
        } else {
            self.nodes.push(Node {
                rank,
                independent,
                next: FxHashMap::default(),
            });
            self.nodes.len() - 1
        };
        Settled { node, bits }
    }

    // --- operations ------------------------------------------------------------------------------------------------

    pub fn op(&mut self, op: Op, a: Byte, b: Byte) -> Byte {
        if a < 256 && b < 256 {
            return Byte::from(op.of(a.to_le_bytes()[0], b.to_le_bytes()[0]));
        }
        match (op, a, b) {
            (Op::And, 0, _) | (Op::And, _, 0) | (Op::AndNot, _, 0) | (Op::AndNot, 0xFF, _) => {
                return 0;
            }
            (Op::Or, 0xFF, _) | (Op::Or, _, 0xFF) => return 0xFF,
            (Op::Xor | Op::Or | Op::Add | Op::AddSaturating, 0, x)
            | (
                Op::Xor | Op::Or | Op::Add | Op::AddSaturating | Op::Sub | Op::SubSaturating,
                x,
                0,
            )
            | (Op::And, 0xFF, x)
            | (Op::And, x, 0xFF)
            | (Op::AndNot, 0, x) => return x,
            _ => {}
        }
        if a == UNKNOWN || b == UNKNOWN {
            return UNKNOWN;
        }
        match op {
            Op::Xor | Op::Sub if a == b => return 0,
            Op::And | Op::Or | Op::Min if a == b => return a,
            _ => {}
        }
        self.once(
            |all| &mut all.memo_op,
            (op, a, b),
            |all| all.op_new(op, a, b),
        )
    }

    /// The result of a computation, which is done the first time alone.
    fn once<K: Copy + Eq + Hash, V: Copy>(
        &mut self,
        memo: fn(&mut Self) -> &mut FxHashMap<K, V>,
        key: K,
        compute: impl FnOnce(&mut Self) -> V,
    ) -> V {
        if let Some(&known) = memo(self).get(&key) {
            return known;
        }
        let new = compute(self);
        memo(self).insert(key, new);
        new
    }

    fn op_new(&mut self, op: Op, a: Byte, b: Byte) -> Byte {
        match op {
            Op::Xor if !self.bit_slices => self.xor_new(a, b),
            Op::AndNot => {
                let not_a = self.op(Op::Xor, a, 0xFF);
                self.op(Op::And, not_a, b)
            }
            Op::Xor | Op::And | Op::Or if self.bit_slices => self.bitwise(op, a, b),
            Op::And if a < 256 => self.mask(b, a),
            Op::And if b < 256 => self.mask(a, b),
            Op::And | Op::Or => self.gate(op, a, b),
            _ => self.pointwise(op, a, b),
        }
    }

    fn xor_new(&mut self, a: Byte, b: Byte) -> Byte {
        if let (&Shape::Plain(x), &Shape::Plain(y)) = (&self.shape(a), &self.shape(b)) {
            let bits = std::array::from_fn(|i| self.xor_bits(x[i], y[i]));
            return self.byte(bits);
        }
        if self.may_stay(a, b) {
            let byte = self.pointwise(Op::Xor, a, b);
            if byte != UNKNOWN {
                return byte;
            }
        }
        let (a, b) = (self.settle(a), self.settle(b));
        self.op(Op::Xor, a, b)
    }

    /// Whether a function XOR this should stay a function: it does so over its own basis, and functions do.
    fn may_stay(&mut self, a: Byte, b: Byte) -> bool {
        match (&self.shape(a), &self.shape(b)) {
            (&Shape::Function(basis, _), &Shape::Plain(bits))
            | (&Shape::Plain(bits), &Shape::Function(basis, _)) => {
                bits.iter().all(|&bit| self.place(basis, bit).is_some())
            }
            _ => true,
        }
    }

    /// Those bits of a byte that a constant has.
    fn mask(&mut self, byte: Byte, mask: Byte) -> Byte {
        let shape = self.shape(byte);
        match shape {
            Shape::Function(_, table) if self.is_concrete(table) => {
                self.pointwise(Op::And, byte, mask)
            }
            Shape::Mixed(parts) => {
                let kept = std::array::from_fn(|i| {
                    if mask >> i & 1 == 1 {
                        parts[i]
                    } else {
                        Part::Form(0)
                    }
                });
                self.byte_of_parts(kept)
            }
            _ => {
                let bits = self.bits(byte);
                self.byte(std::array::from_fn(|i| {
                    if mask >> i & 1 == 1 { bits[i] } else { 0 }
                }))
            }
        }
    }

    /// AND or OR, bit by bit where it is trivial in each, else as a function.
    fn gate(&mut self, op: Op, a: Byte, b: Byte) -> Byte {
        let (left, right) = (self.parts(a), self.parts(b));
        let (neutral, zero) = if op == Op::And { (1, 0) } else { (0, 1) };
        let each: [Option<Part>; 8] = std::array::from_fn(|i| match (left[i], right[i]) {
            (Part::Form(x), other) | (other, Part::Form(x)) if x == neutral => Some(other),
            (Part::Form(x), _) | (_, Part::Form(x)) if x == zero => Some(Part::Form(zero)),
            (x, y) if x == y => Some(x),
            _ => None,
        });
        if each.iter().all(Option::is_some) {
            return self.byte_of_parts(each.map(Option::unwrap));
        }
        match self.pointwise(op, a, b) {
            UNKNOWN if op == Op::Or => self.any_of_both(a, b),
            byte => byte,
        }
    }

    /// OR of bytes that have too many bits for a function: a bit for each set of forms, whatever their order was.
    fn any_of_both(&mut self, a: Byte, b: Byte) -> Byte {
        let (a, b) = (self.bits(a), self.bits(b));
        let bits = std::array::from_fn(|i| {
            let mut set = [self.alternatives(a[i]), self.alternatives(b[i])].concat();
            set.sort_unstable();
            set.dedup();
            self.any(&set)
        });
        self.byte(bits)
    }

    /// The forms of which a bit says whether any is 1.
    fn alternatives(&self, bit: Bit) -> Vec<Bit> {
        if let [atom] = self.atoms(bit)
            && let Origin::Any(list) = self.origin(*atom)
        {
            return self.forms_of_list(list).to_vec();
        }
        if bit == 0 { vec![] } else { vec![bit] }
    }

    fn any(&mut self, set: &[Bit]) -> Bit {
        match set {
            [] => 0,
            [bit] => *bit,
            _ if set.contains(&1) => 1,
            _ => {
                let list = self.list(set);
                let depth = 1 + self.depth(set);
                self.once(
                    |all| &mut all.memo_any,
                    list,
                    |all| all.new_bit(Origin::Any(list), depth),
                )
            }
        }
    }

    fn parts(&self, byte: Byte) -> [Part; 8] {
        match &self.shape(byte) {
            Shape::Plain(bits) => bits.map(Part::Form),
            Shape::Function(..) => std::array::from_fn(|i| Part::Of {
                byte,
                bit: u8::try_from(i).expect("below 8"),
            }),
            Shape::Mixed(parts) => *parts,
        }
    }

    fn byte_of_parts(&mut self, parts: [Part; 8]) -> Byte {
        let parts = parts.map(|part| self.simple(part));
        if parts
            .iter()
            .any(|part| matches!(part, Part::Of { byte: UNKNOWN, .. }))
        {
            return UNKNOWN;
        }
        if parts.iter().all(|part| matches!(part, Part::Form(_))) {
            return self.byte(parts.map(|part| match part {
                Part::Form(bit) => bit,
                _ => unreachable!("all are forms"),
            }));
        }
        if self.bit_slices {
            return self.byte_of(&Shape::Mixed(parts));
        }
        if let Part::Of { byte, .. } = parts[0]
            && self.parts(byte) == parts
        {
            return byte;
        }
        let mixed = self.byte_of(&Shape::Mixed(parts));
        let bases: Vec<Basis> = parts
            .iter()
            .filter_map(|part| self.basis_of_part(*part))
            .collect();
        let own = bases[0];
        let forms_inside = parts.iter().all(|part| match *part {
            Part::Form(bit) => self.place(own, bit).is_some(),
            Part::Of { .. } | Part::Gate(_) => true,
        });
        if bases.iter().all(|basis| *basis == own) && forms_inside {
            let table = self.lift(own, mixed);
            return self.make(own, table);
        }
        mixed
    }

    fn simple(&self, part: Part) -> Part {
        match part {
            Part::Of { byte, bit } if byte != UNKNOWN => self.parts(byte)[usize::from(bit)],
            _ => part,
        }
    }

    fn basis_of_part(&self, part: Part) -> Option<Basis> {
        match part {
            Part::Form(_) | Part::Gate(_) => None,
            Part::Of { byte, .. } => match self.shape(byte) {
                Shape::Function(basis, _) => Some(basis),
                _ => None,
            },
        }
    }

    /// The operation at each point, if both bytes together have few.
    fn pointwise(&mut self, op: Op, a: Byte, b: Byte) -> Byte {
        let basis = if let (&Shape::Function(x, _), &Shape::Function(y, _)) =
            (&self.shape(a), &self.shape(b))
            && x == y
        {
            Some(x)
        } else {
            self.join(&[a, b])
        };
        let Some(basis) = basis else { return UNKNOWN };
        let (x, y) = (self.lift(basis, a), self.lift(basis, b));
        let table = self.table_op(op, x, y);
        self.make(basis, table)
    }

    fn table_op(&mut self, op: Op, a: Table, b: Table) -> Table {
        if let Some(&table) = self.memo_table_op.get(&(op, a, b)) {
            return table;
        }
        let (x, y) = (self.values(a), self.values(b));
        let values: Vec<Byte> = x
            .iter()
            .zip(y.iter())
            .map(|(&x, &y)| self.op(op, x, y))
            .collect();
        let table = self.table(&values);
        self.memo_table_op.insert((op, a, b), table);
        table
    }

    /// `if_1` in bits where `mask` is 1, else `if_0`.
    pub fn select(&mut self, mask: Byte, if_1: Byte, if_0: Byte) -> Byte {
        match mask {
            _ if if_1 == if_0 => if_1,
            0 => if_0,
            0xFF => if_1,
            _ if self.bit_slices => self.ternary(0xCA, [mask, if_1, if_0]),
            _ => {
                let left = self.op(Op::And, mask, if_1);
                let right = self.op(Op::AndNot, mask, if_0);
                self.op(Op::Xor, left, right)
            }
        }
    }

    /// The value of each bit of a byte by a matrix: bit i is the parity of `rows[i]` and the byte.
    pub fn linear(&mut self, rows: [u8; 8], byte: Byte) -> Byte {
        if byte == UNKNOWN {
            return UNKNOWN;
        }
        self.once(
            |all| &mut all.memo_linear,
            (rows, byte),
            |all| all.linear_new(rows, byte),
        )
    }

    fn linear_new(&mut self, rows: [u8; 8], byte: Byte) -> Byte {
        if let Shape::Function(basis, table) = self.shape(byte)
            && self.is_concrete(table)
        {
            let values: Vec<Byte> = self
                .values(table)
                .iter()
                .map(|&value| self.linear(rows, value))
                .collect();
            let table = self.table(&values);
            return self.make(basis, table);
        }
        let bits = self.bits(byte);
        let image = rows.map(|row| {
            (0..8)
                .filter(|i| row >> i & 1 == 1)
                .fold(0, |sum, i: usize| self.xor_bits(sum, bits[i]))
        });
        self.byte(image)
    }

    /// The bit as a byte of all zeros or all ones.
    pub fn spread(&mut self, byte: Byte, bit: usize) -> Byte {
        if byte == UNKNOWN {
            return UNKNOWN;
        }
        let part = self.simple(self.parts(byte)[bit]);
        self.byte_of_parts([part; 8])
    }

    /// The bits that are not known to be 0.
    pub fn may_be_one(&self, byte: Byte) -> u8 {
        let parts = self.parts(byte).map(|part| self.simple(part));
        (0..8)
            .filter(|&i| parts[i] != Part::Form(0))
            .map(|i| 1 << i)
            .sum()
    }

    /// Every n-th bit in its place and the n - 1 above it; `None` if another bit than these may be 1.
    pub fn spread_each(&mut self, bytes: &[Byte], n: usize) -> Option<Vec<Byte>> {
        if bytes.contains(&UNKNOWN) {
            return None;
        }
        let parts: Vec<Part> = bytes.iter().flat_map(|&byte| self.parts(byte)).collect();
        let parts: Vec<Part> = parts.into_iter().map(|part| self.simple(part)).collect();
        let is_apart = (0..parts.len()).all(|i| i.is_multiple_of(n) || parts[i] == Part::Form(0));
        let byte = |at: usize| self.byte_of_parts(std::array::from_fn(|i| parts[(at + i) / n * n]));
        is_apart.then(|| (0..parts.len()).step_by(8).map(byte).collect())
    }

    /// Bits `at` to `at + 8` of these two bytes, `low` first; `at` is at most 8.
    pub fn window(&mut self, low: Byte, high: Byte, at: usize) -> Byte {
        match at {
            0 => return low,
            8 => return high,
            _ if low == UNKNOWN || high == UNKNOWN => return UNKNOWN,
            _ if low < 256 && high < 256 => return (low | high << 8) >> at & 0xFF,
            _ => {}
        }
        self.once(
            |all| &mut all.memo_window,
            (low, high, at),
            |all| all.window_new(low, high, at),
        )
    }

    fn window_new(&mut self, low: Byte, high: Byte, at: usize) -> Byte {
        let [low, high] = [low, high].map(|byte| self.pointed(byte));
        let (low, high) = (self.parts(low), self.parts(high));
        self.byte_of_parts(std::array::from_fn(|i| {
            if i + at < 8 {
                low[i + at]
            } else {
                high[i + at - 8]
            }
        }))
    }

    /// The value of a table at a byte. The number of its entries is a power of two.
    pub fn look_up(&mut self, table: Table, how: LookUp, index: Byte) -> Byte {
        if index == UNKNOWN {
            return UNKNOWN;
        }
        if index < 256 {
            return how.entry(&self.tables[table.0 as usize].values, index);
        }
        if let Some(&byte) = self.memo_look_up.get(&(table, how, index)) {
            return byte;
        }
        let values = self.values(table);
        let byte = self
            .map_points(&[index], |at| vec![how.entry(&values, at[0])])
            .map_or(UNKNOWN, |bytes| bytes[0]);
        self.memo_look_up.insert((table, how, index), byte);
        byte
    }

    /// The bytes that `f` makes of constants, at each point of all `bytes` together; `None` if there are too many
    /// points, or a byte is no constant there.
    pub fn map_points(
        &mut self,
        bytes: &[Byte],
        mut f: impl FnMut(&[Byte]) -> Vec<Byte>,
    ) -> Option<Vec<Byte>> {
        let (basis, points) = self.points(bytes)?;
        let values: Vec<Vec<Byte>> = points.iter().map(|at| f(at)).collect();
        let columns = (0..values[0].len()).map(|i| {
            let column: Vec<Byte> = values.iter().map(|value| value[i]).collect();
            let table = self.table(&column);
            self.make(basis, table)
        });
        Some(columns.collect())
    }

    /// At most eight forms, of which the lowest is bit 0 of a point, and what these bytes are at each point; `None` as in
    /// `map_points`.
    pub fn coordinates(&mut self, bytes: &[Byte]) -> Option<(Vec<Bit>, Vec<Vec<Byte>>)> {
        let (basis, points) = self.points(bytes)?;
        Some((self.forms_of(basis).to_vec(), points))
    }

    /// The byte, settled if it is a function whose values are symbols.
    fn pointed(&mut self, byte: Byte) -> Byte {
        match self.shape(byte) {
            Shape::Function(_, values) if !self.is_concrete(values) => self.settle(byte),
            _ => byte,
        }
    }

    /// The constants that these bytes are at each point of what they are made of.
    fn points(&mut self, bytes: &[Byte]) -> Option<(Basis, Vec<Vec<Byte>>)> {
        if bytes.contains(&UNKNOWN) {
            return None;
        }
        let bytes: Vec<Byte> = bytes
            .iter()
            .map(|&byte| {
                if self.bit_slices {
                    self.settle(byte)
                } else {
                    self.pointed(byte)
                }
            })
            .collect();
        let basis = self.join(&bytes)?;
        let tables: Vec<_> = bytes.iter().map(|&byte| self.lift(basis, byte)).collect();
        if !tables.iter().all(|&table| self.is_concrete(table)) {
            return None;
        }
        let n = 1 << self.forms_of(basis).len();
        Some((
            basis,
            (0..n)
                .map(|y| tables.iter().map(|&table| self.values(table)[y]).collect())
                .collect(),
        ))
    }
}

/// Of constants: what each form of the basis changes, if the values are affine.
fn affine(values: &[Byte]) -> Option<Vec<Byte>> {
    let rank = values.len().trailing_zeros() as usize;
    let changes: Vec<Byte> = (0..rank).map(|i| values[1 << i] ^ values[0]).collect();
    let at = |y: usize| {
        (0..rank)
            .filter(|i| y >> i & 1 == 1)
            .fold(values[0], |sum, i| sum ^ changes[i])
    };
    (0..values.len())
        .all(|y| at(y) == values[y])
        .then_some(changes)
}

fn find_essence(values: &[Byte]) -> Option<Essence> {
    let rank = values.len().trailing_zeros() as usize;
    let idle: Vec<usize> = (1..values.len())
        .filter(|&by| (0..values.len()).all(|y| values[y] == values[y ^ by]))
        .collect();
    if idle.is_empty() {
        return None;
    }
    // An echelon of the directions without influence; the sums of forms that no such direction changes.
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for by in idle {
        let rest = pivots.iter().fold(by, |rest, &(pivot, row)| {
            if rest >> pivot & 1 == 1 {
                rest ^ row
            } else {
                rest
            }
        });
        if rest != 0 {
            let pivot = rest.ilog2() as usize;
            for (_, row) in &mut pivots {
                if *row >> pivot & 1 == 1 {
                    *row ^= rest;
                }
            }
            pivots.push((pivot, rest));
        }
    }
    let free: Vec<usize> = (0..rank)
        .filter(|i| pivots.iter().all(|&(pivot, _)| pivot != *i))
        .collect();
    let mask_of = |i: usize| {
        pivots
            .iter()
            .filter(|(_, row)| row >> i & 1 == 1)
            .fold(1 << i, |m, &(p, _)| m | 1 << p)
    };
    let masks = free.iter().map(|&i| mask_of(i)).collect();
    let point = |y: usize| {
        free.iter()
            .enumerate()
            .filter(|(j, _)| y >> j & 1 == 1)
            .map(|(_, i)| 1 << i)
            .sum::<usize>()
    };
    Some(Essence {
        masks,
        values: (0..1 << free.len()).map(|y| values[point(y)]).collect(),
    })
}

/// The functions that the forms of a basis are.
fn coordinates(rank: usize) -> Rows {
    let mut rows = Rows::default();
    for i in 0..rank {
        let set = (0..1_u64 << rank)
            .filter(|y| y >> i & 1 == 1)
            .map(|y| y << 32 | u64::from(ONE))
            .collect();
        rows.reduce(set);
    }
    rows
}

impl Rows {
    /// The rest of a set after all rows whose greatest element it has, and the sum that was taken away.
    fn eliminate(&self, mut set: Vec<u64>) -> (Vec<u64>, Vec<u32>) {
        let (mut sum_of, mut spare) = (Vec::new(), Vec::new());
        while let Some(greatest) = set.last() {
            let found = self.by_greatest.binary_search_by_key(greatest, |row| row.0);
            let Ok(at) = found else { break };
            let row = &self.all[self.by_greatest[at].1 as usize];
            spare.clear();
            add_sets_to(&mut spare, &set, &row.set);
            std::mem::swap(&mut set, &mut spare);
            sum_of = add_sets(&sum_of, &row.sum_of);
        }
        (set, sum_of)
    }

    /// The sum that a function is; it becomes one more row if it is independent of all others.
    fn reduce(&mut self, set: Vec<u64>) -> Vec<u32> {
        let (rest, sum_of) = self.eliminate(set.clone());
        let Some(&greatest) = rest.last() else {
            return sum_of;
        };
        let new = u32::try_from(self.all.len()).expect("fewer than 2^32");
        let at = self.by_greatest.partition_point(|row| row.0 < greatest);
        self.by_greatest.insert(at, (greatest, new));
        self.all.push(Rc::new(Independent {
            function: set,
            set: rest,
            sum_of: add_sets(&sum_of, &[new]),
        }));
        vec![new]
    }
}
