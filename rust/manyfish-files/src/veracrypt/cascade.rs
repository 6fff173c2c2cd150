// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Ciphers in XTS, one after the other, each with keys of its own. Twofish is ours; the others are those of RustCrypto.

use aes::Aes256;
use cipher05::array::Array;
use cipher05::consts::U16;
use cipher05::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use kuznyechik::Kuznyechik;
use manyfish::Twofish;
use manyfish::modes::Xts;
use serpent::Serpent;

use crate::sectors::{Decrypt, UNIT};
use crate::{Error, Result};

type Block = Array<u8, U16>;

const KEY_BYTES: usize = 32;
/// Blocks that a foreign cipher takes at once: a sector.
const GROUP: usize = UNIT / 16;

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
    /// Keys of all ciphers, in the order in which they encrypt; then those of their tweaks.
    pub fn with_keys(&self, keys: &[u8]) -> Result<Ciphers> {
        let n = self.ciphers.len();
        let key = |i: usize| &keys[KEY_BYTES * i..KEY_BYTES * (i + 1)];
        let ciphers = self.ciphers.iter().zip((0..n).rev());
        let ciphers = ciphers.map(|(cipher, i)| cipher.with_keys(key(i), key(n + i)));
        Ok(Ciphers(ciphers.collect::<Result<_>>()?))
    }
}

impl Cipher {
    fn with_keys(self, data: &[u8], tweak: &[u8]) -> Result<Box<dyn Decrypt>> {
        let bad = |_| Error::Unsupported("a key of another length".into());
        Ok(match self {
            Self::Aes => Foreign::<Aes256>::boxed(data, tweak)?,
            Self::Kuznyechik => Foreign::<Kuznyechik>::boxed(data, tweak)?,
            Self::Serpent => Foreign::<Serpent>::boxed(data, tweak)?,
            Self::Twofish => {
                let twofish = |key| Twofish::new(key).map_err(bad);
                Box::new(Ours(Xts::new(&twofish(data)?, &twofish(tweak)?)))
            }
        })
    }
}

/// The ciphers of a cascade with their keys.
pub struct Ciphers(Vec<Box<dyn Decrypt>>);

impl Ciphers {
    /// Decrypts one unit of any number of blocks.
    pub fn decrypt_unit(&self, number: u64, unit: &mut [u8]) {
        self.0.iter().for_each(|cipher| cipher.decrypt(number, unit.len(), unit));
    }
}

impl Decrypt for Ciphers {
    /// Sector by sector through all ciphers, so that it stays in the cache.
    fn decrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        self.0.iter().for_each(|cipher| cipher.decrypt(number, sector_bytes, data));
    }
}

struct Ours(Xts);

impl Decrypt for Ours {
    fn decrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        self.0.decrypt_sectors(number, sector_bytes, data).expect("whole sectors");
    }
}

/// XTS of another cipher [IEEE1619, 5].
struct Foreign<C> {
    data: C,
    tweak: C,
}

impl<C> Foreign<C>
where
    C: BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt<BlockSize = U16> + KeyInit,
    C: Send + Sync + 'static,
{
    /// On the heap from the start, where the keys stay.
    fn boxed(data: &[u8], tweak: &[u8]) -> Result<Box<dyn Decrypt>> {
        let cipher = |key| {
            C::new_from_slice(key).map_err(|_| Error::Unsupported("a key of another length".into()))
        };
        Ok(Box::new(Self { data: cipher(data)?, tweak: cipher(tweak)? }))
    }

    fn first_tweak(&self, number: u64) -> u128 {
        let mut block = Block::default();
        block[..8].copy_from_slice(&number.to_le_bytes());
        self.tweak.encrypt_block(&mut block);
        u128::from_le_bytes(block.into())
    }

    fn decrypt_sector(&self, mut tweak: u128, sector: &mut [u8]) {
        let mut tweaks = [Block::default(); GROUP];
        let (blocks, _) = Block::slice_as_chunks_mut(sector);
        for group in blocks.chunks_mut(GROUP) {
            for (block, mask) in group.iter_mut().zip(&mut tweaks) {
                *mask = tweak.to_le_bytes().into();
                tweak = times_x(tweak);
                xor(block, mask);
            }
            self.data.decrypt_blocks(group);
            group.iter_mut().zip(&tweaks).for_each(|(block, mask)| xor(block, mask));
        }
    }
}

impl<C> Decrypt for Foreign<C>
where
    C: BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt<BlockSize = U16> + KeyInit,
    C: Send + Sync + 'static,
{
    fn decrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        for (sector, i) in data.chunks_mut(sector_bytes).zip(0..) {
            self.decrypt_sector(self.first_tweak(number.wrapping_add(i)), sector);
        }
    }
}

/// In GF(2^128), without a branch.
fn times_x(tweak: u128) -> u128 {
    (tweak << 1) ^ (0x87 & (tweak >> 127).wrapping_neg())
}

fn xor(block: &mut Block, mask: &Block) {
    let sum = u128::from_ne_bytes((*block).into()) ^ u128::from_ne_bytes((*mask).into());
    *block = sum.to_ne_bytes().into();
}
