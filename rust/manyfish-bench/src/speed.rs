// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Measures what was asked for, in its order. Tables are shown as they are measured.

use std::io;

use manyfish::{Des, KernelInfo, Tables, Twofish};

use crate::machine::Machine;
use crate::report::{self, Report};
use crate::rows::{COMPILED, Compiled, key};
use crate::{Error, calls, des, keys, messages, rows};

/// Bits of the keys of Twofish.
pub const KEY_BITS: [usize; 3] = [128, 192, 256];

/// The measurements of Twofish, beside rows and messages.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // independent wishes
pub struct Wanted {
    /// Kernels and compiled keying; none: all.
    pub kernels: Vec<String>,
    /// None: all.
    pub key_bits: Vec<usize>,
    /// Calls of one to many blocks.
    pub calls: bool,
    /// A block under each of one to many keys.
    pub keys: bool,
    /// The tables of 1998 instead of others.
    pub paper: bool,
    /// Messages by every kernel stay in the report, not only by the best.
    pub messages: bool,
}

/// Is given one table after the other.
pub type Show<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

/// Measures Twofish.
pub fn twofish(wanted: &Wanted, show: Show) -> Result<Report, Error> {
    if wanted.paper && wanted.kernels.is_empty() {
        // The end reports tables that could not be built.
        for tables in Tables::ALL {
            drop(build(tables));
        }
    }
    let kernels = chosen_kernels(&wanted.kernels)?;
    let key_sizes = chosen_key_sizes(&wanted.key_bits);
    if !wanted.kernels.is_empty() {
        check_key_sizes(&kernels, &key_sizes)?;
    }
    let mut report = Report::of(Machine::here());
    show(&report::head(&report.machine))?;
    for (kernel, key_bits) in pairs(&kernels, &key_sizes) {
        report.rows.push(rows::measure(kernel, key_bits)?);
    }
    let compiled = chosen_compiled(&wanted.kernels)?;
    for compiled in &compiled {
        for key_bits in key_sizes.iter().filter(|bits| compiled.takes(**bits)) {
            report.rows.push(rows::measure_compiled(compiled, *key_bits)?);
        }
    }
    if !wanted.paper {
        show(&rows::table(&report.rows))?;
    }
    if wanted.calls {
        for (kernel, key_bits) in pairs(&kernels, &key_sizes) {
            report.calls.extend(calls::measure(kernel, key_bits)?);
        }
        show(&calls::table(&report.calls))?;
    }
    if wanted.keys {
        for (kernel, key_bits) in pairs(&kernels, &key_sizes) {
            report.keys.extend(keys::measure(kernel, key_bits)?);
        }
        show(&keys::table(&report.keys))?;
    }
    for key_bits in &key_sizes {
        report.messages.extend(messages::measure(&kernels, &compiled, *key_bits)?);
    }
    report.curve = messages::best(&report.messages);
    if wanted.paper {
        report.compare_with_paper(|kernel| why_missing(kernel, &wanted.kernels));
    }
    show(&report.last_table())?;
    if !wanted.messages {
        report.messages.clear();
    }
    Ok(report)
}

/// Measures DES and Triple-DES; no kernel named: all.
pub fn des(names: &[String], show: Show) -> Result<Report, Error> {
    for name in names {
        Des::with_kernel(name, &key(64)).map_err(Error::Kernel)?;
    }
    let kernels: Vec<KernelInfo> = chosen(manyfish::des::kernels(), names).collect();
    let mut report = Report::of(Machine::here());
    show(&report::head(&report.machine))?;
    for (cipher, key_bits) in des::CIPHERS {
        for kernel in &kernels {
            report.rows.push(des::measure(kernel, cipher, key_bits)?);
        }
    }
    report.compare_des();
    show(&report.des_tables())?;
    Ok(report)
}

/// Why there are no figures of a kernel here.
fn why_missing(kernel: &str, chosen: &[String]) -> String {
    if !chosen.is_empty() && !chosen.iter().any(|name| name == kernel) {
        return format!("not among --kernel {}", chosen.join(" "));
    }
    let refused = if let Some(compiled) = Compiled::named(kernel) {
        compiled.build_tables().and_then(|()| compiled.cipher(128)).err()
    } else {
        let tables = Tables::of_kernel(kernel).and_then(|tables| build(tables).err());
        tables.or_else(|| Twofish::with_kernel(kernel, &key(128)).err())
    };
    refused.map_or_else(|| "not with these key sizes".to_owned(), |error| error.to_string())
}

fn build(tables: Tables) -> Result<(), manyfish::Error> {
    tables.build(0, |_, _| true)
}

