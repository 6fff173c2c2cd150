// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The statement about a kernel, for each length of a key and every number of blocks up to twice its lanes: its `set_key`,
//! and then its `encrypt_blocks` or `decrypt_blocks`, with every key and all blocks, write the blocks that the paper of
//! Twofish or the standard of DES defines; in place, too. They read and write nothing but their arguments, constants and
//! the stack, keep to the calling convention, and no branch depends on a secret. In a kernel that says that it is
//! constant-time no address does. In the others of Twofish the same holds of `set_key_ct`, which writes the same expanded
//! key with the help of each kernel that can give it.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::algebra::{Algebra, Byte, UNKNOWN};
use crate::des;
use crate::image::{Image, Processor};
use crate::machine::{self, Common, Machine, as_size};
use crate::memory::Memory;
use crate::spec::{Key, Keying, Spec};
use crate::study::{self, Compiled, SharedTables};
use crate::sums::Word;
use crate::system;
use crate::wasm;

/// Beyond the lowest address of buffers, as badly aligned as is allowed: any byte, and a multiple of four for an expanded
/// key.
const KEY: u64 = 0x1000_0001;
const EXPANDED: u64 = 0x2000_0004;
const OUT: u64 = 0x3000_0003;
const IN: u64 = 0x4000_0007;
/// Of Twofish.
const BLOCK_BYTES: usize = 16;
/// Bit slices take over from single blocks below this number.
const FEW_BLOCKS: usize = 10;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cipher {
    Twofish,
    Des,
}

/// A kernel as the library describes it: the common part (c/src/common/kernel.h), then that of its cipher, in
/// `mf_twofish_kernel` or `mf_des_kernel` (kernel.h in c/src/twofish and c/src/des).
pub struct Kernel {
    pub name: String,
    cipher: Cipher,
    lanes: usize,
    expanded_key_bytes: usize,
    /// Of DES, for one key.
    one_key_bytes: usize,
    constant_time: bool,
    encrypt_blocks: u64,
    decrypt_blocks: u64,
    set_key: u64,
    /// 0: there is none.
    set_key_ct: u64,
    /// The help of other kernels for `set_key_ct`: their names and their `mf_twofish_setup`.
    setups: Vec<(&'static str, u64)>,
    /// It reads them.
    tables: Option<SharedTables>,
    /// It is compiled keying, and has functions of another shape.
    compiled: Option<Compiled>,
}

/// Kernels that set up table kernels without an address from the key.
const SETUP_KERNELS: [&str; 7] = [
    "avx512",
    "avx2-gfni",
    "avx2",
    "ssse3",
    "neon",
    "simd128",
    BIT_SLICES,
];

/// Of these, the one that works on bit slices.
const BIT_SLICES: &str = "bitslice";

/// The fields of `mf_twofish_kernel`: each takes a word.
const FIELDS: [&str; 16] = [
    "name",
    "summary",
    "cpu_features",
    "expanded_key_bytes",
    "lanes",
    "constant_time",
    "shared_bytes",
    "check",
    "set_key_stack",
    "bulk_stack",
    "few_blocks",
    "encrypt_blocks",
    "decrypt_blocks",
    "setup",
    "set_key",
    "set_key_ct",
];

/// The place of a field of a kernel.
fn field_at(image: &Image, kernel: u64, name: &str) -> u64 {
    let number = FIELDS.iter().position(|field| *field == name);
    kernel + number.expect("a field") as u64 * image.word_bytes()
}

/// The place of its `mf_twofish_kernel`.
fn kernel_at(image: &Image, name: &str) -> Option<u64> {
    match image.processor {
        Processor::X86 | Processor::A64 => {
            image.symbol(&format!("mf_twofish_{}", name.replace('-', "_")))
        }
        Processor::Wasm => wasm::module::kernel_at(image, name),
    }
}

impl Kernel {
    /// One of DES has a name such as des/sp2k.
    pub fn find(image: &Image, name: &str) -> Option<Self> {
        if let Some((compiled, tables)) = Compiled::find(image, name) {
            return Self::compiled(image, name, compiled, tables);
        }
        if name.starts_with(des::PREFIX) {
            let at = des::kernel_at(image, name)?;
            // It stands where Twofish has another field.
            let one_key_bytes = as_size(image.word(field_at(image, at, "setup")));
            return Some(Self {
                one_key_bytes,
                ..Self::at(image, name, Cipher::Des, at)
            });
        }
        let at = kernel_at(image, name)?;
        let setup = |name| {
            let helper = kernel_at(image, name)?;
            Some((name, image.word(field_at(image, helper, "setup"))))
        };
        Some(Self {
            set_key_ct: image.word(field_at(image, at, "set_key_ct")),
            tables: SharedTables::find(image, image.word(field_at(image, at, "shared_bytes"))),
            setups: SETUP_KERNELS.into_iter().filter_map(setup).collect(),
            ..Self::at(image, name, Cipher::Twofish, at)
        })
    }

