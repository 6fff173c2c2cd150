// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Tables of costs, and their text. The reader takes one form only, so that a damaged file is found.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use manyfish_sys::CostRow;

use crate::{COST_CALL_BLOCKS, Error};

/// The costs of each kernel, in any unit. `manyfish tune` measures them.
///
/// As text, which [`FromStr`] reads and [`Display`](fmt::Display) writes, it has lines that begin with `#`, which
/// say what was measured and are skipped; then the line
///
/// ```text
/// kernel,key_bits,set_up,ct_set_up,1,2,3,4,5,7,8,9,16,17,32,33,64,128
/// ```
///
/// and one line for a kernel with a key size, in any order, of whole numbers from 1 to 2^32 - 1; `ct_set_up` is
/// empty where it is not known. Each line, but perhaps the last, ends with a newline.
///
/// ```
/// use manyfish::Costs;
///
/// let text = Costs::shipped().to_string();
/// let costs: Costs = text.parse()?;
/// assert_eq!(costs.to_string(), text);
/// # Ok::<(), manyfish::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Costs(pub(crate) Arc<manyfish_sys::Costs>);

impl Costs {
    /// Those that are part of the library.
    #[must_use]
    pub fn shipped() -> Self {
        Self(Arc::new(manyfish_sys::Costs::shipped()))
    }
}

/// The first line.
fn head() -> String {
    let calls = COST_CALL_BLOCKS.map(|blocks| format!(",{blocks}"));
    "kernel,key_bits,set_up,ct_set_up".to_owned() + &calls.concat()
}

/// A number from 1 on without needless zeros.
fn number(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if is_plain { text.parse().ok() } else { None }
}

/// Kernels are named by small letters, digits and hyphens.
fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

fn row(line: &str) -> Option<CostRow<'_>> {
    let mut fields = line.split(',');
    let kernel = fields.next().filter(|name| is_name(name))?;
    let key_bits = number(fields.next()?)?;
    let set_up = number(fields.next()?)?;
    let ct = fields.next()?;
    let ct_set_up = if ct.is_empty() { 0 } else { number(ct)? };
    let mut calls = [0; COST_CALL_BLOCKS.len()];
    for call in &mut calls {
        *call = number(fields.next()?)?;
    }
    let row = CostRow { kernel, key_bits, set_up, ct_set_up, calls };
    fields.next().is_none().then_some(row)
}

