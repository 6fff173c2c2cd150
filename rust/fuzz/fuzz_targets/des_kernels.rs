// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! DES and Triple-DES with any key, length, alignment, kernel and direction: the blocks are those of the
//! kernel "sp2k", also after another key of any length. With the same kernel, CTR in pieces is that of
//! "sp2k" as a whole, and CBC comes back.
#![no_main]

mod against;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use manyfish::modes::cbc;
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
    against::blocks(&sp2k, &cipher, &text, case.alignment, case.decrypt);
    against::ctr(&sp2k, &cipher, &text, &case.iv, case.cuts);
    chain(&case, &sp2k, &cipher, &text);
});

fn chain(case: &Case, sp2k: &Des, cipher: &Des, text: &[u8]) {
    let mut data = text.to_vec();
    cbc::encrypt_padded(sp2k, &mut case.iv.clone(), &mut data).unwrap();
    cbc::decrypt_padded(cipher, &mut case.iv.clone(), &mut data).unwrap();
    assert_eq!(data, text);
}
