// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/des.h>`: keys of DES and Triple-DES, single blocks, the list of kernels.

use core::ffi::{c_char, c_uint};
use core::fmt;
use core::mem::MaybeUninit;
use core::ptr;

use crate::ffi::{
    MF_DES_BLOCK_BYTES, MF_DES_CONTEXT_BYTES, MF_DES_DEGENERATE, MF_DES_PARITY,
    MF_DES_POSSIBLY_WEAK, MF_DES_SEMI_WEAK, MF_DES_TWO_KEYS, MF_DES_WEAK, mf_cipher, mf_des,
};
use crate::shared::Shared;
use crate::twofish::{CName, c_name};
use crate::{InOut, KernelInfo, Status, ffi, static_text};

/// One expanded key of DES or Triple-DES. A clone shares it, and the last owner to go wipes it. It lies on
/// the heap: the modes hold its address, and moving the owner leaves no copy of a key behind. Without the
/// feature `std` it is its owner: 9,768 bytes, which a clone and a move copy.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // it holds a key
pub struct Des {
    context: Shared<Context>,
    key_bytes: usize,
}

#[cfg(feature = "study")]
type Memory = Vec<u8>;
#[cfg(feature = "study")]
const NO_MEMORY: Memory = Memory::new();
/// No kernel needs any.
#[cfg(not(feature = "study"))]
type Memory = [u8; 0];
#[cfg(not(feature = "study"))]
const NO_MEMORY: Memory = [];

struct Context {
    des: mf_des,
    /// For a kernel whose expanded key does not fit into the context; else empty. The context has its
    /// address: nobody else looks at it.
    memory: Memory,
}

#[cfg(not(feature = "std"))]
impl Clone for Context {
    /// The header allows it where the context needs no other memory.
    fn clone(&self) -> Self {
        Self { des: mf_des { private: self.des.private }, memory: [] }
    }
}

impl Context {
    const EMPTY: Self =
        Self { des: mf_des { private: [0; MF_DES_CONTEXT_BYTES / 8] }, memory: NO_MEMORY };

    /// Expands a key, in memory of its own if the kernel needs some; after an error there is none.
    ///
    /// # Safety
    /// `kernel` must be NULL or end in a zero byte.
    unsafe fn init(&mut self, kernel: *const c_char, key: &[u8]) -> Result<(), Status> {
        let (des, place, n_bytes) = (&raw mut self.des, key.as_ptr().cast(), key.len());
        if self.memory.is_empty() {
            // SAFETY: the context is zero or filled by init, and our own memory; key is a slice apart
            // from it; the caller vouches for the name.
            let status = unsafe { ffi::mf_des_init_kernel(des, kernel, place, n_bytes) }.check();
            if status != Err(Status::CAPACITY) {
                return status;
            }
            // SAFETY: the caller vouches for the name.
            self.memory = unsafe { memory_for(kernel, n_bytes) }?;
            #[cfg(feature = "std")]
            crate::locked::lock(&self.memory);
        }
        let (memory, memory_bytes) = (self.memory.as_mut_ptr().cast(), self.memory.len());
        // SAFETY: as above; the memory is as long as it says, does not move with self, and is not freed
        // before the context is wiped.
        unsafe { ffi::mf_des_init_in(des, kernel, memory, memory_bytes, place, n_bytes) }.check()
    }
}

/// None is needed.
///
/// # Safety
/// None.
#[cfg(not(feature = "study"))]
#[allow(clippy::unnecessary_wraps)] // as below
unsafe fn memory_for(_: *const c_char, _: usize) -> Result<Memory, Status> {
    Ok(NO_MEMORY)
}

/// Room for the expanded key of a kernel.
///
/// # Safety
/// `kernel` must be NULL or end in a zero byte.
#[cfg(feature = "study")]
unsafe fn memory_for(kernel: *const c_char, key_bytes: usize) -> Result<Memory, Status> {
    let mut n_bytes = 0;
    // SAFETY: the caller vouches for the name; there is room for the number.
    unsafe { ffi::mf_des_memory_bytes(kernel, key_bytes, &raw mut n_bytes) }.check()?;
    let mut memory = Memory::new();
    memory.try_reserve_exact(n_bytes + ffi::MF_DES_MEMORY_ALIGNMENT).map_err(|_| Status::MEMORY)?;
    memory.resize(n_bytes + ffi::MF_DES_MEMORY_ALIGNMENT, 0);
    Ok(memory)
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: self is zero or filled by init; its memory is still there.
        unsafe { ffi::mf_des_wipe(&raw mut self.des) }
    }
}