    /// The part that does not depend on the cipher.
    fn at(image: &Image, name: &str, cipher: Cipher, at: u64) -> Self {
        let word = |field| image.word(field_at(image, at, field));
        let size = |field| as_size(word(field));
        Self {
            name: name.into(),
            cipher,
            expanded_key_bytes: size("expanded_key_bytes"),
            one_key_bytes: 0,
            lanes: size("lanes"),
            constant_time: image.at(field_at(image, at, "constant_time"), 1)[0] != 0,
            encrypt_blocks: word("encrypt_blocks"),
            decrypt_blocks: word("decrypt_blocks"),
            set_key: word("set_key"),
            set_key_ct: 0,
            setups: Vec::new(),
            tables: None,
            compiled: None,
        }
    }

    /// The symbols that begin all code and constants of a proof; none: those of the whole library.
    pub fn symbols(&self) -> Vec<String> {
        let symbol = |name: &str| format!("mf_twofish_{}", name.replace('-', "_"));
        match self.cipher {
            _ if self.tables.is_some() || self.compiled.is_some() => Vec::new(),
            Cipher::Des => vec![des::symbol(&self.name)],
            Cipher::Twofish => {
                let helpers = self.setups.iter().map(|(name, _)| symbol(name));
                helpers.chain([symbol(&self.name)]).collect()
            }
        }
    }

    fn block_bytes(&self) -> usize {
        match self.cipher {
            Cipher::Twofish => BLOCK_BYTES,
            Cipher::Des => des::BLOCK_BYTES,
        }
    }

    /// The lengths of keys, in units of 8 bytes.
    pub fn key_lengths(&self) -> Vec<usize> {
        let longest = self.tables.as_ref().map_or(4, SharedTables::max_k);
        match self.cipher {
            Cipher::Twofish => (2..=longest).collect(),
            Cipher::Des => vec![1, 3],
        }
    }

    pub fn key_text(&self, length: usize) -> String {
        match (self.cipher, length) {
            (Cipher::Twofish, _) => format!("keys of {} bits", 64 * length),
            (Cipher::Des, 1) => "1 key".into(),
            (Cipher::Des, _) => format!("{length} keys"),
        }
    }

    fn bytes_of_expanded_key(&self, key_length: usize) -> usize {
        match (self.cipher, key_length) {
            (Cipher::Des, 1) => self.one_key_bytes,
            _ => self.expanded_key_bytes,
        }
    }

    /// The numbers of blocks that it gets, and whether in place. All up to twice the lanes; for bit slices those where
    /// they change what they do, and their neighbours.
    fn runs(&self, key_length: usize) -> Vec<(usize, bool)> {
        let numbers: Vec<usize> = match self.cipher {
            Cipher::Des => return des::runs(self.lanes, key_length),
            Cipher::Twofish if self.works_on_bit_slices() => {
                let ends = [1, 2, 3, FEW_BLOCKS - 1, FEW_BLOCKS];
                let after = ends.map(|n| self.lanes + n);
                [ends.as_slice(), &[self.lanes - 1, self.lanes], &after].concat()
            }
            Cipher::Twofish => (1..=2 * self.lanes).collect(),
        };
        let both = |n| [(n, false), (n, true)];
        numbers.into_iter().flat_map(both).collect()
    }

    pub fn numbers_of_blocks(&self, key_length: usize) -> BTreeSet<usize> {
        self.runs(key_length).into_iter().map(|(n, _)| n).collect()
    }

    pub fn works_on_bit_slices(&self) -> bool {
        self.name.contains("bitslice")
    }

