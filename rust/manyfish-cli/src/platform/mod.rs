// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The differences between systems: permissions, devices, passphrase prompts and signals. Every system has the
//! same functions.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
