// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The encodings of AArch64 that the kernels use [ArmARM, C4.1]. Every other one is refused, also those that the
//! architecture leaves open.

use std::fmt;

use crate::integers::{Kind, Shift};

/// A register of integers: 31 reads as zero and drops what is written, 32 is the stack pointer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct X(pub usize);

pub const ZERO: X = X(31);
pub const SP: X = X(32);

/// A register of vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct V(pub usize);

impl fmt::Debug for X {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            ZERO => write!(f, "zr"),
            SP => write!(f, "sp"),
            Self(number) => write!(f, "x{number}"),
        }
    }
}

impl fmt::Debug for V {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// The last operand of an instruction of integers, or what is added to an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    Constant(u64),
    Shifted(X, Shift, usize),
    /// The lowest bytes of a register, with zeros or copies of the sign above, shifted to the left.
    Extended {
        from: X,
        bytes: usize,
        signed: bool,
        by: usize,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    Eq,
    Ne,
    Cs,
    Cc,
    Mi,
    Pl,
    Vs,
    Vc,
    Hi,
    Ls,
    Ge,
    Lt,
    Gt,
    Le,
}

impl Condition {
    pub const ALL: [Self; 14] = [
        Self::Eq,
        Self::Ne,
        Self::Cs,
        Self::Cc,
        Self::Mi,
        Self::Pl,
        Self::Vs,
        Self::Vc,
        Self::Hi,
        Self::Ls,
        Self::Ge,
        Self::Lt,
        Self::Gt,
        Self::Le,
    ];
}

/// The bits beside a bit field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    Zeros,
    /// Zeros below it, and copies of its highest bit above.
    Signs,
    Kept,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    Integer(X),
    Vector(V),
}

/// When a base register gets the sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    Never,
    Before,
    After,
}

/// An address in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub base: X,
    pub plus: Operand,
    pub update: Update,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    At(u64),
    In(X),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Holds(Condition),
    /// The register is zero, or it is not.
    Zero(X, bool),
    /// The bit of the register has this value.
    Bit(X, usize, bool),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    And,
    AndNot,
    Or,
    OrNot,
    Xor,
    /// BSL: the old bits choose.
    Choose,
    /// BIT: where the last operand has ones, the first comes in.
    InsertIf,
    /// BIF: where it has zeros.
    InsertIfNot,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Permutation {
    Unzip,
    Transpose,
    Zip,
}

/// Of the register, rotated to the right, `n` bits from bit `at` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    pub size: usize,
    pub to: X,
    pub from: X,
    pub rotate: usize,
    pub at: usize,
    pub n: usize,
    pub others: Others,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Select {
    pub condition: Condition,
    pub size: usize,
    pub to: X,
    pub yes: X,
    pub no: X,
    pub inverted: bool,
    pub plus_one: bool,
}

/// Vectors one after the other, or element by element in turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Structures {
    pub load: bool,
    pub n: usize,
    pub in_turn: bool,
    pub element: usize,
    pub wide: usize,
    pub first: V,
    pub place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VectorShift {
    pub how: Shift,
    /// The bits that the shift leaves free are those of before.
    pub insert: bool,
    pub by: usize,
    pub element: usize,
    pub wide: usize,
    pub to: V,
    pub a: V,
}

/// TBL, TBX: bytes of `n` vectors; what lies outside is 0, or stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    pub n: usize,
    pub stays: bool,
    pub wide: usize,
    pub to: V,
    pub first: V,
    pub indices: V,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Permute {
    pub how: Permutation,
    pub second: bool,
    pub element: usize,
    pub wide: usize,
    pub to: V,
    pub a: V,
    pub b: V,
}

