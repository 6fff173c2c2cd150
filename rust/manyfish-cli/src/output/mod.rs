// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The output: standard output, a device, or a file that appears under its name only when all of it
//! is written and, on decryption, verified. If standard output is closed at the start, the result is lost
//! without a message: Rust opens /dev/null instead, and writing there is no error.

mod kept;
mod place;
mod resumed;
mod temporary;
mod text;
mod writer;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::input::{Input, is_same};
use crate::{Error, platform};
use place::{Asked, Kind, both, is_stdout, open_block_device, open_in_place};
pub use resumed::{DOUBTFUL_BYTES, Resumed};
pub use temporary::Temporary;
use text::{TextOnly, is_not_text};
pub use writer::Output;
use writer::{Access, Writer};

const STDOUT: &str = "standard output";
/// The options that name outputs, as hints show them.
pub const OUT: &str = "-o OUT";
const PLOT: &str = "--plot FILE";
const MODE_CIPHERTEXT: u32 = 0o666;
/// Only the owner may read decrypted files.
const MODE_PLAINTEXT: u32 = 0o600;

#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Output file; "-" is standard output, the default
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace the output file if it exists
    #[arg(long, requires = "output")]
    force: bool,
}

/// The output of a command that reads again what it wrote.
#[derive(Debug, Args)]
pub struct FileArgs {
    /// Output file or disk, which is read again and compared
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Replace the output file if it exists
    #[arg(long)]
    force: bool,
}

/// The kind of output. It decides who may read a new file, and whether a terminal may show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A message that could be armored.
    Binary,
    Armor,
    /// Binary that has no text form.
    Bare,
    Plaintext,
    /// The plaintext of a disk, which is no text.
    Disk,
}

impl Content {
    /// The mode of a new file, before the user's umask.
    fn mode(self) -> u32 {
        match self {
            Self::Binary | Self::Armor | Self::Bare => MODE_CIPHERTEXT,
            Self::Plaintext | Self::Disk => MODE_PLAINTEXT,
        }
    }
}

/// Where the output goes, checked, but not yet touched.
#[derive(Debug)]
pub struct Target {
    /// As in "cannot write notes.pgp".
    pub name: String,
    kind: Kind,
    content: Content,
    /// The option that named it.
    option: &'static str,
    is_terminal: bool,
    /// A terminal that shall show nothing but text.
    text_only: bool,
}

impl OutputArgs {
    /// The output file as it is, to be continued.
    pub fn resume(&self, input: &Input) -> Result<Resumed, Error> {
        match self.output.as_deref() {
            Some(path) if path != Path::new("-") => Resumed::open(path, input),
            _ => Err(Error::usage("--resume continues a file").hint("name it with -o OUT")),
        }
    }

    /// Fails if the output would replace one of the files that are read beside the input, such as that of the key.
    pub fn spare<'a>(&self, read: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Error> {
        match self.output.as_deref() {
            Some(path) if read.into_iter().any(|other| is_same(other, path)) => {
                Err(both(&path.display(), OUT))
            }
            _ => Ok(()),
        }
    }

    /// Where the output goes. Refuses bad places before the command asks for a passphrase.
    pub fn target(&self, content: Content, input: &Input) -> Result<Target, Error> {
        match self.output.as_deref() {
            // "-" allows binary on a terminal.
            Some(path) if path == Path::new("-") => {
                Target::new(STDOUT.into(), Kind::Stdout, content)
            }
            Some(path) if !is_stdout(path) => {
                let name = path.display().to_string();
                let asked = Asked { path, force: self.force, option: OUT };
                let kind = Kind::of(&asked, &name, input)?;
                Target::new(name, kind, content)?.unless_garbled()
            }
            _ => Target::new(STDOUT.into(), Kind::Stdout, content)?.unless_garbled(),
        }
    }
}

impl FileArgs {
    /// Fails if the output would replace one of the files that are read beside the input.
    pub fn spare<'a>(&self, read: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Error> {
        self.args().spare(read)
    }

    /// Where the output goes.
    pub fn target(&self, content: Content, input: &Input) -> Result<Target, Error> {
        if self.output == Path::new("-") || is_stdout(&self.output) {
            return Err(Error::usage(
                "the new file cannot go to standard output, since it is read again and compared",
            )
            .hint(format_args!("name a file with {OUT}")));
        }
        self.args().target(content, input)
    }

    fn args(&self) -> OutputArgs {
        OutputArgs { output: Some(self.output.clone()), force: self.force }
    }
}

