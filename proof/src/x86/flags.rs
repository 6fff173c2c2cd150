// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Flags are kept as what they come from, and computed where they are asked for.

use iced_x86::ConditionCode;

use crate::algebra::{Algebra, Bit, Byte, UNKNOWN};
use crate::carries;
use crate::integers::Kind;
use crate::machine::number;

#[derive(Clone)]
pub(super) enum Flags {
    Unknown,
    /// The carry alone is known.
    Carry(Bit),
    Of {
        kind: Kind,
        a: Vec<Byte>,
        b: Vec<Byte>,
        carry_is_known: bool,
    },
}

impl Flags {
    pub(super) fn of(kind: Kind, a: &[Byte], b: &[Byte]) -> Self {
        if kind == Kind::Multiply {
            return Self::Unknown;
        }
        Self::Of {
            kind,
            a: a.to_vec(),
            b: b.to_vec(),
            carry_is_known: true,
        }
    }

    pub(super) fn without_carry(kind: Kind, a: &[Byte], b: &[Byte]) -> Self {
        Self::Of {
            kind,
            a: a.to_vec(),
            b: b.to_vec(),
            carry_is_known: false,
        }
    }

    /// Whether a condition holds: 255 or 0 at each point.
    pub(super) fn holds(&self, algebra: &mut Algebra, condition: ConditionCode) -> Byte {
        let (kind, a, b, carry_is_known) = match self {
            Self::Unknown => return UNKNOWN,
            Self::Carry(carry) => return of_carry(algebra, *carry, condition),
            Self::Of {
                kind,
                a,
                b,
                carry_is_known,
            } => (kind, a, b, carry_is_known),
        };
        let size = a.len();
        let at_point = |at: &[Byte]| {
            let (a, b) = (
                number(&at[..size]).expect("constant"),
                number(&at[size..]).expect("constant"),
            );
            holds(*kind, a, b, size, *carry_is_known, condition)
                .map_or(UNKNOWN, |holds| if holds { 0xFF } else { 0 })
        };
        let both = [a.as_slice(), b].concat();
        if number(a).is_some() && number(b).is_some() {
            return at_point(&both);
        }
        if let Some(bytes) = algebra.map_points(&both, |at| vec![at_point(at)]) {
            return bytes[0];
        }
        let by_bounds = match kind {
            Kind::Sub if *carry_is_known => is_by_bounds(algebra, a, b, condition),
            _ => None,
        };
        if let Some(holds) = by_bounds {
            return if holds { 0xFF } else { 0 };
        }
        match self.long_carry(algebra) {
            Some(carry) => of_carry(algebra, carry, condition),
            None => UNKNOWN,
        }
    }

    /// The carry or borrow of more bits than a function has.
    fn long_carry(&self, algebra: &mut Algebra) -> Option<Bit> {
        match self {
            Self::Carry(carry) => Some(*carry),
            Self::Of {
                kind,
                a,
                b,
                carry_is_known: true,
            } if !a.contains(&UNKNOWN) && !b.contains(&UNKNOWN) => match kind {
                Kind::Add => Some(carries::add(algebra, a, b, 0).1),
                Kind::Sub => Some(carries::subtract(algebra, a, b, 0).1),
                _ => None,
            },
            _ => None,
        }
    }

    /// CF; `None`: it is not known.
    pub(super) fn carry(&self, algebra: &mut Algebra) -> Option<Bit> {
        match self.holds(algebra, ConditionCode::b) {
            UNKNOWN => None,
            byte => Some(algebra.bits(byte)[0]),
        }
    }
}

fn of_carry(algebra: &mut Algebra, carry: Bit, condition: ConditionCode) -> Byte {
    let bit = match condition {
        ConditionCode::b => carry,
        ConditionCode::ae => algebra.xor_bits(carry, 1),
        _ => return UNKNOWN,
    };
    algebra.byte([bit; 8])
}

/// Whether an unsigned comparison has a result that the bounds of both numbers decide: so an address from a secret may be
/// compared with one outside the table.
fn is_by_bounds(
    algebra: &mut Algebra,
    a: &[Byte],
    b: &[Byte],
    condition: ConditionCode,
) -> Option<bool> {
    use ConditionCode as C;
    let (a, b) = (bounds(algebra, a)?, bounds(algebra, b)?);
    let decided = |yes: bool, no: bool| if yes || no { Some(yes) } else { None };
    match condition {
        C::b => decided(a.1 < b.0, a.0 >= b.1),
        C::ae => decided(a.0 >= b.1, a.1 < b.0),
        C::be => decided(a.1 <= b.0, a.0 > b.1),
        C::a => decided(a.0 > b.1, a.1 <= b.0),
        _ => None,
    }
}

/// The number with 0, and with 1, for each bit that is no constant.
fn bounds(algebra: &mut Algebra, bytes: &[Byte]) -> Option<(u64, u64)> {
    let mut bounds = (0, 0);
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == UNKNOWN {
            return None;
        }
        for (bit, form) in algebra.bits(byte).into_iter().enumerate() {
            let place = 8 * at + bit;
            bounds.0 |= u64::from(form == 1) << place;
            bounds.1 |= u64::from(form != 0) << place;
        }
    }
    Some(bounds)
}

/// `None`: it depends on a flag that is not known.
fn holds(
    kind: Kind,
    a: u64,
    b: u64,
    size: usize,
    carry_is_known: bool,
    condition: ConditionCode,
) -> Option<bool> {
    use ConditionCode as C;
    if kind == Kind::High {
        return match condition {
            C::b | C::o => Some(a != 0),
            C::ae | C::no => Some(a == 0),
            _ => None,
        };
    }
    let top = |x: u64| x >> (8 * size - 1) & 1 == 1;
    let result = kind.result(a, b, size);
    let (zero, sign) = (result == 0, top(result));
    let carry = match kind {
        Kind::Add => result < a,
        Kind::Sub => a < b,
        _ => false,
    };
    let carry = (carry_is_known && kind != Kind::Value).then_some(carry);
    let overflow = match kind {
        Kind::Add => top(a) == top(b) && top(a) != sign,
        Kind::Sub => top(a) != top(b) && top(a) != sign,
        _ => false,
    };
    let overflow = (kind != Kind::Value).then_some(overflow);
    Some(match condition {
        C::e => zero,
        C::ne => !zero,
        C::s => sign,
        C::ns => !sign,
        C::b => carry?,
        C::ae => !carry?,
        C::be => carry? || zero,
        C::a => !carry? && !zero,
        C::l => sign != overflow?,
        C::ge => sign == overflow?,
        C::le => sign != overflow? || zero,
        C::g => sign == overflow? && !zero,
        C::o => overflow?,
        C::no => !overflow?,
        _ => return None,
    })
}
