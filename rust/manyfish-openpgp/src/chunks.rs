// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The chunks of an encrypted packet as streams: `Sealer` encrypts what is written into it, `Opener`
//! decrypts what is read from it [RFC9580, 5.13.2]. All cores work; the memory is bounded.

use std::io::{self, Read, Write};
use std::sync::Arc;

use crate::TAG_BYTES;
use crate::error::{Error, Result};
use crate::message_key::MessageKey;
use crate::pool::{self, Pool};
use crate::seipd::ChunkSize;

/// Small chunks travel together, up to this many octets, so that handing them over costs little.
const BATCH_BYTES: usize = crate::piece(256 << 10);
/// The most octets in flight between the threads.
const MEMORY_BYTES: usize = 24 << 20;

/// Consecutive chunks, each followed by room for its tag.
struct Batch {
    first: u64,
    data: Vec<u8>,
    /// Set by opening: the first chunk whose tag did not fit. `data` ends before it.
    altered: Option<u64>,
}

/// The numbers that both directions share.
#[derive(Clone, Copy, Debug)]
struct Layout {
    chunk: usize,
    /// A chunk and its tag.
    stride: usize,
    /// Full chunks in a batch.
    chunks: usize,
}

impl Layout {
    fn new(size: ChunkSize) -> Self {
        let chunk = size.bytes();
        Self { chunk, stride: chunk + TAG_BYTES, chunks: (BATCH_BYTES / chunk).max(1) }
    }

    fn batch_bytes(self) -> usize {
        self.chunks * self.stride
    }

    fn most_in_flight(self) -> usize {
        (MEMORY_BYTES / self.batch_bytes()).max(2)
    }

    /// A batch to fill in place. Memory that comes back has the right length already, except the last.
    fn room(self, first: u64, spare: Option<Vec<u8>>) -> Batch {
        let mut data = spare.unwrap_or_default();
        if data.len() != self.batch_bytes() {
            data = vec![0; self.batch_bytes()];
        }
        Batch { first, data, altered: None }
    }

    /// An empty batch to append to.
    fn batch(self, first: u64, spare: Option<Vec<u8>>) -> Batch {
        // Opening reads one tag more; a little slack lets `read_to_end` see the end without growing.
        let capacity = self.batch_bytes() + 4 * TAG_BYTES;
        let mut data = spare.unwrap_or_else(|| Vec::with_capacity(capacity));
        data.clear();
        Batch { first, data, altered: None }
    }
}

fn seal(key: &MessageKey, layout: Layout, batch: &mut Batch) {
    for (index, piece) in (batch.first..).zip(batch.data.chunks_mut(layout.stride)) {
        let (data, tag) = piece.split_at_mut(piece.len() - TAG_BYTES);
        tag.copy_from_slice(&key.seal(index, data));
    }
}

/// Decrypts in place and closes the gaps that the tags leave.
fn open(key: &MessageKey, layout: Layout, batch: &mut Batch) {
    let mut end = 0;
    let mut start = 0;
    for index in batch.first.. {
        let stop = batch.data.len().min(start + layout.stride);
        let Some((data, tag)) = batch.data[start..stop].split_last_chunk_mut() else { break };
        if !key.open(index, data, tag) {
            batch.altered = Some(index);
            break;
        }
        batch.data.copy_within(start..stop - TAG_BYTES, end);
        end += stop - start - TAG_BYTES;
        start = stop;
    }
    batch.data.truncate(end);
}

/// Encrypts what is written into it. `finish` must be called.
pub struct Sealer<W> {
    output: W,
    key: Arc<MessageKey>,
    layout: Layout,
    pool: Pool<Batch>,
    /// Its data has room for a whole batch, of which `filled` octets are to be sealed.
    batch: Batch,
    filled: usize,
    plaintext: u64,
}

