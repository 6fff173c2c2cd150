// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Our kernels again, with our functions for many messages.

use manyfish::many::{self, Message};
use manyfish::{BlockCipher, Ccm, Cmac, Des, Eax, KernelInfo, Ocb, Twofish, des};

use crate::operation::{
    BLOCK, Cipher, DES_BLOCK, Implementation, Iv, Job, Keys, NONCE, Operation, Tag,
};
use crate::ours::PREFIX;

struct Many {
    cipher: Cipher,
    kernel: KernelInfo,
}

/// Every kernel that runs here, best first.
pub fn kernels(cipher: Cipher) -> Vec<Box<dyn Implementation>> {
    let kernels: Vec<KernelInfo> = match cipher {
        Cipher::Twofish => manyfish::kernels().collect(),
        Cipher::Des => des::kernels().collect(),
    };
    let runnable = kernels.into_iter().filter(|kernel| kernel.runnable);
    runnable.map(|kernel| Box::new(Many { cipher, kernel }) as Box<dyn Implementation>).collect()
}

impl Implementation for Many {
    fn name(&self) -> String {
        format!("{PREFIX}{} many", self.kernel.name)
    }

    fn version(&self) -> String {
        manyfish::version().to_owned()
    }

    fn constant_time(&self) -> Option<bool> {
        Some(self.kernel.constant_time)
    }

    fn open(&self, operation: Operation, keys: &Keys) -> Option<Box<dyn Job>> {
        if keys.cipher != self.cipher || !keys.cipher.operations_of_many().contains(&operation) {
            return None;
        }
        if self.cipher == Cipher::Des {
            let cipher = Des::with_kernel(self.kernel.name, &keys.data).expect("it runs here");
            return Some(Box::new(Mode::TripleDes(cipher)));
        }
        let cipher = Twofish::with_kernel(self.kernel.name, &keys.data).expect("it runs here");
        Some(Box::new(match operation {
            Operation::CbcEncrypt => Mode::Cbc(cipher),
            Operation::Cmac => Mode::Cmac(Cmac::new(&cipher)),
            Operation::Eax => Mode::Eax(Eax::new(&cipher)),
            Operation::Ccm => Mode::Ccm(Ccm::new(&cipher)),
            _ => Mode::Ocb(Ocb::new(&cipher)),
        }))
    }
}

enum Mode {
    Cbc(Twofish),
    TripleDes(Des),
    Cmac(Cmac),
    Eax(Eax),
    Ccm(Ccm),
    Ocb(Ocb),
}

impl Mode {
    /// The last tag, of the modes that have tags.
    fn crypt(&self, iv: &Iv, data: &mut [u8], n_bytes: usize) -> Tag {
        match self {
            Self::Cbc(cipher) => cbc(cipher, iv, data, n_bytes),
            Self::TripleDes(cipher) => cbc(cipher, &iv[..DES_BLOCK], data, n_bytes),
            Self::Cmac(key) => mac(key, data, n_bytes),
            Self::Eax(eax) => seal(eax, iv, data, n_bytes),
            Self::Ccm(ccm) => seal(ccm, &iv[..NONCE], data, n_bytes),
            Self::Ocb(ocb) => seal(ocb, &iv[..NONCE], data, n_bytes),
        }
    }
}

fn messages<'a>(
    iv: &'a [u8],
    data: &'a mut [u8],
    n_bytes: usize,
) -> impl Iterator<Item = Message<'a>> {
    data.chunks_exact_mut(n_bytes).map(|message| Message::in_place(iv, message))
}

fn cbc(cipher: &impl BlockCipher, iv: &[u8], data: &mut [u8], n_bytes: usize) -> Tag {
    for text in many::cbc_encrypt(cipher, messages(iv, data, n_bytes)) {
        text.expect("whole blocks");
    }
    [0; BLOCK]
}

fn mac(key: &Cmac, data: &[u8], n_bytes: usize) -> Tag {
    let texts = data.chunks_exact(n_bytes).map(Message::read);
    last(many::cmac(key, texts).map(|tag| tag.expect("a key of whole tags")))
}

fn seal(mode: &impl many::Aead, iv: &[u8], data: &mut [u8], n_bytes: usize) -> Tag {
    let sealed = many::seal(mode, messages(iv, data, n_bytes));
    last(sealed.map(|sealed| sealed.expect("a message of any length").1))
}

fn last(tags: impl Iterator<Item = manyfish::Tag>) -> Tag {
    let last = tags.last().expect("there are messages");
    last.as_ref().try_into().expect("a tag of full length")
}

impl Job for Mode {
    fn set_key(&mut self, _: &[u8]) {
        unreachable!("asked of operations on blocks only");
    }

    fn run(&mut self, iv: &Iv, data: &mut [u8]) -> Tag {
        let n_bytes = data.len();
        self.crypt(iv, data, n_bytes)
    }

    fn run_each(&mut self, iv: &Iv, data: &mut [u8], n_bytes: usize) {
        self.crypt(iv, data, n_bytes);
    }
}
