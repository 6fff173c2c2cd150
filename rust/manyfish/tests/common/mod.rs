// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Shared by the tests: each runs its body with every kernel.

use manyfish::{KernelInfo, kernels};

/// Calls `test` with every kernel that runs here, and names the others.
pub fn for_each_kernel(mut test: impl FnMut(&KernelInfo)) {
    for kernel in kernels() {
        if kernel.shared_bytes > 0 {
            continue; // tests/tables.rs
        }
        if kernel.runnable {
            println!("kernel {}", kernel.name);
            test(&kernel);
        } else {
            let KernelInfo { name, cpu_features, .. } = kernel;
            println!("skipped: kernel {name}: this CPU lacks one of: {cpu_features}");
        }
    }
}
