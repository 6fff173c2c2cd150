// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Removes unfinished files when the user or the system ends the command.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::Condvar;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
#[cfg(target_os = "linux")]
use std::time::Duration;

use crate::platform;

static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static LISTENING: Once = Once::new();

/// As long as it lives, a signal that ends the process also removes the file.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Creates a file. No signal falls between its creation and its registration.
    pub fn create<F: AsRef<Path>>(make: impl FnOnce() -> io::Result<F>) -> io::Result<(F, Self)> {
        listen();
        let mut files = files();
        let file = make()?;
        let path = file.as_ref().to_owned();
        files.insert(path.clone());
        Ok((file, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        files().remove(&self.0);
    }
}

/// Does what must not be left half done: a signal that ends the process waits for it. The work cannot create files by
/// [`Unfinished`].
pub fn whole<T>(work: impl FnOnce() -> T) -> T {
    listen();
    let _held = files();
    work()
}

/// As long as it lives, a signal that ends the process also unmounts the folder.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub struct Mounted;

/// The folder that is mounted, and whether programs may write there.
#[cfg(target_os = "linux")]
static MOUNTED: Mutex<Option<(PathBuf, bool)>> = Mutex::new(None);
#[cfg(target_os = "linux")]
static UNMOUNTED: Condvar = Condvar::new();
/// Time to wipe the keys.
#[cfg(target_os = "linux")]
const PATIENCE: Duration = Duration::from_secs(2);

/// Drop the result when all of the work is done, and its keys are wiped.
#[cfg(target_os = "linux")]
pub fn mounted(folder: &Path, writable: bool) -> Mounted {
    listen();
    *locked(&MOUNTED) = Some((folder.to_owned(), writable));
    Mounted
}

#[cfg(target_os = "linux")]
impl Drop for Mounted {
    fn drop(&mut self) {
        *locked(&MOUNTED) = None;
        UNMOUNTED.notify_all();
        drop(files()); // if a signal has unmounted the folder, it also ends the process
    }
}

/// First the system writes all that it holds back: a file system inside may wait to write.
#[cfg(target_os = "linux")]
fn unmount() {
    use std::process::Command;
    let mounted = locked(&MOUNTED);
    let Some((folder, writable)) = &*mounted else { return };
    if *writable {
        rustix::fs::sync();
    }
    let mut commands = [Command::new("fusermount3"), Command::new("umount")];
    commands[0].args(["-u", "-z"]);
    commands[1].arg("-l");
    let _ = commands
        .iter_mut()
        .any(|command| command.arg(folder).status().is_ok_and(|status| status.success()));
    let _ = UNMOUNTED.wait_timeout_while(mounted, PATIENCE, |mounted| mounted.is_some());
}

/// From now on the process clears up before it ends.
pub fn listen() {
    LISTENING.call_once(|| platform::listen(clear));
}

/// As long as the result is held, nothing new is created.
fn clear() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    let files = files();
    #[cfg(target_os = "linux")]
    unmount();
    for path in files.iter() {
        let _ = fs::remove_file(path);
    }
    files
}

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    locked(&FILES)
}

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
