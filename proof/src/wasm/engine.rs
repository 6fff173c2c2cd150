// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Tests the interpreter against an engine, that of Node: each form of instruction that ran, in a module of its own, on
//! random operands of which some bytes are symbols. The result with random values for the symbols must be the engine's.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use rustc_hash::FxHashSet;
use wasmparser::{Operator as O, Validator};

use super::module::Module;
use super::{Value, Wasm, as_value, place_of};
use crate::algebra::{Byte, Op, UNKNOWN};
use crate::evaluation::Evaluation;
use crate::image::Image;
use crate::machine::{Common, number_bytes};
use crate::trust::{Kind, Random, random_bytes};

/// In the memory: what instructions read and write, then three operands and the result, of 16 bytes each.
const SCRATCH: u64 = 0x8_0000;
const SCRATCH_BYTES: usize = 64;
const OPERANDS_AT: usize = SCRATCH_BYTES;
const RESULT_AT: usize = OPERANDS_AT + 3 * 16;
const WINDOW_BYTES: usize = RESULT_AT + 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
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

/// An instruction, and a module whose function loads its operands, runs it and stores its result.
struct Alone<'a> {
    operator: &'a O<'a>,
    module: Vec<u8>,
    operands: Vec<Type>,
    result: Option<Type>,
}

/// Tests the instructions at these places, one of each form: the same except for offsets and constants.
pub fn test(script: &Path, places: &[(u64, usize)], image: &Image) -> Result<bool, String> {
    let module = Module::of(image)?;
    let places: FxHashSet<u64> = places.iter().map(|&(at, _)| at).collect();
    let mut forms = BTreeMap::new();
    let steps = module.functions.iter().flat_map(|function| &function.code);
    for step in steps.filter(|step| places.contains(&step.at)) {
        if let Some(form) = form_of(&step.operator) {
            forms.entry(form).or_insert(step);
        }
    }
    let mut engine = Engine::start(script)?;
    let mut random = Random(1);
    let mut machine = Wasm::new(image);
    let mut n_wrong = 0;
    for (form, step) in &forms {
        let code = image.at(step.at, step.bytes);
        let result = Alone::new(&step.operator, code)
            .ok_or_else(|| "no types of operands fit".into())
            .and_then(|alone| alone.test(&mut engine, &mut machine, &mut random));
        if let Err(error) = result {
            n_wrong += 1;
            println!("WRONG: {form}: {error}");
        }
    }
    println!(
        "{} passed, {n_wrong} failed, 0 skipped",
        forms.len() - n_wrong
    );
    Ok(n_wrong == 0)
}

