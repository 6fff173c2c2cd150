// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Planted faults: a bit of the code that runs, or of the constants that it reads, is changed, and the proof must fail.
//! Where it does not, the changed code must be right on constants, too: an encoding may have bits that do
//! not matter, and code a part that changes nothing, such as the wiping of the stack.

use std::fmt::Write;

use crate::algebra::{Algebra, Byte};
use crate::image::Image;
use crate::machine::{self, text};
use crate::modes::{Mode, Scope, Setting};
use crate::statement::{Kernel, Session};
use crate::trust::Random;

#[derive(Default)]
pub struct Counts {
    pub refuted: usize,
    /// Those that the proof took for right, and that are right on constants; each as a line.
    pub harmless: Vec<String>,
    pub wrong: Vec<String>,
}

/// Plants n faults.
pub fn plant(image: &Image, kernel: &Kernel, k: usize, n: usize) -> Result<Counts, String> {
    let mut random = Random(k as u64);
    let mut images = Vec::new(); // the session borrows them, so they go after it
    let mut session = Session::new(image, kernel, k, Algebra::new_byte);
    session.prove()?;
    let code = session.machine.places();
    let data = session.machine.memory.seen(".rodata");
    images.extend((0..n).map(|i| changed(image, &code, &data, i, &mut random)));
    // Shared tables are right until a fault changes them.
    images.sort_by_key(|(_, at)| session.tables_come_from.contains(at));
    let mut counts = Counts::default();
    for (changed, at) in &images {
        session.machine.replace_image(changed);
        if session.prove_changed(*at).is_err() {
            counts.refuted += 1;
            continue;
        }
        let line = describe(image, changed, *at, &code);
        if is_right_on_constants(changed, kernel, k, &mut random) {
            counts.harmless.push(line)
        } else {
            counts.wrong.push(line)
        }
    }
    Ok(counts)
}

/// Plants n faults in the code of a mode.
pub fn plant_in_mode(image: &Image, mode: &'static Mode, n: usize) -> Result<Counts, String> {
    let mut random = Random(n as u64);
    let setting = Setting::new(image, mode, Scope::Little, Algebra::new_byte).watching();
    (mode.prove)(&setting)?;
    let seen = setting.seen();
    let code: Vec<(u64, usize)> = seen.code.into_iter().collect();
    let data: Vec<u64> = seen.data.into_iter().collect();
    let mut counts = Counts::default();
    for i in 0..n {
        let (changed, at) = changed(image, &code, &data, i, &mut random);
        if (mode.prove)(&Setting::new(
            &changed,
            mode,
            Scope::Little,
            Algebra::new_byte,
        ))
        .is_err()
        {
            counts.refuted += 1;
            continue;
        }
        let line = describe(image, &changed, at, &code);
        let mut constants = Random(random.next());
        let constant = move |_: &mut Algebra| Byte::from(constants.byte());
        match (mode.prove)(&Setting::new(&changed, mode, Scope::Little, constant)) {
            Ok(()) => counts.harmless.push(line),
            Err(error) => counts.wrong.push(format!("{line}: {error}")),
        }
    }
    Ok(counts)
}

/// A valid copy with one bit changed, and where: of four such, one in the constants that are read, if there are any.
fn changed(
    image: &Image,
    code: &[(u64, usize)],
    data: &[u64],
    i: usize,
    random: &mut Random,
) -> (Image, u64) {
    loop {
        let at = if i.is_multiple_of(4) && !data.is_empty() {
            data[random.below(data.len() as u64) as usize]
        } else {
            let (ip, len) = code[random.below(code.len() as u64) as usize];
            ip + random.below(len as u64)
        };
        let mut changed = image.clone();
        changed.flip(at, random.below(8) as u32);
        if machine::is_valid(&changed) {
            return (changed, at);
        }
    }
}

fn is_right_on_constants(image: &Image, kernel: &Kernel, k: usize, random: &mut Random) -> bool {
    (0..3).all(|_| {
        let mut constant = |_: &mut Algebra| Byte::from(random.byte());
        Session::new(image, kernel, k, &mut constant)
            .prove()
            .is_ok()
    })
}

fn describe(image: &Image, changed: &Image, at: u64, code: &[(u64, usize)]) -> String {
    let mut line = format!("{at:#x}: ");
    match code
        .iter()
        .find(|(ip, len)| (*ip..ip + *len as u64).contains(&at))
    {
        Some((ip, _)) => _ = write!(line, "{} becomes {}", text(image, *ip), text(changed, *ip)),
        None => {
            let [was, is] = [image, changed].map(|image| image.at(at, 1)[0]);
            _ = write!(line, "the constant {was:#04x} becomes {is:#04x}")
        }
    }
    line
}
