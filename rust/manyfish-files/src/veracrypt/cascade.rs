// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Ciphers one after the other, each with keys of its own. Twofish is ours; the others are those of RustCrypto.

use aes::Aes256;
use kuznyechik::Kuznyechik;
use manyfish::modes::Xts;
use serpent::Serpent;

use crate::blocks::{Blocks, foreign, twofish};
use crate::sectors::{DiskCipher, WHOLE};
use crate::xts::ForeignXts;

const KEY_BYTES: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cipher {
    Aes,
    Kuznyechik,
    Serpent,
    Twofish,
}

/// Ciphers in the order in which they decrypt.
#[derive(Debug)]
pub struct Cascade {
    pub name: &'static str,
    ciphers: &'static [Cipher],
}

/// All that have Twofish, by the names of VeraCrypt: the first decrypts first.
pub static CASCADES: [Cascade; 6] = {
    use Cipher::{Aes, Kuznyechik, Serpent, Twofish};
    [
        Cascade { name: "Twofish", ciphers: &[Twofish] },
        Cascade { name: "AES-Twofish", ciphers: &[Aes, Twofish] },
        Cascade { name: "AES-Twofish-Serpent", ciphers: &[Aes, Twofish, Serpent] },
        Cascade { name: "Kuznyechik-Twofish", ciphers: &[Kuznyechik, Twofish] },
        Cascade { name: "Serpent-Twofish-AES", ciphers: &[Serpent, Twofish, Aes] },
        Cascade { name: "Twofish-Serpent", ciphers: &[Twofish, Serpent] },
    ]
};

impl Cascade {
    /// Each cipher in XTS. All keys, in the order in which the ciphers encrypt, are followed by those of the tweaks.
    pub fn xts(&self, keys: &[u8]) -> Box<dyn DiskCipher> {
        let tweaks = &keys[KEY_BYTES * self.ciphers.len()..];
        let ciphers = self.with_keys(keys).zip(self.with_keys(tweaks));
        let ciphers = ciphers.map(|((cipher, data), (_, tweak))| cipher.xts(data, tweak));
        Box::new(ciphers.collect::<Vec<_>>())
    }

    /// The cascade as a cipher of blocks, with keys in the same order.
    pub fn blocks(&self, keys: &[u8]) -> Vec<Box<dyn Blocks>> {
        self.with_keys(keys).map(|(cipher, key)| cipher.blocks(key)).collect()
    }

    fn with_keys<'a>(&self, keys: &'a [u8]) -> impl Iterator<Item = (Cipher, &'a [u8])> {
        let keys = keys.chunks(KEY_BYTES).take(self.ciphers.len()).rev();
        self.ciphers.iter().copied().zip(keys)
    }
}

impl Cipher {
    fn xts(self, data: &[u8], tweak: &[u8]) -> Box<dyn DiskCipher> {
        match self {
            Self::Twofish => Box::new(Xts::new(&twofish(data), &twofish(tweak))),
            _ => Box::new(ForeignXts { data: self.blocks(data), tweak: self.blocks(tweak) }),
        }
    }

    fn blocks(self, key: &[u8]) -> Box<dyn Blocks> {
        match self {
            Self::Aes => foreign::<Aes256>(key),
            Self::Kuznyechik => foreign::<Kuznyechik>(key),
            Self::Serpent => foreign::<Serpent>(key),
            Self::Twofish => Box::new(twofish(key)),
        }
    }
}

/// A cascade, in the order in which it decrypts.
impl DiskCipher for Vec<Box<dyn DiskCipher>> {
    fn encrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        for cipher in self.iter().rev() {
            cipher.encrypt(number, sector_bytes, data);
        }
    }

    fn decrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        for cipher in self {
            cipher.decrypt(number, sector_bytes, data);
        }
    }
}

/// Of single units, or of sectors of 512 bytes, which are numbered one by one.
impl DiskCipher for Xts {
    fn encrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        self.encrypt_sectors(number, sector_bytes, data).expect(WHOLE);
    }

    fn decrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        self.decrypt_sectors(number, sector_bytes, data).expect(WHOLE);
    }
}
