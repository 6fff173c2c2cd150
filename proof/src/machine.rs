// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The common part of all interpreters of machine code: the symbols, the memory, and the functions outside the library.

use std::ops::DerefMut;

use rustc_hash::FxHashMap;

use crate::a64::{self, A64};
use crate::algebra::{Algebra, Byte};
use crate::chains::Chains;
use crate::image::{HIGH, Image, MEMCPY, MEMMOVE, MEMSET, Processor};
use crate::look_up;
use crate::memory::Memory;
use crate::products::Products;
use crate::sums::Sums;
use crate::wasm::{self, Wasm};
use crate::x86::{self, X86};

pub type Result<T> = std::result::Result<T, String>;

pub const STACK: u64 = HIGH + 0x7000_0000;
pub const STACK_BYTES: u64 = 0x8000;
/// The address to which the called function returns.
pub const RETURN: u64 = HIGH + 0x0DEA_D000;
/// More instructions than any call takes: a loop without end ends there.
pub const MAX_STEPS: u64 = 1_000_000;

/// An argument of a function, as bytes of which the lowest come first.
pub type Argument = [Byte; 8];

/// A processor that runs the code of a library on symbols.
pub trait Machine<'a>: DerefMut<Target = Common> {
    /// Puts the constants of the library into memory.
    fn load_image(&mut self);

    /// Takes other code in place of that so far.
    fn replace_image(&mut self, image: &'a Image);

    /// Calls a function with arguments in registers, on a stack of unknown bytes.
    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<()>;

    /// The result of the called function, of which the lowest bytes are those of its type.
    fn result(&self) -> [Byte; 8];

    /// The instructions that ran: their addresses and bytes.
    fn places(&self) -> Vec<(u64, usize)>;

    /// The bytes of each instruction that ran in code that the library wrote; in place of symbols they are 0.
    fn written(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }
}

/// The machine that the library was compiled for.
pub fn new<'a>(image: &'a Image) -> Box<dyn Machine<'a> + 'a> {
    match image.processor {
        Processor::X86 => Box::new(X86::new(image)),
        Processor::A64 => Box::new(A64::new(image)),
        Processor::Wasm => Box::new(Wasm::new(image)),
    }
}

/// Whether a processor would begin to run the code: an engine checks a module of WebAssembly before.
pub fn is_valid(image: &Image) -> bool {
    image.processor != Processor::Wasm || wasm::module::Module::of(image).is_ok()
}

/// The instruction at an address as text.
pub fn text(image: &Image, at: u64) -> String {
    match image.processor {
        Processor::X86 => x86::text(image, at),
        Processor::A64 => a64::text(image, at),
        Processor::Wasm => wasm::text(image, at),
    }
}

/// The stack as far as code may touch it: memory below changes at any time.
#[derive(Clone, Copy)]
pub struct Stack {
    /// `None`: the stack pointer depends on a symbol.
    pub lowest: Option<u64>,
    pub n_bytes: u64,
}

impl Stack {
    /// An address elsewhere passes, too.
    pub fn check(self, address: u64) -> Result<()> {
        let on_stack = (STACK..STACK + self.n_bytes).contains(&address);
        if on_stack && self.lowest.is_none_or(|lowest| address < lowest) {
            Err(format!("{address:#x} is below the stack"))
        } else {
            Ok(())
        }
    }
}

/// At a call the stack pointer is a multiple of 16. [AMD64-ABI, 3.2.2] [AAPCS64]
pub fn check_stack_at_call(pointer: &[Byte]) -> Result<()> {
    if number(pointer).is_some_and(|pointer| pointer.is_multiple_of(16)) {
        Ok(())
    } else {
        Err("the stack pointer is no multiple of 16 at a call".into())
    }
}

/// A function outside the library: it gets the first six arguments, and gives its result.
pub type Outside = Box<dyn FnMut(&mut Common, &[Argument; 6]) -> Result<u64>>;

pub struct Common {
    pub algebra: Algebra,
    pub sums: Sums,
    pub products: Products,
    pub memory: Memory,
    pub steps: u64,
    pub max_steps: u64,
    /// Look-ups in shared tables.
    pub chains: Chains,
    /// Where an address depended on a symbol.
    pub look_ups: Vec<u64>,
    stacks: FxHashMap<u64, Vec<Byte>>,
    pub stack_bytes: u64,
    pub sums_of_tables: look_up::Memo,
    /// Functions outside the library by their addresses.
    pub outside: FxHashMap<u64, Outside>,
}

impl Default for Common {
    fn default() -> Self {
        let mut outside = FxHashMap::<u64, Outside>::default();
        outside.insert(MEMCPY, Box::new(copy_apart));
        outside.insert(MEMMOVE, Box::new(copy));
        outside.insert(MEMSET, Box::new(fill));
        Self {
            algebra: Algebra::new(),
            sums: Sums::default(),
            products: Products::default(),
            memory: Memory::default(),
            steps: 0,
            max_steps: MAX_STEPS,
            chains: Chains::default(),
            look_ups: Vec::new(),
            stacks: FxHashMap::default(),
            stack_bytes: STACK_BYTES,
            sums_of_tables: look_up::Memo::default(),
            outside,
        }
    }
}

