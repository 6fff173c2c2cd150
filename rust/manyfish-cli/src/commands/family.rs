// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The ciphers that have kernels.

use clap::ValueEnum;
use manyfish::{KERNEL_VARIABLE, KernelInfo, des};

/// DES includes Triple-DES, which has the same kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Family {
    Twofish,
    Des,
}

/// The kernels of processors that not every build is for.
const OF_PROCESSORS: [(Family, &[&str], &str); 5] = [
    (Family::Twofish, &["avx512", "avx2-gfni", "avx2", "ssse3"], X86_64),
    (Family::Twofish, &["neon"], ARM64),
    (Family::Twofish, &["simd128"], "WebAssembly"),
    (Family::Des, &["bitslice-avx512", "bitslice-avx2"], X86_64),
    (Family::Des, &["bitslice-neon"], ARM64),
];
const X86_64: &str = "x86-64";
const ARM64: &str = "64-bit ARM";

impl Family {
    /// The processor of a kernel that only other builds have.
    pub fn other_processor(self, kernel: &str) -> Option<&'static str> {
        let is_it =
            |(family, names, _): &&(Self, &[&str], _)| *family == self && names.contains(&kernel);
        let is_here = self.kernels().iter().any(|here| here.name == kernel);
        OF_PROCESSORS.iter().find(is_it).filter(|_| !is_here).map(|(.., processor)| *processor)
    }

    /// The command that describes the kernels.
    pub fn list(self) -> &'static str {
        match self {
            Self::Twofish => "manyfish kernels",
            Self::Des => "manyfish kernels --cipher des",
        }
    }

    /// Its name on the command line and in tables.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The lists of the C library name the kernels of all processors.
    #[test]
    fn every_kernel_is_here_or_of_another_processor() {
        for family in [Family::Twofish, Family::Des] {
            let list = fs::read_to_string(format!("../../c/src/{}/kernels.h", family.name()));
            let list = list.unwrap().replace("X(name)", "");
            let names = list.split(" X(").skip(1).filter_map(|rest| rest.split_once(')'));
            let names: Vec<_> = names.map(|(name, _)| name.replace('_', "-")).collect();
            assert!(names.len() > 6, "{names:?}");
            for name in names {
                let is_here = family.kernels().iter().any(|kernel| kernel.name == name);
                assert!(is_here || family.other_processor(&name).is_some(), "{name}");
            }
        }
    }
}
