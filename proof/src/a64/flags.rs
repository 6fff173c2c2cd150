// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The flags N, Z, C and V are kept as what they come from, and computed where they are asked for.

use super::decode::Condition;
use crate::algebra::{Algebra, Byte, UNKNOWN};
use crate::integers::Kind;
use crate::machine::number;

#[derive(Clone)]
pub enum Flags {
    Unknown,
    /// Of an addition, a subtraction or AND.
    Of {
        kind: Kind,
        a: Vec<Byte>,
        b: Vec<Byte>,
    },
}

impl Flags {
    pub fn of(kind: Kind, a: &[Byte], b: &[Byte]) -> Self {
        Self::Of {
            kind,
            a: a.to_vec(),
            b: b.to_vec(),
        }
    }

    /// Whether a condition holds: 255 or 0 at each point.
    pub fn hold(&self, algebra: &mut Algebra, condition: Condition) -> Byte {
        let Self::Of { kind, a, b } = self else {
            return UNKNOWN;
        };
        let size = a.len();
        let at_point = |at: &[Byte]| {
            let [a, b] = [&at[..size], &at[size..]].map(|part| number(part).expect("constant"));
            if holds(condition, nzcv(*kind, a, b, size)) {
                0xFF
            } else {
                0
            }
        };
        let both = [a.as_slice(), b].concat();
        if number(a).is_some() && number(b).is_some() {
            return at_point(&both);
        }
        algebra
            .map_points(&both, |at| vec![at_point(at)])
            .map_or(UNKNOWN, |bytes| bytes[0])
    }
}

/// Negative, zero, carry, overflow. A subtraction carries if it does not borrow. [ArmARM, J1: AddWithCarry]
fn nzcv(kind: Kind, a: u64, b: u64, size: usize) -> [bool; 4] {
    let is_negative = |x: u64| x >> (8 * size - 1) & 1 == 1;
    let result = kind.result(a, b, size);
    let (carry, overflow) = match kind {
        Kind::Add => (result < a, is_negative(a) == is_negative(b)),
        Kind::Sub => (a >= b, is_negative(a) != is_negative(b)),
        _ => (false, false),
    };
    let negative = is_negative(result);
    [
        negative,
        result == 0,
        carry,
        overflow && negative != is_negative(a),
    ]
}

pub fn holds(condition: Condition, [n, z, c, v]: [bool; 4]) -> bool {
    use Condition as C;
    match condition {
        C::Eq => z,
        C::Ne => !z,
        C::Cs => c,
        C::Cc => !c,
        C::Mi => n,
        C::Pl => !n,
        C::Vs => v,
        C::Vc => !v,
        C::Hi => c && !z,
        C::Ls => !c || z,
        C::Ge => n == v,
        C::Lt => n != v,
        C::Gt => n == v && !z,
        C::Le => n != v || z,
    }
}
