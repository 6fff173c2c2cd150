// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Gives a file the owner, the permissions and the access list of the one that it replaces.

#[cfg_attr(target_os = "linux", path = "access_list.rs")]
#[cfg_attr(not(target_os = "linux"), path = "no_access_list.rs")]
mod access_list;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "other.rs")]
mod kept;

pub use kept::Kept;
