// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/twofish.h>`: expanded keys, single blocks, the list of kernels.

use core::ffi::c_char;
use core::mem::MaybeUninit;
use core::ptr;

#[cfg(feature = "study")]
use crate::compiled::{Code, SetUp};
use crate::ffi::{
    MF_COST_NAME_BYTES, MF_TWOFISH_BLOCK_BYTES, MF_TWOFISH_CONTEXT_BYTES, MF_TWOFISH_MAX_KEY_BYTES,
    mf_cipher, mf_twofish,
};
use crate::shared::Shared;
use crate::{Expectation, InOut, Leaks, Status, choose, ffi, static_text};

/// The lengths of keys.
pub(crate) const KEY_BYTES: [usize; 3] = [16, 24, 32];

/// One expanded key. A clone shares it, and the last owner to go wipes it. It lies on the heap: the
/// modes hold its address, and moving the owner leaves no copy of a key behind. Without the feature `std` it
/// is its owner: 4,352 bytes, which a clone and a move copy.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // it holds a key
pub struct Twofish {
    memory: Memory,
    /// Bytes of the longest key that it has had.
    key_bytes: usize,
}

/// Where the key is.
#[derive(Clone)]
enum Memory {
    Kernel(Shared<Kernel>),
    #[cfg(feature = "study")]
    Code(Shared<Code>),
}

/// A key expanded for a kernel.
#[cfg_attr(not(feature = "std"), derive(Clone))]
struct Kernel {
    context: Context,
    /// No address may depend on a key while it is set.
    ct: bool,
}

struct Context(mf_twofish);

#[cfg(not(feature = "std"))]
impl Clone for Context {
    /// The header allows it.
    fn clone(&self) -> Self {
        Self(mf_twofish { private: self.0.private })
    }
}

impl Context {
    const EMPTY: Self = Self(mf_twofish { private: [0; MF_TWOFISH_CONTEXT_BYTES / 8] });

    /// Expands a key; after an error there is none.
    ///
    /// # Safety
    /// `kernel` must be NULL or end in a zero byte.
    unsafe fn init(&mut self, kernel: *const c_char, key: &[u8], ct: bool) -> Result<(), Status> {
        let init =
            if ct { ffi::mf_twofish_init_kernel_ct_set_up } else { ffi::mf_twofish_init_kernel };
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

impl Kernel {
    /// # Safety
    /// `name` must be NULL or end in a zero byte.
    unsafe fn new(name: *const c_char, key: &[u8], ct: bool) -> Result<Shared<Self>, Status> {
        let mut kernel = Shared::new(Self { context: Context::EMPTY, ct });
        #[cfg(feature = "std")]
        crate::locked::lock_value(&*kernel);
        let place = Shared::get_mut(&mut kernel).expect("nobody else has it yet");
        // SAFETY: the caller vouches for the name.
        unsafe { place.context.init(name, key, ct) }?;
        Ok(kernel)
    }

    fn as_ptr(&self) -> *const mf_twofish {
        &raw const self.context.0
    }

    fn c_name(&self) -> *const c_char {
        // SAFETY: new has filled the context.
        unsafe { ffi::mf_twofish_kernel_name(self.as_ptr()) }
    }

    /// Another key by the same set-up, in the same memory if nobody shares it and it is known to take
    /// keys of this length. On an error the old key stays.
    fn set_key(this: &mut Shared<Self>, key: &[u8], in_place: bool) -> Result<(), Status> {
        let (name, ct) = (this.c_name(), this.ct);
        match Shared::get_mut(this).filter(|_| in_place) {
            // SAFETY: kernel names lie in static storage and end in a zero byte. This cannot fail,
            // since the kernel has taken such a key before.
            Some(alone) => unsafe { alone.context.init(name, key, ct) },
            // SAFETY: as above.
            None => unsafe { Self::new(name, key, ct) }.map(|new| *this = new),
        }
    }
}

/// As [`Kernel::set_key`].
#[cfg(feature = "study")]
fn set_key_of_code(code: &mut Shared<Code>, key: &[u8], in_place: bool) -> Result<(), Status> {
    match Shared::get_mut(code).filter(|_| in_place) {
        Some(alone) => alone.set_key(key),
        None => Code::new(code.set_up(), key).map(|new| *code = Shared::new(new)),
    }
}

impl Twofish {
    /// Expands a key of 16, 24 or 32 bytes for the named kernel, or for the default one.
    pub fn new(kernel: Option<&str>, key: &[u8]) -> Result<Self, Status> {
        Self::with_name(kernel, key, false)
    }

    /// The same with a key set-up in which no address depends on the key; [`Status::POLICY`] if the
    /// kernel has none.
    pub fn new_ct(kernel: Option<&str>, key: &[u8]) -> Result<Self, Status> {
        Self::with_name(kernel, key, true)
    }

    fn with_name(kernel: Option<&str>, key: &[u8], ct: bool) -> Result<Self, Status> {
        let kernel = kernel.map(c_name).transpose()?;
        let name = kernel.as_ref().map_or(ptr::null(), CName::as_ptr);
        // SAFETY: the name is NULL or a C string that lives until the end of this function.
        let kernel = unsafe { Kernel::new(name, key, ct) }?;
        Ok(Self { memory: Memory::Kernel(kernel), key_bytes: key.len() })
    }

    /// Expands a key of 16, 24 or 32 bytes for compiled keying; as for kernel `full` where no code can
    /// be made.
    #[cfg(feature = "study")]
    pub fn compiled(set_up: SetUp, key: &[u8]) -> Result<Self, Status> {
        let code = Shared::new(Code::new(set_up, key)?);
        Ok(Self { memory: Memory::Code(code), key_bytes: key.len() })
    }

    /// Does it run code of its own?
    #[cfg(feature = "study")]
    #[must_use]
    pub fn is_code(&self) -> bool {
        matches!(&self.memory, Memory::Code(code) if code.is_code())
    }

    /// Why compiled keying makes no code here.
    #[cfg(feature = "study")]
    #[must_use]
    pub fn refusal_of_code(set_up: SetUp) -> Status {
        Code::refusal(set_up)
    }

    /// Bytes of memory that the key occupies.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        match &self.memory {
            Memory::Kernel(_) => MF_TWOFISH_CONTEXT_BYTES,
            #[cfg(feature = "study")]
            Memory::Code(code) => code.n_bytes(),
        }
    }

