// SPDX-License-Identifier: Apache-2.0 OR MIT

use std::io;

/// Why something was not measured, or not shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A kernel that was named does not exist, or does not run here.
    #[error(transparent)]
    Kernel(manyfish::Error),
    /// There are no tables for a kernel that was named.
    #[error("the tables of {kernel} cannot be built: {cause}")]
    Tables { kernel: String, bytes: usize, cause: manyfish::Error },
    /// A kernel that was named would be left out unsaid.
    #[error("the kernel \"{kernel}\" takes no keys of that size")]
    KeySizes { kernel: &'static str, max_key_bits: usize },
    #[error(transparent)]
    Failed(#[from] manyfish::Error),
    /// The output failed.
    #[error(transparent)]
    Output(#[from] io::Error),
}
