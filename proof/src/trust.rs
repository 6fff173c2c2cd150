// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Tests the interpreter against the processor: each form of instruction in the code of the kernels, on random states of
//! which some bytes are symbols. The result with random values for the symbols must be that of the processor.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use iced_x86::{ConditionCode as C, Encoder, Instruction, Mnemonic, OpKind, Register};

use crate::algebra::{Byte, Op, UNKNOWN};
use crate::image::Image;
use crate::x86::{State, X86};

const MEMORY_AT: u64 = 0x1000_0000;
const MEMORY_BYTES: usize = 128;
const STATE_BYTES: usize = 128 + 8 + MEMORY_BYTES + 64 + 32 * 64;
const CODE_BYTES: usize = 16;

/// A generator of numbers that look random: splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// Instructions of one form: the same except for registers, addresses and symbols.
pub fn test(cpu: &Path, instructions: &[Instruction], image: &Image) -> Result<bool, String> {
    let mut forms = BTreeMap::new();
    for instruction in instructions {
        if can_be_alone(instruction) {
            forms.entry(form_of(instruction)).or_insert(*instruction);
        }
    }
    let mut processor = Processor::start(cpu)?;
    let mut random = Random(1);
    let (mut n_forms, mut n_skipped, mut n_wrong) = (0, 0, 0);
    for (form, instruction) in &forms {
        if !processor.has(instruction) {
            n_skipped += 1;
            continue;
        }
        n_forms += 1;
        match test_form(&mut processor, instruction, image, &mut random) {
            Ok(0) => {
                n_wrong += 1;
                println!("NOT TESTED: {form}: the interpreter knew no result");
            }
            Ok(_) => {}
            Err(error) => {
                n_wrong += 1;
                println!("WRONG: {form}: {error}");
            }
        }
    }
    if n_skipped > 0 {
        println!("skipped: {n_skipped} forms of instructions: this processor lacks them");
    }
    println!(
        "{} passed, {n_wrong} failed, {n_skipped} skipped",
        n_forms - n_wrong
    );
    Ok(n_wrong == 0)
}

/// Neither a branch nor a use of the stack: the runs of whole functions test those.
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
            Mnemonic::Push | Mnemonic::Pop | Mnemonic::Leave | Mnemonic::Nop | Mnemonic::Endbr64
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

struct Processor {
    child: std::process::Child,
    has_512: bool,
    has_gfni: bool,
}

impl Processor {
    fn start(cpu: &Path) -> Result<Self, String> {
        let mut child = Command::new(cpu)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", cpu.display()))?;
        let mut has = [0; 2];
        child
            .stdout
            .as_mut()
            .expect("piped")
            .read_exact(&mut has)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            child,
            has_512: has[0] != 0,
            has_gfni: has[1] != 0,
        })
    }

    fn has(&self, i: &Instruction) -> bool {
        let is_512 = i
            .cpuid_features()
            .iter()
            .any(|feature| format!("{feature:?}").starts_with("AVX512"));
        let is_gfni = i
            .cpuid_features()
            .iter()
            .any(|feature| format!("{feature:?}") == "GFNI");
        (self.has_512 || !is_512) && (self.has_gfni || !is_gfni)
    }

    fn run(&mut self, code: &[u8], before: &[u8]) -> Result<Vec<u8>, String> {
        let mut request = vec![0; CODE_BYTES];
        request[..code.len()].copy_from_slice(code);
        request[CODE_BYTES - 1] = u8::try_from(code.len()).expect("at most 15");
        request.extend_from_slice(before);
        let failed = |error: std::io::Error| format!("the processor's program: {error}");
        let input = self.child.stdin.as_mut().expect("piped");
        input
            .write_all(&request)
            .and_then(|()| input.flush())
            .map_err(failed)?;
        let mut after = vec![0; STATE_BYTES];
        self.child
            .stdout
            .as_mut()
            .expect("piped")
            .read_exact(&mut after)
            .map_err(failed)?;
        Ok(after)
    }
}

/// The kind of the bytes of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Constants,
    /// Constants, and functions of eight bits in all.
    OfEightBits,
    Symbols,
}

/// How often the interpreter knew all of the result.
fn test_form(
    processor: &mut Processor,
    i: &Instruction,
    image: &Image,
    random: &mut Random,
) -> Result<usize, String> {
    const TESTS: usize = 24;
    let mut n_known = 0;
    for test in 0..TESTS {
        let kind = [Kind::Constants, Kind::OfEightBits, Kind::Symbols][test % 3];
        n_known += usize::from(test_once(processor, i, image, random, kind)?);
    }
    Ok(n_known)
}

