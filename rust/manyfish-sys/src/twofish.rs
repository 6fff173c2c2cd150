// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/twofish.h>`: expanded keys, single blocks, the list of kernels.

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use crate::ffi::{
    MF_TWOFISH_BLOCK_BYTES, MF_TWOFISH_CONTEXT_BYTES, MF_TWOFISH_MAX_KEY_BYTES, mf_cipher,
    mf_twofish,
};
use crate::{Expectation, InOut, Leaks, Status, ffi, static_text};

/// The lengths of keys.
pub(crate) const KEY_BYTES: [usize; 3] = [16, 24, 32];

/// One expanded key. A clone shares it, and the last owner to go wipes it. It lies on the heap: the
/// modes hold its address, and moving the owner leaves no copy of a key behind.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // it holds a key
pub struct Twofish {
    context: Arc<Context>,
    /// Bytes of the longest key that it has had.
    key_bytes: usize,
    /// No address may depend on a key while it is set.
    quiet: bool,
}

struct Context(mf_twofish);

impl Context {
    const EMPTY: Self = Self(mf_twofish { private: [0; MF_TWOFISH_CONTEXT_BYTES / 8] });

    /// Expands a key; after an error there is none.
    ///
    /// # Safety
    /// `kernel` must be NULL or end in a zero byte.
    unsafe fn init(
        &mut self,
        kernel: *const c_char,
        key: &[u8],
        quiet: bool,
    ) -> Result<(), Status> {
        let init =
            if quiet { ffi::mf_twofish_init_kernel_quiet } else { ffi::mf_twofish_init_kernel };
        // SAFETY: self is zero or filled by init, and its own memory; key is a slice apart from it;
        // the caller vouches for the name.
        unsafe { init(&raw mut self.0, kernel, key.as_ptr().cast(), key.len()) }.check()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: self is zero or filled by init.
        unsafe { ffi::mf_twofish_wipe(&raw mut self.0) }
    }
}

impl Twofish {
    /// Expands a key of 16, 24 or 32 bytes for the named kernel, or for the default one.
    pub fn new(kernel: Option<&str>, key: &[u8]) -> Result<Self, Status> {
        Self::with_name(kernel, key, false)
    }

    /// The same with a key set-up in which no address depends on the key; [`Status::POLICY`] if the
    /// kernel has none.
    pub fn new_quiet(kernel: Option<&str>, key: &[u8]) -> Result<Self, Status> {
        Self::with_name(kernel, key, true)
    }

    fn with_name(kernel: Option<&str>, key: &[u8], quiet: bool) -> Result<Self, Status> {
        let kernel = kernel.map(c_name).transpose()?;
        let name = kernel.as_ref().map_or(ptr::null(), |name| name.as_ptr());
        // SAFETY: the name is NULL or a C string that lives until the end of this function.
        unsafe { Self::with_c_name(name, key, quiet) }
    }

    /// Expands a key for the kernel that costs least for what is expected.
    pub fn for_expected(expectation: &Expectation, key: &[u8]) -> Result<Self, Status> {
        let quiet = expectation.leaks != Leaks::Any;
        let expectation = expectation.for_c();
        let mut context = Arc::new(Context::EMPTY);
        let place = Arc::get_mut(&mut context).expect("nobody else has it yet");
        // SAFETY: the context is zero and its own memory; key is a slice apart from it; the costs are
        // borrowed by the argument of this function.
        unsafe {
            ffi::mf_twofish_init_for(
                &raw mut place.0,
                key.as_ptr().cast(),
                key.len(),
                &raw const expectation,
            )
        }
        .check()?;
        Ok(Self { context, key_bytes: key.len(), quiet })
    }

    /// The same key memory, or new memory if a clone shares it, for another key and the same kernel,
    /// by the same set-up. On an error the old key stays.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Status> {
        if !KEY_BYTES.contains(&key.len()) {
            return Err(Status::KEY_LENGTH);
        }
        let (kernel, quiet) = (self.c_kernel(), self.quiet);
        match Arc::get_mut(&mut self.context) {
            // SAFETY: kernel names lie in static storage and end in a zero byte. This cannot fail,
            // since the kernel has taken such a key before.
            Some(context) if key.len() <= self.key_bytes => unsafe {
                context.init(kernel, key, quiet)
            },
            // SAFETY: as above.
            _ => unsafe { Self::with_c_name(kernel, key, quiet) }.map(|new| *self = new),
        }
    }

    /// # Safety
    /// `kernel` must be NULL or end in a zero byte.
    unsafe fn with_c_name(kernel: *const c_char, key: &[u8], quiet: bool) -> Result<Self, Status> {
        let mut context = Arc::new(Context::EMPTY);
        let place = Arc::get_mut(&mut context).expect("nobody else has it yet");
        // SAFETY: the caller vouches for the name.
        unsafe { place.init(kernel, key, quiet) }?;
        Ok(Self { context, key_bytes: key.len(), quiet })
    }

    fn c_kernel(&self) -> *const c_char {
        // SAFETY: new has filled the context.
        unsafe { ffi::mf_twofish_kernel_name(&raw const self.context.0) }
    }

    /// The name of the kernel that the key was expanded for.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        // SAFETY: kernel names lie in static storage.
        unsafe { static_text(self.c_kernel()) }
    }

    /// Encrypts whole blocks, each by itself.
    pub fn encrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        // SAFETY: new has filled the context, and data spans 16 * n_blocks bytes on both sides.
        unsafe {
            ffi::mf_twofish_encrypt_blocks(
                &raw const self.context.0,
                data.out(),
                data.input(),
                n_blocks,
            )
        }
        .check()
    }

    /// Decrypts whole blocks, each by itself.
    pub fn decrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        // SAFETY: as in encrypt_blocks.
        unsafe {
            ffi::mf_twofish_decrypt_blocks(
                &raw const self.context.0,
                data.out(),
                data.input(),
                n_blocks,
            )
        }
        .check()
    }

    /// The cipher as the modes take it. It holds the address of the context: whoever keeps it must
    /// keep a clone of self as long.
    pub(crate) fn cipher(&self) -> mf_cipher {
        // SAFETY: new has filled the context; the call only notes its address.
        unsafe { ffi::mf_twofish_cipher(&raw const self.context.0) }
    }
}

