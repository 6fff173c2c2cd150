// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A block cipher of which nothing is known but that it is one: a permutation of blocks for one key. Each block that is
//! asked for first gets an image of new symbols, and the same block gets the same image ever after.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, Byte, UNKNOWN};

pub type Bytes = Vec<Byte>;
/// Makes the symbols; or constants, for the tests of the proof itself.
pub type Fresh = Rc<RefCell<dyn FnMut(&mut Algebra) -> Byte>>;

pub struct Oracle {
    pub block_bytes: usize,
    fresh: Fresh,
    images: FxHashMap<Bytes, Bytes>,
    originals: FxHashMap<Bytes, Bytes>,
}

impl Oracle {
    pub fn new(block_bytes: usize, fresh: Fresh) -> Self {
        Self {
            block_bytes,
            fresh,
            images: FxHashMap::default(),
            originals: FxHashMap::default(),
        }
    }

    pub fn encrypt(&mut self, algebra: &mut Algebra, block: &[Byte]) -> Result<Bytes, String> {
        let block = self.settled(algebra, block)?;
        if let Some(image) = self.images.get(&block) {
            return Ok(image.clone());
        }
        let image = symbols(algebra, &self.fresh, self.block_bytes);
        self.pair(block, image.clone());
        Ok(image)
    }

    pub fn decrypt(&mut self, algebra: &mut Algebra, block: &[Byte]) -> Result<Bytes, String> {
        let block = self.settled(algebra, block)?;
        if let Some(original) = self.originals.get(&block) {
            return Ok(original.clone());
        }
        let original = symbols(algebra, &self.fresh, self.block_bytes);
        self.pair(original.clone(), block);
        Ok(original)
    }

    /// Chooses the last byte of the image of a block, unless it has an image: one case among all of its values.
    pub fn suppose_last(&mut self, algebra: &mut Algebra, block: &[Byte], last: u8) {
        let block = settle(algebra, block);
        if !self.images.contains_key(&block) {
            let mut image = symbols(algebra, &self.fresh, self.block_bytes);
            image[self.block_bytes - 1] = last.into();
            self.pair(block, image);
        }
    }

    fn pair(&mut self, block: Bytes, image: Bytes) {
        self.images.insert(block.clone(), image.clone());
        self.originals.insert(image, block);
    }

    fn settled(&self, algebra: &mut Algebra, block: &[Byte]) -> Result<Bytes, String> {
        if block.len() != self.block_bytes || block.contains(&UNKNOWN) {
            return Err("the cipher gets a block of which nothing is known".into());
        }
        Ok(settle(algebra, block))
    }
}

/// Multiplication by H of [SP800-38D, 6.4] as a function of which nothing is known.
pub struct Hash {
    fresh: Fresh,
    images: FxHashMap<(Bytes, Bytes), Bytes>,
}

impl Hash {
    pub fn new(fresh: Fresh) -> Self {
        Self {
            fresh,
            images: FxHashMap::default(),
        }
    }

    pub fn multiply(&mut self, algebra: &mut Algebra, block: &[Byte], h: &[Byte]) -> Bytes {
        let key = (settle(algebra, h), settle(algebra, block));
        let fresh = &self.fresh;
        self.images
            .entry(key)
            .or_insert_with(|| symbols(algebra, fresh, 16))
            .clone()
    }

    /// Chooses the last byte of a product, unless it is known.
    pub fn suppose_last(&mut self, algebra: &mut Algebra, block: &[Byte], h: &[Byte], last: u8) {
        let key = (settle(algebra, h), settle(algebra, block));
        let fresh = &self.fresh;
        self.images.entry(key).or_insert_with(|| {
            let mut image = symbols(algebra, fresh, 16);
            image[15] = last.into();
            image
        });
    }
}

pub fn symbols(algebra: &mut Algebra, fresh: &Fresh, n: usize) -> Bytes {
    let mut fresh = fresh.borrow_mut();
    (0..n).map(|_| fresh(algebra)).collect()
}

pub fn settle(algebra: &mut Algebra, bytes: &[Byte]) -> Bytes {
    bytes.iter().map(|&byte| algebra.settle(byte)).collect()
}
