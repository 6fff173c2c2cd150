// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Runs x86-64 machine code on symbols. Branches and, unless it says so, addresses must be constants. Instructions of
//! integers are here, those of vectors in `vector.rs`.

mod flags;
mod rare;
mod vector;
mod written;

use std::ops::{Deref, DerefMut};

use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, Instruction, MemorySize, Mnemonic, OpKind, Register,
};
use rustc_hash::FxHashMap;

use crate::algebra::{Byte, Op, UNKNOWN};
use crate::carries;
use crate::image::Image;
use crate::integers::{Kind, Shift};
use crate::look_up;
use crate::machine::{
    Common, Machine, RETURN, Result, STACK, Stack, check_stack_at_call, number, number_bytes,
};
use crate::sums::Word;
use flags::Flags;
pub use written::takes_symbols;

const RAX: usize = 0;
const RDX: usize = 2;
const RSP: usize = 4;
/// Below rsp, for functions that call no others. [AMD64-ABI, 3.2.2]
const RED_ZONE: u64 = 128;
/// rdi, rsi, rdx, rcx, r8, r9.
const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];
/// Those that a function leaves as they were, by the calling convention of System V: rbx, rsp, rbp, r12 to r15.
const SAVED: [usize; 7] = [3, 4, 5, 12, 13, 14, 15];

pub struct X86<'a> {
    common: Common,
    image: &'a Image,
    decoded: FxHashMap<u64, Instruction>,
    /// Of code that the library wrote.
    written: FxHashMap<u64, Vec<u8>>,
    /// A number in the instruction that runs, if the library wrote that and the number has symbols.
    number: Option<Word>,
    registers: [[Byte; 8]; 16],
    vectors: Box<[[Byte; 64]; 32]>,
    /// Mask registers: each bit as a byte of 0 or 255.
    masks: [[Byte; 64]; 8],
    flags: Flags,
    marks: [[[Byte; 8]; SAVED.len()]; 2],
    next: u64,
}

impl Deref for X86<'_> {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}

impl DerefMut for X86<'_> {
    fn deref_mut(&mut self) -> &mut Common {
        &mut self.common
    }
}

/// Of a machine, as bytes: 16 integers of 8; memory, which a test puts where it is; 8 masks, a byte of 0 or 255 for each
/// of 64 bits; 32 vectors of 64.
#[derive(Clone)]
pub struct State {
    pub integers: Vec<Byte>,
    pub memory: Vec<Byte>,
    pub masks: Vec<Byte>,
    pub vectors: Vec<Byte>,
}

impl State {
    pub fn bytes(&self) -> Vec<Byte> {
        [
            self.integers.as_slice(),
            &self.memory,
            &self.masks,
            &self.vectors,
        ]
        .concat()
    }
}

impl<'a> X86<'a> {
    pub fn new(image: &'a Image) -> Self {
        let mut common = Common::default();
        let mut mark = |_| std::array::from_fn(|_| common.algebra.new_byte());
        let marks = [0, 1].map(|_| std::array::from_fn(&mut mark));
        Self {
            common,
            marks,
            image,
            decoded: FxHashMap::default(),
            written: FxHashMap::default(),
            number: None,
            registers: [[UNKNOWN; 8]; 16],
            vectors: Box::new([[UNKNOWN; 64]; 32]),
            masks: [[UNKNOWN; 64]; 8],
            flags: Flags::Unknown,
            next: 0,
        }
    }

    /// The flags as after the comparison of two constants.
    pub fn compare(&mut self, a: u8, b: u8) {
        self.flags = Flags::of(Kind::Sub, &[Byte::from(a)], &[Byte::from(b)]);
    }

    /// The instruction that runs has this number instead of its own.
    pub fn take_number(&mut self, number: Option<Word>) {
        self.number = number;
    }

    pub fn condition(&mut self, condition: ConditionCode) -> Byte {
        self.flags.holds(&mut self.common.algebra, condition)
    }

    pub fn state(&self) -> State {
        State {
            integers: self.registers.concat(),
            memory: Vec::new(),
            masks: self.masks.concat(),
            vectors: self.vectors.concat(),
        }
    }

