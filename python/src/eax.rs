// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! EAX over DES and Triple-DES, which the library has over 16-byte blocks only. [EAX04, 3]

use manyfish_sys::{Cmac, Ctr, InOut, Key, Status};
use zeroize::Zeroizing;

use crate::buffer::Data;
use crate::pieces::Message;

/// The bytes of the block.
const BLOCK: usize = 8;

pub struct DesEax {
    nonce_tag: Zeroizing<[u8; BLOCK]>,
    aad: Cmac,
    text: Cmac,
    ctr: Ctr,
}

/// OMAC^t: CMAC of the number t as a block, and of what follows.
fn omac(key: &Key, t: u8) -> Result<Cmac, Status> {
    let mut cmac = Cmac::new(key.clone())?;
    let mut block = [0; BLOCK];
    block[BLOCK - 1] = t;
    cmac.update(&block)?;
    Ok(cmac)
}

impl DesEax {
    pub fn new(key: &Key, nonce: &[u8]) -> Result<Self, Status> {
        let mut nonce_mac = omac(key, 0)?;
        nonce_mac.update(nonce)?;
        let mut nonce_tag = Zeroizing::new([0; BLOCK]);
        nonce_mac.finish(&mut *nonce_tag)?;
        let ctr = Ctr::new(key.clone(), &*nonce_tag, 64)?;
        Ok(Self { nonce_tag, aad: omac(key, 1)?, text: omac(key, 2)?, ctr })
    }
}

impl Message for DesEax {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Status> {
        self.aad.update(aad)
    }

    fn encrypt(&mut self, mut data: Data) -> Result<(), Status> {
        let data = data.copied();
        self.ctr.crypt(&InOut::in_place(data))?;
        self.text.update(data)
    }

    fn decrypt(&mut self, mut data: Data) -> Result<(), Status> {
        let data = data.copied();
        self.text.update(data)?;
        self.ctr.crypt(&InOut::in_place(data))
    }

    fn tag(&self, tag: &mut [u8]) -> Result<(), Status> {
        let (mut of_aad, mut of_text) = ([0; BLOCK], [0; BLOCK]);
        self.aad.clone().finish(&mut of_aad)?;
        self.text.clone().finish(&mut of_text)?;
        let full = self.nonce_tag.iter().zip(of_aad).zip(of_text).map(|((n, a), t)| n ^ a ^ t);
        tag.iter_mut().zip(full).for_each(|(byte, full)| *byte = full);
        Ok(())
    }

    fn verify(&self, tag: &[u8]) -> Result<bool, Status> {
        let mut right = Zeroizing::new(vec![0; tag.len()]);
        self.tag(&mut right)?;
        Ok(manyfish_sys::equal(&right, tag))
    }
}