    /// With the S-boxes of `full`, and as many lanes.
    fn compiled(
        image: &Image,
        name: &str,
        compiled: Compiled,
        tables: Option<SharedTables>,
    ) -> Option<Self> {
        Some(Self {
            name: name.into(),
            encrypt_blocks: compiled.encrypt_blocks,
            decrypt_blocks: compiled.decrypt_blocks,
            set_key_ct: 0,
            tables,
            compiled: Some(compiled),
            ..Self::find(image, "full")?
        })
    }

    /// The parts of the S-boxes in its tables. Several: its layouts differ in that.
    fn keyings(&self, k: usize) -> Vec<Keying> {
        match self.name.as_str() {
            "zero" | "bitslice" | "full-huge" => vec![Keying::Zero],
            "minimal" => vec![Keying::Without(2)],
            "partial" | "partial-big" => vec![Keying::Without(1)],
            "avx2-gfni" if k == 2 => vec![Keying::Without(0), Keying::Zero],
            _ => vec![Keying::Without(0)],
        }
    }
}

#[derive(Default)]
pub struct Proved {
    pub instructions: u64,
    /// Places in the code whose address depends on the key, and on the blocks.
    pub key_look_ups: usize,
    pub block_look_ups: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Encrypt,
    Decrypt,
}

impl Direction {
    pub fn other(self) -> Self {
        match self {
            Self::Encrypt => Self::Decrypt,
            Self::Decrypt => Self::Encrypt,
        }
    }
}

pub const DIRECTIONS: [Direction; 2] = [Direction::Encrypt, Direction::Decrypt];

/// Proves it for keys of 8k bytes.
pub fn prove(image: &Image, kernel: &Kernel, k: usize) -> Result<Proved, String> {
    Session::new(image, kernel, k, Algebra::new_byte).prove()
}

/// A key, blocks, and the blocks that the paper makes of them, with which code is compared.
pub struct Session<'a> {
    pub machine: Box<dyn Machine<'a> + 'a>,
    /// The lowest address of buffers.
    buffers: u64,
    kernel: &'a Kernel,
    key: Vec<Byte>,
    /// For compiled keying, whose objects take one key after the other.
    other_key: Vec<Byte>,
    blocks: Vec<Vec<Byte>>,
    /// Where the expanded key is, or the object that has it.
    expanded_at: u64,
    /// The code and the constants that the first building of shared tables read.
    pub tables_come_from: FxHashSet<u64>,
    wanted: Wanted,
}

/// The blocks that the specification wants: for each direction and block, as often as there are [`Keying`]s.
pub type Wanted = [Vec<Vec<Vec<Byte>>>; 2];

impl<'a> Session<'a> {
    /// `symbol` makes each byte of the key and the blocks.
    pub fn new(
        image: &'a Image,
        kernel: &'a Kernel,
        k: usize,
        mut symbol: impl FnMut(&mut Algebra) -> Byte,
    ) -> Self {
        let mut machine = machine::new(image);
        machine.algebra.bit_slices = kernel.works_on_bit_slices();
        if kernel.cipher == Cipher::Des {
            machine.algebra.gate_forms = des::S_BOX_INPUTS;
        }
        let mut symbols =
            |n: usize| -> Vec<Byte> { (0..n).map(|_| symbol(&mut machine.algebra)).collect() };
        let free = symbols(8 * k);
        let other_key = symbols(if kernel.compiled.is_some() { 8 * k } else { 0 });
        let n_blocks = kernel.numbers_of_blocks(k).last().copied();
        let blocks: Vec<_> = (0..n_blocks.expect("some"))
            .map(|_| symbols(kernel.block_bytes()))
            .collect();
        let (key, wanted) = match kernel.cipher {
            Cipher::Twofish => twofish(&mut machine, &kernel.keyings(k), &free, &blocks),
            Cipher::Des => {
                let wanted = des::wanted(&mut machine.algebra, &free, &blocks);
                (free, wanted)
            }
        };
        Self {
            machine,
            buffers: image.processor.buffers(),
            kernel,
            key,
            other_key,
            blocks,
            expanded_at: image.processor.buffers() + EXPANDED,
            tables_come_from: FxHashSet::default(),
            wanted,
        }
    }

