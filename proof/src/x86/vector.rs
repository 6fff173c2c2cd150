// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Instructions of vectors and mask registers.

use iced_x86::{ConditionCode, EncodingKind, Instruction, Mnemonic as M, OpKind, Register};

use super::X86;
use super::flags::Flags;
use crate::algebra::{Byte, LookUp, Op, UNKNOWN};
use crate::integers::{Kind, Shift};
use crate::machine::{Result, number, number_bytes};
use crate::sums::Word;

type Vector = [Byte; 64];
const ZERO: Vector = [0; 64];

impl X86<'_> {
    /// `false`: it is none of these.
    pub(super) fn vector(&mut self, i: &Instruction) -> Result<bool> {
        if i.mnemonic() == M::Vzeroupper {
            self.vectors
                .iter_mut()
                .take(16)
                .for_each(|vector| vector[16..].fill(0));
            return Ok(true);
        }
        if self.mask_instruction(i)? {
            return Ok(true);
        }
        let Some((result, element)) = self.vector_result(i)? else {
            return Ok(false);
        };
        self.put(i, result, element)?;
        Ok(true)
    }

    // --- operands --------------------------------------------------------------------------------------------------

    /// Bytes of the vectors that the instruction works on.
    fn width(i: &Instruction) -> usize {
        (0..i.op_count())
            .filter(|&which| {
                i.op_kind(which) == OpKind::Register && i.op_register(which).is_vector_register()
            })
            .map(|which| i.op_register(which).size())
            .max()
            .unwrap_or(16)
    }

    /// An operand, filled up with zeros.
    fn source(&mut self, i: &Instruction, which: u32) -> Result<Vector> {
        let mut vector = ZERO;
        match i.op_kind(which) {
            OpKind::Register if i.op_register(which).is_vector_register() => {
                let register = i.op_register(which);
                let whole = &self.vectors[register.number()];
                vector[..register.size()].copy_from_slice(&whole[..register.size()]);
            }
            OpKind::Register => {
                let bytes = self.register(i.op_register(which));
                vector[..bytes.len()].copy_from_slice(&bytes);
            }
            OpKind::Memory if i.is_broadcast() => {
                let n = i.memory_size().element_size();
                let element = self.load(i, n)?;
                vector
                    .chunks_exact_mut(n)
                    .for_each(|each| each.copy_from_slice(&element));
            }
            OpKind::Memory => {
                let bytes = self.load(i, i.memory_size().size())?;
                vector[..bytes.len()].copy_from_slice(&bytes);
            }
            _ => return Err("an operand of an unknown kind".into()),
        }
        Ok(vector)
    }

    /// The number of operands that are no immediate.
    fn n_sources(i: &Instruction) -> u32 {
        (0..i.op_count())
            .filter(|&which| matches!(i.op_kind(which), OpKind::Register | OpKind::Memory))
            .count()
            .try_into()
            .expect("few")
    }

    fn last(&mut self, i: &Instruction) -> Result<Vector> {
        self.source(i, Self::n_sources(i) - 1)
    }

    /// Both operands; with two in all the first is the result, too.
    fn both(&mut self, i: &Instruction) -> Result<(Vector, Vector)> {
        let first = u32::from(Self::n_sources(i) > 2);
        Ok((self.source(i, first)?, self.source(i, first + 1)?))
    }

    fn put(&mut self, i: &Instruction, mut result: Vector, element: usize) -> Result<()> {
        let width = Self::width(i);
        if i.op0_kind() == OpKind::Memory {
            return self.put_in_memory(i, &result, element);
        }
        let register = i.op0_register();
        if !register.is_vector_register() {
            self.set_register(register, &result);
            return Ok(());
        }
        // A blend has used its mask already.
        if i.op_mask() != Register::None && i.mnemonic() != M::Vpblendmb {
            let mask = self.masks[i.op_mask().number()];
            let old = self.vectors[register.number()];
            for at in 0..width {
                let other = if i.zeroing_masking() { 0 } else { old[at] };
                result[at] = self.algebra.select(mask[at / element], result[at], other);
            }
        }
        let end = if i.code().encoding() == EncodingKind::Legacy {
            16
        } else {
            64
        };
        result[width..].fill(0);
        self.vectors[register.number()][..end].copy_from_slice(&result[..end]);
        Ok(())
    }

    fn put_in_memory(&mut self, i: &Instruction, result: &Vector, element: usize) -> Result<()> {
        let n = i.memory_size().size();
        if i.op_mask() == Register::None {
            return self.store(i, &result[..n]);
        }
        let address = self
            .address(i)
            .ok_or("the address of a write depends on a symbol")?;
        for at in self.elements_to_touch(i, n / element)? {
            let bytes = &result[at * element..(at + 1) * element];
            self.store_at(address + (at * element) as u64, bytes)?;
        }
        Ok(())
    }

    /// Which of n elements in memory a mask lets an instruction touch.
    fn elements_to_touch(&self, i: &Instruction, n: usize) -> Result<Vec<usize>> {
        let mask = &self.masks[i.op_mask().number()][..n];
        if mask.iter().any(|&each| each != 0 && each != 0xFF) {
            return Err("which bytes are touched depends on a symbol".into());
        }
        Ok((0..n).filter(|&at| mask[at] == 0xFF).collect())
    }

    /// A move; a masked one touches only what the mask has.
    fn moved(&mut self, i: &Instruction, element: usize) -> Result<Vector> {
        let which = Self::n_sources(i) - 1;
        if i.op_kind(which) != OpKind::Memory || i.op_mask() == Register::None {
            return self.source(i, which);
        }
        let address = self.address(i).ok_or("an address depends on a symbol")?;
        let mut vector = ZERO;
        for at in self.elements_to_touch(i, i.memory_size().size() / element)? {
            let bytes = self.load_at(address + (at * element) as u64, element)?;
            vector[at * element..(at + 1) * element].copy_from_slice(&bytes);
        }
        Ok(vector)
    }

    // --- results ---------------------------------------------------------------------------------------------------

    /// The result and the bytes of an element, which masks count; `None`: another instruction.
    fn vector_result(&mut self, i: &Instruction) -> Result<Option<(Vector, usize)>> {
        let byte = |vector| Ok(Some((vector, 1)));
        let word = |vector| Ok(Some((vector, 4)));
        let long = |vector| Ok(Some((vector, 8)));
        match i.mnemonic() {
            M::Movdqa | M::Movdqu | M::Movaps | M::Movups | M::Movapd | M::Movupd | M::Lddqu => {
                byte(self.moved(i, 1)?)
            }
            M::Vmovdqa | M::Vmovdqu | M::Vmovaps | M::Vmovups | M::Vmovapd | M::Vmovupd => {
                byte(self.moved(i, 4)?)
            }
            M::Vmovdqu8 => byte(self.moved(i, 1)?),
            M::Vmovdqu32 | M::Vmovdqa32 => word(self.moved(i, 4)?),
            M::Vmovdqu64 | M::Vmovdqa64 => long(self.moved(i, 8)?),
            M::Movd | M::Vmovd | M::Movq | M::Vmovq => byte(self.moved_low(i)?),
            M::Movss | M::Vmovss => word(self.moved_scalar(i, 4)?),
            M::Movsd | M::Vmovsd => long(self.moved_scalar(i, 8)?),
            M::Movlps | M::Movhps | M::Movlhps | M::Movhlps | M::Vmovlhps | M::Vmovhlps => {
                byte(self.moved_half(i)?)
            }
            M::Pxor | M::Vpxor | M::Xorps | M::Vxorps | M::Xorpd | M::Vxorpd | M::Vpxord => {
                word(self.bytewise(i, Op::Xor)?)
            }
            M::Vpxorq => long(self.bytewise(i, Op::Xor)?),
            M::Pand | M::Vpand | M::Andps | M::Vandps | M::Vpandd => {
                word(self.bytewise(i, Op::And)?)
            }
            M::Vpandq => long(self.bytewise(i, Op::And)?),
            M::Por | M::Vpor | M::Orps | M::Vorps | M::Vpord => word(self.bytewise(i, Op::Or)?),
            M::Vporq => long(self.bytewise(i, Op::Or)?),
            M::Pandn | M::Vpandn | M::Andnps | M::Vandnps | M::Vpandnd => {
                word(self.bytewise(i, Op::AndNot)?)
            }
            M::Vpandnq => long(self.bytewise(i, Op::AndNot)?),
            M::Paddb | M::Vpaddb => byte(self.bytewise(i, Op::Add)?),
            M::Psubb | M::Vpsubb => byte(self.bytewise(i, Op::Sub)?),
            M::Paddusb | M::Vpaddusb => byte(self.bytewise(i, Op::AddSaturating)?),
            M::Psubusb | M::Vpsubusb => byte(self.bytewise(i, Op::SubSaturating)?),
            M::Pminub | M::Vpminub => byte(self.bytewise(i, Op::Min)?),
            M::Pcmpeqb | M::Vpcmpeqb if !i.op0_register().is_k() => {
                byte(self.bytewise(i, Op::Equal)?)
            }
            M::Pcmpgtb | M::Vpcmpgtb if !i.op0_register().is_k() => {
                byte(self.bytewise(i, Op::Greater)?)
            }
            M::Pcmpeqd | M::Vpcmpeqd if same_register(i) => byte([0xFF; 64]),
            M::Paddd | M::Vpaddd => word(self.add_words(i)?),
            M::Pcmpgtd | M::Vpcmpgtd if !i.op0_register().is_k() => word(self.greater_words(i)?),
            M::Psubq | M::Vpsubq => long(self.arithmetic_each(i, Kind::Sub, 8)?),
            M::Paddq | M::Vpaddq => long(self.arithmetic_each(i, Kind::Add, 8)?),
            M::Psubd | M::Vpsubd => word(self.arithmetic_each(i, Kind::Sub, 4)?),
            M::Pclmulqdq | M::Vpclmulqdq => byte(self.carryless(i)?),
            M::Pmuludq | M::Vpmuludq => long(self.multiply_longs(i)?),
            M::Packuswb | M::Vpackuswb => byte(self.packed(i)?),
            M::Vpternlogd => word(self.ternary(i)?),
            M::Vpternlogq => long(self.ternary(i)?),
            M::Psrld
            | M::Vpsrld
            | M::Pslld
            | M::Vpslld
            | M::Psrad
            | M::Vpsrad
            | M::Vprold
            | M::Vprord => word(self.shift_each(i, 4)?),
            M::Psrlw | M::Vpsrlw | M::Psllw | M::Vpsllw => Ok(Some((self.shift_each(i, 2)?, 2))),
            M::Psrlq | M::Vpsrlq | M::Psllq | M::Vpsllq | M::Vprolq | M::Vprorq => {
                long(self.shift_each(i, 8)?)
            }
            M::Vprolvd | M::Vprorvd | M::Vpsllvd | M::Vpsrlvd => {
                word(self.shift_each_by_its_own(i)?)
            }
            M::Pslldq | M::Vpslldq | M::Psrldq | M::Vpsrldq | M::Palignr | M::Vpalignr => {
                byte(self.shift_lanes(i)?)
            }
            M::Gf2p8affineqb | M::Vgf2p8affineqb => byte(self.affine(i)?),
            M::Pshufb | M::Vpshufb => byte(self.shuffle_bytes(i)?),
            M::Vpermb | M::Vpermt2b | M::Vpermi2b => byte(self.permute_bytes(i)?),
            M::Vpermd | M::Vpermi2d | M::Vpermt2d => word(self.permute_elements(i, 4)?),
            M::Vpermq | M::Vpermi2q | M::Vpermt2q if !imm_only(i) => {
                long(self.permute_elements(i, 8)?)
            }
            M::Pblendvb | M::Vpblendvb => byte(self.blend_by_vector(i)?),
            M::Vpblendmb => byte(self.blend_by_mask(i)?),
            _ => Ok(self.rearranged(i)?),
        }
    }

    /// Movd and movq: the lowest 4 or 8 bytes.
    fn moved_low(&mut self, i: &Instruction) -> Result<Vector> {
        let n =
            if matches!(i.mnemonic(), M::Movd | M::Vmovd) && !(0..2).any(|which| is_64(i, which)) {
                4
            } else {
                8
            };
        let mut vector = self.last(i)?;
        vector[n..].fill(0);
        Ok(vector)
    }

    /// The lowest n bytes; from one register to another the others stay.
    fn moved_scalar(&mut self, i: &Instruction, n: usize) -> Result<Vector> {
        if (0..i.op_count()).any(|which| i.op_kind(which) == OpKind::Memory) {
            let mut vector = self.last(i)?;
            vector[n..].fill(0);
            return Ok(vector);
        }
        let (mut a, b) = self.both(i)?;
        a[..n].copy_from_slice(&b[..n]);
        Ok(a)
    }

    fn moved_half(&mut self, i: &Instruction) -> Result<Vector> {
        if i.op0_kind() == OpKind::Memory {
            let mut vector = self.last(i)?;
            if i.mnemonic() == M::Movhps {
                vector.copy_within(8..16, 0);
            }
            return Ok(vector);
        }
        let (mut a, b) = self.both(i)?;
        match i.mnemonic() {
            M::Movlps => a[..8].copy_from_slice(&b[..8]),
            M::Movhlps | M::Vmovhlps => a[..8].copy_from_slice(&b[8..16]),
            _ => a[8..16].copy_from_slice(&b[..8]),
        }
        Ok(a)
    }

    fn bytewise(&mut self, i: &Instruction, op: Op) -> Result<Vector> {
        if same_register(i) {
            match op {
                Op::Xor | Op::Sub | Op::Greater | Op::AndNot => return Ok(ZERO),
                Op::Equal => return Ok([0xFF; 64]),
                _ => {}
            }
        }
        let (mut a, b) = self.both(i)?;
        for at in 0..Self::width(i) {
            a[at] = self.algebra.op(op, a[at], b[at]);
        }
        Ok(a)
    }

    fn add_words(&mut self, i: &Instruction) -> Result<Vector> {
        let (mut a, b) = self.both(i)?;
        for at in (0..Self::width(i)).step_by(4) {
            let sum =
                self.common
                    .sums
                    .add(&mut self.common.algebra, word_at(&a, at), word_at(&b, at));
            a[at..at + 4].copy_from_slice(&sum);
        }
        Ok(a)
    }

    /// Whether signed words are greater; compilers spread the sign of a word as 0 > word.
    fn greater_words(&mut self, i: &Instruction) -> Result<Vector> {
        let (mut a, b) = self.both(i)?;
        for at in (0..Self::width(i)).step_by(4) {
            let (left, right) = (&a[at..at + 4], &b[at..at + 4]);
            let greater = if number(left) == Some(0) {
                self.sign(right)
            } else {
                Flags::of(Kind::Sub, left, right).holds(&mut self.algebra, ConditionCode::g)
            };
            a[at..at + 4].fill(greater);
        }
        Ok(a)
    }

    fn arithmetic_each(&mut self, i: &Instruction, kind: Kind, n: usize) -> Result<Vector> {
        let (mut a, b) = self.both(i)?;
        for at in (0..Self::width(i)).step_by(n) {
            let result = self.arithmetic(kind, &a[at..at + n], &b[at..at + n]);
            a[at..at + n].copy_from_slice(&result);
        }
        Ok(a)
    }

    /// Bits 0 and 4 of the immediate choose the halves of each lane.
    fn carryless(&mut self, i: &Instruction) -> Result<Vector> {
        let (mut a, b) = self.both(i)?;
        let [x, y] = [0, 4].map(|bit| 8 * usize::from(i.immediate8() >> bit & 1));
        for lane in (0..Self::width(i)).step_by(16) {
            let product = self.common.products.carryless(
                &mut self.common.algebra,
                &a[lane + x..lane + x + 8],
                &b[lane + y..lane + y + 8],
            );
            a[lane..lane + 16].copy_from_slice(&product);
        }
        Ok(a)
    }

    /// Products of the lower 32 bits of words of 64.
    fn multiply_longs(&mut self, i: &Instruction) -> Result<Vector> {
        let (mut a, mut b) = self.both(i)?;
        for at in (0..Self::width(i)).step_by(8) {
            a[at + 4..at + 8].fill(0);
            b[at + 4..at + 8].fill(0);
            let product = self.arithmetic(Kind::Multiply, &a[at..at + 8], &b[at..at + 8]);
            a[at..at + 8].copy_from_slice(&product);
        }
        Ok(a)
    }

    /// Signed words of 16 bits as bytes: below 0 as 0, above 255 as 255. In each lane those of a come first.
    fn packed(&mut self, i: &Instruction) -> Result<Vector> {
        let (a, b) = self.both(i)?;
        let mut vector = ZERO;
        for (at, byte) in vector.iter_mut().enumerate().take(Self::width(i)) {
            let source = if at & 8 == 0 { &a } else { &b };
            let from = (at & !15) + 2 * (at & 7);
            *byte = self.saturated(source[from], source[from + 1]);
        }
        Ok(vector)
    }

    fn saturated(&mut self, low: Byte, high: Byte) -> Byte {
        match high {
            0 => low,
            0x80..0x100 => 0,
            1..0x80 => 0xFF,
            _ => self
                .algebra
                .map_points(&[low, high], |at| {
                    vec![match at[1] {
                        0 => at[0],
                        0x80.. => 0,
                        _ => 0xFF,
                    }]
                })
                .map_or(UNKNOWN, |bytes| bytes[0]),
        }
    }

    /// Any function of three bits: bit 4a + 2b + c of the immediate, as a choice among functions of two.
    fn ternary(&mut self, i: &Instruction) -> Result<Vector> {
        let code = i.immediate8();
        let (mut a, b, c) = (self.source(i, 0)?, self.source(i, 1)?, self.source(i, 2)?);
        for at in 0..Self::width(i) {
            a[at] = self.ternary_byte(code, [a[at], b[at], c[at]]);
        }
        Ok(a)
    }

    fn ternary_byte(&mut self, code: u8, [a, b, c]: [Byte; 3]) -> Byte {
        if code == 0xFF {
            return 0xFF;
        }
        if self.algebra.bit_slices {
            return self.algebra.ternary(code, [a, b, c]);
        }
        if code & 15 == code >> 4 {
            return self.binary_byte(code & 15, b, c);
        }
        // Where one half is the other one's complement, a is added.
        if code & 15 == !(code >> 4) & 15 {
            let rest = self.binary_byte(code & 15, b, c);
            return self.algebra.op(Op::Xor, rest, a);
        }
        // A choice by c is preferred: there the kernels have their masks.
        if [0xE4, 0xD8, 0xCA, 0xAC, 0xB8, 0xE2].contains(&code) {
            return match code {
                0xE4 => self.algebra.select(c, a, b),
                0xD8 => self.algebra.select(c, b, a),
                0xCA => self.algebra.select(a, b, c),
                0xAC => self.algebra.select(a, c, b),
                0xB8 => self.algebra.select(b, c, a),
                _ => self.algebra.select(b, a, c),
            };
        }
        if code == 0x78 {
            let both = self.algebra.op(Op::And, b, c);
            return self.algebra.op(Op::Xor, a, both);
        }
        let (with_a, without) = (
            self.binary_byte(code >> 4, b, c),
            self.binary_byte(code & 15, b, c),
        );
        self.algebra.select(a, with_a, without)
    }

    /// Bit 2b + c of the code.
    fn binary_byte(&mut self, code: u8, b: Byte, c: Byte) -> Byte {
        let not = |machine: &mut Self, x| machine.algebra.op(Op::Xor, x, 0xFF);
        match code {
            0x0 => 0,
            0xF => 0xFF,
            0xA => c,
            0xC => b,
            0x6 => self.algebra.op(Op::Xor, b, c),
            0x8 => self.algebra.op(Op::And, b, c),
            0xE => self.algebra.op(Op::Or, b, c),
            0x4 => self.algebra.op(Op::AndNot, c, b),
            0x2 => self.algebra.op(Op::AndNot, b, c),
            _ => {
                let other = self.binary_byte(!code & 15, b, c);
                not(self, other)
            }
        }
    }

    // --- shifts ----------------------------------------------------------------------------------------------------

    fn shift_each(&mut self, i: &Instruction, n: usize) -> Result<Vector> {
        let last = i.op_count() - 1;
        let mut vector = self.source(i, u32::from(i.op_count() == 3))?;
        let by = if i.op_kind(last) == OpKind::Immediate8 {
            usize::from(i.immediate8())
        } else {
            let count = self.source(i, last)?;
            usize::try_from(number(&count[..8]).ok_or("a shift depends on a symbol")?)
                .expect("64 bits")
        };
        let how = direction(i.mnemonic());
        for at in (0..Self::width(i)).step_by(n) {
            let shifted = self.shifted(&vector[at..at + n], how, bounded(how, by, n));
            vector[at..at + n].copy_from_slice(&shifted);
        }
        Ok(vector)
    }

    fn shift_each_by_its_own(&mut self, i: &Instruction) -> Result<Vector> {
        let (mut a, counts) = self.both(i)?;
        let how = direction(i.mnemonic());
        for at in (0..Self::width(i)).step_by(4) {
            let by = number(&counts[at..at + 4]).ok_or("a shift depends on a symbol")?;
            let shifted = self.shifted(
                &a[at..at + 4],
                how,
                bounded(how, usize::try_from(by).expect("32 bits"), 4),
            );
            a[at..at + 4].copy_from_slice(&shifted);
        }
        Ok(a)
    }

    /// By bytes, within lanes of 16.
    fn shift_lanes(&mut self, i: &Instruction) -> Result<Vector> {
        let by = usize::from(i.immediate8());
        let is_align = matches!(i.mnemonic(), M::Palignr | M::Vpalignr);
        let (high, low) = if is_align {
            self.both(i)?
        } else {
            (ZERO, self.source(i, u32::from(i.op_count() == 3))?)
        };
        let left = matches!(i.mnemonic(), M::Pslldq | M::Vpslldq);
        let mut vector = ZERO;
        for (at, byte) in vector.iter_mut().enumerate().take(Self::width(i)) {
            let (lane, from) = (at & !15, at & 15);
            *byte = if left {
                if from >= by { low[lane + from - by] } else { 0 }
            } else {
                match from + by {
                    n @ 0..16 => low[lane + n],
                    n @ 16..32 => high[lane + n - 16],
                    _ => 0,
                }
            };
        }
        Ok(vector)
    }

    // --- look-ups, shuffles, blends --------------------------------------------------------------------------------

    /// Bit i of a result is the parity of byte 7 - i of the matrix and the byte, and bit i of the immediate.
    fn affine(&mut self, i: &Instruction) -> Result<Vector> {
        let (mut x, matrices) = self.both(i)?;
        let constant = Byte::from(i.immediate8());
        for at in 0..Self::width(i) {
            let matrix =
                number(&matrices[at & !7..(at & !7) + 8]).ok_or("a matrix depends on a symbol")?;
            let mut rows = matrix.to_le_bytes();
            rows.reverse();
            let image = self.algebra.linear(rows, x[at]);
            x[at] = self.algebra.op(Op::Xor, image, constant);
        }
        Ok(x)
    }

    fn shuffle_bytes(&mut self, i: &Instruction) -> Result<Vector> {
        let (values, indices) = self.both(i)?;
        let mut vector = ZERO;
        for lane in (0..Self::width(i)).step_by(16) {
            let own = &values[lane..lane + 16];
            let needs_table = indices[lane..lane + 16].iter().any(|&index| index >= 256);
            let table = needs_table.then(|| self.algebra.table(own));
            for at in lane..lane + 16 {
                vector[at] = match (indices[at], table) {
                    (index @ 0..0x80, _) => own[index as usize & 15],
                    (0x80..=0xFF, _) => 0,
                    (index, table) => {
                        self.algebra
                            .look_up(table.expect("a symbol"), LookUp::LowOrZero, index)
                    }
                };
            }
        }
        Ok(vector)
    }

    /// Indices, and the one or two vectors that they choose from.
    fn permutation(&mut self, i: &Instruction) -> Result<(Vector, Vec<Byte>)> {
        let width = Self::width(i);
        let sources = [self.source(i, 0)?, self.source(i, 1)?, self.source(i, 2)?];
        Ok(match i.mnemonic() {
            M::Vpermb | M::Vpermd | M::Vpermq => (sources[1], sources[2][..width].to_vec()),
            M::Vpermt2b | M::Vpermt2d | M::Vpermt2q => (
                sources[1],
                [&sources[0][..width], &sources[2][..width]].concat(),
            ),
            _ => (
                sources[0],
                [&sources[1][..width], &sources[2][..width]].concat(),
            ),
        })
    }

    /// By indices that are constants.
    fn permute_elements(&mut self, i: &Instruction, n: usize) -> Result<Vector> {
        let (indices, values) = self.permutation(i)?;
        let mut vector = ZERO;
        for at in (0..Self::width(i)).step_by(n) {
            let index =
                number(&indices[at..at + n]).ok_or("a permutation of words depends on a symbol")?;
            let from = usize::try_from(index).expect("64 bits") % (values.len() / n) * n;
            vector[at..at + n].copy_from_slice(&values[from..from + n]);
        }
        Ok(vector)
    }

    fn permute_bytes(&mut self, i: &Instruction) -> Result<Vector> {
        let width = Self::width(i);
        let (indices, values) = self.permutation(i)?;
        let table = self.algebra.table(&values);
        let mut vector = ZERO;
        for (byte, &index) in vector.iter_mut().zip(&indices[..width]) {
            *byte = self.algebra.look_up(table, LookUp::Low, index);
        }
        Ok(vector)
    }

    fn blend_by_vector(&mut self, i: &Instruction) -> Result<Vector> {
        let is_legacy = i.mnemonic() == M::Pblendvb;
        let (a, b) = if is_legacy {
            (self.source(i, 0)?, self.source(i, 1)?)
        } else {
            (self.source(i, 1)?, self.source(i, 2)?)
        };
        let masks = if is_legacy {
            self.vectors[0]
        } else {
            self.source(i, 3)?
        };
        let mut vector = ZERO;
        for at in 0..Self::width(i) {
            let mask = self.algebra.spread(masks[at], 7);
            vector[at] = self.algebra.select(mask, b[at], a[at]);
        }
        Ok(vector)
    }

    fn blend_by_mask(&mut self, i: &Instruction) -> Result<Vector> {
        let (mut a, b) = self.both(i)?;
        let mask = self.masks[i.op_mask().number()];
        for at in 0..Self::width(i) {
            a[at] = self.algebra.select(mask[at], b[at], a[at]);
        }
        Ok(a)
    }

    /// Instructions that bring bytes to other places.
    fn rearranged(&mut self, i: &Instruction) -> Result<Option<(Vector, usize)>> {
        let width = Self::width(i);
        let unpack = |n: usize, high: bool| {
            move |at: usize| {
                let (lane, within) = (at & !15, at & 15);
                let from = lane + 8 * usize::from(high) + within / (2 * n) * n + within % n;
                (within / n % 2 == 1, from)
            }
        };
        let imm = usize::from(if i.op_kind(i.op_count() - 1) == OpKind::Immediate8 {
            i.immediate8()
        } else {
            0
        });
        let two_bits = |which: usize| imm >> (2 * which) & 3;
        Ok(match i.mnemonic() {
            M::Punpcklbw | M::Vpunpcklbw => Some((self.take_from_both(i, unpack(1, false))?, 1)),
            M::Punpckhbw | M::Vpunpckhbw => Some((self.take_from_both(i, unpack(1, true))?, 1)),
            M::Punpcklwd | M::Vpunpcklwd => Some((self.take_from_both(i, unpack(2, false))?, 2)),
            M::Punpckhwd | M::Vpunpckhwd => Some((self.take_from_both(i, unpack(2, true))?, 2)),
            M::Punpckldq | M::Vpunpckldq | M::Unpcklps | M::Vunpcklps => {
                Some((self.take_from_both(i, unpack(4, false))?, 4))
            }
            M::Punpckhdq | M::Vpunpckhdq | M::Unpckhps | M::Vunpckhps => {
                Some((self.take_from_both(i, unpack(4, true))?, 4))
            }
            M::Punpcklqdq | M::Vpunpcklqdq | M::Unpcklpd | M::Vunpcklpd => {
                Some((self.take_from_both(i, unpack(8, false))?, 8))
            }
            M::Punpckhqdq | M::Vpunpckhqdq | M::Unpckhpd | M::Vunpckhpd => {
                Some((self.take_from_both(i, unpack(8, true))?, 8))
            }
            M::Pshufd | M::Vpshufd => Some((
                self.take_from_last(i, |at| (at & !15) + 4 * two_bits(at / 4 % 4) + at % 4)?,
                4,
            )),
            M::Pshuflw | M::Vpshuflw => Some((
                self.take_from_last(i, |at| {
                    if at & 8 == 0 {
                        (at & !15) + 2 * two_bits(at / 2 % 4) + at % 2
                    } else {
                        at
                    }
                })?,
                2,
            )),
            M::Pshufhw | M::Vpshufhw => Some((
                self.take_from_last(i, |at| {
                    if at & 8 != 0 {
                        (at & !15) + 8 + 2 * two_bits(at / 2 % 4) + at % 2
                    } else {
                        at
                    }
                })?,
                2,
            )),
            M::Shufpd | M::Vshufpd => Some((
                self.take_from_both(i, |at| {
                    (at & 8 != 0, (at & !15) + 8 * (imm >> (at / 8) & 1) + at % 8)
                })?,
                8,
            )),
            M::Shufps | M::Vshufps => Some((
                self.take_from_both(i, |at| {
                    (at & 8 != 0, (at & !15) + 4 * two_bits(at / 4 % 4) + at % 4)
                })?,
                4,
            )),
            M::Vpermq | M::Vpermpd if imm_only(i) => Some((
                self.take_from_last(i, |at| (at & !31) + 8 * two_bits(at / 8 % 4) + at % 8)?,
                8,
            )),
            M::Vperm2i128 | M::Vperm2f128 => {
                let (a, b) = self.both(i)?;
                let pick = |at: usize| match imm >> (4 * (at / 16)) & 15 {
                    lane @ 0..2 => a[16 * lane + at % 16],
                    lane @ 2..4 => b[16 * (lane - 2) + at % 16],
                    _ => 0,
                };
                Some((
                    std::array::from_fn(|at| if at < width { pick(at) } else { 0 }),
                    8,
                ))
            }
            M::Vshufi32x4 | M::Vshufi64x2 if width == 64 => {
                let n = if i.mnemonic() == M::Vshufi32x4 { 4 } else { 8 };
                Some((
                    self.take_from_both(i, |at| (at >= 32, 16 * two_bits(at / 16) + at % 16))?,
                    n,
                ))
            }
            M::Vpblendd => Some((
                self.take_from_both(i, |at| (imm >> (at / 4) & 1 == 1, at))?,
                4,
            )),
            M::Pblendw | M::Vpblendw => Some((
                self.take_from_both(i, |at| (imm >> (at / 2 % 8) & 1 == 1, at))?,
                2,
            )),
            M::Blendps | M::Vblendps => Some((
                self.take_from_both(i, |at| (imm >> (at / 4) & 1 == 1, at))?,
                4,
            )),
            M::Vinserti128 | M::Vinsertf128 => Some((self.inserted(i, 16, imm)?, 4)),
            M::Vinserti32x4 | M::Vinsertf32x4 => Some((self.inserted(i, 16, imm)?, 4)),
            M::Vinserti64x4 | M::Vinsertf64x4 => Some((self.inserted(i, 32, imm)?, 8)),
            M::Pinsrb | M::Vpinsrb => Some((self.inserted(i, 1, imm)?, 1)),
            M::Pinsrw | M::Vpinsrw => Some((self.inserted(i, 2, imm)?, 2)),
            M::Pinsrd | M::Vpinsrd => Some((self.inserted(i, 4, imm)?, 4)),
            M::Pinsrq | M::Vpinsrq => Some((self.inserted(i, 8, imm)?, 8)),
            M::Vextracti128 | M::Vextractf128 | M::Vextracti32x4 | M::Vextractf32x4 => {
                Some((self.extracted(i, 16, imm)?, 4))
            }
            M::Vextracti64x4 | M::Vextractf64x4 => Some((self.extracted(i, 32, imm)?, 8)),
            M::Pextrb | M::Vpextrb => Some((self.extracted(i, 1, imm)?, 1)),
            M::Pextrw | M::Vpextrw => Some((self.extracted(i, 2, imm)?, 2)),
            M::Pextrd | M::Vpextrd => Some((self.extracted(i, 4, imm)?, 4)),
            M::Pextrq | M::Vpextrq => Some((self.extracted(i, 8, imm)?, 8)),
            M::Pmovzxbw | M::Vpmovzxbw => Some((self.widened(i, 1, 2)?, 2)),
            M::Pmovzxbd | M::Vpmovzxbd => Some((self.widened(i, 1, 4)?, 4)),
            M::Pmovzxbq | M::Vpmovzxbq => Some((self.widened(i, 1, 8)?, 8)),
            M::Pmovzxwd | M::Vpmovzxwd => Some((self.widened(i, 2, 4)?, 4)),
            M::Pmovzxdq | M::Vpmovzxdq => Some((self.widened(i, 4, 8)?, 8)),
            M::Vpmovwb => Some((self.narrowed(i, 2, 1)?, 1)),
            M::Vpmovdb => Some((self.narrowed(i, 4, 1)?, 1)),
            M::Vpmovqb => Some((self.narrowed(i, 8, 1)?, 1)),
            M::Vpmovqd => Some((self.narrowed(i, 8, 4)?, 4)),
            M::Vpbroadcastb => Some((self.take_from_last(i, |_| 0)?, 1)),
            M::Vpbroadcastw => Some((self.take_from_last(i, |at| at % 2)?, 2)),
            M::Vpbroadcastd | M::Vbroadcastss => Some((self.take_from_last(i, |at| at % 4)?, 4)),
            M::Vpbroadcastq | M::Vbroadcastsd | M::Movddup | M::Vmovddup => {
                Some((self.take_from_last(i, |at| at % 8)?, 8))
            }
            M::Vbroadcasti128 | M::Vbroadcastf128 | M::Vbroadcasti32x4 | M::Vbroadcastf32x4 => {
                Some((self.take_from_last(i, |at| at % 16)?, 4))
            }
            M::Vbroadcasti64x4 | M::Vbroadcastf64x4 => {
                Some((self.take_from_last(i, |at| at % 32)?, 8))
            }
            _ => None,
        })
    }

    fn take_from_last(&mut self, i: &Instruction, from: impl Fn(usize) -> usize) -> Result<Vector> {
        let source = self.last(i)?;
        Ok(std::array::from_fn(|at| source[from(at) & 63]))
    }

    /// `from` says whether a byte is of the second operand, and which.
    fn take_from_both(
        &mut self,
        i: &Instruction,
        from: impl Fn(usize) -> (bool, usize),
    ) -> Result<Vector> {
        let (a, b) = self.both(i)?;
        Ok(std::array::from_fn(|at| {
            let (second, at) = from(at);
            if second { b[at & 63] } else { a[at & 63] }
        }))
    }

    /// Elements of `from` bytes, with zeros above, as elements of `to` bytes.
    fn widened(&mut self, i: &Instruction, from: usize, to: usize) -> Result<Vector> {
        let source = self.last(i)?;
        Ok(std::array::from_fn(|at| {
            if at % to < from {
                source[at / to * from + at % to]
            } else {
                0
            }
        }))
    }

    /// The lowest `to` bytes of elements of `from` bytes.
    fn narrowed(&mut self, i: &Instruction, from: usize, to: usize) -> Result<Vector> {
        let source = self.last(i)?;
        let n = i.op1_register().size() / from * to;
        Ok(std::array::from_fn(|at| {
            if at < n {
                source[at / to * from + at % to]
            } else {
                0
            }
        }))
    }

    fn inserted(&mut self, i: &Instruction, n: usize, at: usize) -> Result<Vector> {
        let (mut vector, part) = self.both(i)?;
        let at = at % (Self::width(i) / n) * n;
        vector[at..at + n].copy_from_slice(&part[..n]);
        Ok(vector)
    }

    fn extracted(&mut self, i: &Instruction, n: usize, at: usize) -> Result<Vector> {
        let mut source = self.source(i, 1)?;
        let at = at % (i.op1_register().size() / n) * n;
        source.copy_within(at..at + n, 0);
        source[n..].fill(0);
        Ok(source)
    }

    // --- mask registers --------------------------------------------------------------------------------------------

    fn mask_instruction(&mut self, i: &Instruction) -> Result<bool> {
        let into_mask = i.op0_kind() == OpKind::Register && i.op0_register().is_k();
        match i.mnemonic() {
            M::Kmovb | M::Kmovw | M::Kmovd | M::Kmovq => {
                let n_bits = match i.mnemonic() {
                    M::Kmovb => 8,
                    M::Kmovw => 16,
                    M::Kmovd => 32,
                    _ => 64,
                };
                self.move_mask(i, n_bits)?;
            }
            M::Vpmovb2m => {
                let source = self.source(i, 1)?;
                let mut mask = [0; 64];
                for at in 0..Self::width(i) {
                    mask[at] = self.algebra.spread(source[at], 7);
                }
                self.masks[i.op0_register().number()] = mask;
            }
            M::Kxnorq | M::Kxnord | M::Kxnorw if i.op1_register() == i.op2_register() => {
                let n_bits = if i.mnemonic() == M::Kxnorq {
                    64
                } else if i.mnemonic() == M::Kxnord {
                    32
                } else {
                    16
                };
                self.masks[i.op0_register().number()] =
                    std::array::from_fn(|at| if at < n_bits { 0xFF } else { 0 });
            }
            _ if into_mask => return Err("the interpreter lacks this instruction".into()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn move_mask(&mut self, i: &Instruction, n_bits: usize) -> Result<()> {
        let source: Vector = if i.op1_kind() == OpKind::Register && i.op1_register().is_k() {
            self.masks[i.op1_register().number()]
        } else {
            let bytes = self.operand(i, 1)?;
            let mut mask = ZERO;
            for at in 0..n_bits {
                mask[at] = if bytes[at / 8] == UNKNOWN {
                    UNKNOWN
                } else {
                    self.algebra.spread(bytes[at / 8], at % 8)
                };
            }
            mask
        };
        if i.op0_kind() == OpKind::Register && i.op0_register().is_k() {
            self.masks[i.op0_register().number()] =
                std::array::from_fn(|at| if at < n_bits { source[at] } else { 0 });
            return Ok(());
        }
        let value = (0..n_bits).try_fold(0_u64, |value, at| match source[at] {
            0 => Some(value),
            0xFF => Some(value | 1 << at),
            _ => None,
        });
        let bytes = value.map_or([UNKNOWN; 8], number_bytes);
        match i.op0_kind() {
            OpKind::Memory => self.store(i, &bytes[..n_bits / 8]),
            _ => {
                self.set_register(i.op0_register(), &bytes);
                Ok(())
            }
        }
    }
}

/// Both operands are the same register: what the result does not depend on need not be known.
fn same_register(i: &Instruction) -> bool {
    let n = i.op_count();
    i.op_kind(n - 1) == OpKind::Register
        && i.op_kind(n - 2) == OpKind::Register
        && i.op_register(n - 1) == i.op_register(n - 2)
}

fn is_64(i: &Instruction, which: u32) -> bool {
    match i.op_kind(which) {
        OpKind::Register => i.op_register(which).size() == 8,
        _ => i.memory_size().size() == 8,
    }
}

fn imm_only(i: &Instruction) -> bool {
    i.op_kind(2) == OpKind::Immediate8
}

fn word_at(vector: &Vector, at: usize) -> Word {
    std::array::from_fn(|i| vector[at + i])
}

/// The operation of the instruction on each element.
fn direction(mnemonic: M) -> Shift {
    match mnemonic {
        M::Psrld | M::Vpsrld | M::Psrlw | M::Vpsrlw | M::Psrlq | M::Vpsrlq | M::Vpsrlvd => {
            Shift::Right
        }
        M::Psrad | M::Vpsrad => Shift::RightSigned,
        M::Vprold | M::Vprolq | M::Vprolvd => Shift::RotateLeft,
        M::Vprord | M::Vprorq | M::Vprorvd => Shift::RotateRight,
        _ => Shift::Left,
    }
}

/// Rotations count modulo the bits; shifts by more give what shifts by all of them give.
fn bounded(how: Shift, by: usize, n_bytes: usize) -> usize {
    if how.is_rotation() {
        by % (8 * n_bytes)
    } else {
        by.min(8 * n_bytes)
    }
}