impl FromStr for Costs {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut costs = manyfish_sys::Costs::empty();
        let mut has_head = false;
        let mut line = 0;
        for found in text.split_terminator('\n') {
            line += 1;
            if found.starts_with('#') {
                continue;
            }
            let good = if has_head {
                row(found).is_some_and(|row| costs.add(&row))
            } else {
                found == head()
            };
            if !good {
                return Err(Error::Costs { line });
            }
            has_head = true;
        }
        if costs.rows().next().is_none() {
            return Err(Error::Costs { line });
        }
        Ok(Self(Arc::new(costs)))
    }
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", head())?;
        for row in self.0.rows() {
            let CostRow { kernel, key_bits, set_up, ct_set_up, calls } = row;
            let ct = if ct_set_up == 0 { String::new() } else { ct_set_up.to_string() };
            write!(f, "{kernel},{key_bits},{set_up},{ct}")?;
            calls.iter().try_for_each(|call| write!(f, ",{call}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "kernel,key_bits,set_up,ct_set_up,1,2,3,4,5,7,8,9,16,17,32,33,64,128\n";
    const CALLS: &str = "1,2,3,4,5,6,7,8,9,10,11,12,13,4294967295";

    fn fault(text: &str) -> usize {
        match text.parse::<Costs>() {
            Err(Error::Costs { line }) => line,
            other => panic!("{text:?} gives {other:?}"),
        }
    }

    #[test]
    fn a_text_that_is_no_table_is_refused_with_its_line() {
        let row = format!("full,192,900,,{CALLS}\n");
        assert_eq!(fault(""), 0);
        assert_eq!(fault("# only a remark\n"), 1);
        assert_eq!(fault("\n"), 1);
        assert_eq!(fault(HEAD), 1);
        assert_eq!(fault(&row), 1);
        assert_eq!(fault(&format!("kernel,key_bits\n{row}")), 1);
        assert_eq!(fault(&format!("{HEAD}{HEAD}{row}")), 2);
        assert_eq!(fault(&format!("{HEAD}\n{row}")), 2);
        assert_eq!(fault(&format!("{HEAD}{row}{row}")), 3);
        assert_eq!(fault(&format!("{HEAD}{row}#\n{row}")), 4);
        assert_eq!(fault(&format!("{HEAD}{row}\n")), 3);
    }

    #[test]
    fn a_bad_row_is_refused() {
        let bad = [
            ",192,900,,C",
            "Full,192,900,,C",
            "fu ll,192,900,,C",
            "full\0,192,900,,C",
            "a-name-of-twenty-four-by,192,900,,C",
            "full,191,900,,C",
            "full,,900,,C",
            "full",
            "full,192,0,,C",
            "full,192,,,C",
            "full,192,900,0,C",
            "full,192,900,x,C",
            "full,192,0900,,C",
            "full,192,+900,,C",
            "full,192,-900,,C",
            "full,192,9.5,,C",
            "full,192, 900,,C",
            "full,192,4294967296,,C",
            "full,192,4294967297,,C",
            "full,192,18446744073709551617,,C",
            "full,192,900,,C,",
            "full,192,900,,C,1",
            "full,192,900,,C\r",
            "full,192,900,,1,2,3,4,5,6,7,8,9,10,11,12,13",
            "full,192,900,,1,2,3,4,5,6,7,8,9,10,11,12,13,",
            "full,192,900,,1,2,3,,5,6,7,8,9,10,11,12,13,14",
            "full,192,900",
            "full,192,900,",
            "full,192,900,,",
        ];
        for row in bad.map(|row| row.replace('C', CALLS)) {
            assert_eq!(fault(&format!("{HEAD}{row}\n")), 2, "{row}");
        }
    }

    /// With remarks, kernels in any order, and no last newline.
    #[test]
    fn a_table_is_read_and_written() {
        let text = format!(
            "# a remark\n{HEAD}#\nfull,192,900,,{CALLS}\nzero,256,7,8,{CALLS}\n# in between\nfull,128,1,,{CALLS}"
        );
        let costs: Costs = text.parse().unwrap();
        let shown =
            format!("{HEAD}full,128,1,,{CALLS}\nfull,192,900,,{CALLS}\nzero,256,7,8,{CALLS}\n");
        assert_eq!(costs.to_string(), shown);
        assert_eq!(shown.parse::<Costs>().unwrap().to_string(), shown);
    }

    #[test]
    fn one_kernel_too_many_is_refused_where_it_comes() {
        let rows: Vec<String> = (0..30).map(|i| format!("k{i},128,900,,{CALLS}\n")).collect();
        assert!((HEAD.to_owned() + &rows[..24].concat()).parse::<Costs>().is_ok());
        assert_eq!(fault(&(HEAD.to_owned() + &rows.concat())), 26);
    }

    /// Every change of one byte gives a table or an error with a line, also where the text ends early.
    #[test]
    fn damage_is_found_or_harmless() {
        let good = Costs::shipped().to_string();
        for at in 0..good.len() {
            for byte in ["0", ",", "\n", "x", "#", "-", " "] {
                let mut bad = good.clone();
                bad.replace_range(at..=at, byte);
                if let Err(error) = bad.parse::<Costs>() {
                    assert!(matches!(error, Error::Costs { line } if line > 0), "{at} {byte:?}");
                }
            }
            let _ = good[..at].parse::<Costs>();
        }
    }
}
