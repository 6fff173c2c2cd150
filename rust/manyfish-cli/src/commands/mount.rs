// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish mount`: the plain sectors of a volume as a file, by FUSE.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;
use fuser::{
    BsdFileFlags, Config, Errno, FileAttr, FileHandle, FileType, Filesystem, Generation, INodeNo,
    LockOwner, MountOption, OpenFlags, ReplyAttr, ReplyData, ReplyDirectory, ReplyEmpty,
    ReplyEntry, ReplyWrite, Request, TimeOrNow, WriteFlags,
};
use manyfish_files::Volume;
use rustix::fs::{major, minor};
use zeroize::Zeroizing;

use super::open::{Format, UnlockArgs};
use crate::error::{note, warn};
use crate::input::Input;
use crate::{Error, signals};

const NOTES: &str = "\
The folder then has one file, `disk`, with the plain sectors, which only the user of this command can read. If
that is root, a file system in it can be mounted: mount -o loop,ro DIR/disk /mnt. Without --write nothing is
written to the volume. The command runs until the folder is unmounted (fusermount3 -u DIR), or Ctrl-C does that.";
const HIDDEN: &str = "if this volume has a hidden one inside, writing may destroy that";

/// The name of the file.
const NAME: &str = "disk";
const DISK: INodeNo = INodeNo(2);
/// Nothing changes.
const FOREVER: Duration = Duration::from_secs(1 << 20);
const THREADS: usize = 4;
const READ_AHEAD_KIB: u32 = 512;

thread_local! {
    /// Each thread reads into its own; a new one for each request would cost as much as decryption.
    static BUFFER: RefCell<Zeroizing<Vec<u8>>> = RefCell::default();
}

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct MountArgs {
    #[command(flatten)]
    unlock: UnlockArgs,
    /// Let programs write to the volume, too
    #[arg(long)]
    write: bool,
    /// The volume
    input: PathBuf,
    /// An empty folder
    dir: PathBuf,
}

pub fn run(args: &MountArgs) -> Result<(), Error> {
    let dir = args.dir.display();
    let refuse = |error| Error::io(format_args!("cannot mount on {dir}"), &error);
    let explain = |error: io::Error| {
        let no_helper = error.kind() == io::ErrorKind::NotFound;
        let hint =
            no_helper.then_some("install fuse3: only root can mount without its fusermount3");
        hint.into_iter().fold(refuse(error), Error::hint)
    };
    let found = fs::metadata(&args.dir).map_err(refuse)?;
    if !found.is_dir() {
        return Err(Error::failed(format_args!("{dir} is no folder, expected an empty one")));
    }
    if fs::read_dir(&args.dir).map_err(refuse)?.next().is_some() {
        return Err(Error::failed(format_args!("{dir} is not empty, expected an empty folder"))
            .hint("make a new one: the volume would hide the files in it"));
    }
    let volume = args.volume()?;
    let disk = Disk { volume, writable: args.write, uid: found.uid(), gid: found.gid() };
    let mut config = Config::default();
    let access = if args.write { MountOption::RW } else { MountOption::RO };
    config.mount_options.extend([access, MountOption::FSName("manyfish".into())]);
    config.n_threads = Some(THREADS);
    let _mounted = signals::mounted(&args.dir, args.write);
    let session = fuser::spawn_mount(disk, &args.dir, &config).map_err(explain)?;
    read_ahead(&args.dir);
    note(format_args!("{dir}/{NAME} has the plain data; fusermount3 -u {dir} ends this"));
    session.join().map_err(refuse)
}

impl MountArgs {
    fn volume(&self) -> Result<Volume<File>, Error> {
        let open =
            |path| if self.write { Input::open_to_write(path) } else { Input::open(Some(path)) };
        let found = self.unlock.look(open(&self.input)?)?;
        found.format.check(&found.input, self.unlock.given())?;
        let (volume, _) = found.volume(&self.unlock)?;
        if self.write && matches!(found.format, Format::Noise) {
            warn(HIDDEN);
        }
        Ok(volume)
    }
}

