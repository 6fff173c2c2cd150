// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A clock finer than the system's, and work of known length to scale it by.
//!
//! The time-stamp counter runs at a fixed rate while the core's frequency moves. A chain of dependent
//! multiplies takes [`MULTIPLY_CYCLES`] core cycles a link on every x86-64 core since 2008 and on
//! most 64-bit ARM cores, so timing one beside the work turns ticks into core cycles.

/// What one call of [`now`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Ticks of a counter in the CPU: scale them by [`multiply_chain`].
    Counter,
    /// Nanoseconds of the system's clock: no multiply chain is to be had, so no core cycles.
    Nanoseconds,
}

/// Latency of one link of [`multiply_chain`], in core cycles.
pub const MULTIPLY_CYCLES: u32 = 3;
/// Multiplies that one turn of the chain's loop makes; the loop itself runs beside them.
const LINKS: u32 = 20;

use std::hint::black_box;

pub use machine::{CLOCK, now};

/// Runs multiplies of which each waits for the last: [`chain_cycles`] of `turns` in all.
#[inline(never)]
pub fn multiply_chain(turns: u32) {
    let x = (0..turns).fold(1, |x, _| machine::multiplies(x));
    black_box(x);
}

/// The core cycles that `multiply_chain(turns)` takes.
#[must_use]
pub const fn chain_cycles(turns: u32) -> u32 {
    turns * LINKS * MULTIPLY_CYCLES
}

#[cfg(target_arch = "x86_64")]
mod machine {
    use super::{Clock, LINKS};
    use std::arch::asm;
    use std::arch::x86_64::{_mm_lfence, _rdtsc};

    pub const CLOCK: Clock = Clock::Counter;

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
    pub fn multiplies(mut x: u64) -> u64 {
        // SAFETY: arithmetic on one register; the result goes into the next turn.
        unsafe {
            asm!(
                ".rept {links}", "imul {x}, {x}", ".endr",
                links = const LINKS, x = inout(reg) x, options(pure, nomem, nostack),
            );
        }
        x
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    use super::{Clock, LINKS};
    use std::arch::asm;

    pub const CLOCK: Clock = Clock::Counter;

    /// Ticks since some moment in the past. Earlier work is finished, later work not begun.
    #[must_use]
    pub fn now() -> u64 {
        let ticks: u64;
        // SAFETY: the virtual counter can be read by every program; it touches no memory.
        unsafe { asm!("isb", "mrs {t}, cntvct_el0", "isb", t = out(reg) ticks, options(nostack)) };
        ticks
    }

    #[inline]
    pub fn multiplies(mut x: u64) -> u64 {
        // SAFETY: arithmetic on one register; the result goes into the next turn.
        unsafe {
            asm!(
                ".rept {links}", "mul {x}, {x}, {x}", ".endr",
                links = const LINKS, x = inout(reg) x, options(pure, nomem, nostack),
            );
        }
        x
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod machine {
    use super::{Clock, LINKS};
    use std::hint::black_box;
    use std::sync::LazyLock;
    use std::time::Instant;

    pub const CLOCK: Clock = Clock::Nanoseconds;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    /// Nanoseconds since the first call.
    #[must_use]
    pub fn now() -> u64 {
        u64::try_from(START.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    pub fn multiplies(x: u64) -> u64 {
        (0..LINKS).fold(x, |x, _| black_box(x.wrapping_mul(x)))
    }
}
