// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Known answers, asked of a kernel on the machine that runs it.

use crate::{BLOCK_BYTES, Error, Twofish, kernels, rsp};

/// The official table of known answers: 49 steps for each key size.
const KNOWN_ANSWERS: &str = include_str!("../vectors/twofish_ecb_tbl.rsp");

/// Asks a kernel for the 147 official known answers in both directions, one block at a time and in
/// groups that fill its lanes and leave one over. Returns the number of answers that were right:
/// all of them, or else an error names the first key size that fails.
pub fn selftest(kernel: &str) -> Result<usize, Error> {
    let info = kernels().find(|info| info.name == kernel);
    let info = info.ok_or_else(|| Error::UnknownKernel { name: kernel.to_owned() })?;
    let mut right = 0;
    for case in rsp::cases(KNOWN_ANSWERS) {
        let key = case.bytes("KEY");
        let cipher = Twofish::with_kernel(kernel, &key)?;
        for n_blocks in [1, 2 * info.lanes + 1] {
            if !answers(&cipher, &case.bytes("PT"), &case.bytes("CT"), n_blocks)? {
                return Err(Error::Selftest { kernel: info.name, key_bits: 8 * key.len() });
            }
        }
        right += 1;
    }
    Ok(right)
}

/// True if equal blocks of plaintext become equal blocks of ciphertext, and the other way round.
fn answers(cipher: &Twofish, pt: &[u8], ct: &[u8], n_blocks: usize) -> Result<bool, Error> {
    debug_assert_eq!(pt.len(), BLOCK_BYTES);
    let (plain, encrypted) = (pt.repeat(n_blocks), ct.repeat(n_blocks));
    let (mut there, mut back) = (plain.clone(), encrypted.clone());
    cipher.encrypt_blocks(&mut there)?;
    cipher.decrypt_blocks(&mut back)?;
    Ok(there == encrypted && back == plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_runnable_kernel_passes() {
        for kernel in kernels().filter(|kernel| kernel.runnable) {
            assert_eq!(selftest(kernel.name), Ok(147), "{}", kernel.name);
        }
    }

    #[test]
    fn a_wrong_answer_is_noticed() {
        let cipher = Twofish::new(&[0; 16]).unwrap();
        assert!(!answers(&cipher, &[0; 16], &[0; 16], 1).unwrap());
    }

    #[test]
    fn an_unknown_kernel_is_named() {
        assert_eq!(selftest("nosuch"), Err(Error::UnknownKernel { name: "nosuch".into() }));
    }
}
