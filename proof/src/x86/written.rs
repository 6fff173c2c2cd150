// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Instructions that the library wrote. All their bytes are constants, except a number of 32 bits that an instruction
//! may have, and then the interpreter takes that as symbols: so which instructions run depends on no symbol.

use iced_x86::{ConstantOffsets, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

use crate::algebra::Byte;
use crate::machine::Result;
use crate::sums::Word;

/// The longest instruction.
pub(super) const MAX_BYTES: usize = 15;

/// The first instruction of this code, and the number in it if that has symbols.
pub(super) fn decode(at: u64, code: &[Byte]) -> Result<(Instruction, Option<Word>)> {
    let is_symbol = |byte: &Byte| *byte > 0xFF;
    // A number has the same length whatever its value.
    let constants = without_symbols(code);
    let mut decoder = Decoder::with_ip(64, &constants, at, DecoderOptions::NONE);
    let instruction = decoder.decode();
    if instruction.is_invalid() {
        return Err("no instruction".into());
    }
    let code = &code[..instruction.len()];
    if !code.iter().any(is_symbol) {
        return Ok((instruction, None));
    }
    let place = place_of_number(&instruction, &decoder.get_constant_offsets(&instruction))
        .ok_or("the code depends on a symbol")?;
    let (before, rest) = code.split_at(place);
    let (number, after) = rest.split_at(4);
    if before.iter().chain(after).any(is_symbol) {
        return Err("the code depends on a symbol".into());
    }
    Ok((instruction, Some(number.try_into().expect("4 bytes"))))
}

/// With 0 in place of symbols.
pub(super) fn without_symbols(code: &[Byte]) -> Vec<u8> {
    code.iter()
        .map(|&byte| u8::try_from(byte).unwrap_or(0))
        .collect()
}

/// Whether the interpreter can take the instruction's number as symbols: what LEA adds, or the second operand; in an
/// instruction on 32 bits, so that it is not extended.
pub fn takes_symbols(i: &Instruction) -> bool {
    let is_of_32_bits = i.op0_kind() == OpKind::Register && i.op0_register().size() == 4;
    let is_relative = matches!(i.memory_base(), Register::RIP | Register::EIP);
    let is_sum = i.mnemonic() == Mnemonic::Lea && !is_relative;
    let is_operand = i.op_count() == 2 && i.op1_kind() == OpKind::Immediate32;
    is_of_32_bits && (is_sum || is_operand)
}

fn place_of_number(i: &Instruction, offsets: &ConstantOffsets) -> Option<usize> {
    let (place, size) = if i.mnemonic() == Mnemonic::Lea {
        (offsets.displacement_offset(), offsets.displacement_size())
    } else {
        (offsets.immediate_offset(), offsets.immediate_size())
    };
    (takes_symbols(i) && size == 4).then_some(place)
}
