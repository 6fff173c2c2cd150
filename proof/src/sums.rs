// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Sums of words of 32 bits, in a form that no order of the additions changes: a set of words and a constant.

use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, Bit, Byte, Origin, UNKNOWN};

/// Its bytes, the lowest first.
pub type Word = [Byte; 4];

pub const UNKNOWN_WORD: Word = [UNKNOWN; 4];

pub fn constant(value: u32) -> Word {
    value.to_le_bytes().map(Byte::from)
}

pub fn as_constant(word: Word) -> Option<u32> {
    word.iter()
        .all(|&byte| byte < 256)
        .then(|| u32::from_le_bytes(word.map(|byte| byte.to_le_bytes()[0])))
}

/// A sum of different words and a constant.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Sum {
    pub words: Vec<Word>,
    pub constant: u32,
}

#[derive(Default)]
pub struct Sums {
    pub all: Vec<Sum>,
    by_word: FxHashMap<Word, Sum>,
    words: FxHashMap<Sum, Word>,
    memo: FxHashMap<(Word, Word), Word>,
}

impl Sums {
    pub fn add(&mut self, algebra: &mut Algebra, a: Word, b: Word) -> Word {
        if a == constant(0) {
            return b;
        }
        if b == constant(0) {
            return a;
        }
        if a.contains(&UNKNOWN) || b.contains(&UNKNOWN) {
            return UNKNOWN_WORD;
        }
        if let Some(&sum) = self.memo.get(&(a, b)) {
            return sum;
        }
        let sum = self.add_new(algebra, a, b);
        self.memo.insert((a, b), sum);
        self.memo.insert((b, a), sum);
        sum
    }

    fn add_new(&mut self, algebra: &mut Algebra, a: Word, b: Word) -> Word {
        if let Some(sum) = of_few_bits(algebra, a, b) {
            return sum;
        }
        let (a, b) = (
            a.map(|byte| algebra.settle(byte)),
            b.map(|byte| algebra.settle(byte)),
        );
        if let Some(sum) = without_carries(algebra, &a, &b) {
            return std::array::from_fn(|i| sum[i]);
        }
        if a == b {
            return double(algebra, a); // even if a is a sum itself: compilers shift by a bit in this way
        }
        let mut sum = self.sum_of(a);
        let other = self.sum_of(b);
        sum.constant = sum.constant.wrapping_add(other.constant);
        for word in other.words {
            include(algebra, &mut sum.words, word);
        }
        self.word_of(algebra, sum)
    }

    /// No value of the word, of which all is known, is greater.
    pub fn most(&self, algebra: &Algebra, word: Word) -> u64 {
        let most = |word: &Word| {
            let bytes = word.map(|byte| algebra.may_be_one(byte));
            u64::from(u32::from_le_bytes(bytes))
        };
        let sum = self.by_word.get(&word).map(|sum| {
            let words: u64 = sum.words.iter().map(most).sum();
            u64::from(sum.constant) + words
        });
        sum.filter(|sum| sum >> 32 == 0)
            .unwrap_or_else(|| most(&word))
    }

    /// The word and the constant whose sum it is; `None`: it is the sum of several words.
    pub fn word_and_constant(&self, word: Word) -> Option<(Word, u32)> {
        let sum = self.by_word.get(&word)?;
        match sum.words.as_slice() {
            &[other] => Some((other, sum.constant)),
            _ => None,
        }
    }

    fn sum_of(&self, word: Word) -> Sum {
        if let Some(value) = as_constant(word) {
            return Sum {
                words: Vec::new(),
                constant: value,
            };
        }
        self.by_word.get(&word).cloned().unwrap_or_else(|| Sum {
            words: vec![word],
            constant: 0,
        })
    }

    fn word_of(&mut self, algebra: &mut Algebra, mut sum: Sum) -> Word {
        sum.words.sort_unstable();
        match (sum.words.as_slice(), sum.constant) {
            ([], value) => return constant(value),
            ([word], 0) => return *word,
            _ => {}
        }
        *self.words.entry(sum).or_insert_with_key(|sum| {
            let number = self.all.len();
            let depth = 1 + depth(algebra, sum);
            let low = low_bits(algebra, sum);
            let word = std::array::from_fn(|i| {
                let bits = std::array::from_fn(|bit| match low.get(8 * i + bit) {
                    Some(&form) => form,
                    None => {
                        let bit = 8 * i + bit;
                        algebra.new_bit(Origin::Sum { number, bit }, depth)
                    }
                });
                algebra.byte(bits)
            });
            self.all.push(sum.clone());
            self.by_word.insert(word, sum.clone());
            word
        })
    }
}

fn depth(algebra: &mut Algebra, sum: &Sum) -> u32 {
    let bytes = sum.words.concat();
    let bits: Vec<Bit> = bytes.iter().flat_map(|&byte| algebra.bits(byte)).collect();
    algebra.depth(&bits)
}

/// The lowest bits of a sum, as far as no carry reaches. Adders made of gates know them; elsewhere they only make forms
/// longer.
fn low_bits(algebra: &mut Algebra, sum: &Sum) -> Vec<Bit> {
    if !algebra.bit_slices {
        return Vec::new();
    }
    let mut words = sum.words.clone();
    words.push(constant(sum.constant));
    let words: Vec<Vec<Bit>> = words
        .iter()
        .map(|word| word.map(|byte| algebra.bits(byte)).concat())
        .collect();
    let mut low = Vec::new();
    for i in 0..32 {
        let bits: Vec<Bit> = words
            .iter()
            .map(|word| word[i])
            .filter(|&bit| bit != 0)
            .collect();
        low.push(bits.iter().fold(0, |sum, &bit| algebra.xor_bits(sum, bit)));
        if bits.len() > 1 {
            break;
        }
    }
    low
}

/// Adds a word to a sum; twice the same word is that word, shifted by a bit.
fn include(algebra: &mut Algebra, words: &mut Vec<Word>, word: Word) {
    if word == constant(0) {
        return;
    }
    match words.iter().position(|other| *other == word) {
        None => words.push(word),
        Some(at) => {
            words.swap_remove(at);
            let doubled = double(algebra, word);
            include(algebra, words, doubled);
        }
    }
}

fn double(algebra: &mut Algebra, word: Word) -> Word {
    std::array::from_fn(|i| algebra.window(if i == 0 { 0 } else { word[i - 1] }, word[i], 7))
}

fn of_few_bits(algebra: &mut Algebra, a: Word, b: Word) -> Option<Word> {
    let both = [a, b].concat();
    let sum = algebra.map_points(&both, |at| {
        let number = |bytes: &[Byte]| bytes.iter().rev().fold(0_u32, |n, byte| n << 8 | byte);
        constant(number(&at[..4]).wrapping_add(number(&at[4..]))).to_vec()
    })?;
    Some(std::array::from_fn(|i| sum[i]))
}

/// The sum of numbers that have no bit in common, as far as we know; `None`: there may be carries.
pub fn without_carries(algebra: &mut Algebra, a: &[Byte], b: &[Byte]) -> Option<Vec<Byte>> {
    if a.contains(&UNKNOWN) || b.contains(&UNKNOWN) {
        return None;
    }
    let mut pairs = a.iter().zip(b);
    if pairs.any(|(&a, &b)| algebra.may_be_one(a) & algebra.may_be_one(b) != 0) {
        return None;
    }
    let pairs = a.iter().zip(b);
    Some(
        pairs
            .map(|(&a, &b)| algebra.op(crate::algebra::Op::Xor, a, b))
            .collect(),
    )
}
