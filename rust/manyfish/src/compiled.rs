// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keys with machine code of their own.

use core::fmt;

use manyfish_sys::Status;
use zeroize::ZeroizeOnDrop;

pub use manyfish_sys::SetUp;

use crate::choice::policy_error;
use crate::twofish::{expand_error, takes};
use crate::{Error, Expectation, Twofish};

/// A key with machine code of its own, in which the subkeys are constants: compiled keying
/// [Twofish98, 5.1.1]. It is for blocks that go one by one; from four blocks in a call on it is as fast as
/// [`Twofish`] with the kernel `full`.
///
/// It needs x86-64 with Linux or a BSD, and a system that lets the program make memory executable. No
/// memory is ever writable and executable at once, so each new key costs two calls of the system, which
/// take longer than the rest of the set-up. On an AMD Zen 5 (docs/keying-options.md):
/// Compiled keying saves 4 to 8 of the 221 cycles that full keying takes for a block that waits for the
/// one before (2 to 3 %). Its set-up takes 7,865 more with a 128-bit key, so it pays from 1,000 to
/// 2,200 such blocks under a key on.
///
/// It leaks by time what `full` leaks, so it is not for machines that are shared with strangers.
///
/// ```
/// let cipher = manyfish::CompiledTwofish::or_full(&[0; 16])?;
/// let mut block = [0; 16];
/// cipher.encrypt_blocks(&mut block)?;
/// assert_eq!(block[..4], [0x9F, 0x58, 0x9F, 0x5C]);
/// # Ok::<(), manyfish::Error>(())
/// ```
///
/// All modes take it as [`as_cipher`](Self::as_cipher), those that go block by block with most gain:
///
/// ```
/// use manyfish::{Cmac, CompiledTwofish, modes::cbc};
///
/// let compiled = CompiledTwofish::or_full(&[7; 16])?;
/// let mut data = b"any length".to_vec();
/// cbc::encrypt_padded(compiled.as_cipher(), &mut [9; 16], &mut data)?;
///
/// let mut mac = Cmac::new(compiled.as_cipher());
/// drop(compiled); // the MAC has a share of the key
/// mac.update(&data)?;
/// assert_eq!(mac.finish().len(), 16);
/// # Ok::<(), manyfish::Error>(())
/// ```
pub struct CompiledTwofish {
    cipher: Twofish,
    set_up: SetUp,
}

