// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! LRW: each block is masked, before and after the cipher, by the product of a second key and its index \[LRW\]. Withdrawn
//! for XTS, since a disk that holds this key gives it away.

use manyfish::BLOCK_BYTES;
use zeroize::Zeroizing;

use crate::blocks::Blocks;
use crate::sectors::xor;

const BITS: usize = 128;
/// x^128 = x^7 + x^2 + x + 1
const REDUCTION: u128 = 0x87;

/// A cipher in LRW with both keys.
pub struct Lrw<B> {
    cipher: B,
    /// The products of the second key and 1, 11, 111 ... in binary.
    products: Zeroizing<Vec<u128>>,
}

impl<B: Blocks> Lrw<B> {
    pub fn new(cipher: B, tweak_key: [u8; BLOCK_BYTES]) -> Self {
        let mut power = u128::from_be_bytes(tweak_key);
        let mut sum = 0;
        let products = (0..BITS).map(|_| {
            sum ^= power;
            power = double(power);
            sum
        });
        Self { cipher, products: Zeroizing::new(products.collect()) }
    }

    /// Encrypts whole blocks in place, whose indices count up from that of the first one.
    pub fn encrypt(&self, index: u128, data: &mut [u8]) {
        self.masked(index, data, B::encrypt);
    }

    /// Decrypts them.
    pub fn decrypt(&self, index: u128, data: &mut [u8]) {
        self.masked(index, data, B::decrypt);
    }

    fn masked(&self, index: u128, data: &mut [u8], work: impl FnOnce(&B, &mut [u8])) {
        let mut masks = Zeroizing::new(Vec::with_capacity(data.len()));
        let mut mask = self.product(index);
        for index in (0..(data.len() / BLOCK_BYTES) as u128).map(|i| index.wrapping_add(i)) {
            masks.extend_from_slice(&mask.to_be_bytes());
            // One more turns the ones at the end, and the zero before them.
            mask ^= self.products[index.trailing_ones().min(127) as usize];
        }
        xor(data, &masks);
        work(&self.cipher, data);
        xor(data, &masks);
    }

    /// Indices are no secrets.
    fn product(&self, index: u128) -> u128 {
        let power =
            |bit: usize| self.products[bit] ^ bit.checked_sub(1).map_or(0, |b| self.products[b]);
        (0..BITS).filter(|bit| index >> bit & 1 == 1).fold(0, |sum, bit| sum ^ power(bit))
    }
}

fn double(value: u128) -> u128 {
    value << 1 ^ REDUCTION & (value >> 127).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base16ct::upper::decode_vec;
    use manyfish::Twofish;

    fn decrypted(key: &str, index: u128, ct: &str) -> String {
        let key = decode_vec(key).unwrap();
        let (key, tweak_key) = key.split_at(key.len() - BLOCK_BYTES);
        let lrw = Lrw::new(Twofish::new(key).unwrap(), tweak_key.try_into().unwrap());
        let mut data = decode_vec(ct).unwrap();
        lrw.decrypt(index, &mut data);
        base16ct::upper::encode_string(&data)
    }

    /// The tests of Linux: key with second key, index, plaintext, ciphertext; of the last one, four blocks of 32.
    #[test]
    fn agrees_with_linux() {
        for (key, index, pt, ct) in CASES {
            assert_eq!(decrypted(key, index, ct), pt, "{index}");
        }
    }

    const CASES: [(&str, u128, &str, &str); 5] = [
        (
            "4562AC25F828176D4C268414B5680185258E2A05E73E9D03EE5A830CCC094C87",
            0x1,
            "30313233343536373839414243444546",
            "A16C506926A4EF7B7CC691EB72DD9BEE",
        ),
        (
            "D82A9134B26A565030FE69E2377F9847CDF90B160C648FB6B00D0D1BAE85871F",
            0x2_0000_0000,
            "30313233343536373839414243444546",
            "85A7566708FA42E122E682FCD9B4D7D4",
        ),
        (
            "8AD4EE102FBD81FFF886CEAC93C5ADC6A01907C09DF7BBDD5213B2B7F0FF11D8\
             D608D0CD2EB1176F",
            0x2_0000_0000,
            "30313233343536373839414243444546",
            "4A2356D7FF90D09A0D7C26FCF0F0F6E4",
        ),
        (
            "FB7615B23D80891DD470980BC79584C8B2FB64CE6097878D17FCE45A49E830B7\
             6E7817E72D5E12D46064047AF12F9E0C",
            0x2_0000_0000,
            "30313233343536373839414243444546",
            "DFCFDCD2E1CF867517665E0C14A13D40",
        ),
        (
            "F8D476FFD646EE6C2384CB1C77D6195DFEF1A9F37BBC8D21A79C21F8CB900289\
             A845348EC8C5B5F126F50E76FEFD1B1E",
            0x1,
            "0511B718ABC62DAC705DF62294CDE56C176BF61CF0F36EF850381F7149B657D6\
             8FCB8D6BE3A62990FE2A6282AE6D8BF6AD1E9E205F38BE04DA108EEDA2A487AB",
            "3038EBAF12431A8962A236E5CF771ED908C30DDD95AB1996275241C3CAFBF6EE\
             402DDFDD000CB90A3AF0C0D1DA639E4542E929C0B407B431667772B5B6B35746",
        ),
    ];

    /// A block alone takes the product, which the next ones reach by steps.
    #[test]
    fn steps_lead_to_the_products() {
        let (key, _, _, ct) = CASES[4];
        for index in [0, 1, 0xffff_fffe, u128::from(u64::MAX) - 1, u128::MAX - 1] {
            let whole = decrypted(key, index, ct);
            for i in 0..4 {
                let block =
                    decrypted(key, index.wrapping_add(i as u128), &ct[32 * i..32 * (i + 1)]);
                assert_eq!(block, whole[32 * i..32 * (i + 1)], "{index} + {i}");
            }
        }
    }
}
