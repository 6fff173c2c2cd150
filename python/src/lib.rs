// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The extension module `manyfish._manyfish`: what has to be fast. What users see is made from it by the
//! Python code in `manyfish/`, and described in `_manyfish.pyi` and there.

mod buffer;
mod files;
mod key;
mod modes;
mod new_file;
mod study;

/// Fast parts of the package; use what it exports instead.
#[pyo3::pymodule]
mod _manyfish {
    #[pymodule_export]
    use super::files::{
        DamagedMessageError, MessageError, UnsupportedMessageError, WrongPassphraseError,
        decrypt_bytes, decrypt_file, encrypt_bytes, encrypt_file,
    };
    #[pymodule_export]
    use super::key::Key;
    #[pymodule_export]
    use super::modes::{Cbc, Ctr, Ecb};
    #[pymodule_export]
    use super::study::crypt_each;
}
