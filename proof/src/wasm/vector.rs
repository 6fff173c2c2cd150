// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Instructions of vectors of 16 bytes.

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
            O::I32x4Add => self.each(4, Kind::Add),
            O::I64x2Mul => self.each(8, Kind::Multiply),
            O::I32x4Shl => self.shift_each(4, Shift::Left)?,
            O::I32x4ShrU => self.shift_each(4, Shift::Right)?,
            O::I8x16Swizzle => self.swizzle(),
            O::I8x16Shuffle { lanes } => {
                let (b, a) = (self.pop(), self.pop());
                let both = [a, b].concat();
                self.push(&lanes.map(|lane| both[usize::from(lane)]));
            }
            _ => return self.lanes(operator, at),
        }
        Ok(())
    }

    /// Single elements, in memory or not.
    fn lanes(&mut self, operator: &O, at: u64) -> Result<()> {
        if let Some((place, n)) = load_splat_of(operator) {
            let bytes = self.load(at, &place, n)?;
            self.push(&bytes.repeat(16 / n));
        } else if let Some(n) = splat_of(operator) {
            let value = self.pop();
            self.push(&value[..n].repeat(16 / n));
        } else if let Some((place, n, lane)) = load_lane_of(operator) {
            let mut vector = self.pop();
            let bytes = self.load(at, &place, n)?;
            vector[n * lane..n * (lane + 1)].copy_from_slice(&bytes);
            self.push(&vector);
        } else if let Some((place, n, lane)) = store_lane_of(operator) {
            let vector = self.pop();
            self.store(&place, &vector[n * lane..n * (lane + 1)])?;
        } else if let Some((n, lane)) = extract_of(operator) {
            let vector = self.pop();
            self.push(&vector[n * lane..n * (lane + 1)]);
        } else if let Some((n, lane)) = replace_of(operator) {
            let (value, mut vector) = (self.pop(), self.pop());
            vector[n * lane..n * (lane + 1)].copy_from_slice(&value[..n]);
            self.push(&vector);
        } else {
            return Err("the interpreter lacks this instruction".into());
        }
        Ok(())
    }

    fn bytewise(&mut self, op: Op) {
        let (b, a) = (self.pop(), self.pop());
        let result = self.on_each(op, &a, &b);
        self.push(&result);
    }

    /// On each element of n bytes.
    fn each(&mut self, n: usize, kind: Kind) {
        let (b, a) = (self.pop(), self.pop());
        let pairs = a.chunks_exact(n).zip(b.chunks_exact(n));
        let results: Vec<_> = pairs.map(|(a, b)| self.arithmetic(kind, a, b)).collect();
        self.push(&results.concat());
    }

    fn shift_each(&mut self, n: usize, how: Shift) -> Result<()> {
        let by = as_index(self.constant(4)? % (8 * n as u64));
        let value = self.pop();
        let elements = value.chunks_exact(n);
        let results: Vec<_> = elements.map(|each| self.shifted(each, how, by)).collect();
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

pub(super) fn place_of(operator: &O) -> Option<MemArg> {
    let lane = load_lane_of(operator).or_else(|| store_lane_of(operator));
    let splat = load_splat_of(operator).map(|(place, _)| place);
    splat.or_else(|| lane.map(|(place, ..)| place))
}

fn splat_of(operator: &O) -> Option<usize> {
    Some(match operator {
        O::I32x4Splat => 4,
        O::I64x2Splat => 8,
        _ => return None,
    })
}

fn load_splat_of(operator: &O) -> Option<(MemArg, usize)> {
    Some(match *operator {
        O::V128Load8Splat { memarg } => (memarg, 1),
        O::V128Load32Splat { memarg } => (memarg, 4),
        O::V128Load64Splat { memarg } => (memarg, 8),
        _ => return None,
    })
}

/// The place, the bytes of an element, and which.
fn load_lane_of(operator: &O) -> Option<(MemArg, usize, usize)> {
    Some(match *operator {
        O::V128Load8Lane { memarg, lane } => (memarg, 1, lane.into()),
        O::V128Load32Lane { memarg, lane } => (memarg, 4, lane.into()),
        O::V128Load64Lane { memarg, lane } => (memarg, 8, lane.into()),
        _ => return None,
    })
}

fn store_lane_of(operator: &O) -> Option<(MemArg, usize, usize)> {
    Some(match *operator {
        O::V128Store32Lane { memarg, lane } => (memarg, 4, lane.into()),
        _ => return None,
    })
}

fn extract_of(operator: &O) -> Option<(usize, usize)> {
    Some(match *operator {
        O::I32x4ExtractLane { lane } => (4, lane.into()),
        O::I64x2ExtractLane { lane } => (8, lane.into()),
        _ => return None,
    })
}

fn replace_of(operator: &O) -> Option<(usize, usize)> {
    Some(match *operator {
        O::I32x4ReplaceLane { lane } => (4, lane.into()),
        O::I64x2ReplaceLane { lane } => (8, lane.into()),
        _ => return None,
    })
}