impl Common {
    /// Puts a stack into memory, at its lowest address; nothing is known of it. In bit slices a mask may keep some bits of a
    /// byte that was not written yet, so there its bytes are symbols, others for each function.
    pub fn put_stack(&mut self, at: u64, function: u64) {
        let n = as_size(self.stack_bytes);
        let bytes = if self.algebra.bit_slices {
            let algebra = &mut self.algebra;
            let symbols = || (0..n).map(|_| algebra.new_byte()).collect();
            self.stacks.entry(function).or_insert_with(symbols).clone()
        } else {
            Memory::unknown(n)
        };
        self.memory.put("the stack", at, bytes, true);
    }

    /// Puts the constants of the library into memory.
    pub fn load_image(&mut self, image: &Image) {
        for section in &image.sections {
            let bytes = Memory::constants(&section.bytes);
            self.memory.put(&section.name, section.start, bytes, false);
        }
    }

    /// The result of the function outside the library at an address; `None`: there is none.
    pub fn call_outside(&mut self, at: u64, arguments: &[Argument; 6]) -> Result<Option<u64>> {
        let Some(mut function) = self.outside.remove(&at) else {
            return Ok(None);
        };
        let result = function(self, arguments);
        self.outside.insert(at, function);
        result.map(Some)
    }

    /// The `n` bytes at an address, which may depend on symbols; the place in the code is where that is noted.
    pub fn load(&mut self, address: &[Byte], n: usize, place: u64) -> Result<Vec<Byte>> {
        if let Some(address) = number(address) {
            return Ok(self.memory.load(address, n)?.to_vec());
        }
        self.look_ups.push(place);
        self.in_chain(0, &[(address.to_vec(), 1)], n)
            .ok_or_else(|| "the address depends on a symbol".into())
    }

    /// The `n` bytes of a table that is a chain, at a displacement and numbers, each with a factor.
    pub fn in_chain(
        &mut self,
        displacement: u64,
        numbers: &[(Vec<Byte>, u64)],
        n: usize,
    ) -> Option<Vec<Byte>> {
        let (algebra, memory) = (&mut self.algebra, &mut self.memory);
        self.chains
            .look_up(algebra, memory, displacement, numbers, n)
    }
}

/// memcpy. Compilers call it for a = b where a may be b, and rely on what that does in every C library. An address that
/// depends on a symbol is one of constants, to which nothing is copied.
fn copy_apart(common: &mut Common, arguments: &[Argument; 6]) -> Result<u64> {
    if let [Some(to), Some(from), Some(n)] = [0, 1, 2].map(|i| number(&arguments[i]))
        && to != from
        && to.abs_diff(from) < n
    {
        return Err(format!(
            "memcpy of {n} bytes from {from:#x} to {to:#x} overlaps"
        ));
    }
    copy(common, arguments)
}

/// memmove.
fn copy(common: &mut Common, arguments: &[Argument; 6]) -> Result<u64> {
    let [to, n] = [0, 2].map(|i| number(&arguments[i]));
    let (Some(to), Some(n)) = (to, n) else {
        return Err("a copy depends on a symbol".into());
    };
    if n == 0 {
        return Ok(to); // the addresses may be any
    }
    let bytes = common.load(&arguments[1], as_size(n), MEMCPY)?;
    common.memory.store(to, &bytes)?;
    Ok(to)
}

/// memset.
fn fill(common: &mut Common, arguments: &[Argument; 6]) -> Result<u64> {
    let (Some(to), Some(n)) = (number(&arguments[0]), number(&arguments[2])) else {
        return Err("a copy depends on a symbol".into());
    };
    if n == 0 {
        return Ok(to);
    }
    let byte = [arguments[1][0]];
    (0..n).try_for_each(|i| common.memory.store(to + i, &byte))?;
    Ok(to)
}

pub fn as_size(n: u64) -> usize {
    usize::try_from(n).expect("64 bits")
}

pub fn number_bytes(value: u64) -> [Byte; 8] {
    value.to_le_bytes().map(Byte::from)
}

/// `None`: it depends on a symbol.
pub fn number(bytes: &[Byte]) -> Option<u64> {
    bytes.iter().rev().try_fold(0, |number, &byte| {
        (byte < 256).then(|| number << 8 | u64::from(byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUFFER: u64 = 0x100;

    /// Copies 8 of 16 bytes to another place.
    fn result(function: u64, to: u64, from: u64) -> Result<Option<u64>> {
        let mut common = Common::default();
        common.memory.put("a buffer", BUFFER, vec![0; 16], true);
        let numbers = [BUFFER + to, BUFFER + from, 8, 0, 0, 0];
        common.call_outside(function, &numbers.map(number_bytes))
    }

    #[test]
    fn memcpy_must_not_overlap_and_memmove_may() {
        for (to, from) in [(0, 7), (7, 0)] {
            assert!(result(MEMCPY, to, from).is_err());
            assert_eq!(result(MEMMOVE, to, from), Ok(Some(BUFFER + to)));
        }
        for (to, from) in [(0, 8), (8, 0), (4, 4)] {
            assert_eq!(result(MEMCPY, to, from), Ok(Some(BUFFER + to)));
        }
    }

    #[test]
    fn only_the_stack_has_a_lowest_byte() {
        let stack = |lowest| Stack {
            lowest,
            n_bytes: STACK_BYTES,
        };
        let lowest = STACK + 64;
        assert!(stack(Some(lowest)).check(lowest - 1).is_err());
        assert!(stack(None).check(lowest).is_err());
        for address in [lowest, STACK - 1, STACK + STACK_BYTES] {
            assert_eq!(stack(Some(lowest)).check(address), Ok(()));
        }
    }
}
