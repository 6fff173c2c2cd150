// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any key, length, alignment, kernel and direction: the blocks are those of the kernel "zero". With the
//! same kernel, CTR in pieces is that of "zero" as a whole, and so is a message sealed with OCB.
#![no_main]

mod against;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use manyfish::{Ocb, Twofish};

const KEY_BYTES: [usize; 3] = [16, 24, 32];

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
    against::blocks(&zero, &cipher, &text, case.alignment, case.decrypt);
    against::ctr(&zero, &cipher, &text, &case.iv, case.cuts);
    ocb(&case, &zero, &cipher, &text);
});

fn ocb(case: &Case, zero: &Twofish, cipher: &Twofish, text: &[u8]) {
    let (nonce, mut expected, mut found) = (&case.iv[..15], text.to_vec(), text.to_vec());
    let tag = Ocb::new(zero).seal(nonce, &case.key, &mut expected).unwrap();
    assert_eq!(Ocb::new(cipher).seal(nonce, &case.key, &mut found), Ok(tag));
    assert_eq!(found, expected);
    Ocb::new(cipher).open(nonce, &case.key, &mut found, &tag).unwrap();
    assert_eq!(found, text);
}
