// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CTR with a counter of any length anywhere in the block, as PyCryptodome has it. The library counts in
//! the whole block, big-endian; a shorter counter at the end of the block does the same until it wraps, which
//! is where another stream begins. Other counters are written out and encrypted some blocks at a time.

use manyfish::Error;
use manyfish::modes::{self, ecb};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zeroize::Zeroizing;

use crate::MessageTooLongError;
use crate::buffer::{Data, Input, Output, Written, crypt, either};
use crate::key::{Key, refusal, to_block, with};

/// Bytes of key stream that are made at a time where the library does not count.
const PIECE_BYTES: usize = 4096;

/// Which blocks are encrypted: those of `prefix`, a counter of `value_bytes` bytes, `suffix`.
struct Counter {
    prefix: Vec<u8>,
    suffix: Vec<u8>,
    value_bytes: usize,
    little_endian: bool,
    initial: u128,
}

impl Counter {
    /// Block n of the message.
    fn block(&self, n: u128) -> Vec<u8> {
        let value = self.initial.wrapping_add(n);
        let counter = if self.little_endian {
            value.to_le_bytes()[..self.value_bytes].to_vec()
        } else {
            value.to_be_bytes()[16 - self.value_bytes..].to_vec()
        };
        [&self.prefix[..], &counter, &self.suffix].concat()
    }

    /// How many blocks differ; None if they are more than can be counted.
    fn blocks(&self) -> Option<u128> {
        1_u128.checked_shl(u32::try_from(8 * self.value_bytes).expect("at most 128"))
    }

    /// Whether the library can count until the counter wraps.
    fn is_usual(&self) -> bool {
        self.suffix.is_empty() && !self.little_endian
    }
}

#[pyclass(module = "manyfish._manyfish")]
pub struct Ctr {
    key: Key,
    counter: Counter,
    /// Bytes of the message so far.
    position: u128,
    /// The key stream up to where the counter wraps, or after it.
    stream: modes::Ctr,
    wrapped: bool,
}

#[pymethods]
impl Ctr {
    /// `counter_bytes` is 1 to a block, and `prefix` and `suffix` are the rest of the block.
    #[new]
    fn new(
        key: &Key,
        prefix: Vec<u8>,
        counter_bytes: usize,
        suffix: Vec<u8>,
        initial: u128,
        little_endian: bool,
    ) -> PyResult<Self> {
        let value_bytes = counter_bytes;
        let (found, needed) = (prefix.len() + value_bytes + suffix.len(), key.block_size());
        if value_bytes == 0 || found != needed {
            let message = format!("the counter block must have {needed} bytes, not {found}");
            return Err(PyValueError::new_err(message));
        }
        let counter = Counter { prefix, suffix, value_bytes, little_endian, initial };
        if counter.blocks().is_some_and(|n_blocks| initial >= n_blocks) {
            let message = format!("the counter starts at a value of at most {value_bytes} bytes");
            return Err(PyValueError::new_err(message));
        }
        let key = key.clone();
        let stream = stream_at(&key, &counter, 0);
        Ok(Self { key, counter, position: 0, stream, wrapped: false })
    }

    #[pyo3(signature = (data, output=None))]
    fn crypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let n_bytes = data.bytes().len() as u128;
        let bytes_in = |n_blocks: u128| n_blocks.checked_mul(self.key.block_size() as u128);
        let limit = self.counter.blocks().and_then(bytes_in);
        if limit.is_some_and(|limit| n_bytes > limit - self.position) {
            let message =
                "the counter has as many values as were used; no key stream is used twice";
            return Err(MessageTooLongError::new_err(message));
        }
        let until_wrap = self.counter.blocks().map(|n_blocks| n_blocks - self.counter.initial);
        let wrap = until_wrap.and_then(bytes_in);
        let written = crypt(py, &data, output, |data| self.work(data, wrap), refusal);
        if written.is_ok() {
            self.position += n_bytes;
        }
        written
    }
}

impl Ctr {
    /// `wrap` is the number of bytes after which the counter is 0 again.
    fn work(&mut self, mut data: Data, wrap: Option<u128>) -> Result<(), Error> {
        if !self.counter.is_usual() {
            return self.written_out(data.copied());
        }
        let before = wrap.filter(|_| !self.wrapped).map(|wrap| wrap - self.position);
        let n_before = before.and_then(|n_bytes| usize::try_from(n_bytes).ok());
        match n_before.filter(|n_bytes| *n_bytes < data.len()) {
            None => self.encrypt(data),
            Some(n_bytes) => {
                let (first, second) = data.split_at(n_bytes);
                self.encrypt(first)?;
                let n_blocks = wrap.expect("it wraps") / self.key.block_size() as u128;
                self.stream = stream_at(&self.key, &self.counter, n_blocks);
                self.wrapped = true;
                self.encrypt(second)
            }
        }
    }

    fn encrypt(&mut self, data: Data) -> Result<(), Error> {
        either!(data, modes::Ctr::crypt, modes::Ctr::crypt_to, &mut self.stream)
    }

    fn written_out(&self, data: &mut [u8]) -> Result<(), Error> {
        let block_bytes = self.key.block_size();
        let mut stream = Zeroizing::new(Vec::with_capacity(PIECE_BYTES));
        let first =
            usize::try_from(self.position % block_bytes as u128).expect("less than a block");
        let mut n_block = self.position / block_bytes as u128;
        let mut used = first;
        let mut rest = data;
        while !rest.is_empty() {
            stream.clear();
            while stream.len() < PIECE_BYTES.min(used + rest.len()) {
                stream.extend_from_slice(&self.counter.block(n_block));
                n_block += 1;
            }
            with!(self.key, cipher => ecb::encrypt(cipher, &mut stream))?;
            let n_bytes = rest.len().min(stream.len() - used);
            let (now, later) = rest.split_at_mut(n_bytes);
            now.iter_mut().zip(&stream[used..]).for_each(|(byte, key)| *byte ^= key);
            (rest, used) = (later, 0);
        }
        Ok(())
    }
}

/// The library's key stream from block n on.
fn stream_at(key: &Key, counter: &Counter, n: u128) -> modes::Ctr {
    let block = counter.block(n);
    let bits = u32::try_from(8 * block.len()).expect("64 or 128");
    with!(key, cipher => modes::Ctr::new(cipher, &to_block(cipher, &block), bits))
        .expect("a whole block counts")
}
