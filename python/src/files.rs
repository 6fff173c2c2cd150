// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Files and byte strings as OpenPGP messages under a passphrase. Everything runs without the GIL, which
//! is taken for moments only: to look for Ctrl-C, to tell the progress, to read and write file objects.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use manyfish_openpgp::{
    ChunkSize, DecryptOptions, Decryption, Encryption, Error, Format, Limits, Settings, Watched,
};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use zeroize::Zeroizing;

use crate::buffer::Input;
use crate::new_file::NewFile;

/// The longest time between two looks for Ctrl-C, and two reports of progress.
const PATIENCE: Duration = Duration::from_millis(50);
const BUFFER_BYTES: usize = 64 << 10;
/// The most that a file object is asked for at a time.
const READ_BYTES: usize = 1 << 20;

pyo3::create_exception!(
    manyfish,
    MessageError,
    PyValueError,
    "A message cannot be opened. ValueError; the subclasses say why."
);
pyo3::create_exception!(
    manyfish,
    WrongPassphraseError,
    MessageError,
    "The passphrase does not open this message, or the beginning of the message was altered; in the older \
     form, any of it."
);
pyo3::create_exception!(
    manyfish,
    DamagedMessageError,
    MessageError,
    "The message was altered, cut or appended to, or is no OpenPGP message at all."
);
pyo3::create_exception!(
    manyfish,
    UnsupportedMessageError,
    MessageError,
    "A sound message, as far as one can see, of a kind that this version does not open."
);

/// How to write a message.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    format: String,
    armor: bool,
    chunk_size: i64,
}

impl Options {
    fn settings(&self) -> PyResult<Settings> {
        let format = match self.format.as_str() {
            "rfc9580" => Format::Rfc9580,
            "rfc4880" => Format::Rfc4880,
            other => {
                let message = format!("format must be \"rfc9580\" or \"rfc4880\", not \"{other}\"");
                return Err(PyValueError::new_err(message));
            }
        };
        let chunk = u64::try_from(self.chunk_size).ok().and_then(ChunkSize::from_bytes);
        let chunk = chunk.ok_or_else(|| {
            PyValueError::new_err(format!(
                "chunk_size must be a power of two from 64 to 4194304, not {}",
                self.chunk_size
            ))
        })?;
        let mut settings = Settings::of(format).map_err(message_error)?;
        (settings.armor, settings.chunk) = (self.armor, chunk);
        Ok(settings)
    }
}

/// The limits of a message, where the caller names them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Allowed {
    max_memory: Option<i64>,
    max_work: Option<f64>,
    insecure_legacy: bool,
}

impl Allowed {
    fn options(&self) -> PyResult<DecryptOptions> {
        let mut options = DecryptOptions::default();
        options.insecure_legacy = self.insecure_legacy;
        let Limits { memory, work } = &mut options.limits;
        if let Some(bytes) = self.max_memory {
            *memory = u64::try_from(bytes)
                .map_err(|_| PyValueError::new_err("max_memory must not be negative"))?;
        }
        if let Some(seconds) = self.max_work {
            *work = Duration::try_from_secs_f64(seconds)
                .map_err(|_| PyValueError::new_err("max_work must be a number of seconds"))?;
        }
        Ok(options)
    }
}

/// A path or a file object.
pub enum Place {
    Path(PathBuf),
    Object(Py<PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for Place {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.hasattr("read")? || object.hasattr("write")? {
            return Ok(Self::Object(object.to_owned().unbind()));
        }
        let path: PathBuf = object.extract()?;
        // In the words of Python's own `open`.
        if path.as_os_str().as_encoded_bytes().contains(&0) {
            return Err(PyValueError::new_err("embedded null byte"));
        }
        Ok(Self::Path(path))
    }
}

/// The input.
enum Source<'a> {
    File { file: File, path: PathBuf },
    Memory(&'a [u8]),
    Object(Py<PyAny>),
}

impl Source<'_> {
    fn open(place: Place) -> PyResult<Self> {
        match place {
            Place::Object(object) => Ok(Self::Object(object)),
            Place::Path(path) => match File::open(&path) {
                Ok(file) => Ok(Self::File { file, path }),
                Err(error) => Err(os_error(error, Some(&path))),
            },
        }
    }

