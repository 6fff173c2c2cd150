// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The costs that `--expect` uses: set-ups, and calls of one to many blocks.

use std::fmt::Write;
use std::time::Duration;

use manyfish::{BLOCK_BYTES, COST_CALL_BLOCKS, Error, KernelInfo, Twofish};

use crate::rows::key;
use crate::stopwatch::{cost, race};

/// Time for one figure in one pass. Several passes of everything find figures that another program did not
/// disturb for longer than that.
const BUDGET: Duration = Duration::from_millis(5);
pub const PASSES: usize = 4;

/// One kernel with one key size: a row of a table of costs.
pub struct Cost {
    kernel: &'static str,
    key_bits: usize,
    set_up: f64,
    /// The constant-time one of a kernel that has another.
    ct_set_up: Option<f64>,
    calls: Vec<f64>,
}

impl Cost {
    /// Keeps the smaller one of each figure.
    pub fn merge(&mut self, other: &Self) {
        self.set_up = self.set_up.min(other.set_up);
        let ct = self.ct_set_up.zip(other.ct_set_up);
        self.ct_set_up = ct.map(|(one, two)| one.min(two));
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
    let ct = Twofish::with_constant_time_set_up(kernel.name, &key(key_bits));
    let ct = ct.ok().filter(|_| !kernel.constant_time);
    let set_up = set_up(&mut cipher, key_bits);
    let ct_set_up = ct.map(|mut cipher| self::set_up(&mut cipher, key_bits));
    let calls = calls.iter().map(|figure| figure.minimum).collect();
    Ok(Cost { kernel: kernel.name, key_bits, set_up, ct_set_up, calls })
}

/// Cycles of a set-up, without those that another key takes.
fn set_up(cipher: &mut Twofish, key_bits: usize) -> f64 {
    let mut keys = Keys::new(key_bits);
    let mut only_keys = Keys::new(key_bits);
    let all = cost(BUDGET, || cipher.set_key(keys.another()).expect("the length is right"));
    let of_keys = cost(BUDGET / 8, || {
        std::hint::black_box(only_keys.another());
    });
    all - of_keys
}

/// One key after the other, all bytes of which change: of large tables, each reads other rows.
pub struct Keys {
    key: Vec<u8>,
    state: u64,
}

impl Keys {
    pub fn new(key_bits: usize) -> Self {
        Self { key: key(key_bits), state: 1 }
    }

    /// By a linear congruential generator: its high bytes are good enough here.
    pub fn another(&mut self) -> &[u8] {
        for part in self.key.chunks_mut(4) {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            part.copy_from_slice(&self.state.to_be_bytes()[..part.len()]);
        }
        &self.key
    }
}

/// The rows as the library reads them.
pub fn table(costs: &[Cost]) -> String {
    let mut text = "kernel,key_bits,set_up,ct_set_up".to_owned();
    for blocks in COST_CALL_BLOCKS {
        let _ = write!(text, ",{blocks}");
    }
    text.push('\n');
    for cost in costs {
        let ct = cost.ct_set_up.map(whole).unwrap_or_default();
        let (kernel, key_bits) = (cost.kernel, cost.key_bits);
        let _ = write!(text, "{kernel},{key_bits},{},{ct}", whole(cost.set_up));
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
            ct_set_up: Some(10.0 - set_up),
            calls: calls.to_vec(),
        };
        let mut merged = cost(5.0, &[1.0, 7.0]);
        merged.merge(&cost(4.0, &[2.0, 6.0]));
        assert_eq!((merged.set_up, merged.ct_set_up), (4.0, Some(5.0)));
        assert_eq!(merged.calls, vec![1.0, 6.0]);
    }

    #[test]
    fn what_is_measured_is_a_table() {
        let zero = manyfish::kernels().find(|kernel| kernel.name == "zero").unwrap();
        let text = table(&[measure(&zero, 128).unwrap(), measure(&zero, 256).unwrap()]);
        let costs: manyfish::Costs = text.parse().expect("a table");
        assert_eq!(costs.to_string(), text);
        let ct = text.lines().nth(1).unwrap().split(',').nth(3).unwrap();
        assert!(ct.parse::<u32>().is_ok(), "{text}");
    }

    #[test]
    fn a_kernel_with_one_set_up_has_one_figure() {
        let default = manyfish::kernels().find(|kernel| kernel.constant_time && kernel.runnable);
        assert!(measure(&default.unwrap(), 128).unwrap().ct_set_up.is_none());
    }

    #[test]
    fn keys_differ_in_every_byte() {
        let mut keys = Keys::new(256);
        let (first, second) = (keys.another().to_vec(), keys.another().to_vec());
        assert_eq!(first.len(), 32);
        assert!(first.iter().zip(&second).filter(|(one, two)| one != two).count() > 24);
    }
}
