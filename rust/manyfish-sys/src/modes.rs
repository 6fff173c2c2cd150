// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/modes.h>`: ECB, CBC with and without padding, ciphertext stealing. An `iv` has as many bytes
//! as a block of the cipher, else [`Status::BLOCK`].

use crate::cipher::with_block;
use crate::ffi::{MF_CTS_CS1, MF_CTS_CS2, MF_CTS_CS3};
use crate::{BlockCipher, InOut, Status, ffi};

/// ECB over whole blocks.
pub fn ecb_encrypt(key: &impl BlockCipher, data: &InOut) -> Result<(), Status> {
    let cipher = key.cipher();
    // SAFETY: the cipher's key outlives the call; data spans n_bytes on both sides.
    unsafe { ffi::mf_ecb_encrypt(&raw const cipher, data.out(), data.input(), data.n_bytes()) }
        .check()
}

/// The inverse of [`ecb_encrypt`].
pub fn ecb_decrypt(key: &impl BlockCipher, data: &InOut) -> Result<(), Status> {
    let cipher = key.cipher();
    // SAFETY: as in ecb_encrypt.
    unsafe { ffi::mf_ecb_decrypt(&raw const cipher, data.out(), data.input(), data.n_bytes()) }
        .check()
}

/// CBC over whole blocks; `iv` carries the chain from call to call.
pub fn cbc_encrypt(key: &impl BlockCipher, iv: &mut [u8], data: &InOut) -> Result<(), Status> {
    let (cipher, iv) = (with_block(key, iv)?, iv.as_mut_ptr().cast());
    let (out, input) = (data.out(), data.input());
    // SAFETY: the cipher's key outlives the call; iv is one block, borrowed apart from data, which
    // spans n_bytes on both sides.
    unsafe { ffi::mf_cbc_encrypt(&raw const cipher, iv, out, input, data.n_bytes()) }.check()
}

/// The inverse of [`cbc_encrypt`].
pub fn cbc_decrypt(key: &impl BlockCipher, iv: &mut [u8], data: &InOut) -> Result<(), Status> {
    let (cipher, iv) = (with_block(key, iv)?, iv.as_mut_ptr().cast());
    let (out, input) = (data.out(), data.input());
    // SAFETY: as in cbc_encrypt.
    unsafe { ffi::mf_cbc_decrypt(&raw const cipher, iv, out, input, data.n_bytes()) }.check()
}

/// How the last block of CBC is filled up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Bytes that say how many they are.
    Pkcs7,
    /// A byte 80 (hexadecimal) and zeros, as ISO/IEC 7816-4 has it.
    Iso,
}

/// CBC with padding, in place: `buffer` starts with `n_bytes` of plaintext and must have room for the
/// padding. Says how long the result is.
pub fn cbc_encrypt_padded(
    key: &impl BlockCipher,
    padding: Padding,
    iv: &mut [u8],
    buffer: &mut [u8],
    n_bytes: usize,
) -> Result<usize, Status> {
    assert!(n_bytes <= buffer.len(), "the plaintext lies in the buffer");
    let cipher = with_block(key, iv)?;
    let (capacity, place) = (buffer.len(), buffer.as_mut_ptr().cast());
    let mut out_bytes = 0;
    // SAFETY: the cipher's key outlives the call; iv is one block, borrowed apart from the buffer;
    // the buffer has `capacity` bytes to write, of which the first n_bytes are read.
    unsafe {
        let encrypt = match padding {
            Padding::Pkcs7 => ffi::mf_cbc_encrypt_padded,
            Padding::Iso => ffi::mf_cbc_encrypt_iso_padded,
        };
        encrypt(
            &raw const cipher,
            iv.as_mut_ptr().cast(),
            place,
            capacity,
            &raw mut out_bytes,
            place,
            n_bytes,
        )
    }
    .check()?;
    Ok(out_bytes)
}

/// The inverse of [`cbc_encrypt_padded`]: says how many bytes of `data` are plaintext.
pub fn cbc_decrypt_padded(
    key: &impl BlockCipher,
    padding: Padding,
    iv: &mut [u8],
    data: &mut [u8],
) -> Result<usize, Status> {
    let cipher = with_block(key, iv)?;
    let (n_bytes, place) = (data.len(), data.as_mut_ptr().cast());
    let mut out_bytes = 0;
    // SAFETY: as in cbc_encrypt_padded; the whole buffer is read and may be written.
    unsafe {
        let decrypt = match padding {
            Padding::Pkcs7 => ffi::mf_cbc_decrypt_padded,
            Padding::Iso => ffi::mf_cbc_decrypt_iso_padded,
        };
        decrypt(
            &raw const cipher,
            iv.as_mut_ptr().cast(),
            place,
            n_bytes,
            &raw mut out_bytes,
            place,
            n_bytes,
        )
    }
    .check()?;
    Ok(out_bytes)
}

/// The three forms of ciphertext stealing, which differ in the order of the last two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cts {
    /// The cut block first.
    Cs1,
    /// Swapped, unless all blocks are whole.
    Cs2,
    /// Always swapped.
    Cs3,
}

impl Cts {
    fn code(self) -> ffi::mf_cts {
        match self {
            Self::Cs1 => MF_CTS_CS1,
            Self::Cs2 => MF_CTS_CS2,
            Self::Cs3 => MF_CTS_CS3,
        }
    }
}

/// CBC with ciphertext stealing: a whole message of at least one block.
pub fn cts_encrypt(
    key: &impl BlockCipher,
    variant: Cts,
    iv: &[u8],
    data: &InOut,
) -> Result<(), Status> {
    let (cipher, iv, variant) = (with_block(key, iv)?, iv.as_ptr().cast(), variant.code());
    let (out, input) = (data.out(), data.input());
    // SAFETY: the cipher's key outlives the call; iv is one block, borrowed apart from data, which
    // spans n_bytes on both sides.
    unsafe { ffi::mf_cts_encrypt(&raw const cipher, variant, iv, out, input, data.n_bytes()) }
        .check()
}

/// The inverse of [`cts_encrypt`].
pub fn cts_decrypt(
    key: &impl BlockCipher,
    variant: Cts,
    iv: &[u8],
    data: &InOut,
) -> Result<(), Status> {
    let (cipher, iv, variant) = (with_block(key, iv)?, iv.as_ptr().cast(), variant.code());
    let (out, input) = (data.out(), data.input());
    // SAFETY: as in cts_encrypt.
    unsafe { ffi::mf_cts_decrypt(&raw const cipher, variant, iv, out, input, data.n_bytes()) }
        .check()
}
