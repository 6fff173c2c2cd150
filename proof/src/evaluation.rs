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
            Origin::Any(list) => {
                let forms = self.algebra.forms_of_list(list);
                forms.iter().fold(false, |any, &form| any | self.bit(form))
            }
            Origin::Product(a, b) => self.atom(a) & self.atom(b),
            Origin::Name(form) => self.bit(form),
            Origin::Integer(list, bit) => {
                let forms = self.algebra.forms_of_list(list);
                let [a, b] = [0, 64].map(|at| self.number(&forms[at..at + 64]));
                a.wrapping_mul(b) >> bit & 1 == 1
            }
        };
        self.known.insert(atom, value);
        value
    }

    fn number(&mut self, forms: &[Bit]) -> u64 {
        let bits = forms.iter().enumerate();
        bits.fold(0, |number, (i, &form)| {
            number | u64::from(self.bit(form)) << i
        })
    }

    fn word(&mut self, word: Word) -> u32 {
        u32::from_le_bytes(word.map(|byte| self.byte(byte)))
    }
}
