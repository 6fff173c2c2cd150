// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! How long Twofish takes in these programs: alone, in the modes that they use, and with all that they do.

use std::hint::black_box;
use std::io::Cursor;
use std::time::Instant;

use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit as _};
use cfb_mode::cipher::KeyIvInit as _;

use crate::databases::{self, Entry};
use crate::{Result, messages};

const KEY: [u8; 32] = [0x4D; 32];
const IV: [u8; 16] = [0x46; 16];
const PASSPHRASE: &str = "test words only";

/// What is timed: a name, and what it runs.
type Job = (&'static str, fn(&[u8]) -> Result<f64>);

/// What keepass-rs asks of Twofish, what rpgp asks of it, and both as a whole.
const JOBS: [Job; 8] = [
    ("cbc-decrypt", cbc_decrypt),
    ("cbc-encrypt", cbc_encrypt),
    ("cfb-decrypt", cfb_decrypt),
    ("cfb-encrypt", cfb_encrypt),
    ("keepass-open", keepass_open),
    ("keepass-save", keepass_save),
    ("pgp-open", pgp_open),
    ("pgp-write", pgp_write),
];

/// Prints a line for each job: its name, the octets that it worked on, and the least time of `runs`, in seconds.
pub fn print(n_octets: usize, runs: usize, names: &[String]) -> Result<()> {
    let data = payload(n_octets);
    println!("job,octets,seconds");
    for (name, job) in JOBS {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        let mut least = f64::INFINITY;
        for _ in 0..runs {
            least = least.min(job(&data)?);
        }
        println!("{name},{n_octets},{least:.6}");
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

fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = black_box(work());
    (start.elapsed().as_secs_f64(), result)
}

fn cbc_decrypt(data: &[u8]) -> Result<f64> {
    let mut data = data.to_vec();
    let mut mode = cbc::Decryptor::<twofish08::Twofish>::new_from_slices(&KEY, &IV)?;
    let (blocks, []) = cbc::cipher::Array::slice_as_chunks_mut(&mut data) else {
        return Err("whole blocks are timed".into());
    };
    Ok(seconds(|| mode.decrypt_blocks(blocks)).0)
}

fn cbc_encrypt(data: &[u8]) -> Result<f64> {
    let mut data = data.to_vec();
    let mut mode = cbc::Encryptor::<twofish08::Twofish>::new_from_slices(&KEY, &IV)?;
    let (blocks, []) = cbc::cipher::Array::slice_as_chunks_mut(&mut data) else {
        return Err("whole blocks are timed".into());
    };
    Ok(seconds(|| mode.encrypt_blocks(blocks)).0)
}

fn cfb_decrypt(data: &[u8]) -> Result<f64> {
    let mut data = data.to_vec();
    let mut mode = cfb_mode::BufDecryptor::<twofish07::Twofish>::new_from_slices(&KEY, &IV)?;
    Ok(seconds(|| mode.decrypt(&mut data)).0)
}

fn cfb_encrypt(data: &[u8]) -> Result<f64> {
    let mut data = data.to_vec();
    let mut mode = cfb_mode::BufEncryptor::<twofish07::Twofish>::new_from_slices(&KEY, &IV)?;
    Ok(seconds(|| mode.encrypt(&mut data)).0)
}

fn database(data: &[u8]) -> [Entry; 1] {
    let (path, user, password) = ("photo".into(), "ada".into(), "secret".into());
    [Entry { path, user, password, attachments: vec![("photo".into(), data.to_vec())] }]
}

fn keepass_save(data: &[u8]) -> Result<f64> {
    let entries = database(data);
    let mut file = Vec::new();
    let (time, result) = seconds(|| databases::write(&mut file, PASSPHRASE, &entries, false));
    result.map(|()| time)
}

fn keepass_open(data: &[u8]) -> Result<f64> {
    let entries = database(data);
    let mut file = Vec::new();
    databases::write(&mut file, PASSPHRASE, &entries, false)?;
    let (time, opened) = seconds(|| databases::open(&mut Cursor::new(file), PASSPHRASE));
    if opened? != entries {
        return Err("the database holds something else".into());
    }
    Ok(time)
}

fn pgp_write(data: &[u8]) -> Result<f64> {
    let data = data.to_vec();
    let (time, result) = seconds(|| messages::write(data, PASSPHRASE));
    result.map(|_| time)
}

fn pgp_open(data: &[u8]) -> Result<f64> {
    let message = messages::write(data.to_vec(), PASSPHRASE)?;
    let (time, opened) = seconds(|| messages::open(Cursor::new(message), PASSPHRASE));
    if opened? != data {
        return Err("the message holds something else".into());
    }
    Ok(time)
}