/// `size` is the bytes of an integer, `wide` those of a vector, and `element` those of an element of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    Nop,
    Arithmetic {
        kind: Kind,
        /// The last operand is taken bit by bit the other way.
        inverted: bool,
        sets_flags: bool,
        size: usize,
        to: X,
        a: X,
        b: Operand,
    },
    /// MOVK: two bytes of a register.
    Keep {
        size: usize,
        to: X,
        value: u16,
        at: usize,
    },
    BitField(BitField),
    Extract {
        size: usize,
        to: X,
        high: X,
        low: X,
        at: usize,
    },
    ShiftBy {
        how: Shift,
        size: usize,
        to: X,
        a: X,
        by: X,
    },
    /// The product, added to or subtracted from another register.
    Multiply {
        kind: Kind,
        /// UMADDL: of the lowest 32 bits.
        long: bool,
        size: usize,
        to: X,
        a: X,
        b: X,
        other: X,
    },
    Select(Select),
    /// REV: the bytes in the other order.
    Reverse {
        size: usize,
        to: X,
        a: X,
    },
    Branch {
        to: Target,
        link: bool,
    },
    BranchIf {
        when: When,
        size: usize,
        to: u64,
    },
    /// One register or two, of `size` bytes each; a load of an integer may be signed, and fills this many bytes.
    Memory {
        load: bool,
        size: usize,
        signed: Option<usize>,
        first: Register,
        second: Option<Register>,
        place: Place,
    },
    Structures(Structures),
    /// LD1R: an element of memory, everywhere.
    Replicate {
        element: usize,
        wide: usize,
        to: V,
        place: Place,
    },
    /// LD1 and ST1 of one element of a vector.
    Element {
        load: bool,
        element: usize,
        index: usize,
        vector: V,
        place: Place,
    },
    Logic {
        logic: Logic,
        wide: usize,
        to: V,
        a: V,
        b: V,
    },
    /// NOT.
    Not {
        wide: usize,
        to: V,
        a: V,
    },
    /// A sum or difference of each element.
    ArithmeticEach {
        kind: Kind,
        element: usize,
        wide: usize,
        to: V,
        a: V,
        b: V,
    },
    /// USUBW: from elements of twice the bytes.
    SubtractWide {
        element: usize,
        half: usize,
        to: V,
        a: V,
        b: V,
    },
    /// NEG.
    NegateEach {
        element: usize,
        wide: usize,
        to: V,
        a: V,
    },
    /// USHL and SSHL: by the lowest byte of each element, to the right by negative numbers.
    ShiftEach {
        signed: bool,
        element: usize,
        wide: usize,
        to: V,
        a: V,
        by: V,
    },
    Shift(VectorShift),
    /// SHRN and XTN: elements shifted to the right, of which the lower half stays, of `element` bytes.
    Narrow {
        by: usize,
        element: usize,
        to: V,
        a: V,
    },
    /// USHLL, SSHLL and SHLL: elements of half a vector, shifted to the left as others of twice the bytes.
    Widen {
        signed: bool,
        by: usize,
        element: usize,
        half: usize,
        to: V,
        a: V,
    },
    Table(Table),
    Permute(Permute),
    /// EXT: the bytes from `at` on of two vectors.
    Window {
        at: usize,
        wide: usize,
        to: V,
        a: V,
        b: V,
    },
    /// An element of a vector, or an integer, everywhere; or alone, with zeros above.
    Duplicate {
        from: Register,
        index: usize,
        element: usize,
        wide: usize,
        to: V,
    },
    Insert {
        from: Register,
        from_index: usize,
        index: usize,
        element: usize,
        to: V,
    },
    /// UMOV.
    Take {
        index: usize,
        element: usize,
        to: X,
        from: V,
    },
    Immediate {
        value: u64,
        wide: usize,
        to: V,
    },
    /// BIC: the bits that the value has become 0.
    Clear {
        value: u64,
        wide: usize,
        to: V,
    },
}

use Instruction as I;

/// Bits of an instruction.
#[derive(Clone, Copy)]
struct Word(u32);

impl Word {
    fn bits(self, from: u32, n: u32) -> u32 {
        self.0 >> from & ((1 << n) - 1)
    }

    fn number(self, from: u32, n: u32) -> usize {
        self.bits(from, n) as usize
    }

    fn has(self, bit: u32) -> bool {
        self.bits(bit, 1) == 1
    }

    fn is(self, mask: u32, value: u32) -> bool {
        self.0 & mask == value
    }

    fn signed(self, from: u32, n: u32) -> u64 {
        sign_extended(self.bits(from, n).into(), n)
    }

    fn x(self, from: u32) -> X {
        X(self.number(from, 5))
    }

    /// A register of integers of which the last number is the stack pointer.
    fn x_or_sp(self, from: u32) -> X {
        match self.x(from) {
            ZERO => SP,
            x => x,
        }
    }

    fn v(self, from: u32) -> V {
        V(self.number(from, 5))
    }

    /// Of integers.
    fn size(self) -> usize {
        if self.has(31) { 8 } else { 4 }
    }

    /// Of vectors.
    fn wide(self) -> usize {
        if self.has(30) { 16 } else { 8 }
    }
}

fn sign_extended(value: u64, n: u32) -> u64 {
    (value << (64 - n))
        .cast_signed()
        .wrapping_shr(64 - n)
        .cast_unsigned()
}

