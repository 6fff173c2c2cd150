// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How much code and how many constants each kernel needs, counted in the compiled library: every function
// and every table is a section of its own there, and relocations say which of them uses which. Counted is
// what can be reached from key set-up, encryption and decryption, what is common to kernels too. Only ELF.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::{error, fs};

use object::read::archive::ArchiveFile;
use object::{
    BinaryFormat, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SectionKind,
};

/// A section: the number of its object file, and its own there.
type Place = (usize, SectionIndex);

/// The list of kernels; a kernel NAME-X is the object `mf_twofish_NAME_X`.
const LIST: &str = "mf_twofish_kernels";
const PREFIX: &str = "mf_twofish_";
/// Compiled keying is no kernel, and its template is code although it lies among the constants.
const COMPILED: [&str; 3] = [
    "mf_twofish_compiled_set_key",
    "mf_twofish_compiled_encrypt_blocks",
    "mf_twofish_compiled_decrypt_blocks",
];
const TEMPLATE: &str = ".rodata.mf_twofish_code";
/// Symbols that a set-up of compiled keying does not use: the list, which leads to the constant-time one; the
/// kernels of shared tables; and the template, which is counted apart.
const SET_UPS: [(&str, &[&str]); 4] = [
    ("compiled", &[LIST, "mf_twofish_full_big", "mf_twofish_full_huge", TEMPLATE_START]),
    ("compiled-two-views", &[LIST, "mf_twofish_full_big", "mf_twofish_full_huge", TEMPLATE_START]),
    ("compiled-big", &[LIST, "mf_twofish_full_huge", TEMPLATE_START]),
    ("compiled-huge", &[LIST, "mf_twofish_full_big", TEMPLATE_START]),
];
const TEMPLATE_START: &str = "mf_twofish_code_start";

/// Of one kernel: its name, bytes of code, bytes of constants.
pub struct Size {
    pub name: String,
    pub code: u64,
    pub constants: u64,
}

/// Counts all kernels of an archive, and compiled keying if it is there.
pub fn count(archive: &Path) -> Result<Vec<Size>, Box<dyn error::Error>> {
    let data = fs::read(archive)?;
    let members = ArchiveFile::parse(&*data)?.members().collect::<Result<Vec<_>, _>>()?;
    let files = members
        .iter()
        .map(|member| Ok(object::File::parse(member.data(&*data)?)?))
        .collect::<Result<Vec<_>, Box<dyn error::Error>>>()?;
    if files.iter().any(|file| file.format() != BinaryFormat::Elf) {
        return Err("not ELF".into());
    }
    let library = Library::of(files);
    let list = *library.symbols.get(LIST).ok_or("no list of kernels")?;
    let mut sizes = Vec::new();
    for name in library.names_used_by(list).iter().filter(|name| name.starts_with(PREFIX)) {
        sizes.push(library.size(&name[PREFIX.len()..].replace('_', "-"), &[name], &[]));
    }
    if let Some(template) = library.section_bytes(TEMPLATE) {
        for (name, without) in SET_UPS {
            let size = library.size(name, &COMPILED, without);
            sizes.push(Size { code: size.code + template, ..size });
        }
    }
    Ok(sizes)
}

struct Library<'a> {
    files: Vec<object::File<'a>>,
    /// Where each global name is defined.
    symbols: HashMap<String, Place>,
}

impl<'a> Library<'a> {
    fn of(files: Vec<object::File<'a>>) -> Self {
        let mut symbols = HashMap::new();
        for (number, file) in files.iter().enumerate() {
            let globals = file.symbols().filter(ObjectSymbol::is_global);
            for symbol in globals {
                if let (Some(section), Ok(name)) = (symbol.section_index(), symbol.name()) {
                    symbols.insert(name.to_owned(), (number, section));
                }
            }
        }
        Self { files, symbols }
    }

    fn section_bytes(&self, name: &str) -> Option<u64> {
        self.files.iter().find_map(|file| Some(file.section_by_name(name)?.size()))
    }

    /// The symbols that the relocations of a section name.
    fn targets(&self, (file, section): Place) -> impl Iterator<Item = object::Symbol<'a, '_>> {
        let section = self.files[file].section_by_index(section);
        let relocations = section.into_iter().flat_map(|section| section.relocations());
        relocations.filter_map(move |(_, relocation)| match relocation.target() {
            RelocationTarget::Symbol(index) => self.files[file].symbol_by_index(index).ok(),
            _ => None,
        })
    }

    fn names_used_by(&self, place: Place) -> Vec<&str> {
        self.targets(place).filter_map(|symbol| symbol.name().ok()).collect()
    }

    /// Where the sections lie that a section uses; what is not in the archive is left out.
    fn used_by(&self, place: Place) -> Vec<Place> {
        let found = |symbol: object::Symbol| {
            let here = symbol.section_index().map(|section| (place.0, section));
            here.or_else(|| self.symbols.get(symbol.name().ok()?).copied())
        };
        self.targets(place).filter_map(found).collect()
    }

    /// The code that the roots reach other than through the sections of some symbols.
    fn size(&self, name: &str, roots: &[&str], without: &[&str]) -> Size {
        let places = |names: &[&str]| -> Vec<Place> {
            names.iter().filter_map(|name| self.symbols.get(*name).copied()).collect()
        };
        let mut left = places(roots);
        let mut seen: HashSet<Place> = places(without).into_iter().collect();
        let (mut code, mut constants) = (0, 0);
        while let Some(place) = left.pop() {
            if !seen.insert(place) {
                continue;
            }
            let Ok(section) = self.files[place.0].section_by_index(place.1) else { continue };
            match section.kind() {
                SectionKind::Text => code += section.size(),
                SectionKind::ReadOnlyData => constants += section.size(),
                _ => (), // names of kernels, and the rows that lead to their functions
            }
            left.extend(self.used_by(place));
        }
        Size { name: name.to_owned(), code, constants }
    }
}
