// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Messages in pieces are the messages that one call makes.

use manyfish::pieces::{Decryptor, Encryptor, Message, Pieces};
use manyfish::{BlockCipher, Ccm, Des, Eax, Error, Gcm, Ocb, Twofish};
use proptest::prelude::*;

/// Encrypts a whole message in place and returns its tag; the associated data comes first.
type Seal = dyn Fn(&[u8], &mut [u8]) -> Vec<u8>;

/// One mode, by what the tests need of it.
struct Mode<M: Pieces> {
    start: Box<dyn Fn(u64, u64) -> Message<M>>,
    seal: Box<Seal>,
}

fn cipher() -> Twofish {
    Twofish::new(&[7; 32]).unwrap()
}

fn ocb() -> Mode<Ocb> {
    let mode = Ocb::new(&cipher());
    let same = mode.clone();
    Mode {
        start: Box::new(move |_, _| mode.start(b"a nonce").unwrap()),
        seal: Box::new(move |aad, data| same.seal(b"a nonce", aad, data).unwrap().to_vec()),
    }
}

fn eax(cipher: &impl BlockCipher) -> Mode<Eax> {
    let mode = Eax::with_tag_bytes(cipher, 7).unwrap();
    let same = mode.clone();
    Mode {
        start: Box::new(move |_, _| mode.start(b"a nonce").unwrap()),
        seal: Box::new(move |aad, data| same.seal(b"a nonce", aad, data).unwrap().to_vec()),
    }
}

fn gcm() -> Mode<Gcm> {
    let mode = Gcm::with_tag_bytes(&cipher(), 13).unwrap();
    let same = mode.clone();
    Mode {
        start: Box::new(move |_, _| mode.start(b"a nonce").unwrap()),
        seal: Box::new(move |aad, data| same.seal(b"a nonce", aad, data).unwrap().to_vec()),
    }
}

fn ccm() -> Mode<Ccm> {
    let mode = Ccm::with_tag_bytes(&cipher(), 10).unwrap();
    let same = mode.clone();
    Mode {
        start: Box::new(move |aad_bytes, n_bytes| {
            mode.start(b"a nonce", aad_bytes, n_bytes).unwrap()
        }),
        seal: Box::new(move |aad, data| same.seal(b"a nonce", aad, data).unwrap().to_vec()),
    }
}

fn des() -> Des {
    Des::new(&[0x13; 24]).unwrap()
}

/// The message after its associated data, which comes in two pieces.
fn with_aad<M: Pieces>(mode: &Mode<M>, aad: &[u8], n_bytes: usize) -> Message<M> {
    let mut message = (mode.start)(aad.len() as u64, n_bytes as u64);
    let (first, second) = aad.split_at(aad.len() / 3);
    message.aad(first).unwrap();
    message.aad(second).unwrap();
    message
}

/// Encrypts and decrypts `data` with cuts after every `step` bytes, in place and apart, and compares.
fn in_pieces<M: Pieces>(mode: &Mode<M>, aad: &[u8], data: &[u8], step: usize) {
    let mut sealed = data.to_vec();
    let tag = (mode.seal)(aad, &mut sealed);
    let last = data.len() / step * step;

    let mut text = data.to_vec();
    let mut encryptor = with_aad(mode, aad, data.len()).encryptor();
    text[..last].chunks_mut(step).for_each(|piece| encryptor.update(piece).unwrap());
    let found = encryptor.finish(&mut text[last..]).unwrap();
    assert_eq!((&text, &*found), (&sealed, &tag[..]));

    let mut decryptor = with_aad(mode, aad, data.len()).decryptor();
    text[..last].chunks_mut(step).for_each(|piece| decryptor.update(piece).unwrap());
    decryptor.finish(&mut text[last..], &tag).unwrap();
    assert_eq!(text, data);

    let mut out = vec![0; data.len()];
    let mut encryptor = with_aad(mode, aad, data.len()).encryptor();
    for (out, piece) in out[..last].chunks_mut(step).zip(data[..last].chunks(step)) {
        encryptor.update_to(out, piece).unwrap();
    }
    assert_eq!(&*encryptor.finish_to(&mut out[last..], &data[last..]).unwrap(), &tag[..]);
    assert_eq!(out, sealed);

    let mut decryptor = with_aad(mode, aad, data.len()).decryptor();
    for (out, piece) in out[..last].chunks_mut(step).zip(sealed[..last].chunks(step)) {
        decryptor.update_to(out, piece).unwrap();
    }
    decryptor.finish_to(&mut out[last..], &sealed[last..], &tag).unwrap();
    assert_eq!(out, data);
}

