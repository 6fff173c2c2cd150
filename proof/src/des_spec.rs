// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! DES as its standard writes it [FIPS46-3], on symbols. It shares no table and no line with the library: all constants
//! here are those of the standard, which counts bits from 1, the highest bit of the first byte.

use crate::algebra::{Algebra, Bit, Byte, LookUp, Table};
use crate::statement::Direction;

/// The initial permutation, and its inverse ["Enciphering"].
const IP: [usize; 64] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, //
    62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8, //
    57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3, //
    61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7, //
];
const INVERSE_IP: [usize; 64] = [
    40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31, //
    38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45, 13, 53, 21, 61, 29, //
    36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27, //
    34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9, 49, 17, 57, 25, //
];

/// The bits that go into the S-boxes ["The Cipher Function f"].
const E: [usize; 48] = [
    32, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, //
    8, 9, 10, 11, 12, 13, 12, 13, 14, 15, 16, 17, //
    16, 17, 18, 19, 20, 21, 20, 21, 22, 23, 24, 25, //
    24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1, //
];

/// The permutation behind the S-boxes ["The Cipher Function f"].
const P: [usize; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, //
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25, //
];

/// S1 to S8, each by its rows 0 to 3 [appendix 1].
const S: [[[u8; 16]; 4]; 8] = [
    [
        [14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7],
        [0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8],
        [4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0],
        [15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13],
    ],
    [
        [15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10],
        [3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5],
        [0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15],
        [13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9],
    ],
    [
        [10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8],
        [13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1],
        [13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7],
        [1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12],
    ],
    [
        [7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15],
        [13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9],
        [10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4],
        [3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14],
    ],
    [
        [2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9],
        [14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6],
        [4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14],
        [11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3],
    ],
    [
        [12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11],
        [10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8],
        [9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6],
        [4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13],
    ],
    [
        [4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1],
        [13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6],
        [1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2],
        [6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12],
    ],
    [
        [13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7],
        [1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2],
        [7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8],
        [2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11],
    ],
];

/// The bits of the key in C and D, and those of CD in a subkey [appendix 1].
const PC_1: [usize; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, //
    10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36, //
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, //
    14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4, //
];
const PC_2: [usize; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, //
    23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, //
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, //
    44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32, //
];
const LEFT_SHIFTS: [usize; 16] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];

/// Bit 1 first.
type Bits = Vec<Bit>;

fn permuted(bits: &[Bit], order: &[usize]) -> Bits {
    order.iter().map(|number| bits[number - 1]).collect()
}

/// K_1 to K_16.
pub type Subkeys = Vec<Bits>;

/// The S-box of six bits, of which the first and the last choose the row.
fn s_value(rows: &[[u8; 16]; 4], x: usize) -> u8 {
    rows[x >> 4 & 2 | x & 1][x >> 1 & 15]
}

pub struct Spec<'a> {
    pub algebra: &'a mut Algebra,
    s: [Table; 8],
}

impl<'a> Spec<'a> {
    pub fn new(algebra: &'a mut Algebra) -> Self {
        let s = S.map(|rows| {
            let values: Vec<Byte> = (0..64).map(|x| s_value(&rows, x).into()).collect();
            algebra.table(&values)
        });
        Self { algebra, s }
    }

    /// Bits of a number come the highest first.
    fn bits(&mut self, bytes: &[Byte]) -> Bits {
        let each = bytes.iter().map(|&byte| self.algebra.bits(byte));
        each.flat_map(|bits| bits.into_iter().rev()).collect()
    }

    fn bytes(&mut self, bits: &[Bit]) -> Vec<Byte> {
        bits.chunks_exact(8)
            .map(|each| self.algebra.byte(std::array::from_fn(|i| each[7 - i])))
            .collect()
    }

    fn xor(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        let pairs = a.iter().zip(b);
        pairs.map(|(&a, &b)| self.algebra.xor_bits(a, b)).collect()
    }

    /// The function KS [appendix 1].
    fn subkeys(&mut self, key: &[Byte]) -> Subkeys {
        let key = self.bits(key);
        let mut cd = permuted(&key, &PC_1);
        LEFT_SHIFTS
            .iter()
            .map(|&by| {
                let (c, d) = cd.split_at_mut(28);
                c.rotate_left(by);
                d.rotate_left(by);
                permuted(&cd, &PC_2)
            })
            .collect()
    }

    /// Four bits of six.
    fn s_box(&mut self, which: usize, b: &[Bit]) -> Bits {
        let index = std::array::from_fn(|i| if i < 6 { b[5 - i] } else { 0 });
        let index = self.algebra.byte(index);
        let value = self.algebra.look_up(self.s[which], LookUp::Low, index);
        self.bits(&[value])[4..].to_vec()
    }

    /// ["The Cipher Function f"]
    fn f(&mut self, r: &[Bit], subkey: &[Bit]) -> Bits {
        let b = self.xor(&permuted(r, &E), subkey);
        let s: Bits = b
            .chunks_exact(6)
            .enumerate()
            .flat_map(|(which, b)| self.s_box(which, b))
            .collect();
        permuted(&s, &P)
    }

    /// Sixteen rounds ["Enciphering"]; for decryption the subkeys come in reverse ["Deciphering"].
    fn des(&mut self, block: &[Bit], key: &Subkeys, direction: Direction) -> Bits {
        let block = permuted(block, &IP);
        let (mut l, mut r) = (block[..32].to_vec(), block[32..].to_vec());
        for n in 0..16 {
            let subkey = match direction {
                Direction::Encrypt => &key[n],
                Direction::Decrypt => &key[15 - n],
            };
            let f = self.f(&r, subkey);
            (l, r) = (r, self.xor(&l, &f));
        }
        permuted(&[r, l].concat(), &INVERSE_IP)
    }

    /// One key of 8 bytes, or three.
    pub fn keys(&mut self, bytes: &[Byte]) -> Vec<Subkeys> {
        let each = bytes.chunks_exact(8);
        each.map(|key| self.subkeys(key)).collect()
    }

    /// DES, or with three keys E(D(E(block))) and its inverse ["Triple Data Encryption Algorithm"].
    pub fn crypt(&mut self, block: &[Byte], keys: &[Subkeys], direction: Direction) -> Vec<Byte> {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        if direction == Direction::Decrypt {
            order.reverse();
        }
        let bits = self.bits(block);
        let bits = order.into_iter().fold(bits, |bits, n| {
            let of_pass = if n == 1 { direction.other() } else { direction };
            self.des(&bits, &keys[n], of_pass)
        });
        self.bytes(&bits)
    }
}
