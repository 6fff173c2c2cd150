// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! All cores at work on one stream: jobs go out in order, results come back in the same order, and a limit
//! of jobs under way bounds the memory.

use std::collections::VecDeque;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::{self, Builder, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};

type Job<T> = (T, Sender<T>);
type Work<T> = Arc<dyn Fn(&mut T) + Send + Sync>;

/// `work` changes each job in place; the job comes back as its own result.
pub struct Pool<T> {
    work: Work<T>,
    jobs: Option<Sender<Job<T>>>,
    under_way: VecDeque<Receiver<T>>,
    most: usize,
    workers: Vec<JoinHandle<()>>,
}

/// The cores of this machine, as far as they are ours.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// The workers of a pool: one a core. The fuzzer takes none: on short inputs, starting them would be most of the work.
pub fn workers() -> usize {
    if cfg!(fuzzing) { 0 } else { cores() }
}

impl<T: Send + 'static> Pool<T> {
    /// At most `most` jobs at once, and two a worker. Without workers, `submit` works itself: also where the system
    /// gives no thread.
    pub fn new(workers: usize, most: usize, work: impl Fn(&mut T) + Send + Sync + 'static) -> Self {
        let most = most.min(2 * workers).max(1);
        let (jobs, queue) = bounded(most);
        let work: Work<T> = Arc::new(work);
        let worker = |_| worker(queue.clone(), work.clone()).ok();
        let workers = (0..workers.min(most)).map_while(worker).collect();
        Self { work, jobs: Some(jobs), under_way: VecDeque::with_capacity(most), most, workers }
    }

    /// Must be answered with `next` before another job is submitted.
    pub fn is_full(&self) -> bool {
        self.under_way.len() == self.most
    }

    /// Whether `next` would not have to wait.
    pub fn is_oldest_done(&self) -> bool {
        self.under_way.front().is_some_and(|oldest| !oldest.is_empty())
    }

    pub fn submit(&mut self, mut job: T) {
        let (sender, result) = bounded(1);
        if self.workers.is_empty() {
            (self.work)(&mut job);
            sender.send(job).expect("there is room for one");
        } else {
            let jobs = self.jobs.as_ref().expect("open until dropped");
            jobs.send((job, sender)).expect("the workers live as long as the pool");
        }
        self.under_way.push_back(result);
    }

    /// Waits for the oldest job; `None` if nothing is under way.
    pub fn next(&mut self) -> Option<T> {
        let oldest = self.under_way.pop_front()?;
        Some(oldest.recv().expect("a worker answers each job"))
    }
}

fn worker<T: Send + 'static>(queue: Receiver<Job<T>>, work: Work<T>) -> io::Result<JoinHandle<()>> {
    Builder::new().spawn(move || {
        for (mut job, result) in queue {
            work(&mut job);
            // A pool that is dropped early no longer wants the result.
            let _ = result.send(job);
        }
    })
}

/// Waits for the workers, so that the keys they hold are wiped before this returns.
impl<T> Drop for Pool<T> {
    fn drop(&mut self) {
        self.jobs = None;
        self.under_way.clear();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Later jobs are quicker here, and still come back later.
    #[test]
    fn results_keep_the_order_of_the_jobs() {
        for workers in [0, 1, cores()] {
            let mut pool = Pool::new(workers, 4, |job: &mut u64| {
                thread::sleep(Duration::from_micros(200 - *job));
                *job *= 2;
            });
            let mut results = Vec::new();
            for job in 0..200 {
                if pool.is_full() {
                    results.extend(pool.next());
                }
                pool.submit(job);
            }
            results.extend(std::iter::from_fn(|| pool.next()));
            assert_eq!(results, (0..200).map(|job| job * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn jobs_at_once_are_bounded_by_the_workers_and_by_what_is_asked() {
        for (workers, most, expected) in
            [(0, 5, 1), (1, 5, 2), (2, 100, 4), (64, 5, 5), (64, 500, 128), (4, 0, 1)]
        {
            let mut pool = Pool::new(workers, most, |_: &mut u8| {});
            for _ in 1..expected {
                assert!(!pool.is_full(), "{workers} workers");
                pool.submit(0);
            }
            pool.submit(0);
            assert!(pool.is_full(), "{workers} workers");
            assert_eq!(pool.workers.len(), workers.min(expected));
        }
    }

    #[test]
    fn a_pool_dropped_early_ends_its_workers() {
        let key = Arc::new(());
        let held = key.clone();
        let mut pool = Pool::new(cores(), 2, move |_: &mut u8| {
            let _ = &held;
        });
        pool.submit(1);
        drop(pool);
        assert_eq!(Arc::strong_count(&key), 1);
    }
}
