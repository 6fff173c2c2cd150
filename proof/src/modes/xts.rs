// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! XTS [IEEE1619, 5.3, 5.4].

use crate::algebra::Byte;

use super::Setting;
use super::bench::{Bench, CIPHERS, CONTEXT, DIRECTIONS, Direction, NONCE, Result, Spec};
use super::oracle::Bytes;
use super::pieces::{Piece, same};

/// sizeof(mf_xts)
const CONTEXT_BYTES: usize = 80;
const BLOCK: usize = 16;

/// Beyond what all modes try: around the loop of 16 blocks.
const UNITS: [usize; 5] = [255, 256, 271, 289, 527];
/// The number of a first sector, the bytes of a sector, and how many.
const SECTORS: [(u64, usize, usize); 7] = [
    (0, 16, 1),
    (u64::MAX - 1, 16, 4),
    (0x0123_4567_89AB_CDFE, 32, 3),
    (u64::MAX, 17, 2),
    (255, 31, 3),
    (1, 48, 7),
    (7, 512, 9),
];

pub fn prove(setting: &Setting) -> Result<()> {
    let mut bench = setting.bench(BLOCK);
    bench.put_space("the context", CONTEXT, CONTEXT_BYTES);
    bench.must("mf_xts_init", &[CONTEXT, CIPHERS[0], CIPHERS[1]])?;
    let context = bench.take("the context");
    let (tweak, text) = (
        bench.symbols(BLOCK),
        bench.symbols(setting.longest().max(UNITS[4])),
    );
    for direction in DIRECTIONS {
        for n in setting.lengths().chain(UNITS).filter(|&n| n >= BLOCK) {
            prove_unit(&mut bench, &context, direction, &tweak, &text[..n])
                .map_err(|error| format!("{n} bytes: {error}"))?;
        }
        for sectors in setting.some(&SECTORS) {
            prove_sectors(&mut bench, &context, direction, sectors, &text)
                .map_err(|error| format!("sectors {sectors:?}: {error}"))?;
        }
    }
    setting.done(&bench)
}

/// The product with x: the lowest bit of the first byte is the power 0. [IEEE1619, 5.2]
fn times_x(spec: &mut Spec, tweak: &[Byte]) -> Bytes {
    let bits: Vec<u32> = tweak
        .iter()
        .flat_map(|&byte| spec.algebra.bits(byte))
        .collect();
    let mut product = [&[0], &bits[..127]].concat();
    for power in [7, 2, 1, 0] {
        product[power] = spec.algebra.xor_bits(product[power], bits[127]);
    }
    let bytes = product.chunks_exact(8);
    bytes
        .map(|bits| spec.algebra.byte(bits.try_into().expect("8 bits")))
        .collect()
}

/// XTS-AES-blockEnc and its inverse, with the tweak of the block. [IEEE1619, 5.3.1, 5.4.1]
fn block(spec: &mut Spec, direction: Direction, tweak: &[Byte], block: &[Byte]) -> Bytes {
    let sum = spec.xor(block, tweak);
    let sum = spec.crypt(direction, &sum);
    spec.xor(&sum, tweak)
}

/// A data unit. [IEEE1619, 5.3.2, 5.4.2]
fn unit(spec: &mut Spec, direction: Direction, number: &[Byte], text: &[Byte]) -> Bytes {
    let mut tweaks = vec![spec.encrypt_by(1, number)];
    let blocks: Vec<&[Byte]> = text.chunks(BLOCK).collect();
    for j in 1..=blocks.len() {
        let next = times_x(spec, &tweaks[j - 1]);
        tweaks.push(next);
    }
    let rest = text.len() % BLOCK;
    let whole = if rest == 0 {
        blocks.len()
    } else {
        blocks.len() - 2
    };
    let mut output = Bytes::new();
    for j in 0..whole {
        output.extend(block(spec, direction, &tweaks[j], blocks[j]));
    }
    if rest > 0 {
        // The last whole block m - 1, and the short one m.
        let (first, second) = match direction {
            Direction::Encrypt => (whole, whole + 1),
            Direction::Decrypt => (whole + 1, whole),
        };
        let both = block(spec, direction, &tweaks[first], blocks[whole]);
        let joined = [blocks[whole + 1], &both[rest..]].concat();
        output.extend(block(spec, direction, &tweaks[second], &joined));
        output.extend_from_slice(&both[..rest]);
    }
    output
}

fn prove_unit(
    bench: &mut Bench,
    context: &[Byte],
    direction: Direction,
    tweak: &[Byte],
    text: &[Byte],
) -> Result<()> {
    let wanted = unit(&mut bench.spec(), direction, tweak, text);
    bench.put("the nonce", NONCE, tweak.to_vec(), false);
    let arguments = |out, from| vec![CONTEXT, NONCE, out, from, text.len() as u64];
    let function = format!("mf_xts_{}", direction.verb());
    prove_call(bench, context, &function, text, &wanted, arguments)
}

/// The call must not change the context.
fn prove_call(
    bench: &mut Bench,
    context: &[Byte],
    function: &str,
    text: &[Byte],
    wanted: &[Byte],
    arguments: impl Fn(u64, u64) -> Vec<u64>,
) -> Result<()> {
    for in_place in [None, Some(0)] {
        let piece = Piece {
            context_at: CONTEXT,
            context,
            input: text,
            out_bytes: text.len(),
            in_place,
        };
        let call = |bench: &mut Bench, out, from| bench.must(function, &arguments(out, from));
        let (after, output) = piece.run(bench, call)?;
        same(&output, wanted, "the output")?;
        same(&after, context, "the context")?;
    }
    Ok(())
}

fn prove_sectors(
    bench: &mut Bench,
    context: &[Byte],
    direction: Direction,
    (first, bytes, n): (u64, usize, usize),
    text: &[Byte],
) -> Result<()> {
    let text = &text[..(bytes * n).min(text.len() / bytes * bytes)];
    let mut wanted = Bytes::new();
    for (sector, i) in text.chunks_exact(bytes).zip(0..) {
        let number = (u128::from(first) + i).to_le_bytes().map(Byte::from);
        wanted.extend(unit(&mut bench.spec(), direction, &number, sector));
    }
    let function = format!("mf_xts_{}_sectors", direction.verb());
    let arguments = |out, from| vec![CONTEXT, first, bytes as u64, out, from, text.len() as u64];
    prove_call(bench, context, &function, text, &wanted, arguments)
}
