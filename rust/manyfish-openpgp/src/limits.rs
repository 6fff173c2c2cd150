// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The limits of a message before its passphrase has proved right: memory, and work. We count both from the
//! packets in advance, not by a clock, so that a message gets the same answer everywhere.

use std::fmt;
use std::time::Duration;

use crate::aead::AeadData;
use crate::skesk::Skesk;

/// The cost of opening a message before the passphrase has proved right, or its limit.
///
/// Work is in seconds of an *ordinary core*. That is a unit and no measurement: such a core does 1,000,000
/// KiB of Argon2 (memory times passes) a second, hashes 250,000 KiB and decrypts 31,250 KiB. A core of 2020
/// takes about that long. Microseconds are the smallest amount.
///
/// ```
/// use manyfish_openpgp::{DecryptOptions, Decryption, Limits, Settings, encrypt};
///
/// let message = encrypt(b"correct horse", Settings::new()?, &b"battery"[..], Vec::new())?;
/// let mut options = DecryptOptions::default();
/// options.limits = Limits { memory: 2 << 30, ..options.limits }; // a sender who is known
/// let decryption = Decryption::with(&message[..], options)?;
/// # Ok::<(), manyfish_openpgp::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Octets of memory, of the packet that takes most: 256 MiB.
    pub memory: u64,
    /// Work of all packets together: 2 s.
    pub work: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 256 << 20, work: Duration::from_secs(2) }
    }
}

/// Microseconds of an ordinary core for a KiB, by what is done with it.
const ARGON2_MICROS: u64 = 1;
const HASH_MICROS: u64 = 4;
const DECRYPTION_MICROS: u64 = 32;

impl Limits {
    /// No cost.
    pub const NOTHING: Self = Self { memory: 0, work: Duration::ZERO };

    /// Passes of Argon2 over this many KiB.
    #[must_use]
    pub fn argon2(memory_kib: u64, passes: u64) -> Self {
        let work = memory_kib.saturating_mul(passes).saturating_mul(ARGON2_MICROS);
        Self { memory: memory_kib.saturating_mul(1 << 10), work: Duration::from_micros(work) }
    }

    /// This many octets hashed.
    #[must_use]
    pub fn hash(octets: u64) -> Self {
        let work = Duration::from_micros(octets.saturating_mul(HASH_MICROS).div_ceil(1 << 10));
        Self { memory: 0, work }
    }

    fn decryption(octets: u64) -> Self {
        let work = Duration::from_micros((octets * DECRYPTION_MICROS).div_ceil(1 << 10));
        Self { memory: 0, work }
    }

    /// One after the other.
    #[must_use]
    pub fn and(self, next: Self) -> Self {
        Self { memory: self.memory.max(next.memory), work: self.work.saturating_add(next.work) }
    }

    /// The cost of the packets for passphrases that can be tried. Each packet of version 4 before `data` also
    /// takes a trial of its beginning.
    pub(crate) fn asked_by<'a>(
        skesks: impl IntoIterator<Item = &'a Skesk>,
        data: Option<&AeadData>,
    ) -> Self {
        let trial =
            data.map_or(Self::NOTHING, |data| Self::decryption(data.beginning_bytes() as u64));
        skesks.into_iter().fold(Self::NOTHING, |sum, skesk| match skesk {
            Skesk::V4(v4) if v4.check().is_ok() => sum.and(v4.s2k.cost()).and(trial),
            Skesk::V5(v5) if v5.check().is_ok() => sum.and(v5.s2k.cost()),
            Skesk::V6(v6) if v6.check().is_ok() => sum.and(v6.s2k.cost()),
            _ => sum,
        })
    }

    /// Whether a message that asks for so much is within them.
    #[must_use]
    pub fn allow(&self, asked: &Self) -> bool {
        asked.memory <= self.memory && asked.work <= self.work
    }

    /// Takes the work from what is left; `false`, and nothing is taken, where it does not fit.
    pub(crate) fn spend(&mut self, asked: &Self) -> bool {
        let fits = self.allow(asked);
        if fits {
            self.work -= asked.work;
        }
        fits
    }
}

/// "2 GiB of memory and 2.1 s of work": rounded up to tenths of a second, and without memory where it needs none.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.memory {
            0 => {}
            bytes if bytes % (1 << 30) == 0 => write!(f, "{} GiB of memory and ", bytes >> 30)?,
            bytes if bytes % (1 << 20) == 0 => write!(f, "{} MiB of memory and ", bytes >> 20)?,
            bytes if bytes % (1 << 10) == 0 => write!(f, "{} KiB of memory and ", bytes >> 10)?,
            bytes => write!(f, "{bytes} bytes of memory and ")?,
        }
        let tenths = self.work.as_micros().div_ceil(100_000);
        match tenths % 10 {
            0 => write!(f, "{} s of work", tenths / 10),
            tenth => write!(f, "{}.{tenth} s of work", tenths / 10),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Hash;
    use crate::s2k::{Argon2Cost, S2k};

    fn argon2(passes: u8, memory_exponent: u8) -> Limits {
        S2k::Argon2(Argon2Cost { salt: [0; 16], passes, lanes: 4, memory_exponent }).cost()
    }

    #[test]
    fn what_programs_write_is_within_the_limits_but_for_two_gigabytes() {
        let gnupg = S2k::Iterated { hash: Hash::SHA1, salt: [0; 8], count: 255 }.cost();
        assert_eq!(gnupg.work.as_micros(), 2 * 62 * 1024 * 4, "two digests of 62 MiB");
        for usual in [gnupg, argon2(3, 16), argon2(7, 18)] {
            assert!(Limits::default().allow(&usual), "{usual}");
        }
        assert_eq!(argon2(3, 16).to_string(), "64 MiB of memory and 0.2 s of work");
        let sequoia = argon2(1, 21);
        assert_eq!(sequoia.to_string(), "2 GiB of memory and 2.1 s of work");
        assert!(!Limits::default().allow(&sequoia));
    }

    #[test]
    fn each_limit_counts_by_itself() {
        let limits = Limits { memory: 1 << 20, work: Duration::from_millis(2) };
        let within = Limits::argon2(1000, 2);
        assert!(limits.allow(&within));
        assert!(!limits.allow(&Limits { memory: (1 << 20) + 1, ..within }));
        assert!(!limits.allow(&within.and(Limits::hash(1))), "what is begun counts");
        assert_eq!(within.and(within).memory, within.memory, "the next has the same memory");
    }

    #[test]
    fn sizes_are_told_in_the_largest_unit_that_is_exact() {
        let told = |memory| Limits { memory, work: Duration::from_secs(2) }.to_string();
        assert_eq!(told(0), "2 s of work");
        for (memory, words) in [(1000, "1000 bytes"), (3 << 10, "3 KiB"), (5 << 20, "5 MiB")] {
            assert_eq!(told(memory), format!("{words} of memory and 2 s of work"));
        }
    }
}
