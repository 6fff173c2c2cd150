// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A clock finer than the system's, and work of known length to scale it by.
//!
//! The time-stamp counter runs at a fixed rate while the core's frequency moves. Instructions that each
//! wait for the last take as many core cycles as their latencies add up to, so timing such a chain
//! beside the work turns ticks into core cycles.

/// The unit of [`now`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Ticks of a counter in the CPU: scale them by [`chain`].
    Counter,
    /// Nanoseconds of the system's clock: no chain of known length is to be had, so no core cycles.
    Nanoseconds,
}

/// Core cycles of one turn of the chain's loop; the loop itself runs beside them.
const TURN_CYCLES: u32 = 60;

use std::hint::black_box;

pub use machine::{CHAIN, CLOCK, now};

/// Runs instructions of which each waits for the last: [`chain_cycles`] of `turns` in all.
#[inline(never)]
pub fn chain(turns: u32) {
    let x = (0..turns).fold(1, |x, _| machine::turn(x));
    black_box(x);
}

/// The core cycles that `chain(turns)` takes.
#[must_use]
pub const fn chain_cycles(turns: u32) -> u32 {
    turns * TURN_CYCLES
}

#[cfg(target_arch = "x86_64")]
mod machine {
    use super::{Clock, TURN_CYCLES};
    use std::arch::asm;
    use std::arch::x86_64::{_mm_lfence, _rdtsc};

    pub const CLOCK: Clock = Clock::Counter;
    /// Of what the chain is made.
    pub const CHAIN: &str = "3-cycle multiplies";

    /// Latency of a multiply of 32 bits on all but AMD's Bulldozer family (4) and the first Atoms (5);
    /// with 64 bits more cores differ.
    const MULTIPLY_CYCLES: u32 = 3;

    /// Ticks since some moment in the past. Earlier work is finished, later work not begun.
    #[must_use]
    pub fn now() -> u64 {
        // SAFETY: every x86-64 CPU has both instructions; they touch no memory.
        unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            _mm_lfence();
            ticks
        }
    }

    #[inline]
    pub fn turn(mut x: u32) -> u32 {
        // SAFETY: arithmetic on one register; the result goes into the next turn.
        unsafe {
            asm!(
                ".rept {links}", "imul {x:e}, {x:e}", ".endr",
                links = const TURN_CYCLES / MULTIPLY_CYCLES, x = inout(reg) x,
                options(pure, nomem, nostack),
            );
        }
        x
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    use super::{Clock, TURN_CYCLES};
    use std::arch::asm;

    pub const CLOCK: Clock = Clock::Counter;
    /// Of what the chain is made. A multiply takes 2 cycles on some cores, 3 on others.
    pub const CHAIN: &str = "1-cycle additions";

    /// Ticks since some moment in the past. Earlier work is finished, later work not begun.
    #[must_use]
    pub fn now() -> u64 {
        let ticks: u64;
        // SAFETY: the virtual counter can be read by every program; it touches no memory.
        unsafe { asm!("isb", "mrs {t}, cntvct_el0", "isb", t = out(reg) ticks, options(nostack)) };
        ticks
    }

    #[inline]
    pub fn turn(mut x: u32) -> u32 {
        // SAFETY: arithmetic on one register; the result goes into the next turn.
        unsafe {
            asm!(
                ".rept {links}", "add {x:w}, {x:w}, {x:w}", ".endr",
                links = const TURN_CYCLES, x = inout(reg) x, options(pure, nomem, nostack),
            );
        }
        x
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod machine {
    use super::{Clock, TURN_CYCLES};
    use std::hint::black_box;
    use std::sync::LazyLock;
    use std::time::Instant;

    pub const CLOCK: Clock = Clock::Nanoseconds;
    /// Of what the chain is made.
    pub const CHAIN: &str = "instructions of unknown length";

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    /// Nanoseconds since the first call.
    #[must_use]
    pub fn now() -> u64 {
        u64::try_from(START.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Work, but of unknown length.
    pub fn turn(x: u32) -> u32 {
        (0..TURN_CYCLES).fold(x, |x, _| black_box(x.wrapping_mul(3)))
    }
}