/// `None`: it is none of these.
pub fn decode(word: u32, at: u64) -> Option<Instruction> {
    let w = Word(word);
    match w.bits(25, 4) {
        0b1000 | 0b1001 => immediate(w, at),
        0b1010 | 0b1011 => branch(w, at),
        0b0100 | 0b0110 | 0b1100 | 0b1110 => memory(w),
        0b0101 | 0b1101 => of_registers(w),
        0b0111 | 0b1111 => vector(w),
        _ => None,
    }
}

// --- integers -------------------------------------------------------------------------------------------------------

fn immediate(w: Word, at: u64) -> Option<Instruction> {
    match w.bits(23, 3) {
        0b000 | 0b001 => Some(address(w, at)),
        0b010 => Some(add_immediate(w)),
        0b100 => logic_immediate(w),
        0b101 => move_wide(w),
        0b110 => bit_field(w),
        0b111 => extract(w),
        _ => None,
    }
}

fn moved(size: usize, to: X, value: u64) -> Instruction {
    I::Arithmetic {
        kind: Kind::Or,
        inverted: false,
        sets_flags: false,
        size,
        to,
        a: ZERO,
        b: Operand::Constant(value),
    }
}

/// ADR and ADRP.
fn address(w: Word, at: u64) -> Instruction {
    let offset = sign_extended(u64::from(w.bits(5, 19) << 2 | w.bits(29, 2)), 21);
    let value = if w.has(31) {
        (at & !0xFFF).wrapping_add(offset << 12)
    } else {
        at.wrapping_add(offset)
    };
    moved(8, w.x(0), value)
}

fn add_immediate(w: Word) -> Instruction {
    let sets_flags = w.has(29);
    let value = u64::from(w.bits(10, 12)) << if w.has(22) { 12 } else { 0 };
    I::Arithmetic {
        kind: add_or_sub(w),
        inverted: false,
        sets_flags,
        size: w.size(),
        to: if sets_flags { w.x(0) } else { w.x_or_sp(0) },
        a: w.x_or_sp(5),
        b: Operand::Constant(value),
    }
}

fn add_or_sub(w: Word) -> Kind {
    if w.has(30) { Kind::Sub } else { Kind::Add }
}

fn logic_kind(w: Word) -> Kind {
    match w.bits(29, 2) {
        1 => Kind::Or,
        2 => Kind::Xor,
        _ => Kind::And,
    }
}

fn logic_immediate(w: Word) -> Option<Instruction> {
    let sets_flags = w.bits(29, 2) == 3;
    if !w.has(31) && w.has(22) {
        return None;
    }
    Some(I::Arithmetic {
        kind: logic_kind(w),
        inverted: false,
        sets_flags,
        size: w.size(),
        to: if sets_flags { w.x(0) } else { w.x_or_sp(0) },
        a: w.x(5),
        b: Operand::Constant(bit_mask(w.bits(22, 1), w.bits(10, 6), w.bits(16, 6))?),
    })
}

/// A run of ones, rotated, in elements of a power of two bits. [ArmARM, J1: DecodeBitMasks]
fn bit_mask(n: u32, ones: u32, rotate: u32) -> Option<u64> {
    let size = 1 << (n << 6 | (!ones & 0x3F)).checked_ilog2()?;
    let (ones, rotate) = (ones & (size - 1), rotate & (size - 1));
    if size == 1 || ones == size - 1 {
        return None;
    }
    let run = (1_u64 << (ones + 1)) - 1;
    let bit = |i: u32| run >> ((i + rotate) % size) & 1;
    Some((0..64).fold(0, |mask, i| mask | bit(i % size) << i))
}

fn move_wide(w: Word) -> Option<Instruction> {
    let (size, to, value) = (w.size(), w.x(0), w.bits(5, 16));
    let at = 2 * w.number(21, 2);
    let shifted = u64::from(value) << (8 * at);
    match w.bits(29, 2) {
        _ if at >= size => None,
        0 => Some(moved(size, to, !shifted)),
        2 => Some(moved(size, to, shifted)),
        3 => Some(I::Keep {
            size,
            to,
            value: u16::try_from(value).expect("16 bits"),
            at,
        }),
        _ => None,
    }
}

