// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Tables of costs.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::Error;

/// What each kernel costs, in any unit. `manyfish tune` measures it; the text, which
/// [`FromStr`] reads and [`Display`](fmt::Display) writes, is described in `manyfish/twofish_choice.h`.
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

impl FromStr for Costs {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let costs = manyfish_sys::Costs::parse(text).map_err(|line| Error::Costs { line })?;
        Ok(Self(Arc::new(costs)))
    }
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
