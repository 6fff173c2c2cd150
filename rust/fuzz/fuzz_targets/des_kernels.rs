// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! DES and Triple-DES with any key, length, alignment, kernel and direction: the blocks are those of the
//! kernel "sp2k", also after another key of any length. With the same kernel, CTR in pieces is that of
//! "sp2k" as a whole, and CBC comes back.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use manyfish::modes::{Ctr, cbc};
use manyfish::{Des, des};

const KEY_BYTES: [usize; 3] = [8, 16, 24];
const BLOCK: usize = des::BLOCK_BYTES;

#[derive(Arbitrary, Debug)]
struct Case<'a> {
    key: [u8; 24],
    key_size: u8,
    /// The size of a key that is set before.
    key_size_before: u8,
    kernel: u8,
    /// Where input and output begin, of 64 places.
    alignment: [u8; 2],
    decrypt: bool,
    iv: [u8; BLOCK],
    /// Lengths of pieces.
    cuts: [u16; 3],
    /// Encrypted as often as `repeat` says, since the fuzzer likes short inputs.
    data: &'a [u8],
    repeat: u8,
}

impl Case<'_> {
    fn key(&self, size: u8) -> &[u8] {
        &self.key[..KEY_BYTES[usize::from(size) % KEY_BYTES.len()]]
    }

    fn text(&self) -> Vec<u8> {
        self.data.repeat(usize::from(self.repeat) + 1)
    }
}

fuzz_target!(|case: Case| {
    let kernels: Vec<_> = des::kernels().filter(|kernel| kernel.runnable).collect();
    let kernel = kernels[usize::from(case.kernel) % kernels.len()].name;
    let key = case.key(case.key_size);
    let sp2k = Des::with_kernel("sp2k", key).unwrap();
    let mut cipher = Des::with_kernel(kernel, case.key(case.key_size_before)).unwrap();
    cipher.set_key(key).unwrap();
    let text = case.text();
    blocks(&case, &sp2k, &cipher, &text);
    ctr(&case, &sp2k, &cipher, &text);
    chain(&case, &sp2k, &cipher, &text);
});

/// At any alignment, apart and in place, with nothing written beyond the end.
fn blocks(case: &Case, sp2k: &Des, cipher: &Des, text: &[u8]) {
    let text = &text[..text.len() / BLOCK * BLOCK];
    let mut expected = text.to_vec();
    let [from, to] = case.alignment.map(|place| usize::from(place) % 64);
    let input = [&vec![0; from], text].concat();
    let mut out = vec![0xA5; to + text.len() + 64];
    if case.decrypt {
        sp2k.decrypt_blocks(&mut expected).unwrap();
        cipher.decrypt_blocks_to(&mut out[to..], &input[from..]).unwrap();
    } else {
        sp2k.encrypt_blocks(&mut expected).unwrap();
        cipher.encrypt_blocks_to(&mut out[to..], &input[from..]).unwrap();
    }
    let (before, rest) = out.split_at(to);
    let (found, after) = rest.split_at(text.len());
    assert_eq!(found, expected);
    assert!(before.iter().chain(after).all(|byte| *byte == 0xA5));

    let mut in_place = input;
    if case.decrypt {
        cipher.decrypt_blocks(&mut in_place[from..]).unwrap();
    } else {
        cipher.encrypt_blocks(&mut in_place[from..]).unwrap();
    }
    assert_eq!(in_place[from..], expected);
}

fn ctr(case: &Case, sp2k: &Des, cipher: &Des, text: &[u8]) {
    let mut expected = text.to_vec();
    Ctr::new(sp2k, &case.iv, 64).unwrap().crypt(&mut expected).unwrap();
    let mut found = text.to_vec();
    let mut stream = Ctr::new(cipher, &case.iv, 64).unwrap();
    let mut rest = &mut found[..];
    for cut in case.cuts {
        let (piece, next) = rest.split_at_mut(usize::from(cut).min(rest.len()));
        stream.crypt(piece).unwrap();
        rest = next;
    }
    stream.crypt(rest).unwrap();
    assert_eq!(found, expected);
}

fn chain(case: &Case, sp2k: &Des, cipher: &Des, text: &[u8]) {
    let mut data = text.to_vec();
    cbc::encrypt_padded(sp2k, &mut case.iv.clone(), &mut data).unwrap();
    cbc::decrypt_padded(cipher, &mut case.iv.clone(), &mut data).unwrap();
    assert_eq!(data, text);
}
