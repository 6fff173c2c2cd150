// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What must not stay behind when the user or the system ends the command: unfinished files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static LISTENING: Once = Once::new();

/// As long as it lives, a signal that ends the process also removes the file.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Creates a file. No signal falls between its creation and its registration.
    pub fn create<F: AsRef<Path>>(make: impl FnOnce() -> io::Result<F>) -> io::Result<(F, Self)> {
        LISTENING.call_once(listen);
        let mut unfinished = registry();
        let file = make()?;
        let path = file.as_ref().to_owned();
        unfinished.insert(path.clone());
        Ok((file, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        registry().remove(&self.0);
    }
}

fn registry() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Without this thread the files would stay, but nothing else would be worse.
fn listen() {
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        thread::spawn(move || signals.forever().for_each(remove_and_end));
    }
}

/// Keeps the registry locked to the end: nothing new is created meanwhile.
fn remove_and_end(signal: i32) {
    let unfinished = registry();
    for path in unfinished.iter() {
        let _ = fs::remove_file(path);
    }
    let _ = emulate_default_handler(signal);
}