/// Each kernel with each key size that it takes.
fn pairs<'a>(
    kernels: &'a [KernelInfo],
    key_sizes: &'a [usize],
) -> impl Iterator<Item = (&'a KernelInfo, usize)> {
    let all =
        kernels.iter().flat_map(|kernel| key_sizes.iter().map(move |key_bits| (kernel, *key_bits)));
    all.filter(|(kernel, key_bits)| key_bits / 8 <= kernel.max_key_bytes)
}

/// Those named, or all that run here, best first.
fn chosen(
    kernels: impl Iterator<Item = KernelInfo>,
    names: &[String],
) -> impl Iterator<Item = KernelInfo> {
    let is_chosen =
        |kernel: &KernelInfo| names.is_empty() || names.iter().any(|n| n == kernel.name);
    kernels.filter(move |kernel| kernel.runnable && is_chosen(kernel))
}

/// The kernels asked for, after their tables have been built.
fn chosen_kernels(names: &[String]) -> Result<Vec<KernelInfo>, Error> {
    for name in names.iter().filter(|name| Compiled::named(name).is_none()) {
        if let Some(tables) = Tables::of_kernel(name) {
            let (kernel, bytes) = (name.clone(), tables.bytes());
            build(tables).map_err(|cause| Error::Tables { kernel, bytes, cause })?;
        }
        Twofish::with_kernel(name, &key(128)).map_err(Error::Kernel)?;
    }
    Ok(chosen(manyfish::kernels(), names).collect())
}

/// A kernel that takes none of the key sizes would be left out unsaid.
fn check_key_sizes(kernels: &[KernelInfo], key_sizes: &[usize]) -> Result<(), Error> {
    let takes_none =
        |kernel: &&KernelInfo| key_sizes.iter().all(|bits| bits / 8 > kernel.max_key_bytes);
    match kernels.iter().find(takes_none) {
        Some(KernelInfo { name, max_key_bytes, .. }) => {
            Err(Error::KeySizes { kernel: name, max_key_bits: 8 * max_key_bytes })
        }
        None => Ok(()),
    }
}

/// Compiled keying asked for, after its tables have been built, or all that there is here.
fn chosen_compiled(names: &[String]) -> Result<Vec<&'static Compiled>, Error> {
    if names.is_empty() {
        return Ok(COMPILED.iter().filter(|compiled| compiled.cipher(128).is_ok()).collect());
    }
    let is_chosen = |compiled: &&Compiled| names.iter().any(|name| name == compiled.name);
    let chosen: Vec<_> = COMPILED.iter().filter(is_chosen).collect();
    for compiled in &chosen {
        compiled.build_tables()?;
        compiled.cipher(128).map_err(Error::Kernel)?;
    }
    Ok(chosen)
}

/// The key sizes asked for, or all, smallest first.
fn chosen_key_sizes(wanted: &[usize]) -> Vec<usize> {
    KEY_BITS.into_iter().filter(|bits| wanted.is_empty() || wanted.contains(bits)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn nothing_named_is_everything() {
        assert_eq!(chosen_key_sizes(&[]), [128, 192, 256]);
        assert!(chosen_kernels(&[]).unwrap().iter().any(|kernel| kernel.is_default));
    }

    #[test]
    fn a_kernel_with_none_of_the_key_sizes_is_told() {
        let huge = manyfish::kernels().find(|kernel| kernel.name == "full-huge").unwrap();
        assert!(check_key_sizes(&[huge], &[128, 192]).is_ok());
        let error = check_key_sizes(&[huge], &[192, 256]).unwrap_err().to_string();
        assert_eq!(error, "the kernel \"full-huge\" takes no keys of that size");
    }

    #[test]
    fn compiled_is_named_like_a_kernel() {
        assert!(chosen_kernels(&names(&["compiled"])).unwrap().is_empty());
        assert!(chosen_compiled(&names(&["full"])).unwrap().is_empty());
        let has_code = COMPILED[0].cipher(128).is_ok();
        assert_eq!(chosen_compiled(&[]).unwrap().is_empty(), !has_code);
        for compiled in &COMPILED {
            let chosen = chosen_compiled(&names(&["zero", compiled.name]));
            assert_eq!(chosen.is_ok(), has_code);
            assert!(chosen.is_err() || chosen.is_ok_and(|c| c[0].name == compiled.name));
        }
    }

    #[test]
    fn what_is_named_comes_in_the_order_of_the_list() {
        assert_eq!(chosen_key_sizes(&[256, 128]), [128, 256]);
        let kernels = chosen_kernels(&names(&["zero", "full"])).unwrap();
        assert_eq!(kernels.iter().map(|kernel| kernel.name).collect::<Vec<_>>(), ["full", "zero"]);
    }
}