    /// Runs all functions of the kernel on all numbers of blocks.
    pub fn prove(&mut self) -> Result<Proved, String> {
        self.machine.load_image();
        system::start(&mut self.machine);
        if let Some(tables) = &self.kernel.tables {
            tables.build(&mut *self.machine)?;
            if self.tables_come_from.is_empty() {
                self.tables_come_from = study::places_so_far(&*self.machine);
            }
        }
        self.prove_with_tables()
    }

    /// The same after a change of the image. If the shared tables do not come from what changed, they stay.
    pub fn prove_changed(&mut self, at: u64) -> Result<Proved, String> {
        if self.kernel.tables.is_none() || self.tables_come_from.contains(&at) {
            return self.prove();
        }
        let own = self.machine.memory.bytes(study::OWN_MEMORY).to_vec();
        self.machine.load_image();
        self.machine.memory.refill(study::OWN_MEMORY, own);
        self.prove_with_tables()
    }

    fn prove_with_tables(&mut self) -> Result<Proved, String> {
        self.machine.look_ups.clear();
        let (expanded, key_look_ups) = if let Some(compiled) = &self.kernel.compiled {
            self.compile(compiled)
        } else {
            self.expand(self.kernel.set_key, 0)
        }
        .map_err(|error| format!("set_key: {error}"))?;
        let instructions = self.machine.steps;
        if self.kernel.cipher == Cipher::Des {
            des::check_expanded_key(&expanded, self.key.len() / 8)?;
        }
        if self.kernel.set_key_ct != 0 {
            self.prove_set_key_ct(&expanded)?;
        }
        let memory = &mut self.machine.memory;
        memory.put("the expanded key", self.buffers + EXPANDED, expanded, false);
        memory.put("the key", self.buffers + KEY, Vec::new(), false);

        let mut proved = Proved {
            instructions,
            key_look_ups,
            block_look_ups: 0,
        };
        for direction in DIRECTIONS {
            for (n, in_place) in self.kernel.runs(self.key.len() / 8) {
                let place = if in_place { " in place" } else { "" };
                self.prove_blocks(direction, n, in_place)
                    .map_err(|error| format!("{direction:?} {n} blocks{place}: {error}"))?;
                proved.instructions += self.machine.steps;
            }
        }
        if let Some(compiled) = &self.kernel.compiled {
            compiled.free(&mut *self.machine, self.expanded_at)?;
        }
        proved.block_look_ups = count(std::mem::take(&mut self.machine.look_ups));
        if self.kernel.constant_time && proved.key_look_ups + proved.block_look_ups > 0 {
            return Err(
                "an address depends on a secret, and the kernel says that none does".into(),
            );
        }
        Ok(proved)
    }

    /// The expanded key, and at how many places an address depended on the key.
    fn expand(&mut self, function: u64, setup: u64) -> Result<(Vec<Byte>, usize), String> {
        let k = self.key.len() / 8;
        let expanded = Memory::unknown(self.kernel.bytes_of_expanded_key(k));
        let memory = &mut self.machine.memory;
        let (key_at, expanded_at) = (self.buffers + KEY, self.buffers + EXPANDED);
        memory.put("the key", key_at, self.key.clone(), false);
        memory.put("the expanded key", expanded_at, expanded, true);
        let arguments = [expanded_at, key_at, k as u64, setup];
        self.machine.call(function, &arguments)?;
        let look_ups = count(std::mem::take(&mut self.machine.look_ups));
        let expanded = self.machine.memory.bytes("the expanded key").to_vec();
        let algebra = &mut self.machine.algebra;
        let settled = expanded.into_iter().map(|byte| algebra.settle(byte));
        Ok((settled.collect(), look_ups))
    }

    /// Makes an object of compiled keying. There is no expanded key then.
    fn compile(&mut self, compiled: &Compiled) -> Result<(Vec<Byte>, usize), String> {
        let memory = &mut self.machine.memory;
        let key = self.buffers + KEY;
        memory.put("the key", key, self.key.clone(), false);
        let other_key = self.other_key.clone();
        self.expanded_at = compiled.new_with_key(&mut *self.machine, key, other_key)?;
        let look_ups = count(std::mem::take(&mut self.machine.look_ups));
        if compiled.hides_key() && look_ups > 0 {
            return Err("an address depends on the key".into());
        }
        Ok((Vec::new(), look_ups))
    }

