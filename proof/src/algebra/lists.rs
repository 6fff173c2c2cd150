// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Lists of numbers, stored once each: one after the other, with a hash table of their places.

use std::ops::Index;

pub(super) struct Lists {
    numbers: Vec<u32>,
    /// Where each list ends.
    ends: Vec<u32>,
    /// A power of two of places, each with 32 bits of a hash above the number of the list plus 1; 0: it is free. The
    /// hash's highest bits are the place, or one that is free after it.
    slots: Vec<u64>,
}

const SLOTS: usize = 1 << 10;

fn hash(list: &[u32]) -> u64 {
    let mixed = list.iter().fold(list.len() as u64, |hash, &number| {
        let product = (hash ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    });
    mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).expect("fewer than 2^32")
}

impl Lists {
    pub(super) fn new() -> Self {
        Self {
            numbers: Vec::new(),
            ends: Vec::new(),
            slots: vec![0; SLOTS],
        }
    }

    /// The number of a list.
    pub(super) fn add(&mut self, list: &[u32]) -> u32 {
        let hash = hash(list);
        let mut at = self.place(hash);
        while self.slots[at] != 0 {
            let number = (self.slots[at] & 0xFFFF_FFFF) as u32 - 1;
            if self.slots[at] >> 32 == hash && self[number] == *list {
                return number;
            }
            at = (at + 1) % self.slots.len();
        }
        let number = narrow(self.ends.len());
        self.numbers.extend_from_slice(list);
        self.ends.push(narrow(self.numbers.len()));
        self.slots[at] = hash << 32 | u64::from(number + 1);
        if self.ends.len() > self.slots.len() / 8 * 5 {
            self.grow();
        }
        number
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize >> (32 - self.slots.len().trailing_zeros())
    }

    fn grow(&mut self) {
        let larger = vec![0; 2 * self.slots.len()];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot != 0 {
                let mut at = self.place(slot >> 32);
                while self.slots[at] != 0 {
                    at = (at + 1) % self.slots.len();
                }
                self.slots[at] = slot;
            }
        }
    }
}

impl Index<u32> for Lists {
    type Output = [u32];

    fn index(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = if number == 0 {
            0
        } else {
            self.ends[number - 1]
        };
        &self.numbers[start as usize..self.ends[number] as usize]
    }
}
