// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Empty: the build script is all of it.
