// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Windows. It has no modes: a new file has the access list of its folder, which in the folders of a
//! user lets nobody else read it.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::windows::io::AsHandle;
use std::path::Path;
use std::process;

use zeroize::Zeroizing;

/// What ends an input that is typed.
pub const INPUT_END: &str = "Ctrl-Z and Enter";
/// What may keep a file from growing, beside its file system.
pub const RAISE_FILE_LIMIT: &str = "";
const CONSOLE: &str = "CONIN$";
/// Those of the names of devices that may be of use as an output.
const DEVICES: [&str; 3] = ["NUL", "CON", "CONOUT$"];
/// `STATUS_CONTROL_C_EXIT`, 0xc000013a: what a process ends with that does not listen to Ctrl-C.
const CONTROL_C_EXIT: i32 = -0x3fff_fec6;

pub fn permissions(_: u32) -> Option<Permissions> {
    None
}

pub fn mode(_: &Metadata) -> u32 {
    0
}

/// Every file knows its length.
pub fn is_made_up(_: &Metadata) -> bool {
    false
}

pub fn is_block_device(_: &Metadata) -> bool {
    false
}

/// Whether a device, by its name alone, stands in no folder.
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