impl Des {
    /// Expands a key of 8 (DES), 16 or 24 bytes (Triple-DES) for the named kernel, or for the default one.
    /// A kernel with a large expanded key has memory of its own: [`Status::MEMORY`] if there is none.
    pub fn new(kernel: Option<&str>, key: &[u8]) -> Result<Self, Status> {
        let kernel = kernel.map(c_name).transpose()?;
        let name = kernel.as_ref().map_or(ptr::null(), CName::as_ptr);
        // SAFETY: the name is NULL or a C string that lives until the end of this function.
        unsafe { Self::with_c_name(name, key) }
    }

    /// # Safety
    /// `kernel` must be NULL or end in a zero byte.
    unsafe fn with_c_name(kernel: *const c_char, key: &[u8]) -> Result<Self, Status> {
        let mut context = Shared::new(Context::EMPTY);
        #[cfg(feature = "std")]
        crate::locked::lock_value(&*context);
        let place = Shared::get_mut(&mut context).expect("nobody else has it yet");
        // SAFETY: the caller vouches for the name.
        unsafe { place.init(kernel, key) }?;
        Ok(Self { context, key_bytes: key.len() })
    }

    /// Another key for the same kernel; in the same memory if it is large enough and no clone shares it. On an
    /// error the old key stays.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Status> {
        if let Some(alone) = Shared::get_mut(&mut self.context) {
            // SAFETY: the context has a key, and is ours alone; key is a slice apart from it.
            let status =
                unsafe { ffi::mf_des_set_key(&raw mut alone.des, key.as_ptr().cast(), key.len()) }
                    .check();
            if status != Err(Status::CAPACITY) {
                return status.map(|()| self.key_bytes = key.len());
            }
        }
        // SAFETY: kernel names lie in static storage and end in a zero byte.
        unsafe { Self::with_c_name(self.c_kernel(), key) }.map(|new| *self = new)
    }

    fn c_kernel(&self) -> *const c_char {
        // SAFETY: new has filled the context.
        unsafe { ffi::mf_des_kernel_name(self.as_ptr()) }
    }

    fn as_ptr(&self) -> *const mf_des {
        &raw const self.context.des
    }

    /// The name of the kernel that the key was expanded for.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        // SAFETY: kernel names lie in static storage.
        unsafe { static_text(self.c_kernel()) }
    }

    /// Bytes of the key: 8, 16 or 24.
    #[must_use]
    pub fn key_bytes(&self) -> usize {
        self.key_bytes
    }

    /// Bytes of the expanded key.
    #[must_use]
    pub fn expanded_key_bytes(&self) -> usize {
        let mut n_bytes = 0;
        // SAFETY: kernel names lie in static storage and end in a zero byte; there is room for the number.
        let status =
            unsafe { ffi::mf_des_memory_bytes(self.c_kernel(), self.key_bytes, &raw mut n_bytes) };
        status.check().map_or(0, |()| n_bytes)
    }

    /// Encrypts whole blocks, each by itself.
    pub fn encrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        // SAFETY: new has filled the context, and data spans 8 * n_blocks bytes on both sides.
        unsafe { ffi::mf_des_encrypt_blocks(self.as_ptr(), data.out(), data.input(), n_blocks) }
            .check()
    }

    /// Decrypts whole blocks, each by itself.
    pub fn decrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        // SAFETY: as in encrypt_blocks.
        unsafe { ffi::mf_des_decrypt_blocks(self.as_ptr(), data.out(), data.input(), n_blocks) }
            .check()
    }

    /// The cipher as the modes take it. It holds the address of the context: keep a clone of self
    /// as long as you keep it.
    pub(crate) fn cipher(&self) -> mf_cipher {
        // SAFETY: new has filled the context; the call only notes its address.
        unsafe { ffi::mf_des_cipher(self.as_ptr()) }
    }
}

/// The number of blocks in data, which must be whole ones.
fn whole_blocks(data: &InOut) -> Result<usize, Status> {
    let n_bytes = data.n_bytes();
    if n_bytes.is_multiple_of(MF_DES_BLOCK_BYTES) {
        Ok(n_bytes / MF_DES_BLOCK_BYTES)
    } else {
        Err(Status::LENGTH)
    }
}

