// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! EAX [EAX04].

use crate::algebra::Byte;

use super::Setting;
use super::aead::{Aead, Message};
use super::bench::{Direction, Result, Spec};
use super::cmac::{cmac, last_block};
use super::ctr::ctr;
use super::oracle::Bytes;

pub const LONG_TAGS: [usize; 13] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
pub const SHORT_TAGS: [usize; 7] = [2, 3, 4, 5, 6, 7, 8];

pub const fn eax_of(tag_lengths: &'static [usize]) -> Aead {
    Aead {
        name: "eax",
        context_bytes: 344,
        is_ocb: false,
        aad_any_time: true,
        tag_lengths,
        define: eax,
    }
}

/// A carry comes out of the last byte of the counter after the second block.
pub const CARRYING: u8 = 254;

pub fn prove(setting: &Setting) -> Result<()> {
    for (block_bytes, mode) in [(16, eax_of(&LONG_TAGS)), (8, eax_of(&SHORT_TAGS))] {
        let mut bench = setting.bench(block_bytes);
        bench.choose_verdicts()?;
        let key = mode.init(&mut bench)?;
        for last in setting.some(&Vec::from_iter(0..=255)) {
            bench.last = last;
            let message = Message::new(&mut bench, 16, setting.bytes);
            mode.prove_whole(&mut bench, &key, &message, (0, setting.bytes))?;
        }
        bench.last = CARRYING;
        let message = Message::new(&mut bench, 16, setting.longest_of(block_bytes));
        for n in setting.lengths().filter(|&n| n <= message.text.len()) {
            let n_aad = if n > setting.bytes { n } else { 20 };
            mode.prove_whole(&mut bench, &key, &message, (0, n))?;
            mode.prove_whole(&mut bench, &key, &message, (n_aad, n.min(20)))?;
        }
        for nonce_bytes in [0, 1, 8, 15, 17, 32, 40] {
            let message = Message::new(&mut bench, nonce_bytes, 20);
            mode.prove_whole(&mut bench, &key, &message, (3, 20))?;
        }
        mode.prove_pieces(setting.in_pieces(block_bytes), &mut bench, &key, &message)?;
        setting.done(&bench)?;
    }
    Ok(())
}

fn eax(spec: &mut Spec, direction: Direction, [nonce, aad, text]: [&[Byte]; 3]) -> (Bytes, Bytes) {
    let n = spec.ciphers[0].borrow().block_bytes;
    let block = last_block(spec, &numbered(n, 0, nonce));
    let last = spec.last;
    spec.ciphers[0]
        .borrow_mut()
        .suppose_last(spec.algebra, &block, last);
    let nonce_tag = spec.encrypt(&block);
    let output = ctr(spec, &nonce_tag, n, text);
    let ciphertext = if direction == Direction::Encrypt {
        &output
    } else {
        text
    };
    let aad_tag = cmac(spec, &numbered(n, 1, aad));
    let text_tag = cmac(spec, &numbered(n, 2, ciphertext));
    let sum = spec.xor(&nonce_tag, &aad_tag);
    let tag = spec.xor(&sum, &text_tag);
    (output, tag)
}

/// The string of which CMAC is OMAC^t: the number t as a block comes first.
fn numbered(block_bytes: usize, t: Byte, string: &[Byte]) -> Bytes {
    let mut block = vec![0; block_bytes];
    block[block_bytes - 1] = t;
    [&block, string].concat()
}
