// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The part of the tests that is about x86-64; `cpu.c` is the program that runs single instructions.

use iced_x86::{
    ConditionCode as C, Decoder, DecoderOptions, Encoder, Instruction, Mnemonic, OpKind, Register,
};

use super::{Case, Found, Kind, Random, Runner, random_bytes};
use crate::algebra::Byte;
use crate::image::Image;
use crate::machine::number_bytes;
use crate::x86::{State, X86, instruction_at, takes_symbols};

const MEMORY_AT: u64 = 0x1000_0000;
const MEMORY_BYTES: usize = 128;
const STATE_BYTES: usize = 128 + 8 + MEMORY_BYTES + 64 + 32 * 64;
const CODE_BYTES: usize = 16;

pub struct Subject<'a> {
    runner: Runner,
    image: &'a Image,
    has_512: bool,
    has_gfni: bool,
    has_vpclmul: bool,
}

impl<'a> Subject<'a> {
    pub fn new(mut runner: Runner, image: &'a Image) -> Result<Self, String> {
        let has = runner.receive(3)?;
        Ok(Self {
            runner,
            image,
            has_512: has[0] != 0,
            has_gfni: has[1] != 0,
            has_vpclmul: has[2] != 0,
        })
    }
}

impl super::Subject for Subject<'_> {
    type Instruction = Instruction;

    fn form(&self, (at, _): (u64, usize)) -> Option<(String, Instruction)> {
        let instruction = instruction_at(self.image, at).filter(can_be_alone)?;
        Some((form_of(&instruction), instruction))
    }

    fn form_of_written(&self, code: &[u8]) -> Option<(String, Instruction)> {
        let instruction = Decoder::new(64, code, DecoderOptions::NONE).decode();
        can_be_alone(&instruction).then(|| (form_of(&instruction), instruction))
    }

    fn has(&self, i: &Instruction) -> bool {
        i.cpuid_features().iter().all(|feature| {
            let feature = format!("{feature:?}");
            match feature.as_str() {
                "GFNI" => self.has_gfni,
                "VPCLMULQDQ" => self.has_vpclmul,
                _ => self.has_512 || !feature.starts_with("AVX512"),
            }
        })
    }

    fn interpret(
        &self,
        instruction: &Instruction,
        random: &mut Random,
        kind: Kind,
    ) -> Result<Case, String> {
        let mut instruction = *instruction;
        if instruction.mnemonic() != Mnemonic::Lea {
            at_scratch(&mut instruction, random);
        }
        let mut machine = X86::new(self.image);
        let mut state = random_state(&mut machine, random, kind);
        make_possible(&instruction, &mut state, random);
        let number = (kind == Kind::Symbols && takes_symbols(&instruction))
            .then(|| std::array::from_fn(|_| machine.algebra.new_byte()));
        machine.take_number(number);
        if number.is_some() {
            set_long_number(&mut instruction);
        }
        let (code, place) = encoded(&instruction)?;
        machine
            .memory
            .put("scratch", MEMORY_AT, state.memory.clone(), true);
        machine.set_state(&state);
        let compared = (random.byte(), random.byte());
        machine.compare(compared.0, compared.1);
        let refused = machine.execute(&instruction).is_err();
        let mut after = machine.state();
        after.memory = machine.memory.bytes("scratch").to_vec();
        let conditions = CONDITIONS.map(|c| (format!("{c:?}"), machine.condition(c)));
        Ok(Case {
            code,
            common: std::mem::take(&mut *machine),
            before: [state.bytes(), number.unwrap_or_default().to_vec()].concat(),
            after: (!refused).then(|| after.bytes()),
            conditions: conditions.to_vec(),
            flags: flags_of(compared),
            number_at: number.map(|_| place),
        })
    }

    fn run(&mut self, case: &Case, before: &[u8]) -> Result<Found, String> {
        let mut request = vec![0; CODE_BYTES];
        request[..case.code.len()].copy_from_slice(&case.code);
        let (before, number) = before.split_at(VECTORS_AT + 32 * 64);
        if let Some(at) = case.number_at {
            request[at..at + number.len()].copy_from_slice(number);
        }
        request[CODE_BYTES - 1] = u8::try_from(case.code.len()).expect("at most 15");
        request.extend(to_record(before, case.flags));
        self.runner.send(&request)?;
        let end = self.runner.receive(STATE_BYTES)?;
        let flags = u64::from_le_bytes(end[128..136].try_into().expect("8 bytes"));
        let wide = if self.has_512 { 64 } else { 32 };
        let bytes = from_record(&end).into_iter().enumerate();
        Ok(Found {
            after: bytes
                .map(|(at, byte)| (!is_beyond(at, wide)).then_some(byte))
                .collect(),
            conditions: CONDITIONS
                .iter()
                .map(|&condition| holds_on_processor(condition, flags))
                .collect(),
        })
    }
}

