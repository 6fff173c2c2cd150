// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What the choice of a kernel needs to know: set-up, and calls of one to many blocks.

use std::fmt::Write;
use std::time::Duration;

use manyfish::{BLOCK_BYTES, COST_CALL_BLOCKS, Error, KernelInfo, Twofish};

use super::rows::key;
use super::stopwatch::{cost, race};

/// Time for one figure in one pass. Several passes of everything find figures that another program did not
/// disturb for longer than that.
const BUDGET: Duration = Duration::from_millis(5);
pub const PASSES: usize = 4;

/// One kernel with one key size: a row of a table of costs.
pub struct Cost {
    kernel: &'static str,
    key_bits: usize,
    set_up: f64,
    calls: Vec<f64>,
}

impl Cost {
    /// Keeps the smaller one of each figure.
    pub fn merge(&mut self, other: &Self) {
        self.set_up = self.set_up.min(other.set_up);
        for (call, found) in self.calls.iter_mut().zip(&other.calls) {
            *call = call.min(*found);
        }
    }
}

/// Measures a kernel.
pub fn measure(kernel: &KernelInfo, key_bits: usize) -> Result<Cost, Error> {
    let mut cipher = Twofish::with_kernel(kernel.name, &key(key_bits))?;
    let mut messages: Vec<Vec<u8>> =
        COST_CALL_BLOCKS.iter().map(|blocks| vec![0; *blocks as usize * BLOCK_BYTES]).collect();
    let calls = race(BUDGET, &mut messages, |message| {
        cipher.encrypt_blocks(message).expect("whole blocks");
    });
    let mut key = key(key_bits);
    let set_up = cost(BUDGET, || {
        key[0] = key[0].wrapping_add(1);
        cipher.set_key(&key).expect("the length is right");
    });
    let calls = calls.iter().map(|figure| figure.minimum).collect();
    Ok(Cost { kernel: kernel.name, key_bits, set_up, calls })
}

/// The rows as the library reads them.
pub fn table(costs: &[Cost]) -> String {
    let mut text = "kernel,key_bits,set_up,quiet_set_up".to_owned();
    for blocks in COST_CALL_BLOCKS {
        let _ = write!(text, ",{blocks}");
    }
    text.push('\n');
    for cost in costs {
        let _ = write!(text, "{},{},{},", cost.kernel, cost.key_bits, whole(cost.set_up));
        for call in &cost.calls {
            let _ = write!(text, ",{}", whole(*call));
        }
        text.push('\n');
    }
    text
}

/// No figure is 0, which means unknown.
fn whole(figure: f64) -> String {
    format!("{:.0}", figure.clamp(1.0, f64::from(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_figure_stays() {
        let cost = |set_up, calls: &[f64]| Cost {
            kernel: "full",
            key_bits: 128,
            set_up,
            calls: calls.to_vec(),
        };
        let mut merged = cost(5.0, &[1.0, 7.0]);
        merged.merge(&cost(4.0, &[2.0, 6.0]));
        assert_eq!((merged.set_up, merged.calls), (4.0, vec![1.0, 6.0]));
    }

    #[test]
    fn what_is_measured_is_a_table() {
        let zero = manyfish::kernels().find(|kernel| kernel.name == "zero").unwrap();
        let text = table(&[measure(&zero, 128).unwrap(), measure(&zero, 256).unwrap()]);
        let costs: manyfish::Costs = text.parse().expect("a table");
        assert_eq!(costs.to_string(), text);
    }
}