    pub fn set_state(&mut self, state: &State) {
        let each = |bytes: &[Byte], i: usize, n: usize| bytes[i * n..(i + 1) * n].to_vec();
        self.registers =
            std::array::from_fn(|i| each(&state.integers, i, 8).try_into().expect("8 bytes"));
        self.masks =
            std::array::from_fn(|i| each(&state.masks, i, 64).try_into().expect("64 bytes"));
        *self.vectors =
            std::array::from_fn(|i| each(&state.vectors, i, 64).try_into().expect("64 bytes"));
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
        if let Some(instruction) = self.decoded.get(&at) {
            return Ok(*instruction);
        }
        let Some(instruction) = instruction_at(self.image, at) else {
            return self.decode_written(at);
        };
        self.decoded.insert(at, instruction);
        Ok(instruction)
    }

    /// Decoded each time, since it may have been written again.
    fn decode_written(&mut self, at: u64) -> Result<Instruction> {
        let code = self.memory.code(at, written::MAX_BYTES)?;
        let (instruction, number) = written::decode(at, &code)?;
        let code = &code[..instruction.len()];
        self.written.insert(at, written::without_symbols(code));
        self.number = number.map(|word| word.map(|byte| self.algebra.settle(byte)));
        Ok(instruction)
    }

    fn step(&mut self) -> Result<()> {
        if self.outside()? {
            return Ok(());
        }
        self.number = None;
        let instruction = self.decode(self.next)?;
        self.next = instruction.next_ip();
        self.execute(&instruction)
    }

    pub fn execute(&mut self, i: &Instruction) -> Result<()> {
        if self.integer(i)? || self.vector(i)? {
            Ok(())
        } else {
            Err("the interpreter lacks this instruction".into())
        }
    }

    /// Does what a function outside the library does, and returns from it; `false`: there is none here.
    fn outside(&mut self) -> Result<bool> {
        if !self.common.outside.contains_key(&self.next) {
            return Ok(false);
        }
        let arguments = ARGUMENTS.map(|register| self.registers[register]);
        let Some(result) = self.common.call_outside(self.next, &arguments)? else {
            return Ok(false);
        };
        self.next = self.pop()?;
        check_stack_at_call(&self.registers[RSP])?;
        for register in [1, 2, 6, 7, 8, 9, 10, 11] {
            self.registers[register] = [UNKNOWN; 8];
        }
        *self.vectors = [[UNKNOWN; 64]; 32];
        self.masks = [[UNKNOWN; 64]; 8];
        self.flags = Flags::Unknown;
        self.registers[0] = number_bytes(result);
        Ok(true)
    }

    // --- registers and memory --------------------------------------------------------------------------------------

    fn stack(&self) -> Stack {
        Stack {
            lowest: number(&self.registers[RSP]).map(|rsp| rsp - RED_ZONE),
            n_bytes: self.stack_bytes,
        }
    }

    fn push(&mut self, bytes: &[Byte]) -> Result<()> {
        let top =
            number(&self.registers[RSP]).ok_or("rsp depends on a symbol")? - bytes.len() as u64;
        self.registers[RSP] = number_bytes(top);
        self.memory.store(top, bytes)
    }

    fn load_at(&mut self, address: u64, n: usize) -> Result<Vec<Byte>> {
        self.stack().check(address)?;
        Ok(self.memory.load(address, n)?.to_vec())
    }

    fn store_at(&mut self, address: u64, bytes: &[Byte]) -> Result<()> {
        self.stack().check(address)?;
        self.memory.store(address, bytes)
    }

    fn pop(&mut self) -> Result<u64> {
        let bytes = self.pop_bytes()?;
        number(&bytes).ok_or_else(|| "a return address depends on a symbol".into())
    }

    fn pop_bytes(&mut self) -> Result<Vec<Byte>> {
        let top = number(&self.registers[RSP]).ok_or("rsp depends on a symbol")?;
        let bytes = self.memory.load(top, 8)?.to_vec();
        self.registers[RSP] = number_bytes(top + 8);
        Ok(bytes)
    }

    fn register(&self, register: Register) -> Vec<Byte> {
        let (number, size) = (register.full_register().number(), register.size());
        let at = usize::from(is_high(register));
        self.registers[number][at..at + size].to_vec()
    }

    fn set_register(&mut self, register: Register, bytes: &[Byte]) {
        let (number, size) = (register.full_register().number(), register.size());
        let at = usize::from(is_high(register));
        let whole = &mut self.registers[number];
        whole[at..at + size].copy_from_slice(&bytes[..size]);
        if size == 4 {
            whole[4..].fill(0); // a write of 32 bits clears the others
        }
    }

