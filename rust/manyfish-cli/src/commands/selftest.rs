// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish selftest`: the known answers on every kernel of this machine.

use crate::Error;

pub fn run() -> Result<(), Error> {
    for kernel in manyfish::kernels() {
        println!("{:?}", manyfish::selftest(kernel.name)?);
    }
    Ok(())
}
