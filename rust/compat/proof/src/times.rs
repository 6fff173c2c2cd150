// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! How long Twofish takes in these programs: alone, in the modes that they use, and with all that they do.

use std::hint::black_box;
use std::io::Cursor;
use std::time::Duration;

use cbc::cipher::array::{Array, sizes::U16};
use cbc::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, KeyInit as _,
    KeyIvInit as _,
};
use cfb_mode::cipher::KeyIvInit as _;
use rustix::time::{ClockId, clock_gettime};

use crate::databases::{self, Entry};
use crate::{Result, messages};

const KEY: [u8; 32] = [0x4D; 32];
const IV: [u8; 16] = [0x46; 16];
const PASSPHRASE: &str = "test words only";

/// A timed job: the names of its parts, and the function that gives their times.
type Job = (&'static [&'static str], fn(&[u8]) -> Result<Vec<f64>>);

/// The work of keepass-rs and of rpgp with Twofish alone, and both programs as a whole. Beside them Twofish with
/// whole buffers, which only the fastest modes hand on.
const JOBS: [Job; 8] = [
    (&["blocks-decrypt"], blocks_decrypt),
    (&["cbc-decrypt"], cbc_decrypt),
    (&["cbc-encrypt"], cbc_encrypt),
    (&["cfb-decrypt"], cfb_decrypt),
    (&["cfb-encrypt"], cfb_encrypt),
    (&["keepass-save", "keepass-open"], keepass),
    (&["pgp-write", "pgp-open"], pgp),
    (&["block-encrypt"], block_encrypt),
];

/// Prints a line for each part of the jobs that have a part of these names, or of all: its name, the octets that
/// it worked on, and the least time of `runs` by the clock of this process, in seconds.
pub fn print(n_octets: usize, runs: usize, names: &[&str]) -> Result<()> {
    let data = payload(n_octets);
    println!("job,octets,seconds");
    for (parts, job) in JOBS {
        if !names.is_empty() && !parts.iter().any(|part| names.contains(part)) {
            continue;
        }
        let mut least = vec![f64::INFINITY; parts.len()];
        for _ in 0..runs {
            for (least, time) in least.iter_mut().zip(job(&data)?) {
                *least = least.min(time);
            }
        }
        for (part, least) in parts.iter().zip(least) {
            println!("{part},{n_octets},{least:.6}");
        }
    }
    Ok(())
}

/// Octets that no compression makes smaller, the same in each run: a linear congruential generator by its high
/// bits.
#[must_use]
pub fn payload(n_octets: usize) -> Vec<u8> {
    let mut state = 0x1998_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state.to_be_bytes()[0]
    };
    (0..n_octets).map(|_| next()).collect()
}

/// Time that this process has worked, whatever else the machine does.
fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Duration::try_from(time).expect("no process works for a negative time").as_secs_f64()
    };
    let start = now();
    let result = black_box(work());
    (now() - start, result)
}

fn as_blocks(data: &mut [u8]) -> &mut [Array<u8, U16>] {
    Array::slice_as_chunks_mut(data).0
}

fn blocks_decrypt(data: &[u8]) -> Result<Vec<f64>> {
    let mut data = data.to_vec();
    let cipher = twofish08::Twofish::new_from_slice(&KEY)?;
    Ok(vec![seconds(|| cipher.decrypt_blocks(as_blocks(&mut data))).0])
}

/// One block after the other, each the input of the next.
fn block_encrypt(data: &[u8]) -> Result<Vec<f64>> {
    let cipher = twofish08::Twofish::new_from_slice(&KEY)?;
    let mut block = IV.into();
    let n_blocks = data.len() / IV.len();
    Ok(vec![seconds(|| (0..n_blocks).for_each(|_| cipher.encrypt_block(&mut block))).0])
}

fn cbc_decrypt(data: &[u8]) -> Result<Vec<f64>> {
    let mut data = data.to_vec();
    let mut mode = cbc::Decryptor::<twofish08::Twofish>::new_from_slices(&KEY, &IV)?;
    Ok(vec![seconds(|| mode.decrypt_blocks(as_blocks(&mut data))).0])
}

fn cbc_encrypt(data: &[u8]) -> Result<Vec<f64>> {
    let mut data = data.to_vec();
    let mut mode = cbc::Encryptor::<twofish08::Twofish>::new_from_slices(&KEY, &IV)?;
    Ok(vec![seconds(|| mode.encrypt_blocks(as_blocks(&mut data))).0])
}

fn cfb_decrypt(data: &[u8]) -> Result<Vec<f64>> {
    let mut data = data.to_vec();
    let mut mode = cfb_mode::BufDecryptor::<twofish07::Twofish>::new_from_slices(&KEY, &IV)?;
    Ok(vec![seconds(|| mode.decrypt(&mut data)).0])
}

fn cfb_encrypt(data: &[u8]) -> Result<Vec<f64>> {
    let mut data = data.to_vec();
    let mut mode = cfb_mode::BufEncryptor::<twofish07::Twofish>::new_from_slices(&KEY, &IV)?;
    Ok(vec![seconds(|| mode.encrypt(&mut data)).0])
}

/// The data as an attachment, which is not compressed.
fn keepass(data: &[u8]) -> Result<Vec<f64>> {
    let (path, user, password) = ("photo".into(), "ada".into(), "secret".into());
    let entries =
        [Entry { path, user, password, attachments: vec![("photo".into(), data.to_vec())] }];
    let mut file = Vec::new();
    let (save, result) = seconds(|| databases::write(&mut file, PASSPHRASE, &entries, false));
    result?;
    let (open, opened) = seconds(|| databases::open(&mut Cursor::new(file), PASSPHRASE));
    if opened? != entries {
        return Err("the database holds something else".into());
    }
    Ok(vec![save, open])
}

fn pgp(data: &[u8]) -> Result<Vec<f64>> {
    let text = data.to_vec();
    let (write, message) = seconds(|| messages::write(text, PASSPHRASE));
    let message = message?;
    let (open, opened) = seconds(|| messages::open(Cursor::new(message), PASSPHRASE));
    if opened? != data {
        return Err("the message holds something else".into());
    }
    Ok(vec![write, open])
}
