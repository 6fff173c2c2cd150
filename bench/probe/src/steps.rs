// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Names each step on standard error, with the seconds since the start.

use std::time::{Duration, Instant};

pub struct Steps {
    start: Instant,
}

impl Steps {
    pub fn begin() -> Self {
        Self { start: Instant::now() }
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub fn say(&self, what: &str) {
        eprintln!("{:4} s  {what}", self.elapsed().as_secs());
    }

    /// Says what it is, and does it.
    pub fn step<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        self.say(what);
        work()
    }
}
