// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Runs WebAssembly on symbols. Branches and, unless it says so, addresses must be constants. Instructions of integers are
//! here, those of vectors in `vector.rs`.

pub mod module;
mod vector;

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use wasmparser::{BinaryReader, BlockType, MemArg, Operator as O, OperatorsReader, ValType};

use crate::algebra::{Byte, UNKNOWN};
use crate::image::Image;
use crate::integers::{Kind, Shift};
use crate::machine::{Common, Machine, Result, STACK_BYTES, number, number_bytes};
use crate::memory::Memory;
use module::{Function, Module, Step, as_index};

/// A value of any type. Of a type with fewer bytes the first ones count.
pub type Value = [Byte; 16];

/// More calls within calls than any kernel has.
const MAX_DEPTH: usize = 64;

pub struct Wasm<'a> {
    common: Common,
    image: &'a Image,
    module: Result<Rc<Module<'a>>>,
    /// Lengths by places.
    ran: FxHashMap<u64, usize>,
    stack: Vec<Value>,
    globals: Vec<Value>,
    depth: usize,
}

/// A call of a function.
struct Frame {
    locals: Vec<Value>,
    labels: Vec<Label>,
    next: usize,
}

/// A branch to it leaves this many values on a stack of this height.
struct Label {
    next: usize,
    is_loop: bool,
    height: usize,
    n_values: usize,
}

impl Deref for Wasm<'_> {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}

impl DerefMut for Wasm<'_> {
    fn deref_mut(&mut self) -> &mut Common {
        &mut self.common
    }
}

pub fn as_value(bytes: &[Byte]) -> Value {
    std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0))
}

impl<'a> Machine<'a> for Wasm<'a> {
    fn load_image(&mut self) {
        let constants = &self.image.sections[0];
        let bytes = Memory::constants(&constants.bytes);
        self.memory
            .put(&constants.name, constants.start, bytes, false);
    }

    fn replace_image(&mut self, image: &'a Image) {
        self.image = image;
        self.module = Module::of(image).map(Rc::new);
    }

    fn result(&self) -> [Byte; 8] {
        [UNKNOWN; 8] // a function with a result is not called
    }

    fn places(&self) -> Vec<(u64, usize)> {
        self.ran.iter().map(|(&at, &bytes)| (at, bytes)).collect()
    }

    /// `function` is its number in the table.
    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<()> {
        let module = self.module.clone()?;
        let (number, function) = (function, self.of_table(function)?);
        let (parameters, results) = (function.signature.params(), function.signature.results());
        let are_pointers = parameters
            .iter()
            .all(|parameter| *parameter == ValType::I32);
        if parameters.len() > arguments.len() || !are_pointers || !results.is_empty() {
            return Err("the function has another type".into());
        }
        let arguments = arguments[..parameters.len()].iter();
        self.stack = arguments
            .map(|&argument| as_value(&number_bytes(argument)))
            .collect();
        self.globals = module.globals.iter().map(|global| global.value).collect();
        let stack = lowest_of_stack(&module)?;
        self.common.put_stack(stack, number);
        self.steps = 0;
        self.depth = 0;
        let before = self.globals.clone();
        self.invoke(&function)?;
        if before == self.globals {
            Ok(())
        } else {
            Err("a global, such as the stack pointer, is not as it was before the call".into())
        }
    }
}

impl<'a> Wasm<'a> {
    pub fn new(image: &'a Image) -> Self {
        Self::with_module(image, Module::of(image).map(Rc::new))
    }

    pub fn with_module(image: &'a Image, module: Result<Rc<Module<'a>>>) -> Self {
        Self {
            common: Common::default(),
            image,
            module,
            ran: FxHashMap::default(),
            stack: Vec::new(),
            globals: Vec::new(),
            depth: 0,
        }
    }