impl<W: Write> Sealer<W> {
    pub fn new(output: W, size: ChunkSize, key: MessageKey) -> Self {
        let (layout, key) = (Layout::new(size), Arc::new(key));
        let workers_key = key.clone();
        let work = move |batch: &mut Batch| seal(&workers_key, layout, batch);
        let pool = Pool::new(pool::workers(), layout.most_in_flight(), work);
        Self { output, key, layout, pool, batch: layout.room(0, None), filled: 0, plaintext: 0 }
    }

    /// Reads the next octets from `input` straight into their place, and says how many; none at its
    /// end.
    pub fn read_from(&mut self, input: &mut impl Read) -> Result<usize> {
        let n = match input.read(self.rest_of_chunk().map_err(Error::Write)?) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => return self.read_from(input),
            read => read?,
        };
        self.advance(n);
        Ok(n)
    }

    /// Where the next octets go, up to the end of their chunk.
    fn rest_of_chunk(&mut self) -> io::Result<&mut [u8]> {
        if self.filled == self.layout.batch_bytes() {
            self.submit()?;
        }
        let room = self.layout.chunk - self.filled % self.layout.stride;
        Ok(&mut self.batch.data[self.filled..][..room])
    }

    /// Counts octets that were put there; the room for a tag follows a full chunk.
    fn advance(&mut self, n: usize) {
        self.plaintext += n as u64;
        self.filled += n;
        if self.filled % self.layout.stride == self.layout.chunk {
            self.filled += TAG_BYTES;
        }
    }

    /// Seals the last chunk, writes what is still to write, then the final tag.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.filled.is_multiple_of(self.layout.stride) {
            self.filled += TAG_BYTES;
        }
        self.submit()?;
        while self.write_oldest()?.is_some() {}
        let chunks = self.plaintext.div_ceil(self.layout.chunk as u64);
        self.output.write_all(&self.key.final_tag(chunks, self.plaintext))?;
        Ok(self.output)
    }

    fn submit(&mut self) -> io::Result<()> {
        let mut spare = None;
        while self.pool.is_full() || self.pool.is_oldest_done() {
            spare = self.write_oldest()?;
        }
        let next = self.layout.room(self.batch.first + self.layout.chunks as u64, spare);
        let mut batch = std::mem::replace(&mut self.batch, next);
        batch.data.truncate(self.filled);
        self.filled = 0;
        self.pool.submit(batch);
        Ok(())
    }

    /// Waits for the oldest batch and writes it; its room can be used again.
    fn write_oldest(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some(batch) = self.pool.next() else { return Ok(None) };
        self.output.write_all(&batch.data)?;
        Ok(Some(batch.data))
    }
}

impl<W: Write> Write for Sealer<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let room = self.rest_of_chunk()?;
        let n = room.len().min(data.len());
        room[..n].copy_from_slice(&data[..n]);
        self.advance(n);
        Ok(n)
    }

    /// Nothing to do: a chunk cannot be cut short.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Decrypts what it reads. Gives out only octets whose chunk's tag has been verified; its end
/// (`Ok(0)`) means that the final tag has been verified too.
pub struct Opener<R> {
    input: R,
    key: Arc<MessageKey>,
    layout: Layout,
    pool: Pool<Batch>,
    /// Read already, but perhaps the final tag.
    held: Vec<u8>,
    /// Chunks read so far.
    chunks: u64,
    /// Set once the input has ended or failed; told after all that came before.
    end: Option<Result<[u8; TAG_BYTES]>>,
    /// Authenticated, given out from `position` on.
    ready: Vec<u8>,
    position: usize,
    plaintext: u64,
}

impl<R: Read> Opener<R> {
    /// `input` gives the packet's body after its header.
    pub fn new(input: R, size: ChunkSize, key: MessageKey) -> Self {
        let (layout, key) = (Layout::new(size), Arc::new(key));
        let workers_key = key.clone();
        let work = move |batch: &mut Batch| open(&workers_key, layout, batch);
        let pool = Pool::new(pool::workers(), layout.most_in_flight(), work);
        let (held, ready) = (Vec::new(), Vec::new());
        Self {
            input,
            key,
            layout,
            pool,
            held,
            chunks: 0,
            end: None,
            ready,
            position: 0,
            plaintext: 0,
        }
    }

