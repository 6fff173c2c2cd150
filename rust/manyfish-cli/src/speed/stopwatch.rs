// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! How long a piece of work takes, in core cycles.
//!
//! Each sample times a chain of multiplies, whose cycles are known, right beside the work. From many
//! short samples the shortest of each kind remain: those that nothing interrupted and that ran at
//! the highest frequency. Their ratio gives the cycles.

use std::time::{Duration, Instant};

use manyfish_sys::cycles::{CLOCK, Clock, chain_cycles, multiply_chain, now};

/// Turns of the multiply chain in each sample: some 4,000 cycles.
const CHAIN_TURNS: u32 = 64;
/// A sample repeats short work until it takes this many ticks, so that reading the clock is little.
const SAMPLE_TICKS: u64 = 10_000;
/// However slow the work is, the minimum is one of so many samples.
const MIN_SAMPLES: u32 = 5;

/// What a figure counts.
pub const UNIT: &str = match CLOCK {
    Clock::Counter => "core cycles",
    Clock::Nanoseconds => "nanoseconds",
};

/// How it was measured, for the reader of the figures.
pub const METHOD: &str = match CLOCK {
    Clock::Counter => {
        "minimum of many runs, by the time-stamp counter and a chain of 3-cycle multiplies beside it"
    }
    Clock::Nanoseconds => "minimum of many runs; no cycles, as this machine has no counter to read",
};

/// The shortest times seen, in ticks.
#[derive(Clone, Copy)]
struct Shortest {
    work: u64,
    chain: u64,
    nothing: u64,
}

impl Shortest {
    const NONE: Self = Self { work: u64::MAX, chain: u64::MAX, nothing: u64::MAX };

    fn sample(&mut self, repeats: u64, work: &mut impl FnMut()) {
        let start = now();
        let after_nothing = now();
        multiply_chain(CHAIN_TURNS);
        let after_chain = now();
        for _ in 0..repeats {
            work();
        }
        let end = now();
        self.nothing = self.nothing.min(after_nothing.saturating_sub(start));
        self.chain = self.chain.min(after_chain.saturating_sub(after_nothing));
        self.work = self.work.min(end.saturating_sub(after_chain));
    }

    /// Cycles, or nanoseconds where there is no counter, of one repetition.
    #[allow(clippy::cast_precision_loss)] // ticks of a sample are far below 2^52
    fn cost(&self, repeats: u64, clock: Clock) -> f64 {
        let without_clock = |ticks: u64| ticks.saturating_sub(self.nothing) as f64;
        let per_tick = match clock {
            Clock::Counter => f64::from(chain_cycles(CHAIN_TURNS)) / without_clock(self.chain),
            Clock::Nanoseconds => 1.0,
        };
        without_clock(self.work) * per_tick / repeats as f64
    }
}

/// Runs `work` over and over for about `budget`; the cost of one run.
pub fn cost(budget: Duration, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut once = Shortest::NONE;
    once.sample(1, &mut work);
    once.sample(1, &mut work);
    let repeats = (SAMPLE_TICKS / once.work.max(1)).max(1);
    let mut shortest = Shortest::NONE;
    let mut samples = 0;
    while samples < MIN_SAMPLES || start.elapsed() < budget {
        shortest.sample(repeats, &mut work);
        samples += 1;
    }
    shortest.cost(repeats, CLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_scaled_by_the_chain() {
        let cycles = u64::from(chain_cycles(CHAIN_TURNS));
        // The counter runs at half the frequency of the core, and reading it takes 10 ticks.
        let shortest = Shortest { work: 1010, chain: cycles / 2 + 10, nothing: 10 };
        assert!((shortest.cost(1, Clock::Counter) - 2000.0).abs() < 1e-6);
        assert!((shortest.cost(4, Clock::Counter) - 500.0).abs() < 1e-6);
        assert!((shortest.cost(1, Clock::Nanoseconds) - 1000.0).abs() < 1e-6);
    }

    #[test]
    fn a_chain_costs_its_own_length() {
        let measured = cost(Duration::from_millis(50), || multiply_chain(CHAIN_TURNS));
        let expected = f64::from(chain_cycles(CHAIN_TURNS));
        if CLOCK == Clock::Nanoseconds {
            println!("skipped: no counter to scale on this machine");
            return;
        }
        assert!((measured / expected - 1.0).abs() < 0.2, "{measured} instead of {expected}");
    }

    #[test]
    fn twice_the_work_costs_twice() {
        let once = cost(Duration::from_millis(50), || multiply_chain(100));
        let twice = cost(Duration::from_millis(50), || multiply_chain(200));
        assert!((1.6..2.4).contains(&(twice / once)), "{once} and {twice}");
    }
}
