// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/study/compiled.h>`: keys with machine code of their own.

use core::ffi::c_uint;
use core::ptr::{self, NonNull};

use crate::choice::known;
use crate::ffi::{
    MF_COMPILED_BIG, MF_COMPILED_CT_SET_UP, MF_COMPILED_HUGE, MF_COMPILED_OR_FULL,
    MF_COMPILED_TWO_VIEWS, mf_cipher, mf_twofish_compiled,
};
use crate::{Expectation, Status, ffi};

/// How compiled keying makes the tables and the subkeys of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SetUp {
    /// As the kernel `full`.
    #[default]
    Full,
    /// The same without an address that depends on the key.
    ConstantTime,
    /// By the big shared tables, as the kernel `full-big`.
    Big,
    /// By the huge shared tables, as the kernel `full-huge`: 128-bit keys only.
    Huge,
    /// As the kernel `full`, and into code that lies at two addresses: writable at one, executable at the
    /// other. A later key needs no call of the system then. In return who can write to any address can
    /// write code, and a child process has no key after fork.
    TwoViews,
}

impl SetUp {
    fn flag(self) -> c_uint {
        match self {
            Self::Full => 0,
            Self::ConstantTime => MF_COMPILED_CT_SET_UP,
            Self::Big => MF_COMPILED_BIG,
            Self::Huge => MF_COMPILED_HUGE,
            Self::TwoViews => MF_COMPILED_TWO_VIEWS,
        }
    }
}

/// One key and its code, in memory of their own, or the key as kernel `full` where no code can be made.
/// It always has a key.
pub struct Code {
    object: NonNull<mf_twofish_compiled>,
    set_up: SetUp,
}

// SAFETY: the memory belongs to the object, wherever that is; nothing in it knows of threads.
unsafe impl Send for Code {}
// SAFETY: what a shared borrow allows only reads.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: it was made by mf_twofish_compiled_new, and nobody uses it afterwards.
        unsafe { ffi::mf_twofish_compiled_free(self.object.as_ptr()) }
    }
}

impl Code {
    /// Expands a key of 16, 24 or 32 bytes.
    pub fn new(set_up: SetUp, key: &[u8]) -> Result<Self, Status> {
        let mut code = Self::empty(MF_COMPILED_OR_FULL, set_up)?;
        code.set_key(key)?;
        Ok(code)
    }

    /// Why there is none, or none any more.
    pub fn refusal(set_up: SetUp) -> Status {
        Self::empty(0, set_up).err().unwrap_or(Status::EXECUTABLE)
    }

    fn empty(or_full: c_uint, set_up: SetUp) -> Result<Self, Status> {
        let mut object = ptr::null_mut();
        // SAFETY: there is room for the address.
        unsafe { ffi::mf_twofish_compiled_new(&raw mut object, or_full | set_up.flag()) }
            .check()?;
        NonNull::new(object).map(|object| Self { object, set_up }).ok_or(Status::MEMORY)
    }

    /// Another key in the same memory. After an error there is none: who calls this makes sure that the
    /// set-up takes keys of this length.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Status> {
        // SAFETY: the object is alive and borrowed by us alone; key is a slice apart from it.
        unsafe {
            ffi::mf_twofish_compiled_set_key(self.object.as_ptr(), key.as_ptr().cast(), key.len())
        }
        .check()
    }

    pub fn set_up(&self) -> SetUp {
        self.set_up
    }

    pub fn as_ptr(&self) -> *const mf_twofish_compiled {
        self.object.as_ptr()
    }

    /// Does it run code of its own?
    pub fn is_code(&self) -> bool {
        // SAFETY: the object is alive.
        unsafe { ffi::mf_twofish_compiled_is_code(self.as_ptr()) }
    }

    /// Bytes of memory that it occupies.
    pub fn n_bytes(&self) -> usize {
        // SAFETY: the object is alive.
        unsafe { ffi::mf_twofish_compiled_bytes(self.as_ptr()) }
    }

    /// The cipher as the modes take it; it holds the address of the object.
    pub fn cipher(&self) -> mf_cipher {
        // SAFETY: the object is alive; the call only notes its address.
        unsafe { ffi::mf_twofish_compiled_cipher(self.as_ptr()) }
    }
}

/// The expected cost of compiled keying, beside that of a [`Choice`](crate::Choice), if the table knows it.
pub fn compiled_cost(key_bytes: usize, expectation: &Expectation) -> Result<Option<u64>, Status> {
    let expectation = expectation.for_c();
    let mut cost = 0;
    // SAFETY: there is room for the cost; the costs of the table are borrowed by the argument of this
    // function.
    unsafe { ffi::mf_twofish_compiled_cost(&raw mut cost, key_bytes, &raw const expectation) }
        .check()?;
    Ok(known(cost))
}
