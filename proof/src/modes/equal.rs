// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The comparison of tags, `mf_equal`: 1 if no bit of the two strings differs, else 0.

use crate::algebra::{Byte, Op};
use crate::machine::Machine;

use super::Setting;
use super::bench::{AAD, IN, Result};
use super::pieces::same;

pub fn prove(setting: &Setting) -> Result<()> {
    let mut bench = setting.bench(16);
    let function = bench.symbol("mf_equal")?;
    let (a, b) = (bench.symbols(setting.bytes), bench.symbols(setting.bytes));
    for n in 0..=setting.bytes {
        bench.put("a", IN, a[..n].to_vec(), false);
        bench.put("b", AAD, b[..n].to_vec(), false);
        bench.run(function, &[IN, AAD, n as u64])?;
        let found = bench.machine.result()[0];
        let algebra = &mut bench.machine.algebra;
        let mut difference = 0;
        for (&a, &b) in a[..n].iter().zip(&b) {
            let each = algebra.op(Op::Xor, a, b);
            difference = algebra.op(Op::Or, difference, each);
        }
        let is_zero = |at: &[Byte]| vec![Byte::from(at[0] == 0)];
        let wanted = algebra.map_points(&[difference], is_zero).expect("a byte")[0];
        let [found, wanted] = [found, wanted].map(|byte| algebra.settle(byte));
        same(&[found], &[wanted], "the verdict").map_err(|error| format!("{n} bytes: {error}"))?;
    }
    setting.done(&bench)
}
