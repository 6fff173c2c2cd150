// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! GCM [SP800-38D], with any function in place of the multiplication by H; `ghash.rs` has that.

use crate::algebra::Byte;

use super::Setting;
use super::aead::{Aead, Message};
use super::bench::{Direction, Result, Spec};
use super::ctr::ctr;
use super::oracle::Bytes;

pub const GCM: Aead = Aead {
    name: "gcm",
    context_bytes: 728,
    is_ocb: false,
    aad_any_time: false,
    tag_lengths: &[4, 8, 12, 13, 14, 15, 16],
    define: gcm,
};

pub fn prove(setting: &Setting) -> Result<()> {
    let mut bench = setting.bench(16);
    bench.choose_verdicts()?;
    bench.choose_hash()?;
    let key = GCM.init(&mut bench)?;
    prove_usual(setting, &mut bench, &key)?;
    // Other lengths of the IV: J0 is a hash, and of that the last byte is one of all.
    for last in setting.some(&Vec::from_iter(0..=255)) {
        bench.last = last;
        for iv_bytes in if last == 0 {
            vec![1, 8, 11, 13, 16, 17, 60]
        } else {
            vec![16]
        } {
            let message = Message::new(&mut bench, iv_bytes, setting.bytes);
            GCM.prove_whole(&mut bench, &key, &message, (0, setting.bytes))?;
        }
    }
    setting.done(&bench)
}

/// IVs of 12 bytes.
fn prove_usual(setting: &Setting, bench: &mut super::bench::Bench, key: &[Byte]) -> Result<()> {
    let message = Message::new(bench, 12, setting.longest());
    for n in setting.lengths() {
        let n_aad = if n > setting.bytes { n } else { 20 };
        GCM.prove_whole(bench, key, &message, (0, n))?;
        GCM.prove_whole(bench, key, &message, (n_aad, n.min(20)))?;
    }
    GCM.prove_pieces(setting.in_pieces(16), bench, key, &message)
}

/// [SP800-38D, 7.1, 7.2]
fn gcm(spec: &mut Spec, direction: Direction, [iv, aad, text]: [&[Byte]; 3]) -> (Bytes, Bytes) {
    let h = spec.encrypt(&[0; 16]);
    let j0 = first_counter(spec, &h, iv);
    let counter = spec.increment(&j0, 4);
    let output = ctr(spec, &counter, 4, text);
    let ciphertext = if direction == Direction::Encrypt {
        &output
    } else {
        text
    };
    let lengths = [length(aad), length(ciphertext)].concat();
    let s = ghash(
        spec,
        &h,
        &[padded(aad), padded(ciphertext), lengths].concat(),
    );
    let mask = spec.encrypt(&j0);
    let tag = spec.xor(&s, &mask);
    (output, tag)
}

fn first_counter(spec: &mut Spec, h: &[Byte], iv: &[Byte]) -> Bytes {
    if iv.len() == 12 {
        return [iv, &[0, 0, 0, 1]].concat();
    }
    let before = ghash(spec, h, &padded(iv));
    let lengths = [vec![0; 8], length(iv)].concat();
    let sum = spec.xor(&before, &lengths);
    let last = spec.last;
    spec.hash
        .borrow_mut()
        .suppose_last(spec.algebra, &sum, h, last);
    spec.hash.borrow_mut().multiply(spec.algebra, &sum, h)
}

/// With zeros up to whole blocks.
fn padded(string: &[Byte]) -> Bytes {
    let mut padded = string.to_vec();
    padded.resize(string.len().next_multiple_of(16), 0);
    padded
}

/// In bits, as eight bytes.
fn length(string: &[Byte]) -> Bytes {
    (8 * string.len() as u64)
        .to_be_bytes()
        .map(Byte::from)
        .to_vec()
}

/// [SP800-38D, 6.4]
fn ghash(spec: &mut Spec, h: &[Byte], blocks: &[Byte]) -> Bytes {
    let mut y = vec![0; 16];
    for block in blocks.chunks_exact(16) {
        let sum = spec.xor(&y, block);
        y = spec.hash.borrow_mut().multiply(spec.algebra, &sum, h);
    }
    y
}
