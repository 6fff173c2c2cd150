// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The modes of TrueCrypt before 5.0, withdrawn since: LRW from 4.1 on, and CBC with a whitening \[TC43\]. A cascade is one
//! cipher to them.

use manyfish::BLOCK_BYTES;
use zeroize::Zeroizing;

use crate::blocks::Blocks;
use crate::lrw::Lrw;
use crate::sectors::{DiskCipher, UNIT, xor};

use super::cascade::Cascade;

/// The part of the keys before those of the ciphers.
const SEED_BYTES: usize = 32;
const BLOCKS_A_SECTOR: u128 = (UNIT / BLOCK_BYTES) as u128;

type Block = [u8; BLOCK_BYTES];
type Ciphers = Vec<Box<dyn Blocks>>;

pub fn lrw(cascade: &Cascade, keys: &[u8]) -> Box<dyn DiskCipher> {
    let (seed, keys) = keys.split_at(SEED_BYTES);
    let tweak_key = *seed.first_chunk().expect("16 of 32 bytes");
    Box::new(Lrw::new(cascade.blocks(keys), tweak_key))
}

pub fn cbc(cascade: &Cascade, keys: &[u8]) -> Cbc {
    let (seed, keys) = keys.split_at(SEED_BYTES);
    let seed = seed.try_into().expect("32 bytes");
    Cbc { cipher: cascade.blocks(keys), seed: Zeroizing::new(seed) }
}

/// Blocks are counted from 1, and sectors from 0.
impl DiskCipher for Lrw<Ciphers> {
    fn encrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        for (sector, number) in data.chunks_mut(sector_bytes).zip(number..) {
            Self::encrypt(self, BLOCKS_A_SECTOR * u128::from(number) + 1, sector);
        }
    }

    fn decrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        for (sector, number) in data.chunks_mut(sector_bytes).zip(number..) {
            Self::decrypt(self, BLOCKS_A_SECTOR * u128::from(number) + 1, sector);
        }
    }
}

/// CBC, whose ciphertext is masked by the same 8 bytes again and again.
pub struct Cbc {
    cipher: Ciphers,
    seed: Zeroizing<[u8; SEED_BYTES]>,
}

impl Cbc {
    /// Decrypts a header.
    pub fn decrypt_header(&self, header: &mut [u8]) {
        let iv = self.seed.first_chunk().expect("16 of 32 bytes");
        self.decrypt_unit(iv, &self.seed[8..16], header);
    }

    fn decrypt_unit(&self, iv: &Block, mask: &[u8], unit: &mut [u8]) {
        unit.chunks_mut(mask.len()).for_each(|part| xor(part, mask));
        let sealed = unit.to_vec();
        self.cipher.decrypt(unit);
        let (first, rest) = unit.split_at_mut(BLOCK_BYTES);
        xor(first, iv);
        xor(rest, &sealed);
    }

    fn encrypt_unit(&self, mut iv: Zeroizing<Block>, mask: &[u8], unit: &mut [u8]) {
        for block in unit.as_chunks_mut().0 {
            xor(block, &*iv);
            self.cipher.encrypt(block);
            *iv = *block;
        }
        unit.chunks_mut(mask.len()).for_each(|part| xor(part, mask));
    }

    /// The IV and the mask of a sector.
    fn of_sector(&self, number: u64) -> (Zeroizing<Block>, Zeroizing<[u8; 8]>) {
        let mut seed = self.seed.clone();
        seed.chunks_mut(8).for_each(|part| xor(part, &number.to_le_bytes()));
        let (iv, mask) = seed.split_at(BLOCK_BYTES);
        let sum = |i: usize| crc32fast::hash(&mask[4 * i..4 * i + 4]);
        let mask = u64::from(sum(0) ^ sum(3)) | u64::from(sum(1) ^ sum(2)) << 32;
        let iv = Zeroizing::new(iv.try_into().expect("16 bytes"));
        (iv, Zeroizing::new(mask.to_le_bytes()))
    }
}

impl DiskCipher for Cbc {
    fn encrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        for (sector, number) in data.chunks_mut(sector_bytes).zip(number..) {
            let (iv, mask) = self.of_sector(number);
            self.encrypt_unit(iv, &*mask, sector);
        }
    }

    fn decrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        for (sector, number) in data.chunks_mut(sector_bytes).zip(number..) {
            let (iv, mask) = self.of_sector(number);
            self.decrypt_unit(&iv, &*mask, sector);
        }
    }
}
