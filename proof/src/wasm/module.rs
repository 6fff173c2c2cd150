// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A module of WebAssembly, as clang and wasm-ld make it. The validator of `wasmparser` has checked it, so the interpreter
//! may rely on the types.

use std::rc::Rc;

use wasmparser::{
    ConstExpr, Data, DataKind, Element, ElementItems, ElementKind, FuncType, FunctionBody,
    Operator, Parser, Payload, Validator,
};

use super::{Value, as_value};
use crate::image::{Image, Processor, Section};
use crate::machine::{Result, number_bytes};

/// The address of the file in an image, beyond all that a program can address.
const FILE: u64 = 1 << 32;

/// Errors are the reader's, or sentences.
type Decoded<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[derive(Default)]
pub struct Module<'a> {
    pub types: Vec<FuncType>,
    pub functions: Vec<Rc<Function<'a>>>,
    pub table: Vec<Option<usize>>,
    pub globals: Vec<Global>,
    data: Vec<(u64, &'a [u8])>,
}

pub struct Global {
    pub is_variable: bool,
    pub value: Value,
}

pub struct Function<'a> {
    pub signature: FuncType,
    /// Those that are no parameters.
    pub n_locals: usize,
    pub code: Vec<Step<'a>>,
}

pub struct Step<'a> {
    /// Its place in the image.
    pub at: u64,
    pub bytes: usize,
    pub operator: Operator<'a>,
    /// For the beginning of a block: the step of its end.
    pub end: usize,
}

/// Constants and code. The constants are the first segment of data, in which the kernels are looked for; variables, in
/// the others, are left out, so that no code can read them.
pub fn image(file: Vec<u8>) -> Result<Image> {
    let module = Module::read(&file)?;
    let (&(start, bytes), others) = module.data.split_first().ok_or("the module has no data")?;
    let end = start + bytes.len() as u64;
    if others.iter().any(|&(other, _)| other < end) {
        return Err("the segments of data are not in order".into());
    }
    let constants = Section {
        name: ".rodata".into(),
        start,
        bytes: bytes.to_vec(),
    };
    let code = Section {
        name: "the file".into(),
        start: FILE,
        bytes: file,
    };
    Ok(Image::new(Processor::Wasm, vec![constants, code]))
}

/// The place of a kernel's description, since a module that ships has no symbols: the only one that points to its name,
/// and to which the list of kernels points.
pub fn kernel_at(image: &Image, name: &str) -> Option<u64> {
    let constants = &image.sections[0];
    let places = (constants.start..)
        .step_by(4)
        .take(constants.bytes.len() / 4);
    let wanted = [name.as_bytes(), &[0]].concat();
    let is_named = |place: &u64| {
        let text = image.tail(image.word(*place));
        text.is_some_and(|text| text.starts_with(&wanted))
    };
    let is_listed = |place: &u64| places.clone().any(|other| image.word(other) == *place);
    let mut found = places.clone().filter(is_named).filter(is_listed);
    found.next().filter(|_| found.next().is_none())
}

impl<'a> Module<'a> {
    pub fn of(image: &'a Image) -> Result<Self> {
        Self::read(image.tail(FILE).expect("the file"))
    }

    fn read(file: &'a [u8]) -> Result<Self> {
        Self::decode(file).map_err(|error| format!("the module: {error}"))
    }

    fn decode(file: &'a [u8]) -> Decoded<Self> {
        Validator::new().validate_all(file)?;
        let mut module = Self::default();
        let mut signatures = Vec::new().into_iter();
        for payload in Parser::new(0).parse_all(file) {
            match payload? {
                Payload::FunctionSection(section) => {
                    let types: wasmparser::Result<Vec<u32>> = section.into_iter().collect();
                    signatures = types?.into_iter();
                }
                Payload::CodeSectionEntry(body) => {
                    let signature = signatures.next().ok_or("a function without a type")?;
                    let function = function(&body, &module.types[as_index(signature)])?;
                    module.functions.push(Rc::new(function));
                }
                other => module.add(other)?,
            }
        }
        Ok(module)
    }

    /// A section that is not of code.
    fn add(&mut self, section: Payload<'a>) -> Decoded<()> {
        match section {
            Payload::TypeSection(section) => {
                let types: wasmparser::Result<_> = section.into_iter_err_on_gc_types().collect();
                self.types = types?;
            }
            Payload::MemorySection(section) => {
                let memories: wasmparser::Result<Vec<_>> = section.into_iter().collect();
                if memories?.iter().map(|memory| memory.memory64).ne([false]) {
                    return Err("it has other memories than one of 32 bits".into());
                }
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    let global = global?;
                    self.globals.push(Global {
                        is_variable: global.ty.mutable,
                        value: as_value(&number_bytes(constant(&global.init_expr)?)),
                    });
                }
            }
            Payload::ElementSection(section) => {
                for element in section {
                    self.add_element(&element?)?;
                }
            }
            Payload::DataSection(section) => {
                for data in section {
                    self.add_data(&data?)?;
                }
            }
            Payload::ImportSection(section) if section.count() > 0 => {
                return Err("it imports something".into());
            }
            Payload::StartSection { .. } => return Err("it runs something when it starts".into()),
            _ => {}
        }
        Ok(())
    }

    fn add_element(&mut self, element: &Element<'a>) -> Decoded<()> {
        let (
            ElementKind::Active {
                table_index: None | Some(0),
                offset_expr,
            },
            ElementItems::Functions(functions),
        ) = (&element.kind, &element.items)
        else {
            return Err("functions in a table of an unknown kind".into());
        };
        for (at, function) in (as_index(constant(offset_expr)?)..).zip(functions.clone()) {
            if self.table.len() <= at {
                self.table.resize(at + 1, None);
            }
            self.table[at] = Some(as_index(function?));
        }
        Ok(())
    }

    fn add_data(&mut self, data: &Data<'a>) -> Decoded<()> {
        let DataKind::Active { offset_expr, .. } = &data.kind else {
            return Err("data of an unknown kind".into());
        };
        self.data.push((constant(offset_expr)?, data.data));
        Ok(())
    }
}

/// The value of an expression that is a constant of 32 bits.
fn constant(expression: &ConstExpr) -> Decoded<u64> {
    let mut operators = expression.get_operators_reader();
    match (operators.read()?, operators.read()?) {
        (Operator::I32Const { value }, Operator::End) => Ok(value.cast_unsigned().into()),
        (other, _) => Err(format!("{other:?} where a constant should be").into()),
    }
}

fn function<'a>(body: &FunctionBody<'a>, signature: &FuncType) -> wasmparser::Result<Function<'a>> {
    let mut n_locals = 0;
    for local in body.get_locals_reader()? {
        n_locals += as_index(local?.0);
    }
    let mut code = Vec::new();
    let mut operators = body.get_operators_reader()?;
    while !operators.eof() {
        let (operator, at) = operators.read_with_offset()?;
        code.push(Step {
            at: FILE + at,
            bytes: as_index(operators.original_position() - at),
            operator,
            end: 0,
        });
    }
    join_blocks(&mut code);
    Ok(Function {
        signature: signature.clone(),
        n_locals,
        code,
    })
}

/// Tells the beginning of each block where it ends.
fn join_blocks(code: &mut [Step]) {
    let mut open = Vec::new();
    for i in 0..code.len() {
        match code[i].operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => open.push(i),
            // The last one ends the function.
            Operator::End => _ = open.pop().map(|start| code[start].end = i),
            _ => {}
        }
    }
}

pub fn as_index(number: impl TryInto<usize, Error: std::fmt::Debug>) -> usize {
    number.try_into().expect("64 bits")
}
