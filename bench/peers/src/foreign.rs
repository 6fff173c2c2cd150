// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The libraries behind shim/peer.h. All unsafe code of this program is here: foreign code cannot be
//! called without. It has few rules to keep, as the shims know the libraries' types and the
//! compiler checks them against the libraries' own headers.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::ptr::NonNull;

use crate::operation::{BLOCK, DES_BLOCK, Implementation, Iv, Job, Keys, Operation, Tag};

/// `struct keys`.
#[repr(C)]
struct CKeys {
    data: *const c_uchar,
    tweak: *const c_uchar,
    n_bytes: usize,
    cipher: c_int,
}

/// `struct peer`.
#[repr(C)]
struct CPeer {
    name: *const c_char,
    version: unsafe extern "C" fn() -> *const c_char,
    open: unsafe extern "C" fn(c_int, *const CKeys) -> *mut c_void,
    set_key: unsafe extern "C" fn(*mut c_void, *const c_uchar, usize) -> c_int,
    run: unsafe extern "C" fn(
        *mut c_void,
        *const c_uchar,
        *mut c_uchar,
        usize,
        *mut c_uchar,
    ) -> c_int,
    close: unsafe extern "C" fn(*mut c_void),
}

unsafe extern "C" {
    /// A list with NULL after its last element.
    #[link_name = "peers"]
    static PEERS: [*const CPeer; 0];
}

/// A library.
struct Foreign {
    peer: &'static CPeer,
}

/// The libraries that this program was built with.
pub fn libraries() -> Vec<Box<dyn Implementation>> {
    let mut libraries: Vec<Box<dyn Implementation>> = Vec::new();
    // SAFETY: the list is constant, and ends where as_ref finds NULL.
    unsafe {
        let mut next = (&raw const PEERS).cast::<*const CPeer>();
        while let Some(peer) = (*next).as_ref() {
            libraries.push(Box::new(Foreign { peer }));
            next = next.add(1);
        }
    }
    libraries
}

impl Implementation for Foreign {
    fn name(&self) -> String {
        // SAFETY: every peer has a constant name.
        unsafe { text(self.peer.name) }
    }

    fn version(&self) -> String {
        // SAFETY: the function takes nothing and returns a string that stays.
        unsafe { text((self.peer.version)()) }
    }

    fn open(&self, operation: Operation, keys: &Keys) -> Option<Box<dyn Job>> {
        assert_eq!(keys.data.len(), keys.tweak.len());
        let c_keys = CKeys {
            data: keys.data.as_ptr(),
            tweak: keys.tweak.as_ptr(),
            n_bytes: keys.data.len(),
            cipher: keys.cipher as c_int,
        };
        // SAFETY: the numbers of operations and ciphers are those of the header, and the keys outlive the call.
        let state =
            NonNull::new(unsafe { (self.peer.open)(operation as c_int, &raw const c_keys) })?;
        Some(Box::new(ForeignJob { peer: self.peer, state }))
    }
}

/// # Safety
/// `string` must be NULL or a C string.
unsafe fn text(string: *const c_char) -> String {
    if string.is_null() {
        return "unknown".to_owned();
    }
    // SAFETY: the caller promises a string.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

struct ForeignJob {
    peer: &'static CPeer,
    state: NonNull<c_void>,
}

impl Job for ForeignJob {
    fn set_key(&mut self, key: &[u8]) {
        // SAFETY: the state is open, and the key a slice of the length given.
        let failed = unsafe { (self.peer.set_key)(self.state.as_ptr(), key.as_ptr(), key.len()) };
        assert_eq!(failed, 0, "set_key of a key length that open has taken");
    }

    fn run(&mut self, iv: &Iv, data: &mut [u8]) -> Tag {
        assert!(!data.is_empty() && data.len().is_multiple_of(DES_BLOCK));
        let mut tag = [0; BLOCK];
        let (state, n_bytes) = (self.state.as_ptr(), data.len());
        // SAFETY: the state is open; iv and tag have 16 bytes; data is a slice of that many bytes that
        // nobody else holds.
        let failed = unsafe {
            (self.peer.run)(state, iv.as_ptr(), data.as_mut_ptr(), n_bytes, tag.as_mut_ptr())
        };
        assert_eq!(failed, 0, "an operation that open has promised");
        tag
    }
}

impl Drop for ForeignJob {
    fn drop(&mut self) {
        // SAFETY: the state is open, and nobody uses it afterwards.
        unsafe { (self.peer.close)(self.state.as_ptr()) }
    }
}
