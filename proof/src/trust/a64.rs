// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The part of the tests that is about AArch64; `cpu-aarch64.c` is the program that runs single instructions.

use super::{Case, Found, Kind, Random, Runner, random_bytes};
use crate::a64::{
    A64, Condition, Instruction, Operand, Place, SP, Target, Update, When, X, decode, holds,
    word_at,
};
use crate::algebra::{Algebra, Byte, Op};
use crate::image::Image;
use crate::machine::number_bytes;

const INTEGER_BYTES: usize = 32 * 8;
const VECTOR_BYTES: usize = 32 * 16;
const MEMORY_BYTES: usize = 512;
const NEXT_BYTES: usize = 8;
const FLAGS_AT: usize = INTEGER_BYTES + NEXT_BYTES;
const STATE_BYTES: usize = FLAGS_AT + 8 + VECTOR_BYTES + MEMORY_BYTES;
/// From an instruction to where its branch goes.
const BRANCH_BYTES: u64 = 8;

pub struct Subject<'a> {
    runner: Runner,
    image: &'a Image,
    code_at: u64,
    memory_at: u64,
}

impl<'a> Subject<'a> {
    pub fn new(mut runner: Runner, image: &'a Image) -> Result<Self, String> {
        let places = runner.receive(16)?;
        let place = |i: usize| u64::from_le_bytes(std::array::from_fn(|j| places[8 * i + j]));
        Ok(Self {
            code_at: place(0),
            memory_at: place(1),
            runner,
            image,
        })
    }

    /// Gives registers of addresses values for which the instruction touches the memory of the test, or goes to the
    /// second instruction after itself.
    fn prepare(
        &self,
        i: &Instruction,
        algebra: &mut Algebra,
        integers: &mut [Byte],
        random: &mut Random,
        kind: Kind,
    ) {
        let mut set = |x: X, value: u64| {
            set_register(integers, x, &number_bytes(value));
        };
        match *i {
            Instruction::Branch {
                to: Target::In(x), ..
            } => set(x, self.code_at + BRANCH_BYTES),
            Instruction::BranchIf {
                when: When::Zero(x, _),
                ..
            } if random.below(2) == 0 => set(x, 0),
            _ => {}
        }
        let Some(place) = place_of(i) else { return };
        let plus = match place.plus {
            Operand::Extended {
                from,
                bytes,
                signed,
                ..
            } => {
                let index = small_index(algebra, random, kind, signed);
                set_register(integers, from, &index[..bytes]);
                0
            }
            Operand::Constant(plus) if place.update != Update::After => plus,
            _ => 0,
        };
        let middle = self.memory_at + (MEMORY_BYTES / 2) as u64;
        let base = middle.wrapping_sub(plus) + random.below(16);
        let base = if place.base == SP { base & !15 } else { base };
        set_register(integers, place.base, &number_bytes(base));
    }
}

