// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Where the code of the modes runs: with ciphers that are oracles, and a comparison of tags whose verdict a proof
//! chooses.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::algebra::{Algebra, Byte, UNKNOWN};
use crate::image::Image;
use crate::machine::{Argument, Common, Machine, Outside, as_size, number};
use crate::memory::Memory;
use crate::x86::X86;

use super::Mode;
use super::oracle::{Bytes, Fresh, Hash, Oracle, settle, symbols};

pub type Result<T> = std::result::Result<T, String>;

/// As badly aligned as is allowed: any byte, and a multiple of eight for structures; of more than 32 bits.
pub const CONTEXT: u64 = 0x7F00_2000_0008;
pub const CIPHERS: [u64; 2] = [0x7F00_2100_0008, 0x7F00_2200_0008];
pub const SIZE: u64 = 0x7F00_2300_0008;
pub const OUT: u64 = 0x7F00_3000_0003;
pub const IN: u64 = 0x7F00_4000_0107;
pub const NONCE: u64 = 0x7F00_5000_0001;
pub const AAD: u64 = 0x7F00_5100_0005;
pub const TAG: u64 = 0x7F00_5200_0003;
/// The functions for many messages take 41 KiB.
const LONG_STACK_BYTES: u64 = 0x1_0000;
const MOST_STEPS: u64 = 10_000_000;
const GHASH: u64 = 0x7F00_2400_0008;

/// Of the key of each cipher, which no mode may read: there is no memory.
const KEYS: [u64; 2] = [0x7F00_6000_0000, 0x7F00_6100_0000];
/// The functions of each cipher, and of GHASH.
const FUNCTIONS: [u64; 2] = [0x2000, 0x2040];
const HASH_FUNCTIONS: u64 = 0x2080;

/// The rest of the result register after a function whose result is a byte or nothing.
const GARBAGE: u64 = 0x5EED_5EED_5EED_5E00;

pub const MF_OK: u64 = 0;
pub const MF_ERROR_TAG: u64 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Encrypt,
    Decrypt,
}

pub const DIRECTIONS: [Direction; 2] = [Direction::Encrypt, Direction::Decrypt];

impl Direction {
    pub fn verb(self) -> &'static str {
        match self {
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
        }
    }
}

/// Two strings that `mf_equal` compared, and where they were.
pub struct Compared {
    pub places: [u64; 2],
    pub strings: [Bytes; 2],
}

/// The comparisons of `mf_equal`, and its answer: the verdict, but that the tags at these places are wrong.
pub struct Comparison {
    pub verdict: bool,
    pub refused: Vec<u64>,
    pub compared: Vec<Compared>,
}

pub struct Bench<'a> {
    pub machine: X86<'a>,
    image: &'a Image,
    mode: &'static Mode,
    pub fresh: Fresh,
    pub ciphers: [Rc<RefCell<Oracle>>; 2],
    pub hash: Rc<RefCell<Hash>>,
    pub comparison: Rc<RefCell<Comparison>>,
    /// Where the memory at an argument points.
    pub pointed_at: FxHashSet<u64>,
    /// The last byte of a counter block that is computed from the key.
    pub last: u8,
    pub calls: u64,
    pub instructions: u64,
}

impl<'a> Bench<'a> {
    /// `block_bytes`: of both ciphers.
    pub fn new(image: &'a Image, mode: &'static Mode, fresh: &Fresh, block_bytes: usize) -> Self {
        let mut machine = X86::new(image);
        machine.load_image();
        let oracle = || Rc::new(RefCell::new(Oracle::new(block_bytes, Rc::clone(fresh))));
        let mut bench = Self {
            machine,
            image,
            mode,
            fresh: Rc::clone(fresh),
            ciphers: [oracle(), oracle()],
            hash: Rc::new(RefCell::new(Hash::new(Rc::clone(fresh)))),
            comparison: Rc::new(RefCell::new(Comparison {
                verdict: true,
                refused: Vec::new(),
                compared: Vec::new(),
            })),
            pointed_at: FxHashSet::default(),
            last: 0,
            calls: 0,
            instructions: 0,
        };
        bench.give_ciphers();
        bench
    }

    /// With what a call for many messages needs beside the usual.
    pub fn for_many(mut self) -> Self {
        self.machine.stack_bytes = LONG_STACK_BYTES;
        self.machine.max_steps = MOST_STEPS;
        self
    }

