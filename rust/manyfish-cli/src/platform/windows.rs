// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Windows. It has no modes: a new file has the access list of its folder, which in the folders of a
//! user lets nobody else read it.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsHandle;
use std::path::Path;
use std::process;

use zeroize::Zeroizing;

/// The keys that end typed input.
pub const INPUT_END: &str = "Ctrl-Z and Enter";
/// A hint for files that hit a limit of the system.
pub const RAISE_FILE_LIMIT: &str = "";
const CONSOLE: &str = "CONIN$";
/// Those of the names of devices that may be of use as an output.
const DEVICES: [&str; 3] = ["NUL", "CON", "CONOUT$"];
/// `STATUS_CONTROL_C_EXIT`, 0xc000013a: what a process ends with that does not listen to Ctrl-C.
const CONTROL_C_EXIT: i32 = -0x3fff_fec6;

pub fn give_new_mode(_: &File, _: u32) {}

/// Files without a name are not for this system.
pub fn unnamed(_: &Path) -> Option<File> {
    None
}

pub fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A new file that nobody else may open or remove as long as it is open.
pub fn create_locked(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).share_mode(0).open(path)
}

/// Whether no process has it open alone.
pub fn is_abandoned(path: &Path) -> bool {
    File::options().read(true).write(true).share_mode(0).open(path).is_ok()
}

/// A folder of the user's own, which others cannot read.
pub fn make_private_folders(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Access lists would tell; in a user's own folders nobody else may read.
pub fn is_open_to_others(_: &Metadata) -> bool {
    false
}

/// Every file knows its length.
pub fn is_made_up(_: &Metadata) -> bool {
    false
}

/// Access lists would tell.
pub fn others_may_change(_: &Metadata) -> bool {
    false
}

pub fn is_block_device(_: &Metadata) -> bool {
    false
}

pub fn is_same_device(_: &Metadata, _: &Metadata) -> bool {
    false
}

pub fn open_alone(device: &Path, options: &mut OpenOptions) -> io::Result<File> {
    options.open(device)
}

pub fn claim(_: &File) -> Option<File> {
    None
}

/// Elsewhere the next read of what was written comes from the disk.
#[allow(clippy::unnecessary_wraps)]
pub fn drop_cache(_: &File) -> io::Result<()> {
    Ok(())
}

/// Takes space on the disk for a file.
pub fn reserve(file: &File, n_bytes: u64) -> io::Result<()> {
    file.set_len(n_bytes)
}

/// Whether the name alone makes it a device, in any folder.
pub fn is_device_name(path: &Path) -> bool {
    DEVICES.iter().any(|name| path.as_os_str().eq_ignore_ascii_case(name))
}

#[allow(clippy::unnecessary_wraps)] // elsewhere a device is looked up
pub fn may_be_terminal(_: &Path) -> io::Result<bool> {
    Ok(true)
}

/// A user's own programs may look into each other; dumps of crashes are a setting of the system.
pub fn keep_memory_private() {}

/// Standard input without the library's buffer, which nobody wipes.
pub fn stdin() -> io::Result<File> {
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// A line typed on the console, which does not show it; `None` without a console.
pub fn ask(prompt: &str, _max_bytes: usize) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    if File::options().read(true).write(true).open(CONSOLE).is_err() {
        return Ok(None);
    }
    let line = rpassword::prompt_password(prompt)?;
    Ok(Some(Zeroizing::new(line.into_bytes())))
}

/// Calls `clear` before Ctrl-C ends the process, and holds what it returns to the end.
pub fn listen<Held>(clear: impl Fn() -> Held + Send + 'static) {
    let _ = ctrlc::set_handler(move || {
        let _held = clear();
        process::exit(CONTROL_C_EXIT);
    });
}
