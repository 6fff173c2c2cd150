// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The `manyfish` command; all of it is in the library beside.

use std::process::ExitCode;

fn main() -> ExitCode {
    manyfish_cli::run(std::env::args_os())
}
