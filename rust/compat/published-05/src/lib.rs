// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Only tests are here; see ../README.md.
