// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Runs the machine code of AArch64 on symbols. Branches and the addresses of writes must be constants; where an address
//! of a read is none, that is counted. Instructions of integers and memory are here, those of vectors in `vector.rs`.

mod decode;
mod flags;
mod vector;

use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashMap;

use crate::algebra::{Byte, Op, UNKNOWN};
use crate::image::Image;
use crate::integers::{Kind, Shift};
use crate::machine::{
    Common, Machine, RETURN, Result, STACK, Stack, check_stack_at_call, number, number_bytes,
};
use decode::{BitField, Others, Select};
pub use decode::{
    Condition, Instruction, Operand, Place, Register, SP, Target, Update, When, X, ZERO, decode,
};
use flags::Flags;
pub use flags::holds;

pub const INSTRUCTION_BYTES: u64 = 4;
/// The register of the address to return to.
const LINK: usize = 30;
/// A function may change these and the link register. [AAPCS64, 6.1.1]
const CHANGED: std::ops::RangeInclusive<usize> = 0..=18;
/// A function leaves the lowest 8 bytes of these vectors as they were. [AAPCS64, 6.1.2]
const SAVED_VECTORS: std::ops::RangeInclusive<usize> = 8..=15;
const SAVED_BYTES: usize = 8;

pub struct A64<'a> {
    common: Common,
    image: &'a Image,
    decoded: FxHashMap<u64, Instruction>,
    /// x0 to x30, zero, sp.
    registers: [[Byte; 8]; 33],
    vectors: [[Byte; 16]; 32],
    flags: Flags,
    next: u64,
}

impl Deref for A64<'_> {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}

impl DerefMut for A64<'_> {
    fn deref_mut(&mut self) -> &mut Common {
        &mut self.common
    }
}

impl<'a> A64<'a> {
    pub fn new(image: &'a Image) -> Self {
        let mut new = Self {
            common: Common::default(),
            image,
            decoded: FxHashMap::default(),
            registers: [[UNKNOWN; 8]; 33],
            vectors: [[UNKNOWN; 16]; 32],
            flags: Flags::Unknown,
            next: 0,
        };
        new.forget();
        new
    }

    /// Makes all registers unknown.
    fn forget(&mut self) {
        self.registers = [[UNKNOWN; 8]; 33];
        self.registers[ZERO.0] = [0; 8];
        self.vectors = [[UNKNOWN; 16]; 32];
        self.flags = Flags::Unknown;
    }

    /// x0 to x30, sp, and the vectors, for tests.
    pub fn state(&self) -> Vec<Byte> {
        [
            self.registers[..ZERO.0].concat(),
            self.registers[SP.0].to_vec(),
            self.vectors.concat(),
        ]
        .concat()
    }

    pub fn set_state(&mut self, bytes: &[Byte]) {
        let (integers, vectors) = bytes.split_at(32 * 8);
        let (integers, _) = integers.as_chunks();
        self.registers[..ZERO.0].copy_from_slice(&integers[..ZERO.0]);
        self.registers[SP.0] = integers[ZERO.0];
        self.vectors.copy_from_slice(vectors.as_chunks().0);
    }

    /// The address of the next instruction.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The flags as after the comparison of two constants.
    pub fn compare(&mut self, a: u8, b: u8) {
        self.flags = Flags::of(Kind::Sub, &[Byte::from(a)], &[Byte::from(b)]);
    }

    fn run(&mut self, function: u64) -> Result<()> {
        self.next = function;
        self.steps = 0;
        while self.next != RETURN {
            let at = self.next;
            self.step()
                .map_err(|error| format!("{at:#x}: {}: {error}", text(self.image, at)))?;
            self.steps += 1;
            if self.steps > self.max_steps {
                return Err(format!("no end after {} instructions", self.max_steps));
            }
        }
        Ok(())
    }

    fn decode(&mut self, at: u64) -> Result<Instruction> {
        if let Some(&instruction) = self.decoded.get(&at) {
            return Ok(instruction);
        }
        let instruction = instruction_at(self.image, at)
            .ok_or("the interpreter lacks this instruction, or there is none")?;
        self.decoded.insert(at, instruction);
        Ok(instruction)
    }

    fn step(&mut self) -> Result<()> {
        if self.outside()? {
            return Ok(());
        }
        let instruction = self.decode(self.next)?;
        self.execute(&instruction, self.next)
    }