    fn of_table(&self, index: u64) -> Result<Rc<Function<'a>>> {
        let module = self.module.as_ref().map_err(Clone::clone)?;
        let function = module.table.get(as_index(index)).copied().flatten();
        let function = function.ok_or("the table has no such function")?;
        Ok(Rc::clone(&module.functions[function]))
    }

    /// Calls a function with the arguments on the stack.
    fn invoke(&mut self, function: &Function<'a>) -> Result<()> {
        if self.depth == MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} calls within calls"));
        }
        self.depth += 1;
        let n_parameters = function.signature.params().len();
        let height = self.stack.len() - n_parameters;
        let mut locals = self.stack.split_off(height);
        locals.resize(n_parameters + function.n_locals, as_value(&[]));
        let whole = Label {
            next: function.code.len(),
            is_loop: false,
            height,
            n_values: function.signature.results().len(),
        };
        let mut frame = Frame {
            locals,
            labels: vec![whole],
            next: 0,
        };
        while let Some(step) = function.code.get(frame.next) {
            self.step(step, &mut frame)
                .map_err(|error| format!("{:#x}: {:?}: {error}", step.at, step.operator))?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn step(&mut self, step: &Step<'a>, frame: &mut Frame) -> Result<()> {
        self.steps += 1;
        if self.steps > self.max_steps {
            return Err(format!("no end after {} instructions", self.max_steps));
        }
        self.ran.insert(step.at, step.bytes);
        frame.next += 1;
        if self.control(step, frame)? || self.variable(&step.operator, frame) {
            return Ok(());
        }
        self.execute(&step.operator, step.at)
    }

    // --- control ---------------------------------------------------------------------------------------------------

    /// `false`: it is none of these.
    fn control(&mut self, step: &Step<'a>, frame: &mut Frame) -> Result<bool> {
        match &step.operator {
            O::Block {
                blockty: BlockType::Empty,
            } => self.enter(frame, step.end + 1, false),
            O::Loop {
                blockty: BlockType::Empty,
            } => self.enter(frame, frame.next, true),
            O::End => _ = frame.labels.pop(),
            O::Br { relative_depth } => self.branch(frame, *relative_depth),
            O::Return => self.branch(frame, u32::try_from(frame.labels.len() - 1).expect("few")),
            O::BrIf { relative_depth } => {
                if self.constant(4)? != 0 {
                    self.branch(frame, *relative_depth);
                }
            }
            O::BrTable { targets } => {
                let chosen = as_index(self.constant(4)?);
                let depth = targets.targets().nth(chosen).transpose();
                let depth = depth.map_err(|error| error.to_string())?;
                self.branch(frame, depth.unwrap_or(targets.default()));
            }
            O::Call { function_index } => {
                let module = self.module.clone()?;
                self.invoke(&module.functions[as_index(*function_index)])?;
            }
            O::CallIndirect { type_index, .. } => self.call_indirect(as_index(*type_index))?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn call_indirect(&mut self, wanted: usize) -> Result<()> {
        let index = self.constant(4)?;
        let function = self.of_table(index)?;
        if function.signature != self.module.as_ref().map_err(Clone::clone)?.types[wanted] {
            return Err("the function has another type".into());
        }
        self.invoke(&function)
    }

    fn enter(&self, frame: &mut Frame, next: usize, is_loop: bool) {
        frame.labels.push(Label {
            next,
            is_loop,
            height: self.stack.len(),
            n_values: 0,
        });
    }

    fn branch(&mut self, frame: &mut Frame, depth: u32) {
        let at = frame.labels.len() - 1 - as_index(depth);
        let label = &frame.labels[at];
        frame.next = label.next;
        let values = self.stack.split_off(self.stack.len() - label.n_values);
        self.stack.truncate(label.height);
        self.stack.extend(values);
        let stays = label.is_loop;
        frame.labels.truncate(at + usize::from(stays));
    }

    // --- values ----------------------------------------------------------------------------------------------------

    fn pop(&mut self) -> Value {
        self.stack.pop().expect("the module is valid")
    }

    fn push(&mut self, bytes: &[Byte]) {
        self.stack.push(as_value(bytes));
    }

    /// Takes an integer of n bytes that must be a constant.
    fn constant(&mut self, n: usize) -> Result<u64> {
        number(&self.pop()[..n]).ok_or_else(|| "it depends on a symbol".into())
    }

    /// `false`: it is none of these.
    fn variable(&mut self, operator: &O, frame: &mut Frame) -> bool {
        match *operator {
            O::Drop => _ = self.pop(),
            O::LocalGet { local_index } => self.stack.push(frame.locals[as_index(local_index)]),
            O::LocalSet { local_index } => frame.locals[as_index(local_index)] = self.pop(),
            O::LocalTee { local_index } => {
                frame.locals[as_index(local_index)] = *self.stack.last().expect("a valid module");
            }
            O::GlobalGet { global_index } => self.stack.push(self.globals[as_index(global_index)]),
            O::GlobalSet { global_index } => self.globals[as_index(global_index)] = self.pop(),
            _ => return false,
        }
        true
    }

    // --- memory ----------------------------------------------------------------------------------------------------

    /// n bytes at the address on the stack, which may depend on symbols.
    fn load(&mut self, at: u64, place: &MemArg, n: usize) -> Result<Vec<Byte>> {
        let base = self.pop();
        let address = |base: &[Byte]| Ok(number(base).expect("constant") + place.offset);
        if number(&base[..4]).is_some() {
            return Ok(self.memory.load(address(&base[..4])?, n)?.to_vec());
        }
        self.look_up(at, &base[..4], address, n)
    }

    fn store(&mut self, place: &MemArg, bytes: &[Byte]) -> Result<()> {
        let address = self.constant(4)? + place.offset;
        self.memory.store(address, bytes)
    }

    // --- instructions ----------------------------------------------------------------------------------------------

    /// The result of an instruction on these operands, if it has one.
    pub fn run_alone(&mut self, operator: &O, operands: &[Value]) -> Result<Value> {
        self.stack = operands.to_vec();
        self.execute(operator, 0)?;
        Ok(self.stack.pop().unwrap_or(as_value(&[])))
    }

    /// An instruction that changes nothing but the stack and the memory. `at` is its place.
    fn execute(&mut self, operator: &O, at: u64) -> Result<()> {
        if let Some((place, n)) = load_of(operator) {
            let bytes = self.load(at, &place, n)?;
            self.push(&bytes);
        } else if let O::I64Load8S { memarg } = *operator {
            let byte = self.load(at, &memarg, 1)?;
            let sign = self.sign(&byte);
            self.push(&[byte, vec![sign; 7]].concat());
        } else if let Some((place, n)) = store_of(operator) {
            let value = self.pop();
            self.store(&place, &value[..n])?;
        } else if let Some((n, kind)) = arithmetic_of(operator) {
            let (b, a) = (self.pop(), self.pop());
            let result = self.arithmetic(kind, &a[..n], &b[..n]);
            self.push(&result);
        } else if let Some((n, how)) = shift_of(operator) {
            let by = self.constant(n)? % (8 * n as u64);
            let value = self.pop();
            let result = self.shifted(&value[..n], how, as_index(by));
            self.push(&result);
        } else if let Some((n, holds)) = comparison_of(operator) {
            let (b, a) = (self.pop(), self.pop());
            self.compare(&a[..n], &b[..n], holds);
        } else {
            return self.other(operator, at);
        }
        Ok(())
    }

    /// 1 if it holds, else 0.
    fn compare(&mut self, a: &[Byte], b: &[Byte], holds: Comparison) {
        let at_point = |at: &[Byte]| {
            let [a, b] =
                [&at[..a.len()], &at[a.len()..]].map(|bytes| number(bytes).expect("constant"));
            Byte::from(holds(a, b))
        };
        let both = [a, b].concat();
        let result = if number(a).is_some() && number(b).is_some() {
            at_point(&both)
        } else {
            let values = self.algebra.map_points(&both, |at| vec![at_point(at)]);
            values.map_or(UNKNOWN, |values| values[0])
        };
        self.push(&[result]);
    }

    /// The first of two values, or where the condition is 0 the second.
    fn select(&mut self) -> Result<()> {
        let condition = self.constant(4)?;
        let second = self.pop();
        if condition == 0 {
            *self.stack.last_mut().expect("a valid module") = second;
        }
        Ok(())
    }

    fn other(&mut self, operator: &O, at: u64) -> Result<()> {
        match *operator {
            O::I32Const { value } => self.push(&number_bytes(value.cast_unsigned().into())),
            O::I64Const { value } => self.push(&number_bytes(value.cast_unsigned())),
            O::I32Eqz => {
                let value = self.pop();
                self.compare(&value[..4], &[0; 4], |a, b| a == b);
            }
            O::Select => self.select()?,
            O::I32WrapI64 => {
                let value = self.pop();
                self.push(&value[..4]);
            }
            O::I64ExtendI32U => {
                let value = self.pop();
                self.push(&value[..4]);
            }
            _ => return self.vector(operator, at),
        }
        Ok(())
    }
}

/// The stack in memory lies below the value of the only global that is a variable.
fn lowest_of_stack(module: &Module) -> Result<u64> {
    let mut variables = module.globals.iter().filter(|global| global.is_variable);
    let (Some(pointer), None) = (variables.next(), variables.next()) else {
        return Err("the module has other variables than a stack pointer".into());
    };
    let end = number(&pointer.value[..4]).expect("a constant");
    end.checked_sub(STACK_BYTES)
        .ok_or_else(|| "the stack is too small".into())
}

/// The place, and how many bytes are loaded.
fn load_of(operator: &O) -> Option<(MemArg, usize)> {
    Some(match *operator {
        O::I32Load8U { memarg } => (memarg, 1),
        O::I32Load { memarg } => (memarg, 4),
        O::I64Load { memarg } => (memarg, 8),
        O::I64Load8U { memarg } => (memarg, 1),
        O::I64Load32U { memarg } => (memarg, 4),
        O::V128Load { memarg } => (memarg, 16),
        _ => return None,
    })
}

/// The place, and how many bytes are stored.
fn store_of(operator: &O) -> Option<(MemArg, usize)> {
    Some(match *operator {
        O::I32Store8 { memarg } => (memarg, 1),
        O::I32Store { memarg } => (memarg, 4),
        O::I64Store { memarg } => (memarg, 8),
        O::I64Store8 { memarg } => (memarg, 1),
        O::I64Store32 { memarg } => (memarg, 4),
        O::V128Store { memarg } => (memarg, 16),
        _ => return None,
    })
}

fn arithmetic_of(operator: &O) -> Option<(usize, Kind)> {
    Some(match operator {
        O::I32Xor => (4, Kind::Xor),
        O::I32And => (4, Kind::And),
        O::I32Or => (4, Kind::Or),
        O::I32Add => (4, Kind::Add),
        O::I32Sub => (4, Kind::Sub),
        O::I32Mul => (4, Kind::Multiply),
        O::I64Xor => (8, Kind::Xor),
        O::I64And => (8, Kind::And),
        O::I64Or => (8, Kind::Or),
        O::I64Add => (8, Kind::Add),
        O::I64Sub => (8, Kind::Sub),
        O::I64Mul => (8, Kind::Multiply),
        _ => return None,
    })
}

fn shift_of(operator: &O) -> Option<(usize, Shift)> {
    Some(match operator {
        O::I32Shl => (4, Shift::Left),
        O::I32ShrU => (4, Shift::Right),
        O::I32ShrS => (4, Shift::RightSigned),
        O::I32Rotl => (4, Shift::RotateLeft),
        O::I64Shl => (8, Shift::Left),
        O::I64ShrU => (8, Shift::Right),
        O::I64ShrS => (8, Shift::RightSigned),
        O::I64Rotl => (8, Shift::RotateLeft),
        _ => return None,
    })
}

type Comparison = fn(u64, u64) -> bool;

fn comparison_of(operator: &O) -> Option<(usize, Comparison)> {
    Some(match operator {
        O::I32Eq => (4, |a, b| a == b),
        O::I32Ne => (4, |a, b| a != b),
        O::I32LtU => (4, |a, b| a < b),
        O::I32GtU => (4, |a, b| a > b),
        O::I32LeU => (4, |a, b| a <= b),
        O::I32GeU => (4, |a, b| a >= b),
        O::I64Ne => (8, |a, b| a != b),
        O::I64LtU => (8, |a, b| a < b),
        _ => return None,
    })
}

/// The place in memory that an instruction uses.
pub fn place_of(operator: &O) -> Option<MemArg> {
    let integer = load_of(operator).or_else(|| store_of(operator));
    match *operator {
        O::I64Load8S { memarg } => Some(memarg),
        _ => integer
            .map(|(place, _)| place)
            .or_else(|| vector::place_of(operator)),
    }
}

pub fn operator_at(image: &Image, at: u64) -> wasmparser::Result<O<'_>> {
    let reader = BinaryReader::new(image.tail(at).unwrap_or(&[]), 0);
    OperatorsReader::new(reader).read()
}

/// The instruction at a place as text.
pub fn text(image: &Image, at: u64) -> String {
    let operator = operator_at(image, at);
    operator.map_or_else(
        |error| error.to_string(),
        |operator| format!("{operator:?}"),
    )
}