    /// The parts of an address: base, index, and what multiplies it.
    fn address_parts(&self, i: &Instruction) -> (Vec<Byte>, Vec<Byte>, u64) {
        let of = |register: Register| match register {
            Register::None | Register::RIP => vec![0; 8],
            _ => {
                let mut bytes = self.register(register);
                bytes.resize(8, 0);
                bytes
            }
        };
        (
            of(i.memory_base()),
            of(i.memory_index()),
            u64::from(i.memory_index_scale()),
        )
    }

    fn address(&self, i: &Instruction) -> Option<u64> {
        let (base, index, scale) = self.address_parts(i);
        Some(address_of(i, number(&base)?, number(&index)?, scale))
    }

    /// The bytes at the address of an operand in memory, which may depend on symbols.
    fn load(&mut self, i: &Instruction, n: usize) -> Result<Vec<Byte>> {
        if let Some(address) = self.address(i) {
            check_alignment(i, address)?;
            return self.load_at(address, n);
        }
        let stack = self.stack();
        let (base, index, scale) = self.address_parts(i);
        let address = |at: &[Byte]| {
            let [base, index] = [&at[..8], &at[8..]].map(|part| number(part).expect("constant"));
            let address = address_of(i, base, index, scale);
            check_alignment(i, address)?;
            stack.check(address).map(|()| address)
        };
        let both = [base.as_slice(), &index].concat();
        let few = self.common.look_up_of_few_bits(i.ip(), &both, address, n)?;
        let by_chain = || {
            check_alignment(i, 1).ok()?; // it may lie anywhere
            let parts = [(base, 1), (index, scale)];
            self.common.in_chain(i.memory_displacement64(), &parts, n)
        };
        match few.or_else(by_chain) {
            Some(bytes) => Ok(bytes),
            None => look_up::load(&mut self.common, &both, n, address),
        }
    }

    fn store(&mut self, i: &Instruction, bytes: &[Byte]) -> Result<()> {
        let address = self
            .address(i)
            .ok_or("the address of a write depends on a symbol")?;
        check_alignment(i, address)?;
        self.store_at(address, bytes)
    }

    fn operand(&mut self, i: &Instruction, which: u32) -> Result<Vec<Byte>> {
        Ok(match i.op_kind(which) {
            OpKind::Register => self.register(i.op_register(which)),
            OpKind::Memory => self.load(i, i.memory_size().size())?,
            _ => self.number.map_or_else(
                || number_bytes(i.immediate(which))[..self.operand_bytes(i)].to_vec(),
                |number| number.to_vec(),
            ),
        })
    }

    /// Of the first operand, which is that of the operation.
    fn operand_bytes(&self, i: &Instruction) -> usize {
        match i.op0_kind() {
            OpKind::Register => i.op0_register().size(),
            OpKind::Memory if i.memory_size() != MemorySize::Unknown => i.memory_size().size(),
            _ => 8,
        }
    }

    fn set_operand(&mut self, i: &Instruction, bytes: &[Byte]) -> Result<()> {
        match i.op0_kind() {
            OpKind::Register => self.set_register(i.op0_register(), bytes),
            OpKind::Memory => return self.store(i, bytes),
            _ => return Err("an operand of an unknown kind".into()),
        }
        Ok(())
    }

    // --- instructions ----------------------------------------------------------------------------------------------

