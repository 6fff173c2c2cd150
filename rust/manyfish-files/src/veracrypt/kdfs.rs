// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The functions that make header keys \[VeraCrypt, Header Key Derivation\]. No header says which of them made it.

use crate::{Hash, Kdf};

/// All functions that may have made a header with this salt.
pub fn all(salt: &[u8], pim: Option<u32>, is_system: bool) -> Vec<Kdf> {
    let pbkdf2 = |(hash, iterations)| Kdf::Pbkdf2 { hash, iterations, salt: salt.to_vec() };
    let iterated = truecrypt(is_system).into_iter().chain(veracrypt(pim, is_system)).map(pbkdf2);
    iterated.chain(argon2(salt, pim)).collect()
}

fn truecrypt(is_system: bool) -> Vec<(Hash, u32)> {
    if is_system {
        return vec![(Hash::Ripemd160, 1000)];
    }
    vec![(Hash::Ripemd160, 2000), (Hash::Sha512, 1000), (Hash::Whirlpool, 1000)]
}

fn veracrypt(pim: Option<u32>, is_system: bool) -> Vec<(Hash, u32)> {
    use Hash::{Blake2s, Ripemd160, Sha256, Sha512, Streebog, Whirlpool};
    let by_pim = |pim: u32| 15_000_u32.saturating_add(pim.saturating_mul(1000));
    let of_system = |pim: u32| pim.saturating_mul(2048).max(1);
    let iterations = pim.map_or(500_000, by_pim);
    // RIPEMD-160 was left out in 1.26.
    let ripemd160 = pim.map_or(655_331, by_pim);
    let mut kdfs: Vec<_> = [Sha512, Sha256, Blake2s, Whirlpool, Streebog]
        .into_iter()
        .map(|hash| (hash, iterations))
        .chain([(Ripemd160, ripemd160)])
        .collect();
    if is_system {
        let boots = pim.map_or(200_000, of_system);
        kdfs.extend([Sha256, Blake2s, Streebog].map(|hash| (hash, boots)));
        kdfs.push((Ripemd160, pim.map_or(327_661, of_system)));
    }
    kdfs
}

/// From 1.26.27 on. 192 bytes are derived for each cascade.
fn argon2(salt: &[u8], pim: Option<u32>) -> Vec<Kdf> {
    let kdf = |pim: u32| {
        let mib = 64_u32.saturating_add((pim - 1).saturating_mul(32)).min(1024);
        let passes = if pim <= 31 { 3 + (pim - 1) / 3 } else { 13 + (pim - 31) };
        Kdf::Argon2 { is_id: true, passes, memory: mib << 10, lanes: 1, salt: salt.to_vec() }
    };
    pim.map_or(vec![12], |pim| vec![pim.max(1)]).into_iter().map(kdf).collect()
}
