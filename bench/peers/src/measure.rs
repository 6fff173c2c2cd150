// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The measurement: every implementation in turn, on the same memory.

use std::time::Duration;

use manyfish_bench::stopwatch::{Figure, race};

use crate::operation::{Cipher, Implementation, Iv, Job, Keys, Operation};

/// Bytes of the messages.
pub const BULK_BYTES: [usize; 2] = [8 << 10, 64 << 10];
/// Bytes of each of many messages.
pub const MANY_BYTES: [usize; 7] = [16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10];
/// Of all messages together: with more, Triple-DES would take half an hour.
const MOST_BYTES: usize = 4 << 20;
/// More messages than lanes, all of them short: their number and the bytes of each.
const SHORT: (usize, usize) = (256, 64);
/// Any IV does.
pub const IV: Iv = *b"an IV for tests!";

/// One question to everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    pub cipher: Cipher,
    pub key_bits: usize,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Another key over the old one.
    Setup,
    /// A block alone in a call, which waits for the one before.
    Block(Operation),
    /// A message of this many bytes, IV and tag included.
    Message(Operation, usize),
    /// This many messages, each of this many bytes.
    Messages(Operation, usize, usize),
}

impl Measure {
    /// All there is to measure, or with `quick` enough to see that it works.
    pub fn all(cipher: Cipher, quick: bool) -> Vec<Self> {
        let messages = if quick { &BULK_BYTES[..1] } else { &BULK_BYTES };
        let mut kinds = vec![What::Setup];
        kinds.extend([Operation::EcbEncrypt, Operation::EcbDecrypt].map(What::Block));
        for operation in cipher.operations() {
            kinds.extend(messages.iter().map(|n_bytes| What::Message(*operation, *n_bytes)));
        }
        let with_key = |key_bits: &usize| {
            kinds
                .iter()
                .map(|what| Self { cipher, key_bits: *key_bits, what: *what })
                .collect::<Vec<_>>()
        };
        cipher.key_bits().iter().flat_map(with_key).collect()
    }

    /// Blocks that wait for nothing, then many messages of each size, under the longest key; with `quick` of the
    /// smallest size only.
    pub fn of_many(cipher: Cipher, quick: bool) -> Vec<Self> {
        let n = cipher.n_messages();
        let sizes = MANY_BYTES.into_iter().filter(|n_bytes| n_bytes * n <= MOST_BYTES);
        let mut messages: Vec<_> = sizes.map(|n_bytes| (n, n_bytes)).collect();
        if n < SHORT.0 {
            messages.push(SHORT);
        }
        messages.truncate(if quick { 1 } else { usize::MAX });
        let of = |operation: &Operation| {
            let what = |(n, n_bytes): &_| What::Messages(*operation, *n, *n_bytes);
            messages.iter().map(what).collect::<Vec<_>>()
        };
        let base = What::Message(Operation::EcbEncrypt, BULK_BYTES[0]);
        let all = [base].into_iter().chain(cipher.operations_of_many().iter().flat_map(of));
        let key_bits = *cipher.key_bits().last().expect("there are some");
        all.map(|what| Self { cipher, key_bits, what }).collect()
    }

    /// As it stands in the results; `unit` is "cycles" where there is a counter.
    pub fn name(self, unit: &str) -> String {
        match self.what {
            What::Setup => format!("setup_{unit}"),
            What::Block(Operation::EcbDecrypt) => format!("block_{unit}/decrypt"),
            What::Block(_) => format!("block_{unit}/encrypt"),
            What::Message(operation, n_bytes) => {
                format!("{unit}_per_byte/{n_bytes}/{}", operation.name())
            }
            What::Messages(operation, n, n_bytes) => {
                format!("{unit}_per_byte/{n}x{n_bytes}/{}", operation.name())
            }
        }
    }

    fn operation(self) -> Operation {
        match self.what {
            What::Setup => Operation::EcbEncrypt,
            What::Block(operation)
            | What::Message(operation, _)
            | What::Messages(operation, ..) => operation,
        }
    }

