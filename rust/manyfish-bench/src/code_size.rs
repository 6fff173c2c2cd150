// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! How large the kernels are; `build/code_size.rs` says how it is counted.

/// Bytes of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Machine code of set-up, encryption and decryption.
    pub code: u64,
    /// Tables and other constants.
    pub constants: u64,
}

/// By the names of the kernels; empty where the library is in a form that is not read.
const SIZES: &[(&str, u64, u64)] = &include!(concat!(env!("OUT_DIR"), "/code_sizes.rs"));

/// The size of a kernel of this build, or of compiled keying.
pub fn of(name: &str) -> Option<Size> {
    let found = SIZES.iter().find(|(kernel, ..)| *kernel == name)?;
    Some(Size { code: found.1, constants: found.2 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_counted() {
        if SIZES.is_empty() {
            println!("skipped: the library is no ELF archive");
            return;
        }
        for kernel in manyfish::kernels() {
            let size = of(kernel.name).unwrap_or_else(|| panic!("{} is missing", kernel.name));
            assert!((1000..200_000).contains(&size.code), "{}: {size:?}", kernel.name);
        }
        for name in ["compiled", "compiled-big", "compiled-huge", "compiled-two-views"] {
            assert_eq!(of(name).is_some(), cfg!(target_arch = "x86_64"), "{name}");
        }
    }

    #[test]
    fn the_constants_of_table_kernels_are_q_and_mds() {
        let Some(full) = of("full") else { return };
        // MDS columns of 4 x 256 words, two q of 256 bytes, and their order [Twofish98, 5.1.2].
        assert!((4608..5120).contains(&full.constants), "{full:?}");
    }

    #[test]
    fn compiled_keying_has_its_template_and_full() {
        for (kernel, name) in [("full", "compiled"), ("full-big", "compiled-big")] {
            let Some((compiled, kernel)) = of(name).zip(of(kernel)) else { return };
            let more = compiled.code.saturating_sub(kernel.code);
            assert!((2000..20_000).contains(&more), "{name}: {compiled:?} {kernel:?}");
            assert!(compiled.constants < 8192, "{name}: {compiled:?}");
        }
    }
}
