// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Our kernels, by name, as a program in Rust calls them.

use manyfish::modes::{Ctr, Xts, cbc, ecb};
use manyfish::{Ccm, Cmac, Des, Eax, Gcm, KernelInfo, Ocb, Twofish, des};

use crate::operation::{
    BLOCK, Cipher, DES_BLOCK, Implementation, Iv, Job, Keys, NONCE, Operation, Tag,
};

/// One kernel.
struct Ours {
    cipher: Cipher,
    kernel: KernelInfo,
}

/// Every kernel that runs here, best first.
pub fn kernels() -> Vec<Box<dyn Implementation>> {
    let runnable = manyfish::kernels().filter(|kernel| kernel.runnable);
    runnable.map(|kernel| ours(Cipher::Twofish, kernel)).collect()
}

/// The same of DES.
pub fn des_kernels() -> Vec<Box<dyn Implementation>> {
    let runnable = des::kernels().filter(|kernel| kernel.runnable);
    runnable.map(|kernel| ours(Cipher::Des, kernel)).collect()
}

fn ours(cipher: Cipher, kernel: KernelInfo) -> Box<dyn Implementation> {
    Box::new(Ours { cipher, kernel })
}

/// The prefix of a kernel's name in the results.
pub const PREFIX: &str = "manyfish/";

/// The name, in the results, of the kernel that is taken where nobody names one.
pub fn default_name(cipher: Cipher) -> String {
    let default = match cipher {
        Cipher::Twofish => manyfish::kernels().find(|kernel| kernel.is_default),
        Cipher::Des => des::kernels().find(|kernel| kernel.is_default),
    };
    format!("{PREFIX}{}", default.expect("one kernel is the default").name)
}

impl Implementation for Ours {
    fn name(&self) -> String {
        format!("{PREFIX}{}", self.kernel.name)
    }

    fn version(&self) -> String {
        manyfish::version().to_owned()
    }

    fn constant_time(&self) -> Option<bool> {
        Some(self.kernel.constant_time)
    }

    fn open(&self, operation: Operation, keys: &Keys) -> Option<Box<dyn Job>> {
        if keys.cipher != self.cipher {
            return None;
        }
        if self.cipher == Cipher::Des {
            let cipher = Des::with_kernel(self.kernel.name, &keys.data).expect("it runs here");
            return Some(Box::new(DesJob { operation, cipher }));
        }
        let expand = |key| Twofish::with_kernel(self.kernel.name, key).expect("it runs here");
        let cipher = expand(&keys.data);
        let mode = match operation {
            Operation::EcbEncrypt => Mode::EcbEncrypt(cipher),
            Operation::EcbDecrypt => Mode::EcbDecrypt(cipher),
            Operation::CbcEncrypt => Mode::CbcEncrypt(cipher),
            Operation::CbcDecrypt => Mode::CbcDecrypt(cipher),
            Operation::Ctr => Mode::Ctr(cipher),
            Operation::Xts => Mode::Xts(Xts::new(&cipher, &expand(&keys.tweak))),
            Operation::Ocb => Mode::Ocb(Ocb::new(&cipher)),
            Operation::Gcm => Mode::Gcm(Gcm::new(&cipher)),
            Operation::Eax => Mode::Eax(Eax::new(&cipher)),
            Operation::Ccm => Mode::Ccm(Ccm::new(&cipher)),
            Operation::Cmac => Mode::Cmac(Cmac::new(&cipher)),
        };
        Some(Box::new(mode))
    }
}

/// An operation with its key.
enum Mode {
    EcbEncrypt(Twofish),
    EcbDecrypt(Twofish),
    CbcEncrypt(Twofish),
    CbcDecrypt(Twofish),
    Ctr(Twofish),
    Xts(Xts),
    Ocb(Ocb),
    Gcm(Gcm),
    Eax(Eax),
    Ccm(Ccm),
    Cmac(Cmac),
}

impl Job for Mode {
    fn set_key(&mut self, key: &[u8]) {
        let Self::EcbEncrypt(cipher) = self else { unreachable!("not asked of the others") };
        cipher.set_key(key).expect("a key length of Twofish");
    }

    fn run(&mut self, iv: &Iv, data: &mut [u8]) -> Tag {
        let (nonce, aad) = (&iv[..NONCE], &[]);
        let no_tag = |()| [0; BLOCK];
        let all_of = |tag: manyfish::Tag| tag.as_ref().try_into().expect("a tag of full length");
        let done = match self {
            Self::EcbEncrypt(cipher) => ecb::encrypt(cipher, data).map(no_tag),
            Self::EcbDecrypt(cipher) => ecb::decrypt(cipher, data).map(no_tag),
            Self::CbcEncrypt(cipher) => cbc::encrypt(cipher, &mut { *iv }, data).map(no_tag),
            Self::CbcDecrypt(cipher) => cbc::decrypt(cipher, &mut { *iv }, data).map(no_tag),
            Self::Ctr(cipher) => {
                let ctr = Ctr::new(cipher, iv, 128);
                ctr.and_then(|mut ctr| ctr.crypt(data)).map(no_tag)
            }
            Self::Xts(xts) => xts.encrypt(iv, data).map(no_tag),
            Self::Ocb(ocb) => ocb.seal(nonce, aad, data),
            Self::Gcm(gcm) => gcm.seal(nonce, aad, data).map(all_of),
            Self::Eax(eax) => eax.seal(iv, aad, data).map(all_of),
            Self::Ccm(ccm) => ccm.seal(nonce, aad, data).map(all_of),
            Self::Cmac(cmac) => cmac.update(data).map(|()| all_of(cmac.finish())),
        };
        done.expect("whole blocks")
    }
}

/// An operation of DES with its key.
struct DesJob {
    operation: Operation,
    cipher: Des,
}

impl Job for DesJob {
    fn set_key(&mut self, key: &[u8]) {
        self.cipher.set_key(key).expect("a key length of DES");
    }

    fn run(&mut self, iv: &Iv, data: &mut [u8]) -> Tag {
        let (cipher, mut iv) = (&self.cipher, *iv.first_chunk::<DES_BLOCK>().expect("of 16 bytes"));
        let done = match self.operation {
            Operation::EcbEncrypt => ecb::encrypt(cipher, data),
            Operation::EcbDecrypt => ecb::decrypt(cipher, data),
            Operation::CbcEncrypt => cbc::encrypt(cipher, &mut iv, data),
            Operation::CbcDecrypt => cbc::decrypt(cipher, &mut iv, data),
            _ => Ctr::new(cipher, &iv, 64).and_then(|mut ctr| ctr.crypt(data)),
        };
        done.expect("whole blocks");
        [0; BLOCK]
    }
}
