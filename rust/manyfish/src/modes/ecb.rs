// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! ECB: each block by itself; reveals which blocks are equal. [SP800-38A, 6.1]

use manyfish_sys::InOut;

use crate::cipher::length;
use crate::twofish::copying;
use crate::{BlockCipher, Error};

/// Encrypts whole blocks in place.
pub fn encrypt(cipher: &impl BlockCipher, data: &mut [u8]) -> Result<(), Error> {
    let found = data.len();
    manyfish_sys::ecb_encrypt(cipher.key(), &InOut::in_place(data))
        .map_err(|status| length(cipher, status, found))
}

/// Decrypts whole blocks in place.
pub fn decrypt(cipher: &impl BlockCipher, data: &mut [u8]) -> Result<(), Error> {
    let found = data.len();
    manyfish_sys::ecb_decrypt(cipher.key(), &InOut::in_place(data))
        .map_err(|status| length(cipher, status, found))
}

/// Encrypts the blocks of `input` into the first bytes of `out`.
pub fn encrypt_to(cipher: &impl BlockCipher, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
    manyfish_sys::ecb_encrypt(cipher.key(), &copying(out, input)?)
        .map_err(|status| length(cipher, status, input.len()))
}

/// Decrypts the blocks of `input` into the first bytes of `out`.
pub fn decrypt_to(cipher: &impl BlockCipher, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
    manyfish_sys::ecb_decrypt(cipher.key(), &copying(out, input)?)
        .map_err(|status| length(cipher, status, input.len()))
}
