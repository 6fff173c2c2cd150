// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The statement about a mode: over any block cipher, with any key, the functions of the library write what the
//! definition of the mode says, for all messages of each length, in any pieces. They read and write nothing but their
//! arguments, constants and the stack, keep to the calling convention, and neither a branch nor an address depends on a
//! secret, except for the verdict on a tag.

mod aead;
mod bench;
mod cbc;
mod ccm;
mod cfb;
mod cmac;
mod ctr;
mod cts;
mod eax;
mod equal;
mod gcm;
mod ghash;
mod many;
mod ocb;
mod oracle;
mod pieces;
mod siv;
mod xts;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::algebra::{Algebra, Byte};
use crate::image::{Image, Processor};
use crate::machine::Machine;

use bench::{Bench, Result};
use oracle::{Bytes, Fresh};

pub struct Mode {
    pub name: &'static str,
    /// For the line that says that it is proved.
    pub statement: &'static str,
    pub prove: fn(&Setting) -> Result<()>,
}

const MODES: [Mode; 25] = [
    Mode {
        name: "ecb",
        statement: "both directions, blocks of 16 and 8 bytes, to 65 bytes and 9 longer",
        prove: cbc::prove_ecb,
    },
    Mode {
        name: "cbc",
        statement: "both directions, blocks of 16 and 8 bytes, any pieces to 65 bytes, 9 longer; right paddings",
        prove: cbc::prove,
    },
    Mode {
        name: "ctr",
        statement: "blocks of 16 and 8 bytes, counters of 32 bits and a block, any pieces to four blocks, some longer",
        prove: ctr::prove,
    },
    Mode {
        name: "xts",
        statement: "both directions, units from 16 bytes to 65 and 14 longer, sectors",
        prove: xts::prove,
    },
    Mode {
        name: "cmac",
        statement: "blocks of 16 and 8 bytes, any pieces to four blocks, 9 longer",
        prove: cmac::prove,
    },
    Mode {
        name: "ocb",
        statement: "both directions, any pieces of text and associated data to 65 bytes, 9 longer, all nonce lengths",
        prove: ocb::prove,
    },
    Mode {
        name: "gcm",
        statement: "both directions over any GHASH, any pieces of text and associated data to 65 bytes, 9 longer",
        prove: gcm::prove,
    },
    Mode {
        name: "ghash",
        statement: "portable, pclmul, vpclmul and vpclmul512, to two groups of blocks",
        prove: ghash::prove,
    },
    Mode {
        name: "equal",
        statement: "any two strings to 65 bytes",
        prove: equal::prove,
    },
    Mode {
        name: "eax",
        statement: "both directions, blocks of 16 and 8 bytes, any pieces to four blocks, some longer",
        prove: eax::prove,
    },
    Mode {
        name: "siv",
        statement: "both directions, none to three strings of associated data and a nonce, to 65 bytes and 9 longer",
        prove: siv::prove,
    },
    Mode {
        name: "ccm",
        statement: "both directions, all nonce lengths, to 65 bytes and 9 longer; any pieces for five pairs of lengths",
        prove: ccm::prove,
    },
    Mode {
        name: "cfb",
        statement: "both directions, blocks of 16 and 8 bytes, segments of 1, 8 and all bits, any pieces, some longer",
        prove: cfb::prove,
    },
    Mode {
        name: "ofb",
        statement: "blocks of 16 and 8 bytes, any pieces to four blocks, 9 longer",
        prove: cfb::prove_ofb,
    },
    Mode {
        name: "cts",
        statement: "both directions, three variants, blocks of 16 and 8 bytes, to 65 bytes and 9 longer",
        prove: cts::prove,
    },
    Mode {
        name: "cbc-many",
        statement: "both directions, blocks of 16 and 8 bytes",
        prove: many::prove_cbc,
    },
    Mode {
        name: "cfb-many",
        statement: "both directions, blocks of 16 and 8 bytes",
        prove: many::prove_cfb,
    },
    Mode {
        name: "ofb-many",
        statement: "blocks of 16 and 8 bytes",
        prove: many::prove_ofb,
    },
    Mode {
        name: "ctr-many",
        statement: "blocks of 16 and 8 bytes, counters of 32 bits and a block",
        prove: many::prove_ctr,
    },
    Mode {
        name: "cmac-many",
        statement: "blocks of 16 and 8 bytes",
        prove: many::prove_cmac,
    },
    Mode {
        name: "ocb-many",
        statement: "both directions",
        prove: many::prove_ocb,
    },
    Mode {
        name: "gcm-many",
        statement: "both directions over any GHASH",
        prove: many::prove_gcm,
    },
    Mode {
        name: "eax-many",
        statement: "both directions, blocks of 16 and 8 bytes",
        prove: many::prove_eax,
    },
    Mode {
        name: "ccm-many",
        statement: "both directions",
        prove: many::prove_ccm,
    },
    Mode {
        name: "siv-many",
        statement: "both directions, a string of associated data and a nonce",
        prove: many::prove_siv,
    },
];

/// The end of the name of a mode's functions for many messages.
const MANY: &str = "-many";