fn test_once(
    processor: &mut Processor,
    i: &Instruction,
    image: &Image,
    random: &mut Random,
    kind: Kind,
) -> Result<bool, String> {
    let mut instruction = *i;
    if instruction.mnemonic() != Mnemonic::Lea {
        at_scratch(&mut instruction, random);
    }
    let mut encoder = Encoder::new(64);
    encoder
        .encode(&instruction, 0)
        .map_err(|error| error.to_string())?;
    let code = encoder.take_buffer();

    let mut machine = X86::new(image);
    let state = random_state(&mut machine, random, kind);
    let before = state.clone();
    machine
        .memory
        .put("scratch", MEMORY_AT, state.memory.clone(), true);
    machine.set_state(&state);
    let compared = (random.byte(), random.byte());
    machine.compare(compared.0, compared.1);
    let refused = machine.execute(&instruction).is_err();
    let mut after = machine.state();
    after.memory = machine.memory.bytes("scratch").to_vec();

    let conditions: Vec<_> = CONDITIONS
        .iter()
        .map(|&condition| (condition, machine.condition(condition)))
        .collect();

    // All symbols must have their values before the processor runs.
    let mut seed = Random(random.next());
    let sums = std::mem::take(&mut machine.sums);
    let mut evaluation =
        crate::evaluation::Evaluation::new(&mut machine.algebra, &sums, move || {
            seed.next() & 1 == 1
        });
    let mut value = |byte: Byte| {
        if byte == UNKNOWN {
            None
        } else {
            Some(evaluation.byte(byte))
        }
    };
    let start: Vec<u8> = before
        .bytes()
        .into_iter()
        .map(|byte| value(byte).expect("known"))
        .collect();
    let end = processor.run(&code, &to_record(&start, flags_of(compared)))?;
    if refused {
        return Ok(false);
    }
    let flags = u64::from_le_bytes(end[128..136].try_into().expect("8 bytes"));
    let end = from_record(&end);
    for (condition, holds) in conditions {
        if holds != UNKNOWN
            && value(holds)
                != Some(if holds_on_processor(condition, flags) {
                    0xFF
                } else {
                    0
                })
        {
            return Err(format!("the condition {condition:?} differs"));
        }
    }
    let wide = if processor.has_512 { 64 } else { 32 };
    let mut all_known = true;
    for (at, byte) in after.bytes().into_iter().enumerate() {
        if is_beyond(at, wide) {
            continue;
        }
        match value(byte) {
            None => all_known = false,
            Some(value) if value == end[at] => {}
            Some(value) => {
                return Err(format!(
                    "byte {at} of the state is {:#x} on the processor, {value:#x} here",
                    end[at]
                ));
            }
        }
    }
    Ok(all_known)
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
    let palette = palette(machine, random, kind);
    let mut bytes = |n: usize| -> Vec<Byte> {
        (0..n)
            .map(|_| match kind {
                _ if random.below(4) == 0 => Byte::from(random.byte()),
                Kind::Symbols => machine.algebra.new_byte(),
                _ => palette[random.below(palette.len() as u64) as usize],
            })
            .collect()
    };
    let (memory, integers, masks, vectors) = (
        bytes(MEMORY_BYTES),
        bytes(128),
        bytes(8 * 64),
        bytes(32 * 64),
    );
    let masks = masks
        .into_iter()
        .map(|byte| machine.algebra.spread(byte, 0))
        .collect();
    State {
        integers,
        memory,
        masks,
        vectors,
    }
}

/// Bytes that a state is made of.
fn palette(machine: &mut X86, random: &mut Random, kind: Kind) -> Vec<Byte> {
    const N: usize = 24;
    if kind == Kind::Constants {
        return (0..256).collect();
    }
    let pool = machine.algebra.new_byte();
    let mut one = |i: usize| {
        let rows = std::array::from_fn(|_| random.byte() & random.byte());
        let linear = machine.algebra.linear(rows, pool);
        let op = if i.is_multiple_of(2) {
            Op::Xor
        } else {
            Op::Add
        };
        machine.algebra.op(op, linear, Byte::from(random.byte()))
    };
    (0..N).map(&mut one).collect()
}