    /// Expands a key for the kernel that costs least for what is expected, by the set-up that was chosen,
    /// now and with [`set_key`](Self::set_key).
    pub fn for_expected(expectation: &Expectation, key: &[u8]) -> Result<Self, Status> {
        let choice = choose(key.len(), expectation)?;
        // Constant-time kernels have one set-up, so this asks for it in either way.
        let ct = choice.ct_set_up || expectation.leaks != Leaks::Any;
        Self::with_name(Some(choice.kernel), key, ct)
    }

    /// The same key memory, or new memory if a clone shares it, for another key and the same kernel,
    /// by the same set-up. On an error the old key stays.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Status> {
        if !KEY_BYTES.contains(&key.len()) {
            return Err(Status::KEY_LENGTH);
        }
        let in_place = key.len() <= self.key_bytes;
        match &mut self.memory {
            Memory::Kernel(kernel) => Kernel::set_key(kernel, key, in_place),
            #[cfg(feature = "study")]
            Memory::Code(code) => set_key_of_code(code, key, in_place),
        }?;
        self.key_bytes = self.key_bytes.max(key.len());
        Ok(())
    }

    /// The name of the kernel that the key was expanded for, or "compiled".
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        match &self.memory {
            // SAFETY: kernel names lie in static storage.
            Memory::Kernel(kernel) => unsafe { static_text(kernel.c_name()) },
            #[cfg(feature = "study")]
            Memory::Code(code) if code.is_code() => "compiled",
            #[cfg(feature = "study")]
            Memory::Code(_) => "full",
        }
    }

    /// Encrypts whole blocks, each by itself.
    pub fn encrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        let (out, input) = (data.out(), data.input());
        // SAFETY: the key is set, and data spans 16 * n_blocks bytes on both sides.
        unsafe {
            match &self.memory {
                Memory::Kernel(kernel) => {
                    ffi::mf_twofish_encrypt_blocks(kernel.as_ptr(), out, input, n_blocks)
                }
                #[cfg(feature = "study")]
                Memory::Code(code) => {
                    ffi::mf_twofish_compiled_encrypt_blocks(code.as_ptr(), out, input, n_blocks)
                }
            }
        }
        .check()
    }

    /// Decrypts whole blocks, each by itself.
    pub fn decrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        let (out, input) = (data.out(), data.input());
        // SAFETY: as in encrypt_blocks.
        unsafe {
            match &self.memory {
                Memory::Kernel(kernel) => {
                    ffi::mf_twofish_decrypt_blocks(kernel.as_ptr(), out, input, n_blocks)
                }
                #[cfg(feature = "study")]
                Memory::Code(code) => {
                    ffi::mf_twofish_compiled_decrypt_blocks(code.as_ptr(), out, input, n_blocks)
                }
            }
        }
        .check()
    }

    /// The cipher as the modes take it. It holds the address of the key: keep a clone of self
    /// as long as you keep it.
    pub(crate) fn cipher(&self) -> mf_cipher {
        match &self.memory {
            // SAFETY: the key is set; the call only notes its address.
            Memory::Kernel(kernel) => unsafe { ffi::mf_twofish_cipher(kernel.as_ptr()) },
            #[cfg(feature = "study")]
            Memory::Code(code) => code.cipher(),
        }
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

/// A kernel's name for C.
pub(crate) struct CName([u8; MF_COST_NAME_BYTES]);

impl CName {
    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }

    /// As a table of costs has it.
    pub(crate) fn into_chars(self) -> [c_char; MF_COST_NAME_BYTES] {
        self.0.map(|byte| c_char::from_ne_bytes([byte]))
    }
}