fn bit_field(w: Word) -> Option<Instruction> {
    let (size, rotate, top) = (w.size(), w.number(16, 6), w.number(10, 6));
    let others = match w.bits(29, 2) {
        0 => Others::Signs,
        1 => Others::Kept,
        2 => Others::Zeros,
        _ => return None,
    };
    if w.has(22) != w.has(31) || rotate >= 8 * size || top >= 8 * size {
        return None;
    }
    let (at, n) = if top >= rotate {
        (0, top - rotate + 1)
    } else {
        (8 * size - rotate, top + 1)
    };
    Some(I::BitField(BitField {
        size,
        to: w.x(0),
        from: w.x(5),
        rotate,
        at,
        n,
        others,
    }))
}

fn extract(w: Word) -> Option<Instruction> {
    let (size, at) = (w.size(), w.number(10, 6));
    let fits = w.has(22) == w.has(31) && at < 8 * size;
    (fits && w.bits(29, 2) == 0 && !w.has(21)).then(|| I::Extract {
        size,
        to: w.x(0),
        high: w.x(5),
        low: w.x(16),
        at,
    })
}

fn of_registers(w: Word) -> Option<Instruction> {
    match (w.has(28), w.bits(21, 4)) {
        (false, 0..8) => logic_shifted(w),
        (false, 8 | 10 | 12 | 14) => add_shifted(w),
        (false, 9) => add_extended(w),
        (true, 4) => select(w),
        (true, 6) if w.has(30) => reverse(w),
        (true, 6) => shift_by(w),
        (true, 8) => multiply(w, false),
        (true, 13) if w.has(31) => multiply(w, true),
        _ => None,
    }
}

fn shifted(w: Word) -> Option<Operand> {
    let how = match w.bits(22, 2) {
        0 => Shift::Left,
        1 => Shift::Right,
        2 => Shift::RightSigned,
        _ => Shift::RotateRight,
    };
    let by = w.number(10, 6);
    (by < 8 * w.size()).then(|| Operand::Shifted(w.x(16), how, by))
}

fn logic_shifted(w: Word) -> Option<Instruction> {
    Some(I::Arithmetic {
        kind: logic_kind(w),
        inverted: w.has(21),
        sets_flags: w.bits(29, 2) == 3,
        size: w.size(),
        to: w.x(0),
        a: w.x(5),
        b: shifted(w)?,
    })
}

fn add_shifted(w: Word) -> Option<Instruction> {
    if w.bits(22, 2) == 3 {
        return None;
    }
    Some(I::Arithmetic {
        kind: add_or_sub(w),
        inverted: false,
        sets_flags: w.has(29),
        size: w.size(),
        to: w.x(0),
        a: w.x(5),
        b: shifted(w)?,
    })
}

fn extended(w: Word, by: usize) -> Operand {
    Operand::Extended {
        from: w.x(16),
        bytes: 1 << w.bits(13, 2),
        signed: w.has(15),
        by,
    }
}

fn add_extended(w: Word) -> Option<Instruction> {
    let (sets_flags, by) = (w.has(29), w.number(10, 3));
    (by <= 4).then(|| I::Arithmetic {
        kind: add_or_sub(w),
        inverted: false,
        sets_flags,
        size: w.size(),
        to: if sets_flags { w.x(0) } else { w.x_or_sp(0) },
        a: w.x_or_sp(5),
        b: extended(w, by),
    })
}

fn condition(w: Word, from: u32) -> Option<Condition> {
    Condition::ALL.get(w.number(from, 4)).copied()
}

fn select(w: Word) -> Option<Instruction> {
    if w.has(29) || w.has(11) {
        return None;
    }
    Some(I::Select(Select {
        condition: condition(w, 12)?,
        size: w.size(),
        to: w.x(0),
        yes: w.x(5),
        no: w.x(16),
        inverted: w.has(30),
        plus_one: w.has(10),
    }))
}

fn reverse(w: Word) -> Option<Instruction> {
    let log_size = w.size().ilog2();
    let is_reverse = !w.has(29) && w.bits(16, 5) == 0 && w.bits(10, 6) == log_size;
    is_reverse.then(|| I::Reverse {
        size: w.size(),
        to: w.x(0),
        a: w.x(5),
    })
}

fn shift_by(w: Word) -> Option<Instruction> {
    if w.has(29) {
        return None;
    }
    let how = match w.bits(10, 6) {
        8 => Shift::Left,
        9 => Shift::Right,
        10 => Shift::RightSigned,
        11 => Shift::RotateRight,
        _ => return None,
    };
    Some(I::ShiftBy {
        how,
        size: w.size(),
        to: w.x(0),
        a: w.x(5),
        by: w.x(16),
    })
}

