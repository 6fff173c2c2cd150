// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! XTS, for sectors of disks. \[IEEE1619\]

use core::fmt;

use manyfish_sys::{InOut, Status};
use zeroize::ZeroizeOnDrop;

use super::cts::too_short;
use crate::error::from_status;
use crate::twofish::{copying, halves};
use crate::{BLOCK_BYTES, Error, Expectation, Twofish};

/// Two keys joined. Each data unit (sector) is encrypted by itself under a tweak, its number, and
/// keeps its length. Nothing is authenticated. Many threads may use one at once.
///
/// ```
/// use manyfish::modes::Xts;
///
/// let key: Vec<u8> = (0..64).collect();
/// let xts = Xts::from_key(&key)?;
/// let mut disk = vec![0; 4 * 512];
/// xts.encrypt_sectors(1000, 512, &mut disk)?;
/// xts.decrypt_sectors(1003, 512, &mut disk[3 * 512..])?;
/// assert_eq!(disk[3 * 512..], [0; 512]);
/// # Ok::<(), manyfish::Error>(())
/// ```
pub struct Xts {
    xts: manyfish_sys::Xts,
    /// Known of a key that was given whole.
    has_equal_keys: bool,
}

impl Xts {
    /// Joins a key for data and a key for tweaks. They must differ, or XTS is not secure. This function
    /// cannot check that; [`from_key`](Self::from_key) can.
    #[must_use]
    pub fn new(data: &Twofish, tweak: &Twofish) -> Self {
        let xts = manyfish_sys::Xts::new(data.key.clone(), tweak.key.clone());
        Self { xts: xts.expect("the mode is defined for 16-byte blocks"), has_equal_keys: false }
    }

    /// Splits a key of 32, 48 or 64 bytes into the key for data and the key for tweaks, for the
    /// default kernel. With equal halves it only decrypts, for data that exists: calls that encrypt
    /// return [`Error::EqualKeys`].
    pub fn from_key(key: &[u8]) -> Result<Self, Error> {
        Self::from_halves(key, Twofish::new)
    }

    /// The same for the kernel of the given name; [`kernels`](crate::kernels) lists them.
    pub fn from_key_with_kernel(name: &str, key: &[u8]) -> Result<Self, Error> {
        Self::from_halves(key, |half| Twofish::with_kernel(name, half))
    }

    /// The same for the kernel that costs least for what is expected of each key. [`Error::Policy`] if
    /// none keeps within what is allowed.
    pub fn from_key_for_expected(expectation: &Expectation, key: &[u8]) -> Result<Self, Error> {
        Self::from_halves(key, |half| Twofish::for_expected(expectation, half))
    }

    fn from_halves(
        key: &[u8],
        expand: impl Fn(&[u8]) -> Result<Twofish, Error>,
    ) -> Result<Self, Error> {
        let (data, tweak) = halves("XTS", key)?;
        let has_equal_keys = manyfish_sys::equal(data, tweak);
        Ok(Self { has_equal_keys, ..Self::new(&expand(data)?, &expand(tweak)?) })
    }

    /// Whether it was made of a key with equal halves, and so only decrypts.
    #[must_use]
    pub fn has_equal_keys(&self) -> bool {
        self.has_equal_keys
    }

    fn require_two_keys(&self) -> Result<(), Error> {
        if self.has_equal_keys { Err(Error::EqualKeys { mode: "XTS" }) } else { Ok(()) }
    }

    /// Encrypts one data unit of at least 16 bytes in place.
    pub fn encrypt(&self, tweak: &[u8; BLOCK_BYTES], data: &mut [u8]) -> Result<(), Error> {
        self.require_two_keys()?;
        let found = data.len();
        let done = self.xts.encrypt(tweak, &InOut::in_place(data));
        done.map_err(|status| too_short(status, BLOCK_BYTES, found))
    }

    /// Decrypts one data unit of at least 16 bytes in place.
    pub fn decrypt(&self, tweak: &[u8; BLOCK_BYTES], data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        let done = self.xts.decrypt(tweak, &InOut::in_place(data));
        done.map_err(|status| too_short(status, BLOCK_BYTES, found))
    }

    /// [`encrypt`](Self::encrypt) from `input` into the first bytes of `out`.
    pub fn encrypt_to(
        &self,
        tweak: &[u8; BLOCK_BYTES],
        out: &mut [u8],
        input: &[u8],
    ) -> Result<(), Error> {
        self.require_two_keys()?;
        let done = self.xts.encrypt(tweak, &copying(out, input)?);
        done.map_err(|status| too_short(status, BLOCK_BYTES, input.len()))
    }

    /// [`decrypt`](Self::decrypt) from `input` into the first bytes of `out`.
    pub fn decrypt_to(
        &self,
        tweak: &[u8; BLOCK_BYTES],
        out: &mut [u8],
        input: &[u8],
    ) -> Result<(), Error> {
        let done = self.xts.decrypt(tweak, &copying(out, input)?);
        done.map_err(|status| too_short(status, BLOCK_BYTES, input.len()))
    }

    /// Encrypts consecutive sectors of 16 bytes to 16 MiB in place; the tweak of each is its number.
    pub fn encrypt_sectors(
        &self,
        first_sector: u64,
        sector_bytes: usize,
        data: &mut [u8],
    ) -> Result<(), Error> {
        self.require_two_keys()?;
        let found = data.len();
        let done = self.xts.encrypt_sectors(first_sector, sector_bytes, &InOut::in_place(data));
        done.map_err(|status| sectors(status, sector_bytes, found))
    }

    /// Decrypts consecutive sectors in place.
    pub fn decrypt_sectors(
        &self,
        first_sector: u64,
        sector_bytes: usize,
        data: &mut [u8],
    ) -> Result<(), Error> {
        let found = data.len();
        let done = self.xts.decrypt_sectors(first_sector, sector_bytes, &InOut::in_place(data));
        done.map_err(|status| sectors(status, sector_bytes, found))
    }

    /// [`encrypt_sectors`](Self::encrypt_sectors) from `input` into the first bytes of `out`.
    pub fn encrypt_sectors_to(
        &self,
        first_sector: u64,
        sector_bytes: usize,
        out: &mut [u8],
        input: &[u8],
    ) -> Result<(), Error> {
        self.require_two_keys()?;
        let done = self.xts.encrypt_sectors(first_sector, sector_bytes, &copying(out, input)?);
        done.map_err(|status| sectors(status, sector_bytes, input.len()))
    }

    /// [`decrypt_sectors`](Self::decrypt_sectors) from `input` into the first bytes of `out`.
    pub fn decrypt_sectors_to(
        &self,
        first_sector: u64,
        sector_bytes: usize,
        out: &mut [u8],
        input: &[u8],
    ) -> Result<(), Error> {
        let done = self.xts.decrypt_sectors(first_sector, sector_bytes, &copying(out, input)?);
        done.map_err(|status| sectors(status, sector_bytes, input.len()))
    }
}

/// The error of a call that takes sectors.
fn sectors(status: Status, sector_bytes: usize, found: usize) -> Error {
    if status == Status::LENGTH {
        Error::Sectors { sector_bytes, found }
    } else {
        from_status(status)
    }
}

/// Names the kernel, never the key.
impl fmt::Debug for Xts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xts").field("kernel", &self.xts.key().kernel()).finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Xts {}
