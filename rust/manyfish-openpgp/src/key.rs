// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keys, and work with them that leaves none behind.

use std::fmt;
use std::ops::Deref;

use manyfish::{lock, wipe_stack};
use rayon::ThreadPoolBuilder;
use zeroize::Zeroize;

use crate::error::{Error, Result};
use crate::pool;

/// Octets of a key for Twofish-256.
pub const KEY_BYTES: usize = 32;

/// A key for Twofish-256. It lies on the heap, where it is made and stays, since a value that moves leaves copies on
/// the stack; for the same reason it cannot be cloned. It is wiped when it is dropped.
pub struct Key(Box<[u8; KEY_BYTES]>);

impl Key {
    /// A key that `fill` writes into its place.
    pub(crate) fn filled<E>(
        fill: impl FnOnce(&mut [u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<Self, E> {
        let mut key = Self(Box::default());
        lock(&key);
        fill(&mut key.0[..])?;
        Ok(key)
    }

    pub(crate) fn random() -> Result<Self> {
        Self::filled(|key| getrandom::fill(key).map_err(Error::Random))
    }

    /// `None` for another length than 32 octets.
    pub(crate) fn copied(octets: &[u8]) -> Option<Self> {
        let fill = |key: &mut [u8]| match octets.len() {
            KEY_BYTES => {
                key.copy_from_slice(octets);
                Ok(())
            }
            _ => Err(()),
        };
        Self::filled(fill).ok()
    }
}

/// A slice, since an array could be copied out.
impl Deref for Key {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0[..]
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Shows no key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// Calls `work` on threads of its own, among which it may share itself out, and wipes their stacks.
/// The fuzzer, whose keys are no secrets, stays on its own thread: starting others would take longer than its work.
pub fn on_wiped_threads<R: Send>(most: usize, work: impl FnOnce() -> R + Send) -> R {
    if cfg!(fuzzing) {
        return work();
    }
    let threads = ThreadPoolBuilder::new().num_threads(most.min(pool::cores())).build();
    // Where the system gives no thread, this one serves.
    let alone = || ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let threads = threads.or_else(|_| alone()).expect("this thread is in no pool");
    let result = threads.install(work);
    threads.broadcast(|_| wipe_stack());
    result
}