/// `None`: it cannot be alone. The runs of whole functions test calls, branches and variables.
fn form_of(operator: &O) -> Option<String> {
    let text = format!("{operator:?}");
    let (name, _) = text.split_once(' ').unwrap_or((&text, ""));
    const NOT_ALONE: [&str; 8] = [
        "Block", "Loop", "End", "Br", "Call", "Drop", "Local", "Global",
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

impl<'a> Alone<'a> {
    /// With the types that the validator accepts.
    fn new(operator: &'a O<'a>, code: &[u8]) -> Option<Self> {
        let results = [None].into_iter().chain(TYPES.map(Some));
        let choices = results.flat_map(|result| {
            (0..=3)
                .flat_map(lists_of_types)
                .map(move |operands| (operands, result))
        });
        choices
            .map(|(operands, result)| Self {
                operator,
                module: module_of(&operands, code, result),
                operands,
                result,
            })
            .find(|alone| Validator::new().validate_all(&alone.module).is_ok())
    }

    fn test(
        &self,
        engine: &mut Engine,
        machine: &mut Wasm,
        random: &mut Random,
    ) -> Result<(), String> {
        const TESTS: usize = 48;
        let mut n_known = 0;
        for test in 0..TESTS {
            let kind = [Kind::Constants, Kind::OfEightBits, Kind::Symbols][test % 3];
            n_known += usize::from(self.test_once(engine, machine, random, kind)?);
        }
        if n_known == 0 {
            return Err("the interpreter knew no result".into());
        }
        Ok(())
    }

    /// Whether the interpreter knew all of the result.
    fn test_once(
        &self,
        engine: &mut Engine,
        machine: &mut Wasm,
        random: &mut Random,
        kind: Kind,
    ) -> Result<bool, String> {
        **machine = Common::default();
        let scratch = random_bytes(&mut machine.algebra, random, kind, SCRATCH_BYTES);
        let operands = self.random_operands(machine, random, kind);
        machine
            .memory
            .put("scratch", SCRATCH, scratch.clone(), true);
        machine.stack.clone_from(&operands);
        let refused = machine.execute(self.operator, 0).is_err();
        let n = self.result.map_or(0, Type::bytes);
        let result = machine.stack.pop().unwrap_or(as_value(&[]))[..n].to_vec();
        let after = [machine.memory.bytes("scratch"), result.as_slice()].concat();

        let sums = std::mem::take(&mut machine.sums);
        let mut seed = Random(random.next());
        let choose = move || seed.next() & 1 == 1;
        let mut evaluation = Evaluation::new(&mut machine.algebra, &sums, choose);
        let before = values(&mut evaluation, &[scratch, operands.concat()].concat());
        let before: Option<Vec<u8>> = before.into_iter().collect();
        let engine_after = engine.run(&self.module, before.expect("all are known"))?;
        if refused {
            return Ok(false);
        }
        let Some(engine_after) = engine_after else {
            return Err("it is a trap in the engine".into());
        };
        let scratch = &engine_after[..SCRATCH_BYTES];
        let result = &engine_after[RESULT_AT..RESULT_AT + n];
        compare(
            &values(&mut evaluation, &after),
            &[scratch, result].concat(),
        )
    }

    /// The last operand is often a constant, as a shift needs, and sometimes all are equal. The first one of an instruction
    /// that uses memory is an address in the scratch memory.
    fn random_operands(&self, machine: &mut Wasm, random: &mut Random, kind: Kind) -> Vec<Value> {
        let mut value = |kind| as_value(&random_bytes(&mut machine.algebra, random, kind, 16));
        let mut operands: Vec<Value> = self.operands.iter().map(|_| value(kind)).collect();
        let constant = value(Kind::Constants);
        match (random.below(4), operands.as_mut_slice()) {
            (0 | 1, [.., last]) => *last = constant,
            (2, [first, others @ ..]) => others.fill(*first),
            _ => {}
        }
        if let Some(place) = place_of(self.operator) {
            let low = machine.algebra.op(Op::And, operands[0][0], 0x1F);
            let base = number_bytes(SCRATCH.wrapping_sub(place.offset));
            let address =
                machine.arithmetic(crate::integers::Kind::Add, &base[..4], &[low, 0, 0, 0]);
            operands[0] = as_value(&address);
        }
        operands
    }
}

/// `None`: it is unknown.
fn values(evaluation: &mut Evaluation, bytes: &[Byte]) -> Vec<Option<u8>> {
    let value = |&byte: &Byte| (byte != UNKNOWN).then(|| evaluation.byte(byte));
    bytes.iter().map(value).collect()
}

/// Whether all of what was found is known.
fn compare(found: &[Option<u8>], wanted: &[u8]) -> Result<bool, String> {
    for (at, (&found, &wanted)) in found.iter().zip(wanted).enumerate() {
        if found.is_some_and(|found| found != wanted) {
            return Err(format!(
                "byte {at} is {wanted} in the engine, here it is {found:?}"
            ));
        }
    }
    Ok(found.iter().all(Option::is_some))
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

struct Engine {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Engine {
    fn start(script: &Path) -> Result<Self, String> {
        let mut child = Command::new("node")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("node does not run: {error}"))?;
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        Ok(Self { child, answers })
    }

    /// The bytes after a run; `None`: a trap.
    fn run(&mut self, module: &[u8], mut before: Vec<u8>) -> Result<Option<Vec<u8>>, String> {
        before.resize(WINDOW_BYTES, 0);
        let failed = |error: std::io::Error| format!("node: {error}");
        let input = self.child.stdin.as_mut().expect("piped");
        writeln!(input, "{} {SCRATCH:x} {}", hex(module), hex(&before)).map_err(failed)?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).map_err(failed)?;
        match answer.trim_end() {
            "trap" => Ok(None),
            bytes => of_hex(bytes)
                .map(Some)
                .ok_or_else(|| format!("node answers {bytes:?}")),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn of_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks_exact(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits
        .map(byte)
        .collect::<Option<Vec<u8>>>()
        .filter(|bytes| bytes.len() == WINDOW_BYTES)
}
