// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The traits of RustCrypto, by generation, one feature each; `aead-0-5` brings `cipher-0-4`, and `aead-0-6`
//! `cipher-0-5`.
//!
//! | feature | traits of the crate | as these know them |
//! |---|---|---|
//! | `cipher-0-4` | `cipher` 0.4 | `ctr` 0.9, `cbc` 0.1, `cfb-mode` 0.8, `ofb` 0.6, `xts-mode` 0.5, `eax` 0.5, `ocb3` 0.1, `cmac` 0.7 |
//! | `cipher-0-5` | `cipher` 0.5 | `ctr` 0.10, `cbc` 0.2, `cfb-mode` 0.9, `ofb` 0.7, `xts-mode` 0.6, `eax` 0.6, `ocb3` 0.2, `cmac` 0.8 |
//! | `aead-0-5` | `aead` 0.5 | |
//! | `aead-0-6` | `aead` 0.6 | |
//!
//! ```
//! # #[cfg(feature = "cipher-0-5")] {
//! use cbc02::Decryptor; // the crate cbc 0.2
//! use manyfish::rustcrypto::{Twofish, cipher05::{BlockModeDecrypt, KeyIvInit}};
//!
//! let mut blocks = [[0; 16].into(); 1000];
//! Decryptor::<Twofish>::new(&[7; 32].into(), &[9; 16].into()).decrypt_blocks(&mut blocks);
//! # }
//! # #[cfg(feature = "aead-0-6")] {
//!
//! use manyfish::rustcrypto::{Ocb, aead06::{Aead, KeyInit}};
//!
//! let ocb = <Ocb>::new(&[7; 32].into());
//! let sealed = ocb.encrypt(b"twelve bytes".into(), &b"a message"[..]).unwrap();
//! assert_eq!(ocb.decrypt(b"twelve bytes".into(), &sealed[..]).unwrap(), b"a message");
//! # }
//! ```
//!
//! [`manyfish::Twofish`](crate::Twofish) and [`manyfish::Des`](crate::Des) have the traits. But where code
//! names `new`, `encrypt_blocks` or `decrypt_blocks`, their own functions of these names come first. So this
//! module has types with nothing but the traits, which take the place of RustCrypto's in code as it is. Those
//! of the authenticated modes are ours behind the traits, and wipe what does not fit its tag.
//!
//! RustCrypto's modes hand on 64 blocks of Twofish at a time where they can, and 512 of DES: CTR, and CBC and
//! CFB in decryption. They go block by block in CBC and CFB encryption, OFB and CMAC, where each block waits
//! for the one before, and without need in OCB, EAX and XTS: take [`Ocb`](crate::Ocb) and the
//! [`modes`](crate::modes) of this crate there. Stream ciphers of theirs take keys of `KeySize` bytes only;
//! for shorter ones hand a key to `inner_iv_init` of the core, and that to
//! `StreamCipherCoreWrapper::from_core`.
//!
//! The cost on an AMD EPYC (Zen 4, AVX2) with a key of 256 bits, in MB/s over 256 KiB, the same by our own
//! functions beside it: blocks 564 (578), `ctr` 523 (557), `cbc` 548 (564) in decryption and 47 (48) in encryption,
//! `ocb3` 49, our OCB behind the traits 559 (556); a block alone 324 ns (325). With 16 blocks at a time instead of
//! 64, `cbc` has 443. Blocks of Triple-DES 843 (855); with 128 at a time 414.
//!
//! # Panics
//! A wrong length of a key is the only error that these traits have. Where the environment variable
//! [`KERNEL_VARIABLE`](crate::KERNEL_VARIABLE) names a kernel that cannot be had, or one that leaks
//! without [`LEAKS_VARIABLE`](crate::LEAKS_VARIABLE), `new` and `new_from_slice` panic with the sentence of
//! [`Error::KernelVariable`]: another kernel could leak what the user has ruled out.
//! To get an error instead, make the key by [`manyfish::Twofish::new`](crate::Twofish::new), and [`Twofish`]
//! from it by `from`.

