// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Finds the kernel that costs least for the work to do.

use manyfish_sys::Status;
pub use manyfish_sys::{COST_CALL_BLOCKS, Choice, Leaks};

#[cfg(feature = "std")]
use crate::Costs;
use crate::error::from_status;
use crate::name::text;
use crate::{BLOCK_BYTES, Error};

/// The work that a key will do: how much it encrypts, in calls of what size, and what the kernel may take
/// and leak. The default allows any amount of memory for the key, no shared tables and no leak.
///
/// ```
/// use manyfish::{Expectation, Leaks, Twofish};
///
/// // CBC encryption of a megabyte, on a machine that nobody else runs programs on.
/// let expected = Expectation::bytes(1 << 20).serial().leaks(Leaks::Any);
/// let cipher = Twofish::for_expected(&expected, &[0x42; 32])?;
/// println!("{} takes it", cipher.kernel());
/// # Ok::<(), manyfish::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    n_blocks: u64,
    blocks_per_call: u64,
    n_single_blocks: u64,
    max_key_bytes: usize,
    max_shared_bytes: usize,
    leaks: Leaks,
    #[cfg(feature = "std")]
    costs: Option<Costs>,
}

impl Expectation {
    /// `n_blocks` blocks under the key, all at once, as in ECB, CTR, OCB and XTS, and in CBC decryption.
    #[must_use]
    pub fn blocks(n_blocks: u64) -> Self {
        Self { n_blocks, ..Self::default() }
    }

    /// The same in bytes; a block that is begun counts as one.
    #[must_use]
    pub fn bytes(n_bytes: u64) -> Self {
        Self::default().total_bytes(n_bytes)
    }

    /// Another number of blocks, and all else as it is.
    #[must_use]
    pub fn total_blocks(self, n_blocks: u64) -> Self {
        Self { n_blocks, ..self }
    }

    /// Another number of bytes, and all else as it is.
    #[must_use]
    pub fn total_bytes(self, n_bytes: u64) -> Self {
        Self { n_blocks: n_bytes.div_ceil(BLOCK_BYTES as u64), ..self }
    }

    /// Each block waits for the one before, as in CBC encryption and CMAC.
    #[must_use]
    pub fn serial(self) -> Self {
        self.blocks_per_call(1)
    }

    /// How many blocks come at a time; 0 means all at once.
    #[must_use]
    pub fn blocks_per_call(self, blocks_per_call: u64) -> Self {
        Self { blocks_per_call, ..self }
    }

    /// In addition to all others, this many blocks come in calls of their own. EAX and CCM encrypt each block
    /// of a message at once with others, and a second one in a chain.
    ///
    /// ```
    /// use manyfish::{Expectation, Leaks, Twofish};
    ///
    /// // EAX for a message of 100 blocks, on a machine that nobody else runs programs on.
    /// let expected = Expectation::blocks(100).single_blocks(105).leaks(Leaks::Any);
    /// let eax = manyfish::Eax::new(&Twofish::for_expected(&expected, &[0x42; 32])?);
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    #[must_use]
    pub fn single_blocks(self, n_single_blocks: u64) -> Self {
        Self { n_single_blocks, ..self }
    }

    /// All blocks in calls of their own.
    pub(crate) fn one_by_one(&self) -> Self {
        let n_single_blocks = self.n_blocks.saturating_add(self.n_single_blocks);
        Self { n_blocks: 0, n_single_blocks, ..self.clone() }
    }

    /// Bytes that an expanded key may fill, and so take from the cache; 0 means any.
    #[must_use]
    pub fn max_key_bytes(self, max_key_bytes: usize) -> Self {
        Self { max_key_bytes, ..self }
    }