    /// Does what a function outside the library does, and returns from it; `false`: there is none here.
    fn outside(&mut self) -> Result<bool> {
        let arguments = std::array::from_fn(|i| self.registers[i]);
        let Some(result) = self.common.call_outside(self.next, &arguments)? else {
            return Ok(false);
        };
        check_stack_at_call(&self.registers[SP.0])?;
        self.next = number(&self.registers[LINK]).ok_or("a return address depends on a symbol")?;
        self.registers[CHANGED].fill([UNKNOWN; 8]);
        self.registers[LINK] = [UNKNOWN; 8];
        self.registers[0] = number_bytes(result);
        self.flags = Flags::Unknown;
        for (i, vector) in self.vectors.iter_mut().enumerate() {
            let saved = if SAVED_VECTORS.contains(&i) {
                SAVED_BYTES
            } else {
                0
            };
            vector[saved..].fill(UNKNOWN);
        }
        Ok(true)
    }

    /// Of the registers that a function must leave as they were.
    fn saved(&self) -> Vec<Byte> {
        let integers = self.registers[CHANGED.end() + 1..LINK].concat();
        let vectors = self.vectors[SAVED_VECTORS].iter();
        let vectors = vectors.flat_map(|vector| vector[..SAVED_BYTES].to_vec());
        integers
            .into_iter()
            .chain(vectors)
            .chain(self.registers[SP.0])
            .collect()
    }

    // --- registers -------------------------------------------------------------------------------------------------

    fn register(&self, x: X, size: usize) -> Vec<Byte> {
        self.registers[x.0][..size].to_vec()
    }

    /// Bytes above those written become zeros.
    fn set_register(&mut self, x: X, bytes: &[Byte]) {
        if x != ZERO {
            self.registers[x.0].fill(0);
            self.registers[x.0][..bytes.len()].copy_from_slice(bytes);
        }
    }

    fn operand(&mut self, operand: Operand, size: usize) -> Vec<Byte> {
        match operand {
            Operand::Constant(value) => number_bytes(value)[..size].to_vec(),
            Operand::Shifted(x, how, by) => {
                let bytes = self.register(x, size);
                self.shifted(&bytes, how, by)
            }
            Operand::Extended {
                from,
                bytes,
                signed,
                by,
            } => {
                let mut all = self.register(from, bytes);
                let above = if signed { self.sign(&all) } else { 0 };
                all.resize(8, above);
                self.shifted(&all, Shift::Left, by)[..size].to_vec()
            }
        }
    }

    // --- memory ----------------------------------------------------------------------------------------------------

    /// Does an access to a place, and changes the base register before it or after it.
    fn at<T>(
        &mut self,
        place: &Place,
        access: impl FnOnce(&mut Self, &[Byte]) -> Result<T>,
    ) -> Result<T> {
        let base = self.register(place.base, 8);
        if place.base == SP && !number(&base).is_some_and(|sp| sp.is_multiple_of(16)) {
            return Err("the stack pointer is no multiple of 16".into());
        }
        let plus = self.operand(place.plus, 8);
        let sum = self.arithmetic(Kind::Add, &base, &plus);
        match place.update {
            Update::Never => access(self, &sum),
            Update::Before => {
                self.set_register(place.base, &sum);
                access(self, &sum)
            }
            Update::After => {
                let result = access(self, &base);
                self.set_register(place.base, &sum);
                result
            }
        }
    }

    fn load(&mut self, address: &[Byte], n: usize) -> Result<Vec<Byte>> {
        let stack = self.stack();
        if let Some(address) = number(address) {
            stack.check(address)?;
            return Ok(self.memory.load(address, n)?.to_vec());
        }
        let (parts, value) = self.parts_of_address(address);
        let address_at = |at: &[Byte]| {
            let address = value(at);
            stack.check(address).map(|()| address)
        };
        self.common.look_up(self.next, &parts, address_at, n)
    }

    fn store(&mut self, address: &[Byte], bytes: &[Byte]) -> Result<()> {
        let address = number(address).ok_or("the address of a write depends on a symbol")?;
        self.stack().check(address)?;
        self.memory.store(address, bytes)
    }

    fn stack(&self) -> Stack {
        Stack {
            lowest: number(&self.registers[SP.0]),
            n_bytes: self.stack_bytes,
        }
    }

    fn stored(&self, register: Register, size: usize) -> Vec<Byte> {
        match register {
            Register::Integer(x) => self.register(x, size),
            Register::Vector(v) => self.vectors[v.0][..size].to_vec(),
        }
    }

    fn set_loaded(&mut self, register: Register, bytes: &[Byte]) {
        match register {
            Register::Integer(x) => self.set_register(x, bytes),
            Register::Vector(v) => self.set_vector(v, bytes),
        }
    }