    /// Its length, where that is known before the end.
    fn n_bytes(&self) -> Option<u64> {
        match self {
            Self::File { file, .. } => {
                file.metadata().ok().filter(Metadata::is_file).map(|found| found.len())
            }
            Self::Memory(bytes) => Some(bytes.len() as u64),
            Self::Object(_) => None,
        }
    }

    fn path(&self) -> Option<PathBuf> {
        match self {
            Self::File { path, .. } => Some(path.clone()),
            Self::Memory(_) | Self::Object(_) => None,
        }
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File { file, .. } => file.read(buffer),
            Self::Memory(bytes) => bytes.read(buffer),
            Self::Object(object) => {
                Python::attach(|py| read_object(object.bind(py), buffer)).map_err(io::Error::other)
            }
        }
    }
}

fn read_object(object: &Bound<'_, PyAny>, buffer: &mut [u8]) -> PyResult<usize> {
    let wanted = buffer.len().min(READ_BYTES);
    let piece = object.call_method1("read", (wanted,))?;
    if piece.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("src gives text, expected a file opened with \"rb\""));
    }
    let piece: Input = piece.extract()?;
    let piece = piece.bytes();
    if piece.len() > wanted {
        let message = format!("src gave {} bytes, asked for {wanted}", piece.len());
        return Err(PyOSError::new_err(message));
    }
    buffer[..piece.len()].copy_from_slice(piece);
    Ok(piece.len())
}

/// The output.
enum Sink {
    File(Box<NewFile>),
    Memory(Vec<u8>),
    Object(Py<PyAny>),
}

impl Sink {
    /// Puts a file in place. No file is there before that.
    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::File(file) => file.commit().map(|()| Vec::new()),
            Self::Memory(bytes) => Ok(bytes),
            Self::Object(_) => Ok(Vec::new()),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(data),
            Self::Memory(bytes) => bytes.write(data),
            Self::Object(object) => {
                Python::attach(|py| write_object(object.bind(py), data)).map_err(io::Error::other)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Memory(_) | Self::Object(_) => Ok(()),
        }
    }
}

/// An unbuffered file may take less than all; others need not say how much they took.
fn write_object(object: &Bound<'_, PyAny>, data: &[u8]) -> PyResult<usize> {
    let written = object.call_method1("write", (PyBytes::new(object.py(), data),))?;
    let written = written.extract::<Option<usize>>()?.unwrap_or(data.len());
    Ok(written.min(data.len()))
}

/// Where the result will go, checked, but not yet touched.
enum Target {
    File { path: PathBuf, overwrite: bool, secret: bool },
    Memory,
    Object(Py<PyAny>),
}

impl Target {
    fn new(place: Place, overwrite: bool, secret: bool, source: &Source) -> PyResult<Self> {
        match place {
            Place::Object(object) => Ok(Self::Object(object)),
            Place::Path(path) => {
                NewFile::check(&path, overwrite, source.path().as_deref())?;
                Ok(Self::File { path, overwrite, secret })
            }
        }
    }

    fn create(&self) -> io::Result<Sink> {
        match self {
            Self::File { path, overwrite, secret } => {
                NewFile::create(path, *overwrite, *secret).map(|file| Sink::File(Box::new(file)))
            }
            Self::Memory => Ok(Sink::Memory(Vec::new())),
            Self::Object(object) => Ok(Sink::Object(Python::attach(|py| object.clone_ref(py)))),
        }
    }

    fn path(&self) -> Option<PathBuf> {
        match self {
            Self::File { path, .. } => Some(path.clone()),
            Self::Memory | Self::Object(_) => None,
        }
    }
}

/// Periodically looks for Ctrl-C and reports the progress; keeps the exception that ends the work.
struct Watch {
    progress: Option<Py<PyAny>>,
    total: Option<u64>,
    done: u64,
    last: Instant,
    exception: Option<PyErr>,
}