/// Flaws of a key, which may have several. [SP800-67, 3.3.2]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // each is true or not by itself
pub struct KeyFlaws {
    /// A part of 8 bytes is one of the 4 weak keys: to encrypt twice gives the plaintext again.
    pub weak: bool,
    /// A part is one of the 12 semi-weak keys: another key decrypts what it encrypts.
    pub semi_weak: bool,
    /// A part is one of the 48 possibly weak keys, with 4 different subkeys.
    pub possibly_weak: bool,
    /// The first two or the last two parts of a key for Triple-DES are equal: it is DES.
    pub degenerate: bool,
    /// The first and the third part of 24 bytes are equal, as if there were 16.
    pub two_keys: bool,
    /// A byte has an even number of ones.
    pub parity: bool,
}

type Member = fn(&mut KeyFlaws) -> &mut bool;

/// Each flaw with its number.
const FLAWS: [(c_uint, Member); 6] = [
    (MF_DES_WEAK, |flaws| &mut flaws.weak),
    (MF_DES_SEMI_WEAK, |flaws| &mut flaws.semi_weak),
    (MF_DES_POSSIBLY_WEAK, |flaws| &mut flaws.possibly_weak),
    (MF_DES_DEGENERATE, |flaws| &mut flaws.degenerate),
    (MF_DES_TWO_KEYS, |flaws| &mut flaws.two_keys),
    (MF_DES_PARITY, |flaws| &mut flaws.parity),
];

impl KeyFlaws {
    fn from_c(sum: c_uint) -> Self {
        let mut flaws = Self::default();
        for (number, member) in FLAWS {
            *member(&mut flaws) = sum & number != 0;
        }
        flaws
    }

    fn for_c(mut self) -> c_uint {
        let mut sum = 0;
        for (number, member) in FLAWS {
            sum |= if *member(&mut self) { number } else { 0 };
        }
        sum
    }

    /// Those that are in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::from_c(self.for_c() & other.for_c())
    }
}

/// Names the flaws, with commas between them; "none" if there are none.
impl fmt::Display for KeyFlaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (self.weak, "weak"),
            (self.semi_weak, "semi-weak"),
            (self.possibly_weak, "possibly weak"),
            (self.degenerate, "equal parts, which make it DES"),
            (self.two_keys, "equal first and third part"),
            (self.parity, "wrong parity"),
        ];
        let mut there = all.iter().filter(|flaw| flaw.0).map(|flaw| flaw.1);
        f.write_str(there.next().unwrap_or("none"))?;
        there.try_for_each(|flaw| write!(f, ", {flaw}"))
    }
}

/// The flaws of a key of 8, 16 or 24 bytes; nothing refuses such keys by itself.
pub fn des_key_flaws(key: &[u8]) -> Result<KeyFlaws, Status> {
    let mut flaws = 0;
    // SAFETY: key is a slice; there is room for the sum.
    unsafe { ffi::mf_des_key_flaws(&raw mut flaws, key.as_ptr().cast(), key.len()) }.check()?;
    Ok(KeyFlaws::from_c(flaws))
}

/// [`Status::WEAK_KEY`] or [`Status::PARITY`] if the key has a flaw that is refused.
pub fn des_check_key(key: &[u8], refused: KeyFlaws) -> Result<(), Status> {
    // SAFETY: key is a slice.
    unsafe { ffi::mf_des_check_key(key.as_ptr().cast(), key.len(), refused.for_c()) }.check()
}

/// Sets the last bit of each byte so that the number of ones is odd.
pub fn des_set_parity(key: &mut [u8]) -> Result<(), Status> {
    let (place, n_bytes) = (key.as_mut_ptr(), key.len());
    // SAFETY: the slice is output and input in one.
    unsafe { ffi::mf_des_set_parity(place.cast(), place.cast_const().cast(), n_bytes) }.check()
}

/// Asks a kernel for known answers.
pub fn des_selftest(kernel: &str) -> Result<(), Status> {
    let kernel = c_name(kernel)?;
    // SAFETY: the name is a C string.
    let mut memory = unsafe { memory_for(kernel.as_ptr(), 24) }?;
    // SAFETY: the name is a C string; the memory is as long as it says.
    unsafe { ffi::mf_des_selftest(kernel.as_ptr(), memory.as_mut_ptr().cast(), memory.len()) }
        .check()
}

/// The kernels of this build, best first.
pub fn des_kernels() -> impl Iterator<Item = KernelInfo> {
    // SAFETY: takes nothing and cannot fail.
    let count = unsafe { ffi::mf_des_kernel_count() };
    (0..count).map_while(kernel_info)
}

