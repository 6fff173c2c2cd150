// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Integers as bytes, the lowest first: the arithmetic that all processors share.

use crate::algebra::{Byte, Op, UNKNOWN};
use crate::carries;
use crate::look_up;
use crate::machine::{Common, number, number_bytes};
use crate::sums::{UNKNOWN_WORD, Word, as_constant, constant, without_carries};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Xor,
    And,
    Or,
    Add,
    Sub,
    Multiply,
    /// The first operand as it is: the result of a shift, of which only zero and sign are used.
    Value,
    /// The first operand as the high half of a product: carry and overflow say whether it is 0, the others nothing.
    High,
}

impl Kind {
    pub fn result(self, a: u64, b: u64, size: usize) -> u64 {
        let result = match self {
            Self::Xor => a ^ b,
            Self::And => a & b,
            Self::Or => a | b,
            Self::Add => a.wrapping_add(b),
            Self::Sub => a.wrapping_sub(b),
            Self::Multiply => a.wrapping_mul(b),
            Self::Value | Self::High => a,
        };
        low_bits(result, size)
    }

    /// The operation on each byte alone, if there is one.
    fn bytewise(self) -> Option<Op> {
        match self {
            Self::Xor => Some(Op::Xor),
            Self::And => Some(Op::And),
            Self::Or => Some(Op::Or),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    Left,
    Right,
    /// To the right, with copies of the sign.
    RightSigned,
    RotateLeft,
    RotateRight,
}

impl Shift {
    pub fn is_rotation(self) -> bool {
        matches!(self, Self::RotateLeft | Self::RotateRight)
    }
}

/// The lowest bytes of a number.
pub fn low_bits(value: u64, size: usize) -> u64 {
    if size == 8 {
        value
    } else {
        value & ((1 << (8 * size)) - 1)
    }
}

impl Common {
    /// A byte of all zeros or all ones, as the highest bit is.
    pub fn sign(&mut self, bytes: &[Byte]) -> Byte {
        self.algebra
            .spread(*bytes.last().expect("at least one byte"), 7)
    }

    /// By a constant number of bits, at most all of them.
    pub fn shifted(&mut self, bytes: &[Byte], how: Shift, by: usize) -> Vec<Byte> {
        let n_bits = 8 * bytes.len();
        let (right, fill) = match how {
            Shift::Left => (n_bits - by, [vec![0; bytes.len()], bytes.to_vec(), vec![0]]),
            Shift::Right => (by, [bytes.to_vec(), vec![0; bytes.len()], vec![0]]),
            Shift::RightSigned => {
                let sign = self.sign(bytes);
                (by, [bytes.to_vec(), vec![sign; bytes.len()], vec![sign]])
            }
            Shift::RotateLeft => (n_bits - by, [bytes.to_vec(), bytes.to_vec(), vec![0]]),
            Shift::RotateRight => (by, [bytes.to_vec(), bytes.to_vec(), vec![0]]),
        };
        let all = fill.concat();
        (0..bytes.len())
            .map(|i| {
                self.algebra
                    .window(all[i + right / 8], all[i + right / 8 + 1], right % 8)
            })
            .collect()
    }

    /// A result of as many bytes as both operands have.
    pub fn arithmetic(&mut self, kind: Kind, a: &[Byte], b: &[Byte]) -> Vec<Byte> {
        let size = a.len();
        if let (Some(a), Some(b)) = (number(a), number(b)) {
            return number_bytes(kind.result(a, b, size))[..size].to_vec();
        }
        if let Some(op) = kind.bytewise() {
            return self.on_each(op, a, b);
        }
        // The lowest bytes depend on no others.
        let known = |bytes: &[Byte]| bytes.iter().position(|&byte| byte == UNKNOWN);
        let low = [known(a), known(b)].into_iter().flatten().min();
        if let Some(low) = low {
            let mut result = match low {
                0 => Vec::new(),
                _ => self.arithmetic(kind, &a[..low], &b[..low]),
            };
            result.resize(size, UNKNOWN);
            return result;
        }
        if kind == Kind::Add {
            for (zero, other) in [(a, b), (b, a)] {
                if number(zero) == Some(0) {
                    return other.to_vec();
                }
            }
        }
        // A table of points would settle the gates of bit slices.
        if kind == Kind::Add
            && self.algebra.bit_slices
            && let Some(sum) = without_carries(&mut self.algebra, a, b)
        {
            return sum;
        }
        let both = [a, b].concat();
        let by_points = self.algebra.map_points(&both, |at| {
            let result = kind.result(
                number(&at[..size]).expect("constant"),
                number(&at[size..]).expect("constant"),
                size,
            );
            number_bytes(result)[..size].to_vec()
        });
        by_points
            .or_else(|| self.by_bytes(kind, a, b))
            .or_else(|| self.spread_bits(kind, a, b))
            .unwrap_or_else(|| self.of_many_bits(kind, a, b))
    }

    /// A sum or difference in which the carry of each byte is a constant.
    fn by_bytes(&mut self, kind: Kind, a: &[Byte], b: &[Byte]) -> Option<Vec<Byte>> {
        let is_sum = kind == Kind::Add;
        if !is_sum && kind != Kind::Sub {
            return None;
        }
        let mut carry = 0;
        let mut result = Vec::new();
        for (&a, &b) in a.iter().zip(b) {
            let both = self.algebra.map_points(&[a, b], |at| {
                let sum = if is_sum {
                    at[0] + at[1] + carry
                } else {
                    0x100 + at[0] - at[1] - carry
                };
                vec![sum & 0xFF, sum >> 8 ^ u32::from(!is_sum)]
            })?;
            result.push(both[0]);
            carry = both[1];
            if carry > 1 {
                return None; // it is a symbol
            }
        }
        Some(result)
    }

    /// (x << n) - x or x (2^n - 1) where the bits of x are n apart: each is spread over the n bits from its own on.
    fn spread_bits(&mut self, kind: Kind, a: &[Byte], b: &[Byte]) -> Option<Vec<Byte>> {
        let (x, n) = match (kind, number(b)) {
            (Kind::Multiply, Some(0xF)) => (a, 4),
            (Kind::Multiply, Some(0xFF)) => (a, 8),
            (Kind::Sub, None) if self.shifted(b, Shift::Left, 4) == a => (b, 4),
            (Kind::Sub, None) if self.shifted(b, Shift::Left, 8) == a => (b, 8),
            _ => return None,
        };
        self.algebra.spread_each(x, n)
    }

    /// The operation on each byte.
    pub fn on_each(&mut self, op: Op, a: &[Byte], b: &[Byte]) -> Vec<Byte> {
        let pairs = a.iter().zip(b);
        pairs.map(|(&a, &b)| self.algebra.op(op, a, b)).collect()
    }

    /// `yes` in the bits that a constant has, else `no`.
    pub fn merged(&mut self, mask: Byte, yes: Byte, no: Byte) -> Byte {
        let yes = self.algebra.op(Op::And, yes, mask);
        let no = self.algebra.op(Op::AndNot, mask, no);
        self.algebra.op(Op::Or, yes, no)
    }

    /// A product, or a sum or difference.
    fn of_many_bits(&mut self, kind: Kind, a: &[Byte], b: &[Byte]) -> Vec<Byte> {
        let size = a.len();
        if let Some(sum) = self.without_carries(kind, a, b) {
            return sum;
        }
        match kind {
            Kind::Add if a == b && !a.contains(&UNKNOWN) => self.shifted(a, Shift::Left, 1),
            Kind::Add if size == 8 && !self.has_offset(a) && self.counts(a, b) => {
                carries::add(&mut self.algebra, a, b, 0).0
            }
            Kind::Multiply if size >= 4 => self.products.integer(&mut self.algebra, a, b),
            Kind::Add | Kind::Sub if size >= 4 => self.low_word(kind, a, b),
            _ => vec![UNKNOWN; size],
        }
    }

    /// A sum of 64 bits, or a - b with a constant b, of numbers that have no bit at the same place.
    fn without_carries(&mut self, kind: Kind, a: &[Byte], b: &[Byte]) -> Option<Vec<Byte>> {
        if a.len() != 8 || self.algebra.bit_slices {
            return None;
        }
        let added = match (kind, number(b)) {
            (Kind::Add, _) => b.to_vec(),
            (Kind::Sub, Some(b)) => number_bytes(b.wrapping_neg()).to_vec(),
            _ => return None,
        };
        without_carries(&mut self.algebra, a, &added)
    }

    /// The lowest 32 bits of a sum, or of a - b with a constant b, which is a + (0 - b). The others are known if both halves
    /// above are constants, and there is no carry between.
    fn low_word(&mut self, kind: Kind, a: &[Byte], b: &[Byte]) -> Vec<Byte> {
        let size = a.len();
        let above = [a, b].map(|bytes| number(&bytes[4..]));
        let [a, b] = [a, b].map(|bytes| std::array::from_fn(|i| bytes[i]));
        let added = match as_constant(b) {
            _ if kind == Kind::Add => b,
            Some(value) => constant(value.wrapping_neg()),
            None => UNKNOWN_WORD,
        };
        let mut result = self.sums.add(&mut self.algebra, a, added).to_vec();
        if let [Some(a_above), Some(b_above)] = above
            && size == 8
            && kind == Kind::Add
            && !self.may_carry(a, b)
        {
            let above = number_bytes(a_above.wrapping_add(b_above));
            result.extend(&above[..4]);
        }
        result.resize(size, UNKNOWN);
        result
    }

    /// Whether a sum of words may be 2^32 or more.
    fn may_carry(&self, a: Word, b: Word) -> bool {
        let is_known = !a.contains(&UNKNOWN) && !b.contains(&UNKNOWN);
        let most = |word| self.sums.most(&self.algebra, word);
        !is_known || (most(a) + most(b)) >> 32 != 0
    }

    /// The bytes that an address of 64 bits depends on, and how: a constant that is added to a word does not count.
    pub fn parts_of_address(
        &self,
        address: &[Byte],
    ) -> (Vec<Byte>, impl Fn(&[Byte]) -> u64 + use<>) {
        let low = std::array::from_fn(|i| address[i]);
        let sum = number(&address[4..]).zip(self.sums.word_and_constant(low));
        let parts = sum.map_or_else(|| address.to_vec(), |(_, (word, _))| word.to_vec());
        let at = move |at: &[Byte]| {
            let value = number(at).expect("constant");
            match sum {
                Some((above, (_, constant))) => {
                    above << 32 | low_bits(value + u64::from(constant), 4)
                }
                None => value,
            }
        };
        (parts, at)
    }

    /// Whether it is a sum of a word and a constant, such as an address in a table.
    fn has_offset(&self, bytes: &[Byte]) -> bool {
        let low = std::array::from_fn(|i| bytes[i]);
        number(&bytes[4..]).is_some() && self.sums.word_and_constant(low).is_some()
    }

    /// Whether at most one carry meets symbols: above zeros of either number the lowest bytes are constants, or one number is
    /// a single bit. Sums of other words have a form of their own, and so have those in bit slices.
    fn counts(&mut self, a: &[Byte], b: &[Byte]) -> bool {
        if self.algebra.bit_slices || a.contains(&UNKNOWN) || b.contains(&UNKNOWN) {
            return false;
        }
        let mut is_bit = |bytes: &[Byte]| {
            number(bytes).is_some_and(u64::is_power_of_two)
                || bytes[1..].iter().all(|&byte| byte == 0)
                    && self.algebra.bits(bytes[0])[1..] == [0; 7]
        };
        let above_zeros = a.iter().zip(b).find(|&(&a, &b)| a != 0 && b != 0);
        above_zeros.is_none_or(|(&a, &b)| a < 256 && b < 256) || is_bit(a) || is_bit(b)
    }

    /// `n` bytes at an address that depends on symbols, which has a value for each of those of `parts`. `place` is that of
    /// the instruction.
    pub fn look_up(
        &mut self,
        place: u64,
        parts: &[Byte],
        address: impl Fn(&[Byte]) -> Result<u64, String>,
        n: usize,
    ) -> Result<Vec<Byte>, String> {
        self.look_ups.push(place);
        look_up::load(self, parts, n, address)
    }

    /// `None`: the address depends on more than eight bits.
    pub fn look_up_of_few_bits(
        &mut self,
        place: u64,
        parts: &[Byte],
        address: impl Fn(&[Byte]) -> Result<u64, String>,
        n: usize,
    ) -> Result<Option<Vec<Byte>>, String> {
        self.look_ups.push(place);
        look_up::load_by_points(self, parts, n, address)
    }
}
