// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CBC: each block is mixed with the ciphertext before it. [SP800-38A, 6.2]
//!
//! A message may be given in pieces: `iv`, a block of the cipher, carries the chain from call to call. The first one of a
//! message must be unpredictable.

use manyfish_sys::InOut;
#[cfg(feature = "std")]
use manyfish_sys::{Padding, Status};

use crate::cipher::length;
use crate::twofish::copying;
use crate::{BlockCipher, Error};

/// Encrypts whole blocks in place.
pub fn encrypt<C: BlockCipher>(
    cipher: &C,
    iv: &mut C::Block,
    data: &mut [u8],
) -> Result<(), Error> {
    let found = data.len();
    manyfish_sys::cbc_encrypt(cipher.key(), iv.as_mut(), &InOut::in_place(data))
        .map_err(|status| length(cipher, status, found))
}

/// Decrypts whole blocks in place.
pub fn decrypt<C: BlockCipher>(
    cipher: &C,
    iv: &mut C::Block,
    data: &mut [u8],
) -> Result<(), Error> {
    let found = data.len();
    manyfish_sys::cbc_decrypt(cipher.key(), iv.as_mut(), &InOut::in_place(data))
        .map_err(|status| length(cipher, status, found))
}

/// Encrypts the blocks of `input` into the first bytes of `out`.
pub fn encrypt_to<C: BlockCipher>(
    cipher: &C,
    iv: &mut C::Block,
    out: &mut [u8],
    input: &[u8],
) -> Result<(), Error> {
    manyfish_sys::cbc_encrypt(cipher.key(), iv.as_mut(), &copying(out, input)?)
        .map_err(|status| length(cipher, status, input.len()))
}

/// Decrypts the blocks of `input` into the first bytes of `out`.
pub fn decrypt_to<C: BlockCipher>(
    cipher: &C,
    iv: &mut C::Block,
    out: &mut [u8],
    input: &[u8],
) -> Result<(), Error> {
    manyfish_sys::cbc_decrypt(cipher.key(), iv.as_mut(), &copying(out, input)?)
        .map_err(|status| length(cipher, status, input.len()))
}

/// Pads the last piece of a message, or all of it, to whole blocks and encrypts it in place: `data`
/// grows by 1 byte to a block. [RFC5652, 6.3] If it has no room for that, its old memory is freed with the
/// text in it: reserve a block first where that matters.
///
/// ```
/// use manyfish::{Twofish, modes::cbc};
///
/// let cipher = Twofish::new(&[7; 16])?;
/// let mut data = b"any length".to_vec();
/// cbc::encrypt_padded(&cipher, &mut [9; 16], &mut data)?;
/// assert_eq!(data.len(), 16);
/// cbc::decrypt_padded(&cipher, &mut [9; 16], &mut data)?;
/// assert_eq!(data, b"any length");
/// # Ok::<(), manyfish::Error>(())
/// ```
#[cfg(feature = "std")]
pub fn encrypt_padded<C: BlockCipher>(
    cipher: &C,
    iv: &mut C::Block,
    data: &mut Vec<u8>,
) -> Result<(), Error> {
    pad_and_encrypt(cipher, Padding::Pkcs7, iv, data)
}

/// Decrypts the last piece of a message, or all of it, in place and cuts the padding off.
///
/// With wrong padding `data` is wiped and left empty. This error is a padding oracle: anyone who can probe
/// it decrypts without the key. Check a MAC over the ciphertext first.
#[cfg(feature = "std")]
pub fn decrypt_padded<C: BlockCipher>(
    cipher: &C,
    iv: &mut C::Block,
    data: &mut Vec<u8>,
) -> Result<(), Error> {
    decrypt_and_unpad(cipher, Padding::Pkcs7, iv, data)
}

/// [`encrypt_padded`] with the padding of ISO/IEC 7816-4, which cards have: a byte 80 (hexadecimal),
/// then zeros up to the end of the block. \[SP800-38A, A\]
#[cfg(feature = "std")]
pub fn encrypt_iso_padded<C: BlockCipher>(
    cipher: &C,
    iv: &mut C::Block,
    data: &mut Vec<u8>,
) -> Result<(), Error> {
    pad_and_encrypt(cipher, Padding::Iso, iv, data)
}

/// [`decrypt_padded`] of what [`encrypt_iso_padded`] makes.
#[cfg(feature = "std")]
pub fn decrypt_iso_padded<C: BlockCipher>(
    cipher: &C,
    iv: &mut C::Block,
    data: &mut Vec<u8>,
) -> Result<(), Error> {
    decrypt_and_unpad(cipher, Padding::Iso, iv, data)
}

#[cfg(feature = "std")]
fn pad_and_encrypt<C: BlockCipher>(
    cipher: &C,
    padding: Padding,
    iv: &mut C::Block,
    data: &mut Vec<u8>,
) -> Result<(), Error> {
    let n_bytes = data.len();
    data.resize(n_bytes - n_bytes % C::BLOCK_BYTES + C::BLOCK_BYTES, 0);
    let padded =
        manyfish_sys::cbc_encrypt_padded(cipher.key(), padding, iv.as_mut(), data, n_bytes);
    padded.map(|_| ()).map_err(|status| length(cipher, status, n_bytes))
}

#[cfg(feature = "std")]
fn decrypt_and_unpad<C: BlockCipher>(
    cipher: &C,
    padding: Padding,
    iv: &mut C::Block,
    data: &mut Vec<u8>,
) -> Result<(), Error> {
    let found = data.len();
    let unpadded = manyfish_sys::cbc_decrypt_padded(cipher.key(), padding, iv.as_mut(), data);
    if unpadded == Err(Status::PADDING) {
        data.clear();
    }
    data.truncate(unpadded.map_err(|status| length(cipher, status, found))?);
    Ok(())
}
