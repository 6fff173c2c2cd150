// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keys and modes work on wherever they are moved to. Without the feature `std` they move with their memory, and
//! this is then the test that no address of the old place is used; with it, nothing should change.

use manyfish::{
    BlockCipher, Ccm, Cmac, Des, Eax, Gcm, Ocb, Siv, Twofish,
    modes::{self, Cfb, Ctr, Ofb, Xts},
};

const N_BYTES: usize = 1000;

fn bytes(n_bytes: usize) -> Vec<u8> {
    (1..=251).cycle().take(n_bytes).collect()
}

/// The value at another place, and something else where it was.
#[allow(clippy::unnecessary_box_returns)] // the box is the other place
fn moved<T>(place: &mut Option<T>, other: impl FnOnce() -> T) -> Box<T> {
    let value = Box::new(place.take().unwrap());
    *place = Some(other());
    value
}

/// A stream in two pieces, before and after a move.
fn stream<S>(start: impl Fn(u8) -> S, crypt: impl Fn(&mut S, &mut [u8])) {
    let mut expected = bytes(N_BYTES);
    crypt(&mut start(1), &mut expected);

    let (mut data, mut place) = (bytes(N_BYTES), Some(start(1)));
    let (first, second) = data.split_at_mut(333);
    crypt(place.as_mut().unwrap(), first);
    crypt(&mut moved(&mut place, || start(2)), second);
    assert!(data == expected);
}

fn streams<C: BlockCipher>(expand: impl Fn(u8) -> C) {
    let iv = C::Block::default();
    let bits = 8 * u32::try_from(C::BLOCK_BYTES).unwrap();
    stream(|k| Ctr::new(&expand(k), &iv, bits).unwrap(), |s, data| s.crypt(data).unwrap());
    stream(|k| Ofb::new(&expand(k), &iv).unwrap(), |s, data| s.crypt(data).unwrap());
    stream(|k| Cfb::new(&expand(k), &iv, bits).unwrap(), |s, data| s.encrypt(data).unwrap());
    stream(|k| Cfb::new(&expand(k), &iv, bits).unwrap(), |s, data| s.decrypt(data).unwrap());

    let mut expected = Cmac::new(&expand(1));
    expected.update(&bytes(N_BYTES)).unwrap();
    let mut place = Some(Cmac::new(&expand(1)));
    place.as_mut().unwrap().update(&bytes(N_BYTES)[..333]).unwrap();
    let mut cmac = moved(&mut place, || Cmac::new(&expand(2)));
    cmac.update(&bytes(N_BYTES)[333..]).unwrap();
    assert_eq!(*cmac.finish(), *expected.finish());
}

fn twofish(k: u8) -> Twofish {
    Twofish::new(&[k; 32]).unwrap()
}

#[test]
fn streams_and_macs() {
    streams(twofish);
    streams(|k| Des::new(&[3 * k; 24]).unwrap());
}

/// CTR is what it should be: the encrypted counter. So the others are not wrong in the same way twice.
#[test]
fn ctr_is_what_it_should_be() {
    let mut stream = vec![0; 64];
    Ctr::new(&twofish(1), &[0; 16], 128).unwrap().crypt(&mut stream).unwrap();
    let mut counters = vec![0; 64];
    (0..4).for_each(|i| counters[16 * i + 15] = u8::try_from(i).unwrap());
    modes::ecb::encrypt(&twofish(1), &mut counters).unwrap();
    assert_eq!(stream, counters);
}

/// A message sealed at one place opens at another, by a clone too.
fn messages<M: Clone>(
    make: impl Fn(u8) -> M,
    seal: impl Fn(&M, &mut [u8]) -> Vec<u8>,
    open: impl Fn(&M, &mut [u8], &[u8]),
) {
    let (mut data, mut place) = (bytes(N_BYTES), Some(make(1)));
    let tag = seal(place.as_ref().unwrap(), &mut data);
    let sealed = data.clone();
    let other = moved(&mut place, || make(2));
    let clone = Box::new((*other).clone());
    open(&other, &mut data, &tag);
    assert!(data == bytes(N_BYTES));
    drop(other);
    assert_eq!((seal(&clone, &mut data), data), (tag, sealed));
}

macro_rules! aead {
    ($($mode:ident)*) => {$(
        messages(
            |k| $mode::new(&twofish(k)),
            |mode, data| mode.seal(b"nonce 78", b"aad", data).unwrap().to_vec(),
            |mode, data, tag| mode.open(b"nonce 78", b"aad", data, tag.try_into().unwrap()).unwrap(),
        );
    )*};
}

#[test]
fn authenticated_messages() {
    aead! { Ocb Eax Gcm Ccm }
    messages(
        |k| Siv::new(&twofish(k), &twofish(k + 10)),
        |mode, data| mode.seal(b"nonce", &[b"aad", b"more"], data).unwrap().to_vec(),
        |mode, data, tag| {
            mode.open(b"nonce", &[b"aad", b"more"], data, tag.try_into().unwrap()).unwrap();
        },
    );
}

#[test]
fn sectors() {
    let (mut data, mut expected) = (bytes(1024), bytes(1024));
    let make = |k| Xts::new(&twofish(k), &twofish(k + 10));
    make(1).encrypt_sectors(7, 512, &mut expected).unwrap();
    let mut place = Some(make(1));
    moved(&mut place, || make(2)).encrypt_sectors(7, 512, &mut data).unwrap();
    assert!(data == expected);
}

/// Replacing the key leaves a clone alone.
#[test]
fn clones_keep_their_key() {
    let mut key = twofish(1);
    let clone = Box::new(key.clone());
    key.set_key(&[2; 16]).unwrap();
    for (key, expected) in [(&*clone, twofish(1)), (&key, Twofish::new(&[2; 16]).unwrap())] {
        let (mut block, mut other) = ([0; 16], [0; 16]);
        key.encrypt_blocks(&mut block).unwrap();
        expected.encrypt_blocks(&mut other).unwrap();
        assert_eq!(block, other);
    }
}
