// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The list of kernels: ways to compute Twofish that differ in speed, memory and what they leak.

pub use manyfish_sys::KernelInfo;

/// The environment variable that chooses the default kernel.
pub const KERNEL_VARIABLE: &str = "MANYFISH_KERNEL";

/// The kernels of this build, best first. None is the default where [`KERNEL_VARIABLE`] names one that
/// cannot be had.
///
/// ```
/// let default = manyfish::kernels().find(|kernel| kernel.is_default).unwrap();
/// assert!(default.runnable);
/// ```
pub fn kernels() -> impl Iterator<Item = KernelInfo> {
    manyfish_sys::kernels()
}
