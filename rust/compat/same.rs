// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Ours beside theirs, for each generation of the traits: published-*/tests/same.rs names the traits, whose names
// have changed.

use std::fmt;

use cipher::consts::{U8, U16};
use cipher::zeroize::ZeroizeOnDrop;
use cipher::{AlgorithmName, InvalidLength, KeyInit};

use super::{Block, Decrypt, Encrypt};

/// Octets that are the same in each run: a linear congruential generator by its high bits.
struct Octets(u64);

impl Octets {
    fn next(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0.to_be_bytes()[0]
    }

    fn take(&mut self, n_octets: usize) -> Vec<u8> {
        (0..n_octets).map(|_| self.next()).collect()
    }

    fn block<B: AsMut<[u8]> + Default>(&mut self) -> B {
        let mut block = B::default();
        block.as_mut().fill_with(|| self.next());
        block
    }
}

/// Neither one block nor the number that a mode hands on at a time, nor what is left of it, may make a difference.
const BLOCKS: [usize; 9] = [1, 2, 3, 63, 64, 65, 129, 300, 600];

/// The same octets for the same keys, by each way that the traits have, and the same lengths of keys.
macro_rules! same_results {
    ($test:ident, $ours:ty, $theirs:ty, $block:ty, $key_octets:expr) => {
        #[test]
        fn $test() {
            let mut octets = Octets(0x1998);
            for (key_octets, n_blocks) in
                $key_octets.iter().flat_map(|&key| BLOCKS.map(|blocks| (key, blocks)))
            {
                let key = octets.take(key_octets);
                let ours = <$ours>::new_from_slice(&key).unwrap();
                let theirs = <$theirs>::new_from_slice(&key).unwrap();
                let plain: Vec<Block<$block>> = (0..n_blocks).map(|_| octets.block()).collect();

                let (mut found, mut expected) = (plain.clone(), plain.clone());
                ours.clone().encrypt_blocks(&mut found);
                theirs.encrypt_blocks(&mut expected);
                assert_eq!(found, expected);

                let mut back = plain.clone();
                ours.decrypt_blocks_b2b(&found, &mut back).unwrap();
                assert_eq!(back, plain);
                ours.decrypt_blocks(&mut found);
                assert_eq!(found, plain);

                for block in &mut found {
                    ours.encrypt_block(block);
                }
                assert_eq!(found, expected);
                for block in &mut found {
                    ours.decrypt_block(block);
                }
                assert_eq!(found, plain);
            }
            for n_octets in 0..=40 {
                let key = vec![0x5A; n_octets];
                let expected: Result<(), InvalidLength> =
                    <$theirs>::new_from_slice(&key).map(|_| ());
                assert_eq!(<$ours>::new_from_slice(&key).map(|_| ()).is_ok(), expected.is_ok());
            }
        }
    };
}

same_results!(twofish, twofish::Twofish, published_twofish::Twofish, U16, [16, 24, 32]);
same_results!(des, des::Des, published_des::Des, U8, [8]);
same_results!(tdes_ede2, des::TdesEde2, published_des::TdesEde2, U8, [16]);
same_results!(tdes_ede3, des::TdesEde3, published_des::TdesEde3, U8, [24]);
same_results!(tdes_eee2, des::TdesEee2, published_des::TdesEee2, U8, [16]);
same_results!(tdes_eee3, des::TdesEee3, published_des::TdesEee3, U8, [24]);

/// A wrong length is the error of the traits, with its own words.
#[test]
fn a_wrong_length_of_a_key_is_invalid_length() {
    let error: InvalidLength = twofish::Twofish::new_from_slice(&[0; 20]).unwrap_err();
    assert_eq!(
        error.to_string(),
        published_twofish::Twofish::new_from_slice(&[0; 20]).unwrap_err().to_string()
    );
    let _: InvalidLength = des::TdesEde3::new_from_slice(&[0; 16]).unwrap_err();
}

/// The name of an algorithm by its trait.
struct Name<C>(std::marker::PhantomData<C>);

impl<C: AlgorithmName> fmt::Display for Name<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        C::write_alg_name(f)
    }
}

fn name<C: AlgorithmName>() -> String {
    Name::<C>(std::marker::PhantomData).to_string()
}

/// Traits that a program with theirs may use beside the ciphers.
fn traits_of<
    C: AlgorithmName + Clone + fmt::Debug + Send + Sync + Unpin + ZeroizeOnDrop + 'static,
>() -> String {
    name::<C>()
}

#[test]
fn names_and_traits_are_the_same() {
    assert_eq!(traits_of::<twofish::Twofish>(), name::<published_twofish::Twofish>());
    assert_eq!(traits_of::<des::Des>(), name::<published_des::Des>());
    assert_eq!(traits_of::<des::TdesEde2>(), name::<published_des::TdesEde2>());
    assert_eq!(traits_of::<des::TdesEde3>(), name::<published_des::TdesEde3>());
    assert_eq!(traits_of::<des::TdesEee2>(), name::<published_des::TdesEee2>());
    assert_eq!(traits_of::<des::TdesEee3>(), name::<published_des::TdesEee3>());
}

#[test]
fn debug_shows_no_key() {
    let (ours, theirs) = ([0x33; 32], [0x33; 32]);
    let ours = twofish::Twofish::new_from_slice(&ours).unwrap();
    let theirs = published_twofish::Twofish::new_from_slice(&theirs).unwrap();
    assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
    let ours = des::Des::new_from_slice(&[0x33; 8]).unwrap();
    let theirs = published_des::Des::new_from_slice(&[0x33; 8]).unwrap();
    assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
}
