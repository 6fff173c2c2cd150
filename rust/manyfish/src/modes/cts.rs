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

use super::cbc::Iv;
use crate::error::from_status;
use crate::twofish::copying;
use crate::{Error, Twofish};

/// Encrypts a message in place.
pub fn encrypt(cipher: &Twofish, variant: Variant, iv: &Iv, data: &mut [u8]) -> Result<(), Error> {
    let found = data.len();
    manyfish_sys::cts_encrypt(&cipher.key, variant, iv, &InOut::in_place(data))
        .map_err(|status| too_short(status, found))
}

/// Decrypts a message in place.
pub fn decrypt(cipher: &Twofish, variant: Variant, iv: &Iv, data: &mut [u8]) -> Result<(), Error> {
    let found = data.len();
    manyfish_sys::cts_decrypt(&cipher.key, variant, iv, &InOut::in_place(data))
        .map_err(|status| too_short(status, found))
}

/// Encrypts the message `input` into the first bytes of `out`.
pub fn encrypt_to(
    cipher: &Twofish,
    variant: Variant,
    iv: &Iv,
    out: &mut [u8],
    input: &[u8],
) -> Result<(), Error> {
    manyfish_sys::cts_encrypt(&cipher.key, variant, iv, &copying(out, input)?)
        .map_err(|status| too_short(status, input.len()))
}

/// Decrypts the message `input` into the first bytes of `out`.
pub fn decrypt_to(
    cipher: &Twofish,
    variant: Variant,
    iv: &Iv,
    out: &mut [u8],
    input: &[u8],
) -> Result<(), Error> {
    manyfish_sys::cts_decrypt(&cipher.key, variant, iv, &copying(out, input)?)
        .map_err(|status| too_short(status, input.len()))
}

/// The error of a call that takes at least one block.
pub(crate) fn too_short(status: Status, found: usize) -> Error {
    if status == Status::LENGTH { Error::TooShort { found } } else { from_status(status) }
}
