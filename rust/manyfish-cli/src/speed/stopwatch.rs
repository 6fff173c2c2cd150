// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! How long a piece of work takes, in core cycles.
//!
//! Each sample times a chain of instructions, whose cycles are known, right beside the work. From many
//! short samples the shortest of each kind remain: those that nothing interrupted and that ran at
//! the highest frequency. Their ratio gives the cycles.

use std::time::{Duration, Instant};

use manyfish_sys::cycles::{CHAIN, CLOCK, Clock, chain, chain_cycles, now};

/// A sample repeats short work until it takes this many ticks, so that reading the clock is little.
const WORK_TICKS: u64 = 10_000;
/// Its chain takes at least this many: the ticks of some machines are a hundred cycles long.
const CHAIN_TICKS: u64 = 1_000;
/// Turns of the shortest chain: some 4,000 cycles.
const MIN_TURNS: u32 = 64;
/// However slow the work is, the minimum is one of so many samples.
const MIN_SAMPLES: u32 = 5;

/// What a figure counts.
pub const UNIT: &str = match CLOCK {
    Clock::Counter => "core cycles",
    Clock::Nanoseconds => "nanoseconds",
};

/// How it was measured, for the reader of the figures.
pub fn method() -> String {
    match CLOCK {
        Clock::Counter => format!("minimum of many runs; clock: a chain of {CHAIN} beside each"),
        Clock::Nanoseconds => {
            "minimum of many runs; no cycles, as this machine has no counter to read".to_owned()
        }
    }
}

/// What each sample does: the work so many times, the chain for so many turns.
#[derive(Clone, Copy)]
struct Sample {
    repeats: u64,
    turns: u32,
}

impl Sample {
    const FIRST: Self = Self { repeats: 1, turns: MIN_TURNS };

    /// Sized by what the first sample took.
    fn sized_by(first: &Shortest) -> Self {
        let times = |wanted: u64, ticks: u64| (wanted / ticks.max(1)).max(1);
        let longer = u32::try_from(times(CHAIN_TICKS, first.chain)).expect("at most CHAIN_TICKS");
        Self { repeats: times(WORK_TICKS, first.work), turns: MIN_TURNS * longer }
    }
}

/// The shortest times seen, in ticks.
#[derive(Clone, Copy)]
struct Shortest {
    work: u64,
    chain: u64,
    nothing: u64,
}

impl Shortest {
    const NONE: Self = Self { work: u64::MAX, chain: u64::MAX, nothing: u64::MAX };

    fn take(&mut self, sample: Sample, work: &mut impl FnMut()) {
        let start = now();
        let after_nothing = now();
        chain(sample.turns);
        let after_chain = now();
        for _ in 0..sample.repeats {
            work();
        }
        let end = now();
        self.nothing = self.nothing.min(after_nothing.saturating_sub(start));
        self.chain = self.chain.min(after_chain.saturating_sub(after_nothing));
        self.work = self.work.min(end.saturating_sub(after_chain));
    }

    /// Cycles, or nanoseconds where there is no counter, of one repetition.
    #[allow(clippy::cast_precision_loss)] // ticks of a sample are far below 2^52
    fn cost(&self, sample: Sample, clock: Clock) -> f64 {
        let without_clock = |ticks: u64| ticks.saturating_sub(self.nothing) as f64;
        let per_tick = match clock {
            Clock::Counter => f64::from(chain_cycles(sample.turns)) / without_clock(self.chain),
            Clock::Nanoseconds => 1.0,
        };
        without_clock(self.work) * per_tick / sample.repeats as f64
    }
}

/// Runs `work` over and over for about `budget`; the cost of one run.
pub fn cost(budget: Duration, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut first = Shortest::NONE;
    first.take(Sample::FIRST, &mut work);
    first.take(Sample::FIRST, &mut work);
    let sample = Sample::sized_by(&first);
    let mut shortest = Shortest::NONE;
    let mut samples = 0;
    while samples < MIN_SAMPLES || start.elapsed() < budget {
        shortest.take(sample, &mut work);
        samples += 1;
    }
    shortest.cost(sample, CLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_scaled_by_the_chain() {
        let sample = |repeats| Sample { repeats, turns: 64 };
        let cycles = u64::from(chain_cycles(64));
        // The counter runs at half the frequency of the core, and reading it takes 10 ticks.
        let shortest = Shortest { work: 1010, chain: cycles / 2 + 10, nothing: 10 };
        assert!((shortest.cost(sample(1), Clock::Counter) - 2000.0).abs() < 1e-6);
        assert!((shortest.cost(sample(4), Clock::Counter) - 500.0).abs() < 1e-6);
        assert!((shortest.cost(sample(1), Clock::Nanoseconds) - 1000.0).abs() < 1e-6);
    }

    #[test]
    fn samples_are_long_against_a_tick() {
        let sized = |work, chain| {
            let sample = Sample::sized_by(&Shortest { work, chain, nothing: 0 });
            (sample.repeats, sample.turns / MIN_TURNS)
        };
        assert_eq!(sized(100, 2500), (100, 1), "a counter as fast as the core");
        assert_eq!(sized(0, 30), (WORK_TICKS, 33), "24 MHz, work of less than a tick");
        assert_eq!(sized(1_000_000, 20_000), (1, 1));
    }

    #[test]
    fn a_chain_costs_its_own_length() {
        let measured = cost(Duration::from_millis(50), || chain(MIN_TURNS));
        let expected = f64::from(chain_cycles(MIN_TURNS));
        if CLOCK == Clock::Nanoseconds {
            println!("skipped: no counter to scale on this machine");
            return;
        }
        assert!((measured / expected - 1.0).abs() < 0.2, "{measured} instead of {expected}");
    }

    #[test]
    fn twice_the_work_costs_twice() {
        let once = cost(Duration::from_millis(50), || chain(100));
        let twice = cost(Duration::from_millis(50), || chain(200));
        assert!((1.6..2.4).contains(&(twice / once)), "{once} and {twice}");
    }
}
