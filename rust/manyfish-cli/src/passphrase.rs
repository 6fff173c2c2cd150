// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Where the passphrase comes from.
