// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The machine code of a static library, linked at fixed addresses by the linker of the system.

use std::path::Path;
use std::process::Command;

use object::read::archive::ArchiveFile;
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionFlags, elf};
use rustc_hash::FxHashMap;

pub const MEMCPY: u64 = 0x1000;
pub const MEMMOVE: u64 = 0x1008;
pub const MEMSET: u64 = 0x1010;

/// The processors whose machine code the proof understands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Processor {
    X86,
    A64,
    Wasm,
}

/// Buffers lie beyond this, so that code fails which computes with the lower halves of addresses.
pub const HIGH: u64 = 0x5000_0000_0000;

impl Processor {
    /// Where buffers begin.
    pub fn buffers(self) -> u64 {
        match self {
            Self::X86 | Self::A64 => HIGH,
            Self::Wasm => 0, // its addresses have 32 bits
        }
    }

    /// Of an object file.
    fn of(data: &[u8]) -> Result<Self, String> {
        let file = object::File::parse(data).map_err(|error| error.to_string())?;
        match file.architecture() {
            Architecture::X86_64 => Ok(Self::X86),
            Architecture::Aarch64 => Ok(Self::A64),
            other => Err(format!("the proof does not know the processor {other:?}")),
        }
    }

    /// Of the first object file in an archive.
    fn of_archive(data: &[u8]) -> Result<Self, String> {
        let archive = ArchiveFile::parse(data).map_err(|error| error.to_string())?;
        let mut members = archive.members();
        let member = members.next().ok_or("the archive is empty")?;
        let member = member.and_then(|member| member.data(data));
        Self::of(member.map_err(|error| error.to_string())?)
    }

    fn linker(self) -> &'static str {
        match self {
            Self::X86 => "ld",
            Self::A64 => "aarch64-linux-gnu-ld",
            Self::Wasm => "wasm-ld",
        }
    }
}

/// Nothing of the library may be written to.
#[derive(Clone)]
pub struct Section {
    pub name: String,
    pub start: u64,
    pub bytes: Vec<u8>,
}

#[derive(Clone)]
pub struct Image {
    pub processor: Processor,
    pub sections: Vec<Section>,
    symbols: FxHashMap<String, u64>,
}

impl Image {
    pub fn new(processor: Processor, sections: Vec<Section>) -> Self {
        Self {
            processor,
            sections,
            symbols: FxHashMap::default(),
        }
    }

    /// The code of a library, or of a module of WebAssembly.
    pub fn open(path: &Path) -> Result<Self, String> {
        let of_file = |error: String| format!("{}: {error}", path.display());
        let file = std::fs::read(path).map_err(|error| of_file(error.to_string()))?;
        if file.starts_with(b"\0asm") {
            return crate::wasm::module::image(file);
        }
        let processor = Processor::of_archive(&file).map_err(of_file)?;
        Self::link(path, processor.linker())
    }

    fn link(archive: &Path, linker: &str) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("manyfish-proof-{}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let file = folder.join("image");
        let linked = Command::new(linker)
            .args([
                "-static",
                "--no-relax",
                "-e",
                "0",
                "--unresolved-symbols=ignore-all",
                "--whole-archive",
                "-o",
            ])
            .args([&file, archive])
            .args(
                [("memcpy", MEMCPY), ("memmove", MEMMOVE), ("memset", MEMSET)]
                    .into_iter()
                    .chain(crate::system::functions())
                    .map(|(name, at)| format!("--defsym={name}={at:#x}")),
            )
            .output()
            .map_err(|error| format!("{linker} does not run: {error}"))?;
        let image = if linked.status.success() {
            std::fs::read(&file)
                .map_err(|error| error.to_string())
                .and_then(|data| Self::read(&data))
        } else {
            Err(format!(
                "{linker} cannot link {}: {}",
                archive.display(),
                String::from_utf8_lossy(&linked.stderr)
            ))
        };
        _ = std::fs::remove_dir_all(&folder);
        image
    }

    fn read(data: &[u8]) -> Result<Self, String> {
        let file = object::File::parse(data).map_err(|error| error.to_string())?;
        let mut sections = Vec::new();
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags } = section.flags() else {
                continue;
            };
            if sh_flags & u64::from(elf::SHF_ALLOC) == 0 || section.size() == 0 {
                continue;
            }
            let mut bytes = section.data().map_err(|error| error.to_string())?.to_vec();
            bytes.resize(usize::try_from(section.size()).expect("64 bits"), 0);
            let name = section
                .name()
                .map_err(|error| error.to_string())?
                .to_owned();
            sections.push(Section {
                name,
                start: section.address(),
                bytes,
            });
        }
        let symbols = file
            .symbols()
            .filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.address())))
            .collect();
        Ok(Self {
            processor: Processor::of(data)?,
            sections,
            symbols,
        })
    }

    pub fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols.get(name).copied()
    }

    /// The bytes of a pointer, and of a `size_t`.
    pub fn word_bytes(&self) -> u64 {
        match self.processor {
            Processor::X86 | Processor::A64 => 8,
            Processor::Wasm => 4,
        }
    }

    /// The pointer or `size_t` at an address.
    pub fn word(&self, address: u64) -> u64 {
        let bytes = self.at(address, self.word_bytes() as usize);
        bytes
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u64::from(byte))
    }

    /// # Panics
    /// If the image has no such bytes.
    pub fn at(&self, address: u64, n: usize) -> &[u8] {
        self.tail(address)
            .and_then(|tail| tail.get(..n))
            .expect("an address of the image")
    }

    /// Changes one bit.
    pub fn flip(&mut self, address: u64, bit: u32) {
        for section in &mut self.sections {
            let at = address
                .checked_sub(section.start)
                .and_then(|at| usize::try_from(at).ok());
            if let Some(byte) = at.and_then(|at| section.bytes.get_mut(at)) {
                *byte ^= 1 << bit;
            }
        }
    }

    /// The bytes from an address to the end of its section.
    pub fn tail(&self, address: u64) -> Option<&[u8]> {
        self.sections.iter().find_map(|section| {
            let at = usize::try_from(address.checked_sub(section.start)?).ok()?;
            section.bytes.get(at..).filter(|tail| !tail.is_empty())
        })
    }
}