/// The code of an instruction, and the place of its number, if it has one.
fn encoded(instruction: &Instruction) -> Result<(Vec<u8>, usize), String> {
    let mut encoder = Encoder::new(64);
    encoder
        .encode(instruction, 0)
        .map_err(|error| error.to_string())?;
    let offsets = encoder.get_constant_offsets();
    let place = if offsets.has_immediate() {
        offsets.immediate_offset()
    } else {
        offsets.displacement_offset()
    };
    Ok((encoder.take_buffer(), place))
}

/// Gives an instruction a number of 32 bits, to make room for others.
fn set_long_number(instruction: &mut Instruction) {
    if instruction.mnemonic() == Mnemonic::Lea {
        instruction.set_memory_displ_size(8);
        instruction.set_memory_displacement64(i32::MAX as u64);
    } else {
        instruction.set_immediate32(i32::MAX as u32);
    }
}

/// Puts numbers into registers with which the instruction does not fail.
fn make_possible(instruction: &Instruction, state: &mut State, random: &mut Random) {
    let mut set = |register: usize, value: u64| {
        state.integers[8 * register..8 * register + 8].copy_from_slice(&number_bytes(value));
    };
    match instruction.mnemonic() {
        Mnemonic::Div => set(2, random.byte().into()), // the upper half of the dividend
        Mnemonic::Stosb | Mnemonic::Stosd | Mnemonic::Stosq => {
            set(1, random.below(8)); // how many
            set(7, MEMORY_AT + 64);
        }
        Mnemonic::Movsb | Mnemonic::Movsd | Mnemonic::Movsq => {
            set(1, random.below(8)); // how many
            set(6, MEMORY_AT);
            set(7, MEMORY_AT + 64);
        }
        _ => {}
    }
}

/// Neither a branch nor a use of the stack: the runs of whole functions test those. Nor a question to the processor, whose
/// answer the proof chooses.
fn can_be_alone(i: &Instruction) -> bool {
    let uses_stack = (0..i.op_count()).any(|which| {
        i.op_kind(which) == OpKind::Register
            && i.op_register(which).full_register() == Register::RSP
    });
    let is_lea_of_place =
        i.mnemonic() == Mnemonic::Lea && matches!(i.memory_base(), Register::RSP | Register::RIP);
    let is_branch = i.flow_control() != iced_x86::FlowControl::Next;
    !is_branch
        && !uses_stack
        && !is_lea_of_place
        && !matches!(
            i.mnemonic(),
            Mnemonic::Push
                | Mnemonic::Pop
                | Mnemonic::Leave
                | Mnemonic::Nop
                | Mnemonic::Endbr64
                | Mnemonic::Cpuid
                | Mnemonic::Xgetbv
        )
}

fn form_of(i: &Instruction) -> String {
    let immediate = (0..i.op_count())
        .find(|&which| i.op_kind(which) == OpKind::Immediate8)
        .map(|_| i.immediate8());
    let equal: Vec<bool> = (1..i.op_count())
        .map(|which| {
            i.op_kind(which) == OpKind::Register && i.op_register(which) == i.op_register(0)
        })
        .collect();
    let kinds: Vec<OpKind> = (0..i.op_count()).map(|which| i.op_kind(which)).collect();
    let mask = if i.op_mask() == Register::None {
        ""
    } else if i.zeroing_masking() {
        "{k}{z}"
    } else {
        "{k}"
    };
    let broadcast = if i.is_broadcast() { "{1to}" } else { "" };
    format!(
        "{:?}{mask}{broadcast} {immediate:?} {kinds:?} {equal:?}",
        i.code()
    )
}

/// A state as bytes: integers, memory, masks with a byte for each bit, vectors.
const MASKS_AT: usize = 128 + MEMORY_BYTES;
const VECTORS_AT: usize = MASKS_AT + 8 * 64;