/// MADD, MSUB, UMADDL and UMSUBL.
fn multiply(w: Word, long: bool) -> Option<Instruction> {
    (w.bits(29, 2) == 0).then(|| I::Multiply {
        kind: if w.has(15) { Kind::Sub } else { Kind::Add },
        long,
        size: w.size(),
        to: w.x(0),
        a: w.x(5),
        b: w.x(16),
        other: w.x(10),
    })
}

// --- branches -------------------------------------------------------------------------------------------------------

fn branch(w: Word, at: u64) -> Option<Instruction> {
    let target = |from, n| at.wrapping_add(w.signed(from, n) << 2);
    let size = w.size();
    let branch_if = |when, size, to| Some(I::BranchIf { when, size, to });
    if w.is(0xFFFF_FFFF, 0xD503_201F) {
        Some(I::Nop)
    } else if w.is(0x7C00_0000, 0x1400_0000) {
        Some(I::Branch {
            to: Target::At(target(0, 26)),
            link: w.has(31),
        })
    } else if w.is(0xFF00_0010, 0x5400_0000) {
        branch_if(When::Holds(condition(w, 0)?), 8, target(5, 19))
    } else if w.is(0x7E00_0000, 0x3400_0000) {
        branch_if(When::Zero(w.x(0), !w.has(24)), size, target(5, 19))
    } else if w.is(0x7E00_0000, 0x3600_0000) {
        let bit = w.number(31, 1) << 5 | w.number(19, 5);
        branch_if(When::Bit(w.x(0), bit, w.has(24)), 8, target(5, 14))
    } else {
        jump(w)
    }
}

/// BR, BLR and RET.
fn jump(w: Word) -> Option<Instruction> {
    let is_jump = w.is(0xFF9F_FC1F, 0xD61F_0000) && w.bits(21, 2) < 3;
    is_jump.then(|| I::Branch {
        to: Target::In(w.x(5)),
        link: w.has(21),
    })
}

// --- memory ---------------------------------------------------------------------------------------------------------

fn memory(w: Word) -> Option<Instruction> {
    match w.bits(27, 3) {
        0b101 => pair(w),
        0b111 => single(w),
        0b001 if w.has(26) => structures(w),
        _ => None,
    }
}

fn register(w: Word, from: u32) -> Register {
    if w.has(26) {
        Register::Vector(w.v(from))
    } else {
        Register::Integer(w.x(from))
    }
}

/// The architecture leaves open what a base register is after an access to itself that changes it.
fn is_open(place: Place, register: Register) -> bool {
    place.update != Update::Never && register == Register::Integer(place.base)
}

fn pair(w: Word) -> Option<Instruction> {
    let is_signed = !w.has(26) && w.bits(30, 2) == 1;
    let size = match (w.has(26), w.bits(30, 2)) {
        (false, 1) if !w.has(22) => return None,
        (_, 0) | (false, 1) => 4,
        (false, 2) | (true, 1) => 8,
        (true, 2) => 16,
        _ => return None,
    };
    let update = match w.bits(23, 2) {
        1 => Update::After,
        2 => Update::Never,
        3 => Update::Before,
        _ => return None,
    };
    let (first, second) = (register(w, 0), register(w, 10));
    let place = Place {
        base: w.x_or_sp(5),
        plus: Operand::Constant(w.signed(15, 7).wrapping_mul(size as u64)),
        update,
    };
    let open = is_open(place, first) || is_open(place, second) || w.has(22) && first == second;
    (!open).then_some(I::Memory {
        load: w.has(22),
        size,
        signed: is_signed.then_some(8),
        first,
        second: Some(second),
        place,
    })
}

fn single(w: Word) -> Option<Instruction> {
    let (load, log_size, signed) = single_kind(w)?;
    let first = register(w, 0);
    let place = single_place(w, log_size)?;
    (!is_open(place, first)).then_some(I::Memory {
        load,
        size: 1 << log_size,
        signed,
        first,
        second: None,
        place,
    })
}

/// Whether it loads, the logarithm of its bytes, and what a signed load fills.
fn single_kind(w: Word) -> Option<(bool, u32, Option<usize>)> {
    let (log_size, kind) = (w.bits(30, 2), w.bits(22, 2));
    match (w.has(26), kind, log_size) {
        (_, 0 | 1, _) => Some((kind == 1, log_size, None)),
        (true, _, 0) => Some((kind == 3, 4, None)),
        (false, 2, 0..3) => Some((true, log_size, Some(8))),
        (false, 3, 0..2) => Some((true, log_size, Some(4))),
        _ => None,
    }
}

