// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A line typed on the terminal, which shows none of it but its end.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};
use zeroize::Zeroizing;

const TERMINAL: &str = "/dev/tty";

/// Of a silent terminal: its settings before.
static BEFORE: Mutex<Option<(File, Termios)>> = Mutex::new(None);

/// A line of up to `max_bytes`; `None` without a terminal.
pub fn ask(prompt: &str, max_bytes: usize) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    match File::options().read(true).write(true).open(TERMINAL) {
        Ok(terminal) => read_unseen(&terminal, prompt, max_bytes).map(Some),
        Err(_) => Ok(None),
    }
}

fn read_unseen(
    mut terminal: &File,
    prompt: &str,
    max_bytes: usize,
) -> io::Result<Zeroizing<Vec<u8>>> {
    let silence = Silence::on(terminal)?;
    terminal.write_all(prompt.as_bytes())?;
    let mut line = Zeroizing::new(vec![0; max_bytes]);
    manyfish::lock(&line);
    let mut filled = 0;
    while filled < max_bytes && !line[..filled].contains(&b'\n') {
        match terminal.read(&mut line[filled..]) {
            Ok(0) => {
                terminal.write_all(b"\n")?;
                break;
            }
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    drop(silence);
    line.truncate(filled);
    Ok(line)
}

/// As long as it lives, the terminal shows of what is typed only the end of the line.
struct Silence(());

impl Silence {
    fn on(terminal: &File) -> io::Result<Self> {
        let settings = tcgetattr(terminal)?;
        let mut silent = settings.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        silent.local_modes.insert(LocalModes::ECHONL | LocalModes::ICANON | LocalModes::ISIG);
        // Not under the lock: in the background the next call stops the process until it is resumed.
        *before() = Some((terminal.try_clone()?, settings));
        let silence = Self(());
        tcsetattr(terminal, OptionalActions::Now, &silent)?;
        Ok(silence)
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        restore();
    }
}

/// Makes a silent terminal as it was.
pub fn restore() {
    if let Some((terminal, settings)) = before().take() {
        // In the background the terminal is the shell's, and touching it would stop the process.
        if tcgetpgrp(&terminal).is_ok_and(|foreground| foreground == getpgrp()) {
            let _ = tcsetattr(&terminal, OptionalActions::Now, &settings);
        }
    }
}

fn before() -> MutexGuard<'static, Option<(File, Termios)>> {
    BEFORE.lock().unwrap_or_else(PoisonError::into_inner)
}
