// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CTR [SP800-38A, 6.5].

use crate::algebra::Byte;

use super::Setting;
use super::bench::{Bench, CIPHERS, CONTEXT, NONCE, Result, Spec};
use super::oracle::Bytes;
use super::pieces::Stream;

/// sizeof(mf_ctr)
const CONTEXT_BYTES: usize = 96;

/// For pieces: no carry comes out of the last byte in five blocks, or one after the second.
const LAST_BYTES: [u8; 2] = [0, 254];

pub fn prove(setting: &Setting) -> Result<()> {
    for (block_bytes, counter_bytes) in [(16, 16), (16, 4), (8, 8), (8, 4)] {
        for last in setting.some(&LAST_BYTES) {
            let mut bench = setting.bench(block_bytes);
            let n = setting.longest_of(block_bytes);
            let (context, text, wanted) = begin(&mut bench, counter_bytes, last, n)?;
            let stream = stream(&text, &wanted);
            stream.prove(&mut bench, &context, setting.in_pieces(block_bytes))?;
            for n in setting.long_lengths().filter(|&each| each <= n) {
                stream.piece(&mut bench, &context, 0, n)?;
            }
            setting.done(&bench)?;
        }
        let mut bench = setting.bench(block_bytes);
        for last in setting.some(&Vec::from_iter(0..=255)) {
            let (context, text, wanted) = begin(&mut bench, counter_bytes, last, setting.bytes)?;
            for n in [1, setting.bytes] {
                stream(&text, &wanted).piece(&mut bench, &context, 0, n)?;
            }
        }
        setting.done(&bench)?;
    }
    Ok(())
}

fn stream<'s>(text: &'s [Byte], wanted: &'s [Byte]) -> Stream<'s> {
    Stream {
        function: "mf_ctr_crypt",
        cipher: None,
        context_at: CONTEXT,
        unit: 1,
        text,
        wanted,
    }
}

/// The context, a text of n bytes and what it becomes, with an initial counter block whose last byte is given.
fn begin(
    bench: &mut Bench,
    counter_bytes: usize,
    last: u8,
    n: usize,
) -> Result<(Bytes, Bytes, Bytes)> {
    let block_bytes = bench.ciphers[0].borrow().block_bytes;
    let mut initial = bench.symbols(block_bytes);
    initial[block_bytes - 1] = last.into();
    let text = bench.symbols(n);
    let wanted = ctr(&mut bench.spec(), &initial, counter_bytes, &text);
    bench.put_space("the context", CONTEXT, CONTEXT_BYTES);
    bench.put("the nonce", NONCE, initial, false);
    bench.must(
        "mf_ctr_init",
        &[CONTEXT, CIPHERS[0], NONCE, 8 * counter_bytes as u64],
    )?;
    let context = bench.take("the context");
    bench.put("the nonce", NONCE, Vec::new(), false);
    Ok((context, text, wanted))
}

/// The text plus the encrypted counter blocks.
pub fn ctr(spec: &mut Spec, initial: &[Byte], counter_bytes: usize, text: &[Byte]) -> Bytes {
    ctr_by(spec, 0, initial, counter_bytes, text)
}

/// By one of the two ciphers.
pub fn ctr_by(
    spec: &mut Spec,
    which: usize,
    initial: &[Byte],
    counter_bytes: usize,
    text: &[Byte],
) -> Bytes {
    let mut counter = initial.to_vec();
    let mut output = Vec::new();
    for block in text.chunks(initial.len()) {
        let keystream = spec.encrypt_by(which, &counter);
        output.extend(spec.xor(block, &keystream));
        counter = spec.increment(&counter, counter_bytes);
    }
    output
}
