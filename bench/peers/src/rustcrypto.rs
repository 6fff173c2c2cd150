// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `RustCrypto`: the crates `twofish` and `des` with that project's crates for modes.

use cipher::array::Array;
use cipher::consts::U8;
use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
    InnerIvInit, KeyInit, StreamCipher, StreamCipherCoreWrapper,
};
use des::{Des, TdesEde3};
use ocb3::Ocb3;
use ocb3::aead::AeadInOut;
use ocb3::consts::U12;
use twofish::Twofish;

use crate::operation::{
    BLOCK, Cipher, DES_BLOCK, Implementation, Iv, Job, Keys, NONCE, Operation, Tag,
};

type CtrCore<'a> = ctr::CtrCore<&'a Twofish, ctr::flavors::Ctr128BE>;

struct RustCrypto {
    cipher: Cipher,
}

pub fn crates(cipher: Cipher) -> Box<dyn Implementation> {
    Box::new(RustCrypto { cipher })
}

impl Implementation for RustCrypto {
    fn name(&self) -> String {
        "RustCrypto".to_owned()
    }

    fn version(&self) -> String {
        match self.cipher {
            Cipher::Twofish => env!("TWOFISH_VERSION"),
            Cipher::Des => env!("DES_VERSION"),
        }
        .to_owned()
    }

    fn open(&self, operation: Operation, keys: &Keys) -> Option<Box<dyn Job>> {
        if self.cipher == Cipher::Des {
            return open_des(operation, &keys.data);
        }
        let cipher = Twofish::new_from_slice(&keys.data).ok()?;
        let ocb = (operation == Operation::Ocb).then(|| Ocb3::from(cipher.clone()));
        let has_it = ocb.is_some() || Operation::ALL[..5].contains(&operation);
        has_it.then(|| Box::new(CratesJob { operation, cipher, ocb }) as Box<dyn Job>)
    }
}

struct CratesJob {
    operation: Operation,
    cipher: Twofish,
    ocb: Option<Ocb3<Twofish, U12>>,
}

impl Job for CratesJob {
    fn set_key(&mut self, key: &[u8]) {
        self.cipher = Twofish::new_from_slice(key).expect("a key length of Twofish");
    }

    fn run(&mut self, iv: &Iv, data: &mut [u8]) -> Tag {
        let (cipher, iv) = (&self.cipher, &Array(*iv));
        if self.operation == Operation::Ocb {
            let nonce = iv[..NONCE].try_into().expect("twelve bytes");
            let ocb = self.ocb.as_ref().expect("opened for it");
            return ocb.encrypt_inout_detached(nonce, &[], data.into()).expect("short enough").0;
        }
        let (chunks, _) = data.as_chunks_mut::<BLOCK>();
        let blocks = Array::cast_slice_from_core_mut(chunks);
        match self.operation {
            Operation::EcbEncrypt => cipher.encrypt_blocks(blocks),
            Operation::EcbDecrypt => cipher.decrypt_blocks(blocks),
            Operation::CbcEncrypt => {
                cbc::Encryptor::inner_iv_init(cipher, iv).encrypt_blocks(blocks);
            }
            Operation::CbcDecrypt => {
                cbc::Decryptor::inner_iv_init(cipher, iv).decrypt_blocks(blocks);
            }
            Operation::Ctr => {
                let core = CtrCore::inner_iv_init(cipher, iv);
                StreamCipherCoreWrapper::from_core(core).apply_keystream(data);
            }
            _ => unreachable!("not opened"),
        }
        [0; BLOCK]
    }
}

fn open_des(operation: Operation, key: &[u8]) -> Option<Box<dyn Job>> {
    if key.len() == DES_BLOCK {
        let cipher = Des::new_from_slice(key).ok()?;
        return Some(Box::new(DesJob { operation, cipher }));
    }
    let cipher = TdesEde3::new_from_slice(key).ok()?;
    Some(Box::new(DesJob { operation, cipher }))
}

/// Of DES or of Triple-DES.
struct DesJob<C> {
    operation: Operation,
    cipher: C,
}

impl<C> Job for DesJob<C>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U8> + KeyInit,
{
    fn set_key(&mut self, key: &[u8]) {
        self.cipher = C::new_from_slice(key).expect("a key length of DES");
    }

    fn run(&mut self, iv: &Iv, data: &mut [u8]) -> Tag {
        let iv = &Array(*iv.first_chunk::<DES_BLOCK>().expect("of 16 bytes"));
        let cipher = &self.cipher;
        if self.operation == Operation::Ctr {
            let core = ctr::CtrCore::<&C, ctr::flavors::Ctr64BE>::inner_iv_init(cipher, iv);
            StreamCipherCoreWrapper::from_core(core).apply_keystream(data);
            return [0; BLOCK];
        }
        let (chunks, _) = data.as_chunks_mut::<DES_BLOCK>();
        let blocks = Array::cast_slice_from_core_mut(chunks);
        match self.operation {
            Operation::EcbEncrypt => cipher.encrypt_blocks(blocks),
            Operation::EcbDecrypt => cipher.decrypt_blocks(blocks),
            Operation::CbcEncrypt => {
                cbc::Encryptor::inner_iv_init(cipher, iv).encrypt_blocks(blocks);
            }
            _ => cbc::Decryptor::inner_iv_init(cipher, iv).decrypt_blocks(blocks),
        }
        [0; BLOCK]
    }
}