/// OCB with cuts anywhere: what comes out lags behind.
fn at_any_length(aad: &[u8], data: &[u8], step: usize) {
    let mut sealed = data.to_vec();
    let tag = (ocb().seal)(aad, &mut sealed);

    let (mut out, mut done) = (vec![0; data.len()], 0);
    let mut encryptor = with_aad(&ocb(), aad, data.len()).encryptor();
    for piece in data.chunks(step) {
        done += encryptor.update_to(&mut out[done..], piece).unwrap();
        assert_eq!(done % 16, 0);
    }
    assert_eq!(encryptor.held_bytes(), data.len() % 16);
    let last = encryptor.held_bytes();
    assert_eq!(&*encryptor.finish_to(&mut out[done..done + last], &[]).unwrap(), &tag[..]);
    assert_eq!(out, sealed);

    let mut decryptor = with_aad(&ocb(), aad, data.len()).decryptor();
    done = 0;
    for piece in sealed.chunks(step) {
        done += decryptor.update_to(&mut out[done..], piece).unwrap();
    }
    decryptor.finish_to(&mut out[done..], &[], &tag).unwrap();
    assert_eq!(out, data);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn pieces_make_the_same_message(
        aad in proptest::collection::vec(any::<u8>(), 0..70),
        data in proptest::collection::vec(any::<u8>(), 0..2000),
        step in 1..90usize,
    ) {
        in_pieces(&ocb(), &aad, &data, step * 16);
        at_any_length(&aad, &data, step);
        in_pieces(&eax(&cipher()), &aad, &data, step);
        in_pieces(&eax(&des()), &aad, &data, step);
        in_pieces(&gcm(), &aad, &data, step);
        in_pieces(&ccm(), &aad, &data, step);
    }
}

/// The end of the text, and the tag later.
fn ends_before_the_tag<M: Pieces>(mode: &Mode<M>) {
    let (mut sealed, mut out) = ([9; 40], [0; 40]);
    let tag = (mode.seal)(b"", &mut sealed);

    let mut encryptor = (mode.start)(0, 40).encryptor();
    let done = encryptor.update_bytes(20);
    assert_eq!(encryptor.update_to(&mut out, &[9; 20]), Ok(done));
    assert_eq!(encryptor.last_to(&mut out[done..], &[9; 20]), Ok(40 - done));
    assert_eq!(&*encryptor.finish(&mut []).unwrap(), &tag[..]);
    assert_eq!(out, sealed);

    let mut decryptor = (mode.start)(0, 40).decryptor();
    decryptor.last(&mut out).unwrap();
    decryptor.finish(&mut [], &tag).unwrap();
    assert_eq!(out, [9; 40]);
}

#[test]
fn a_text_may_end_before_its_tag() {
    ends_before_the_tag(&ocb());
    ends_before_the_tag(&eax(&cipher()));
    ends_before_the_tag(&gcm());
    ends_before_the_tag(&ccm());

    let mut encryptor = (ocb().start)(0, 0).encryptor();
    encryptor.last(&mut [0; 5]).unwrap();
    assert_eq!(encryptor.update_to(&mut [0; 16], &[0; 16]), Err(Error::Ended));
    assert_eq!(encryptor.last(&mut [0; 1]), Err(Error::Ended));
    assert_eq!(encryptor.clone().finish(&mut [0; 1]).unwrap_err(), Error::Ended);
    encryptor.finish(&mut []).unwrap();
}

