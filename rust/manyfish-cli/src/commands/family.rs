// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The ciphers that have kernels.

use clap::ValueEnum;
use manyfish::{KERNEL_VARIABLE, KernelInfo, des};

/// DES stands for Triple-DES, too, whose kernels are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Family {
    Twofish,
    Des,
}

impl Family {
    /// As it is given on the command line, and printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Twofish => "twofish",
            Self::Des => "des",
        }
    }

    /// Best first.
    pub fn kernels(self) -> Vec<KernelInfo> {
        match self {
            Self::Twofish => manyfish::kernels().collect(),
            Self::Des => des::kernels().collect(),
        }
    }

    /// The environment variable that chooses the default kernel.
    pub fn kernel_variable(self) -> &'static str {
        match self {
            Self::Twofish => KERNEL_VARIABLE,
            Self::Des => des::KERNEL_VARIABLE,
        }
    }
}
