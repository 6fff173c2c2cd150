// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The answers of the functions of the C library.

use core::fmt;

use crate::{ffi, static_text};

/// Why a call was refused; never `MF_OK`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Status(ffi::mf_status);

impl Status {
    /// A pointer was NULL where there is data.
    pub const NULL: Self = Self(ffi::MF_ERROR_NULL);
    /// The cipher or the kernel has no key of this many bytes.
    pub const KEY_LENGTH: Self = Self(ffi::MF_ERROR_KEY_LENGTH);
    /// Not whole blocks or sectors, or none, where there must be.
    pub const LENGTH: Self = Self(ffi::MF_ERROR_LENGTH);
    /// Output overlaps input without being the same buffer.
    pub const OVERLAP: Self = Self(ffi::MF_ERROR_OVERLAP);
    /// The context holds no key.
    pub const NO_KEY: Self = Self(ffi::MF_ERROR_NO_KEY);
    /// No kernel of this name in this build.
    pub const KERNEL: Self = Self(ffi::MF_ERROR_KERNEL);
    /// The kernel needs instructions that this CPU lacks.
    pub const CPU: Self = Self(ffi::MF_ERROR_CPU);
    /// Wrong tag.
    pub const TAG: Self = Self(ffi::MF_ERROR_TAG);
    /// Wrong padding.
    pub const PADDING: Self = Self(ffi::MF_ERROR_PADDING);
    /// The mode has no nonce of this many bytes.
    pub const NONCE_LENGTH: Self = Self(ffi::MF_ERROR_NONCE_LENGTH);
    /// The output buffer is too small.
    pub const CAPACITY: Self = Self(ffi::MF_ERROR_CAPACITY);
    /// Calls in the wrong order.
    pub const STATE: Self = Self(ffi::MF_ERROR_STATE);
    /// The mode must not process more data under this nonce.
    pub const TOO_LONG: Self = Self(ffi::MF_ERROR_TOO_LONG);
    /// The mode has no such block, counter, segment or variant.
    pub const BLOCK: Self = Self(ffi::MF_ERROR_BLOCK);
    /// A kernel gave a wrong known answer.
    pub const SELFTEST: Self = Self(ffi::MF_ERROR_SELFTEST);
    /// The mode has no tag of this many bytes.
    pub const TAG_LENGTH: Self = Self(ffi::MF_ERROR_TAG_LENGTH);
    /// The kernel needs tables that have not been built.
    pub const TABLES: Self = Self(ffi::MF_ERROR_TABLES);
    /// The system gives no memory.
    pub const MEMORY: Self = Self(ffi::MF_ERROR_MEMORY);
    /// The system refuses executable memory.
    pub const EXECUTABLE: Self = Self(ffi::MF_ERROR_EXECUTABLE);
    /// A file cannot be read or written, or is not what it should be.
    pub const FILE: Self = Self(ffi::MF_ERROR_FILE);
    /// No kernel keeps within what the caller allows.
    pub const POLICY: Self = Self(ffi::MF_ERROR_POLICY);
    /// The caller's progress function said so.
    pub const CANCELLED: Self = Self(ffi::MF_ERROR_CANCELLED);
    /// The key is one of those that the caller has refused.
    pub const WEAK_KEY: Self = Self(ffi::MF_ERROR_WEAK_KEY);
    /// The parity bits of the key are wrong, and the caller has refused that.
    pub const PARITY: Self = Self(ffi::MF_ERROR_PARITY);
    /// A variant cannot have this number of rounds.
    pub const ROUNDS: Self = Self(ffi::MF_ERROR_ROUNDS);
    /// The environment names a kernel that leaks and allows no leaks.
    pub const LEAKS: Self = Self(ffi::MF_ERROR_LEAKS);
    /// The environment variable `MANYFISH_LEAKS` has an unknown value.
    pub const LEAKS_VALUE: Self = Self(ffi::MF_ERROR_LEAKS_VALUE);

    /// The library's sentence for it.
    #[must_use]
    pub fn text(self) -> &'static str {
        // SAFETY: any number is allowed, and the answer lies in static storage.
        unsafe { static_text(ffi::mf_status_text(self.0)) }
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Status({}: {})", self.0.0, self.text())
    }
}

impl ffi::mf_status {
    /// `MF_OK` is `Ok`, all else an error.
    pub(crate) fn check(self) -> Result<(), Status> {
        if self == ffi::MF_OK { Ok(()) } else { Err(Status(self)) }
    }
}