    /// `false`: it is none of these.
    fn integer(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        if (0..i.op_count())
            .any(|which| i.op_kind(which) == OpKind::Register && is_wide(i.op_register(which)))
        {
            return Ok(false);
        }
        match i.mnemonic() {
            M::Nop | M::Endbr64 => {}
            M::Mov => {
                let bytes = self.operand(i, 1)?;
                self.set_operand(i, &bytes)?;
            }
            M::Movzx | M::Movsx | M::Movsxd => {
                let size = self.operand_bytes(i);
                let mut bytes = self.operand(i, 1)?;
                let sign = if i.mnemonic() == M::Movzx {
                    0
                } else {
                    self.sign(&bytes)
                };
                bytes.resize(size, sign);
                self.set_operand(i, &bytes)?;
            }
            M::Cdqe => {
                let mut bytes = self.register(Register::EAX);
                bytes.resize(8, self.sign(&bytes.clone()));
                self.set_register(Register::RAX, &bytes);
            }
            M::Lea => self.lea(i)?,
            M::Xchg => {
                let (a, b) = (self.operand(i, 0)?, self.operand(i, 1)?);
                self.set_operand(i, &b)?;
                self.set_register(i.op1_register(), &a);
            }
            M::Bswap => {
                let mut bytes = self.operand(i, 0)?;
                bytes.reverse();
                self.set_operand(i, &bytes)?;
            }
            M::Push => {
                let mut bytes = self.operand(i, 0)?;
                bytes.resize(8, 0);
                self.push(&bytes)?;
            }
            M::Pop => {
                let bytes = self.pop_bytes()?;
                self.set_operand(i, &bytes)?;
            }
            M::Leave => {
                self.registers[RSP] = self.registers[5];
                let bytes = self.pop_bytes()?;
                self.set_register(Register::RBP, &bytes);
            }
            M::Call => {
                self.push(&number_bytes(i.next_ip()))?;
                self.next = self.target(i)?;
            }
            M::Jmp => self.next = self.target(i)?,
            M::Ret => self.next = self.pop()?,
            M::Xor | M::And | M::Or | M::Add | M::Sub | M::Imul if i.op_count() > 1 => {
                self.two_operands(i)?
            }
            M::Cmp | M::Test => {
                let (a, b) = (self.operand(i, 0)?, self.operand(i, 1)?);
                let kind = if i.mnemonic() == M::Cmp {
                    Kind::Sub
                } else {
                    Kind::And
                };
                self.flags = Flags::of(kind, &a, &b);
            }
            M::Not => {
                let bytes = self.operand(i, 0)?;
                let bytes: Vec<_> = bytes
                    .iter()
                    .map(|&byte| self.algebra.op(Op::Xor, byte, 0xFF))
                    .collect();
                self.set_operand(i, &bytes)?;
            }
            M::Neg => {
                let bytes = self.operand(i, 0)?;
                let zero = vec![0; bytes.len()];
                let negative = self.arithmetic(Kind::Sub, &zero, &bytes);
                self.flags = Flags::of(Kind::Sub, &zero, &bytes);
                self.set_operand(i, &negative)?;
            }
            M::Inc | M::Dec => {
                let bytes = self.operand(i, 0)?;
                let one = number_bytes(1)[..bytes.len()].to_vec();
                let kind = if i.mnemonic() == M::Inc {
                    Kind::Add
                } else {
                    Kind::Sub
                };
                let result = self.arithmetic(kind, &bytes, &one);
                self.flags = Flags::without_carry(kind, &bytes, &one);
                self.set_operand(i, &result)?;
            }
            M::Shl | M::Shr | M::Sar | M::Rol | M::Ror => self.shift(i)?,
            M::Shld | M::Shrd => self.shift_double(i)?,
            M::Bsf | M::Tzcnt => self.count_zeros(i)?,
            M::Div => self.divide(i)?,
            M::Bt => self.test_bit(i)?,
            M::Mul => self.multiply_wide(i)?,
            _ => return self.conditional(i),
        }
        Ok(true)
    }

    fn target(&mut self, i: &Instruction) -> Result<u64> {
        match i.op0_kind() {
            OpKind::NearBranch64 => Ok(i.near_branch64()),
            _ => {
                let bytes = self.operand(i, 0)?;
                number(&bytes).ok_or_else(|| "the target depends on a symbol".into())
            }
        }
    }

    fn lea(&mut self, i: &Instruction) -> Result<()> {
        let size = i.op0_register().size();
        let (base, index, scale) = self.address_parts(i);
        let numbers = (number(&base), number(&index), self.number);
        let sum = if let (Some(base), Some(index), None) = numbers {
            number_bytes(address_of(i, base, index, scale)).to_vec()
        } else {
            let displacement = self.number.map_or_else(
                || number_bytes(address_of(i, 0, 0, scale)).to_vec(),
                |number| number.to_vec(),
            );
            let multiple = self.shifted(&index, Shift::Left, scale.trailing_zeros() as usize);
            let sum = self.arithmetic(Kind::Add, &base[..size], &multiple[..size]);
            self.arithmetic(Kind::Add, &sum, &displacement[..size])
        };
        self.set_register(i.op0_register(), &sum);
        Ok(())
    }

