// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CBC with ciphertext stealing: messages keep their length. \[Dworkin10\]
//!
//! A whole message of at least one block; `iv` must be unpredictable.
//!
//! ```
//! use manyfish::{Twofish, modes::cts::{self, Variant}};
//!
//! let cipher = Twofish::new(&[7; 16])?;
//! let mut data = *b"as long as before";
//! cts::encrypt(&cipher, Variant::Cs3, &[9; 16], &mut data)?;
//! cts::decrypt(&cipher, Variant::Cs3, &[9; 16], &mut data)?;
//! assert_eq!(&data, b"as long as before");
//! # Ok::<(), manyfish::Error>(())
//! ```

use manyfish_sys::{InOut, Status};

pub use manyfish_sys::Cts as Variant;

use crate::error::from_status;
use crate::twofish::copying;
use crate::{BlockCipher, Error};

/// Encrypts a message in place.
pub fn encrypt<C: BlockCipher>(
    cipher: &C,
    variant: Variant,
    iv: &C::Block,
    data: &mut [u8],
) -> Result<(), Error> {
    let found = data.len();
    manyfish_sys::cts_encrypt(cipher.key(), variant, iv.as_ref(), &InOut::in_place(data))
        .map_err(|status| too_short(status, C::BLOCK_BYTES, found))
}

/// Decrypts a message in place.
pub fn decrypt<C: BlockCipher>(
    cipher: &C,
    variant: Variant,
    iv: &C::Block,
    data: &mut [u8],
) -> Result<(), Error> {
    let found = data.len();
    manyfish_sys::cts_decrypt(cipher.key(), variant, iv.as_ref(), &InOut::in_place(data))
        .map_err(|status| too_short(status, C::BLOCK_BYTES, found))
}

/// Encrypts the message `input` into the first bytes of `out`.
pub fn encrypt_to<C: BlockCipher>(
    cipher: &C,
    variant: Variant,
    iv: &C::Block,
    out: &mut [u8],
    input: &[u8],
) -> Result<(), Error> {
    manyfish_sys::cts_encrypt(cipher.key(), variant, iv.as_ref(), &copying(out, input)?)
        .map_err(|status| too_short(status, C::BLOCK_BYTES, input.len()))
}

/// Decrypts the message `input` into the first bytes of `out`.
pub fn decrypt_to<C: BlockCipher>(
    cipher: &C,
    variant: Variant,
    iv: &C::Block,
    out: &mut [u8],
    input: &[u8],
) -> Result<(), Error> {
    manyfish_sys::cts_decrypt(cipher.key(), variant, iv.as_ref(), &copying(out, input)?)
        .map_err(|status| too_short(status, C::BLOCK_BYTES, input.len()))
}

/// The error of a call that takes at least one block.
pub(crate) fn too_short(status: Status, needed: usize, found: usize) -> Error {
    if status == Status::LENGTH { Error::TooShort { needed, found } } else { from_status(status) }
}
