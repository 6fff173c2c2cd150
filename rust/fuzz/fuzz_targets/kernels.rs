// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any key, length, alignment, kernel and direction: the blocks are those of the kernel "zero". With the
//! same kernel, CTR in pieces is that of "zero" as a whole, and so is a message sealed with OCB.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use manyfish::modes::Ctr;
use manyfish::{Ocb, Twofish};

const KEY_BYTES: [usize; 3] = [16, 24, 32];
const BLOCK: usize = manyfish::BLOCK_BYTES;

#[derive(Arbitrary, Debug)]
struct Case<'a> {
    key: [u8; 32],
    key_size: u8,
    kernel: u8,
    /// Where input and output begin, of 64 places.
    alignment: [u8; 2],
    decrypt: bool,
    iv: [u8; 16],
    /// Lengths of pieces.
    cuts: [u16; 3],
    /// Encrypted as often as `repeat` says, since the fuzzer likes short inputs.
    data: &'a [u8],
    repeat: u8,
}

impl Case<'_> {
    fn key(&self) -> &[u8] {
        &self.key[..KEY_BYTES[usize::from(self.key_size) % KEY_BYTES.len()]]
    }

    fn text(&self) -> Vec<u8> {
        self.data.repeat(usize::from(self.repeat) + 1)
    }
}

fuzz_target!(|case: Case| {
    let kernels: Vec<_> = manyfish::kernels().filter(|kernel| kernel.runnable).collect();
    let kernel = kernels[usize::from(case.kernel) % kernels.len()].name;
    let zero = Twofish::with_kernel("zero", case.key()).unwrap();
    let cipher = Twofish::with_kernel(kernel, case.key()).unwrap();
    let text = case.text();
    blocks(&case, &zero, &cipher, &text);
    ctr(&case, &zero, &cipher, &text);
    ocb(&case, &zero, &cipher, &text);
});

/// At any alignment, apart and in place, with nothing written beyond the end.
fn blocks(case: &Case, zero: &Twofish, cipher: &Twofish, text: &[u8]) {
    let text = &text[..text.len() / BLOCK * BLOCK];
    let mut expected = text.to_vec();
    let [from, to] = case.alignment.map(|place| usize::from(place) % 64);
    let input = [&vec![0; from], text].concat();
    let mut out = vec![0xA5; to + text.len() + 64];
    if case.decrypt {
        zero.decrypt_blocks(&mut expected).unwrap();
        cipher.decrypt_blocks_to(&mut out[to..], &input[from..]).unwrap();
    } else {
        zero.encrypt_blocks(&mut expected).unwrap();
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

fn ctr(case: &Case, zero: &Twofish, cipher: &Twofish, text: &[u8]) {
    let mut expected = text.to_vec();
    Ctr::new(zero, &case.iv, 128).unwrap().crypt(&mut expected).unwrap();
    let mut found = text.to_vec();
    let mut stream = Ctr::new(cipher, &case.iv, 128).unwrap();
    let mut rest = &mut found[..];
    for cut in case.cuts {
        let (piece, next) = rest.split_at_mut(usize::from(cut).min(rest.len()));
        stream.crypt(piece).unwrap();
        rest = next;
    }
    stream.crypt(rest).unwrap();
    assert_eq!(found, expected);
}

fn ocb(case: &Case, zero: &Twofish, cipher: &Twofish, text: &[u8]) {
    let (nonce, mut expected, mut found) = (&case.iv[..15], text.to_vec(), text.to_vec());
    let tag = Ocb::new(zero).seal(nonce, &case.key, &mut expected).unwrap();
    assert_eq!(Ocb::new(cipher).seal(nonce, &case.key, &mut found), Ok(tag));
    assert_eq!(found, expected);
    Ocb::new(cipher).open(nonce, &case.key, &mut found, &tag).unwrap();
    assert_eq!(found, text);
}
