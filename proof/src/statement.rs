// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What is proved of a kernel, for each length of a key and every number of blocks up to twice its lanes: its `set_key`,
//! and then its `encrypt_blocks` or `decrypt_blocks`, with every key and all blocks, write the blocks that the paper
//! defines; in place, too. They read and write nothing but their arguments, constants and the stack, keep to the
//! calling convention, and no branch depends on a secret. In a kernel that says that it is constant-time no address
//! does.

use crate::algebra::{Byte, UNKNOWN};
use crate::image::Image;
use crate::memory::Memory;
use crate::spec::{Key, Keying, Spec};
use crate::sums::Word;
use crate::x86::Machine;

const KEY: u64 = 0x1000_0000;
const EXPANDED: u64 = 0x2000_0000;
const OUT: u64 = 0x3000_0000;
const IN: u64 = 0x4000_0000;
const BLOCK_BYTES: usize = 16;

/// A kernel as the library describes it, in `mf_twofish_kernel` (c/src/twofish/kernel.h).
pub struct Kernel {
    pub name: String,
    pub lanes: usize,
    expanded_key_bytes: usize,
    constant_time: bool,
    encrypt_blocks: u64,
    decrypt_blocks: u64,
    set_key: u64,
}

impl Kernel {
    pub fn find(image: &Image, name: &str) -> Option<Self> {
        let at = image.symbol(&format!("mf_twofish_{}", name.replace('-', "_")))?;
        let size = |offset| usize::try_from(image.number(at + offset)).expect("64 bits");
        Some(Self {
            name: name.into(),
            expanded_key_bytes: size(24),
            lanes: size(32),
            constant_time: image.at(at + 40, 1)[0] != 0,
            encrypt_blocks: image.number(at + 88),
            decrypt_blocks: image.number(at + 96),
            set_key: image.number(at + 112),
        })
    }

    /// What its tables have in them, which no result depends on.
    fn keying(&self) -> Keying {
        match self.name.as_str() {
            "zero" => Keying::Zero,
            "minimal" => Keying::Without(2),
            "partial" => Keying::Without(1),
            _ => Keying::Without(0),
        }
    }
}

#[derive(Default)]
pub struct Proved {
    pub instructions: u64,
    /// Places in the code whose address depends on the key, and on the blocks.
    pub key_look_ups: usize,
    pub block_look_ups: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    Encrypt,
    Decrypt,
}

struct Session<'a> {
    machine: Machine<'a>,
    kernel: &'a Kernel,
    key: Key,
    expanded: Vec<Byte>,
    proved: Proved,
}

/// Proves it for keys of 8k bytes.
pub fn prove(image: &Image, kernel: &Kernel, k: usize) -> Result<Proved, String> {
    let mut session = Session::new(image, kernel, k)?;
    let blocks: Vec<Vec<Byte>> =
        (0..2 * kernel.lanes).map(|_| (0..BLOCK_BYTES).map(|_| session.machine.algebra.new_byte()).collect()).collect();
    for direction in [Direction::Encrypt, Direction::Decrypt] {
        let wanted: Vec<Vec<Byte>> = blocks.iter().map(|block| session.specified(direction, block)).collect();
        for n in 1..=blocks.len() {
            for in_place in [false, true] {
                let place = if in_place { " in place" } else { "" };
                session
                    .prove_blocks(direction, &blocks[..n], &wanted[..n], in_place)
                    .map_err(|error| format!("{direction:?} {n} blocks{place}: {error}"))?;
            }
        }
    }
    let mut proved = session.proved;
    proved.block_look_ups = count(session.machine.look_ups);
    if kernel.constant_time && proved.key_look_ups + proved.block_look_ups > 0 {
        return Err("an address depends on a secret, and the kernel says that none does".into());
    }
    Ok(proved)
}

fn count(mut places: Vec<u64>) -> usize {
    places.sort_unstable();
    places.dedup();
    places.len()
}

impl<'a> Session<'a> {
    fn new(image: &'a Image, kernel: &'a Kernel, k: usize) -> Result<Self, String> {
        let mut machine = Machine::new(image);
        let key: Vec<Byte> = (0..8 * k).map(|_| machine.algebra.new_byte()).collect();
        let specified = Spec::new(&mut machine.algebra, &mut machine.sums).key(&key, kernel.keying());
        machine.memory.put("the key", KEY, key, false);
        machine.memory.put("the expanded key", EXPANDED, Memory::unknown(kernel.expanded_key_bytes), true);
        machine.call(kernel.set_key, &[EXPANDED, KEY, k as u64]).map_err(|error| format!("set_key: {error}"))?;
        let expanded = machine.memory.bytes("the expanded key").to_vec();
        let mut proved = Proved { instructions: machine.steps, ..Proved::default() };
        proved.key_look_ups = count(std::mem::take(&mut machine.look_ups));
        machine.memory.put("the key", KEY, Vec::new(), false);
        machine.memory.put("the expanded key", EXPANDED, expanded.clone(), false);
        Ok(Self { machine, kernel, key: specified, expanded, proved })
    }

    fn specified(&mut self, direction: Direction, block: &[Byte]) -> Vec<Byte> {
        let words: [Word; 4] = std::array::from_fn(|i| std::array::from_fn(|j| block[4 * i + j]));
        let mut spec = Spec::new(&mut self.machine.algebra, &mut self.machine.sums);
        let result = match direction {
            Direction::Encrypt => spec.encrypt(words, &self.key),
            Direction::Decrypt => spec.decrypt(words, &self.key),
        };
        result.concat().into_iter().map(|byte| self.machine.algebra.settle(byte)).collect()
    }

    fn prove_blocks(&mut self, direction: Direction, blocks: &[Vec<Byte>], wanted: &[Vec<Byte>], in_place: bool) -> Result<(), String> {
        let n_bytes = blocks.len() * BLOCK_BYTES;
        let memory = &mut self.machine.memory;
        memory.put("the input", IN, blocks.concat(), in_place);
        memory.put("the output", OUT, Memory::unknown(if in_place { 0 } else { n_bytes }), true);
        let out = if in_place { IN } else { OUT };
        let function = match direction {
            Direction::Encrypt => self.kernel.encrypt_blocks,
            Direction::Decrypt => self.kernel.decrypt_blocks,
        };
        self.machine.call(function, &[EXPANDED, out, IN, blocks.len() as u64])?;
        self.proved.instructions += self.machine.steps;
        let found = self.machine.memory.bytes(if in_place { "the input" } else { "the output" }).to_vec();
        for (at, (&found, &wanted)) in found.iter().zip(&wanted.concat()).enumerate() {
            let found = self.machine.algebra.settle(found);
            if found == UNKNOWN || found != wanted {
                return Err(format!("byte {} of block {} is not that of the paper", at % BLOCK_BYTES, at / BLOCK_BYTES));
            }
        }
        if self.machine.memory.bytes("the expanded key") == self.expanded { Ok(()) } else { Err("the expanded key changed".into()) }
    }
}
