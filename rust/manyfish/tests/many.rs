// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Many messages at once give what the functions for one message give: any mixture of lengths, some of them with
//! faults, more than are worked on at a time, in place and apart.

use manyfish::many::{self, AT_A_TIME, Aead, Message};
use manyfish::modes::{Cfb, Ctr, Ofb, cbc};
use manyfish::{BlockCipher, Ccm, Cmac, Des, Eax, Error, Gcm, Ocb, Siv, Tag, Twofish};
use proptest::prelude::*;

type Outcome = Result<Vec<u8>, Error>;

/// A message, with room behind its text.
#[derive(Clone, Debug)]
struct Case {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
    tag: Vec<u8>,
}

fn bytes(n: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), n)
}

/// Nonces of a block, but sometimes of another length; texts of whole blocks every other time.
fn cases(n_bytes: usize, n: impl Into<prop::collection::SizeRange>) -> BoxedStrategy<Vec<Case>> {
    let whole = (0_usize..9).prop_flat_map(move |n| bytes(n * n_bytes..=n * n_bytes));
    let nonce = prop_oneof![20 => bytes(n_bytes..=n_bytes), 1 => bytes(0..=n_bytes)];
    let text = prop_oneof![5 => bytes(0..100), 5 => whole, 1 => bytes(1000..3000)];
    let case = (nonce, bytes(0..40), text).prop_map(|(nonce, aad, text)| Case {
        nonce,
        aad,
        text,
        tag: Vec::new(),
    });
    prop::collection::vec(case, n).boxed()
}

/// All the lengths of one call: more messages than are worked on at a time.
fn long_list(block_bytes: usize) -> Vec<Case> {
    let bytes =
        |i: usize, n| (0..n).map(|j| (i * 31 + j * 7).to_le_bytes()[0]).collect::<Vec<u8>>();
    let case = |i: usize| Case {
        nonce: bytes(i, if i % 97 == 5 { 3 } else { block_bytes }),
        aad: bytes(i, i % 23),
        text: bytes(i, i % 61 * if i.is_multiple_of(3) { block_bytes } else { 1 }),
        tag: Vec::new(),
    };
    (0..2 * AT_A_TIME + 100).map(case).collect()
}

fn block<C: BlockCipher>(_: &C, nonce: &[u8]) -> Option<C::Block> {
    let mut block = C::Block::default();
    (nonce.len() == C::BLOCK_BYTES).then(|| block.as_mut().copy_from_slice(nonce))?;
    Some(block)
}

/// Messages in place and from one buffer to another, by turns.
fn compare(
    what: &str,
    cases: &[Case],
    room: usize,
    crypt: impl Fn(&mut dyn Iterator<Item = Message<'_>>) -> Vec<Outcome>,
    one: impl Fn(&Case) -> Outcome,
) {
    let mut outs: Vec<Vec<u8>> = cases.iter().map(|case| case.text.clone()).collect();
    for out in &mut outs {
        out.resize(out.len() + room, 0);
    }
    let mut messages = outs.iter_mut().zip(cases).enumerate().map(|(i, (out, case))| {
        let message = if i % 2 == 0 {
            Message::in_room(&case.nonce, out, case.text.len())
        } else {
            Message::copying(&case.nonce, out, &case.text)
        };
        message.unwrap().aad(&case.aad).tag(&case.tag)
    });
    let found = crypt(&mut messages);
    assert_eq!(found.len(), cases.len());
    for (case, found) in cases.iter().zip(found) {
        assert_eq!(found, one(case), "{what}: {case:?}");
    }
}

fn owned<'a>(results: impl Iterator<Item = Result<&'a mut [u8], Error>>) -> Vec<Outcome> {
    results.map(|result| result.map(|text| text.to_vec())).collect()
}

/// The error of an IV that is no block.
fn no_iv(mode: &'static str, case: &Case) -> Error {
    Error::NonceLength { mode, allowed: "an IV of a block", found: case.nonce.len() }
}

type One<'a, C> = &'a dyn Fn(&mut <C as BlockCipher>::Block, &mut Vec<u8>) -> Result<(), Error>;

