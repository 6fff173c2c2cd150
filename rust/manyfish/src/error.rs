// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Everything that can go wrong, each cause once.

use manyfish_sys::{KeyFlaws, Status};
use thiserror::Error;

use crate::Name;

/// Why a call was refused. On an error no output is half written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// Twofish has no key of this many bytes; see [`pad_key`](crate::pad_key) for shorter ones.
    #[error("a Twofish key has 16, 24 or 32 bytes, not {found}")]
    KeyLength {
        /// Bytes of the key given.
        found: usize,
    },
    /// A variant of Twofish for study has no key of this many bytes.
    #[error("a key of a variant has 16 to 512 bytes, a multiple of 8, not {found}")]
    VariantKeyLength {
        /// Bytes of the key given.
        found: usize,
    },
    /// A family key goes with keys of Twofish itself only.
    #[error("with a family key, a key has 16, 24 or 32 bytes, not {found}")]
    FamilyKeyLength {
        /// Bytes of the key given.
        found: usize,
    },
    /// A variant of Twofish for study cannot have this number of rounds.
    #[error("Twofish can have 1 to 124 rounds, not {found}")]
    Rounds {
        /// The rounds asked for.
        found: u32,
    },
    /// Only keys of up to 32 bytes can be padded.
    #[error("a Twofish key has at most 32 bytes, not {found}")]
    KeyTooLong {
        /// Bytes of the key given.
        found: usize,
    },
    /// DES has keys of 8 bytes, Triple-DES of 16 and 24.
    #[error("a DES key has 8 bytes, one of Triple-DES 16 or 24, not {found}")]
    DesKeyLength {
        /// Bytes of the key given.
        found: usize,
    },
    /// The key has flaws that the caller refuses; see [`check_key`](crate::des::check_key).
    #[error("the key is refused: {flaws}")]
    KeyRefused {
        /// Those that are refused.
        flaws: KeyFlaws,
    },
    /// No kernel of this name in this build.
    #[error("no kernel is called \"{name}\" here")]
    UnknownKernel {
        /// The name asked for.
        name: Name,
    },
    /// The kernel needs instructions that this CPU lacks.
    #[error("the kernel \"{name}\" needs instructions that this CPU lacks")]
    Cpu {
        /// The name asked for.
        name: Name,
    },
    /// The kernel needs tables that have not been built; see [`Tables`](crate::Tables).
    #[error("the kernel \"{name}\" needs tables that have not been built")]
    NoTables {
        /// The name asked for.
        name: Name,
    },
    /// The kernel has no constant-time key set-up.
    #[error("the kernel \"{name}\" has no constant-time key set-up")]
    NoConstantTimeSetUp {
        /// The kernel.
        name: Name,
    },
    /// The kernel takes shorter keys only.
    #[error("the kernel \"{name}\" takes no keys of {found} bytes")]
    LongKey {
        /// The kernel.
        name: Name,
        /// Bytes of the key given.
        found: usize,
    },
    /// A file of tables cannot be read or written, or is not what it should be.
    #[error("the file of tables cannot be read or written, or is not what it should be")]
    TablesFile,
    /// The progress function cancelled it.
    #[error("cancelled")]
    Cancelled,
    /// The environment variable that chooses the default kernel names one that cannot be had: see
    /// `cause`.
    #[cfg(feature = "std")]
    #[error("the environment variable {variable} is wrong: {cause}")]
    KernelVariable {
        /// `MANYFISH_KERNEL`, or `MANYFISH_DES_KERNEL` for DES.
        variable: &'static str,
        /// [`UnknownKernel`](Self::UnknownKernel), [`Leaks`](Self::Leaks), [`Cpu`](Self::Cpu),
        /// [`NoTables`](Self::NoTables) or [`LongKey`](Self::LongKey), with the variable's value.
        cause: Box<Error>,
    },
    /// The kernel that the environment names is not constant-time, and
    /// [`LEAKS_VARIABLE`](crate::LEAKS_VARIABLE) does not allow that.
    #[error(
        "the kernel \"{name}\" is not constant-time: name another, or allow leaks by MANYFISH_LEAKS=any"
    )]
    Leaks {
        /// The name asked for.
        name: Name,
    },
    /// The environment variable [`LEAKS_VARIABLE`](crate::LEAKS_VARIABLE) has an unknown value.
    #[error(
        "the environment variable MANYFISH_LEAKS takes the value any alone, not \"{found}\": write \
         that, or unset it"
    )]
    LeaksValue {
        /// Its value.
        found: Name,
    },
    /// The data is not made of whole blocks where it must be.
    #[error("{found} bytes are not a whole number of {block_bytes}-byte blocks")]
    Length {
        /// Bytes of a block.
        block_bytes: usize,
        /// Bytes of the data given.
        found: usize,
    },
    /// The keys given one after the other are not whole keys.
    #[error("{found} bytes are not a whole number of keys of {key_bytes} bytes")]
    WholeKeys {
        /// Bytes of a key.
        key_bytes: usize,
        /// Bytes of the keys given.
        found: usize,
    },
    /// The data are not the same number of whole blocks for each of the keys.
    #[error("{found} bytes are not the same number of 16-byte blocks for each of {n_keys} keys")]
    EqualParts {
        /// How many keys there are.
        n_keys: usize,
        /// Bytes of the data given.
        found: usize,
    },
    /// The output buffer is too small.
    #[error("the output needs {needed} bytes of room, but has {found}")]
    Capacity {
        /// Bytes of the result.
        needed: usize,
        /// Bytes of the buffer given.
        found: usize,
    },
    /// The mode has no nonce of this many bytes.
    #[error("the mode has no nonces of {found} bytes; {mode} takes {allowed}")]
    NonceLength {
        /// The mode.
        mode: &'static str,
        /// The lengths that it has.
        allowed: &'static str,
        /// Bytes of the nonce given.
        found: usize,
    },
    /// The mode has no tag of this many bytes, or the key was made for tags of another length.
    #[error("{mode} takes tags of {allowed} bytes here, not {found}")]
    TagLength {
        /// The mode.
        mode: &'static str,
        /// The lengths that it has, or the one that was chosen with the key.
        allowed: Name,
        /// Bytes of the tag given.
        found: usize,
    },
    /// The message is shorter than the mode can take.
    #[error("the mode needs at least {needed} bytes, not {found}")]
    TooShort {
        /// Bytes of a block.
        needed: usize,
        /// Bytes of the message given.
        found: usize,
    },
    /// CFB works in segments of 1 bit, 8 bits or a block.
    #[error("a CFB segment has 1, 8 or {block_bits} bits, not {found}")]
    SegmentBits {
        /// Bits of a block.
        block_bits: u32,
        /// Bits asked for.
        found: u32,
    },
    /// A key for two ciphers has an even number of bytes, each half being a Twofish key.
    #[error("a key for {mode} has 32, 48 or 64 bytes, not {found}")]
    DoubleKeyLength {
        /// The mode.
        mode: &'static str,
        /// Bytes of the key given.
        found: usize,
    },
    /// XTS and SIV are not secure with two equal keys.
    #[error("the two halves of a key for {mode} must differ")]
    EqualKeys {
        /// The mode.
        mode: &'static str,
    },
    /// Sectors must divide the data, and each has 16 bytes to 16 MiB.
    #[error("{found} bytes are not a whole number of sectors of {sector_bytes} bytes")]
    Sectors {
        /// Bytes of a sector.
        sector_bytes: usize,
        /// Bytes of the data given.
        found: usize,
    },
    /// CTR counts in 32 bits or all of the block.
    #[error("a counter has 32 or {block_bits} bits here, not {found}")]
    CounterBits {
        /// Bits of a block.
        block_bits: u32,
        /// Bits asked for.
        found: u32,
    },
    /// The tag does not fit: key, nonce, data or associated data differ. The output is wiped.
    #[error("wrong tag: the key, the nonce, the data or the associated data differ")]
    Tag,
    /// The decrypted data does not end in valid padding, of PKCS#7 or ISO/IEC 7816-4. The output is wiped.
    #[error("the decrypted data does not end in valid padding")]
    Padding,
    /// The mode must not process more data under this nonce or counter.
    #[error("the mode allows no more data under this nonce or counter")]
    TooLong,
    /// The text of the message has ended: only its tag may follow.
    #[error("the text of the message has ended: only its tag may follow")]
    Ended,
    /// In CCM more bytes came than were declared, of the associated data or of the text.
    #[error("more bytes came than were declared when the message was started")]
    MoreThanDeclared,
    /// In CCM fewer bytes came than were declared: of the associated data before the text, or of the text before
    /// the tag.
    #[error("fewer bytes came than were declared when the message was started")]
    LessThanDeclared,
    /// No kernel that runs here leaks as little and fills as little memory as the
    /// [`Expectation`](crate::Expectation) allows, or the kernel asked about does not.
    #[error("no kernel keeps within what is allowed: less memory or fewer leaks than any has here")]
    Policy,
    /// The text is no table of costs.
    #[error("this is no table of costs: line {line} is wrong")]
    Costs {
        /// The line at fault, counted from 1; 0 if there is none.
        line: usize,
    },
    /// The system gives no memory.
    #[error("the system gives no memory")]
    Memory,
    /// The system does not let this program make memory executable; see
    /// [`CompiledTwofish::or_full`](crate::CompiledTwofish::or_full).
    #[error("the system refuses executable memory")]
    Executable,
    /// A kernel computed something that is not its cipher: a broken build or machine.
    #[error("the kernel \"{name}\" gives wrong results")]
    Selftest {
        /// The kernel.
        name: Name,
    },
}

/// Names the causes that depend on nothing but the status. The others, about lengths and names, are
/// made where the value is known; the rest cannot happen behind this crate's types.
pub(crate) fn from_status(status: Status) -> Error {
    match status {
        Status::TAG => Error::Tag,
        Status::PADDING => Error::Padding,
        Status::TOO_LONG => Error::TooLong,
        Status::MEMORY => Error::Memory,
        Status::FILE => Error::TablesFile,
        Status::CANCELLED => Error::Cancelled,
        other => unreachable!("the library refused what the types allow: {other:?}"),
    }
}
