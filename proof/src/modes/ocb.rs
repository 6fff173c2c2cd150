// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! OCB3 [RFC7253] with tags of 16 bytes.

use crate::algebra::{Byte, Op};

use super::Setting;
use super::aead::{Aead, Message};
use super::bench::{Bench, Direction, Result, Spec};
use super::oracle::Bytes;

pub const OCB: Aead = Aead {
    name: "ocb",
    context_bytes: 976,
    is_ocb: true,
    aad_any_time: true,
    tag_lengths: &[16],
    define: ocb,
};

/// The lowest six bits of the nonce, which are not secret, are a constant: they decide which bits of Stretch are taken.
fn message(bench: &mut Bench, nonce_bytes: usize, bottom: Byte, n: usize) -> Message {
    let mut message = Message::new(bench, nonce_bytes, n);
    set_bottom(bench, &mut message.nonce, bottom);
    message
}

pub fn set_bottom(bench: &mut Bench, nonce: &mut [Byte], bottom: Byte) {
    let last = nonce.last_mut().expect("a byte");
    let algebra = &mut bench.machine.algebra;
    let high = algebra.op(Op::And, *last, 0xC0);
    *last = algebra.op(Op::Xor, high, bottom);
}

pub fn prove(setting: &Setting) -> Result<()> {
    let mut bench = setting.bench(16);
    bench.choose_verdicts()?;
    let key = OCB.init(&mut bench)?;
    let long = message(&mut bench, 12, 21, setting.longest());
    for n in setting.lengths() {
        let n_aad = if n > setting.bytes { n } else { 20 };
        OCB.prove_whole(&mut bench, &key, &long, (0, n))?;
        OCB.prove_whole(&mut bench, &key, &long, (n_aad, n.min(20)))?;
    }
    for bottom in setting.some(&Vec::from_iter(0..64)) {
        let message = message(&mut bench, 12, bottom, 20);
        OCB.prove_whole(&mut bench, &key, &message, (3, 20))?;
    }
    for nonce_bytes in setting.some(&Vec::from_iter(1..=15)) {
        let message = message(&mut bench, nonce_bytes, 9, 20);
        OCB.prove_whole(&mut bench, &key, &message, (3, 20))?;
    }
    OCB.prove_last(setting, &mut bench, &key, &long)?;
    OCB.prove_pieces(setting.in_pieces(16), &mut bench, &key, &long)?;
    setting.done(&bench)
}

/// [RFC7253, 4.2, 4.3]
fn ocb(spec: &mut Spec, direction: Direction, [nonce, aad, text]: [&[Byte]; 3]) -> (Bytes, Bytes) {
    let masks = Masks::new(spec, text.len().max(aad.len()) / 16 + 1);
    let mut offset = first_offset(spec, nonce);
    let mut checksum = vec![0; 16];
    let mut output = Bytes::new();
    let (blocks, rest) = text.as_chunks::<16>();
    for (i, block) in (1_usize..).zip(blocks) {
        offset = spec.xor(&offset, &masks.l[i.trailing_zeros() as usize]);
        let sum = spec.xor(block, &offset);
        let sum = spec.crypt(direction, &sum);
        let result = spec.xor(&sum, &offset);
        let plaintext = if direction == Direction::Encrypt {
            block
        } else {
            result.as_slice()
        };
        checksum = spec.xor(&checksum, plaintext);
        output.extend(result);
    }
    if !rest.is_empty() {
        offset = spec.xor(&offset, &masks.l_star);
        let pad = spec.encrypt(&offset);
        let result = spec.xor(rest, &pad);
        let plaintext = if direction == Direction::Encrypt {
            rest
        } else {
            &result
        };
        checksum = spec.xor(&checksum, &padded(plaintext));
        output.extend(result);
    }
    let sum = spec.xor(&checksum, &offset);
    let sum = spec.xor(&sum, &masks.l_dollar);
    let tag = spec.encrypt(&sum);
    let hash = hash(spec, &masks, aad);
    let tag = spec.xor(&tag, &hash);
    (output, tag)
}

/// L_*, L_$ and L_0 on. [RFC7253, 4.1]
struct Masks {
    l_star: Bytes,
    l_dollar: Bytes,
    l: Vec<Bytes>,
}

impl Masks {
    /// For this many blocks.
    fn new(spec: &mut Spec, n_blocks: usize) -> Self {
        let l_star = spec.encrypt(&[0; 16]);
        let l_dollar = spec.double(&l_star);
        let mut l = vec![spec.double(&l_dollar)];
        for i in 0..n_blocks.ilog2() as usize {
            let next = spec.double(&l[i]);
            l.push(next);
        }
        Self {
            l_star,
            l_dollar,
            l,
        }
    }
}

fn padded(rest: &[Byte]) -> Bytes {
    let mut block = rest.to_vec();
    block.push(0x80);
    block.resize(16, 0);
    block
}

/// HASH(K, A). [RFC7253, 4.1]
fn hash(spec: &mut Spec, masks: &Masks, aad: &[Byte]) -> Bytes {
    let (mut sum, mut offset) = (vec![0; 16], vec![0; 16]);
    let (blocks, rest) = aad.as_chunks::<16>();
    for (i, block) in (1_usize..).zip(blocks) {
        offset = spec.xor(&offset, &masks.l[i.trailing_zeros() as usize]);
        let masked = spec.xor(block, &offset);
        let encrypted = spec.encrypt(&masked);
        sum = spec.xor(&sum, &encrypted);
    }
    if !rest.is_empty() {
        offset = spec.xor(&offset, &masks.l_star);
        let masked = spec.xor(&padded(rest), &offset);
        let encrypted = spec.encrypt(&masked);
        sum = spec.xor(&sum, &encrypted);
    }
    sum
}

/// Offset_0. The nonce's last six bits are constants. [RFC7253, 4.2]
fn first_offset(spec: &mut Spec, nonce: &[Byte]) -> Bytes {
    let mut whole = vec![0; 16 - nonce.len()]; // TAGLEN mod 128 is 0
    whole[15 - nonce.len()] = 1;
    whole.extend_from_slice(nonce);
    let mut bits = spec.bits(&whole);
    let bottom = bits[122..]
        .iter()
        .fold(0, |bottom, bit| 2 * bottom + *bit as usize);
    bits[122..].fill(0);
    let top = spec.bytes(&bits);
    let k_top = spec.encrypt(&top);
    let mut stretch = spec.bits(&k_top);
    for i in 0..64 {
        let sum = spec.algebra.xor_bits(stretch[i], stretch[i + 8]);
        stretch.push(sum);
    }
    spec.bytes(&stretch[bottom..bottom + 128])
}
