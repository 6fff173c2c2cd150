// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/modes.h>`: ECB, CBC with and without padding, CTR.

use std::mem::MaybeUninit;

use crate::ffi::{MF_TWOFISH_BLOCK_BYTES as BLOCK, mf_ctr};
use crate::{InOut, Status, Twofish, ffi};

/// ECB over whole blocks.
pub fn ecb_encrypt(key: &Twofish, data: &InOut) -> Result<(), Status> {
    let cipher = key.cipher();
    // SAFETY: the cipher's key outlives the call; data spans n_bytes on both sides.
    unsafe { ffi::mf_ecb_encrypt(&raw const cipher, data.out(), data.input(), data.n_bytes()) }
        .check()
}

/// The inverse of [`ecb_encrypt`].
pub fn ecb_decrypt(key: &Twofish, data: &InOut) -> Result<(), Status> {
    let cipher = key.cipher();
    // SAFETY: as in ecb_encrypt.
    unsafe { ffi::mf_ecb_decrypt(&raw const cipher, data.out(), data.input(), data.n_bytes()) }
        .check()
}

/// CBC over whole blocks; `iv` carries the chain from call to call.
pub fn cbc_encrypt(key: &Twofish, iv: &mut [u8; BLOCK], data: &InOut) -> Result<(), Status> {
    let (cipher, iv) = (key.cipher(), iv.as_mut_ptr().cast());
    let (out, input) = (data.out(), data.input());
    // SAFETY: the cipher's key outlives the call; iv is one block, borrowed apart from data, which
    // spans n_bytes on both sides.
    unsafe { ffi::mf_cbc_encrypt(&raw const cipher, iv, out, input, data.n_bytes()) }.check()
}

/// The inverse of [`cbc_encrypt`].
pub fn cbc_decrypt(key: &Twofish, iv: &mut [u8; BLOCK], data: &InOut) -> Result<(), Status> {
    let (cipher, iv) = (key.cipher(), iv.as_mut_ptr().cast());
    let (out, input) = (data.out(), data.input());
    // SAFETY: as in cbc_encrypt.
    unsafe { ffi::mf_cbc_decrypt(&raw const cipher, iv, out, input, data.n_bytes()) }.check()
}

/// CBC with PKCS#7 padding, in place: `buffer` starts with `n_bytes` of plaintext and must have room
/// for the padding. Says how long the result is.
pub fn cbc_encrypt_padded(
    key: &Twofish,
    iv: &mut [u8; BLOCK],
    buffer: &mut [u8],
    n_bytes: usize,
) -> Result<usize, Status> {
    assert!(n_bytes <= buffer.len(), "the plaintext lies in the buffer");
    let (cipher, capacity, place) = (key.cipher(), buffer.len(), buffer.as_mut_ptr().cast());
    let mut out_bytes = 0;
    // SAFETY: the cipher's key outlives the call; iv is one block, borrowed apart from the buffer;
    // the buffer has `capacity` bytes to write, of which the first n_bytes are read.
    unsafe {
        ffi::mf_cbc_encrypt_padded(
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
    key: &Twofish,
    iv: &mut [u8; BLOCK],
    data: &mut [u8],
) -> Result<usize, Status> {
    let (cipher, n_bytes, place) = (key.cipher(), data.len(), data.as_mut_ptr().cast());
    let mut out_bytes = 0;
    // SAFETY: as in cbc_encrypt_padded; the whole buffer is read and may be written.
    unsafe {
        ffi::mf_cbc_decrypt_padded(
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

/// A CTR key stream. It owns a share of the key, whose address the C side holds.
#[allow(missing_debug_implementations)] // it holds key stream
pub struct Ctr {
    state: Box<State>,
    _key: Twofish,
}

/// The C state, wiped when dropped.
#[repr(transparent)]
struct State(mf_ctr);

impl Drop for State {
    fn drop(&mut self) {
        // SAFETY: Ctr::new has filled it.
        unsafe { ffi::mf_ctr_wipe(&raw mut self.0) }
    }
}

// SAFETY: the pointers in state are to static functions and to the context that _key shares, which
// nobody writes until its last owner goes.
unsafe impl Send for Ctr {}
// SAFETY: a shared Ctr gives access to nothing.
unsafe impl Sync for Ctr {}

impl Ctr {
    /// Starts at the counter block `initial`, whose last 32 or 128 bits count.
    pub fn new(key: Twofish, initial: &[u8; BLOCK], counter_bits: u32) -> Result<Self, Status> {
        let cipher = key.cipher();
        let mut state = Box::new(MaybeUninit::<State>::zeroed());
        let initial = initial.as_ptr().cast();
        let place = state.as_mut_ptr().cast();
        // SAFETY: place is room for an mf_ctr, cipher is copied, initial is one block.
        unsafe { ffi::mf_ctr_init(place, &raw const cipher, initial, counter_bits) }.check()?;
        // SAFETY: mf_ctr_init has filled it.
        Ok(Self { state: unsafe { state.assume_init() }, _key: key })
    }

    /// Encrypts or decrypts the next bytes.
    pub fn crypt(&mut self, data: &InOut) -> Result<(), Status> {
        // SAFETY: new has filled state, its key is alive in _key; data spans n_bytes on both sides.
        unsafe {
            ffi::mf_ctr_crypt(&raw mut self.state.0, data.out(), data.input(), data.n_bytes())
        }
        .check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::is_wiped_when_dropped;

    #[test]
    fn key_stream_is_wiped() {
        let mut ctr = Ctr::new(Twofish::new(None, &[7; 16]).unwrap(), &[0; BLOCK], 128).unwrap();
        ctr.crypt(&InOut::in_place(&mut [0; 5])).unwrap();
        assert!(is_wiped_when_dropped(*ctr.state));
    }
}