    /// Puts a `mf_cipher` for each oracle into memory.
    fn give_ciphers(&mut self) {
        for which in 0..2 {
            let (at, key) = (FUNCTIONS[which], KEYS[which]);
            let block_bytes = self.ciphers[which].borrow().block_bytes as u64;
            let cipher = [block_bytes, key, at, at + 8, at + 16];
            self.put(
                ["cipher 0", "cipher 1"][which],
                CIPHERS[which],
                words(&cipher),
                false,
            );
            let outside = &mut self.machine.outside;
            outside.insert(at, Box::new(move |_, arguments| has_key(key, arguments)));
            let cipher = &self.ciphers[which];
            outside.insert(at + 8, blocks(cipher, key, Oracle::encrypt));
            outside.insert(at + 16, blocks(cipher, key, Oracle::decrypt));
        }
    }

    /// From here on `mf_equal` is outside the library: it says what the proof chose.
    pub fn choose_verdicts(&mut self) -> Result<()> {
        let at = self.any_symbol("mf_equal")?;
        let comparison = Rc::clone(&self.comparison);
        let equal = move |common: &mut Common, arguments: &[Argument; 6]| {
            let (a, b, n) = three_numbers(arguments)?;
            let places = [a, b];
            let both = places.map(|at| common.memory.load(at, as_size(n)).map(<[Byte]>::to_vec));
            let [a, b] = both;
            let (a, b) = (a?, b?);
            if a.contains(&UNKNOWN) || b.contains(&UNKNOWN) {
                return Err("a byte is compared of which nothing is known".into());
            }
            let mut comparison = comparison.borrow_mut();
            let strings = [
                settle(&mut common.algebra, &a),
                settle(&mut common.algebra, &b),
            ];
            let is_refused = places.iter().any(|at| comparison.refused.contains(at));
            comparison.compared.push(Compared { places, strings });
            Ok(GARBAGE | u64::from(comparison.verdict && !is_refused))
        };
        self.machine.outside.insert(at, Box::new(equal));
        Ok(())
    }

    /// From here on the best GHASH is an oracle.
    pub fn choose_hash(&mut self) -> Result<()> {
        let at = self.any_symbol("mf_ghash_best")?;
        let variant = [0, 0, HASH_FUNCTIONS, HASH_FUNCTIONS + 8];
        self.put("the variant of GHASH", GHASH, words(&variant), false);
        let keys = Rc::new(RefCell::new(Vec::new()));
        let outside = &mut self.machine.outside;
        outside.insert(at, Box::new(|_, _| Ok(GHASH)));
        outside.insert(HASH_FUNCTIONS, set_hash_key(&keys, &self.fresh));
        outside.insert(HASH_FUNCTIONS + 8, absorb(&keys, &self.hash));
        Ok(())
    }

    // --- memory ----------------------------------------------------------------------------------------------------

    pub fn put(&mut self, name: &str, at: u64, bytes: Bytes, may_write: bool) {
        self.machine.memory.put(name, at, bytes, may_write);
    }

    /// A region of bytes of which nothing is known.
    pub fn put_space(&mut self, name: &str, at: u64, n: usize) {
        self.put(name, at, Memory::unknown(n), true);
    }

    /// The bytes of a region, as forms.
    pub fn take(&mut self, name: &str) -> Bytes {
        let bytes = self.machine.memory.bytes(name).to_vec();
        settle(&mut self.machine.algebra, &bytes)
    }

    pub fn symbols(&mut self, n: usize) -> Bytes {
        symbols(&mut self.machine.algebra, &self.fresh, n)
    }

    // --- calls -----------------------------------------------------------------------------------------------------

    /// Of a function of the mode, or of constants that have one.
    pub fn symbol(&self, name: &str) -> Result<u64> {
        if self.mode.has(name) {
            self.any_symbol(name)
        } else {
            Err(format!("{name} is no part of {}", self.mode.name))
        }
    }

    fn any_symbol(&self, name: &str) -> Result<u64> {
        let at = self.image.symbol(name);
        at.ok_or_else(|| format!("the library has no {name}"))
    }

    /// Eight bytes of the image.
    pub fn number_at(&self, at: u64) -> u64 {
        self.image.word(at)
    }

    /// The function gets no memory but constants, the variant of GHASH and the regions at its arguments.
    pub fn run(&mut self, function: u64, arguments: &[u64]) -> Result<()> {
        self.calls += 1;
        let pointed_at = &self.pointed_at;
        self.machine.memory.give(|name, start| {
            let is_pointed_at = start == GHASH || pointed_at.contains(&start);
            name.starts_with('.') || is_pointed_at || arguments.contains(&start)
        });
        self.machine.call(function, arguments)?;
        self.instructions += self.machine.steps;
        Ok(())
    }