/// No kernel has a zero byte in its name, or a longer one than a table of costs can hold.
pub(crate) fn c_name(kernel: &str) -> Result<CName, Status> {
    if kernel.len() >= MF_COST_NAME_BYTES || kernel.contains('\0') {
        return Err(Status::KERNEL);
    }
    let mut name = CName([0; MF_COST_NAME_BYTES]);
    name.0[..kernel.len()].copy_from_slice(kernel.as_bytes());
    Ok(name)
}

/// One way to compute a cipher; all of one cipher give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// As [`Twofish::new`] or [`Des::new`](crate::Des::new) takes it.
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
    Some(unsafe { KernelInfo::from_c(&info.assume_init()) })
}

impl KernelInfo {
    /// # Safety
    /// The strings must be NULL or lie in static storage.
    pub(crate) unsafe fn from_c(info: &ffi::mf_kernel_info) -> Self {
        // SAFETY: the caller vouches for them.
        let text = |text| unsafe { static_text(text) };
        Self {
            name: text(info.name),
            summary: text(info.summary),
            cpu_features: text(info.cpu_features),
            expanded_key_bytes: info.expanded_key_bytes,
            lanes: info.lanes,
            max_key_bytes: info.max_key_bytes,
            shared_bytes: info.shared_bytes,
            constant_time: info.constant_time,
            runnable: info.runnable,
            is_default: info.is_default,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::is_wiped_when_dropped;

    pub fn encrypted(key: &Twofish) -> [u8; 16] {
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

    /// Costs of `zero` alone, with such set-ups.
    fn costs(plain: u32, ct: u32) -> crate::Costs {
        let mut costs = crate::Costs::empty();
        assert!(costs.add(&crate::CostRow {
            kernel: "zero",
            key_bits: 128,
            set_up: plain,
            ct_set_up: ct,
            calls: [1; crate::COST_CALL_BLOCKS.len()],
        }));
        costs
    }

    fn is_ct(key: &Twofish) -> bool {
        matches!(&key.memory, Memory::Kernel(kernel) if kernel.ct)
    }

    /// How a key is set does not show in what it does, so this looks at what is remembered of it.
    #[test]
    fn a_constant_time_set_up_stays_one() {
        let (short, long) = ([1; 16], [2; 32]);
        for ct in [false, true] {
            let mut key = Twofish::with_name(Some("full"), &short, ct).unwrap();
            key.set_key(&short).unwrap(); // in the same memory
            let clone = key.clone();
            key.set_key(&long).unwrap(); // in new memory
            assert_eq!([&key, &clone].map(is_ct), [ct; 2]);
        }
    }

    #[test]
    fn the_set_up_that_was_chosen_stays() {
        for (plain, ct, leaks, expected) in [
            (9, 5, Leaks::Any, true),
            (5, 9, Leaks::Any, false),
            (5, 9, Leaks::Text, true),
            (9, 5, Leaks::None, true),
        ] {
            let costs = costs(plain, ct);
            let expectation = Expectation { leaks, costs: Some(&costs), ..Expectation::default() };
            let mut key = Twofish::for_expected(&expectation, &[1; 16]).unwrap();
            assert_eq!(key.kernel() == "zero", leaks != Leaks::None);
            assert_eq!(choose(16, &expectation).unwrap().cost.is_some(), leaks != Leaks::None);
            assert_eq!(is_ct(&key), expected, "{plain} {ct} {leaks:?}");
            let clone = key.clone();
            for another in [[2; 16].as_slice(), &[3; 32]] {
                key.set_key(another).unwrap();
                assert_eq!((is_ct(&key), key.kernel()), (expected, clone.kernel()));
                assert_eq!(encrypted(&key), encrypted(&Twofish::new(None, another).unwrap()));
            }
        }
    }

    #[test]
    fn a_wrong_key_leaves_the_old_one() {
        let mut key = Twofish::new(Some("zero"), &[1; 16]).unwrap();
        let before = encrypted(&key);
        assert_eq!(key.set_key(&[1; 15]), Err(Status::KEY_LENGTH));
        assert_eq!((encrypted(&key), key.kernel()), (before, "zero"));
    }
}

#[cfg(all(test, feature = "study"))]
mod study_tests {
    use super::tests::encrypted;
    use super::*;

    const SET_UPS: [SetUp; 5] =
        [SetUp::Full, SetUp::ConstantTime, SetUp::Big, SetUp::Huge, SetUp::TwoViews];

    /// Objects of all set-ups for 128-bit keys.
    fn all_compiled(key: &[u8]) -> [Twofish; 5] {
        crate::Tables::Big.build(0, |_, _| true).unwrap();
        crate::Tables::Huge.build(0, |_, _| true).unwrap();
        SET_UPS.map(|set_up| Twofish::compiled(set_up, key).unwrap())
    }

    #[test]
    fn compiled_blocks_are_those_of_a_kernel() {
        for (mut compiled, set_up) in all_compiled(&[0; 16]).into_iter().zip(SET_UPS) {
            for key in [&[1; 16][..], &[2; 24], &[3; 32]] {
                if set_up == SetUp::Huge && key.len() > 16 {
                    continue;
                }
                let kernel = Twofish::new(Some("zero"), key).unwrap();
                compiled.set_key(key).unwrap();
                for n_blocks in 0..10 {
                    let text: Vec<u8> = (0..=u8::MAX).take(16 * n_blocks).collect();
                    let (mut a, mut b) = (text.clone(), text.clone());
                    kernel.encrypt_blocks(&InOut::in_place(&mut a)).unwrap();
                    compiled.encrypt_blocks(&InOut::in_place(&mut b)).unwrap();
                    assert_eq!(a, b);
                    compiled.decrypt_blocks(&InOut::in_place(&mut b)).unwrap();
                    assert_eq!(b, text);
                }
            }
        }
    }

    #[test]
    fn a_wrong_compiled_key_leaves_the_old_one() {
        for mut compiled in all_compiled(&[1; 16]) {
            let before = encrypted(&compiled);
            assert_eq!(compiled.set_key(&[1; 17]), Err(Status::KEY_LENGTH));
            assert_eq!(encrypted(&compiled), before);
            assert!(compiled.memory_bytes() > 4096);
        }
        let mut huge = Twofish::compiled(SetUp::Huge, &[1; 16]).unwrap();
        let before = encrypted(&huge);
        assert_eq!(huge.set_key(&[1; 24]), Err(Status::KEY_LENGTH));
        assert_eq!(encrypted(&huge), before);
        assert!(matches!(Twofish::compiled(SetUp::Huge, &[1; 32]), Err(Status::KEY_LENGTH)));
    }

    #[test]
    fn another_compiled_key_leaves_clones_alone() {
        for mut compiled in all_compiled(&[1; 16]) {
            let clone = compiled.clone();
            let before = encrypted(&clone);
            compiled.set_key(&[2; 16]).unwrap();
            assert_eq!(encrypted(&clone), before);
            assert_ne!(encrypted(&compiled), before);
        }
    }
}
