// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CCM in pieces. The library has whole messages only, because the lengths come first in what is
//! authenticated; here they are declared. Names are those of [SP800-38C, appendix A].

use manyfish_sys::{Ctr, InOut, Key, Status, cbc_encrypt, ecb_encrypt};
use zeroize::Zeroizing;

use crate::buffer::Data;
use crate::pieces::Message;

const BLOCK: usize = 16;
/// Bytes that CBC encrypts at a time only for their last block.
const PIECE_BYTES: usize = 4096;

/// CBC-MAC of strings that are each filled with zeros to whole blocks.
struct CbcMac {
    key: Key,
    mac: Zeroizing<[u8; BLOCK]>,
    rest: Zeroizing<[u8; BLOCK]>,
    rest_bytes: usize,
}

impl CbcMac {
    fn blocks(&mut self, data: &[u8]) -> Result<(), Status> {
        let mut out = Zeroizing::new([0; PIECE_BYTES]);
        for piece in data.chunks(PIECE_BYTES) {
            cbc_encrypt(&self.key, &mut *self.mac, &InOut::copying(&mut *out, piece)?)?;
        }
        Ok(())
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Status> {
        let room = BLOCK - self.rest_bytes;
        let (first, data) = data.split_at(room.min(data.len()));
        self.rest[self.rest_bytes..][..first.len()].copy_from_slice(first);
        self.rest_bytes += first.len();
        if self.rest_bytes < BLOCK {
            return Ok(());
        }
        let block = self.rest.clone();
        self.blocks(&*block)?;
        let (whole, rest) = data.split_at(data.len() / BLOCK * BLOCK);
        self.blocks(whole)?;
        self.rest[..rest.len()].copy_from_slice(rest);
        self.rest_bytes = rest.len();
        Ok(())
    }

    /// Ends a string.
    fn fill(&mut self) -> Result<(), Status> {
        match self.rest_bytes {
            0 => Ok(()),
            n_bytes => self.update(&[0; BLOCK][n_bytes..]),
        }
    }
}

/// A message in work, of the lengths that were declared; that they are kept is the Python code's matter.
pub struct Ccm {
    mac: CbcMac,
    ctr: Ctr,
    s_0: Zeroizing<[u8; BLOCK]>,
    in_text: bool,
}

/// The associated data's length as its prefix. [SP800-38C, A.2.2]
fn encoded_length(n_bytes: u64) -> Vec<u8> {
    match n_bytes {
        0 => vec![],
        1..0xFF00 => n_bytes.to_be_bytes()[6..].to_vec(),
        0xFF00..=0xFFFF_FFFF => [&[0xFF, 0xFE], &n_bytes.to_be_bytes()[4..]].concat(),
        _ => [&[0xFF, 0xFF][..], &n_bytes.to_be_bytes()].concat(),
    }
}

impl Ccm {
    /// `nonce` has 7 to 13 bytes, `tag_bytes` is even, 4 to 16, and `n_bytes` fits into 15 - nonce bytes.
    pub fn new(
        key: &Key,
        nonce: &[u8],
        aad_bytes: u64,
        n_bytes: u64,
        tag_bytes: u8,
    ) -> Result<Self, Status> {
        let q = BLOCK - 1 - nonce.len();
        let mut block = [0; BLOCK];
        let q_flag = u8::try_from(q - 1).expect("1 to 7");
        block[1..=nonce.len()].copy_from_slice(nonce);

        block[0] = q_flag;
        let mut s_0 = Zeroizing::new(block);
        ecb_encrypt(key, &InOut::in_place(&mut *s_0))?;
        let mut a_1 = block;
        a_1[BLOCK - 1] = 1;

        block[0] = u8::from(aad_bytes > 0) << 6 | ((tag_bytes - 2) / 2) << 3 | q_flag;
        let n_length = q.min(8);
        block[BLOCK - n_length..].copy_from_slice(&n_bytes.to_be_bytes()[8 - n_length..]);
        let zeros = || Zeroizing::new([0; BLOCK]);
        let mut mac = CbcMac { key: key.clone(), mac: zeros(), rest: zeros(), rest_bytes: 0 };
        mac.update(&block)?;
        mac.update(&encoded_length(aad_bytes))?;
        Ok(Self { mac, ctr: Ctr::new(key.clone(), &a_1, 128)?, s_0, in_text: false })
    }

    /// The associated data has ended.
    fn begin_text(&mut self) -> Result<(), Status> {
        if !self.in_text {
            self.mac.fill()?;
            self.in_text = true;
        }
        Ok(())
    }
}

impl Message for Ccm {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Status> {
        self.mac.update(aad)
    }

    fn encrypt(&mut self, mut data: Data) -> Result<(), Status> {
        self.begin_text()?;
        let data = data.copied();
        self.mac.update(data)?;
        self.ctr.crypt(&InOut::in_place(data))
    }

    fn decrypt(&mut self, mut data: Data) -> Result<(), Status> {
        self.begin_text()?;
        let data = data.copied();
        self.ctr.crypt(&InOut::in_place(data))?;
        self.mac.update(data)
    }

    fn tag(&self, tag: &mut [u8]) -> Result<(), Status> {
        let CbcMac { key, mac, rest, rest_bytes } = &self.mac;
        let (key, mac, rest) = (key.clone(), mac.clone(), rest.clone());
        let mut mac = CbcMac { key, mac, rest, rest_bytes: *rest_bytes };
        mac.fill()?;
        let full = mac.mac.iter().zip(self.s_0.iter()).map(|(mac, s_0)| mac ^ s_0);
        tag.iter_mut().zip(full).for_each(|(byte, full)| *byte = full);
        Ok(())
    }

    fn verify(&self, tag: &[u8]) -> Result<bool, Status> {
        let mut right = Zeroizing::new(vec![0; tag.len()]);
        self.tag(&mut right)?;
        Ok(manyfish_sys::equal(&right, tag))
    }
}