/// Beyond what this processor has: the upper parts of vectors, and masks; and rsp.
fn is_beyond(at: usize, wide: usize) -> bool {
    (32..40).contains(&at)
        || wide < 64 && (MASKS_AT..VECTORS_AT).contains(&at)
        || at >= VECTORS_AT && (at - VECTORS_AT) % 64 >= wide
        || wide < 64 && at >= VECTORS_AT + 16 * 64
}

/// CF, ZF, SF and OF after a comparison; the parity is no matter, and bits 1 and 9 are always set.
fn flags_of((a, b): (u8, u8)) -> u64 {
    let difference = a.wrapping_sub(b);
    let overflow = a.cast_signed().checked_sub(b.cast_signed()).is_none();
    0x202
        | u64::from(a < b)
        | u64::from(a == b) << 6
        | u64::from(difference >> 7) << 7
        | u64::from(overflow) << 11
}

const CONDITIONS: [C; 14] = [
    C::e,
    C::ne,
    C::s,
    C::ns,
    C::b,
    C::ae,
    C::be,
    C::a,
    C::l,
    C::ge,
    C::le,
    C::g,
    C::o,
    C::no,
];

fn holds_on_processor(condition: C, flags: u64) -> bool {
    let [carry, zero, sign, overflow] = [0, 6, 7, 11].map(|bit| flags >> bit & 1 == 1);
    match condition {
        C::e => zero,
        C::ne => !zero,
        C::s => sign,
        C::ns => !sign,
        C::b => carry,
        C::ae => !carry,
        C::be => carry || zero,
        C::a => !carry && !zero,
        C::l => sign != overflow,
        C::ge => sign == overflow,
        C::le => sign != overflow || zero,
        C::g => sign == overflow && !zero,
        C::o => overflow,
        _ => !overflow,
    }
}

fn to_record(bytes: &[u8], flags: u64) -> Vec<u8> {
    let mut record = bytes[..128].to_vec();
    record.extend_from_slice(&flags.to_le_bytes());
    record.extend_from_slice(&bytes[128..MASKS_AT]);
    for mask in bytes[MASKS_AT..VECTORS_AT].chunks_exact(64) {
        let value = mask
            .iter()
            .enumerate()
            .fold(0_u64, |value, (i, &bit)| value | u64::from(bit & 1) << i);
        record.extend_from_slice(&value.to_le_bytes());
    }
    record.extend_from_slice(&bytes[VECTORS_AT..]);
    record
}

fn from_record(record: &[u8]) -> Vec<u8> {
    let mut bytes = record[..128].to_vec();
    bytes.extend_from_slice(&record[136..136 + MEMORY_BYTES]);
    for mask in record[136 + MEMORY_BYTES..136 + MEMORY_BYTES + 64].chunks_exact(8) {
        let value = u64::from_le_bytes(mask.try_into().expect("8 bytes"));
        bytes.extend((0..64).map(|i| if value >> i & 1 == 1 { 0xFF } else { 0 }));
    }
    bytes.extend_from_slice(&record[136 + MEMORY_BYTES + 64..]);
    bytes
}

/// An operand in memory becomes one of the scratch memory.
fn at_scratch(instruction: &mut Instruction, random: &mut Random) {
    if (0..instruction.op_count()).any(|which| instruction.op_kind(which) == OpKind::Memory) {
        instruction.set_memory_base(Register::None);
        instruction.set_memory_index(Register::None);
        instruction.set_memory_index_scale(1);
        instruction.set_memory_displ_size(4);
        instruction.set_memory_displacement64(MEMORY_AT + 64 * random.below(2));
    }
}

fn random_state(machine: &mut X86, random: &mut Random, kind: Kind) -> State {
    const MASK_BYTES: usize = 8 * 64;
    let all = MEMORY_BYTES + 128 + MASK_BYTES + 32 * 64;
    let mut bytes = random_bytes(&mut machine.algebra, random, kind, all).into_iter();
    let mut next = |n: usize| -> Vec<Byte> { bytes.by_ref().take(n).collect() };
    let (memory, integers, masks) = (next(MEMORY_BYTES), next(128), next(MASK_BYTES));
    let vectors = next(32 * 64);
    let spread = |byte| machine.algebra.spread(byte, 0);
    State {
        integers,
        memory,
        masks: masks.into_iter().map(spread).collect(),
        vectors,
    }
}
