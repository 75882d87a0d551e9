//! Many tokens show no pattern. `SNOWMINT_PUBLIC_ID_TOKENS=10000000 cargo test --release -p
//! snowmint-opaque statistics -- --nocapture` tests that at length.

use snowmint_opaque::Error;

use crate::{Mixer, count, orders};

fn tokens() -> usize {
    count("SNOWMINT_PUBLIC_ID_TOKENS", 100_000)
}

const SYMBOLS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The block of a token's text.
fn block(token: &str) -> [u8; 26] {
    *token.as_bytes().last_chunk().unwrap()
}

fn place(symbol: u8) -> usize {
    SYMBOLS.iter().position(|&one| one == symbol).unwrap()
}

#[test]
fn no_two_tokens_are_equal() {
    let orders = orders();
    let mut mixer = Mixer(4);
    // Half of them in order, half from everywhere above: none is there twice.
    let count = tokens() as u64;
    let ids = (0..count).flat_map(|n| [n, mixer.next() | 1 << 63]);
    let bits = |token: &str| {
        block(token).iter().fold(0, |bits, &symbol| bits << 5 | place(symbol) as u128)
    };
    let mut seen: Vec<u128> = ids.map(|id| bits(&orders.encode(id))).collect();
    seen.sort_unstable();
    seen.dedup();
    println!("{} different tokens of {} IDs", seen.len(), 2 * count);
    assert_eq!(seen.len() as u64, 2 * count);
}

#[test]
fn made_up_tokens_are_refused() {
    let orders = orders();
    let mut mixer = Mixer(5);
    let mut refused = 0_usize;
    for _ in 0..tokens() {
        let mut text = *b"order_1xxxxxxxxxxxxxxxxxxxxxxxxxx";
        for symbol in &mut text[7..] {
            *symbol = SYMBOLS[(mixer.next() >> 59) as usize];
        }
        text[7] = SYMBOLS[(mixer.next() >> 61) as usize];
        match orders.decode(std::str::from_utf8(&text).unwrap()) {
            Err(Error::NotFound) => refused += 1,
            other => panic!("{other:?}: one in 2^64"),
        }
    }
    println!("{refused} made-up tokens refused, of {}", tokens());
    assert_eq!(refused, tokens());
}

/// The largest of the 26 places' chi-squares, in standard deviations above what chance gives.
fn chi_square(texts: impl Iterator<Item = [u8; 26]>) -> f64 {
    let mut counts = [[0_u32; 32]; 26];
    let mut total = 0.0;
    for text in texts {
        total += 1.0;
        for (counts, symbol) in counts.iter_mut().zip(text) {
            counts[place(symbol)] += 1;
        }
    }
    let deviations = counts.iter().enumerate().map(|(at, counts)| {
        let symbols = if at == 0 { 8 } else { 32 };
        let expected = total / symbols as f64;
        let squares = counts[..symbols].iter().map(|&count| (f64::from(count) - expected).powi(2));
        let degrees = (symbols - 1) as f64;
        (squares.sum::<f64>() / expected - degrees) / (2.0 * degrees).sqrt()
    });
    deviations.fold(f64::MIN, f64::max)
}

#[test]
fn consecutive_ids_look_as_random_as_random_ones() {
    let orders = orders();
    let count = tokens() as u64;
    let mut mixer = Mixer(6);
    let texts = |id: &mut dyn FnMut(u64) -> u64| {
        chi_square((0..count).map(|n| block(&orders.encode(id(n)))).collect::<Vec<_>>().into_iter())
    };
    let consecutive = texts(&mut |n| 1_541_815_603_606_036_480 + n);
    let random = texts(&mut |_| mixer.next());
    let mut bits = Mixer(7);
    let noise = chi_square((0..count).map(|_| {
        let mut text = [0; 26].map(|_: u8| SYMBOLS[(bits.next() >> 59) as usize]);
        text[0] = SYMBOLS[(bits.next() >> 61) as usize];
        text
    }));
    // The IDs themselves, by the same measure: where it would be noticed.
    let plain = chi_square((0..count).map(|n| {
        let id = 1_541_815_603_606_036_480_u64 + n;
        std::array::from_fn(|at| SYMBOLS[(u128::from(id) >> (5 * (25 - at)) & 31) as usize])
    }));
    println!(
        "worst of 26 chi-squares, in standard deviations: consecutive {consecutive:.2}, random IDs \
         {random:.2}, noise {noise:.2}, raw IDs {plain:.0}"
    );
    for deviation in [consecutive, random, noise] {
        assert!(deviation < 5.0, "{deviation}");
    }
    assert!(plain > 1000.0, "{plain}");
}

#[test]
fn one_bit_of_an_id_changes_half_of_a_token() {
    let orders = orders();
    let mut mixer = Mixer(8);
    let (mut changed, mut rounds) = (0_u32, 0_u32);
    for _ in 0..200 {
        let id = mixer.next();
        for bit in 0..64 {
            let bits = |id| u128::from_be_bytes(orders.encode_uuid(id));
            changed += (bits(id) ^ bits(id ^ 1 << bit)).count_ones();
            rounds += 1;
        }
    }
    let share = f64::from(changed) / f64::from(rounds);
    assert!((60.5..61.5).contains(&share), "{share} of 122 bits");
}
