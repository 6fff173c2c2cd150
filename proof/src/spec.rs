// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Twofish as its paper writes it [Twofish98, 4], on symbols. It shares no table and no line with the library: all
//! constants here are those of the paper.

use crate::algebra::{Algebra, Byte, LookUp, Op, Table};
use crate::sums::{Sums, Word, constant};

const ROUNDS: usize = 16;

/// q0 and q1, each by t0, t1, t2, t3 [4.3.5].
const T: [[[u8; 16]; 4]; 2] = [
    [
        [
            0x8, 0x1, 0x7, 0xD, 0x6, 0xF, 0x3, 0x2, 0x0, 0xB, 0x5, 0x9, 0xE, 0xC, 0xA, 0x4,
        ],
        [
            0xE, 0xC, 0xB, 0x8, 0x1, 0x2, 0x3, 0x5, 0xF, 0x4, 0xA, 0x6, 0x7, 0x0, 0x9, 0xD,
        ],
        [
            0xB, 0xA, 0x5, 0xE, 0x6, 0xD, 0x9, 0x0, 0xC, 0x8, 0xF, 0x3, 0x2, 0x4, 0x7, 0x1,
        ],
        [
            0xD, 0x7, 0xF, 0x4, 0x1, 0x2, 0x6, 0xE, 0x9, 0xB, 0x3, 0x0, 0x8, 0x5, 0xC, 0xA,
        ],
    ],
    [
        [
            0x2, 0x8, 0xB, 0xD, 0xF, 0x7, 0x6, 0xE, 0x3, 0x1, 0x9, 0x4, 0x0, 0xA, 0xC, 0x5,
        ],
        [
            0x1, 0xE, 0x2, 0xB, 0x4, 0xC, 0x3, 0x7, 0x6, 0xD, 0xA, 0x5, 0xF, 0x9, 0x0, 0x8,
        ],
        [
            0x4, 0xC, 0x7, 0x5, 0x1, 0x6, 0x9, 0xA, 0x0, 0xE, 0xD, 0x8, 0x2, 0xB, 0x3, 0xF,
        ],
        [
            0xB, 0x9, 0x5, 0x1, 0xC, 0x3, 0xD, 0xE, 0x6, 0x4, 0x7, 0xF, 0x2, 0x0, 0x8, 0xA,
        ],
    ],
];

/// Which q comes when: row 0 is applied last, to byte j of h in column j [4.3.2].
const Q_ORDER: [[usize; 4]; 5] = [
    [1, 0, 1, 0],
    [0, 0, 1, 1],
    [0, 1, 0, 1],
    [1, 1, 0, 0],
    [1, 0, 0, 1],
];

/// [4.2], over GF(2^8) modulo v(x) = x^8 + x^6 + x^5 + x^3 + 1.
const MDS: [[u8; 4]; 4] = [
    [0x01, 0xEF, 0x5B, 0x5B],
    [0x5B, 0xEF, 0xEF, 0x01],
    [0xEF, 0x5B, 0x01, 0xEF],
    [0xEF, 0x01, 0xEF, 0x5B],
];
const V: u16 = 0x169;

/// [4.3], over GF(2^8) modulo w(x) = x^8 + x^6 + x^3 + x^2 + 1.
const RS: [[u8; 8]; 4] = [
    [0x01, 0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E],
    [0xA4, 0x56, 0x82, 0xF3, 0x1E, 0xC6, 0x68, 0xE5],
    [0x02, 0xA1, 0xFC, 0xC1, 0x47, 0xAE, 0x3D, 0x19],
    [0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E, 0x03],
];
const W: u16 = 0x14D;

/// The permutation of a byte [4.3.5].
fn q_of(t: &[[u8; 16]; 4], x: u8) -> u8 {
    let ror4 = |x: u8| (x >> 1 | x << 3) & 15;
    let (a_0, b_0) = (x / 16, x % 16);
    let (a_1, b_1) = (a_0 ^ b_0, a_0 ^ ror4(b_0) ^ ((8 * a_0) % 16));
    let (a_2, b_2) = (t[0][usize::from(a_1)], t[1][usize::from(b_1)]);
    let (a_3, b_3) = (a_2 ^ b_2, a_2 ^ ror4(b_2) ^ ((8 * a_2) % 16));
    let (a_4, b_4) = (t[2][usize::from(a_3)], t[3][usize::from(b_3)]);
    16 * b_4 + a_4
}

/// The product in GF(2^8) modulo that polynomial.
fn product(a: u8, b: u8, modulo: u16) -> u8 {
    let mut sum = (0..8)
        .filter(|i| b >> i & 1 == 1)
        .fold(0, |sum, i| sum ^ u16::from(a) << i);
    for i in (8..16).rev() {
        if sum >> i & 1 == 1 {
            sum ^= modulo << (i - 8);
        }
    }
    sum.to_le_bytes()[0]
}