/// A changed bit in the tag, and what decryption leaves of the last piece.
fn refuses_a_wrong_tag<M: Pieces>(mode: &Mode<M>) {
    let mut data = *b"sixteen bytes, and some more";
    let mut tag = (mode.seal)(b"", &mut data);
    tag[0] ^= 0x80;
    let mut decryptor: Decryptor<M> = (mode.start)(0, 28).decryptor();
    decryptor.update(&mut data[..16]).unwrap();
    assert_eq!(decryptor.finish(&mut data[16..], &tag), Err(Error::Tag));
    assert_eq!(data[16..], [0; 12]);

    let decryptor = (mode.start)(0, 28).decryptor();
    let found = tag.len() - 1;
    let refused = decryptor.finish(&mut data, &tag[1..]).unwrap_err();
    assert!(matches!(refused, Error::TagLength { found: length, .. } if length == found));
}

#[test]
fn wrong_tags_are_refused() {
    refuses_a_wrong_tag(&ocb());
    refuses_a_wrong_tag(&eax(&cipher()));
    refuses_a_wrong_tag(&eax(&des()));
    refuses_a_wrong_tag(&gcm());
    refuses_a_wrong_tag(&ccm());
}

#[test]
fn wrong_lengths_are_refused() {
    let mut encryptor: Encryptor<Ocb> = (ocb().start)(0, 0).encryptor();
    let refused = encryptor.update(&mut [0; 17]);
    assert_eq!(refused, Err(Error::Length { block_bytes: 16, found: 17 }));
    let refused = encryptor.update_to(&mut [0; 16], &[0; 32]);
    assert_eq!(refused, Err(Error::Capacity { needed: 32, found: 16 }));
    let refused = (ocb().start)(0, 0).decryptor().update(&mut [0; 1]);
    assert_eq!(refused, Err(Error::Length { block_bytes: 16, found: 1 }));

    let nonce_length = |error| matches!(error, Error::NonceLength { .. });
    assert!(nonce_length(Ocb::new(&cipher()).start(&[0; 16]).unwrap_err()));
    assert!(nonce_length(Gcm::new(&cipher()).start(&[]).unwrap_err()));
}

/// In CCM, whose lengths come first.
#[test]
fn declared_lengths_are_kept() {
    let start = |aad_bytes, n_bytes| (ccm().start)(aad_bytes, n_bytes);
    assert_eq!(start(3, 4).aad(b"four"), Err(Error::MoreThanDeclared));
    assert_eq!(start(3, 4).encryptor().update(&mut [0; 4]), Err(Error::LessThanDeclared));
    assert_eq!(start(0, 4).encryptor().update(&mut [0; 5]), Err(Error::MoreThanDeclared));
    let refused = start(0, 4).encryptor().finish_to(&mut [0; 5], &[0; 5]).unwrap_err();
    assert_eq!(refused, Error::MoreThanDeclared);
    assert_eq!(start(0, 4).encryptor().finish(&mut [0; 3]).unwrap_err(), Error::LessThanDeclared);

    let too_long = Ccm::new(&cipher()).start(&[0; 13], 0, 1 << 16);
    assert_eq!(too_long.unwrap_err(), Error::TooLong);
    assert!(matches!(
        Ccm::new(&cipher()).start(&[0; 6], 0, 0),
        Err(Error::NonceLength { found: 6, .. })
    ));
}

/// After an error a message goes on as if nothing had been.
#[test]
fn a_refused_piece_changes_nothing() {
    let mut sealed = [5; 32];
    let tag = (ocb().seal)(b"", &mut sealed);
    let mut data = [5; 32];
    let mut encryptor = (ocb().start)(0, 0).encryptor();
    encryptor.update(&mut data[..16]).unwrap();
    encryptor.update(&mut data[16..31]).unwrap_err();
    assert_eq!(&*encryptor.finish(&mut data[16..]).unwrap(), &tag[..]);
    assert_eq!(data, sealed);
}

#[test]
fn debug_names_no_secret() {
    let text = format!("{:?}", (ocb().start)(0, 0));
    assert!(text.starts_with("Message { mode: \"OCB\", kernel: \""), "{text}");
    assert!(
        format!("{:?}", (gcm().start)(0, 0).encryptor()).starts_with("Encryptor { mode: \"GCM\"")
    );
    assert!(
        format!("{:?}", (eax(&des()).start)(0, 0).decryptor())
            .starts_with("Decryptor { mode: \"EAX\"")
    );
}
