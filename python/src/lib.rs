// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The extension module `manyfish._manyfish`: the parts that must be fast. The Python code in `manyfish/` makes of it
//! what users see, and describes that, as does `_manyfish.pyi`.

mod aead;
mod buffer;
mod ctr;
mod files;
mod info;
mod key;
mod mac;
mod many;
mod modes;
mod new_file;
mod number;
mod pieces;
mod siv;
mod study;

pyo3::import_exception!(manyfish._errors, InvalidTag);
pyo3::import_exception!(manyfish._errors, MessageTooLongError);

/// Fast parts of the package; use what it exports instead.
#[pyo3::pymodule]
mod _manyfish {
    #[pymodule_export]
    use super::files::{
        DamagedMessageError, MessageError, UnsupportedMessageError, WrongPassphraseError,
        decrypt_bytes, decrypt_file, encrypt_bytes, encrypt_file,
    };
    #[pymodule_export]
    #[allow(non_upper_case_globals)] // the name that Python modules have for it
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::aead::{TwofishCCM, TwofishEAX, TwofishGCM, TwofishOCB, TwofishSIV};
    #[pymodule_export]
    use super::ctr::Ctr;
    #[pymodule_export]
    use super::info::{kernels, selftest};
    #[pymodule_export]
    use super::key::Key;
    #[pymodule_export]
    use super::mac::Cmac;
    #[pymodule_export]
    use super::many::Many;
    #[pymodule_export]
    use super::modes::{Cbc, Cfb, Ecb, Ofb, Xts};
    #[pymodule_export]
    use super::pieces::PyPieces;
    #[pymodule_export]
    use super::siv::Siv;
    #[pymodule_export]
    use super::study::{Variant, crypt_each};
}