/// The inverse of a matrix over GF(2^8), by elimination.
fn inverse(matrix: [[u8; 4]; 4], modulo: u16) -> [[u8; 4]; 4] {
    let mut rows: [[u8; 8]; 4] = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            if j < 4 {
                matrix[i][j]
            } else {
                u8::from(j == i + 4)
            }
        })
    });
    for j in 0..4 {
        let pivot = (j..4)
            .find(|&i| rows[i][j] != 0)
            .expect("the matrix has an inverse");
        rows.swap(j, pivot);
        let by = (1..=255).find(|&x| product(x, rows[j][j], modulo) == 1);
        rows[j] = rows[j].map(|x| product(x, by.expect("a field"), modulo));
        for i in (0..4).filter(|&i| i != j) {
            let factor = rows[i][j];
            rows[i] = std::array::from_fn(|c| rows[i][c] ^ product(factor, rows[j][c], modulo));
        }
    }
    rows.map(|row| [row[4], row[5], row[6], row[7]])
}

/// How much of an S-box a kernel tabulates. It decides what is compared, not what is true: the value of a table of
/// s(0) to s(255) at x is s(x).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keying {
    /// Nothing.
    Zero,
    /// All but this many of the last layers.
    Without(usize),
}

/// The subkeys and the words S, in the order in which h takes them [4.3].
pub struct Key {
    pub subkeys: Vec<Word>,
    s: Vec<Word>,
    boxes: Option<([Table; 4], usize)>,
}

pub struct Spec<'a> {
    pub algebra: &'a mut Algebra,
    pub sums: &'a mut Sums,
    q: [Table; 2],
}

impl<'a> Spec<'a> {
    pub fn new(algebra: &'a mut Algebra, sums: &'a mut Sums) -> Self {
        let q = [0, 1].map(|i| {
            let values: Vec<Byte> = (0..=255).map(|x| Byte::from(q_of(&T[i], x))).collect();
            algebra.table(&values)
        });
        Self { algebra, sums, q }
    }

    fn xor(&mut self, a: Word, b: Word) -> Word {
        std::array::from_fn(|i| self.algebra.op(Op::Xor, a[i], b[i]))
    }

    fn add(&mut self, a: Word, b: Word) -> Word {
        let sum = self.sums.add(self.algebra, a, b);
        if self.algebra.bit_slices {
            self.algebra.know_carries(a, b, sum);
        }
        sum
    }

    /// Settled at once where gates would take it apart bit by bit.
    fn compact(&mut self, y: Byte) -> Byte {
        if self.algebra.bit_slices {
            self.algebra.settle(y)
        } else {
            y
        }
    }

    /// Rotation to the left by `by` bits, 0 to 31.
    fn rol(&mut self, x: Word, by: usize) -> Word {
        let by = 32 - by; // to the right
        let at = |i: usize| x[(i + by / 8) % 4];
        std::array::from_fn(|i| self.algebra.window(at(i), at(i + 1), by % 8))
    }

    /// A matrix times a vector.
    fn multiply<const N: usize>(&mut self, matrix: &[[u8; N]; 4], y: &[Byte], modulo: u16) -> Word {
        matrix.map(|row| {
            row.iter().zip(y).fold(0, |sum, (&factor, &byte)| {
                let products = std::array::from_fn::<_, 8, _>(|j| product(factor, 1 << j, modulo));
                let rows =
                    std::array::from_fn(|i| (0..8).map(|j| (products[j] >> i & 1) << j).sum());
                let part = self.algebra.linear(rows, byte);
                self.algebra.op(Op::Xor, sum, part)
            })
        })
    }

    /// The layers of byte j of h from number `from` down to number `to`; the layer of number i is q and then, unless
    /// i = 0, byte j of L_(i-1) [4.3.2].
    fn layers(&mut self, j: usize, x: Byte, l: &[Word], from: usize, to: usize) -> Byte {
        (to..=from).rev().fold(x, |y, i| {
            let y = self.algebra.look_up(self.q[Q_ORDER[i][j]], LookUp::Low, y);
            let y = self.compact(y);
            if i == 0 {
                y
            } else {
                self.algebra.op(Op::Xor, y, l[i - 1][j])
            }
        })
    }

    /// [4.3.2]
    fn h(&mut self, x: Word, l: &[Word]) -> Word {
        let y: Word = std::array::from_fn(|j| self.layers(j, x[j], l, l.len(), 0));
        self.multiply(&MDS, &y, V)
    }

