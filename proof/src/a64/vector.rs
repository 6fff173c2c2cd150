// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Instructions of vectors.

use super::A64;
use super::decode::{
    Instruction as I, Logic, Permutation, Permute, Register, Structures, Table, V, VectorShift,
};
use crate::algebra::{Byte, LookUp, Op};
use crate::integers::{Kind, Shift};
use crate::machine::{Result, number, number_bytes};

impl A64<'_> {
    fn part(&self, v: V, wide: usize) -> Vec<Byte> {
        self.vectors[v.0][..wide].to_vec()
    }

    /// Bytes above those written become zeros.
    pub(super) fn set_vector(&mut self, v: V, bytes: &[Byte]) {
        self.vectors[v.0].fill(0);
        self.vectors[v.0][..bytes.len()].copy_from_slice(bytes);
    }

    /// Those of vectors.
    pub(super) fn vector(&mut self, i: &I) -> Result<()> {
        if let Some((to, result)) = self.vector_result(i)? {
            self.set_vector(to, &result);
        }
        match *i {
            I::Structures(ref all) if all.load => self.load_structures(all),
            I::Structures(ref all) => self.store_structures(all),
            I::Element {
                load: false,
                element,
                index,
                vector,
                ref place,
            } => {
                let bytes = self.element(Register::Vector(vector), index, element);
                self.at(place, |all, address| all.store(address, &bytes))
            }
            I::Take {
                index,
                element,
                to,
                from,
            } => {
                let bytes = self.vectors[from.0][index * element..][..element].to_vec();
                self.set_register(to, &bytes);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A vector and what it becomes; `None`: another instruction.
    fn vector_result(&mut self, i: &I) -> Result<Option<(V, Vec<Byte>)>> {
        Ok(Some(match *i {
            I::Replicate {
                element,
                wide,
                to,
                ref place,
            } => {
                let value = self.at(place, |all, address| all.load(address, element))?;
                (to, value.repeat(wide / element))
            }
            I::Element {
                load: true,
                element,
                index,
                vector,
                ref place,
            } => {
                let value = self.at(place, |all, address| all.load(address, element))?;
                let mut all = self.part(vector, 16);
                all[index * element..][..element].copy_from_slice(&value);
                (vector, all)
            }
            I::Not { wide, to, a } => {
                let a = self.part(a, wide);
                (to, self.on_each(Op::Xor, &a, &[0xFF; 16]))
            }
            I::Logic {
                logic,
                wide,
                to,
                a,
                b,
            } => {
                let [a, b, old] = [a, b, to].map(|v| self.part(v, wide));
                let byte = |i| self.logic(logic, a[i], b[i], old[i]);
                (to, (0..wide).map(byte).collect())
            }
            I::ArithmeticEach {
                kind,
                element,
                wide,
                to,
                a,
                b,
            } => (
                to,
                self.arithmetic_each(kind, element, &self.part(a, wide), &self.part(b, wide)),
            ),
            I::SubtractWide {
                element,
                half,
                to,
                a,
                b,
            } => {
                let half = self.vectors[b.0][8 * half..][..8].to_vec();
                let b = self.widened(false, 0, element, &half);
                (
                    to,
                    self.arithmetic_each(Kind::Sub, 2 * element, &self.part(a, 16), &b),
                )
            }
            I::NegateEach {
                element,
                wide,
                to,
                a,
            } => (
                to,
                self.arithmetic_each(Kind::Sub, element, &[0; 16][..wide], &self.part(a, wide)),
            ),
            I::ShiftEach {
                signed,
                element,
                wide,
                to,
                a,
                by,
            } => (
                to,
                self.shift_each(signed, element, &self.part(a, wide), &self.part(by, wide))?,
            ),
            I::Shift(ref shift) => (shift.to, self.shift(shift)),
            I::Narrow { by, element, to, a } => (to, self.narrowed(by, element, a)),
            I::Widen {
                signed,
                by,
                element,
                half,
                to,
                a,
            } => {
                let half = self.vectors[a.0][8 * half..][..8].to_vec();
                (to, self.widened(signed, by, element, &half))
            }
            I::Table(ref table) => (table.to, self.table(table)),
            I::Permute(ref permute) => (permute.to, self.permuted(permute)),
            I::Window { at, wide, to, a, b } => {
                let both = [self.part(a, wide), self.part(b, wide)].concat();
                (to, both[at..at + wide].to_vec())
            }
            I::Duplicate {
                from,
                index,
                element,
                wide,
                to,
            } => (
                to,
                self.element(from, index, element).repeat(wide / element),
            ),
            I::Insert {
                from,
                from_index,
                index,
                element,
                to,
            } => {
                let mut vector = self.part(to, 16);
                let new = self.element(from, from_index, element);
                vector[index * element..][..element].copy_from_slice(&new);
                (to, vector)
            }
            I::Immediate { value, wide, to } => (to, number_bytes(value).repeat(wide / 8)),
            I::Clear { value, wide, to } => {
                let mask = number_bytes(!value).repeat(wide / 8);
                let old = self.part(to, wide);
                (to, self.on_each(Op::And, &old, &mask))
            }
            _ => return Ok(None),
        }))
    }

    fn element(&self, from: Register, index: usize, element: usize) -> Vec<Byte> {
        match from {
            Register::Integer(x) => self.register(x, element),
            Register::Vector(v) => self.vectors[v.0][index * element..][..element].to_vec(),
        }
    }

    // --- memory ----------------------------------------------------------------------------------------------------

    fn load_structures(&mut self, i: &Structures) -> Result<()> {
        let bytes = self.at(&i.place, |all, address| all.load(address, i.n * i.wide))?;
        for (v, vector) in in_a_row(i.first, i.n).into_iter().enumerate() {
            let byte = |at| bytes[place_in_memory(i, v, at)];
            self.set_vector(vector, &(0..i.wide).map(byte).collect::<Vec<_>>());
        }
        Ok(())
    }

    fn store_structures(&mut self, i: &Structures) -> Result<()> {
        let mut bytes = vec![0; i.n * i.wide];
        for (v, vector) in in_a_row(i.first, i.n).into_iter().enumerate() {
            for at in 0..i.wide {
                bytes[place_in_memory(i, v, at)] = self.vectors[vector.0][at];
            }
        }
        self.at(&i.place, |all, address| all.store(address, &bytes))
    }

    // --- bits ------------------------------------------------------------------------------------------------------

    fn logic(&mut self, logic: Logic, a: Byte, b: Byte, old: Byte) -> Byte {
        let algebra = &mut self.common.algebra;
        match logic {
            Logic::And => algebra.op(Op::And, a, b),
            Logic::AndNot => algebra.op(Op::AndNot, b, a),
            Logic::Or => algebra.op(Op::Or, a, b),
            Logic::OrNot => {
                let not = algebra.op(Op::Xor, b, 0xFF);
                algebra.op(Op::Or, a, not)
            }
            Logic::Xor => algebra.op(Op::Xor, a, b),
            Logic::Choose => algebra.select(old, a, b),
            Logic::InsertIf => algebra.select(b, a, old),
            Logic::InsertIfNot => algebra.select(b, old, a),
        }
    }

    fn arithmetic_each(&mut self, kind: Kind, element: usize, a: &[Byte], b: &[Byte]) -> Vec<Byte> {
        let pairs = a.chunks_exact(element).zip(b.chunks_exact(element));
        let results = pairs.map(|(a, b)| self.arithmetic(kind, a, b));
        results.collect::<Vec<_>>().concat()
    }

    /// By constants.
    fn shift_each(
        &mut self,
        signed: bool,
        element: usize,
        a: &[Byte],
        by: &[Byte],
    ) -> Result<Vec<Byte>> {
        let mut result = Vec::new();
        for (a, by) in a.chunks_exact(element).zip(by.chunks_exact(element)) {
            let by = number(&by[..1]).ok_or("a shift depends on a symbol")?;
            let by = by.to_le_bytes()[0].cast_signed();
            let how = match (by < 0, signed) {
                (false, _) => Shift::Left,
                (true, false) => Shift::Right,
                (true, true) => Shift::RightSigned,
            };
            let by = usize::from(by.unsigned_abs()).min(8 * element);
            result.extend(self.shifted(a, how, by));
        }
        Ok(result)
    }

    fn shift(&mut self, i: &VectorShift) -> Vec<Byte> {
        let (a, old) = (self.part(i.a, i.wide), self.part(i.to, i.wide));
        let &VectorShift {
            how,
            insert,
            by,
            element,
            ..
        } = i;
        let mut result = Vec::new();
        for (a, old) in a.chunks_exact(element).zip(old.chunks_exact(element)) {
            let shifted = self.shifted(a, how, by);
            let taken = self.shifted(&vec![0xFF; element], how, by);
            let bytes = (0..element).map(|i| match insert {
                true => self.merged(taken[i], shifted[i], old[i]),
                false => shifted[i],
            });
            result.extend(bytes);
        }
        result
    }

    fn narrowed(&mut self, by: usize, element: usize, a: V) -> Vec<Byte> {
        let vector = self.vectors[a.0];
        let each = vector.chunks_exact(2 * element);
        let narrowed = each.map(|bytes| self.shifted(bytes, Shift::Right, by)[..element].to_vec());
        narrowed.collect::<Vec<_>>().concat()
    }

    fn widened(&mut self, signed: bool, by: usize, element: usize, half: &[Byte]) -> Vec<Byte> {
        let widened = half.chunks_exact(element).map(|bytes| {
            let above = if signed { self.sign(bytes) } else { 0 };
            let mut all = bytes.to_vec();
            all.resize(2 * element, above);
            self.shifted(&all, Shift::Left, by)
        });
        widened.collect::<Vec<_>>().concat()
    }

    // --- places ----------------------------------------------------------------------------------------------------

    fn table(&mut self, i: &Table) -> Vec<Byte> {
        let &Table {
            n,
            stays,
            wide,
            to,
            first,
            indices,
        } = i;
        let vectors = in_a_row(first, n).into_iter();
        let values = vectors.flat_map(|v| self.vectors[v.0]).collect::<Vec<_>>();
        let (indices, old) = (self.part(indices, wide), self.part(to, wide));
        let pairs = indices.into_iter().zip(old);
        pairs
            .map(|(index, old)| self.entry(&values, index, if stays { old } else { 0 }))
            .collect()
    }

    /// The value at an index, or another byte if there is none.
    fn entry(&mut self, values: &[Byte], index: Byte, other: Byte) -> Byte {
        if index < 256 {
            return values.get(index as usize).copied().unwrap_or(other);
        }
        let filled = |value: &[Byte]| {
            let mut all = value.to_vec();
            all.resize(256, 0);
            all
        };
        let table = self.algebra.table(&filled(values));
        let value = self.algebra.look_up(table, LookUp::Low, index);
        if other == 0 {
            return value;
        }
        let inside = self.algebra.table(&filled(&vec![0xFF; values.len()]));
        let inside = self.algebra.look_up(inside, LookUp::Low, index);
        self.algebra.select(inside, value, other)
    }

    fn permuted(&mut self, i: &Permute) -> Vec<Byte> {
        let &Permute {
            how,
            second,
            element,
            wide,
            a,
            b,
            ..
        } = i;
        let (a, b) = (self.part(a, wide), self.part(b, wide));
        let n = wide / element;
        let second = usize::from(second);
        // Of which operand an element comes, and which it is there.
        let from = |i: usize| match how {
            Permutation::Unzip => (2 * i / n, (2 * i + second) % n),
            Permutation::Transpose => (i % 2, i - i % 2 + second),
            Permutation::Zip => (i % 2, i / 2 + second * n / 2),
        };
        (0..wide)
            .map(|at| match from(at / element) {
                (0, i) => a[i * element + at % element],
                (_, i) => b[i * element + at % element],
            })
            .collect()
    }
}

/// Where in memory byte `at` of vector `v` lies.
fn place_in_memory(i: &Structures, v: usize, at: usize) -> usize {
    if i.in_turn {
        (at / i.element * i.n + v) * i.element + at % i.element
    } else {
        v * i.wide + at
    }
}

/// After the last vector comes the first.
fn in_a_row(first: V, n: usize) -> Vec<V> {
    (0..n).map(|i| V((first.0 + i) % 32)).collect()
}
