// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Before anything is measured: does everybody compute the same?

use crate::measure::{BULK_BYTES, IV};
use crate::operation::{Cipher, Implementation, Iv, Job, Keys, Operation, Tag};

/// Lengths of messages: a block, some blocks, and what is measured.
fn lengths(cipher: Cipher) -> [usize; 5] {
    let block = cipher.block_bytes();
    [block, 3 * block, 65 * block, BULK_BYTES[0], BULK_BYTES[1]]
}

/// The result of an operation on a message.
type Made = (Vec<u8>, Tag);

/// Compares everybody with the first who has the operation: a kernel of ours, where we have it.
pub fn all_agree(cipher: Cipher, everybody: &[Box<dyn Implementation>]) -> Result<(), String> {
    for key_bits in cipher.key_bits() {
        let keys = Keys::of(cipher, *key_bits);
        for operation in cipher.operations() {
            agree(everybody, *operation, &keys)
                .map_err(|who| format!("{who}: {}, {key_bits}-bit key", operation.name()))?;
        }
        set_key_agrees(everybody, &keys)?;
    }
    Ok(())
}

fn agree(
    everybody: &[Box<dyn Implementation>],
    operation: Operation,
    keys: &Keys,
) -> Result<(), String> {
    let mut expected: Option<(String, Vec<Made>)> = None;
    for who in everybody {
        let Some(mut job) = who.open(operation, keys) else {
            continue;
        };
        // Another message before, and again: what is left of one must not show in the next.
        let other: Iv = IV.map(|byte| !byte);
        made(&mut *job, &other, keys.cipher.block_bytes());
        let made = lengths(keys.cipher).map(|n_bytes| made(&mut *job, &IV, n_bytes)).to_vec();
        match &expected {
            None => expected = Some((who.name(), made)),
            Some((first, same)) if *same != made => {
                return Err(format!("{} disagrees with {first}", who.name()));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn made(job: &mut dyn Job, iv: &Iv, n_bytes: usize) -> Made {
    let mut data: Vec<u8> = (0..=u8::MAX).cycle().take(n_bytes).collect();
    let tag = job.run(iv, &mut data);
    (data, tag)
}

/// A key set over another must be as good as one set at first.
fn set_key_agrees(everybody: &[Box<dyn Implementation>], keys: &Keys) -> Result<(), String> {
    let other = Keys { data: keys.tweak.clone(), tweak: keys.data.clone(), ..*keys };
    let n_bytes = lengths(keys.cipher)[1];
    for who in everybody {
        let open = |keys| who.open(Operation::EcbEncrypt, keys);
        let (Some(mut first), Some(mut fresh)) = (open(keys), open(&other)) else {
            continue;
        };
        first.set_key(&other.data);
        if made(&mut *first, &IV, n_bytes) != made(&mut *fresh, &IV, n_bytes) {
            return Err(format!("{}: a key set over another is not that key", who.name()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An implementation with a fault.
    struct Faulty {
        at: Operation,
    }

    impl Implementation for Faulty {
        fn name(&self) -> String {
            "planted".to_owned()
        }

        fn version(&self) -> String {
            String::new()
        }

        fn open(&self, operation: Operation, keys: &Keys) -> Option<Box<dyn Job>> {
            let right = crate::ours::kernels().remove(0).open(operation, keys)?;
            Some(Box::new(FaultyJob { right, wrong: operation == self.at }))
        }
    }

    struct FaultyJob {
        right: Box<dyn Job>,
        wrong: bool,
    }

    impl Job for FaultyJob {
        fn set_key(&mut self, key: &[u8]) {
            self.right.set_key(key);
        }

        fn run(&mut self, iv: &Iv, data: &mut [u8]) -> Tag {
            let mut tag = self.right.run(iv, data);
            let last = tag.len() - 1;
            tag[last] ^= u8::from(self.wrong);
            tag
        }
    }

    #[test]
    fn all_that_was_built_agree() {
        for cipher in [Cipher::Twofish, Cipher::Des] {
            assert_eq!(all_agree(cipher, &crate::everybody(cipher, true)), Ok(()));
        }
    }

    #[test]
    fn a_wrong_one_is_named() {
        let mut everybody = crate::ours::kernels();
        everybody.push(Box::new(Faulty { at: Operation::Ocb }));
        let error = all_agree(Cipher::Twofish, &everybody).unwrap_err();
        assert!(error.starts_with("planted disagrees with manyfish/"), "{error}");
        assert!(error.ends_with("ocb/encrypt, 128-bit key"), "{error}");
    }
}