fn single_place(w: Word, log_size: u32) -> Option<Place> {
    let constant = |value, update| Some((Operand::Constant(value), update));
    let (plus, update) = match (w.bits(24, 2), w.has(21), w.bits(10, 2)) {
        (1, ..) => constant(u64::from(w.bits(10, 12)) << log_size, Update::Never),
        (0, false, 0) => constant(w.signed(12, 9), Update::Never),
        (0, false, 1) => constant(w.signed(12, 9), Update::After),
        (0, false, 3) => constant(w.signed(12, 9), Update::Before),
        (0, true, 2) if w.has(14) => {
            let by = if w.has(12) { log_size as usize } else { 0 };
            Some((extended(w, by), Update::Never))
        }
        _ => None,
    }?;
    Some(Place {
        base: w.x_or_sp(5),
        plus,
        update,
    })
}

fn structures(w: Word) -> Option<Instruction> {
    let is_after = w.has(23);
    if w.has(31) || !is_after && w.bits(16, 5) != 0 {
        return None;
    }
    let place = |bytes: usize| Place {
        base: w.x_or_sp(5),
        plus: match w.x(16) {
            _ if !is_after => Operand::Constant(0),
            ZERO => Operand::Constant(bytes as u64),
            by => Operand::Shifted(by, Shift::Left, 0),
        },
        update: if is_after {
            Update::After
        } else {
            Update::Never
        },
    };
    let (element, wide) = (1 << w.bits(10, 2), w.wide());
    if w.has(24) {
        return single_structure(w, place);
    }
    let (n, in_turn) = match w.bits(12, 4) {
        0b0000 => (4, true),
        0b0010 => (4, false),
        0b0100 => (3, true),
        0b0110 => (3, false),
        0b0111 => (1, false),
        0b1000 => (2, true),
        0b1010 => (2, false),
        _ => return None,
    };
    let is_open = in_turn && element == wide;
    (!w.has(21) && !is_open).then(|| {
        I::Structures(Structures {
            load: w.has(22),
            n,
            in_turn,
            element,
            wide,
            first: w.v(0),
            place: place(n * wide),
        })
    })
}

/// LD1R, and LD1 and ST1 of one element.
fn single_structure(w: Word, place: impl Fn(usize) -> Place) -> Option<Instruction> {
    let kind = w.bits(13, 3);
    if w.has(21) {
        return None;
    }
    if kind == 0b110 {
        let element = 1 << w.bits(10, 2);
        return (w.has(22) && !w.has(12)).then(|| I::Replicate {
            element,
            wide: w.wide(),
            to: w.v(0),
            place: place(element),
        });
    }
    // The index is what the bytes of the element leave of Q, S and size.
    let index = w.number(30, 1) << 3 | w.number(10, 3);
    let log_size = match (kind, w.bits(10, 3)) {
        (0b000, _) => 0,
        (0b010, code) if code & 1 == 0 => 1,
        (0b100, code) if code & 3 == 0 => 2,
        (0b100, 1) => 3,
        _ => return None,
    };
    Some(I::Element {
        load: w.has(22),
        element: 1 << log_size,
        index: index >> log_size,
        vector: w.v(0),
        place: place(1 << log_size),
    })
}

// --- vectors --------------------------------------------------------------------------------------------------------

fn vector(w: Word) -> Option<Instruction> {
    if w.is(0xFFE0_FC00, 0x5E00_0400) {
        return duplicate_alone(w);
    }
    if w.is(0xDFC0_0400, 0x5F40_0400) {
        return vector_shift(w, 8);
    }
    if let Some(moved) = moved_alone(w) {
        return Some(moved);
    }
    if w.is(0x9F3E_0C00, 0x0E20_0800) {
        return one_operand(w);
    }
    if w.is(0xBF20_FC00, 0x2E20_3000) {
        return subtract_wide(w);
    }
    if w.is(0x9F20_0400, 0x0E20_0400) {
        three_same(w)
    } else if w.is(0xBF20_8C00, 0x0E00_0800) {
        permute(w)
    } else if w.is(0xBFE0_8400, 0x2E00_0000) {
        window(w)
    } else if w.is(0xBFE0_8C00, 0x0E00_0000) {
        Some(table(w))
    } else if w.is(0x9FE0_8400, 0x0E00_0400) {
        copy(w)
    } else if w.is(0x9FF8_0C00, 0x0F00_0400) {
        vector_immediate(w)
    } else if w.is(0x9F80_0400, 0x0F00_0400) {
        vector_shift(w, w.wide())
    } else {
        None
    }
}

