// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The list of kernels: ways to compute Twofish that differ in speed, memory and what they leak.

pub use manyfish_sys::KernelInfo;

/// The kernels of this build, best first.
///
/// ```
/// let default = manyfish::kernels().find(|kernel| kernel.is_default).unwrap();
/// assert!(default.runnable);
/// ```
pub fn kernels() -> impl Iterator<Item = KernelInfo> {
    manyfish_sys::kernels()
}