impl super::Subject for Subject<'_> {
    type Instruction = u32;

    fn form(&self, (at, _): (u64, usize)) -> Option<(String, u32)> {
        let word = alone(word_at(self.image, at)?);
        let instruction = decode(word, 0)?;
        Some((without_registers(&format!("{instruction:?}")), word))
    }

    fn has(&self, _: &u32) -> bool {
        true
    }

    fn interpret(&self, &word: &u32, random: &mut Random, kind: Kind) -> Result<Case, String> {
        let instruction = decode(word, self.code_at).ok_or("the instruction is unknown")?;
        let mut machine = A64::new(self.image);
        let all = INTEGER_BYTES + VECTOR_BYTES + MEMORY_BYTES;
        let mut before = random_bytes(&mut machine.algebra, random, kind, all);
        let integers = &mut before[..INTEGER_BYTES];
        self.prepare(&instruction, &mut machine.algebra, integers, random, kind);
        let (registers, memory) = before.split_at(INTEGER_BYTES + VECTOR_BYTES);
        machine.set_state(registers);
        machine
            .memory
            .put("scratch", self.memory_at, memory.to_vec(), true);
        let a = random.byte();
        let b = if random.below(4) == 0 {
            a
        } else {
            random.byte()
        };
        machine.compare(a, b);
        let refused = machine.execute(&instruction, self.code_at).is_err();
        let conditions = Condition::ALL.map(|c| (format!("{c:?}"), machine.condition(c)));
        let next = number_bytes(machine.next().wrapping_sub(self.code_at));
        let after = [&machine.state(), machine.memory.bytes("scratch"), &next].concat();
        Ok(Case {
            code: word.to_le_bytes().to_vec(),
            common: std::mem::take(&mut *machine),
            before,
            after: (!refused).then_some(after),
            conditions: conditions.to_vec(),
            flags: flags_of(a, b),
            number_at: None,
        })
    }

    fn run(&mut self, case: &Case, before: &[u8]) -> Result<Found, String> {
        let (integers, others) = before.split_at(INTEGER_BYTES);
        let mut request = case.code.clone();
        request.resize(8, 0);
        request.extend(integers);
        request.extend([0; NEXT_BYTES]);
        request.extend(case.flags.to_le_bytes());
        request.extend(others);
        self.runner.send(&request)?;
        let end = self.runner.receive(STATE_BYTES)?;
        let (integers, next) = end[..FLAGS_AT].split_at(INTEGER_BYTES);
        let flags = u64::from_le_bytes(std::array::from_fn(|i| end[FLAGS_AT + i]));
        let after = [integers, &end[FLAGS_AT + 8..], next].concat();
        let nzcv = [31, 30, 29, 28].map(|bit| flags >> bit & 1 == 1);
        Ok(Found {
            after: after.into_iter().map(Some).collect(),
            conditions: Condition::ALL.map(|c| holds(c, nzcv)).to_vec(),
        })
    }
}

fn set_register(integers: &mut [Byte], x: X, bytes: &[Byte]) {
    let at = match x {
        SP => INTEGER_BYTES - 8,
        X(number) => 8 * number,
    };
    if x != crate::a64::ZERO {
        integers[at..at + bytes.len()].copy_from_slice(bytes);
    }
}

/// An index from -15 to 15; only a constant is negative.
fn small_index(algebra: &mut Algebra, random: &mut Random, kind: Kind, signed: bool) -> [Byte; 8] {
    if kind != Kind::Constants {
        let symbol = algebra.new_byte();
        let low = algebra.op(Op::And, symbol, 15);
        return [low, 0, 0, 0, 0, 0, 0, 0];
    }
    let index = random.below(16);
    number_bytes(if signed { index.wrapping_neg() } else { index })
}

fn place_of(i: &Instruction) -> Option<Place> {
    match *i {
        Instruction::Memory { place, .. }
        | Instruction::Replicate { place, .. }
        | Instruction::Element { place, .. } => Some(place),
        Instruction::Structures(ref structures) => Some(structures.place),
        _ => None,
    }
}

/// The instruction, of which a branch goes to the second one after itself.
fn alone(word: u32) -> u32 {
    let with_offset = |at: u32, n: u32| {
        let field = ((1 << n) - 1) << at;
        word & !field | (BRANCH_BYTES as u32 / 4) << at
    };
    match word >> 24 {
        0x14..0x18 | 0x94..0x98 => with_offset(0, 26), // B, BL
        0x54 | 0x34 | 0x35 | 0xB4 | 0xB5 => with_offset(5, 19), // B.cond, CBZ, CBNZ
        0x36 | 0x37 | 0xB6 | 0xB7 => with_offset(5, 14), // TBZ, TBNZ
        _ => word,
    }
}

/// The text of an instruction, with the registers named in the order in which they occur.
fn without_registers(text: &str) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    let renamed = words.map(|word| {
        let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_register = name.len() > 1
            && name.starts_with(['x', 'v'])
            && name[1..].bytes().all(|c| c.is_ascii_digit());
        if !is_register {
            return word.to_owned();
        }
        let place = seen.iter().position(|&other| other == name);
        let place = place.unwrap_or_else(|| {
            seen.push(name);
            seen.len() - 1
        });
        format!("{}_{place}{}", &name[..1], &word[name.len()..])
    });
    renamed.collect()
}

/// N, Z, C and V after a comparison.
fn flags_of(a: u8, b: u8) -> u64 {
    let overflow = a.cast_signed().checked_sub(b.cast_signed()).is_none();
    u64::from(a.wrapping_sub(b) >> 7) << 31
        | u64::from(a == b) << 30
        | u64::from(a >= b) << 29
        | u64::from(overflow) << 28
}