fn bare_modes<C: BlockCipher>(cipher: &C, cases: &[Case]) {
    let with_iv = |mode, case: &Case, crypt: One<C>| {
        let mut iv = block(cipher, &case.nonce).ok_or_else(|| no_iv(mode, case))?;
        let mut text = case.text.clone();
        crypt(&mut iv, &mut text)?;
        Ok(text)
    };
    let bits = 8 * u32::try_from(C::BLOCK_BYTES).unwrap();

    compare(
        "cbc_encrypt",
        cases,
        0,
        |m| owned(many::cbc_encrypt(cipher, m)),
        |case| with_iv("CBC", case, &|iv, text| cbc::encrypt(cipher, iv, text)),
    );
    compare(
        "cbc_decrypt",
        cases,
        0,
        |m| owned(many::cbc_decrypt(cipher, m)),
        |case| with_iv("CBC", case, &|iv, text| cbc::decrypt(cipher, iv, text)),
    );
    compare(
        "cbc_encrypt_padded",
        cases,
        16,
        |m| owned(many::cbc_encrypt_padded(cipher, m)),
        |case| with_iv("CBC", case, &|iv, text| cbc::encrypt_padded(cipher, iv, text)),
    );
    compare(
        "cfb_encrypt",
        cases,
        0,
        |m| owned(many::cfb_encrypt(cipher, m)),
        |case| with_iv("CFB", case, &|iv, text| Cfb::new(cipher, iv, bits)?.encrypt(text)),
    );
    compare(
        "cfb_decrypt",
        cases,
        0,
        |m| owned(many::cfb_decrypt(cipher, m)),
        |case| with_iv("CFB", case, &|iv, text| Cfb::new(cipher, iv, bits)?.decrypt(text)),
    );
    compare(
        "ofb_crypt",
        cases,
        0,
        |m| owned(many::ofb_crypt(cipher, m)),
        |case| with_iv("OFB", case, &|iv, text| Ofb::new(cipher, iv)?.crypt(text)),
    );
    for bits in [32, bits] {
        compare(
            "ctr_crypt",
            cases,
            0,
            |m| owned(many::ctr_crypt(cipher, bits, m).unwrap()),
            |case| with_iv("CTR", case, &|iv, text| Ctr::new(cipher, iv, bits)?.crypt(text)),
        );
    }
}

/// Some of the messages are what the padding came from; the others have wrong padding, as a rule.
fn unpadding<C: BlockCipher>(cipher: &C, cases: &[Case]) {
    let mut cases = cases.to_vec();
    for case in cases.iter_mut().step_by(2) {
        if let Some(mut iv) = block(cipher, &case.nonce) {
            cbc::encrypt_padded(cipher, &mut iv, &mut case.text).unwrap();
        }
    }
    compare(
        "cbc_decrypt_padded",
        &cases,
        0,
        |m| owned(many::cbc_decrypt_padded(cipher, m)),
        |case| {
            let mut iv = block(cipher, &case.nonce).ok_or_else(|| no_iv("CBC", case))?;
            let mut text = case.text.clone();
            cbc::decrypt_padded(cipher, &mut iv, &mut text)?;
            Ok(text)
        },
    );
}

type Seal<'a> = &'a dyn Fn(&Case, &mut [u8]) -> Result<Vec<u8>, Error>;
type Open<'a> = &'a dyn Fn(&Case, &mut [u8]) -> Result<(), Error>;

/// One tag in three is wrong, and one in seven too short.
fn authenticated<M: Aead>(what: &str, mode: &M, cases: &[Case], seal: Seal, open: Open) {
    let sealed = |messages: &mut dyn Iterator<Item = Message<'_>>| {
        let joined = |(text, tag): (&mut [u8], Tag)| [&*text, &*tag].concat();
        many::seal(mode, messages).map(|result| result.map(joined)).collect()
    };
    compare(what, cases, 0, sealed, |case| {
        let mut text = case.text.clone();
        let tag = seal(case, &mut text)?;
        Ok([text, tag].concat())
    });
    let mut cases = cases.to_vec();
    for (i, case) in cases.iter_mut().enumerate() {
        case.tag = seal(&case.clone(), &mut case.text).unwrap_or_default();
        if let (true, Some(byte)) = (i.is_multiple_of(3), case.tag.first_mut()) {
            *byte ^= 1;
        }
        if i % 7 == 1 {
            case.tag.pop();
        }
    }
    compare(
        what,
        &cases,
        0,
        |m| owned(many::open(mode, m)),
        |case| {
            let mut text = case.text.clone();
            open(case, &mut text).map(|()| text)
        },
    );
}

