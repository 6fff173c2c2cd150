// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The costs that `manyfish tune` measured on this machine: a file in the user's cache directory. One
//! that is damaged, or of another machine or version, is ignored.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use manyfish::{Costs, Expectation};
use manyfish_bench::machine::Machine;
use manyfish_bench::stopwatch::{CYCLES, UNIT};

use crate::error::{reason, warn};
use crate::output::Temporary;
use crate::{Error, cache, platform};

/// A table of all kernels has some thousand bytes.
const MAX_BYTES: u64 = 64 << 10;
const WHAT_TO_DO: &str = "\"manyfish tune\" measures again, \"manyfish tune --forget\" deletes it";

/// Where the costs of this machine are stored, or `None` where the environment names no place.
pub fn path() -> Option<PathBuf> {
    let name = format!("costs-{}-{}.csv", manyfish::version(), slug(&Machine::cpu_here()));
    Some(cache::folder()?.join(name))
}

/// A processor's name as part of a file name.
fn slug(cpu: &str) -> String {
    let words = cpu.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// The table stored for this machine; warns of one that cannot be used.
pub fn load() -> Option<Costs> {
    let path = path()?;
    match read(&path) {
        Ok(found) => found,
        Err(reason) => {
            let path = path.display();
            warn(format_args!("ignoring {path}: {reason}; {WHAT_TO_DO}"));
            None
        }
    }
}

/// Adds the stored table, if there is one; names the unit of the costs.
pub fn with_stored_costs(expectation: Expectation) -> (Expectation, &'static str) {
    match load() {
        Some(costs) => (expectation.costs(&costs), UNIT),
        None => (expectation, CYCLES),
    }
}

/// The table in a file, `None` if there is no such file, or why it cannot be used.
fn read(path: &Path) -> Result<Option<Costs>, String> {
    let text = match read_text(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(|error| format!("it cannot be read ({})", reason(&error)))?,
    };
    parse(&text, &Machine::cpu_here()).map(Some)
}

/// Refuses a pipe, which would make the command wait.
fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    File::open(path)?.take(MAX_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

fn parse(text: &str, cpu: &str) -> Result<Costs, String> {
    let field =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(&format!("# {name}: ")));
    match (field("cpu"), field("version")) {
        (Some(found), _) if found != cpu => Err(format!("it is for another processor, {found}")),
        (_, Some(found)) if found != manyfish::version() => {
            Err(format!("it is for another version, {found}"))
        }
        (Some(_), Some(_)) => text.parse().map_err(|error: manyfish::Error| error.to_string()),
        _ => Err("it names no processor or no version".to_owned()),
    }
}

/// Where a table can be stored. Finds out before anything is measured.
pub fn place() -> Result<PathBuf, Error> {
    let path = path().ok_or_else(no_place)?;
    try_out(&path).map_err(|error| refused(&path, &error))?;
    Ok(path)
}

fn try_out(path: &Path) -> io::Result<()> {
    make_folder(path)?;
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = path.parent().expect("the file lies in a folder");
    tempfile::tempfile_in(folder).map(drop)
}

fn make_folder(path: &Path) -> io::Result<()> {
    platform::make_private_folders(path.parent().expect("the file lies in a folder"))
}

/// Stores a table in place of an older one, in one step.
pub fn store(path: &Path, text: &str) -> Result<(), Error> {
    write(path, text).map_err(|error| refused(path, &error))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    make_folder(path)?;
    let folder = path.parent().expect("the file lies in a folder");
    let file = Temporary::new(folder)?;
    file.file().write_all(text.as_bytes())?;
    file.file().sync_all()?;
    file.persist(folder, path, true)
}

fn refused(path: &Path, error: &io::Error) -> Error {
    Error::io(format_args!("cannot write {}", path.display()), error).hint(
        "set XDG_CACHE_HOME to another folder, or let \"manyfish tune --print\" write the costs",
    )
}

/// Removes the table; says whether there was one.
pub fn forget() -> Result<Option<PathBuf>, Error> {
    let path = path().ok_or_else(no_place)?;
    match fs::remove_file(&path) {
        Ok(()) => Ok(Some(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(format_args!("cannot remove {}", path.display()), &error)),
    }
}

fn no_place() -> Error {
    Error::failed("no place to store the costs: XDG_CACHE_HOME and HOME are not absolute paths")
        .hint("\"manyfish tune --print\" writes them to standard output")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    const CPU: &str = "Some CPU, family 6 model 143";

    fn text(cpu: &str, version: &str) -> String {
        format!("# cpu: {cpu}\n# version: {version}\n{}", Costs::shipped())
    }

    #[test]
    fn a_place_that_cannot_be_written_is_found_out_at_once() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("costs.csv");
        assert!(try_out(&path).is_ok() && !path.exists());
        fs::create_dir(&path).unwrap();
        assert_eq!(try_out(&path).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        let inside = path.join("costs.csv");
        fs::set_permissions(&path, Permissions::from_mode(0o500)).unwrap();
        let told = try_out(&inside).map_err(|error| error.kind());
        let is_root = File::create(path.join("x")).is_ok(); // whom no mode keeps out
        assert_eq!(told, if is_root { Ok(()) } else { Err(io::ErrorKind::PermissionDenied) });
    }

    #[test]
    fn a_name_for_each_processor() {
        assert_eq!(slug("Some(R) CPU @ 3.1, family 6"), "some-r-cpu-3-1-family-6");
    }

    #[test]
    fn only_a_table_of_this_machine_and_version_is_used() {
        let good = text(CPU, manyfish::version());
        assert_eq!(parse(&good, CPU).unwrap().to_string(), Costs::shipped().to_string());
        let reason = |text: &str| parse(text, CPU).unwrap_err();
        assert!(reason(&text("Other", manyfish::version())).contains("another processor, Other"));
        assert!(reason(&text(CPU, "0.0.9")).contains("another version, 0.0.9"));
        assert!(reason(&Costs::shipped().to_string()).contains("names no processor"));
        assert!(reason(&good[..good.len() - 2].replace("zero", "Zero")).contains("line "));
        let comma = good[..good.len() / 2].rfind(',').unwrap();
        assert!(reason(&good[..=comma]).contains("line "), "cut where a figure is missing");
    }

    #[test]
    fn stored_tables_are_read_and_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("new/manyfish/costs.csv");
        assert!(read(&path).unwrap().is_none());
        for version in [manyfish::version(), "0.0.9"] {
            write(&path, &text(&Machine::cpu_here(), version)).unwrap();
            assert_eq!(read(&path).is_ok(), version == manyfish::version());
        }
        let mut old = File::open(&path).unwrap();
        write(&path, &text(CPU, "0.0.8")).unwrap();
        let mut found = String::new();
        old.read_to_string(&mut found).unwrap();
        assert_eq!(found, text(&Machine::cpu_here(), "0.0.9"), "replaced, not overwritten");
        let folder = fs::metadata(path.parent().unwrap()).unwrap();
        assert_eq!(folder.permissions().mode() & 0o777, 0o700);
        let names = fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(names.count(), 1, "no temporary file is left");
        fs::write(&path, [0xff; 100]).unwrap();
        assert!(read(&path).unwrap_err().contains("cannot be read"));
        assert!(read(place.path()).unwrap_err().contains("cannot be read"), "a folder");
        assert!(read(Path::new("/dev/null")).unwrap_err().contains("it is not a file"), "a device");
    }
}