    /// One register or two.
    fn access(
        &mut self,
        load: bool,
        (size, signed): (usize, Option<usize>),
        registers: &[Register],
        place: &Place,
    ) -> Result<()> {
        if !load {
            let stored = registers.iter().map(|&from| self.stored(from, size));
            let stored = stored.collect::<Vec<_>>().concat();
            return self.at(place, |all, address| all.store(address, &stored));
        }
        let n = size * registers.len();
        let loaded = self.at(place, |all, address| all.load(address, n))?;
        for (&register, bytes) in registers.iter().zip(loaded.chunks_exact(size)) {
            let mut bytes = bytes.to_vec();
            if let Some(filled) = signed {
                bytes.resize(filled, self.sign(&bytes.clone()));
            }
            self.set_loaded(register, &bytes);
        }
        Ok(())
    }

    // --- instructions ----------------------------------------------------------------------------------------------

    /// Executes the instruction at an address.
    pub fn execute(&mut self, i: &Instruction, at: u64) -> Result<()> {
        self.next = at;
        let next = match *i {
            Instruction::Branch { to, link } => self.branch(to, link)?,
            Instruction::BranchIf { when, size, to } if self.is_taken(when, size)? => to,
            _ => {
                self.integer(i)?;
                self.vector(i)?;
                at + INSTRUCTION_BYTES
            }
        };
        self.next = next;
        Ok(())
    }

    fn branch(&mut self, to: Target, link: bool) -> Result<u64> {
        let to = match to {
            Target::At(to) => Some(to),
            Target::In(x) => number(&self.registers[x.0]),
        };
        if link {
            self.registers[LINK] = number_bytes(self.next + INSTRUCTION_BYTES);
        }
        to.ok_or_else(|| "the target depends on a symbol".into())
    }

    fn is_taken(&mut self, when: When, size: usize) -> Result<bool> {
        let (holds, is) = match when {
            When::Holds(condition) => (self.condition(condition), true),
            When::Zero(x, is) => {
                let bytes = self.register(x, size);
                let zero = Flags::of(Kind::And, &bytes, &bytes);
                (zero.hold(&mut self.common.algebra, Condition::Eq), is)
            }
            When::Bit(x, bit, is) => {
                let byte = self.registers[x.0][bit / 8];
                (self.algebra.spread(byte, bit % 8), is)
            }
        };
        match holds {
            0 => Ok(!is),
            0xFF => Ok(is),
            _ => Err("the branch depends on a symbol".into()),
        }
    }

