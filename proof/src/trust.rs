// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Tests an interpreter against the processor: each form of instruction in the code of the kernels and modes, on random
//! states of which some bytes are symbols. The result with random values for the symbols must be that of the processor.

mod a64;
pub mod chains;
mod wasm;
mod x86;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use crate::algebra::{Algebra, Byte, Op, UNKNOWN};
use crate::evaluation::Evaluation;
use crate::image::{Image, Processor};
use crate::machine::Common;

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

/// The kind of the bytes of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Constants,
    /// Constants, and functions of eight bits in all.
    OfEightBits,
    Symbols,
}

/// An instruction, run by the interpreter, to be run by the processor.
struct Case {
    code: Vec<u8>,
    common: Common,
    /// The state before.
    before: Vec<Byte>,
    /// And after; `None`: the interpreter refuses to run the instruction.
    after: Option<Vec<Byte>>,
    /// The names of conditions, and whether they hold: 255 or 0.
    conditions: Vec<(String, Byte)>,
    /// The flags before.
    flags: u64,
    /// Where the code has a number, which is the last four bytes of the state before.
    number_at: Option<usize>,
}

/// The state that the processor makes of it.
struct Found {
    /// `None`: this processor lacks that part of the state.
    after: Vec<Option<u8>>,
    conditions: Vec<bool>,
}

/// The part that differs between processors.
trait Subject {
    type Instruction;

    /// The instruction at a place, and its form: the same except for registers, addresses and symbols; `None`: it cannot
    /// be tested alone.
    fn form(&self, place: (u64, usize)) -> Option<(String, Self::Instruction)>;

    /// The same of an instruction that the library wrote.
    fn form_of_written(&self, _code: &[u8]) -> Option<(String, Self::Instruction)> {
        None
    }

    /// Whether the processor has it.
    fn has(&self, instruction: &Self::Instruction) -> bool;

    /// Runs it on a random state.
    fn interpret(
        &self,
        instruction: &Self::Instruction,
        random: &mut Random,
        kind: Kind,
    ) -> Result<Case, String>;

    /// Runs it on the processor, from a state that has these values.
    fn run(&mut self, case: &Case, before: &[u8]) -> Result<Found, String>;
}

pub struct Outcome {
    pub right: bool,
    /// The processor has all of the instructions.
    pub complete: bool,
}

/// Code of a library that ran: where it is, and what the library wrote.
type Places = BTreeSet<(u64, usize)>;
type Written = BTreeSet<Vec<u8>>;

/// Tests the instructions at these places of a library, and those that it wrote, half of the forms on each of two threads.
/// `cpu` is the program that runs single instructions, and its arguments.
pub fn test(
    cpu: &[&str],
    places: &Places,
    written: &Written,
    image: &Image,
) -> Result<Outcome, String> {
    let test = |half| -> Result<Counts, String> {
        let runner = Runner::start(cpu)?;
        Ok(match image.processor {
            Processor::X86 => test_half(
                half,
                &mut x86::Subject::new(runner, image)?,
                places,
                written,
            ),
            Processor::A64 => test_half(
                half,
                &mut a64::Subject::new(runner, image)?,
                places,
                written,
            ),
            Processor::Wasm => test_half(
                half,
                &mut wasm::Subject::new(runner, image)?,
                places,
                written,
            ),
        })
    };
    let (first, second) = std::thread::scope(|scope| {
        let second = scope.spawn(|| test(1));
        (test(0), second.join().expect("no thread panics"))
    });
    let (first, second) = (first?, second?);
    let [passed, wrong, skipped] = std::array::from_fn(|i| first[i] + second[i]);
    if skipped > 0 {
        println!("skipped: {skipped} forms of instructions: this processor lacks them");
    }
    println!("{passed} passed, {wrong} failed, {skipped} skipped");
    Ok(Outcome {
        right: wrong == 0,
        complete: skipped == 0,
    })
}

/// How many forms passed, were wrong, and were skipped.
type Counts = [usize; 3];

/// Every second form.
fn test_half<S: Subject>(
    half: usize,
    subject: &mut S,
    places: &Places,
    written: &Written,
) -> Counts {
    let of_library = places.iter().filter_map(|&place| subject.form(place));
    let of_written = written
        .iter()
        .filter_map(|code| subject.form_of_written(code));
    let forms: BTreeMap<_, _> = of_written.chain(of_library).collect();
    let mut random = Random(1);
    let mut counts = [0; 3];
    for (form, instruction) in forms.iter().skip(half).step_by(2) {
        counts[test_one(subject, form, instruction, &mut random)] += 1;
    }
    counts
}

