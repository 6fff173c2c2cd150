// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish tables`: saves the tables that all keys share, so that later commands open them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use manyfish::Tables;
use manyfish_bench::table::Table;

use crate::error::shown;
use crate::output::{Temporary, write_error};
use crate::progress::{Clock, Progress, with_spinner};
use crate::{Error, cache, platform, saved, signals, size};

#[derive(Args)]
#[command(after_help = NOTES)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Subcommand)]
enum TablesCommand {
    /// Compute tables and save them, in place of older ones
    Build(BuildArgs),
    /// Compare each byte of saved tables with the value that it must have
    Check(ChosenArgs),
    /// Show which tables are saved, and which kernels need them
    List(Place),
    /// Delete saved tables
    Remove(ChosenArgs),
}

#[derive(Args)]
struct BuildArgs {
    /// Tables to save: big has 256 KiB, huge has 256 MiB
    #[arg(value_enum, value_name = "TABLES", default_values_t = [Which::Big])]
    tables: Vec<Which>,
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
struct ChosenArgs {
    /// Only these tables [default: all that are saved]
    #[arg(value_enum, value_name = "TABLES")]
    tables: Vec<Which>,
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
struct Place {
    /// Folder of the tables [default: the cache folder, the only one that other commands read]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Which {
    // No documentation of each: it would spread the help of the whole command over pages.
    Big,
    Huge,
}

const NOTES: &str = "\
Some kernels for study read tables that do not depend on any key: full-big and partial-big read 256 KiB,
full-huge reads 256 MiB. This command saves them in $XDG_CACHE_HOME/manyfish or ~/.cache/manyfish, on Windows
in %LOCALAPPDATA%\\manyfish. \"raw --kernel\" opens saved tables, and computes others. \"--expect\" with
\"--leaks any\" considers full-big and partial-big if their tables are saved. Each command first compares all
bytes of a file that it opens.
Programs that open the same file share its memory. A program that can read the file may learn the keys of
another one, so keep DIR to yourself.";

impl From<Which> for Tables {
    fn from(which: Which) -> Self {
        match which {
            Which::Big => Self::Big,
            Which::Huge => Self::Huge,
        }
    }
}

pub fn run(args: &TablesArgs) -> Result<(), Error> {
    match &args.command {
        TablesCommand::Build(args) => {
            let mut tables = args.tables.iter().map(|which| Tables::from(*which));
            tables.try_for_each(|tables| build(tables, &args.place.path(tables)?))
        }
        TablesCommand::Check(args) => args.each(check),
        TablesCommand::List(place) => list(place),
        TablesCommand::Remove(args) => args.each(remove),
    }
}

impl Place {
    fn folder(&self) -> Result<PathBuf, Error> {
        self.dir.clone().or_else(cache::folder).ok_or_else(|| {
            Error::failed("no place for tables: XDG_CACHE_HOME and HOME are not absolute paths")
                .hint("name a folder with --dir")
        })
    }

    fn path(&self, tables: Tables) -> Result<PathBuf, Error> {
        Ok(self.folder()?.join(saved::file_name(tables)))
    }
}

impl ChosenArgs {
    /// Works on the tables that are named, or on all that are saved.
    fn each(&self, work: fn(Tables, &Path) -> Result<(), Error>) -> Result<(), Error> {
        let folder = self.place.folder()?;
        let path = |tables| folder.join(saved::file_name(tables));
        let mut chosen: Vec<_> = self.tables.iter().map(|which| Tables::from(*which)).collect();
        if chosen.is_empty() {
            chosen.extend(Tables::ALL.into_iter().filter(|tables| is_there(&path(*tables))));
        }
        if chosen.is_empty() {
            let folder = folder.display();
            return Err(Error::failed(format_args!("no tables are saved in {folder}"))
                .hint("\"manyfish tables build\" saves some"));
        }
        chosen.into_iter().try_for_each(|tables| work(tables, &path(tables)))
    }
}

/// Is anything there, even a link to nothing?
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn build(tables: Tables, path: &Path) -> Result<(), Error> {
    let refuse = |error| write_error(&path.display().to_string(), DIR, &error);
    try_out(path, saved::file_bytes(tables)).map_err(refuse)?;
    tables.build(0, bar(tables)).map_err(|error| {
        Error::failed(error).hint(format_args!("the tables take {} bytes", size(tables)))
    })?;
    save(tables, path)?;
    print(&format!("saved {}\n", shown(&path.display().to_string())))
}

/// Waits until the disk has the file. The library names no reason for a failure.
fn save(tables: Tables, path: &Path) -> Result<(), Error> {
    let what = format!("writing {}", shown(&path.display().to_string()));
    let saved = with_spinner(what, || signals::whole(|| tables.save(path)));
    saved.map_err(|_| {
        Error::failed(format_args!("cannot write {}", path.display()))
            .hint(format_args!("free some space, or name another place with {DIR}"))
    })
}

/// The option that names another folder.
const DIR: &str = "--dir";

/// Finds out whether a file can be written before the tables are computed.
fn try_out(path: &Path, n_bytes: u64) -> io::Result<()> {
    let folder = path.parent().expect("the file lies in a folder");
    platform::make_private_folders(folder)?;
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a file"));
    }
    platform::reserve(Temporary::new(folder)?.file(), n_bytes)
}

fn check(tables: Tables, path: &Path) -> Result<(), Error> {
    tables.open(path, 0, bar(tables)).map_err(|_| {
        let why = saved::why_refused(tables, path);
        let hint = format!("\"manyfish tables build {}\" saves new ones", saved::name(tables));
        Error::failed(format_args!("cannot use {}: {why}", path.display())).hint(hint)
    })?;
    print(&format!("{}: each byte is right\n", shown(&path.display().to_string())))
}

/// Shows how much is done.
fn bar(tables: Tables) -> impl FnMut(usize, usize) -> bool {
    let clock = Clock::default();
    clock.start();
    let mut bar = Progress::new((), Some(tables.bytes() as u64), true, &clock);
    let mut last = 0;
    move |done, _| {
        bar.advance((done - last) as u64);
        last = done;
        true
    }
}

fn list(place: &Place) -> Result<(), Error> {
    let folder = place.folder()?;
    let mut table = Table::new("<><<", &["tables", "bytes", "kernels", "saved"]);
    for tables in Tables::ALL {
        let needs = |kernel: &manyfish::KernelInfo| kernel.shared_bytes == tables.bytes();
        let kernels: Vec<_> = manyfish::kernels().filter(needs).map(|kernel| kernel.name).collect();
        table.row([
            saved::name(tables).to_owned(),
            size(tables),
            kernels.join(", "),
            state(tables, &folder.join(saved::file_name(tables))),
        ]);
    }
    print(&table.to_string())
}

/// Whether a file is there, as far as a quick look tells.
fn state(tables: Tables, path: &Path) -> String {
    let name = shown(&path.display().to_string());
    match saved::fault(tables, path) {
        _ if !is_there(path) => "no".to_owned(),
        None => format!("yes, {name}"),
        Some(fault) => format!("damaged, {name}: {fault}"),
    }
}

fn remove(_: Tables, path: &Path) -> Result<(), Error> {
    let name = path.display();
    fs::remove_file(path).map_err(|e| Error::io(format_args!("cannot remove {name}"), &e))?;
    print(&format!("removed {}\n", shown(&name.to_string())))
}

fn size(tables: Tables) -> String {
    size::words(tables.bytes() as u64)
}

fn print(text: &str) -> Result<(), Error> {
    io::stdout().write_all(text.as_bytes()).map_err(Error::output)
}
