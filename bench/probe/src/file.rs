// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The file with the results: whole under its name, or not there.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Bytes; files have some 300 KB.
const LARGEST: usize = 1 << 20;
/// Files of one machine and day.
const MANY: u32 = 1000;

/// Fails now rather than after five minutes, if no file can be written to the folder.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    let trial = folder.join(".manyfish-probe");
    let written = fs::write(&trial, vec![0; LARGEST]);
    written.and(fs::remove_file(trial))
}

/// Writes the text under a new name that begins so; the name.
pub fn write(folder: &Path, begin: &str, text: &str) -> io::Result<PathBuf> {
    let name = |n: u32| match n {
        1 => folder.join(format!("{begin}.json")),
        _ => folder.join(format!("{begin}-{n}.json")),
    };
    let free = (1..MANY).map(name).find(|path| !path.exists());
    let path = free.ok_or(io::ErrorKind::AlreadyExists)?;
    let unfinished = path.with_extension("unfinished");
    let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &path));
    if written.is_err() {
        drop(fs::remove_file(unfinished));
    }
    written.map(|()| path)
}

/// "manyfish-probe-2026-01-31-a-cpu": the letters and digits of what is given.
pub fn name(date: &str, cpu: &str) -> String {
    let text = cpu.replace("(R)", " ").replace("(TM)", " ").to_lowercase();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    ["manyfish-probe", date].into_iter().chain(words).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_replaced_and_nothing_is_left_behind() {
        let folder = std::env::temp_dir().join(format!("probe-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        check_folder(&folder).unwrap();
        let names = ["x.json", "x-2.json"].map(|name| folder.join(name));
        assert_eq!(write(&folder, "x", "first").unwrap(), names[0]);
        assert_eq!(write(&folder, "x", "second").unwrap(), names[1]);
        assert_eq!(fs::read_to_string(&names[0]).unwrap(), "first");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        assert!(write(&folder.join("none"), "x", "").is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_name_is_made_of_letters_and_digits() {
        let name = name("2026-01-31", "Intel(R) Xeon(R) @ 2.1GHz, family 6");
        assert_eq!(name, "manyfish-probe-2026-01-31-intel-xeon-2-1ghz-family-6");
    }
}
