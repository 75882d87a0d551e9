//! A block in Crockford's base 32, lower case: 26 symbols, most significant first.

use crate::error::Error;
use crate::symbol::SYMBOLS;

/// How many symbols a block takes. They have two bits more: the first symbol is 0 to 7.
pub(crate) const WIDTH: usize = 26;

/// No symbol, but one in a laxer spelling.
const ALIAS: u8 = 0x80;
/// No symbol at all.
const INVALID: u8 = 0xc0;

/// By byte: the symbol's place, or one of the above.
static VALUES: [u8; 256] = {
    let mut values = [INVALID; 256];
    let aliases = b"ABCDEFGHJKMNPQRSTVWXYZIiLlOo";
    let mut at = 0;
    while at < aliases.len() {
        values[aliases[at] as usize] = ALIAS;
        at += 1;
    }
    let symbols = SYMBOLS.as_bytes();
    let mut at = 0;
    while at < symbols.len() {
        values[symbols[at] as usize] = at as u8;
        at += 1;
    }
    values
};

/// The two symbols of ten bits, the first in the upper byte: half the steps of one symbol each. What
/// is looked up is enciphered, so that the time of it tells nothing.
static PAIRS: [u16; 1024] = {
    let mut pairs = [0; 1024];
    let symbols = SYMBOLS.as_bytes();
    let mut at = 0;
    while at < pairs.len() {
        pairs[at] = (symbols[at >> 5] as u16) << 8 | symbols[at & 31] as u16;
        at += 1;
    }
    pairs
};

/// The symbols gather in registers, eight a word: stored one by one, they would have to wait for the
/// cache when they are read.
#[inline]
pub(crate) fn write(block: u128, symbols: &mut [u8; WIDTH]) {
    let pair = |at: u32| PAIRS[(block >> (10 * at)) as usize & 0x3ff];
    let eight = |last: u32| {
        let words = [3, 2, 1, 0].map(|at| u64::from(pair(last + at)));
        words.into_iter().fold(0, |word, pair| word << 16 | pair).to_be_bytes()
    };
    symbols[..2].copy_from_slice(&pair(12).to_be_bytes());
    symbols[2..10].copy_from_slice(&eight(8));
    symbols[10..18].copy_from_slice(&eight(4));
    symbols[18..].copy_from_slice(&eight(0));
}

/// The place of one symbol, with a mark of what is none; and of one that is a place.
#[inline]
pub(crate) fn value(symbol: u8) -> u8 {
    VALUES[usize::from(symbol)]
}

/// The block, and whether all its symbols were such: one answer for them all.
#[inline]
pub(crate) fn read(symbols: &[u8; WIDTH]) -> (u128, u8) {
    let mut seen = 0;
    let mut word = |symbols: &[u8]| {
        symbols.iter().fold(0_u64, |word, &symbol| {
            let value = value(symbol);
            seen |= value;
            word << 5 | u64::from(value)
        })
    };
    let [first, middle, last] = [word(&symbols[..2]), word(&symbols[2..14]), word(&symbols[14..])];
    // Ten bits, of which a block has the lower eight.
    seen |= if first > 0xff { INVALID } else { 0 };
    (u128::from(first) << 120 | u128::from(middle) << 60 | u128::from(last), seen)
}

/// Whether what was seen were symbols.
#[inline]
pub(crate) fn is_valid(seen: u8) -> bool {
    seen < ALIAS
}

/// Says which symbol is none; if all are at least aliases, that the spelling is wrong. `at` is where
/// the first one stands.
#[cold]
pub(crate) fn refuse(key: u8, symbols: &[u8; WIDTH], at: usize) -> Error {
    let all = || [key].into_iter().chain(*symbols);
    if let Some(place) = all().position(|symbol| value(symbol) == INVALID) {
        return Error::Symbol { at: at + place };
    }
    if all().any(|symbol| value(symbol) == ALIAS) {
        return Error::NotCanonical;
    }
    Error::Symbol { at: at + 1 } // above 7
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(block: u128) -> String {
        let mut symbols = [0; WIDTH];
        write(block, &mut symbols);
        String::from_utf8(symbols.into()).unwrap()
    }

    #[test]
    fn blocks_are_written_and_read() {
        assert_eq!(text(0), "0".repeat(26));
        assert_eq!(text(31), format!("{}z", "0".repeat(25)));
        assert_eq!(text(u128::MAX), format!("7{}", "z".repeat(25)));
        assert_eq!(text(1 << 60), format!("{}1{}", "0".repeat(13), "0".repeat(12)));
        assert_eq!(text(1 << 120), format!("01{}", "0".repeat(24)));
        for block in (0..128).map(|bit| 1 << bit).chain([0x0123_4567_89ab_cdef_0246_8ace_1357_9bdf])
        {
            let symbols = text(block).into_bytes().try_into().unwrap();
            assert_eq!(read(&symbols), (block, read(&symbols).1));
            assert!(is_valid(read(&symbols).1));
        }
    }

    #[test]
    fn each_wrong_symbol_is_found() {
        let good: [u8; WIDTH] = text(0x0123_4567_89ab_cdef << 61).into_bytes().try_into().unwrap();
        for at in 0..WIDTH {
            for wrong in 0..=255_u8 {
                let mut symbols = good;
                symbols[at] = wrong;
                let is_symbol = SYMBOLS.as_bytes().contains(&wrong) && (at > 0 || wrong < b'8');
                assert_eq!(is_valid(read(&symbols).1), is_symbol, "{wrong} at {at}");
                if is_symbol {
                    continue;
                }
                match refuse(b'1', &symbols, 6) {
                    Error::Symbol { at: told } => assert_eq!(told, 7 + at),
                    Error::NotCanonical => assert!(wrong.is_ascii_alphabetic(), "{wrong}"),
                    other => panic!("{other}"),
                }
            }
        }
    }
}