fn three_same(w: Word) -> Option<Instruction> {
    let (element, wide) = (1 << w.bits(22, 2), w.wide());
    let (to, a, b) = (w.v(0), w.v(5), w.v(16));
    let logic = |logic| {
        Some(I::Logic {
            logic,
            wide,
            to,
            a,
            b,
        })
    };
    match (w.has(29), w.bits(11, 5), w.bits(22, 2)) {
        (false, 0b00011, 0) => logic(Logic::And),
        (false, 0b00011, 1) => logic(Logic::AndNot),
        (false, 0b00011, 2) => logic(Logic::Or),
        (false, 0b00011, _) => logic(Logic::OrNot),
        (true, 0b00011, 0) => logic(Logic::Xor),
        (true, 0b00011, 1) => logic(Logic::Choose),
        (true, 0b00011, 2) => logic(Logic::InsertIf),
        (true, 0b00011, _) => logic(Logic::InsertIfNot),
        _ if element == wide => None,
        (_, 0b10000, _) => Some(I::ArithmeticEach {
            kind: if w.has(29) { Kind::Sub } else { Kind::Add },
            element,
            wide,
            to,
            a,
            b,
        }),
        (is_unsigned, 0b01000, _) => Some(I::ShiftEach {
            signed: !is_unsigned,
            element,
            wide,
            to,
            a,
            by: b,
        }),
        _ => None,
    }
}

fn subtract_wide(w: Word) -> Option<Instruction> {
    let element = 1 << w.bits(22, 2);
    (element < 8).then(|| I::SubtractWide {
        element,
        half: w.number(30, 1),
        to: w.v(0),
        a: w.v(5),
        b: w.v(16),
    })
}

/// NOT, NEG, XTN and SHLL.
fn one_operand(w: Word) -> Option<Instruction> {
    let (element, to, a) = (1 << w.bits(22, 2), w.v(0), w.v(5));
    match (w.has(29), w.bits(12, 5)) {
        (true, 0b00101) if element == 1 => Some(I::Not {
            wide: w.wide(),
            to,
            a,
        }),
        (true, 0b01011) if element < w.wide() => Some(I::NegateEach {
            element,
            wide: w.wide(),
            to,
            a,
        }),
        (false, 0b10010) => narrow(w, element, 0),
        (true, 0b10011) => widen(w, element, 8 * element),
        _ => None,
    }
}

fn narrow(w: Word, element: usize, by: usize) -> Option<Instruction> {
    (element < 8 && !w.has(30)).then(|| I::Narrow {
        by,
        element,
        to: w.v(0),
        a: w.v(5),
    })
}

fn widen(w: Word, element: usize, by: usize) -> Option<Instruction> {
    (element < 8).then(|| I::Widen {
        signed: !w.has(29),
        by,
        element,
        half: w.number(30, 1),
        to: w.v(0),
        a: w.v(5),
    })
}

/// FMOV, of 4 or 8 bytes.
fn moved_alone(w: Word) -> Option<Instruction> {
    let element = if w.has(22) { 8 } else { 4 };
    let to_vector = |from| {
        Some(I::Duplicate {
            from,
            index: 0,
            element,
            wide: element,
            to: w.v(0),
        })
    };
    if w.is(0xFFBF_FC00, 0x1E20_4000) {
        return to_vector(Register::Vector(w.v(5)));
    }
    match (w.0 & 0x7FBF_FC00, w.has(31) == w.has(22)) {
        (0x1E27_0000, true) => to_vector(Register::Integer(w.x(5))),
        (0x1E26_0000, true) => Some(I::Take {
            index: 0,
            element,
            to: w.x(0),
            from: w.v(5),
        }),
        _ => None,
    }
}

fn permute(w: Word) -> Option<Instruction> {
    let (element, wide) = (1 << w.bits(22, 2), w.wide());
    let how = match w.bits(12, 2) {
        1 => Permutation::Unzip,
        2 => Permutation::Transpose,
        3 => Permutation::Zip,
        _ => return None,
    };
    (element < wide).then(|| {
        I::Permute(Permute {
            how,
            second: w.has(14),
            element,
            wide,
            to: w.v(0),
            a: w.v(5),
            b: w.v(16),
        })
    })
}

fn window(w: Word) -> Option<Instruction> {
    let (at, wide) = (w.number(11, 4), w.wide());
    (at < wide).then(|| I::Window {
        at,
        wide,
        to: w.v(0),
        a: w.v(5),
        b: w.v(16),
    })
}

