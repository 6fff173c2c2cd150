// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CFB [SP800-38A, 6.3] and OFB [SP800-38A, 6.4].

use crate::algebra::{Bit, Byte};

use super::Setting;
use super::bench::{Bench, CIPHERS, CONTEXT, DIRECTIONS, Direction, NONCE, Result, Spec};
use super::oracle::Bytes;
use super::pieces::Stream;

/// sizeof(mf_cfb), sizeof(mf_ofb)
const CFB_BYTES: usize = 72;
const OFB_BYTES: usize = 64;

pub fn prove(setting: &Setting) -> Result<()> {
    for block_bytes in [16, 8] {
        for segment_bits in [8 * block_bytes, 8, 1] {
            for direction in DIRECTIONS {
                prove_segments(setting, block_bytes, segment_bits, direction)
                    .map_err(|error| format!("segments of {segment_bits} bits: {error}"))?;
            }
        }
    }
    Ok(())
}

fn prove_segments(
    setting: &Setting,
    block_bytes: usize,
    segment_bits: usize,
    direction: Direction,
) -> Result<()> {
    let mut bench = setting.bench(block_bytes);
    // A segment is a block for the cipher: short ones are many.
    let (in_pieces, longest) = match segment_bits {
        1 => (13, 145),
        8 => (20, 272),
        _ => (setting.in_pieces(block_bytes), usize::MAX),
    };
    let lengths: Vec<usize> = setting.lengths().filter(|&n| n <= longest).collect();
    let n = *lengths.last().expect("one");
    let (iv, text) = (bench.symbols(block_bytes), bench.symbols(n));
    let wanted = cfb(&mut bench.spec(), direction, segment_bits, &iv, &text);
    let init = [CONTEXT, CIPHERS[0], NONCE, segment_bits as u64];
    let context = begin(&mut bench, "mf_cfb_init", CFB_BYTES, &iv, &init)?;
    let stream = Stream {
        function: &format!("mf_cfb_{}", direction.verb()),
        cipher: None,
        context_at: CONTEXT,
        unit: 1,
        text: &text,
        wanted: &wanted,
    };
    stream.prove(&mut bench, &context, in_pieces)?;
    for n in lengths {
        stream.piece(&mut bench, &context, 0, n)?;
    }
    setting.done(&bench)
}

fn begin(bench: &mut Bench, init: &str, n: usize, iv: &[Byte], arguments: &[u64]) -> Result<Bytes> {
    bench.put_space("the context", CONTEXT, n);
    bench.put("the nonce", NONCE, iv.to_vec(), false);
    bench.must(init, arguments)?;
    bench.put("the nonce", NONCE, Vec::new(), false);
    Ok(bench.take("the context"))
}

/// The input block is the last bits of IV and ciphertext so far.
pub fn cfb(spec: &mut Spec, direction: Direction, s: usize, iv: &[Byte], text: &[Byte]) -> Bytes {
    let mut input = spec.bits(iv);
    let mut output = Vec::new();
    for segment in spec.bits(text).chunks(s) {
        let block = spec.bytes(&input);
        let keystream = spec.encrypt(&block);
        let keystream = spec.bits(&keystream);
        let sums = segment.iter().zip(&keystream);
        let result: Vec<Bit> = sums.map(|(&a, &b)| spec.algebra.xor_bits(a, b)).collect();
        input.extend(if direction == Direction::Encrypt {
            &result
        } else {
            segment
        });
        input.drain(..segment.len());
        output.extend(result);
    }
    spec.bytes(&output)
}

pub fn prove_ofb(setting: &Setting) -> Result<()> {
    for block_bytes in [16, 8] {
        let mut bench = setting.bench(block_bytes);
        let (iv, text) = (bench.symbols(block_bytes), bench.symbols(setting.longest()));
        let wanted = ofb(&mut bench.spec(), &iv, &text);
        let init = [CONTEXT, CIPHERS[0], NONCE];
        let context = begin(&mut bench, "mf_ofb_init", OFB_BYTES, &iv, &init)?;
        let stream = Stream {
            function: "mf_ofb_crypt",
            cipher: None,
            context_at: CONTEXT,
            unit: 1,
            text: &text,
            wanted: &wanted,
        };
        stream.prove(&mut bench, &context, setting.in_pieces(block_bytes))?;
        for n in setting.long_lengths() {
            stream.piece(&mut bench, &context, 0, n)?;
        }
        setting.done(&bench)?;
    }
    Ok(())
}

/// Each block of key stream is the encryption of the one before.
pub fn ofb(spec: &mut Spec, iv: &[Byte], text: &[Byte]) -> Bytes {
    let mut keystream = iv.to_vec();
    let mut output = Vec::new();
    for block in text.chunks(iv.len()) {
        keystream = spec.encrypt(&keystream);
        output.extend(spec.xor(block, &keystream));
    }
    output
}