fn kernel_info(index: usize) -> Option<KernelInfo> {
    let mut info = MaybeUninit::<ffi::mf_kernel_info>::uninit();
    // SAFETY: info has room for what is written.
    unsafe { ffi::mf_des_kernel_info(index, info.as_mut_ptr()) }.check().ok()?;
    // SAFETY: on MF_OK all of info is filled, and its strings lie in static storage.
    Some(unsafe { KernelInfo::from_c(&info.assume_init()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice;

    fn encrypted(key: &Des) -> [u8; 8] {
        let mut block = [0; 8];
        key.encrypt_blocks(&InOut::in_place(&mut block)).unwrap();
        block
    }

    fn runnable() -> impl Iterator<Item = &'static str> {
        des_kernels().filter(|kernel| kernel.runnable).map(|kernel| kernel.name)
    }

    #[test]
    fn keys_are_wiped() {
        for kernel in runnable() {
            let name = c_name(kernel).unwrap();
            let mut context = Context::EMPTY;
            // SAFETY: a C string.
            unsafe { context.init(name.as_ptr(), &[7; 24]) }.unwrap();
            let is_zero = |context: &Context| {
                let memory = context.memory.iter().all(|byte| *byte == 0);
                memory && context.des.private.iter().all(|word| *word == 0)
            };
            assert!(!is_zero(&context), "{kernel}");
            // SAFETY: what drop does; the context is then zero, which drop takes, too.
            unsafe { ffi::mf_des_wipe(&raw mut context.des) };
            assert!(is_zero(&context), "{kernel}");
        }
    }

    #[test]
    fn the_expanded_key_lies_where_the_kernel_says() {
        for kernel in des_kernels().filter(|kernel| kernel.runnable) {
            let key = Des::new(Some(kernel.name), &[7; 24]).unwrap();
            let is_outside = kernel.expanded_key_bytes > MF_DES_CONTEXT_BYTES;
            assert_eq!(!key.context.memory.is_empty(), is_outside, "{}", kernel.name);
        }
    }

    #[test]
    fn another_key_leaves_clones_alone() {
        for kernel in runnable() {
            let mut key = Des::new(Some(kernel), &[1; 8]).unwrap();
            for second in [&[2; 8][..], &[3; 16], &[4; 24], &[5; 24], &[6; 8]] {
                let clone = key.clone();
                let before = encrypted(&clone);
                key.set_key(second).unwrap();
                assert_eq!(encrypted(&clone), before, "{kernel}");
                let fresh = Des::new(Some(kernel), second).unwrap();
                assert_eq!((encrypted(&key), key.key_bytes()), (encrypted(&fresh), second.len()));
                drop(clone);
                // Nobody shares it now: the same memory.
                key.set_key(&vec![9; second.len()]).unwrap();
                let fresh = Des::new(Some(kernel), &vec![9; second.len()]).unwrap();
                assert_eq!(encrypted(&key), encrypted(&fresh), "{kernel}");
            }
        }
    }

    #[test]
    fn a_wrong_key_leaves_the_old_one() {
        let mut key = Des::new(Some("sp2k"), &[1; 16]).unwrap();
        let before = encrypted(&key);
        assert_eq!(key.set_key(&[1; 15]), Err(Status::KEY_LENGTH));
        assert_eq!((encrypted(&key), key.kernel()), (before, "sp2k"));
    }

    #[test]
    fn a_key_remembers_nothing_of_a_longer_one() {
        for kernel in runnable() {
            let mut key = Des::new(Some(kernel), &[1; 24]).unwrap();
            key.set_key(&[2; 8]).unwrap();
            let fresh = Des::new(Some(kernel), &[2; 8]).unwrap();
            let words = |key: &Des| {
                let data = key.as_ptr().cast::<u64>();
                // SAFETY: the context is filled, and of whole words.
                unsafe { slice::from_raw_parts(data, MF_DES_CONTEXT_BYTES / 8) }.to_vec()
            };
            if key.context.memory.is_empty() {
                assert_eq!(words(&key), words(&fresh), "{kernel}");
            }
            let rest = &key.context.memory[fresh.context.memory.len()..];
            assert!(rest.iter().all(|byte| *byte == 0), "{kernel}");
        }
    }

    #[test]
    fn each_flaw_has_its_number() {
        for (number, member) in FLAWS {
            let mut flaws = KeyFlaws::default();
            *member(&mut flaws) = true;
            assert_eq!((flaws.for_c(), KeyFlaws::from_c(number)), (number, flaws));
        }
    }
}
