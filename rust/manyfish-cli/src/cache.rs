// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The user's cache folder, for what the command can make again.

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// `None` where the environment names no place. On Windows it is `%LOCALAPPDATA%\manyfish`.
pub fn folder() -> Option<PathBuf> {
    let cache = etcetera::choose_base_strategy().ok()?.cache_dir();
    let cache = Some(cache).filter(|path| path.is_absolute())?;
    Some(cache.join("manyfish"))
}
