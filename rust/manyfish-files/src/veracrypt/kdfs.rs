// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The functions that make header keys \[VeraCrypt, Header Key Derivation\]. No header says which of them made it.

use crate::{Hash, Kdf};

/// The default PIM of Argon2.
const ARGON2_PIM: u32 = 12;

/// The functions that may have made a header of VeraCrypt with this salt, the likeliest first.
pub fn veracrypt(salt: &[u8], pim: Option<u32>, is_system: bool) -> Vec<Kdf> {
    let hashes = hashes_of_veracrypt(pim, is_system).into_iter();
    let mut kdfs: Vec<_> = hashes.map(|hash| pbkdf2(salt, hash)).collect();
    kdfs.insert(3, argon2(salt, pim));
    kdfs
}

/// The same for TrueCrypt, whose functions are quick. SHA-1 went in 5.0.
pub fn truecrypt(salt: &[u8], is_system: bool) -> Vec<Kdf> {
    use Hash::{Ripemd160, Sha1, Sha512, Whirlpool};
    let hashes: &[_] = if is_system {
        &[(Ripemd160, 1000)]
    } else {
        &[(Ripemd160, 2000), (Sha512, 1000), (Whirlpool, 1000), (Sha1, 2000)]
    };
    hashes.iter().map(|hash| pbkdf2(salt, *hash)).collect()
}

fn pbkdf2(salt: &[u8], (hash, iterations): (Hash, u32)) -> Kdf {
    Kdf::Pbkdf2 { hash, iterations, salt: salt.to_vec() }
}

fn hashes_of_veracrypt(pim: Option<u32>, is_system: bool) -> Vec<(Hash, u32)> {
    use Hash::{Blake2s, Ripemd160, Sha256, Sha512, Streebog, Whirlpool};
    let by_pim = |pim: u32| 15_000_u32.saturating_add(pim.saturating_mul(1000));
    let of_system = |pim: u32| pim.saturating_mul(2048).max(1);
    let iterations = pim.map_or(500_000, by_pim);
    // RIPEMD-160 was left out in 1.26.
    let ripemd160 = pim.map_or(655_331, by_pim);
    let mut kdfs: Vec<_> =
        [Sha512, Sha256, Blake2s, Whirlpool].map(|hash| (hash, iterations)).into();
    kdfs.extend([(Ripemd160, ripemd160), (Streebog, iterations)]);
    if is_system {
        let boots = pim.map_or(200_000, of_system);
        kdfs.extend([Sha256, Blake2s, Streebog].map(|hash| (hash, boots)));
        kdfs.push((Ripemd160, pim.map_or(327_661, of_system)));
    }
    kdfs
}

/// Whether it is Argon2 under a PIM that makes it slower than the default.
pub fn is_costly(kdf: &Kdf, pim: Option<u32>) -> bool {
    matches!(kdf, Kdf::Argon2 { .. }) && pim > Some(ARGON2_PIM)
}

/// From 1.26.27 on. 192 bytes are derived for each cascade.
fn argon2(salt: &[u8], pim: Option<u32>) -> Kdf {
    let pim = pim.unwrap_or(ARGON2_PIM).max(1);
    let mib = 64_u32.saturating_add((pim - 1).saturating_mul(32)).min(1024);
    let passes = if pim <= 31 { 3 + (pim - 1) / 3 } else { 13 + (pim - 31) };
    Kdf::Argon2 { is_id: true, passes, memory: mib << 10, lanes: 1, salt: salt.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// \[VeraCrypt, Personal Iterations Multiplier]
    #[test]
    fn a_pim_sets_the_cost() {
        let told = |pim, is_system| -> Vec<_> {
            let kdfs = [truecrypt(&[0; 64], is_system), veracrypt(&[0; 64], pim, is_system)];
            kdfs.iter().flatten().map(ToString::to_string).collect()
        };
        for (pim, expected) in [
            (None, "PBKDF2 with SHA-512, 500000 iterations"),
            (None, "PBKDF2 with RIPEMD-160, 655331 iterations"),
            (None, "Argon2id, 6 passes, 1 lane, 425984 KiB of memory"),
            (Some(485), "PBKDF2 with SHA-512, 500000 iterations"),
            (Some(1), "PBKDF2 with BLAKE2s, 16000 iterations"),
            (Some(1), "Argon2id, 3 passes, 1 lane, 65536 KiB of memory"),
            (Some(31), "Argon2id, 13 passes, 1 lane, 1048576 KiB of memory"),
            (Some(40), "Argon2id, 22 passes, 1 lane, 1048576 KiB of memory"),
        ] {
            assert!(told(pim, false).iter().any(|kdf| kdf == expected), "{expected}");
        }
        for (pim, expected) in [
            (None, "PBKDF2 with SHA-256, 200000 iterations"),
            (Some(98), "PBKDF2 with SHA-256, 200704 iterations"),
            (None, "PBKDF2 with RIPEMD-160, 1000 iterations"),
        ] {
            assert!(told(pim, true).iter().any(|kdf| kdf == expected), "{expected}");
        }
    }
}