impl Watch {
    fn new(progress: Option<Py<PyAny>>, total: Option<u64>) -> Self {
        Self { progress, total, done: 0, last: Instant::now(), exception: None }
    }

    fn after(&mut self, done: u64) -> ControlFlow<()> {
        self.done = done;
        if self.last.elapsed() < PATIENCE {
            return ControlFlow::Continue(());
        }
        let answer = self.look();
        self.last = Instant::now();
        match answer {
            Ok(()) => ControlFlow::Continue(()),
            Err(exception) => {
                self.exception = Some(exception);
                ControlFlow::Break(())
            }
        }
    }

    fn look(&self) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            if let Some(progress) = &self.progress {
                progress.call1(py, (self.done, self.total))?;
            }
            Ok(())
        })
    }
}

/// The work in either direction.
struct Job<'a> {
    source: Source<'a>,
    target: Target,
    passphrase: Zeroizing<Vec<u8>>,
    progress: Option<Py<PyAny>>,
}

impl Job<'_> {
    /// Runs `work` without the GIL, from the source to a sink, and puts the result in place.
    fn run<F>(self, py: Python<'_>, work: F) -> PyResult<Vec<u8>>
    where
        F: FnOnce(Work<'_, '_>) -> Result<Sink, Error> + Send,
    {
        let Self { source, target, passphrase, progress } = self;
        let paths = (source.path(), target.path());
        let mut watch = Watch::new(progress, source.n_bytes());
        let done = py.detach(|| {
            let (passphrase, target) = (&passphrase[..], &target);
            work(Work { source, target, passphrase, watch: &mut watch })
        });
        if let Some(exception) = watch.exception.take() {
            return Err(exception);
        }
        let sink = done.map_err(|error| match error {
            Error::Read(error) => os_error(error, paths.0.as_deref()),
            Error::Write(error) => os_error(error, paths.1.as_deref()),
            Error::Spool(error) => os_error(error, None),
            other => message_error(other),
        })?;
        // The last moment to change one's mind: then the result takes its name.
        watch.look()?;
        py.detach(|| sink.finish()).map_err(|error| os_error(error, paths.1.as_deref()))
    }
}

/// One run of a job.
struct Work<'s, 'a> {
    source: Source<'s>,
    target: &'a Target,
    passphrase: &'a [u8],
    watch: &'a mut Watch,
}

fn encrypt(py: Python<'_>, job: Job<'_>, options: &Options) -> PyResult<Vec<u8>> {
    let settings = options.settings()?;
    job.run(py, |work| {
        let Work { source, target, passphrase, watch } = work;
        let encryption = Encryption::new(passphrase, settings)?;
        let n_bytes = source.n_bytes();
        let output = target.create().map_err(Error::Write)?;
        encryption.run(Watched::new(source, |done| watch.after(done)), n_bytes, output)
    })
}

fn decrypt(py: Python<'_>, job: Job<'_>, allowed: &Allowed) -> PyResult<Vec<u8>> {
    let options = allowed.options()?;
    job.run(py, |work| {
        let Work { source, target, passphrase, watch } = work;
        let input = Watched::new(source, |done| watch.after(done));
        let input = BufReader::with_capacity(BUFFER_BYTES, input);
        let message = Decryption::with(input, options)?;
        let key = message.session_key(passphrase)?;
        let mut output = target.create().map_err(Error::Write)?;
        message.run(key, &mut output)?;
        Ok(output)
    })
}

#[pyfunction]
pub fn encrypt_file(
    py: Python<'_>,
    src: Place,
    dst: Place,
    passphrase: Input,
    overwrite: bool,
    options: Options,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let source = Source::open(src)?;
    let target = Target::new(dst, overwrite, false, &source)?;
    let passphrase = Zeroizing::new(passphrase.bytes().to_vec());
    encrypt(py, Job { source, target, passphrase, progress }, &options).map(drop)
}

