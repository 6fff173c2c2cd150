// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! XTS of ciphers that are not ours.

use manyfish::BLOCK_BYTES;

use crate::blocks::Blocks;
use crate::sectors::{DiskCipher, UNIT, numbers};

/// Blocks that a cipher takes at once: a sector.
const GROUP: usize = UNIT / BLOCK_BYTES;

type Block = [u8; BLOCK_BYTES];

/// A cipher in XTS \[IEEE1619, 5\], with keys for data and tweaks.
pub struct ForeignXts {
    pub data: Box<dyn Blocks>,
    pub tweak: Box<dyn Blocks>,
}

impl ForeignXts {
    fn each(
        &self,
        number: u64,
        sector_bytes: usize,
        data: &mut [u8],
        work: impl Fn(&dyn Blocks, &mut [u8]),
    ) {
        for (sector, number) in data.chunks_mut(sector_bytes).zip(numbers(number, sector_bytes)) {
            self.sector(self.first_tweak(number), sector, &work);
        }
    }

    fn first_tweak(&self, number: u64) -> u128 {
        let mut block = u128::from(number).to_le_bytes();
        self.tweak.encrypt(&mut block);
        u128::from_le_bytes(block)
    }

    fn sector(&self, mut tweak: u128, sector: &mut [u8], work: impl Fn(&dyn Blocks, &mut [u8])) {
        let mut tweaks = [Block::default(); GROUP];
        let (blocks, _) = sector.as_chunks_mut();
        for group in blocks.chunks_mut(GROUP) {
            for (block, mask) in group.iter_mut().zip(&mut tweaks) {
                *mask = tweak.to_le_bytes();
                tweak = times_x(tweak);
                xor(block, mask);
            }
            work(&*self.data, group.as_flattened_mut());
            group.iter_mut().zip(&tweaks).for_each(|(block, mask)| xor(block, mask));
        }
    }
}

impl DiskCipher for ForeignXts {
    fn encrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        self.each(number, sector_bytes, data, |cipher, blocks| cipher.encrypt(blocks));
    }

    fn decrypt(&self, number: u64, sector_bytes: usize, data: &mut [u8]) {
        self.each(number, sector_bytes, data, |cipher, blocks| cipher.decrypt(blocks));
    }
}

/// In GF(2^128), without a branch.
fn times_x(tweak: u128) -> u128 {
    (tweak << 1) ^ (0x87 & (tweak >> 127).wrapping_neg())
}

fn xor(block: &mut Block, mask: &Block) {
    *block = (u128::from_ne_bytes(*block) ^ u128::from_ne_bytes(*mask)).to_ne_bytes();
}