    /// Bytes of tables that all keys share: [`Tables`](crate::Tables) up to this size may be used if they
    /// are ready. 0 means none.
    ///
    /// ```
    /// use manyfish::{Expectation, Leaks, Tables};
    ///
    /// Tables::Big.build(0, |_, _| true)?;
    /// let few = Expectation::blocks(10).leaks(Leaks::Any).max_shared_bytes(Tables::Big.bytes());
    /// assert!(few.cost_of("partial-big", 16)?.is_some());
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    #[cfg(feature = "study")]
    #[must_use]
    pub fn max_shared_bytes(self, max_shared_bytes: usize) -> Self {
        Self { max_shared_bytes, ..self }
    }

    /// The secrets that timing and cache may reveal.
    #[must_use]
    pub fn leaks(self, leaks: Leaks) -> Self {
        Self { leaks, ..self }
    }

    /// A table of costs in place of the library's own. A clone of it is kept.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn costs(self, costs: &Costs) -> Self {
        Self { costs: Some(costs.clone()), ..self }
    }

    #[cfg(feature = "study")]
    pub(crate) fn lets_keys_leak(&self) -> bool {
        self.leaks == Leaks::Any
    }

    pub(crate) fn for_sys(&self) -> manyfish_sys::Expectation<'_> {
        #[cfg(feature = "std")]
        let costs = self.costs.as_ref().map(|costs| &*costs.0);
        #[cfg(not(feature = "std"))]
        let costs = None;
        manyfish_sys::Expectation {
            n_blocks: self.n_blocks,
            blocks_per_call: self.blocks_per_call,
            max_key_bytes: self.max_key_bytes,
            leaks: self.leaks,
            costs,
            n_single_blocks: self.n_single_blocks,
            max_shared_bytes: self.max_shared_bytes,
        }
    }

    /// The kernel for keys of `key_bytes` bytes, without expanding one.
    ///
    /// ```
    /// use manyfish::{Expectation, Leaks};
    ///
    /// let one_block = Expectation::blocks(1).leaks(Leaks::Any);
    /// let kernel = one_block.choose(16)?.kernel;
    /// assert!(manyfish::kernels().any(|info| info.name == kernel && info.runnable));
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    pub fn choose(&self, key_bytes: usize) -> Result<Choice, Error> {
        let choice = manyfish_sys::choose(key_bytes, &self.for_sys());
        choice.map_err(|status| policy_error(status, key_bytes))
    }

    /// The expected cost of the named kernel, in the unit of the table; `None` if the table does not know it.
    /// The kernel need not run here. [`Error::Policy`] if it leaks or fills more than allowed.
    pub fn cost_of(&self, kernel: &str, key_bytes: usize) -> Result<Option<u64>, Error> {
        let cost = manyfish_sys::expected_cost(kernel, key_bytes, &self.for_sys());
        cost.map_err(|status| match status {
            Status::KERNEL => Error::UnknownKernel { name: text(kernel) },
            other => policy_error(other, key_bytes),
        })
    }
}

/// The error of a call that takes an expectation.
pub(crate) fn policy_error(status: Status, key_bytes: usize) -> Error {
    match status {
        Status::KEY_LENGTH => Error::KeyLength { found: key_bytes },
        Status::POLICY => Error::Policy,
        other => from_status(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_is_begun_counts() {
        let blocks = [0, 1, 16, 17].map(|n_bytes| Expectation::bytes(n_bytes).n_blocks);
        assert_eq!(blocks, [0, 1, 1, 2]);
        assert_eq!(Expectation::blocks(7).serial().blocks_per_call, 1);
    }

    #[test]
    fn what_is_not_to_be_had_is_named() {
        let expected = Expectation::blocks(1);
        let name = text("nosuch");
        assert_eq!(expected.cost_of("nosuch", 16), Err(Error::UnknownKernel { name }));
        assert_eq!(expected.cost_of("full", 16), Err(Error::Policy));
        assert_eq!(expected.choose(17).unwrap_err(), Error::KeyLength { found: 17 });
        let none_fits = Expectation::blocks(1).max_key_bytes(1);
        assert_eq!(none_fits.choose(16).unwrap_err(), Error::Policy);
    }
}