fn table(w: Word) -> Instruction {
    I::Table(Table {
        n: 1 + w.number(13, 2),
        stays: w.has(12),
        wide: w.wide(),
        to: w.v(0),
        first: w.v(5),
        indices: w.v(16),
    })
}

/// The bytes of an element, and which it is.
fn element_and_index(w: Word) -> Option<(usize, usize)> {
    let code = w.number(16, 5);
    let log = code.trailing_zeros();
    (log < 4).then(|| (1 << log, code >> (log + 1)))
}

fn copy(w: Word) -> Option<Instruction> {
    let (element, index) = element_and_index(w)?;
    let (to, wide) = (w.v(0), w.wide());
    let (vector, integer) = (Register::Vector(w.v(5)), Register::Integer(w.x(5)));
    let duplicate = |from, index| {
        (element < wide).then_some(I::Duplicate {
            from,
            index,
            element,
            wide,
            to,
        })
    };
    let insert = |from, from_index| {
        (wide == 16).then_some(I::Insert {
            from,
            from_index,
            index,
            element,
            to,
        })
    };
    match (w.has(29), w.bits(11, 4)) {
        (true, code) => insert(vector, code as usize / element),
        (false, 0b0000) => duplicate(vector, index),
        (false, 0b0001) => duplicate(integer, 0),
        (false, 0b0011) => insert(integer, 0),
        (false, 0b0111) => ((element == 8) == (wide == 16)).then(|| I::Take {
            index,
            element,
            to: w.x(0),
            from: w.v(5),
        }),
        _ => None,
    }
}

/// One element, with zeros above.
fn duplicate_alone(w: Word) -> Option<Instruction> {
    let (element, index) = element_and_index(w)?;
    Some(I::Duplicate {
        from: Register::Vector(w.v(5)),
        index,
        element,
        wide: element,
        to: w.v(0),
    })
}

/// MOVI, MVNI and BIC. [ArmARM, J1: AdvSIMDExpandImm]
fn vector_immediate(w: Word) -> Option<Instruction> {
    let byte = u64::from(w.bits(16, 3) << 5 | w.bits(5, 5));
    let (code, inverted) = (w.bits(12, 4), w.has(29));
    if inverted && code % 2 == 1 && code < 0b1100 {
        return Some(I::Clear {
            value: shifted_byte(byte, code)?,
            wide: w.wide(),
            to: w.v(0),
        });
    }
    let plain = match (code, inverted) {
        (0b1110, false) => byte * 0x0101_0101_0101_0101,
        (0b1110, true) => (0..8).fold(0, |all, i| all | ((byte >> i & 1) * (0xFF << (8 * i)))),
        (0b1100 | 0b1101, _) => {
            let ones = if code == 0b1100 { 8 } else { 16 };
            (((byte + 1) << ones) - 1) * 0x0000_0001_0000_0001
        }
        _ if code % 2 == 0 => shifted_byte(byte, code)?,
        _ => return None,
    };
    Some(I::Immediate {
        value: if inverted && code != 0b1110 {
            !plain
        } else {
            plain
        },
        wide: w.wide(),
        to: w.v(0),
    })
}

/// A byte, shifted, in each element of 4 bytes or 2.
fn shifted_byte(byte: u64, code: u32) -> Option<u64> {
    match code {
        0..8 => Some((byte << (4 * (code & 6))) * 0x0000_0001_0000_0001),
        8..12 => Some((byte << (4 * (code & 2))) * 0x0001_0001_0001_0001),
        _ => None,
    }
}

fn vector_shift(w: Word, wide: usize) -> Option<Instruction> {
    let code = w.number(16, 7);
    let element = 1 << (w.number(19, 4).checked_ilog2()?);
    let (bits, is_alone) = (8 * element, w.has(28));
    let (left, right) = (code - bits, 2 * bits - code);
    let (how, insert, by) = match (w.has(29), w.bits(11, 5)) {
        (false, 0b00000) => (Shift::RightSigned, false, right),
        (true, 0b00000) => (Shift::Right, false, right),
        (true, 0b01000) => (Shift::Right, true, right),
        (false, 0b01010) => (Shift::Left, false, left),
        (true, 0b01010) => (Shift::Left, true, left),
        (false, 0b10000) if !is_alone => return narrow(w, element, right),
        (_, 0b10100) if !is_alone => return widen(w, element, left),
        _ => return None,
    };
    (element < wide || is_alone).then(|| {
        I::Shift(VectorShift {
            how,
            insert,
            by,
            element,
            wide,
            to: w.v(0),
            a: w.v(5),
        })
    })
}
