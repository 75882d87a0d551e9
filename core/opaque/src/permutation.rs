//! AES-128 as a permutation of the 128-bit numbers.

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes128Enc};
use zeroize::ZeroizeOnDrop;

/// The permutation of one key. Its round keys are zeroed when this is dropped.
pub(crate) struct Permutation(Aes128);

/// Zeroing is a feature of the crate `aes`: without it this does not compile.
const _: () = {
    const fn is_forgotten<T: ZeroizeOnDrop>() {}
    is_forgotten::<Aes128>();
    is_forgotten::<Aes128Enc>();
};

impl Permutation {
    pub(crate) fn new(key: &[u8; 16]) -> Permutation {
        Permutation(Aes128::new(key.into()))
    }

    #[inline]
    pub(crate) fn encipher(&self, plain: u128) -> u128 {
        let mut block = plain.to_be_bytes().into();
        self.0.encrypt_block(&mut block);
        u128::from_be_bytes(block.into())
    }

    #[inline]
    pub(crate) fn decipher(&self, block: u128) -> u128 {
        let mut block = block.to_be_bytes().into();
        self.0.decrypt_block(&mut block);
        u128::from_be_bytes(block.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_one_of_fips_197() {
        let key = 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f_u128.to_be_bytes();
        let plain = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff;
        let block = 0x69c4_e0d8_6a7b_0430_d8cd_b780_70b4_c55a;
        let permutation = Permutation::new(&key);
        assert_eq!(permutation.encipher(plain), block);
        assert_eq!(permutation.decipher(block), plain);
    }
}
