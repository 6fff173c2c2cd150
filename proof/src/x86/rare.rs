// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Instructions of integers that few kernels have, or only the functions around some.

use iced_x86::{Instruction, Mnemonic};

use super::X86;
use super::flags::Flags;
use crate::algebra::UNKNOWN;
use crate::integers::Kind;
use crate::machine::{Result, as_size, number, number_bytes};

const RAX: usize = 0;
const RCX: usize = 1;
const RDX: usize = 2;
const RBX: usize = 3;
const RSI: usize = 6;
const RDI: usize = 7;
/// The system saves all registers.
const XCR0: u64 = 0xE7;

impl X86<'_> {
    /// `false`: it is none of these.
    pub(super) fn rare(&mut self, i: &Instruction) -> Result<bool> {
        match i.mnemonic() {
            Mnemonic::Xadd => self.exchange_and_add(i)?,
            Mnemonic::Movsq | Mnemonic::Movsd | Mnemonic::Movsb if i.has_rep_prefix() => {
                self.copy_words(i)?
            }
            Mnemonic::Stosq | Mnemonic::Stosd | Mnemonic::Stosb if i.has_rep_prefix() => {
                self.fill(i)?
            }
            Mnemonic::Cpuid => self.describe_processor()?,
            Mnemonic::Xgetbv => self.set_words([(RAX, XCR0), (RDX, 0)]),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// CPUID of a processor that has all for which the library asks.
    fn describe_processor(&mut self) -> Result<()> {
        let leaf = number(&self.registers[RAX][..4]).ok_or("CPUID of a symbol")?;
        let [a, b, c] = match leaf {
            0 => [7, 0, 0],
            1 => [0, 0, 1 << 27 | 1 << 9 | 1 << 1],
            7 => [
                0,
                1 << 31 | 1 << 30 | 1 << 16 | 1 << 5,
                1 << 10 | 1 << 8 | 1 << 1,
            ],
            _ => return Err(format!("CPUID of leaf {leaf}")),
        };
        self.set_words([(RAX, a), (RBX, b), (RCX, c), (RDX, 0)]);
        Ok(())
    }

    fn set_words<const N: usize>(&mut self, words: [(usize, u64); N]) {
        for (register, word) in words {
            self.registers[register] = number_bytes(word);
        }
    }

    fn exchange_and_add(&mut self, i: &Instruction) -> Result<()> {
        let (a, b) = (self.operand(i, 0)?, self.operand(i, 1)?);
        let sum = self.arithmetic(Kind::Add, &a, &b);
        self.flags = Flags::of(Kind::Add, &a, &b);
        self.set_register(i.op1_register(), &a);
        self.set_operand(i, &sum)
    }

    /// Stores of a register, as many as rcx says.
    fn fill(&mut self, i: &Instruction) -> Result<()> {
        let (to, n) = (number(&self.registers[RDI]), number(&self.registers[RCX]));
        let (Some(to), Some(n)) = (to, n) else {
            return Err("a copy depends on a symbol".into());
        };
        let size = i.memory_size().size();
        let bytes = self.registers[RAX][..size].to_vec();
        for i in 0..n {
            self.store_at(to + i * size as u64, &bytes)?;
        }
        self.set_words([(RCX, 0), (RDI, to + n * size as u64)]);
        Ok(())
    }

    /// REP MOVS; by the calling convention the direction is up.
    fn copy_words(&mut self, i: &Instruction) -> Result<()> {
        let [n, to] = [RCX, RDI].map(|register| number(&self.registers[register]));
        let (Some(n), Some(to)) = (n, to) else {
            return Err("a copy depends on a symbol".into());
        };
        let from = self.registers[RSI];
        let size = i.memory_size().size() as u64;
        self.registers[RSI] = if let Some(from) = number(&from) {
            for at in (0..n).map(|word| size * word) {
                let word = self.load_at(from + at, as_size(size))?;
                self.store_at(to + at, &word)?;
            }
            number_bytes(from + size * n)
        } else {
            // Of a table that nobody writes to, so the order is no matter.
            let bytes = self.common.load(&from, as_size(size * n), i.ip())?;
            self.store_at(to, &bytes)?;
            [UNKNOWN; 8]
        };
        self.set_words([(RCX, 0), (RDI, to + size * n)]);
        Ok(())
    }
}
