//! A block in Crockford's base 32, lower case: 26 symbols, most significant first.

use crate::error::Error;
use crate::symbol::SYMBOLS;

/// The number of symbols of a block. They hold two extra bits, so the first symbol is 0 to 7.
pub(crate) const WIDTH: usize = 26;

/// The value of a byte that is another spelling of a symbol.
const ALIAS: u8 = 0x80;
/// The value of a byte that is not a symbol.
const INVALID: u8 = 0xc0;

/// The symbol's index for each byte, or one of the values above.
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

/// The two symbols of ten bits, the first in the upper byte: half as many steps as with single
/// symbols. The index is enciphered data, so the time of a look-up reveals nothing.
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

/// Writes a block. The symbols are collected in registers, eight in a word: stored one by one, they
/// would have to wait for the cache when they are read.
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

/// Returns a symbol's index, or a mark for another byte. [`is_valid`] tells the two apart.
#[inline]
pub(crate) fn value(symbol: u8) -> u8 {
    VALUES[usize::from(symbol)]
}

/// Returns the block and the combined marks of all its symbols, which [`is_valid`] checks at once.
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
    // The two symbols hold ten bits, of which a block uses the lower eight.
    seen |= if first > 0xff { INVALID } else { 0 };
    (u128::from(first) << 120 | u128::from(middle) << 60 | u128::from(last), seen)
}

/// Returns true if no combined value has a mark.
#[inline]
pub(crate) fn is_valid(seen: u8) -> bool {
    seen < ALIAS
}

/// Returns the error of the first byte that is not a symbol. If all are at least other spellings,
/// the error is that the text is not canonical. `at` is the offset of the key's symbol.
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