/// Which of the counts it belongs to.
fn test_one<S: Subject>(
    subject: &mut S,
    form: &str,
    instruction: &S::Instruction,
    random: &mut Random,
) -> usize {
    if !subject.has(instruction) {
        return 2;
    }
    match test_form(subject, instruction, random) {
        Ok(0) => println!("NOT TESTED: {form}: the interpreter knew no result"),
        Ok(_) => return 0,
        Err(error) => println!("WRONG: {form}: {error}"),
    }
    1
}

/// How often the interpreter knew all of the result.
fn test_form<S: Subject>(
    subject: &mut S,
    instruction: &S::Instruction,
    random: &mut Random,
) -> Result<usize, String> {
    const TESTS: usize = 48;
    let mut n_known = 0;
    for test in 0..TESTS {
        let kind = [Kind::Constants, Kind::OfEightBits, Kind::Symbols][test % 3];
        let case = subject.interpret(instruction, random, kind)?;
        n_known += usize::from(compare(subject, case, random)?);
    }
    Ok(n_known)
}

/// Whether the interpreter knew all of the result.
fn compare<S: Subject>(
    subject: &mut S,
    mut case: Case,
    random: &mut Random,
) -> Result<bool, String> {
    let mut common = std::mem::take(&mut case.common);
    let mut seed = Random(random.next());
    let choose = move || seed.next() & 1 == 1;
    let mut evaluation = Evaluation::new(&mut common.algebra, &common.sums, choose);
    let mut value = |byte: Byte| (byte != UNKNOWN).then(|| evaluation.byte(byte));
    // All symbols must have their values before the processor runs.
    let before = case.before.iter().map(|&byte| value(byte).expect("known"));
    let before: Vec<u8> = before.collect();
    let Some(after) = case.after.take() else {
        return Ok(false); // the processor may refuse it, too: a division by 0 would end its program
    };
    let found = subject.run(&case, &before)?;
    for ((name, here), there) in case.conditions.into_iter().zip(found.conditions) {
        if value(here).is_some_and(|here| here != if there { 0xFF } else { 0 }) {
            return Err(format!("the condition {name} differs"));
        }
    }
    let mut all_known = true;
    for (at, (byte, there)) in after.into_iter().zip(found.after).enumerate() {
        let Some(there) = there else { continue };
        match value(byte) {
            None => all_known = false,
            Some(here) if here == there => {}
            Some(here) => {
                return Err(format!(
                    "byte {at} of the state is {there:#x} on the processor, {here:#x} here"
                ));
            }
        }
    }
    Ok(all_known)
}

/// The program that runs single instructions.
struct Runner(Child);

impl Runner {
    fn start(cpu: &[&str]) -> Result<Self, String> {
        let piped = Command::new(cpu[0])
            .args(&cpu[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        piped
            .map(Self)
            .map_err(|error| format!("{}: {error}", cpu[0]))
    }

    fn send(&mut self, request: &[u8]) -> Result<(), String> {
        let input = self.0.stdin.as_mut().expect("piped");
        input
            .write_all(request)
            .and_then(|()| input.flush())
            .map_err(failed)
    }

    fn receive(&mut self, n: usize) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; n];
        let output = self.0.stdout.as_mut().expect("piped");
        output.read_exact(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }
}

fn failed(error: std::io::Error) -> String {
    format!("the program that runs instructions: {error}")
}

fn random_bytes(algebra: &mut Algebra, random: &mut Random, kind: Kind, n: usize) -> Vec<Byte> {
    let palette = palette(algebra, random, kind);
    (0..n)
        .map(|_| match kind {
            _ if random.below(4) == 0 => Byte::from(random.byte()),
            Kind::Symbols => algebra.new_byte(),
            _ => palette[random.below(palette.len() as u64) as usize],
        })
        .collect()
}

/// Bytes that a state is made of.
fn palette(algebra: &mut Algebra, random: &mut Random, kind: Kind) -> Vec<Byte> {
    const N: usize = 24;
    if kind == Kind::Constants {
        return (0..256).collect();
    }
    let pool = algebra.new_byte();
    let mut one = |i: usize| {
        let rows = std::array::from_fn(|_| random.byte() & random.byte());
        let linear = algebra.linear(rows, pool);
        let op = if i.is_multiple_of(2) {
            Op::Xor
        } else {
            Op::Add
        };
        algebra.op(op, linear, Byte::from(random.byte()))
    };
    (0..N).map(&mut one).collect()
}
