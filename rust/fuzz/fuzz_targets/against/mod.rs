// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A kernel against another one, for any cipher.

use manyfish::modes::{Ctr, ecb};
use manyfish::{BlockCipher, Error};

/// ECB in place, and from one place to another.
type Crypt<C> = fn(&C, &mut [u8]) -> Result<(), Error>;
type CryptTo<C> = fn(&C, &mut [u8], &[u8]) -> Result<(), Error>;

/// Blocks at any alignment, of 64 places for input and output, apart and in place, with nothing written beyond
/// the end.
pub fn blocks<C: BlockCipher>(
    expected_by: &C,
    cipher: &C,
    text: &[u8],
    alignment: [u8; 2],
    decrypt: bool,
) {
    let (crypt, crypt_to): (Crypt<C>, CryptTo<C>) =
        if decrypt { (ecb::decrypt, ecb::decrypt_to) } else { (ecb::encrypt, ecb::encrypt_to) };
    let text = &text[..text.len() / C::BLOCK_BYTES * C::BLOCK_BYTES];
    let mut expected = text.to_vec();
    crypt(expected_by, &mut expected).unwrap();

    let [from, to] = alignment.map(|place| usize::from(place) % 64);
    let input = [&vec![0; from], text].concat();
    let mut out = vec![0xA5; to + text.len() + 64];
    crypt_to(cipher, &mut out[to..], &input[from..]).unwrap();
    let (before, rest) = out.split_at(to);
    let (found, after) = rest.split_at(text.len());
    assert_eq!(found, expected);
    assert!(before.iter().chain(after).all(|byte| *byte == 0xA5));

    let mut in_place = input;
    crypt(cipher, &mut in_place[from..]).unwrap();
    assert_eq!(in_place[from..], expected);
}

/// CTR in pieces of these lengths against CTR as a whole.
pub fn ctr<C: BlockCipher>(
    expected_by: &C,
    cipher: &C,
    text: &[u8],
    counter: &C::Block,
    cuts: [u16; 3],
) {
    let bits = 8 * u32::try_from(C::BLOCK_BYTES).unwrap();
    let mut expected = text.to_vec();
    Ctr::new(expected_by, counter, bits).unwrap().crypt(&mut expected).unwrap();
    let mut found = text.to_vec();
    let mut stream = Ctr::new(cipher, counter, bits).unwrap();
    let mut rest = &mut found[..];
    for cut in cuts {
        let (piece, next) = rest.split_at_mut(usize::from(cut).min(rest.len()));
        stream.crypt(piece).unwrap();
        rest = next;
    }
    stream.crypt(rest).unwrap();
    assert_eq!(found, expected);
}
