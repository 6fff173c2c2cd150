// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The split of a key into stripes, all of which are needed, so that wiping a few bytes of a disk loses the key
//! \[LUKS1, 2.4\].

use crate::kdf::{Secret, random, secret};
use crate::sectors::xor;
use crate::{Hash, Result};

/// The key of `n_bytes` from its stripes.
pub fn merge(stripes: &[u8], n_bytes: usize, hash: Hash) -> Secret {
    let (others, last) = stripes.split_at(stripes.len() - n_bytes);
    let mut key = mixed(others, n_bytes, hash);
    xor(&mut key, last);
    key
}

/// New stripes of a key: all are random but the last one, which fits them.
pub fn split(key: &[u8], stripes: usize, hash: Hash) -> Result<Secret> {
    let mut material = random(key.len() * stripes)?;
    let (others, last) = material.split_at_mut(key.len() * (stripes - 1));
    last.copy_from_slice(key);
    xor(last, &mixed(others, key.len(), hash));
    Ok(material)
}

fn mixed(stripes: &[u8], n_bytes: usize, hash: Hash) -> Secret {
    let mut sum = secret(n_bytes);
    for stripe in stripes.chunks_exact(n_bytes) {
        xor(&mut sum, stripe);
        diffuse(&mut sum, hash);
    }
    sum
}

/// Hashes each piece of the size of a digest, with its number in front.
fn diffuse(key: &mut [u8], hash: Hash) {
    for (piece, number) in key.chunks_mut(hash.bytes()).zip(0_u32..) {
        let digest = hash.of(&[&number.to_be_bytes(), piece]);
        piece.copy_from_slice(&digest[..piece.len()]);
    }
}