    /// With the help of each kernel that can give it, it writes what `set_key` writes, without an address from the key.
    fn prove_set_key_ct(&mut self, wanted: &[Byte]) -> Result<(), String> {
        if self.kernel.setups.is_empty() {
            return Err("set_key_ct: the library has no kernel that helps it".into());
        }
        for (name, setup) in self.kernel.setups.clone() {
            self.machine.algebra.bit_slices = name == BIT_SLICES;
            let expanded = self.expand(self.kernel.set_key_ct, setup);
            self.machine.algebra.bit_slices = false;
            let (expanded, look_ups) =
                expanded.map_err(|error| format!("set_key_ct by {name}: {error}"))?;
            if expanded != wanted || look_ups > 0 {
                return Err(format!("set_key_ct by {name} differs, or has look-ups"));
            }
        }
        Ok(())
    }

    fn prove_blocks(
        &mut self,
        direction: Direction,
        n: usize,
        in_place: bool,
    ) -> Result<(), String> {
        let memory = &mut self.machine.memory;
        let block_bytes = self.kernel.block_bytes();
        let output = if in_place { 0 } else { n * block_bytes };
        let (in_at, out_at) = (self.buffers + IN, self.buffers + OUT);
        memory.put("the input", in_at, self.blocks[..n].concat(), in_place);
        memory.put("the output", out_at, Memory::unknown(output), true);
        let (out, name) = if in_place {
            (in_at, "the input")
        } else {
            (out_at, "the output")
        };
        let function = match direction {
            Direction::Encrypt => self.kernel.encrypt_blocks,
            Direction::Decrypt => self.kernel.decrypt_blocks,
        };
        let arguments = [self.expanded_at, out, in_at, n as u64];
        if self.kernel.compiled.is_some() {
            study::call(&mut *self.machine, function, &arguments)?;
        } else {
            self.machine.call(function, &arguments)?;
        }
        let found = self.machine.memory.bytes(name).to_vec();
        let wanted = &self.wanted[direction as usize];
        for (i, (found, wanted)) in found.chunks_exact(block_bytes).zip(wanted).enumerate() {
            let found: Vec<Byte> = found
                .iter()
                .map(|&byte| self.machine.algebra.settle(byte))
                .collect();
            if found.contains(&UNKNOWN) || !wanted.contains(&found) {
                return Err(format!("block {i} is not that of the specification"));
            }
        }
        Ok(())
    }
}

/// A key, and what the paper makes of blocks.
fn twofish(
    common: &mut Common,
    keyings: &[Keying],
    free: &[Byte],
    blocks: &[Vec<Byte>],
) -> (Vec<Byte>, Wanted) {
    let mut spec = Spec::new(&mut common.algebra, &mut common.sums);
    // Free bytes of S rather than of the key make shorter forms.
    let group = |free: &[Byte]| {
        let word = |from: usize| std::array::from_fn(|i| free[from + i]);
        spec.key_bytes(word(0), word(4))
    };
    let key: Vec<Byte> = free.chunks_exact(8).flat_map(group).collect();
    let keys: Vec<Key> = keyings
        .iter()
        .map(|&keying| spec.key(&key, keying))
        .collect();
    if spec.algebra.bit_slices {
        // Lanes without a block work on zeros: their carries are to be known, too.
        for direction in DIRECTIONS {
            specified(&mut spec, direction, &[0; BLOCK_BYTES], &keys[0]);
        }
    }
    let wanted = DIRECTIONS.map(|direction| {
        let specified = |block: &Vec<Byte>| {
            keys.iter()
                .map(|key| specified(&mut spec, direction, block, key))
                .collect()
        };
        blocks.iter().map(specified).collect()
    });
    (key, wanted)
}

fn specified(spec: &mut Spec, direction: Direction, block: &[Byte], key: &Key) -> Vec<Byte> {
    let words: [Word; 4] = std::array::from_fn(|i| std::array::from_fn(|j| block[4 * i + j]));
    let result = match direction {
        Direction::Encrypt => spec.encrypt(words, key),
        Direction::Decrypt => spec.decrypt(words, key),
    };
    result
        .concat()
        .into_iter()
        .map(|byte| spec.algebra.settle(byte))
        .collect()
}

fn count(mut places: Vec<u64>) -> usize {
    places.sort_unstable();
    places.dedup();
    places.len()
}
