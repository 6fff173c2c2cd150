// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The part of the tests that is about WebAssembly: Node, with `engine.mjs`, runs each instruction in a module of its own.

use std::rc::Rc;

use wasmparser::{Operator as O, Validator};

use super::{Case, Found, Kind, Random, Runner, random_bytes};
use crate::algebra::{Byte, Op};
use crate::image::Image;
use crate::integers;
use crate::machine::{Common, number_bytes};
use crate::wasm::module::Module;
use crate::wasm::{Value, Wasm, as_value, operator_at, place_of};

/// In the memory: what instructions read and write, then three operands and the result, of 16 bytes each.
const SCRATCH: u64 = 0x8_0000;
const SCRATCH_BYTES: usize = 64;
const OPERANDS_AT: usize = SCRATCH_BYTES;
const RESULT_AT: usize = OPERANDS_AT + 3 * 16;
const WINDOW_BYTES: usize = RESULT_AT + 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    I32,
    I64,
    V128,
}

const TYPES: [Type; 3] = [Type::I32, Type::I64, Type::V128];

impl Type {
    fn bytes(self) -> usize {
        match self {
            Self::I32 => 4,
            Self::I64 => 8,
            Self::V128 => 16,
        }
    }

    /// The instruction that loads it, at any address.
    fn load(self) -> &'static [u8] {
        match self {
            Self::I32 => &[0x28, 0, 0],
            Self::I64 => &[0x29, 0, 0],
            Self::V128 => &[0xFD, 0x00, 0, 0],
        }
    }

    fn store(self) -> &'static [u8] {
        match self {
            Self::I32 => &[0x36, 0, 0],
            Self::I64 => &[0x37, 0, 0],
            Self::V128 => &[0xFD, 0x0B, 0, 0],
        }
    }
}

pub struct Subject<'a> {
    runner: Runner,
    image: &'a Image,
    module: Rc<Module<'a>>,
}

impl<'a> Subject<'a> {
    pub fn new(runner: Runner, image: &'a Image) -> Result<Self, String> {
        let module = Rc::new(Module::of(image)?);
        Ok(Self {
            runner,
            image,
            module,
        })
    }
}

impl<'a> super::Subject for Subject<'a> {
    /// With its encoding.
    type Instruction = (O<'a>, &'a [u8]);

    fn form(&self, (at, n): (u64, usize)) -> Option<(String, Self::Instruction)> {
        let operator = operator_at(self.image, at).ok()?;
        Some((form_of(&operator)?, (operator, self.image.at(at, n))))
    }

    fn has(&self, _: &Self::Instruction) -> bool {
        true
    }

    fn interpret(
        &self,
        (operator, code): &Self::Instruction,
        random: &mut Random,
        kind: Kind,
    ) -> Result<Case, String> {
        let (operands, result) = types_of(code).ok_or("no types of operands fit")?;
        let mut machine = Wasm::with_module(self.image, Ok(Rc::clone(&self.module)));
        let scratch = random_bytes(&mut machine.algebra, random, kind, SCRATCH_BYTES);
        let values = random_operands(&mut machine, operator, operands.len(), random, kind);
        machine
            .memory
            .put("scratch", SCRATCH, scratch.clone(), true);
        let found = machine.run_alone(operator, &values);
        let window = |scratch: &[Byte], result: &[Byte]| {
            let mut bytes = [scratch, &values.concat()].concat();
            bytes.resize(RESULT_AT, 0);
            bytes.extend(result);
            bytes.resize(WINDOW_BYTES, 0);
            bytes
        };
        let n = result.map_or(0, Type::bytes);
        let scratch_after = machine.memory.bytes("scratch");
        Ok(Case {
            code: module_of(&operands, code, result),
            before: window(&scratch, &[]),
            after: found.ok().map(|found| window(scratch_after, &found[..n])),
            conditions: Vec::new(),
            flags: 0,
            number_at: None,
            common: std::mem::take(&mut *machine),
        })
    }

    fn run(&mut self, case: &Case, before: &[u8]) -> Result<Found, String> {
        let request = format!("{} {SCRATCH:x} {}\n", hex(&case.code), hex(before));
        self.runner.send(request.as_bytes())?;
        let answer = self.runner.receive(2 * WINDOW_BYTES + 1)?;
        let after: Option<Vec<u8>> = answer.chunks_exact(2).map(of_hex).collect();
        let after = after.ok_or("node answers no bytes")?;
        Ok(Found {
            after: after.into_iter().map(Some).collect(),
            conditions: Vec::new(),
        })
    }
}