impl Target {
    /// Where a drawing goes: a file, even if the tables go to standard output. `input` may not be it.
    pub fn plot(path: &Path, force: bool, input: &Input) -> Result<Self, Error> {
        let name = path.display().to_string();
        if path == Path::new("-") || is_stdout(path) {
            return Err(Error::usage(
                "the plot cannot go to standard output, which is for the tables",
            )
            .hint(format_args!("name a file with {PLOT}")));
        }
        if path.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("svg")) {
            return Err(Error::usage(format_args!(
                "the plot is an SVG file, but {name} has another extension"
            ))
            .hint(format_args!("name it {}", path.with_extension("svg").display())));
        }
        let kind = Kind::of(&Asked { path, force, option: PLOT }, &name, input)?;
        Ok(Self { option: PLOT, ..Self::new(name, kind, Content::Armor)? })
    }

    fn new(name: String, kind: Kind, content: Content) -> Result<Self, Error> {
        let is_terminal = kind.is_terminal().map_err(|e| write_error(&name, OUT, &e))?;
        Ok(Self { name, kind, content, option: OUT, is_terminal, text_only: false })
    }

    fn unless_garbled(self) -> Result<Self, Error> {
        let way_out = match self.content {
            Content::Binary => "write to a file with -o OUT, or write text with --armor",
            Content::Bare | Content::Disk => "write to a file with -o OUT",
            Content::Armor => return Ok(self),
            Content::Plaintext => return Ok(Self { text_only: self.is_terminal, ..self }),
        };
        if self.is_terminal {
            return Err(Error::failed("binary output would garble the terminal")
                .hint(format_args!("{way_out}; -o - writes binary anyway")));
        }
        Ok(self)
    }

    /// Whether a progress bar would run into the output.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Whether it is a terminal that shall show nothing but text.
    pub fn is_text_only(&self) -> bool {
        self.text_only
    }

    /// Whether output stays even if an error follows.
    pub fn is_stream(&self) -> bool {
        matches!(self.kind, Kind::Stdout | Kind::Device(_))
    }

    /// Opens the output. A file is a temporary one at first.
    pub fn create(&self) -> Result<Output, Error> {
        let writer = match &self.kind {
            Kind::Stdout => Ok(self.stream(io::stdout())),
            Kind::Device(path) if is_block_device(path) => {
                open_block_device(path).map(Writer::Device)
            }
            Kind::Device(path) => open_in_place(path).map(|device| self.stream(device)),
            Kind::NewFile(path) => Writer::file(path, Access::New(self.content.mode())),
            Kind::Replace(path, kept) => Writer::file(path, Access::As(kept.clone())),
        };
        let writer = writer.map_err(|e| write_error(&self.name, self.option, &e))?;
        Ok(Output::new(writer, self.name.clone(), self.option))
    }

    /// The same of a place that can be read again: a file, or a block device.
    pub fn create_readable(&self) -> Result<Output, Error> {
        match &self.kind {
            Kind::Device(path) if is_block_device(path) => self.create(),
            Kind::Stdout | Kind::Device(_) => Err(Error::failed(format_args!(
                "{} cannot be read again to check what was written",
                self.name
            ))
            .hint(format_args!("name a file with {}", self.option))),
            Kind::NewFile(_) | Kind::Replace(..) => self.create(),
        }
    }

    /// The same of a file, which ends where the output ends.
    pub fn create_readable_file(&self) -> Result<Output, Error> {
        match &self.kind {
            Kind::Device(path) if is_block_device(path) => Err(Error::failed(format_args!(
                "{} is a block device, which takes the data of a disk alone",
                self.name
            ))
            .hint(format_args!("name a file with {}", self.option))),
            _ => self.create_readable(),
        }
    }

    fn stream(&self, stream: impl io::Write + 'static) -> Writer {
        if self.text_only {
            Writer::Stream(Box::new(TextOnly::new(stream)))
        } else {
            Writer::Stream(Box::new(stream))
        }
    }
}

fn is_block_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| platform::is_block_device(&found))
}

/// A failed write as an error of the command; `option` names outputs.
pub fn write_error(name: &str, option: &str, error: &io::Error) -> Error {
    if is_not_text(error) {
        return Error::failed("the plaintext is not text and would garble the terminal")
            .hint("write to a file with -o OUT; -o - shows it anyway");
    }
    let refused = Error::io(format_args!("cannot write {name}"), error);
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            refused.hint(format_args!("free some space, or name another place with {option}"))
        }
        io::ErrorKind::FileTooLarge => {
            let raise = platform::RAISE_FILE_LIMIT;
            refused.hint(format_args!("name another place with {option}{raise}"))
        }
        io::ErrorKind::ResourceBusy => {
            refused.hint("unmount it first; the disk of the input cannot be the output, either")
        }
        _ => refused,
    }
}
