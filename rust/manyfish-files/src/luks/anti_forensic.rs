// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The split of a key into stripes, all of which are needed, so that wiping a few bytes of a disk loses the key
//! \[LUKS1, 2.4\].

use crate::Hash;
use crate::kdf::{Secret, secret};

/// The key of `n_bytes` from its stripes.
pub fn merge(stripes: &[u8], n_bytes: usize, hash: Hash) -> Secret {
    let mut key = secret(n_bytes);
    let mut stripes = stripes.chunks_exact(n_bytes).peekable();
    while let Some(stripe) = stripes.next() {
        key.iter_mut().zip(stripe).for_each(|(a, b)| *a ^= b);
        if stripes.peek().is_some() {
            diffuse(&mut key, hash);
        }
    }
    key
}

/// Hashes each piece of the size of a digest, with its number in front.
fn diffuse(key: &mut [u8], hash: Hash) {
    for (piece, number) in key.chunks_mut(hash.bytes()).zip(0_u32..) {
        let digest = hash.of(&[&number.to_be_bytes(), piece]);
        piece.copy_from_slice(&digest[..piece.len()]);
    }
}
