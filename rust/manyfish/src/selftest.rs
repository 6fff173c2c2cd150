// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Known answers, asked of a kernel on the machine that runs it.

use crate::Error;
use crate::twofish::kernel_error;

/// Runs the official 49-step table test for all three key sizes, forwards and back, on the kernel of
/// the given name, and compares its bulk path with single blocks.
///
/// ```
/// for kernel in manyfish::kernels().filter(|kernel| kernel.runnable) {
///     manyfish::selftest(kernel.name)?;
/// }
/// # Ok::<(), manyfish::Error>(())
/// ```
pub fn selftest(kernel: &str) -> Result<(), Error> {
    manyfish_sys::selftest(kernel).map_err(|status| kernel_error(status, kernel))
}