    /// The lowest 32 bits of the result.
    pub fn call(&mut self, function: &str, arguments: &[u64]) -> Result<u64> {
        let at = self.symbol(function)?;
        self.run(at, arguments)
            .map_err(|error| format!("{function}: {error}"))?;
        number(&self.machine.result()[..4])
            .ok_or_else(|| format!("the result of {function} depends on a symbol"))
    }

    pub fn expect(&mut self, status: u64, function: &str, arguments: &[u64]) -> Result<()> {
        match self.call(function, arguments)? {
            found if found == status => Ok(()),
            found => Err(format!("{function} returns status {found}, not {status}")),
        }
    }

    /// A call that succeeds.
    pub fn must(&mut self, function: &str, arguments: &[u64]) -> Result<()> {
        self.expect(MF_OK, function, arguments)
    }

    /// The strings that were compared since it was last asked for; there must be one pair.
    pub fn compared(&mut self) -> Result<[Bytes; 2]> {
        let mut compared = std::mem::take(&mut self.comparison.borrow_mut().compared);
        match compared.len() {
            1 => Ok(compared.remove(0).strings),
            n => Err(format!("{n} tags were compared, not one")),
        }
    }

    pub fn spec(&mut self) -> Spec<'_> {
        Spec {
            ciphers: &self.ciphers,
            hash: &self.hash,
            last: self.last,
            algebra: &mut self.machine.algebra,
        }
    }
}

/// The definitions of the modes compute with these.
pub struct Spec<'b> {
    pub algebra: &'b mut Algebra,
    pub ciphers: &'b [Rc<RefCell<Oracle>>; 2],
    pub hash: &'b RefCell<Hash>,
    /// Of the first counter block where that is computed from the key.
    pub last: u8,
}

impl Spec<'_> {
    pub fn encrypt_by(&mut self, which: usize, block: &[Byte]) -> Bytes {
        let mut cipher = self.ciphers[which].borrow_mut();
        cipher.encrypt(self.algebra, block).expect("a whole block")
    }

    pub fn encrypt(&mut self, block: &[Byte]) -> Bytes {
        self.encrypt_by(0, block)
    }

    pub fn crypt(&mut self, direction: Direction, block: &[Byte]) -> Bytes {
        let mut cipher = self.ciphers[0].borrow_mut();
        match direction {
            Direction::Encrypt => cipher.encrypt(self.algebra, block),
            Direction::Decrypt => cipher.decrypt(self.algebra, block),
        }
        .expect("a whole block")
    }

    /// As long as the shorter one.
    pub fn xor(&mut self, a: &[Byte], b: &[Byte]) -> Bytes {
        let each = a.iter().zip(b).map(|(&a, &b)| {
            let (a, b) = (self.algebra.bits(a), self.algebra.bits(b));
            let bits = std::array::from_fn(|i| self.algebra.xor_bits(a[i], b[i]));
            self.algebra.byte(bits)
        });
        each.collect()
    }

    /// The bits of a string, as the standards count them: the highest of the first byte first.
    pub fn bits(&mut self, bytes: &[Byte]) -> Vec<u32> {
        let each = bytes.iter().flat_map(|&byte| {
            let mut bits = self.algebra.bits(byte);
            bits.reverse();
            bits
        });
        each.collect()
    }

    pub fn bytes(&mut self, bits: &[u32]) -> Bytes {
        let each = bits.chunks_exact(8).map(|bits| {
            let mut bits: [u32; 8] = bits.try_into().expect("8 bits");
            bits.reverse();
            self.algebra.byte(bits)
        });
        each.collect()
    }

    /// The product with x of a block whose first bit is the highest power, modulo x^128 + x^7 + x^2 + x + 1, or for 8
    /// bytes x^64 + x^4 + x^3 + x + 1. [SP800-38B, 5.3, 6.1]
    pub fn double(&mut self, block: &[Byte]) -> Bytes {
        let bits = self.bits(block);
        let n = bits.len();
        let powers: &[usize] = if n == 128 {
            &[7, 2, 1, 0]
        } else {
            &[4, 3, 1, 0]
        };
        let mut product = [&bits[1..], &[0]].concat();
        for power in powers {
            let at = n - 1 - power;
            product[at] = self.algebra.xor_bits(product[at], bits[0]);
        }
        self.bytes(&product)
    }

    /// The number that the last n bytes are, plus one. [SP800-38A, B.1]
    pub fn increment(&mut self, block: &[Byte], n: usize) -> Bytes {
        let (high, low) = block.split_at(block.len() - n);
        let reversed: Bytes = low.iter().rev().copied().collect();
        let mut one = vec![0; n];
        one[0] = 1;
        let (sum, _) = crate::carries::add(self.algebra, &reversed, &one, 0);
        [high.to_vec(), sum.into_iter().rev().collect()].concat()
    }
}

