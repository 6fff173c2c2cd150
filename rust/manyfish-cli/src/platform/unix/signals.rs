// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The signals by which the user or the system ends the command.

use std::fs;
use std::sync::Arc;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::terminal;

/// Calls `clear` before a signal ends the process, and holds what it returns to the end. Without this
/// thread unfinished files would stay, but nothing else would be worse.
pub fn listen<Held>(clear: impl Fn() -> Held + Send + 'static) {
    // A file beyond `ulimit -f` shall not end the process: the write fails, and says why.
    let _ = flag::register(SIGXFSZ, Arc::default());
    let ignored = ignored_signals();
    let fatal = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];
    let heard = fatal.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let end = move |signal| {
        let held = clear();
        terminal::restore();
        let _ = emulate_default_handler(signal);
        drop(held);
    };
    if let Ok(mut signals) = Signals::new(heard) {
        thread::spawn(move || signals.forever().for_each(end));
    }
}

/// The signals that the process was started to ignore, as by nohup, a bit each, the first lowest. It
/// shall go on ignoring them. Only Linux tells; elsewhere they end the process.
fn ignored_signals() -> u128 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    u128::from_str_radix(digits.trim(), 16).unwrap_or(0)
}