/// The number of blocks in data, which must be whole ones.
pub(crate) fn whole_blocks(data: &InOut) -> Result<usize, Status> {
    let n_bytes = data.n_bytes();
    if n_bytes.is_multiple_of(MF_TWOFISH_BLOCK_BYTES) {
        Ok(n_bytes / MF_TWOFISH_BLOCK_BYTES)
    } else {
        Err(Status::LENGTH)
    }
}

/// Pads a key of 0 to 32 bytes into `padded`; says how many bytes it has now. [Twofish98, 4.3.1]
pub fn pad_key(padded: &mut [u8; MF_TWOFISH_MAX_KEY_BYTES], key: &[u8]) -> Result<usize, Status> {
    let mut padded_bytes = 0;
    // SAFETY: padded has the 32 bytes asked for; a shared and a mutable borrow are disjoint.
    unsafe {
        ffi::mf_twofish_pad_key(
            padded.as_mut_ptr(),
            &raw mut padded_bytes,
            key.as_ptr().cast(),
            key.len(),
        )
    }
    .check()?;
    Ok(padded_bytes)
}

/// Asks a kernel for the official known answers.
pub fn selftest(kernel: &str) -> Result<(), Status> {
    let kernel = c_name(kernel)?;
    // SAFETY: the name is a C string.
    unsafe { ffi::mf_twofish_selftest(kernel.as_ptr()) }.check()
}

/// A kernel's name for C. No kernel has a zero byte in its name.
pub(crate) fn c_name(kernel: &str) -> Result<CString, Status> {
    CString::new(kernel).map_err(|_| Status::KERNEL)
}

/// One way to compute Twofish; all give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// As [`Twofish::new`] takes it.
    pub name: &'static str,
    /// One line: what it precomputes.
    pub summary: &'static str,
    /// Instructions that it needs, separated by spaces; "" if none.
    pub cpu_features: &'static str,
    /// Bytes that it fills for one key.
    pub expanded_key_bytes: usize,
    /// Blocks that it works on at a time.
    pub lanes: usize,
    /// The longest key that it takes.
    pub max_key_bytes: usize,
    /// Bytes of tables for all keys, which have to be ready; 0: it needs none.
    pub shared_bytes: usize,
    /// No branch on, and no address from, key or data.
    pub constant_time: bool,
    /// This CPU and system can run it, and its tables are ready.
    pub runnable: bool,
    /// Taken where the caller names none.
    pub is_default: bool,
}

/// The kernels of this build, best first.
pub fn kernels() -> impl Iterator<Item = KernelInfo> {
    // SAFETY: takes nothing and cannot fail.
    let count = unsafe { ffi::mf_twofish_kernel_count() };
    (0..count).map_while(kernel_info)
}

fn kernel_info(index: usize) -> Option<KernelInfo> {
    let mut info = MaybeUninit::<ffi::mf_kernel_info>::uninit();
    // SAFETY: info has room for what is written.
    unsafe { ffi::mf_twofish_kernel_info(index, info.as_mut_ptr()) }.check().ok()?;
    // SAFETY: on MF_OK all of info is filled, and its strings lie in static storage.
    unsafe {
        let info = info.assume_init();
        Some(KernelInfo {
            name: static_text(info.name),
            summary: static_text(info.summary),
            cpu_features: static_text(info.cpu_features),
            expanded_key_bytes: info.expanded_key_bytes,
            lanes: info.lanes,
            max_key_bytes: info.max_key_bytes,
            shared_bytes: info.shared_bytes,
            constant_time: info.constant_time,
            runnable: info.runnable,
            is_default: info.is_default,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::is_wiped_when_dropped;

    fn encrypted(key: &Twofish) -> [u8; 16] {
        let mut block = [0; 16];
        key.encrypt_blocks(&InOut::in_place(&mut block)).unwrap();
        block
    }

    #[test]
    fn keys_are_wiped() {
        let mut context = Context::EMPTY;
        // SAFETY: NULL is the default kernel.
        unsafe { context.init(ptr::null(), &[7; 32], false) }.unwrap();
        assert!(is_wiped_when_dropped(context));
    }

    #[test]
    fn another_key_leaves_clones_alone() {
        let (first, second) = ([1; 16], [2; 32]);
        let mut key = Twofish::new(None, &first).unwrap();
        let clone = key.clone();
        let before = encrypted(&clone);
        key.set_key(&second).unwrap();
        assert_eq!(encrypted(&clone), before);
        assert_eq!(encrypted(&key), encrypted(&Twofish::new(None, &second).unwrap()));
    }

    #[test]
    fn a_wrong_key_leaves_the_old_one() {
        let mut key = Twofish::new(Some("zero"), &[1; 16]).unwrap();
        let before = encrypted(&key);
        assert_eq!(key.set_key(&[1; 15]), Err(Status::KEY_LENGTH));
        assert_eq!((encrypted(&key), key.kernel()), (before, "zero"));
    }
}
