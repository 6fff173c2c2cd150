// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! SIV [RFC5297].

use crate::algebra::{Byte, Op};

use super::aead::{Aead, Case};
use super::bench::{
    AAD, Bench, CIPHERS, CONTEXT, DIRECTIONS, Direction, NONCE, Result, SIZE, Spec, TAG,
};
use super::cmac::{cmac, last_block};
use super::ctr::ctr_by;
use super::oracle::Bytes;
use super::{Setting, number};

pub const SIV: Aead = Aead {
    name: "siv",
    context_bytes: 168,
    is_ocb: true, // its tag has one length, too
    aad_any_time: false,
    tag_lengths: &[16],
    define: |_, _, _| unreachable!("it takes several strings"),
};

/// The bytes of each string of associated data, and of the nonce.
const STRINGS: [(&[usize], usize); 6] = [
    (&[], 0),
    (&[], 12),
    (&[20], 0),
    (&[0], 16),
    (&[16, 1, 33], 12),
    (&[5, 0, 47], 0),
];

/// A carry comes out of the last byte of the counter after the second block.
const CARRYING: u8 = 254;

/// The lengths of texts for all strings but the second ones, which get all.
const LENGTHS: [usize; 7] = [0, 1, 15, 16, 17, 33, 65];

pub fn prove(setting: &Setting) -> Result<()> {
    let mut bench = setting.bench(16);
    bench.choose_verdicts()?;
    bench.put_space("the context", CONTEXT, SIV.context_bytes);
    bench.must("mf_siv_init", &[CONTEXT, CIPHERS[0], CIPHERS[1]])?;
    let key = bench.take("the context");
    bench.pointed_at.insert(AAD);
    for last in setting.some(&Vec::from_iter(0..=255)) {
        bench.last = last;
        let text = bench.symbols(setting.bytes);
        prove_message(&mut bench, &key, &[], 0, &text)
            .map_err(|error| format!("a last byte of {last}: {error}"))?;
    }
    bench.last = CARRYING;
    let text = bench.symbols(setting.longest());
    for (i, (aad, nonce)) in STRINGS.into_iter().enumerate() {
        let all_lengths = i == 1;
        for n in setting
            .lengths()
            .filter(|n| all_lengths || LENGTHS.contains(n))
        {
            prove_message(&mut bench, &key, aad, nonce, &text[..n])
                .map_err(|error| format!("{aad:?} {nonce} {n}: {error}"))?;
        }
    }
    setting.done(&bench)
}

fn prove_message(
    bench: &mut Bench,
    key: &[Byte],
    aad: &[usize],
    nonce_bytes: usize,
    text: &[Byte],
) -> Result<()> {
    let aad: Vec<Bytes> = aad.iter().map(|&n| bench.symbols(n)).collect();
    let nonce = bench.symbols(nonce_bytes);
    let mut given = bench.symbols(15);
    given.push(bench.last.into());
    put_strings(bench, &aad);
    bench.put("the nonce", NONCE, nonce.clone(), false);
    let mut strings = aad.clone();
    strings.extend((nonce_bytes > 0).then(|| nonce.clone()));
    for direction in DIRECTIONS {
        let (output, tag) = siv(&mut bench.spec(), direction, &strings, text, &given);
        let case = Case {
            direction,
            context: key,
            text,
            output: &output,
            tag: &tag,
            given_tag: &given,
            held: 0,
        };
        let function = format!("mf_siv_{}", direction.verb());
        let call = |bench: &mut Bench, status, out, from| {
            let n_aad = aad.len() as u64;
            let mut arguments = vec![CONTEXT, SIZE, n_aad, NONCE, nonce_bytes as u64];
            arguments.extend([out, from, text.len() as u64, TAG]);
            bench.expect(status, &function, &arguments)
        };
        SIV.prove_end(bench, &case, call)?;
    }
    Ok(())
}

/// An array of mf_siv_string.
fn put_strings(bench: &mut Bench, strings: &[Bytes]) {
    let mut array = Bytes::new();
    let mut at = AAD;
    for string in strings {
        array.extend([number(at as usize), number(string.len())].concat());
        at += string.len() as u64;
    }
    bench.put("the size", SIZE, array, false);
    bench.put("the associated data", AAD, strings.concat(), false);
}

/// The output, and V of the plaintext, which is the tag. Decryption begins with the given tag. [RFC5297, 2.6, 2.7]
pub fn siv(
    spec: &mut Spec,
    direction: Direction,
    strings: &[Bytes],
    text: &[Byte],
    given: &[Byte],
) -> (Bytes, Bytes) {
    if direction == Direction::Encrypt {
        let block = last_of_s2v(spec, strings, text);
        let last = spec.last;
        spec.ciphers[0]
            .borrow_mut()
            .suppose_last(spec.algebra, &block, last);
        let v = spec.encrypt(&block);
        return (crypt(spec, &v, text), v);
    }
    let plaintext = crypt(spec, given, text);
    let block = last_of_s2v(spec, strings, &plaintext);
    (plaintext, spec.encrypt(&block))
}

/// CTR from Q on, which is V without two bits.
fn crypt(spec: &mut Spec, v: &[Byte], text: &[Byte]) -> Bytes {
    let mut q = v.to_vec();
    for at in [8, 12] {
        q[at] = spec.algebra.op(Op::And, q[at], 0x7F);
    }
    ctr_by(spec, 1, &q, 16, text)
}

/// The block whose encryption is S2V of the strings and the text. [RFC5297, 2.4]
fn last_of_s2v(spec: &mut Spec, strings: &[Bytes], text: &[Byte]) -> Bytes {
    let mut d = cmac(spec, &[0; 16]);
    for string in strings {
        let doubled = spec.double(&d);
        let part = cmac(spec, string);
        d = spec.xor(&doubled, &part);
    }
    let t = if text.len() >= 16 {
        let (before, end) = text.split_at(text.len() - 16);
        [before, &spec.xor(end, &d)].concat()
    } else {
        let mut padded = text.to_vec();
        padded.push(0x80);
        padded.resize(16, 0);
        let doubled = spec.double(&d);
        spec.xor(&doubled, &padded)
    };
    last_block(spec, &t)
}