pub fn words(numbers: &[u64]) -> Bytes {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    bytes.map(Byte::from).collect()
}

fn three_numbers(arguments: &[Argument; 6]) -> Result<(u64, u64, u64)> {
    let [a, b, c] = [0, 1, 2].map(|i| number(&arguments[i]));
    a.zip(b)
        .zip(c)
        .map(|((a, b), c)| (a, b, c))
        .ok_or_else(|| "an argument depends on a symbol".into())
}

fn has_key(key: u64, arguments: &[Argument; 6]) -> Result<u64> {
    if number(&arguments[0]) == Some(key) {
        Ok(GARBAGE | 1)
    } else {
        Err("has_key gets another key".into())
    }
}

type Crypt = fn(&mut Oracle, &mut Algebra, &[Byte]) -> Result<Bytes>;

/// `encrypt_blocks` or `decrypt_blocks`, with what the caller promises.
fn blocks(cipher: &Rc<RefCell<Oracle>>, key: u64, crypt: Crypt) -> Outside {
    let cipher = Rc::clone(cipher);
    Box::new(move |common, arguments| {
        let (own, out, from) = three_numbers(arguments)?;
        let n = number(&arguments[3]).ok_or("the number of blocks depends on a symbol")?;
        if own != key || n == 0 {
            return Err("the cipher gets another key, or no block".into());
        }
        let mut cipher = cipher.borrow_mut();
        let n_bytes = n.saturating_mul(cipher.block_bytes as u64);
        if out != from && out.abs_diff(from) < n_bytes {
            return Err("the cipher's output overlaps its input".into());
        }
        let input = common.memory.load(from, as_size(n_bytes))?.to_vec();
        let mut output = Vec::with_capacity(input.len());
        for block in input.chunks_exact(cipher.block_bytes) {
            output.extend(crypt(&mut cipher, &mut common.algebra, block)?);
        }
        common.memory.store(out, &output)?;
        Ok(GARBAGE)
    })
}

const HASH_KEY_BYTES: usize = 8 * 64;
/// H, and the bytes that stand for it.
type HashKeys = Rc<RefCell<Vec<(Bytes, Bytes)>>>;

fn set_hash_key(keys: &HashKeys, fresh: &Fresh) -> Outside {
    let (keys, fresh) = (Rc::clone(keys), Rc::clone(fresh));
    Box::new(move |common, arguments| {
        let (to, from, _) =
            three_numbers(&[arguments[0], arguments[1], [0; 8], [0; 8], [0; 8], [0; 8]])?;
        let h = common.memory.load(from, 16)?.to_vec();
        if h.contains(&UNKNOWN) {
            return Err("nothing is known of the hash key".into());
        }
        let key = symbols(&mut common.algebra, &fresh, HASH_KEY_BYTES);
        common.memory.store(to, &key)?;
        keys.borrow_mut()
            .push((settle(&mut common.algebra, &h), key));
        Ok(GARBAGE)
    })
}

/// Y becomes (Y xor X) H for each block X.
fn absorb(keys: &HashKeys, hash: &Rc<RefCell<Hash>>) -> Outside {
    let (keys, hash) = (Rc::clone(keys), Rc::clone(hash));
    Box::new(move |common, arguments| {
        let (key, at, from) = three_numbers(arguments)?;
        let n = number(&arguments[3]).ok_or("the number of blocks depends on a symbol")?;
        let key = common.memory.load(key, HASH_KEY_BYTES)?.to_vec();
        let keys = keys.borrow();
        let h = keys.iter().find(|(_, bytes)| *bytes == key);
        let (h, _) = h.ok_or("GHASH gets another key")?;
        let mut y = common.memory.load(at, 16)?.to_vec();
        let blocks = match n {
            0 => Vec::new(),
            _ => common
                .memory
                .load(from, as_size(n.saturating_mul(16)))?
                .to_vec(),
        };
        for x in blocks.chunks_exact(16) {
            if x.contains(&UNKNOWN) || y.contains(&UNKNOWN) {
                return Err("GHASH gets a block of which nothing is known".into());
            }
            let sum: Bytes = (0..16)
                .map(|i| common.algebra.op(crate::algebra::Op::Xor, y[i], x[i]))
                .collect();
            y = hash.borrow_mut().multiply(&mut common.algebra, &sum, h);
        }
        common.memory.store(at, &y)?;
        Ok(GARBAGE)
    })
}
