// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The published tests, as cargo keeps them: nothing of them is in this repository.

include!(concat!(env!("OUT_DIR"), "/published.rs"));