#[pyfunction]
pub fn decrypt_file(
    py: Python<'_>,
    src: Place,
    dst: Place,
    passphrase: Input,
    overwrite: bool,
    allowed: Allowed,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let source = Source::open(src)?;
    let target = Target::new(dst, overwrite, true, &source)?;
    let passphrase = Zeroizing::new(passphrase.bytes().to_vec());
    decrypt(py, Job { source, target, passphrase, progress }, &allowed).map(drop)
}

#[pyfunction]
pub fn encrypt_bytes(
    py: Python<'_>,
    data: Input,
    passphrase: Input,
    options: Options,
) -> PyResult<Bound<'_, PyBytes>> {
    let source = Source::Memory(data.bytes());
    let passphrase = Zeroizing::new(passphrase.bytes().to_vec());
    let job = Job { source, target: Target::Memory, passphrase, progress: None };
    encrypt(py, job, &options).map(|message| PyBytes::new(py, &message))
}

#[pyfunction]
pub fn decrypt_bytes(
    py: Python<'_>,
    message: Input,
    passphrase: Input,
    allowed: Allowed,
) -> PyResult<Bound<'_, PyBytes>> {
    let source = Source::Memory(message.bytes());
    let passphrase = Zeroizing::new(passphrase.bytes().to_vec());
    let job = Job { source, target: Target::Memory, passphrase, progress: None };
    decrypt(py, job, &allowed).map(|file| PyBytes::new(py, &file))
}

/// The exception for a failed read or write: `OSError` with its number and the path, as text like that of
/// Python's own `open`, or what a file object has raised.
pub fn os_error(error: io::Error, path: Option<&Path>) -> PyErr {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<PyErr>());
    if inner.is_some() {
        return PyErr::from(error);
    }
    let sentence = error.to_string();
    let path = path.map(|path| path.as_os_str().to_owned());
    match error.raw_os_error() {
        // The sentence ends with the number, which the exception shows itself.
        Some(number) => {
            let words = sentence.split(" (os error").next().unwrap_or_default().to_owned();
            // The last is the number of Windows; elsewhere Python passes over it.
            PyOSError::new_err((number, words, path, number))
        }
        None => PyOSError::new_err(sentence),
    }
}

/// The arguments that allow what a message asks for, each where the limit does not.
fn allow(asked: Limits, limits: Limits) -> String {
    let memory = (asked.memory > limits.memory).then(|| format!("max_memory={}", asked.memory));
    let seconds = asked.work.as_micros().div_ceil(1_000_000);
    let work = (asked.work > limits.work).then(|| format!("max_work={seconds}"));
    let arguments: Vec<_> = memory.into_iter().chain(work).collect();
    format!("if you trust the sender, decrypt with {}", arguments.join(", "))
}

/// The exception for what is wrong with a message, and what to do about it.
fn message_error(error: Error) -> PyErr {
    let hint = match error {
        Error::OverLimits { asked, limits } => Some(allow(asked, limits)),
        _ => error.hint().map(str::to_owned),
    };
    let sentence = hint.map_or_else(|| error.to_string(), |hint| format!("{error}; {hint}"));
    match error {
        Error::WrongPassphrase | Error::WrongOrAltered => WrongPassphraseError::new_err(sentence),
        Error::Empty
        | Error::NotOpenPgp(_)
        | Error::OtherArmor(_)
        | Error::Utf16
        | Error::TextBeforeArmor { .. }
        | Error::ArmorHeader { .. }
        | Error::Armor { .. }
        | Error::Truncated(_)
        | Error::TrailingData
        | Error::Malformed { .. }
        | Error::UnexpectedPacket { .. }
        | Error::Altered { .. }
        | Error::AlteredEnd => DamagedMessageError::new_err(sentence),
        Error::OutOfMemory(_) => PyMemoryError::new_err(sentence),
        Error::InputChanged | Error::Random(_) => PyOSError::new_err(sentence),
        _ => UnsupportedMessageError::new_err(sentence),
    }
}