    pub fn into_input(self) -> R {
        self.input
    }

    /// Reads one more batch and sends it to the workers, or notes the end.
    fn read_batch(&mut self, spare: Option<Vec<u8>>) {
        let mut batch = self.layout.batch(self.chunks, spare);
        batch.data.append(&mut self.held);
        let wanted = self.layout.batch_bytes() + TAG_BYTES;
        let missing = (wanted - batch.data.len()) as u64;
        if let Err(error) = self.input.by_ref().take(missing).read_to_end(&mut batch.data) {
            self.end = Some(Err(error.into()));
            return;
        }
        let at_end = batch.data.len() < wanted;
        match batch.data.len().checked_sub(TAG_BYTES) {
            Some(tag_at) => self.held = batch.data.split_off(tag_at),
            None => self.end = Some(Err(Error::Truncated("its final tag"))),
        }
        if at_end && self.end.is_none() {
            self.end = Some(Ok(self.held[..].try_into().expect("a held tag is complete")));
        }
        self.chunks += batch.data.len().div_ceil(self.layout.stride) as u64;
        self.pool.submit(batch);
    }

    /// Makes further octets ready, and reads on while they are not. `false` at the verified end.
    fn refill(&mut self) -> Result<bool> {
        let mut spare = Some(std::mem::take(&mut self.ready));
        while self.end.is_none() && !self.pool.is_full() && !self.pool.is_oldest_done() {
            self.read_batch(spare.take());
        }
        self.position = 0;
        let Some(batch) = self.pool.next() else { return self.verify_end().map(|()| false) };
        self.ready = batch.data;
        self.plaintext += self.ready.len() as u64;
        if let Some(chunk) = batch.altered {
            self.fail(Error::Altered { chunk, offset: chunk * self.layout.chunk as u64 });
        }
        Ok(true)
    }

    /// Forgets all that comes later: after this the only thing left to tell is the error.
    fn fail(&mut self, error: Error) {
        while self.pool.next().is_some() {}
        self.end = Some(Err(error));
    }

    fn verify_end(&mut self) -> Result<()> {
        let again = Err(Error::AlteredEnd);
        let tag = self.end.replace(again).expect("refill stops only at the end")?;
        if !self.key.is_final_tag(self.chunks, self.plaintext, &tag) {
            return Err(Error::AlteredEnd);
        }
        self.end = Some(Ok(tag));
        Ok(())
    }
}

impl<R: Read> Read for Opener<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.position == self.ready.len() {
            if buffer.is_empty() || !self.refill()? {
                return Ok(0);
            }
        }
        let n = buffer.len().min(self.ready.len() - self.position);
        buffer[..n].copy_from_slice(&self.ready[self.position..][..n]);
        self.position += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many cores do not make the memory grow, whatever the size of the chunks.
    #[test]
    fn what_is_in_flight_stays_below_the_ceiling() {
        for octet in 0..=ChunkSize::MAX_OCTET {
            let layout = Layout::new(ChunkSize::from_octet(octet).unwrap());
            let mut pool = Pool::new(64, layout.most_in_flight(), |_: &mut Batch| {});
            let mut octets = 0;
            while !pool.is_full() {
                let batch = layout.batch(0, None);
                octets += batch.data.capacity();
                pool.submit(batch);
            }
            let ceiling = MEMORY_BYTES + MEMORY_BYTES / 1000;
            assert!(octets <= ceiling, "{octets} octets in flight, chunk octet {octet}");
            assert!(octets > MEMORY_BYTES / 2, "64 cores have little to do, chunk octet {octet}");
        }
    }
}