/// A mode whose functions take tags of any length, with tags of `tag_bytes`.
macro_rules! compare_mode {
    ($mode:expr, $cases:expr) => {
        authenticated(
            stringify!($mode),
            $mode,
            $cases,
            &|case, text| $mode.seal(&case.nonce, &case.aad, text).map(|tag| tag.to_vec()),
            &|case, text| $mode.open(&case.nonce, &case.aad, text, &case.tag),
        )
    };
}

/// A tag of 16 bytes, or the error that `many::open` has for others.
fn whole_tag(mode: &'static str, case: &Case) -> Result<[u8; 16], Error> {
    case.tag.as_slice().try_into().map_err(|_| Error::TagLength {
        mode,
        allowed: manyfish::Name::from("16"),
        found: case.tag.len(),
    })
}

fn authenticated_modes(cipher: &Twofish, cases: &[Case]) {
    let siv = Siv::new(cipher, &Twofish::new(&[3; 24]).unwrap());
    let (ocb, gcm) = (Ocb::new(cipher), Gcm::with_tag_bytes(cipher, 13).unwrap());
    let ccm = Ccm::with_tag_bytes(cipher, 8).unwrap();
    compare_mode!(&gcm, cases);
    // OCB and CCM have no nonces of 16 bytes.
    let mut cases = cases.to_vec();
    for case in &mut cases {
        case.nonce.truncate(12);
    }
    let cases = &cases;
    compare_mode!(&ccm, cases);
    authenticated(
        "OCB",
        &ocb,
        cases,
        &|case, text| Ok(ocb.seal(&case.nonce, &case.aad, text)?.to_vec()),
        &|case, text| ocb.open(&case.nonce, &case.aad, text, &whole_tag("OCB", case)?),
    );
    authenticated(
        "SIV",
        &siv,
        cases,
        &|case, text| Ok(siv.seal(&case.nonce, &[&case.aad], text)?.to_vec()),
        &|case, text| siv.open(&case.nonce, &[&case.aad], text, &whole_tag("SIV", case)?),
    );
}

/// EAX and CMAC, which all ciphers have.
fn with_any_cipher<C: BlockCipher>(cipher: &C, cases: &[Case]) {
    let eax = Eax::with_tag_bytes(cipher, C::BLOCK_BYTES - 1).unwrap();
    compare_mode!(&eax, cases);

    let cmac = Cmac::with_tag_bytes(cipher, C::BLOCK_BYTES / 2).unwrap();
    let tag_of = |text: &[u8]| {
        let mut one = cmac.clone();
        one.update(text).unwrap();
        one.finish()
    };
    let texts = || cases.iter().map(|case| Message::read(&case.text));
    let mut tags: Vec<_> = many::cmac(&cmac, texts()).map(|tag| tag.unwrap().to_vec()).collect();
    for (i, (tag, case)) in tags.iter_mut().zip(cases).enumerate() {
        assert_eq!(tag[..], *tag_of(&case.text), "CMAC: {case:?}");
        match i % 5 {
            0 => tag[i % C::BLOCK_BYTES / 2] ^= 0x80,
            1 => tag.truncate(1),
            _ => {}
        }
    }
    let messages = texts().zip(&tags).map(|(message, tag)| message.tag(tag));
    for (i, found) in many::cmac_verify(&cmac, messages).enumerate() {
        match i % 5 {
            0 => assert_eq!(found, Err(Error::Tag)),
            1 => assert!(matches!(found, Err(Error::TagLength { found: 1, .. }))),
            _ => assert_eq!(found, Ok(())),
        }
    }
}