    fn two_operands(&mut self, i: &Instruction) -> Result<()> {
        let kind = match i.mnemonic() {
            Mnemonic::Xor => Kind::Xor,
            Mnemonic::And => Kind::And,
            Mnemonic::Or => Kind::Or,
            Mnemonic::Add => Kind::Add,
            Mnemonic::Sub => Kind::Sub,
            _ => Kind::Multiply,
        };
        let same = i.op1_kind() == OpKind::Register
            && i.op0_kind() == OpKind::Register
            && i.op0_register() == i.op1_register();
        let zero = same && matches!(kind, Kind::Xor | Kind::Sub);
        let first = u32::from(i.op_count() == 3); // imul with a result apart
        let (a, b) = if zero {
            let zero = vec![0; self.operand_bytes(i)];
            (zero.clone(), zero)
        } else {
            (self.operand(i, first)?, self.operand(i, first + 1)?)
        };
        let result = self.arithmetic(kind, &a, &b);
        self.flags = Flags::of(kind, &a, &b);
        self.set_operand(i, &result)
    }

    fn count(&mut self, i: &Instruction, size: usize) -> Result<usize> {
        let count = if i.op_count() == 1 {
            1
        } else {
            number(&self.operand(i, 1)?[..1]).ok_or("a shift depends on a symbol")?
        };
        Ok(usize::try_from(count & if size == 8 { 63 } else { 31 }).expect("below 64"))
    }

    fn shift(&mut self, i: &Instruction) -> Result<()> {
        let bytes = self.operand(i, 0)?;
        let by = self.count(i, bytes.len())?;
        if by == 0 {
            return self.set_operand(i, &bytes);
        }
        let how = shift_of(i.mnemonic());
        let n_bits = 8 * bytes.len();
        let by = if how.is_rotation() {
            by % n_bits
        } else {
            by.min(n_bits)
        };
        let result = self.shifted(&bytes, how, by);
        self.flags = if how.is_rotation() {
            Flags::Unknown
        } else {
            Flags::of(Kind::Value, &result, &result)
        };
        self.set_operand(i, &result)
    }

    /// The bits that leave are filled up from the second operand.
    fn shift_double(&mut self, i: &Instruction) -> Result<()> {
        let (first, second) = (self.operand(i, 0)?, self.operand(i, 1)?);
        let n_bits = 8 * first.len();
        let count = number(&self.operand(i, 2)?[..1]).ok_or("a shift depends on a symbol")?;
        let by = usize::try_from(count & if n_bits == 64 { 63 } else { 31 }).expect("below 64");
        if by == 0 || by >= n_bits {
            return Err("a double shift by no bits, or by all".into());
        }
        let (all, from) = if i.mnemonic() == Mnemonic::Shld {
            ([second, first.clone(), vec![0]].concat(), n_bits - by)
        } else {
            ([first.clone(), second, vec![0]].concat(), by)
        };
        let result: Vec<Byte> = (0..first.len())
            .map(|i| {
                self.algebra
                    .window(all[i + from / 8], all[i + from / 8 + 1], from % 8)
            })
            .collect();
        self.flags = Flags::Unknown;
        self.set_operand(i, &result)
    }

    /// Of constants: rdx and rax, or their halves, by the operand.
    fn divide(&mut self, i: &Instruction) -> Result<()> {
        let divisor = self.operand(i, 0)?;
        let size = divisor.len();
        if size < 4 {
            return Err("the interpreter lacks this instruction".into());
        }
        let of = |bytes: &[Byte]| number(bytes).map(u128::from);
        let (high, low) = (
            of(&self.registers[2][..size]),
            of(&self.registers[0][..size]),
        );
        let (Some(high), Some(low), Some(divisor)) = (high, low, of(&divisor)) else {
            return Err("a division depends on a symbol".into());
        };
        if high >= divisor {
            return Err("a division by 0, or with a quotient too long".into());
        }
        let dividend = high << (8 * size) | low;
        let (quotient, rest) = (dividend / divisor, dividend % divisor);
        for (register, value) in [(0, quotient), (2, rest)] {
            self.registers[register] = number_bytes(value.try_into().expect("at most 64 bits"));
        }
        self.flags = Flags::Unknown;
        Ok(())
    }