impl CompiledTwofish {
    /// Expands a key of 16, 24 or 32 bytes. [`Error::UnknownKernel`] where this build has no such code,
    /// [`Error::Executable`] where the system refuses executable memory, [`Error::Memory`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_set_up(SetUp::Full, key)
    }

    /// The same, but where no code can be made it works as the kernel `full`.
    pub fn or_full(key: &[u8]) -> Result<Self, Error> {
        Self::or_full_with_set_up(SetUp::Full, key)
    }

    /// As [`new`](Self::new), with another set-up of this key and all later ones. [`Error::NoTables`] if
    /// the [`Tables`](crate::Tables) that it needs have not been built, [`Error::LongKey`] if they do not
    /// serve such keys.
    ///
    /// ```
    /// use manyfish::{CompiledTwofish, SetUp, Tables};
    ///
    /// Tables::Big.build(0, |_, _| true)?;
    /// match CompiledTwofish::with_set_up(SetUp::Big, &[7; 32]) {
    ///     Ok(cipher) => assert!(cipher.is_code()),
    ///     Err(refused) => println!("{refused}"),
    /// }
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    pub fn with_set_up(set_up: SetUp, key: &[u8]) -> Result<Self, Error> {
        let this = Self::or_full_with_set_up(set_up, key)?;
        if this.is_code() {
            return Ok(this);
        }
        Err(refused(manyfish_sys::Twofish::refusal_of_code(set_up), set_up, key.len()))
    }

    /// As [`or_full`](Self::or_full), with another set-up of this key and all later ones.
    pub fn or_full_with_set_up(set_up: SetUp, key: &[u8]) -> Result<Self, Error> {
        let expanded = manyfish_sys::Twofish::compiled(set_up, key);
        let key = expanded.map_err(|status| refused(status, set_up, key.len()))?;
        Ok(Self { cipher: Twofish { key }, set_up })
    }

    /// The way that costs least for what is expected: a kernel, or compiled keying where that costs less
    /// and this system lets it make code. It gains where very many blocks go one by one and leaks are
    /// allowed. [`Error::Policy`] if no kernel keeps within what is allowed.
    ///
    /// ```
    /// use manyfish::{CompiledTwofish, Expectation, Leaks, modes::cbc};
    ///
    /// // CBC encryption of a megabyte, on a machine that nobody else runs programs on.
    /// let expected = Expectation::bytes(1 << 20).serial().leaks(Leaks::Any);
    /// let cipher = CompiledTwofish::or_kernel_for_expected(&expected, &[0x42; 32])?;
    /// println!("{} takes it", cipher.kernel());
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    pub fn or_kernel_for_expected(expectation: &Expectation, key: &[u8]) -> Result<Twofish, Error> {
        let compiled = Self::choose(expectation, key.len())?;
        match compiled.map(|set_up| Self::with_set_up(set_up, key)) {
            Some(Ok(compiled)) => Ok(compiled.cipher),
            Some(Err(_)) | None => Twofish::for_expected(expectation, key),
        }
    }

    /// The set-up to take, if compiled keying is expected to cost less than the kernel that
    /// [`Expectation::choose`] names; `None` if it is not. The system may still refuse the code.
    /// [`Error::Policy`] if no kernel keeps within what is allowed.
    pub fn choose(expectation: &Expectation, key_bytes: usize) -> Result<Option<SetUp>, Error> {
        let choice = expectation.choose(key_bytes)?;
        let compiled = Self::cost_of(expectation, key_bytes).ok().flatten();
        let is_less = compiled.zip(choice.cost).is_some_and(|(compiled, kernel)| compiled < kernel);
        let ct = choice.ct_set_up || !expectation.lets_keys_leak();
        let set_up = if ct { SetUp::ConstantTime } else { SetUp::Full };
        Ok(is_less.then_some(set_up))
    }

    /// The expected cost, to be compared with that of [`Expectation::choose`], which names kernels only;
    /// `None` if the table does not know it. The system may still refuse the code. [`Error::Policy`] if it
    /// leaks or fills more than allowed, [`Error::UnknownKernel`] where this build has no such code.
    pub fn cost_of(expectation: &Expectation, key_bytes: usize) -> Result<Option<u64>, Error> {
        let cost = manyfish_sys::compiled_cost(key_bytes, &expectation.for_sys());
        cost.map_err(|status| match status {
            Status::KERNEL => refused(status, SetUp::Full, key_bytes),
            other => policy_error(other, key_bytes),
        })
    }

    /// Expands another key, in the same memory unless a mode shares it. On an error the old key stays. If
    /// the system has begun to refuse executable memory, it works as the kernel `full` from now on.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.cipher.key.set_key(key).map_err(|status| refused(status, self.set_up, key.len()))
    }

    /// The key as modes take it. They share it: another key that is set here is not theirs.
    #[must_use]
    pub fn as_cipher(&self) -> &Twofish {
        &self.cipher
    }

    /// Does it run code of its own? If not, it is as the kernel `full`.
    #[must_use]
    pub fn is_code(&self) -> bool {
        self.cipher.key.is_code()
    }

    /// Bytes of memory that it occupies, code and tables.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.cipher.key.memory_bytes()
    }

    /// Encrypts whole blocks in place, each by itself.
    pub fn encrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        self.cipher.encrypt_blocks(data)
    }

    /// Decrypts whole blocks in place, each by itself.
    pub fn decrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        self.cipher.decrypt_blocks(data)
    }

    /// Encrypts the blocks of `input` into the first bytes of `out`.
    pub fn encrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        self.cipher.encrypt_blocks_to(out, input)
    }

    /// Decrypts the blocks of `input` into the first bytes of `out`.
    pub fn decrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        self.cipher.decrypt_blocks_to(out, input)
    }
}

/// Says whether there is code, never the key.
impl fmt::Debug for CompiledTwofish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("CompiledTwofish");
        text.field("is_code", &self.is_code()).finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for CompiledTwofish {}

/// The error of a call that makes code or takes a key of `key_bytes`.
fn refused(status: Status, set_up: SetUp, key_bytes: usize) -> Error {
    let name = match set_up {
        SetUp::Full | SetUp::ConstantTime => "compiled",
        SetUp::TwoViews => "compiled-two-views",
        SetUp::Big => "compiled-big",
        SetUp::Huge => "compiled-huge",
    };
    match status {
        Status::KEY_LENGTH if !takes(key_bytes) => Error::KeyLength { found: key_bytes },
        Status::EXECUTABLE => Error::Executable,
        other => expand_error(other, name, key_bytes),
    }
}
