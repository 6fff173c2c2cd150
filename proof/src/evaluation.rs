// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Values of bytes for given values of the symbols. No proof uses it: it serves the tests of the algebra itself.

use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, Atom, Bit, Byte, Origin};
use crate::sums::{Sums, Word};

/// The values of the symbols, each chosen when it is asked for first; and of all that was computed of them.
pub struct Evaluation<'a> {
    algebra: &'a mut Algebra,
    sums: &'a Sums,
    choose: Box<dyn FnMut() -> bool + 'a>,
    known: FxHashMap<Atom, bool>,
}

impl<'a> Evaluation<'a> {
    pub fn new(
        algebra: &'a mut Algebra,
        sums: &'a Sums,
        choose: impl FnMut() -> bool + 'a,
    ) -> Self {
        let known = std::iter::once((Algebra::ONE, true)).collect();
        Self {
            algebra,
            sums,
            choose: Box::new(choose),
            known,
        }
    }

    pub fn byte(&mut self, byte: Byte) -> u8 {
        let bits = self.algebra.bits(byte);
        (0..8).map(|i| u8::from(self.bit(bits[i])) << i).sum()
    }

    fn bit(&mut self, bit: Bit) -> bool {
        let atoms = self.algebra.atoms(bit).to_vec();
        atoms
            .into_iter()
            .fold(false, |sum, atom| sum ^ self.atom(atom))
    }

    fn atom(&mut self, atom: Atom) -> bool {
        if let Some(&value) = self.known.get(&atom) {
            return value;
        }
        let value = match self.algebra.origin(atom) {
            Origin::Free => (self.choose)(),
            Origin::Function(basis, which) => {
                let (forms, set) = self.algebra.function(basis, which);
                let point = forms
                    .iter()
                    .enumerate()
                    .fold(0, |y, (i, &form)| y | u64::from(self.bit(form)) << i);
                set.into_iter()
                    .filter(|&(y, _)| y == point)
                    .fold(false, |sum, (_, atom)| sum ^ self.atom(atom))
            }
            Origin::Sum { number, bit } => {
                let sums = self.sums;
                let sum = &sums.all[number];
                let total = sum.words.iter().fold(sum.constant, |total, &word| {
                    total.wrapping_add(self.word(word))
                });
                total >> bit & 1 == 1
            }
        };
        self.known.insert(atom, value);
        value
    }

    fn word(&mut self, word: Word) -> u32 {
        u32::from_le_bytes(word.map(|byte| self.byte(byte)))
    }
}