    /// Those of integers and memory.
    fn integer(&mut self, i: &Instruction) -> Result<()> {
        match *i {
            Instruction::Arithmetic {
                kind,
                inverted,
                sets_flags,
                size,
                to,
                a,
                b,
            } => {
                let (a, mut b) = (self.register(a, size), self.operand(b, size));
                if inverted {
                    b = self.on_each(Op::Xor, &b, &[0xFF; 8]);
                }
                if sets_flags {
                    self.flags = Flags::of(kind, &a, &b);
                }
                let result = self.arithmetic(kind, &a, &b);
                self.set_register(to, &result);
            }
            Instruction::Keep {
                size,
                to,
                value,
                at,
            } => {
                let mut bytes = self.register(to, size);
                bytes[at..at + 2].copy_from_slice(&value.to_le_bytes().map(Byte::from));
                self.set_register(to, &bytes);
            }
            Instruction::BitField(ref field) => self.bit_field(field),
            Instruction::Extract {
                size,
                to,
                high,
                low,
                at,
            } => {
                let both = [self.register(low, size), self.register(high, size)].concat();
                let shifted = self.shifted(&both, Shift::Right, at);
                self.set_register(to, &shifted[..size]);
            }
            Instruction::ShiftBy {
                how,
                size,
                to,
                a,
                by,
            } => {
                let by = number(&self.registers[by.0][..1]).ok_or("a shift depends on a symbol")?;
                let bytes = self.register(a, size);
                let by = usize::try_from(by).expect("a byte") % (8 * size);
                let result = self.shifted(&bytes, how, by);
                self.set_register(to, &result);
            }
            Instruction::Multiply {
                kind,
                long,
                size,
                to,
                a,
                b,
                other,
            } => {
                let other = self.register(other, size);
                let [a, b] = [a, b].map(|x| {
                    let mut bytes = self.register(x, if long { 4 } else { size });
                    bytes.resize(size, 0);
                    bytes
                });
                let product = self.arithmetic(Kind::Multiply, &a, &b);
                let result = self.arithmetic(kind, &other, &product);
                self.set_register(to, &result);
            }
            Instruction::Select(ref select) => self.select(select),
            Instruction::Reverse { size, to, a } => {
                let mut bytes = self.register(a, size);
                bytes.reverse();
                self.set_register(to, &bytes);
            }
            Instruction::Memory {
                load,
                size,
                signed,
                first,
                second,
                ref place,
            } => {
                let registers = [Some(first), second];
                let registers: Vec<_> = registers.into_iter().flatten().collect();
                self.access(load, (size, signed), &registers, place)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn bit_field(&mut self, i: &BitField) {
        let BitField {
            size,
            to,
            from,
            rotate,
            at,
            n,
            others,
        } = *i;
        let bytes = self.register(from, size);
        let bytes = self.shifted(&bytes, Shift::RotateRight, rotate);
        let old = self.register(to, size);
        let top = at + n - 1;
        let sign = self.algebra.spread(bytes[top / 8], top % 8);
        let field = (u64::MAX >> (64 - n)) << at;
        let above = !(u64::MAX >> (63 - top));
        let mut result = vec![0; size];
        for (i, byte) in result.iter_mut().enumerate() {
            let mask = |bits: u64| Byte::from(bits.to_le_bytes()[i]);
            *byte = match others {
                Others::Zeros => self.algebra.op(Op::And, bytes[i], mask(field)),
                Others::Kept => self.merged(mask(field), bytes[i], old[i]),
                Others::Signs => {
                    let signs = self.algebra.op(Op::And, sign, mask(above));
                    self.merged(mask(field), bytes[i], signs)
                }
            };
        }
        self.set_register(to, &result);
    }

    /// CSEL and its kin.
    fn select(&mut self, i: &Select) {
        let Select {
            condition,
            size,
            to,
            yes,
            no,
            inverted,
            plus_one,
        } = *i;
        let (yes, mut no) = (self.register(yes, size), self.register(no, size));
        if inverted {
            no = self.on_each(Op::Xor, &no, &[0xFF; 8]);
        }
        if plus_one {
            no = self.arithmetic(Kind::Add, &no, &number_bytes(1)[..size]);
        }
        let holds = self.condition(condition);
        let pairs = yes.iter().zip(&no);
        let chosen: Vec<_> = pairs
            .map(|(&yes, &no)| self.algebra.select(holds, yes, no))
            .collect();
        self.set_register(to, &chosen);
    }

    pub fn condition(&mut self, condition: Condition) -> Byte {
        self.flags.hold(&mut self.common.algebra, condition)
    }
}

impl<'a> Machine<'a> for A64<'a> {
    fn load_image(&mut self) {
        self.common.load_image(self.image);
    }

    fn replace_image(&mut self, image: &'a Image) {
        self.image = image;
        self.decoded.clear();
    }

    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<()> {
        self.put_stack(STACK, function);
        self.forget();
        // Registers that a function must leave as they were get a mark.
        for x in CHANGED.end() + 1..LINK {
            self.registers[x] = std::array::from_fn(|_| self.common.algebra.new_byte());
        }
        for v in SAVED_VECTORS {
            let marks: [Byte; SAVED_BYTES] =
                std::array::from_fn(|_| self.common.algebra.new_byte());
            self.vectors[v][..SAVED_BYTES].copy_from_slice(&marks);
        }
        for (register, &argument) in self.registers.iter_mut().zip(arguments) {
            *register = number_bytes(argument);
        }
        self.registers[SP.0] = number_bytes(STACK + self.stack_bytes);
        self.registers[LINK] = number_bytes(RETURN);
        let before = self.saved();
        self.run(function)?;
        if self.saved() == before {
            Ok(())
        } else {
            Err("a register is not as it was before the call".into())
        }
    }

    fn result(&self) -> [Byte; 8] {
        self.registers[0]
    }

    fn places(&self) -> Vec<(u64, usize)> {
        let places = self.decoded.keys();
        places.map(|&at| (at, INSTRUCTION_BYTES as usize)).collect()
    }
}

pub fn word_at(image: &Image, at: u64) -> Option<u32> {
    let bytes = image.tail(at)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

/// `None` also at an address that is no multiple of four: the processor takes no instruction from there.
fn instruction_at(image: &Image, at: u64) -> Option<Instruction> {
    let is_aligned = at.is_multiple_of(INSTRUCTION_BYTES);
    is_aligned.then(|| decode(word_at(image, at)?, at))?
}

/// The instruction at an address as text.
pub fn text(image: &Image, at: u64) -> String {
    let instruction = instruction_at(image, at);
    instruction.map_or_else(String::new, |instruction| format!("{instruction:?}"))
}