/// Reads in larger pieces, which are a third faster. Only root may ask for them; others do without.
fn read_ahead(dir: &Path) {
    if let Ok(found) = fs::metadata(dir) {
        let (major, minor) = (major(found.dev()), minor(found.dev()));
        let file = format!("/sys/class/bdi/{major}:{minor}/read_ahead_kb");
        let _ = fs::write(file, READ_AHEAD_KIB.to_string());
    }
}

/// A file system of one file.
struct Disk {
    volume: Volume<File>,
    writable: bool,
    uid: u32,
    gid: u32,
}

impl Disk {
    fn attributes(&self, inode: INodeNo) -> Option<FileAttr> {
        let (kind, perm, size, nlink) = match inode {
            INodeNo::ROOT => (FileType::Directory, 0o500, 0, 2),
            DISK if self.writable => (FileType::RegularFile, 0o600, self.volume.n_bytes(), 1),
            DISK => (FileType::RegularFile, 0o400, self.volume.n_bytes(), 1),
            _ => return None,
        };
        let time = SystemTime::UNIX_EPOCH;
        Some(FileAttr {
            ino: inode,
            size,
            blocks: size / 512,
            atime: time,
            mtime: time,
            ctime: time,
            crtime: time,
            kind,
            perm,
            nlink,
            uid: self.uid,
            gid: self.gid,
            rdev: 0,
            blksize: 4096,
            flags: 0,
        })
    }
}

impl Filesystem for Disk {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let found = (parent == INodeNo::ROOT && name == NAME).then(|| self.attributes(DISK));
        match found.flatten() {
            Some(attributes) => reply.entry(&FOREVER, &attributes, Generation(0)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(&self, _: &Request, inode: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match self.attributes(inode) {
            Some(attributes) => reply.attr(&FOREVER, &attributes),
            None => reply.error(Errno::ENOENT),
        }
    }

    /// Nothing changes, as with a disk: a program that would shorten the file finds it as long as before.
    fn setattr(
        &self,
        _: &Request,
        inode: INodeNo,
        _: Option<u32>,
        _: Option<u32>,
        _: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        _: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        match self.attributes(inode) {
            Some(attributes) if size.is_none_or(|size| size <= attributes.size) => {
                reply.attr(&FOREVER, &attributes);
            }
            Some(_) => reply.error(Errno::ENOSPC),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn read(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        offset: u64,
        n_bytes: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        if inode != DISK {
            return reply.error(Errno::EISDIR);
        }
        BUFFER.with_borrow_mut(|buffer| {
            let longest = buffer.len().max(n_bytes as usize);
            buffer.resize(longest, 0);
            match self.volume.read_at(&mut buffer[..n_bytes as usize], offset) {
                Ok(n) => reply.data(&buffer[..n]),
                Err(_) => reply.error(Errno::EIO),
            }
        });
    }

    /// The system has the data before it is answered: the end of this process loses nothing of it.
    fn write(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        if inode != DISK {
            return reply.error(Errno::EISDIR);
        }
        match self.volume.write_at(data, offset) {
            Ok(0) if !data.is_empty() => reply.error(Errno::ENOSPC),
            Ok(n) => reply.written(u32::try_from(n).expect("as long as the request")),
            Err(error) => reply.error(error.into()),
        }
    }

    fn fsync(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        match self.volume.sync() {
            Ok(()) => reply.ok(),
            Err(error) => reply.error(error.into()),
        }
    }

    fn readdir(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        if inode != INodeNo::ROOT {
            return reply.error(Errno::ENOTDIR);
        }
        let entries = [
            (INodeNo::ROOT, FileType::Directory, "."),
            (INodeNo::ROOT, FileType::Directory, ".."),
            (DISK, FileType::RegularFile, NAME),
        ];
        for ((inode, kind, name), next) in
            entries.into_iter().zip(1_u64..).skip_while(|(_, i)| *i <= offset)
        {
            if reply.add(inode, next, kind, name) {
                break;
            }
        }
        reply.ok();
    }
}