fn all_of_twofish(cipher: &Twofish, cases: &[Case]) {
    bare_modes(cipher, cases);
    unpadding(cipher, cases);
    authenticated_modes(cipher, cases);
    with_any_cipher(cipher, cases);
}

fn all_of_des(cipher: &Des, cases: &[Case]) {
    bare_modes(cipher, cases);
    unpadding(cipher, cases);
    with_any_cipher(cipher, cases);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn mixtures_under_twofish(key: [u8; 32], cases in cases(16, 0..150)) {
        all_of_twofish(&Twofish::new(&key).unwrap(), &cases);
    }

    #[test]
    fn mixtures_under_triple_des(key: [u8; 24], cases in cases(8, 0..150)) {
        all_of_des(&Des::new(&key).unwrap(), &cases);
    }
}

#[test]
fn more_messages_than_are_worked_on_at_a_time() {
    all_of_twofish(&Twofish::new(&[7; 24]).unwrap(), &long_list(16));
    all_of_des(&Des::new(&[0x13; 8]).unwrap(), &long_list(8));
}

#[test]
fn no_messages() {
    let cipher = Twofish::new(&[7; 16]).unwrap();
    assert_eq!(many::cbc_encrypt(&cipher, []).count(), 0);
    assert_eq!(many::seal(&Ocb::new(&cipher), []).count(), 0);
}

/// Results come out as messages go in, so that the memory is the same for any number of them.
#[test]
fn messages_are_taken_as_results_are() {
    let (cipher, iv) = (Twofish::new(&[7; 16]).unwrap(), [0; 16]);
    let taken = std::cell::Cell::new(0);
    let mut records = vec![[0; 16]; 3 * AT_A_TIME];
    let messages = records.iter_mut().map(|record| {
        taken.set(taken.get() + 1);
        Message::in_place(&iv, record)
    });
    let mut results = many::cbc_encrypt(&cipher, messages);
    assert_eq!(taken.get(), 0);
    for n in 1..=2 {
        assert!(results.nth(AT_A_TIME - 1).unwrap().is_ok());
        assert_eq!(taken.get(), n * AT_A_TIME);
    }
}

#[test]
fn what_is_refused() {
    let (cipher, iv, text) = (Twofish::new(&[7; 16]).unwrap(), [0; 16], [0; 20]);
    let capacity = |needed, found| Error::Capacity { needed, found };
    assert_eq!(Message::copying(&iv, &mut [0; 19], &text).unwrap_err(), capacity(20, 19));
    assert_eq!(Message::in_room(&iv, &mut [0; 19], 20).unwrap_err(), capacity(20, 19));
    let mut data = [0; 20];
    let refused = many::cbc_encrypt_padded(&cipher, [Message::in_place(&iv, &mut data)]).next();
    assert_eq!(refused.unwrap().unwrap_err(), capacity(32, 20));
    let refused = many::ofb_crypt(&cipher, [Message::read(&text)]).next();
    assert_eq!(refused.unwrap().unwrap_err(), capacity(20, 0));
    let refused = many::ctr_crypt(&cipher, 64, []).map(drop);
    assert_eq!(refused, Err(Error::CounterBits { block_bits: 128, found: 64 }));
}

#[test]
fn a_wrong_tag_wipes_its_message_alone() {
    let (ocb, nonce) = (Ocb::new(&Twofish::new(&[7; 16]).unwrap()), [1; 12]);
    let mut records = [[5; 40]; 300];
    let sealed =
        many::seal(&ocb, records.iter_mut().map(|record| Message::in_place(&nonce, record)));
    let mut tags: Vec<_> = sealed.map(|sealed| sealed.unwrap().1.to_vec()).collect();
    tags[77][15] ^= 1;
    let messages = records.iter_mut().zip(&tags);
    let messages = messages.map(|(record, tag)| Message::in_place(&nonce, record).tag(tag));
    let wrong: Vec<_> = many::open(&ocb, messages).map(Result::err).collect();
    for (i, (record, error)) in records.iter().zip(wrong).enumerate() {
        let expected = if i == 77 { (Some(Error::Tag), [0; 40]) } else { (None, [5; 40]) };
        assert_eq!((error, *record), expected, "{i}");
    }
}