    /// Of a constant other than 0, of which processors that do not know TZCNT make the same.
    fn count_zeros(&mut self, i: &Instruction) -> Result<()> {
        let bytes = self.operand(i, 1)?;
        match number(&bytes) {
            None => Err("a count of zeros depends on a symbol".into()),
            Some(0) => Err("a count of the zeros of 0".into()),
            Some(value) => {
                self.flags = Flags::Unknown;
                self.set_operand(i, &number_bytes(value.trailing_zeros().into()))
            }
        }
    }

    /// The carry is bit `count` of a register.
    fn test_bit(&mut self, i: &Instruction) -> Result<()> {
        let bytes = self.operand(i, 0)?;
        if i.op0_kind() != OpKind::Register {
            return Err("the interpreter lacks this instruction".into());
        }
        let count = number(&self.operand(i, 1)?).ok_or("which bit depends on a symbol")?;
        let at = usize::try_from(count).expect("64 bits") % (8 * bytes.len());
        self.flags = match bytes[at / 8] {
            UNKNOWN => Flags::Unknown,
            byte => Flags::Carry(self.algebra.bits(byte)[at % 8]),
        };
        Ok(())
    }

    /// The product of rax and an operand, in rdx and rax.
    fn multiply_wide(&mut self, i: &Instruction) -> Result<()> {
        let factor = self.operand(i, 0)?;
        let (Some(a), Some(b), 8) = (number(&self.registers[RAX]), number(&factor), factor.len())
        else {
            return Err("a wide product of symbols, or of less than 64 bits".into());
        };
        let product = (u128::from(a) * u128::from(b)).to_le_bytes();
        let (low, high) = product.split_at(8);
        self.registers[RAX] = std::array::from_fn(|i| low[i].into());
        self.registers[RDX] = std::array::from_fn(|i| high[i].into());
        self.flags = Flags::of(Kind::High, &self.registers[RDX], &[]);
        Ok(())
    }

    /// Instructions that depend on flags.
    fn conditional(&mut self, i: &Instruction) -> Result<bool> {
        let condition = i.condition_code();
        if condition == ConditionCode::None {
            return self.with_carry(i);
        }
        let flags = self.flags.clone();
        let holds = flags.holds(&mut self.common.algebra, condition);
        if i.is_jcc_short_or_near() {
            match holds {
                0 => {}
                0xFF => self.next = i.near_branch64(),
                _ => return Err("the branch depends on a symbol".into()),
            }
        } else if i.op_count() == 1 {
            let bytes = [self.algebra.op(Op::And, holds, 1)];
            self.set_operand(i, &bytes)?;
        } else {
            let (no, yes) = (self.operand(i, 0)?, self.operand(i, 1)?);
            let chosen: Vec<_> = no
                .iter()
                .zip(&yes)
                .map(|(&no, &yes)| self.algebra.select(holds, yes, no))
                .collect();
            self.set_operand(i, &chosen)?;
        }
        Ok(true)
    }

    /// ADC and SBB.
    fn with_carry(&mut self, i: &Instruction) -> Result<bool> {
        if !matches!(i.mnemonic(), Mnemonic::Adc | Mnemonic::Sbb) {
            return self.rare(i);
        }
        let flags = self.flags.clone();
        let same = i.op1_kind() == OpKind::Register && i.op0_register() == i.op1_register();
        if i.mnemonic() == Mnemonic::Sbb && same {
            let carry = flags.holds(&mut self.common.algebra, ConditionCode::b);
            let bytes = vec![carry; self.operand_bytes(i)];
            self.set_operand(i, &bytes)?;
            self.flags = Flags::Unknown;
            return Ok(true);
        }
        let (a, b) = (self.operand(i, 0)?, self.operand(i, 1)?);
        let carry = flags.carry(&mut self.common.algebra);
        let Some(carry) = carry.filter(|_| !a.contains(&UNKNOWN) && !b.contains(&UNKNOWN)) else {
            return Err("a carry, or what it is added to, is not known".into());
        };
        let add = match i.mnemonic() {
            Mnemonic::Adc => carries::add,
            _ => carries::subtract,
        };
        let (result, carry) = add(&mut self.common.algebra, &a, &b, carry);
        self.flags = Flags::Carry(carry);
        self.set_operand(i, &result)?;
        Ok(true)
    }