#[cfg(any(feature = "aead-0-5", feature = "aead-0-6"))]
mod aead;
#[cfg(feature = "aead-0-5")]
mod aead_0_5;
#[cfg(feature = "aead-0-6")]
mod aead_0_6;
#[cfg(feature = "cipher-0-4")]
mod cipher_0_4;
#[cfg(feature = "cipher-0-5")]
mod cipher_0_5;

use core::fmt;

use manyfish_sys::InOut;
use zeroize::ZeroizeOnDrop;

use crate::Error;

#[cfg(any(feature = "aead-0-5", feature = "aead-0-6"))]
pub use aead::{Ccm, Eax, Gcm, Ocb, Siv};
#[cfg(feature = "aead-0-5")]
pub use aead05;
#[cfg(feature = "aead-0-6")]
pub use aead06;
#[cfg(feature = "cipher-0-4")]
pub use cipher04;
#[cfg(feature = "cipher-0-5")]
pub use cipher05;

/// A cipher as the traits see it: nothing fails but the length of a key.
trait Blocks: Sized {
    /// `None` if the cipher has no keys of this length.
    fn expand(key: &[u8]) -> Option<Self>;
    fn encrypt(&self, data: &InOut);
    fn decrypt(&self, data: &InOut);
}

/// A cipher of this crate whose errors other than of lengths cannot be.
macro_rules! blocks {
    ($cipher:ty, $key_bytes:pat) => {
        impl Blocks for $cipher {
            fn expand(key: &[u8]) -> Option<Self> {
                matches!(key.len(), $key_bytes).then(|| Self::new(key).unwrap_or_else(refuse))
            }

            #[inline]
            fn encrypt(&self, data: &InOut) {
                self.key.encrypt_blocks(data).expect(WHOLE_BLOCKS);
            }

            #[inline]
            fn decrypt(&self, data: &InOut) {
                self.key.decrypt_blocks(data).expect(WHOLE_BLOCKS);
            }
        }
    };
}

const WHOLE_BLOCKS: &str = "arrays of blocks are whole blocks";

blocks!(crate::Twofish, 16 | 24 | 32);
blocks!(crate::Des, 8 | 16 | 24);

/// Says what there is no other way to say; see the text of this module.
#[allow(clippy::needless_pass_by_value)] // as `unwrap_or_else` hands it on
fn refuse<T>(error: Error) -> T {
    panic!("{error}")
}

/// A type that is the other one without its functions.
macro_rules! traits_only {
    ($(#[$about:meta])* $name:ident, $inner:ident, $key_bytes:pat) => {
        $(#[$about])*
        #[derive(Clone)]
        pub struct $name(crate::$inner);

        impl Blocks for $name {
            fn expand(key: &[u8]) -> Option<Self> {
                if !matches!(key.len(), $key_bytes) {
                    return None;
                }
                crate::$inner::expand(key).map(Self)
            }

            #[inline]
            fn encrypt(&self, data: &InOut) {
                self.0.encrypt(data);
            }

            #[inline]
            fn decrypt(&self, data: &InOut) {
                self.0.decrypt(data);
            }
        }

        /// The name alone.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { ... }"))
            }
        }

        impl ZeroizeOnDrop for $name {}
    };
}

traits_only!(
    /// Twofish with nothing but the traits. `KeySize` is 32 bytes; `new_from_slice` takes 16 and 24, too.
    Twofish, Twofish, 16 | 24 | 32
);
traits_only!(
    /// DES with nothing but the traits.
    Des, Des, 8
);
traits_only!(
    /// Triple-DES with two keys, 16 bytes, and nothing but the traits.
    TdesEde2, Des, 16
);
traits_only!(
    /// Triple-DES with three keys, 24 bytes, and nothing but the traits.
    TdesEde3, Des, 24
);

/// With a kernel that was chosen; a clone of the key is shared.
impl From<crate::Twofish> for Twofish {
    fn from(key: crate::Twofish) -> Self {
        Self(key)
    }
}
