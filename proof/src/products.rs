// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Products of forms, as sums of products of atoms: so they do not depend on how a product was split into smaller ones.
//! An atom times itself is that atom.
//!
//! A form that has products inside is not multiplied as it is. It gets a name, that is an atom, first; a sum of such
//! forms gets the sum of their names. So all products are of two atoms.

use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, Atom, Bit, Byte, Origin, UNKNOWN, add_sets};

/// A form without those that were named before, and the sum of names that it has.
struct Row {
    atoms: Vec<Atom>,
    names: Vec<Atom>,
}

#[derive(Default)]
pub struct Products {
    of_atoms: FxHashMap<(Atom, Atom), Atom>,
    /// By the greatest atom.
    rows: FxHashMap<Atom, Row>,
    named: FxHashMap<Bit, Vec<Atom>>,
    memo_integer: FxHashMap<(Vec<Byte>, Vec<Byte>), Vec<Byte>>,
}

impl Products {
    /// The product of polynomials of 64 bits each.
    pub fn carryless(&mut self, algebra: &mut Algebra, a: &[Byte], b: &[Byte]) -> Vec<Byte> {
        if a.contains(&UNKNOWN) || b.contains(&UNKNOWN) {
            return vec![UNKNOWN; 16];
        }
        let (a, b) = (bits_of(algebra, a), bits_of(algebra, b));
        let bits: Vec<Bit> = (0..128)
            .map(|at| self.sum(algebra, &pairs(&a, &b, at)))
            .collect();
        bytes_of(algebra, &bits)
    }

    /// The lowest 64 bits of a product of integers of at most 64 bits. A bit that a carry may reach is one of which the
    /// algebra knows nothing else.
    pub fn integer(&mut self, algebra: &mut Algebra, a: &[Byte], b: &[Byte]) -> Vec<Byte> {
        if a.contains(&UNKNOWN) || b.contains(&UNKNOWN) {
            return vec![UNKNOWN; a.len()];
        }
        let key = (a.to_vec(), b.to_vec());
        if let Some(product) = self.memo_integer.get(&key) {
            return product.clone();
        }
        let [x, y] = [a, b].map(|bytes| {
            let mut bits = bits_of(algebra, bytes);
            bits.resize(64, 0);
            bits
        });
        let forms = [x.as_slice(), &y].concat();
        let (list, depth) = (algebra.list(&forms), 1 + algebra.depth(&forms));
        let mut below: u128 = 0; // the greatest value of all products at lower places
        let mut bits = Vec::new();
        for at in 0..8 * a.len() {
            let pairs = pairs(&x, &y, at);
            bits.push(if below >> at == 0 {
                self.sum(algebra, &pairs)
            } else {
                let atom = algebra.new_atom(Origin::Integer(list, at), depth);
                algebra.sum_of_atoms(vec![atom])
            });
            below += (pairs.len() as u128) << at;
        }
        let product = bytes_of(algebra, &bits);
        self.memo_integer.insert(key, product.clone());
        product
    }

    /// The sum of products of two forms each.
    pub fn sum(&mut self, algebra: &mut Algebra, pairs: &[(Bit, Bit)]) -> Bit {
        let mut atoms = Vec::new();
        for &(a, b) in pairs {
            match (a, b) {
                (0, _) | (_, 0) => {}
                (1, x) | (x, 1) => atoms.extend_from_slice(algebra.atoms(x)),
                _ => self.expand(algebra, a, b, &mut atoms),
            }
        }
        atoms.sort_unstable();
        let odd = atoms
            .chunk_by(|a, b| a == b)
            .filter(|run| run.len() % 2 == 1);
        let odd = odd.map(|run| run[0]).collect();
        algebra.sum_of_atoms(odd)
    }

    fn expand(&mut self, algebra: &mut Algebra, a: Bit, b: Bit, into: &mut Vec<Atom>) {
        let (a, b) = (self.factor(algebra, a), self.factor(algebra, b));
        for &x in &a {
            for &y in &b {
                into.push(self.of_atoms(algebra, x, y));
            }
        }
    }

    fn of_atoms(&mut self, algebra: &mut Algebra, x: Atom, y: Atom) -> Atom {
        match (x, y) {
            (Algebra::ONE, other) | (other, Algebra::ONE) => other,
            _ if x == y => x,
            _ => *self
                .of_atoms
                .entry((x.min(y), x.max(y)))
                .or_insert_with(|| {
                    let depth = 1 + algebra.depth_of_atoms(&[x, y]);
                    algebra.new_atom(Origin::Product(x, y), depth)
                }),
        }
    }

    /// The atoms whose sum a form is, none of them a product.
    fn factor(&mut self, algebra: &mut Algebra, form: Bit) -> Vec<Atom> {
        let atoms = algebra.atoms(form);
        if !atoms.iter().any(|&atom| is_product(algebra, atom)) {
            return atoms.to_vec();
        }
        if let Some(names) = self.named.get(&form) {
            return names.clone();
        }
        let names = self.name(algebra, atoms.to_vec());
        self.named.insert(form, names.clone());
        names
    }

    fn name(&mut self, algebra: &mut Algebra, mut rest: Vec<Atom>) -> Vec<Atom> {
        let mut names = Vec::new();
        while let Some(greatest) = rest.last() {
            let Some(row) = self.rows.get(greatest) else {
                break;
            };
            rest = add_sets(&rest, &row.atoms);
            names = add_sets(&names, &row.names);
        }
        match rest.last() {
            None => names,
            Some(&Algebra::ONE) => add_sets(&names, &[Algebra::ONE]),
            Some(&greatest) => {
                let form = algebra.sum_of_atoms(rest.clone());
                let new = algebra.new_atom(Origin::Name(form), 1 + algebra.depth_of_atoms(&rest));
                let row = Row {
                    atoms: rest,
                    names: vec![new],
                };
                self.rows.insert(greatest, row);
                add_sets(&names, &[new])
            }
        }
    }
}

fn is_product(algebra: &Algebra, atom: Atom) -> bool {
    matches!(algebra.origin(atom), Origin::Product(..))
}

/// The pairs of bits, neither of them 0, whose places have this sum.
fn pairs(a: &[Bit], b: &[Bit], at: usize) -> Vec<(Bit, Bit)> {
    (at.saturating_sub(b.len() - 1)..a.len().min(at + 1))
        .map(|i| (a[i], b[at - i]))
        .filter(|&(a, b)| a != 0 && b != 0)
        .collect()
}

/// The lowest first.
pub fn bits_of(algebra: &mut Algebra, bytes: &[Byte]) -> Vec<Bit> {
    bytes.iter().flat_map(|&byte| algebra.bits(byte)).collect()
}

pub fn bytes_of(algebra: &mut Algebra, bits: &[Bit]) -> Vec<Byte> {
    let bytes = bits.chunks_exact(8);
    bytes
        .map(|bits| algebra.byte(bits.try_into().expect("8 bits")))
        .collect()
}
