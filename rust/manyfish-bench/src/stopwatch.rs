// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! How long a piece of work takes, in core cycles.
//!
//! Each sample times a chain of instructions, whose cycles are known, right beside the work. From many
//! short samples the shortest of each kind remain: those that nothing interrupted and that ran at
//! the highest frequency. Their ratio gives the cycles. Work to be compared is sampled in turn, so
//! that all of it meets the same machine.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use manyfish_sys::cycles::{CHAIN, CLOCK, Clock, chain, chain_cycles, now};

/// A sample repeats short work until it takes this many ticks, so that reading the clock is little.
const WORK_TICKS: u64 = 10_000;
/// Its chain takes at least this many: the ticks of some machines are a hundred cycles long.
const CHAIN_TICKS: u64 = 1_000;
/// Turns of the shortest chain: some 4,000 cycles.
const MIN_TURNS: u32 = 64;
/// However slow the work is, the minimum is one of this many samples.
const MIN_SAMPLES: usize = 5;
/// In how many turns each piece of work spends its time.
const TURNS: u32 = 20;
/// The divisor of all times.
static HURRY: AtomicU32 = AtomicU32::new(1);

/// From now on each measurement takes a fraction of its time. That shows that it works; the figures are worth nothing.
pub fn hurry() {
    HURRY.store(25, Ordering::Relaxed);
}

pub const CYCLES: &str = "core cycles";
/// The unit of a figure.
pub const UNIT: &str = match CLOCK {
    Clock::Counter => CYCLES,
    Clock::Nanoseconds => "nanoseconds",
};

/// How it was measured, for the reader of the figures.
#[must_use]
pub fn method() -> String {
    match CLOCK {
        Clock::Counter => format!("minimum of many runs; clock: a chain of {CHAIN} beside each"),
        Clock::Nanoseconds => {
            "minimum of many runs; no cycles, as this machine has no counter to read".to_owned()
        }
    }
}

/// A sample: how many times it does the work, how many turns of the chain.
#[derive(Clone, Copy)]
struct Sample {
    repeats: u64,
    turns: u32,
}

impl Sample {
    const FIRST: Self = Self { repeats: 1, turns: MIN_TURNS };

    /// Sized by what the first sample took.
    fn sized_by(first: &Ticks) -> Self {
        let times = |wanted: u64, ticks: u64| (wanted / ticks.max(1)).max(1);
        let longer = u32::try_from(times(CHAIN_TICKS, first.chain)).expect("at most CHAIN_TICKS");
        Self { repeats: times(WORK_TICKS, first.work), turns: MIN_TURNS * longer }
    }
}

/// Times in ticks: of one sample, or the shortest or the median of many.
#[derive(Clone, Copy)]
struct Ticks {
    work: u64,
    chain: u64,
    nothing: u64,
}

impl Ticks {
    fn of(sample: Sample, work: &mut impl FnMut()) -> Self {
        let start = now();
        let after_nothing = now();
        chain(sample.turns);
        let after_chain = now();
        for _ in 0..sample.repeats {
            work();
        }
        let end = now();
        Self {
            nothing: after_nothing.saturating_sub(start),
            chain: after_chain.saturating_sub(after_nothing),
            work: end.saturating_sub(after_chain),
        }
    }

    /// Core cycles of a tick; 1 where there is no counter and a tick is a nanosecond.
    #[allow(clippy::cast_precision_loss)] // ticks of a sample are far below 2^52
    fn cycles_per_tick(&self, sample: Sample, clock: Clock) -> f64 {
        match clock {
            Clock::Counter => {
                let ticks = self.chain.saturating_sub(self.nothing);
                f64::from(chain_cycles(sample.turns)) / ticks as f64
            }
            Clock::Nanoseconds => 1.0,
        }
    }

    /// Cycles, or nanoseconds where there is no counter, of one repetition.
    #[allow(clippy::cast_precision_loss)] // as above
    fn cost(&self, sample: Sample, clock: Clock) -> f64 {
        let ticks = self.work.saturating_sub(self.nothing) as f64;
        ticks * self.cycles_per_tick(sample, clock) / sample.repeats as f64
    }
}

/// The result of the samples of a piece of work.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Cycles, or nanoseconds, of one run, at its fastest.
    pub minimum: f64,
    /// The same, of a run that half of all runs were faster than.
    pub median: f64,
    /// Core cycles of a tick at the fastest: differs where the clock has drifted.
    pub cycles_per_tick: f64,
}

/// The samples of one piece of work.
struct Samples {
    sample: Sample,
    taken: Vec<Ticks>,
    spent: Duration,
}

impl Samples {
    /// Finds the length of a sample. The first one meets cold caches.
    fn begin(mut work: impl FnMut()) -> Self {
        let start = Instant::now();
        let first = Ticks::of(Sample::FIRST, &mut work);
        let second = Ticks::of(Sample::FIRST, &mut work);
        let sample = Sample::sized_by(&smallest(&[first, second]));
        Self { sample, taken: Vec::new(), spent: start.elapsed() }
    }

