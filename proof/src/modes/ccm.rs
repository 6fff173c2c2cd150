// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CCM [SP800-38C], with the formatting of its appendix A.

use crate::algebra::Byte;

use super::Setting;
use super::aead::{Aead, Case, Message};
use super::bench::{AAD, Bench, CIPHERS, CONTEXT, DIRECTIONS, Direction, NONCE, Result, Spec, TAG};
use super::ctr::ctr;
use super::oracle::Bytes;
use super::pieces::walk;

pub const CCM: Aead = Aead {
    name: "ccm",
    context_bytes: 208,
    is_ocb: false,
    aad_any_time: false,
    tag_lengths: &[4, 6, 8, 10, 12, 14, 16],
    define: |_, _, _| unreachable!("it takes the length of the tag"),
};

/// Bytes of associated data and text of messages in pieces: their number comes first in what is authenticated.
const TOTALS: [(usize, usize); 5] = [(20, 65), (0, 33), (33, 16), (65, 5), (1, 0)];

pub fn prove(setting: &Setting) -> Result<()> {
    let mut bench = setting.bench(16);
    bench.choose_verdicts()?;
    let message = Message::new(&mut bench, 13, setting.longest());
    for n in setting.lengths() {
        let n_aad = if n > setting.bytes { n } else { 20 };
        prove_whole(&mut bench, &message, (0, n))?;
        prove_whole(&mut bench, &message, (n_aad, n.min(20)))?;
        prove_whole(&mut bench, &message, (n, 3))?;
    }
    for nonce_bytes in 7..=12 {
        let message = Message::new(&mut bench, nonce_bytes, 20);
        prove_whole(&mut bench, &message, (3, 20))?;
    }
    for (q, n) in TOTALS {
        for direction in DIRECTIONS {
            prove_pieces(&mut bench, direction, &message, (q, n))
                .map_err(|error| format!("{direction:?}, {q} and {n} bytes in pieces: {error}"))?;
        }
    }
    setting.done(&bench)
}

/// In one call. There is no context.
fn prove_whole(bench: &mut Bench, message: &Message, (q, n): (usize, usize)) -> Result<()> {
    let parts = [&message.nonce, &message.aad[..q], &message.text[..n]];
    bench.put("the nonce", NONCE, message.nonce.clone(), false);
    bench.put("the associated data", AAD, parts[1].to_vec(), false);
    for direction in DIRECTIONS {
        for &tag_bytes in CCM.tag_lengths_for(n) {
            let (output, tag) = ccm(&mut bench.spec(), direction, parts, tag_bytes);
            let case = Case {
                direction,
                context: &[],
                text: parts[2],
                output: &output,
                tag: &tag,
                given_tag: &message.given_tag,
                held: 0,
            };
            let call = |bench: &mut Bench, status, out, from| {
                let mut arguments =
                    vec![CIPHERS[0], NONCE, message.nonce.len() as u64, AAD, q as u64];
                arguments.extend([out, from, n as u64, TAG, tag_bytes as u64]);
                bench.expect(status, &CCM.function(direction, ""), &arguments)
            };
            CCM.prove_end(bench, &case, call)
                .map_err(|error| format!("{direction:?} {q} and {n} bytes: {error}"))?;
        }
    }
    Ok(())
}

fn prove_pieces(
    bench: &mut Bench,
    direction: Direction,
    message: &Message,
    (q, n): (usize, usize),
) -> Result<()> {
    const TAG_BYTES: usize = 10;
    let (q, n) = (q.min(message.aad.len()), n.min(message.text.len()));
    let parts = [&message.nonce, &message.aad[..q], &message.text[..n]];
    let (output, tag) = ccm(&mut bench.spec(), direction, parts, TAG_BYTES);
    bench.put_space("the context", CONTEXT, CCM.context_bytes);
    bench.put("the nonce", NONCE, message.nonce.clone(), false);
    let mut arguments = vec![CONTEXT, CIPHERS[0], NONCE, message.nonce.len() as u64];
    arguments.extend([q as u64, n as u64, TAG_BYTES as u64]);
    bench.must("mf_ccm_start", &arguments)?;
    bench.put("the nonce", NONCE, Vec::new(), false);
    let started = bench.take("the context");
    let with_aad = walk(&started, q, |context, p, m| {
        Ok(vec![CCM.aad(bench, context, &message.aad[p..p + m])?])
    })?;
    let mut contexts = walk(&with_aad[q], n, |context, p, m| {
        CCM.update(bench, direction, context, message, &output, (p, m))
    })?;
    contexts.push(with_aad[q].clone()); // finish may be the first call for the text
    for (p, context) in (0..=n).chain([0]).zip(&contexts) {
        let case = Case {
            direction,
            context,
            text: &message.text[p..n],
            output: &output[p..],
            tag: &tag,
            given_tag: &message.given_tag,
            held: 0,
        };
        let call = |bench: &mut Bench, status, out, from| {
            let arguments = [CONTEXT, out, from, (n - p) as u64, TAG, TAG_BYTES as u64];
            bench.expect(status, &CCM.function(direction, "_finish"), &arguments)
        };
        CCM.prove_end(bench, &case, call)?;
    }
    Ok(())
}

/// [SP800-38C, 6.1, 6.2]
pub fn ccm(
    spec: &mut Spec,
    direction: Direction,
    [nonce, aad, text]: [&[Byte]; 3],
    tag_bytes: usize,
) -> (Bytes, Bytes) {
    let q = 15 - nonce.len();
    let counter = |i: usize| [&[q as Byte - 1], nonce, &big_endian(i, q)].concat();
    let output = ctr(spec, &counter(1), q, text);
    let plaintext = if direction == Direction::Encrypt {
        text
    } else {
        &output
    };

    let flags = 64 * Byte::from(!aad.is_empty()) + 8 * (tag_bytes as Byte - 2) / 2 + q as Byte - 1;
    let mut blocks = [&[flags], nonce, &big_endian(text.len(), q)].concat();
    if !aad.is_empty() {
        blocks.extend(big_endian(aad.len(), 2)); // below 2^16 - 2^8
        blocks.extend_from_slice(aad);
    }
    blocks.resize(blocks.len().next_multiple_of(16), 0);
    blocks.extend_from_slice(plaintext);
    blocks.resize(blocks.len().next_multiple_of(16), 0);
    let mut mac = vec![0; 16];
    for block in blocks.chunks_exact(16) {
        let sum = spec.xor(&mac, block);
        mac = spec.encrypt(&sum);
    }
    let mask = spec.encrypt(&counter(0));
    (output, spec.xor(&mac[..tag_bytes], &mask))
}

/// The lowest n bytes, the highest first.
fn big_endian(value: usize, n: usize) -> Bytes {
    let bytes = (value as u64).to_be_bytes().map(Byte::from);
    bytes[8 - n..].to_vec()
}
