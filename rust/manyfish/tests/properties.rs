// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! True for all keys and messages: every kernel gives what "zero" gives, what is encrypted
//! comes back, pieces make the whole, and a changed message does not open.

mod common;

use common::for_each_kernel;
use manyfish::modes::{Cfb, Ctr, Ofb, Xts, cbc, cts, ecb};
use manyfish::{Ccm, Cmac, Eax, Error, Gcm, Ocb, Siv, Twofish};
use proptest::prelude::*;

fn keys() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![Just(16), Just(24), Just(32)].prop_flat_map(|n_bytes| bytes(n_bytes..=n_bytes))
}

fn bytes(n_bytes: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), n_bytes)
}

fn blocks() -> impl Strategy<Value = Vec<u8>> {
    (1_usize..=40).prop_flat_map(|n_blocks| bytes(16 * n_blocks..=16 * n_blocks))
}

type Seal<'a> = &'a dyn Fn(&mut [u8]) -> Vec<u8>;
type Open<'a> = &'a dyn Fn(&mut [u8], &[u8]) -> Result<(), Error>;

proptest! {
    #[test]
    fn kernels_agree(key in keys(), data in blocks()) {
        let zero = Twofish::with_kernel("zero", &key).unwrap();
        let mut expected = data.clone();
        zero.encrypt_blocks(&mut expected).unwrap();
        for_each_kernel(|kernel| {
            let cipher = Twofish::with_kernel(kernel.name, &key).unwrap();
            let mut found = data.clone();
            cipher.encrypt_blocks(&mut found).unwrap();
            assert_eq!(found, expected, "{}", kernel.name);
            cipher.decrypt_blocks(&mut found).unwrap();
            assert_eq!(found, data, "{}", kernel.name);
        });
    }

    #[test]
    fn cbc_comes_back_in_pieces(key in keys(), data in blocks(), iv: [u8; 16], cut: usize) {
        let cipher = Twofish::new(&key).unwrap();
        let cut = 16 * (cut % (data.len() / 16 + 1));
        let mut whole = data.clone();
        cbc::encrypt(&cipher, &mut iv.clone(), &mut whole).unwrap();
        let (first, second) = whole.split_at_mut(cut);
        let mut chain = iv;
        cbc::decrypt(&cipher, &mut chain, first).unwrap();
        cbc::decrypt(&cipher, &mut chain, second).unwrap();
        prop_assert_eq!(whole, data);
    }

    #[test]
    fn padding_comes_off(key in keys(), data in bytes(0..100), iv: [u8; 16]) {
        let cipher = Twofish::new(&key).unwrap();
        let mut padded = data.clone();
        cbc::encrypt_padded(&cipher, &mut iv.clone(), &mut padded).unwrap();
        prop_assert!(padded.len() > data.len() && padded.len() <= data.len() + 16);
        cbc::decrypt_padded(&cipher, &mut iv.clone(), &mut padded).unwrap();
        prop_assert_eq!(&padded, &data);
        cbc::encrypt_iso_padded(&cipher, &mut iv.clone(), &mut padded).unwrap();
        let mut by_hand = [&data[..], &[0x80]].concat();
        by_hand.resize(padded.len(), 0);
        cbc::encrypt(&cipher, &mut iv.clone(), &mut by_hand).unwrap();
        prop_assert_eq!(&padded, &by_hand);
        cbc::decrypt_iso_padded(&cipher, &mut iv.clone(), &mut padded).unwrap();
        prop_assert_eq!(padded, data);
    }

    #[test]
    fn ctr_pieces_make_the_whole(
        key in keys(),
        data in bytes(0..300),
        start: [u8; 16],
        bits in prop_oneof![Just(32), Just(128)],
        cut: usize,
    ) {
        let cipher = Twofish::new(&key).unwrap();
        let mut pieces = data.clone();
        let (first, second) = pieces.split_at_mut(cut % (data.len() + 1));
        let mut stream = Ctr::new(&cipher, &start, bits).unwrap();
        stream.crypt(first).unwrap();
        stream.crypt(second).unwrap();
        Ctr::new(&cipher, &start, bits).unwrap().crypt(&mut pieces).unwrap();
        prop_assert_eq!(pieces, data);
    }

    #[test]
    fn a_changed_message_does_not_open(
        key in keys(),
        nonce in bytes(1..=15),
        aad in bytes(0..50),
        data in bytes(1..300),
        place: usize,
        change in 1..=u8::MAX,
    ) {
        let ocb = Ocb::new(&Twofish::new(&key).unwrap());
        let mut sealed = data.clone();
        let tag = ocb.seal(&nonce, &aad, &mut sealed).unwrap();
        let place = place % data.len();
        let mut changed = sealed.clone();
        changed[place] ^= change;
        prop_assert_eq!(ocb.open(&nonce, &aad, &mut changed, &tag), Err(Error::Tag));
        prop_assert!(changed.iter().all(|byte| *byte == 0), "nothing is released");
        prop_assert_eq!(ocb.open(&nonce, b"other", &mut sealed.clone(), &tag), Err(Error::Tag));
        ocb.open(&nonce, &aad, &mut sealed, &tag).unwrap();
        prop_assert_eq!(sealed, data);
    }

    #[test]
    fn cfb_pieces_make_the_whole(
        key in keys(),
        data in bytes(0..300),
        iv: [u8; 16],
        bits in prop_oneof![Just(1), Just(8), Just(128)],
        cut: usize,
    ) {
        let cipher = Twofish::new(&key).unwrap();
        let mut whole = data.clone();
        Cfb::new(&cipher, &iv, bits).unwrap().encrypt(&mut whole).unwrap();
        let mut pieces = data.clone();
        let (first, second) = pieces.split_at_mut(cut % (data.len() + 1));
        let mut message = Cfb::new(&cipher, &iv, bits).unwrap();
        message.encrypt(first).unwrap();
        message.encrypt(second).unwrap();
        prop_assert_eq!(&pieces, &whole);
        let (first, second) = pieces.split_at_mut(cut % (data.len() + 1));
        let mut message = Cfb::new(&cipher, &iv, bits).unwrap();
        message.decrypt(first).unwrap();
        message.decrypt(second).unwrap();
        prop_assert_eq!(pieces, data);
    }

    #[test]
    fn ofb_pieces_make_the_whole(key in keys(), data in bytes(0..300), iv: [u8; 16], cut: usize) {
        let cipher = Twofish::new(&key).unwrap();
        let mut pieces = data.clone();
        let (first, second) = pieces.split_at_mut(cut % (data.len() + 1));
        let mut stream = Ofb::new(&cipher, &iv).unwrap();
        stream.crypt(first).unwrap();
        stream.crypt(second).unwrap();
        Ofb::new(&cipher, &iv).unwrap().crypt(&mut pieces).unwrap();
        prop_assert_eq!(pieces, data);
    }

    #[test]
    fn stealing_comes_back(key in keys(), data in bytes(16..300), iv: [u8; 16]) {
        let cipher = Twofish::new(&key).unwrap();
        for variant in [cts::Variant::Cs1, cts::Variant::Cs2, cts::Variant::Cs3] {
            let mut found = data.clone();
            cts::encrypt(&cipher, variant, &iv, &mut found).unwrap();
            prop_assert_ne!(&found, &data);
            cts::decrypt(&cipher, variant, &iv, &mut found).unwrap();
            prop_assert_eq!(&found, &data);
        }
    }

    /// Sectors are what units are under the sector's number as a tweak.
    #[test]
    fn sectors_are_units(
        key in bytes(64),
        sector_bytes in 16_usize..100,
        n_sectors in 0_usize..20,
        first: u32,
        fill: u8,
    ) {
        let xts = Xts::from_key(&key).unwrap();
        let data = vec![fill; sector_bytes * n_sectors];
        let mut sectors = data.clone();
        xts.encrypt_sectors(first.into(), sector_bytes, &mut sectors).unwrap();
        let mut units = data.clone();
        for (number, unit) in (u128::from(first)..).zip(units.chunks_mut(sector_bytes)) {
            xts.encrypt(&number.to_le_bytes(), unit).unwrap();
        }
        prop_assert_eq!(&sectors, &units);
        for (number, unit) in (u128::from(first)..).zip(units.chunks_mut(sector_bytes)) {
            xts.decrypt(&number.to_le_bytes(), unit).unwrap();
        }
        prop_assert_eq!(&units, &data);
        xts.decrypt_sectors(first.into(), sector_bytes, &mut sectors).unwrap();
        prop_assert_eq!(sectors, data);
    }

    #[test]
    fn cmac_pieces_make_the_whole(key in keys(), data in bytes(0..300), cut: usize) {
        let mut cmac = Cmac::new(&Twofish::new(&key).unwrap());
        cmac.update(&data).unwrap();
        let whole = cmac.finish();
        let (first, second) = data.split_at(cut % (data.len() + 1));
        cmac.update(first).unwrap();
        cmac.update(second).unwrap();
        prop_assert_eq!(cmac.verify(&whole), Ok(()));
        cmac.update(&data).unwrap();
        cmac.update(b".").unwrap();
        prop_assert_eq!(cmac.verify(&whole), Err(Error::Tag));
    }

    #[test]
    fn no_mode_opens_a_changed_message(
        key in bytes(32),
        nonce in bytes(7..=13),
        aad in bytes(0..50),
        data in bytes(1..300),
        place: usize,
        change in 1..=u8::MAX,
    ) {
        let cipher = Twofish::new(&key).unwrap();
        let (eax, gcm, ccm) = (Eax::new(&cipher), Gcm::new(&cipher), Ccm::new(&cipher));
        let siv = Siv::new(&cipher, &Twofish::new(&key[..16]).unwrap());
        let seals: [Seal; 4] = [
            &|data| eax.seal(&nonce, &aad, data).unwrap().to_vec(),
            &|data| gcm.seal(&nonce, &aad, data).unwrap().to_vec(),
            &|data| ccm.seal(&nonce, &aad, data).unwrap().to_vec(),
            &|data| siv.seal(&nonce, &[&aad], data).unwrap().to_vec(),
        ];
        let opens: [Open; 4] = [
            &|data, tag| eax.open(&nonce, &aad, data, tag),
            &|data, tag| gcm.open(&nonce, &aad, data, tag),
            &|data, tag| ccm.open(&nonce, &aad, data, tag),
            &|data, tag| siv.open(&nonce, &[&aad], data, tag.try_into().unwrap()),
        ];
        for (seal, open) in seals.into_iter().zip(opens) {
            let mut sealed = data.clone();
            let tag = seal(&mut sealed);
            let mut changed = sealed.clone();
            changed[place % data.len()] ^= change;
            prop_assert_eq!(open(&mut changed, &tag), Err(Error::Tag));
            prop_assert!(changed.iter().all(|byte| *byte == 0), "nothing is released");
            open(&mut sealed, &tag).unwrap();
            prop_assert_eq!(&sealed, &data);
        }
    }

    #[test]
    fn partial_blocks_are_refused_untouched(key in keys(), data in bytes(1..100)) {
        prop_assume!(data.len() % 16 != 0);
        let cipher = Twofish::new(&key).unwrap();
        let refused = Err(Error::Length { block_bytes: 16, found: data.len() });
        let mut same = data.clone();
        prop_assert_eq!(cipher.encrypt_blocks(&mut same), refused.clone());
        prop_assert_eq!(cipher.decrypt_blocks(&mut same), refused.clone());
        prop_assert_eq!(ecb::encrypt(&cipher, &mut same), refused.clone());
        prop_assert_eq!(cbc::decrypt(&cipher, &mut [0; 16], &mut same), refused);
        prop_assert_eq!(same, data);
    }
}
