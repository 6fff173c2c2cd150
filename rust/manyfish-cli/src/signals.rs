// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What must not stay behind when the user or the system ends the command: unfinished files, and a
//! terminal that does not show what is typed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

static REMAINS: Mutex<Remains> = Mutex::new(Remains { files: BTreeSet::new(), terminal: None });
static LISTENING: Once = Once::new();

/// What a signal has to clear away.
struct Remains {
    files: BTreeSet<PathBuf>,
    /// Of a silent terminal: its settings before.
    terminal: Option<(File, Termios)>,
}

/// As long as it lives, a signal that ends the process also removes the file.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Creates a file. No signal falls between its creation and its registration.
    pub fn create<F: AsRef<Path>>(make: impl FnOnce() -> io::Result<F>) -> io::Result<(F, Self)> {
        LISTENING.call_once(listen);
        let mut remains = remains();
        let file = make()?;
        let path = file.as_ref().to_owned();
        remains.files.insert(path.clone());
        Ok((file, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        remains().files.remove(&self.0);
    }
}

/// As long as it lives, the terminal shows of what is typed only the end of the line.
#[derive(Debug)]
pub struct Silence(());

impl Silence {
    pub fn on(terminal: &File) -> io::Result<Self> {
        LISTENING.call_once(listen);
        let before = tcgetattr(terminal)?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        silent.local_modes.insert(LocalModes::ECHONL | LocalModes::ICANON | LocalModes::ISIG);
        // Not under the lock: in the background the next call stops the process until it is resumed.
        remains().terminal = Some((terminal.try_clone()?, before));
        let silence = Self(());
        tcsetattr(terminal, OptionalActions::Now, &silent)?;
        Ok(silence)
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        remains().restore_terminal();
    }
}

impl Remains {
    fn restore_terminal(&mut self) {
        if let Some((terminal, before)) = self.terminal.take() {
            // In the background the terminal is the shell's, and touching it would stop the process.
            if tcgetpgrp(&terminal).is_ok_and(|foreground| foreground == getpgrp()) {
                let _ = tcsetattr(&terminal, OptionalActions::Now, &before);
            }
        }
    }
}

fn remains() -> MutexGuard<'static, Remains> {
    REMAINS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Without this thread the remains would stay, but nothing else would be worse.
fn listen() {
    // A file beyond `ulimit -f` shall not end the process: the write fails, and says why.
    let _ = flag::register(SIGXFSZ, Arc::default());
    let ignored = ignored_signals();
    let fatal = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];
    let heard = fatal.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    if let Ok(mut signals) = Signals::new(heard) {
        thread::spawn(move || signals.forever().for_each(clear_and_end));
    }
}

/// The signals that the process was started to ignore, as by nohup, a bit each, the first lowest. It
/// shall go on ignoring them. Only Linux tells; elsewhere they end the process.
fn ignored_signals() -> u128 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    u128::from_str_radix(digits.trim(), 16).unwrap_or(0)
}

/// Keeps the lock to the end: nothing new is created meanwhile.
fn clear_and_end(signal: i32) {
    let mut remains = remains();
    for path in &remains.files {
        let _ = fs::remove_file(path);
    }
    remains.restore_terminal();
    let _ = emulate_default_handler(signal);
}