/// `None`: it cannot be alone. The runs of whole functions test calls, branches and variables.
fn form_of(operator: &O) -> Option<String> {
    let text = format!("{operator:?}");
    let (name, _) = text.split_once(' ').unwrap_or((&text, ""));
    const NOT_ALONE: [&str; 9] = [
        "Block", "Loop", "End", "Br", "Return", "Call", "Drop", "Local", "Global",
    ];
    if NOT_ALONE.iter().any(|start| name.starts_with(start)) {
        return None;
    }
    if name.ends_with("Const") {
        return Some(name.into());
    }
    let Some((before, offset)) = text.split_once("offset: ") else {
        return Some(text);
    };
    let after = offset.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(format!("{before}{after}"))
}

/// The types of its operands and of its result: those that the validator accepts.
fn types_of(code: &[u8]) -> Option<(Vec<Type>, Option<Type>)> {
    let results = [None].into_iter().chain(TYPES.map(Some));
    let mut choices = results.flat_map(|result| {
        let lists = (0..=3).flat_map(lists_of_types);
        lists.map(move |operands| (operands, result))
    });
    choices.find(|(operands, result)| {
        let module = module_of(operands, code, *result);
        Validator::new().validate_all(&module).is_ok()
    })
}

/// The last operand is often a constant, as a shift needs, and sometimes all are equal. The first one of an instruction
/// that uses memory is an address in the scratch memory.
fn random_operands(
    common: &mut Common,
    operator: &O,
    n: usize,
    random: &mut Random,
    kind: Kind,
) -> Vec<Value> {
    let mut value = |kind| as_value(&random_bytes(&mut common.algebra, random, kind, 16));
    let mut operands: Vec<Value> = (0..n).map(|_| value(kind)).collect();
    let constant = value(Kind::Constants);
    match (random.below(4), operands.as_mut_slice()) {
        (0 | 1, [.., last]) => *last = constant,
        (2, [first, others @ ..]) => others.fill(*first),
        _ => {}
    }
    if let Some(place) = place_of(operator) {
        let low = common.algebra.op(Op::And, operands[0][0], 0x1F);
        let base = number_bytes(SCRATCH.wrapping_sub(place.offset));
        let address = common.arithmetic(integers::Kind::Add, &base[..4], &[low, 0, 0, 0]);
        operands[0] = as_value(&address);
    }
    operands
}

fn lists_of_types(n: u32) -> impl Iterator<Item = Vec<Type>> {
    let number = TYPES.len().pow(n);
    (0..number).map(move |which| {
        (0..n)
            .map(|i| TYPES[which / TYPES.len().pow(i) % TYPES.len()])
            .collect()
    })
}

fn module_of(operands: &[Type], code: &[u8], result: Option<Type>) -> Vec<u8> {
    let mut body = vec![0]; // no locals
    let address = |body: &mut Vec<u8>, at: usize| {
        body.push(0x41); // i32.const
        body.extend(leb128(SCRATCH + at as u64));
    };
    if result.is_some() {
        address(&mut body, RESULT_AT);
    }
    for (i, operand) in operands.iter().enumerate() {
        address(&mut body, OPERANDS_AT + 16 * i);
        body.extend(operand.load());
    }
    body.extend(code);
    body.extend(result.map_or(&[][..], Type::store));
    body.push(0x0B); // end
    let function = [leb128(body.len() as u64), body].concat();
    [
        b"\0asm\x01\0\0\0".to_vec(),
        section(1, &[b"\x60\0\0"]), // a type: no parameters, no results
        section(3, &[b"\0"]),       // a function of that type
        section(5, &[b"\0\x10"]),   // a memory of 16 pages
        section(7, &[b"\x06memory\x02\0", b"\x03run\0\0"]),
        section(10, &[&function]),
    ]
    .concat()
}

/// A section with these entries.
fn section(id: u8, entries: &[&[u8]]) -> Vec<u8> {
    let contents = [leb128(entries.len() as u64), entries.concat()].concat();
    [vec![id], leb128(contents.len() as u64), contents].concat()
}

/// A number that is not negative, in the encoding of signed ones: its last byte has no sign.
fn leb128(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x40 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn of_hex(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