/// The modes of these names, or all.
pub fn named(image: &Image, names: &[&str]) -> Result<Vec<&'static Mode>> {
    if image.processor != Processor::X86 {
        return Err("the modes are proved of code for x86-64 alone".into());
    }
    if names.is_empty() {
        return Ok(MODES.iter().collect());
    }
    let find = |name: &&str| {
        let mode = MODES.iter().find(|mode| mode.name == *name);
        mode.ok_or_else(|| format!("there is no mode {name}"))
    };
    names.iter().map(find).collect()
}

impl Mode {
    /// Whether a symbol is a function of it, or constants that have one; a proof calls no others.
    pub fn has(&self, symbol: &str) -> bool {
        let of_many = self.name.strip_suffix(MANY);
        let rest = symbol.strip_prefix("mf_");
        let rest = rest.and_then(|rest| rest.strip_prefix(of_many.unwrap_or(self.name)));
        let is_for_many = symbol.ends_with("_many");
        let is_here = of_many.is_some() == is_for_many || symbol.ends_with("_init");
        is_here && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    }
}

/// How much of a statement is proved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    All,
    /// Enough that most of the code runs: planted faults are many.
    Little,
}

/// Lengths beyond those of which all are tried: around the loops of the modes, and their pieces of 4096 bytes.
const LONG: [usize; 9] = [128, 145, 257, 272, 4095, 4096, 4097, 4130, 8225];

/// The settings of a proof of a mode.
pub struct Setting<'a> {
    image: &'a Image,
    mode: &'static Mode,
    fresh: Fresh,
    scope: Scope,
    /// All lengths up to this one are tried: four blocks of 16 bytes and a bit.
    bytes: usize,
    calls: Cell<u64>,
    instructions: Cell<u64>,
    seen: Option<RefCell<Seen>>,
}

/// The code that ran, and the constants that it read.
#[derive(Default)]
pub struct Seen {
    pub code: BTreeSet<(u64, usize)>,
    pub data: BTreeSet<u64>,
}

impl<'a> Setting<'a> {
    pub fn new(
        image: &'a Image,
        mode: &'static Mode,
        scope: Scope,
        fresh: impl FnMut(&mut Algebra) -> Byte + 'static,
    ) -> Self {
        Self {
            image,
            mode,
            fresh: Rc::new(RefCell::new(fresh)),
            scope,
            bytes: if scope == Scope::All { 65 } else { 37 },
            calls: Cell::default(),
            instructions: Cell::default(),
            seen: None,
        }
    }

    /// The same, which also keeps the code that runs.
    pub fn watching(mut self) -> Self {
        self.seen = Some(RefCell::default());
        self
    }

    /// The code that ran, if it was watched.
    pub fn seen(self) -> Seen {
        self.seen.map(RefCell::into_inner).unwrap_or_default()
    }

    fn bench(&self, block_bytes: usize) -> Bench<'a> {
        Bench::new(self.image, self.mode, &self.fresh, block_bytes)
    }

    /// Bytes of the blocks that a mode is tried with.
    fn blocks(&self) -> Vec<usize> {
        self.some(&[16, 8])
    }

    fn is_little(&self) -> bool {
        self.scope == Scope::Little
    }

    fn long_lengths(&self) -> impl Iterator<Item = usize> {
        LONG[..if self.scope == Scope::All {
            LONG.len()
        } else {
            3
        }]
            .iter()
            .copied()
    }

    fn lengths(&self) -> impl Iterator<Item = usize> {
        (0..=self.bytes).chain(self.long_lengths())
    }

    /// The longest message that is cut into pieces in all ways: four blocks and a bit.
    fn in_pieces(&self, block_bytes: usize) -> usize {
        self.bytes.min(4 * block_bytes + 1)
    }

    /// Where a counter of symbols counts: a block of 8 bytes is found from the first one of its piece, and after a second
    /// carry out of the last byte that sum is not known to be the one of the definition.
    fn longest_of(&self, block_bytes: usize) -> usize {
        self.long_lengths()
            .filter(|&n| block_bytes == 16 || n / block_bytes < 250)
            .max()
            .expect("one")
    }

    fn longest(&self) -> usize {
        self.long_lengths().last().expect("one")
    }

    /// All, or of them the first and the last.
    fn some<T: Copy>(&self, all: &[T]) -> Vec<T> {
        match self.scope {
            Scope::All => all.to_vec(),
            Scope::Little => vec![all[0], all[all.len() - 1]],
        }
    }

    pub fn counts(&self) -> String {
        let (calls, instructions) = (self.calls.get(), self.instructions.get());
        format!("{calls} calls, {instructions} instructions")
    }

    /// Counts what ran; no address may have depended on a secret.
    fn done(&self, bench: &Bench) -> Result<()> {
        self.calls.set(self.calls.get() + bench.calls);
        self.instructions
            .set(self.instructions.get() + bench.instructions);
        if let Some(seen) = &self.seen {
            let mut seen = seen.borrow_mut();
            seen.code.extend(bench.machine.places());
            seen.data.extend(bench.machine.memory.seen(".rodata"));
        }
        match bench.machine.look_ups.as_slice() {
            [] => Ok(()),
            [at, ..] => Err(format!("the address at {at:#x} depends on a secret")),
        }
    }
}

fn number(n: usize) -> Bytes {
    let bytes = (n as u64).to_le_bytes();
    bytes.map(Byte::from).to_vec()
}
