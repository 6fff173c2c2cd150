// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Instructions of vectors of 16 bytes.

use std::ops::Range;

use wasmparser::{MemArg, Operator as O};

use super::module::as_index;
use super::{Value, Wasm};
use crate::algebra::{Byte, LookUp, Op};
use crate::integers::{Kind, Shift};
use crate::machine::Result;

impl Wasm<'_> {
    pub(super) fn vector(&mut self, operator: &O, at: u64) -> Result<()> {
        match *operator {
            O::V128Const { value } => self.push(&value.bytes().map(Byte::from)),
            O::V128Xor => self.bytewise(Op::Xor),
            O::V128And => self.bytewise(Op::And),
            O::V128Or => self.bytewise(Op::Or),
            O::I8x16Sub => self.bytewise(Op::Sub),
            O::I8x16LtS => {
                let (b, a) = (self.pop(), self.pop());
                self.stack.extend([b, a]);
                self.bytewise(Op::Greater);
            }
            O::I32x4Add => self.add_words(),
            O::I32x4Shl => self.shift_words(Shift::Left)?,
            O::I32x4ShrU => self.shift_words(Shift::Right)?,
            O::I8x16Swizzle => self.swizzle(),
            O::I8x16Shuffle { lanes } => {
                let (b, a) = (self.pop(), self.pop());
                let both = [a, b].concat();
                self.push(&lanes.map(|lane| both[usize::from(lane)]));
            }
            O::I32x4Splat => {
                let value = self.pop();
                self.push(&value[..4].repeat(4));
            }
            O::V128Load32Splat { memarg } => {
                let word = self.load(at, &memarg, 4)?;
                self.push(&word.repeat(4));
            }
            O::I32x4ExtractLane { lane } => {
                let vector = self.pop();
                self.push(&vector[word(lane)]);
            }
            O::V128Store32Lane { memarg, lane } => {
                let vector = self.pop();
                self.store(&memarg, &vector[word(lane)])?;
            }
            _ => return Err("the interpreter lacks this instruction".into()),
        }
        Ok(())
    }

    fn bytewise(&mut self, op: Op) {
        let (b, a) = (self.pop(), self.pop());
        let result = self.on_each(op, &a, &b);
        self.push(&result);
    }

    fn add_words(&mut self) {
        let (b, a) = (self.pop(), self.pop());
        let pairs = a.chunks_exact(4).zip(b.chunks_exact(4));
        let sums: Vec<_> = pairs
            .map(|(a, b)| self.arithmetic(Kind::Add, a, b))
            .collect();
        self.push(&sums.concat());
    }

    fn shift_words(&mut self, how: Shift) -> Result<()> {
        let by = as_index(self.constant(4)? % 32);
        let value = self.pop();
        let words = value.chunks_exact(4);
        let results: Vec<_> = words.map(|word| self.shifted(word, how, by)).collect();
        self.push(&results.concat());
        Ok(())
    }

    fn swizzle(&mut self) {
        let (indices, values) = (self.pop(), self.pop());
        let table = self.algebra.table(&values);
        let look_up = |index| self.common.algebra.look_up(table, LookUp::OrZero, index);
        let result: Value = indices.map(look_up);
        self.push(&result);
    }
}

/// The bytes of a word.
fn word(lane: u8) -> Range<usize> {
    let at = 4 * usize::from(lane);
    at..at + 4
}

pub(super) fn place_of(operator: &O) -> Option<MemArg> {
    match *operator {
        O::V128Load32Splat { memarg } | O::V128Store32Lane { memarg, .. } => Some(memarg),
        _ => None,
    }
}