    /// Bytes given in a call, and what its cycles are divided by.
    #[allow(clippy::cast_precision_loss)] // far below 2^52
    fn bytes_and_divisor(self) -> (usize, f64) {
        match self.what {
            What::Setup | What::Block(_) => (self.cipher.block_bytes(), 1.0),
            What::Message(_, n_bytes) => (n_bytes, n_bytes as f64),
            What::Messages(_, n, n_bytes) => (n * n_bytes, (n * n_bytes) as f64),
        }
    }

    /// Measures everybody who has the operation; answers with their places in the list.
    pub fn run(
        self,
        everybody: &[Box<dyn Implementation>],
        budget: Duration,
    ) -> Vec<(usize, Figure)> {
        let keys = Keys::of(self.cipher, self.key_bits);
        let opened = everybody.iter().enumerate();
        let opened = opened.filter_map(|(i, who)| Some((i, who.open(self.operation(), &keys)?)));
        let (places, mut jobs): (Vec<usize>, Vec<_>) = opened.unzip();
        let (n_bytes, divisor) = self.bytes_and_divisor();
        let figures = self.race(budget, &mut jobs, keys.data, n_bytes);
        let divided = figures.into_iter().map(|figure| Figure {
            minimum: figure.minimum / divisor,
            median: figure.median / divisor,
            ..figure
        });
        places.into_iter().zip(divided).collect()
    }

    fn race(
        self,
        budget: Duration,
        jobs: &mut [Box<dyn Job>],
        mut key: Vec<u8>,
        n_bytes: usize,
    ) -> Vec<Figure> {
        if self.what == What::Setup {
            return race(budget, jobs, |job| {
                key[0] = key[0].wrapping_add(1);
                job.set_key(&key);
            });
        }
        let mut memory = Memory::new(n_bytes);
        let data = memory.bytes();
        race(budget, jobs, |job| match self.what {
            What::Messages(_, _, n_bytes) => job.run_each(&IV, data, n_bytes),
            _ => _ = job.run(&IV, data),
        })
    }
}

/// Memory that all share, from the start of a cache line.
struct Memory {
    bytes: Vec<u8>,
    n_bytes: usize,
}

impl Memory {
    const LINE: usize = 64;

    fn new(n_bytes: usize) -> Self {
        Self { bytes: vec![0; n_bytes + Self::LINE], n_bytes }
    }

    fn bytes(&mut self) -> &mut [u8] {
        let start = self.bytes.as_ptr().align_offset(Self::LINE);
        &mut self.bytes[start..start + self.n_bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_tables() {
        let names: Vec<String> = Measure::all(Cipher::Twofish, false)
            .into_iter()
            .map(|measure| measure.name("cycles"))
            .collect();
        assert_eq!(names.len(), 3 * (1 + 2 + 2 * Operation::ALL.len()));
        assert_eq!(Measure::all(Cipher::Des, false).len(), 2 * (1 + 2 + 2 * 5));
        let many = Measure::of_many(Cipher::Des, true);
        assert_eq!(many[1].name("cycles"), "cycles_per_byte/512x16/cbc/encrypt");
        assert_eq!(names[..2], ["setup_cycles", "block_cycles/encrypt"]);
        assert_eq!(
            names[3..5],
            ["cycles_per_byte/8192/ecb/encrypt", "cycles_per_byte/65536/ecb/encrypt"]
        );
    }

    #[test]
    fn a_measure_answers_for_those_who_have_the_operation() {
        let everybody = crate::ours::kernels();
        let measured = |what| {
            let measure = Measure { cipher: Cipher::Twofish, key_bits: 128, what };
            measure.run(&everybody, Duration::ZERO)
        };
        assert_eq!(measured(What::Setup).len(), everybody.len());
        let message = measured(What::Message(Operation::EcbEncrypt, 8192));
        let block = measured(What::Block(Operation::EcbEncrypt));
        for ((_, message), (_, block)) in message.iter().zip(&block) {
            assert!(message.minimum < block.minimum, "a byte costs less than a block");
        }
    }
}