    /// Puts arguments into registers and, those after the sixth, onto the stack.
    fn pass(&mut self, arguments: &[u64]) -> Result<()> {
        for (&argument, register) in arguments.iter().zip(ARGUMENTS) {
            self.registers[register] = number_bytes(argument);
        }
        let on_stack = arguments.get(ARGUMENTS.len()..).unwrap_or(&[]);
        if on_stack.len() % 2 == 1 {
            self.push(&[UNKNOWN; 8])?; // the stack stays at a multiple of 16
        }
        on_stack
            .iter()
            .rev()
            .try_for_each(|&argument| self.push(&number_bytes(argument)))
    }
}

impl<'a> Machine<'a> for X86<'a> {
    fn load_image(&mut self) {
        self.common.load_image(self.image);
    }

    fn replace_image(&mut self, image: &'a Image) {
        self.image = image;
        self.decoded.clear();
        self.written.clear();
    }

    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<()> {
        self.put_stack(STACK, function);
        self.registers = std::array::from_fn(|_| std::array::from_fn(|_| UNKNOWN));
        *self.vectors = [[UNKNOWN; 64]; 32];
        self.masks = [[UNKNOWN; 64]; 8];
        self.flags = Flags::Unknown;
        // Registers that a function must leave as they were get marks. Two sets take turns, so that no call finds its own
        // in what the one before wrote.
        self.marks.swap(0, 1);
        for (register, mark) in SAVED.into_iter().zip(self.marks[0]) {
            self.registers[register] = mark;
        }
        self.registers[RSP] = number_bytes(STACK + self.stack_bytes);
        self.pass(arguments)?;
        self.push(&number_bytes(RETURN))?;
        let before = SAVED.map(|register| self.registers[register]);
        self.run(function)?;
        let mut after = SAVED.map(|register| self.registers[register]);
        after[1] = number_bytes(number(&after[1]).unwrap_or(0).wrapping_sub(8));
        if before == after {
            Ok(())
        } else {
            Err("a register is not as it was before the call".into())
        }
    }

    fn result(&self) -> [Byte; 8] {
        self.registers[0]
    }

    fn places(&self) -> Vec<(u64, usize)> {
        let instructions = self.decoded.values();
        instructions.map(|i| (i.ip(), i.len())).collect()
    }

    fn written(&self) -> Vec<Vec<u8>> {
        self.written.values().cloned().collect()
    }
}

pub fn instruction_at(image: &Image, at: u64) -> Option<Instruction> {
    let instruction = Decoder::with_ip(64, image.tail(at)?, at, DecoderOptions::NONE).decode();
    (!instruction.is_invalid()).then_some(instruction)
}

/// The instruction at an address as text.
pub fn text(image: &Image, at: u64) -> String {
    let mut text = String::new();
    if let Some(instruction) = instruction_at(image, at) {
        iced_x86::FastFormatter::new().format(&instruction, &mut text);
    }
    text
}

fn address_of(i: &Instruction, base: u64, index: u64, scale: u64) -> u64 {
    base.wrapping_add(index.wrapping_mul(scale))
        .wrapping_add(i.memory_displacement64())
}

/// Vectors in memory that must lie at a multiple of their size: those of instructions of SSE except unaligned moves, and of
/// aligned moves.
fn check_alignment(i: &Instruction, address: u64) -> Result<()> {
    use Mnemonic as M;
    let size = i.memory_size().size() as u64;
    let wants = match i.mnemonic() {
        M::Movdqu | M::Movups | M::Movupd | M::Lddqu => false,
        M::Vmovdqa | M::Vmovaps | M::Vmovapd | M::Vmovdqa32 | M::Vmovdqa64 => true,
        _ => i.code().encoding() == iced_x86::EncodingKind::Legacy && size == 16,
    };
    if wants && !address.is_multiple_of(size) {
        Err(format!("{address:#x} is no multiple of {size}"))
    } else {
        Ok(())
    }
}

fn shift_of(mnemonic: Mnemonic) -> Shift {
    match mnemonic {
        Mnemonic::Shr => Shift::Right,
        Mnemonic::Sar => Shift::RightSigned,
        Mnemonic::Rol => Shift::RotateLeft,
        Mnemonic::Ror => Shift::RotateRight,
        _ => Shift::Left,
    }
}

fn is_high(register: Register) -> bool {
    matches!(
        register,
        Register::AH | Register::BH | Register::CH | Register::DH
    )
}

fn is_wide(register: Register) -> bool {
    register.is_vector_register() || register.is_k()
}