    /// The eight bytes of a key that begin with these four and for which RS gives this word of S. There is exactly one such
    /// end, since each four columns of RS have an inverse: so four and four free bytes are all groups of eight.
    pub fn key_bytes(&mut self, first: Word, s: Word) -> [Byte; 8] {
        let columns = |from: usize| RS.map(|row| std::array::from_fn::<_, 4, _>(|j| row[from + j]));
        let part = self.multiply(&columns(0), &first, W);
        let rest = self.xor(s, part);
        let last = self.multiply(&inverse(columns(4), W), &rest, W);
        std::array::from_fn(|i| if i < 4 { first[i] } else { last[i - 4] })
    }

    /// The key of 8k bytes [4.3].
    pub fn key(&mut self, m: &[Byte], keying: Keying) -> Key {
        let words: Vec<Word> = m
            .chunks_exact(4)
            .map(|each| std::array::from_fn(|i| each[i]))
            .collect();
        let m_e: Vec<Word> = words.iter().copied().step_by(2).collect();
        let m_o: Vec<Word> = words.iter().copied().skip(1).step_by(2).collect();
        let s: Vec<Word> = m
            .chunks_exact(8)
            .rev()
            .map(|each| self.multiply(&RS, each, W))
            .collect();
        let mut subkeys = Vec::new();
        for i in 0..20 {
            let a = self.h(constant(2 * i * 0x0101_0101), &m_e);
            let b = self.h(constant((2 * i + 1) * 0x0101_0101), &m_o);
            let b = self.rol(b, 8);
            let sum = self.add(a, b);
            subkeys.push(sum);
            let sum = self.add(sum, b);
            subkeys.push(self.rol(sum, 9));
        }
        let boxes = match keying {
            Keying::Zero => None,
            Keying::Without(last) => Some((std::array::from_fn(|j| self.s_box(j, &s, last)), last)),
        };
        Key { subkeys, s, boxes }
    }

    fn s_box(&mut self, j: usize, s: &[Word], last: usize) -> Table {
        let values: Vec<Byte> = (0..256)
            .map(|x| {
                let y = self.layers(j, x, s, s.len(), last);
                self.algebra.settle(y)
            })
            .collect();
        self.algebra.table(&values)
    }

    /// [4.2]: h with the words S.
    fn g(&mut self, x: Word, key: &Key) -> Word {
        let Some((boxes, last)) = key.boxes else {
            return self.h(x, &key.s);
        };
        let y: Word = std::array::from_fn(|j| {
            let y = self.algebra.look_up(boxes[j], LookUp::Low, x[j]);
            if last == 0 {
                y
            } else {
                self.layers(j, y, &key.s, last - 1, 0)
            }
        });
        self.multiply(&MDS, &y, V)
    }

    /// [4.1]
    fn f(&mut self, r_0: Word, r_1: Word, round: usize, key: &Key) -> (Word, Word) {
        let t_0 = self.g(r_0, key);
        let turned = self.rol(r_1, 8);
        let t_1 = self.g(turned, key);
        let sum = self.add(t_0, t_1);
        let f_0 = self.add(sum, key.subkeys[2 * round + 8]);
        let twice = self.add(t_1, t_1);
        let sum = self.add(t_0, twice);
        (f_0, self.add(sum, key.subkeys[2 * round + 9]))
    }

    /// [4]
    pub fn encrypt(&mut self, p: [Word; 4], key: &Key) -> [Word; 4] {
        let mut r: [Word; 4] = std::array::from_fn(|i| self.xor(p[i], key.subkeys[i]));
        for round in 0..ROUNDS {
            let (f_0, f_1) = self.f(r[0], r[1], round, key);
            let c = self.xor(r[2], f_0);
            let d = self.rol(r[3], 1);
            r = [self.rol(c, 31), self.xor(d, f_1), r[0], r[1]];
        }
        std::array::from_fn(|i| self.xor(r[(i + 2) % 4], key.subkeys[i + 4]))
    }

    /// The steps of `encrypt`, undone from the last one to the first.
    pub fn decrypt(&mut self, c: [Word; 4], key: &Key) -> [Word; 4] {
        let mut r = [constant(0); 4];
        for i in 0..4 {
            r[(i + 2) % 4] = self.xor(c[i], key.subkeys[i + 4]);
        }
        for round in (0..ROUNDS).rev() {
            let (f_0, f_1) = self.f(r[2], r[3], round, key);
            let c = self.rol(r[0], 1);
            let d = self.xor(r[1], f_1);
            r = [r[2], r[3], self.xor(c, f_0), self.rol(d, 31)];
        }
        std::array::from_fn(|i| self.xor(r[i], key.subkeys[i]))
    }
}
