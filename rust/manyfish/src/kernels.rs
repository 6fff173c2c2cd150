// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The list of kernels: ways to compute Twofish that differ in speed, memory and what they leak.

pub use manyfish_sys::KernelInfo;
use manyfish_sys::Status;

use crate::Error;

/// The environment variable that chooses the default kernel, among constant-time ones unless
/// [`LEAKS_VARIABLE`] allows others.
pub const KERNEL_VARIABLE: &str = "MANYFISH_KERNEL";
/// The environment variable that lets [`KERNEL_VARIABLE`] and its like of DES name kernels that are not
/// constant-time: its one value is "any".
pub const LEAKS_VARIABLE: &str = "MANYFISH_LEAKS";

/// The error of a call that takes the default kernel. The best one always runs, so the environment is
/// wrong; `cause` makes the error of the kernel that its variable names.
#[cfg(feature = "std")]
pub(crate) fn variable_error(
    status: Status,
    variable: &'static str,
    cause: impl FnOnce(&str) -> Error,
) -> Error {
    let value = |name| std::env::var_os(name).unwrap_or_default().to_string_lossy().into_owned();
    match status {
        Status::LEAKS_VALUE => {
            Error::LeaksValue { found: crate::name::text(value(LEAKS_VARIABLE)) }
        }
        _ => Error::KernelVariable { variable, cause: Box::new(cause(&value(variable))) },
    }
}

/// Without a system there is no variable.
#[cfg(not(feature = "std"))]
pub(crate) fn variable_error(
    _status: Status,
    _variable: &'static str,
    cause: impl FnOnce(&str) -> Error,
) -> Error {
    cause("default")
}

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
