// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What systems do each in their own way: who may read a file, what is a device, how a passphrase is
//! asked for, and how the user ends a program. Every system has the same functions.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