    fn take(&mut self, mut work: impl FnMut()) {
        let start = Instant::now();
        self.taken.push(Ticks::of(self.sample, &mut work));
        self.spent += start.elapsed();
    }

    fn figure(&self) -> Figure {
        let fastest = smallest(&self.taken);
        Figure {
            minimum: fastest.cost(self.sample, CLOCK),
            median: middle(&self.taken).cost(self.sample, CLOCK),
            cycles_per_tick: fastest.cycles_per_tick(self.sample, CLOCK),
        }
    }
}

fn smallest(ticks: &[Ticks]) -> Ticks {
    pick(ticks, |sorted| sorted[0])
}

fn middle(ticks: &[Ticks]) -> Ticks {
    pick(ticks, |sorted| sorted[sorted.len() / 2])
}

/// Of each kind of time by itself, the one picked of all sorted.
fn pick(ticks: &[Ticks], one: impl Fn(&[u64]) -> u64) -> Ticks {
    let picked = |kind: fn(&Ticks) -> u64| {
        let mut times: Vec<u64> = ticks.iter().map(kind).collect();
        times.sort_unstable();
        one(&times)
    };
    Ticks {
        work: picked(|ticks| ticks.work),
        chain: picked(|ticks| ticks.chain),
        nothing: picked(|ticks| ticks.nothing),
    }
}

/// Runs `work` on each of the runners in turn, over and over, for about `budget` each. Whose single
/// run takes longer than its turn sits out the turns that it has used up.
pub fn race<T>(budget: Duration, runners: &mut [T], mut work: impl FnMut(&mut T)) -> Vec<Figure> {
    let budget = budget / HURRY.load(Ordering::Relaxed);
    let mut all: Vec<Samples> =
        runners.iter_mut().map(|runner| Samples::begin(|| work(runner))).collect();
    for turn in 1..=TURNS {
        for (runner, samples) in runners.iter_mut().zip(&mut all) {
            while samples.spent < budget * turn / TURNS {
                samples.take(|| work(runner));
            }
        }
    }
    for (runner, samples) in runners.iter_mut().zip(&mut all) {
        while samples.taken.len() < MIN_SAMPLES {
            samples.take(|| work(runner));
        }
    }
    all.iter().map(Samples::figure).collect()
}

/// Runs `work` over and over for about `budget`; the cost of one run.
pub fn cost(budget: Duration, mut work: impl FnMut()) -> f64 {
    race(budget, &mut [()], |()| work())[0].minimum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_scaled_by_the_chain() {
        let sample = |repeats| Sample { repeats, turns: 64 };
        let cycles = u64::from(chain_cycles(64));
        // The counter runs at half the frequency of the core, and reading it takes 10 ticks.
        let shortest = Ticks { work: 1010, chain: cycles / 2 + 10, nothing: 10 };
        assert!((shortest.cost(sample(1), Clock::Counter) - 2000.0).abs() < 1e-6);
        assert!((shortest.cost(sample(4), Clock::Counter) - 500.0).abs() < 1e-6);
        assert!((shortest.cost(sample(1), Clock::Nanoseconds) - 1000.0).abs() < 1e-6);
        assert!((shortest.cycles_per_tick(sample(4), Clock::Counter) - 2.0).abs() < 1e-6);
    }

    #[test]
    fn each_kind_of_time_is_picked_by_itself() {
        let ticks = |work, chain, nothing| Ticks { work, chain, nothing };
        let all = [ticks(9, 1, 5), ticks(7, 2, 4), ticks(8, 3, 6)];
        let times = |ticks: Ticks| (ticks.work, ticks.chain, ticks.nothing);
        assert_eq!(times(smallest(&all)), (7, 1, 4));
        assert_eq!(times(middle(&all)), (8, 2, 5));
    }

    #[test]
    fn runners_take_turns_and_each_has_enough_samples() {
        let mut order = Vec::new();
        let budget = Duration::from_millis(4);
        let slow = Duration::from_millis(3);
        let figures = race(budget, &mut [0, 1], |runner| {
            order.push(*runner);
            if *runner == 1 { std::thread::sleep(slow) } else { chain(MIN_TURNS) }
        });
        assert_eq!(figures.len(), 2);
        assert!(order.iter().filter(|runner| **runner == 1).count() >= 2 + MIN_SAMPLES);
        let turns_of_the_first = order.chunk_by(|a, b| a == b).filter(|turn| turn[0] == 0).count();
        assert!(turns_of_the_first >= 2, "{order:?}");
        for figure in figures {
            assert!(figure.minimum > 0.0 && figure.median > 0.0, "{figure:?}");
        }
    }

    #[test]
    fn samples_are_long_against_a_tick() {
        let sized = |work, chain| {
            let sample = Sample::sized_by(&Ticks { work, chain, nothing: 0 });
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
