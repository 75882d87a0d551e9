//! Public IDs, beside what else makes a text of a number; and how long a refusal takes.

use std::cell::Cell;
use std::hint::black_box;

use harsh::Harsh;
use snowmint_opaque::{NumberWidth, PublicIdCodec, PublicIdKeys, TokenForm};
use sqids::Sqids;
use uuid::Uuid;

use crate::measure::{Contestant, Effort, Outcome, per_operation};
use crate::report::Line;

const ENCODE: &str = "PublicIdCodec::encode";
const DECODE: &str = "PublicIdCodec::decode";
/// An ID as snowflakes have it: what the peers need many symbols for.
const FIRST_ID: u64 = 1_541_815_603_606_036_480;

pub fn public_ids(effort: Effort) -> Vec<Line> {
    [forms(effort), refusals(effort)].concat()
}

fn orders() -> PublicIdCodec {
    PublicIdKeys::generate().and_then(|keys| keys.codec("order")).expect("a key")
}

fn forms(effort: Effort) -> Vec<Line> {
    let group = "public IDs, one";
    let count = (effort.operations / 20).max(1);
    let (orders, short) = (orders(), orders().with_form(TokenForm::Base64Url));
    let (sqids, hashids) = (Sqids::default(), Harsh::default());
    let plain = Sqids::builder().blocklist(Default::default()).build().expect("no option");
    let next = Cell::new(FIRST_ID);
    let id = || {
        next.set(next.get() + 1);
        black_box(next.get())
    };
    let (token, uuid) = (orders.encode(FIRST_ID), orders.encode_uuid(FIRST_ID));
    let width = NumberWidth::Bits63;
    let contestants = vec![
        Contestant::new(ENCODE, || per_operation(count, || orders.encode(id()))),
        Contestant::new("encode, base64url", || per_operation(count, || short.encode(id()))),
        Contestant::new(DECODE, || per_operation(count, || orders.decode(black_box(&token)))),
        Contestant::new("encode_uuid", || per_operation(count, || orders.encode_uuid(id()))),
        Contestant::new("decode_uuid", || {
            per_operation(count, || orders.decode_uuid(black_box(uuid)))
        }),
        Contestant::new("encode_number", || {
            per_operation(count, || orders.encode_number(id(), width))
        }),
        Contestant::new("sqids", || per_operation(count, || sqids.encode(&[id()]))),
        Contestant::new("sqids, any word", || per_operation(count, || plain.encode(&[id()]))),
        Contestant::new("hashids (harsh)", || per_operation(count, || hashids.encode(&[id()]))),
        Contestant::new("uuid v4, fast-rng", || per_operation(count, Uuid::new_v4)),
        Contestant::new("the same as text", || per_operation(count, || Uuid::new_v4().to_string())),
    ];
    let names: Vec<_> = contestants.iter().map(|contestant| contestant.name).collect();
    let outcome = Outcome::of(effort.rounds, contestants);
    let line = |name: &str| Line::new(group, name, outcome.median(name), "ns");
    let others =
        names[1..].iter().map(|&name| line(name).against(ENCODE, outcome.ratio(name, &[ENCODE])));
    std::iter::once(line(ENCODE).at_most(60.0)).chain(others).collect()
}

/// Tokens that differ, so that no branch is learnt by heart.
const TOKENS: u64 = 1024;

/// A good token beside such as nobody made: whoever asks should not learn which from the time.
fn refusals(effort: Effort) -> Vec<Line> {
    let group = "public IDs, time of a refusal";
    let orders = orders();
    let good: Vec<String> = (0..TOKENS).map(|n| orders.encode(FIRST_ID + n).into()).collect();
    let swapped = |token: &String, at: usize| {
        let other = if token.as_bytes()[at] == b'3' { "4" } else { "3" };
        let mut altered = token.clone();
        altered.replace_range(at..=at, other);
        altered
    };
    let kinds = [
        ("a good token", good.clone()),
        ("its first symbol altered", good.iter().map(|token| swapped(token, 7)).collect()),
        ("its last symbol altered", good.iter().map(|token| swapped(token, 32)).collect()),
        (
            "of a key that is not here",
            good.iter().map(|token| token.replacen("_1", "_2", 1)).collect(),
        ),
    ];
    let (rounds, orders) = ((effort.operations / TOKENS).max(1), &orders);
    let contestants = kinds.iter().map(|(name, tokens)| {
        Contestant::new(name, move || {
            let all = per_operation(rounds, || {
                tokens.iter().filter(|token| orders.decode(black_box(token)).is_ok()).count()
            });
            all / TOKENS as f64
        })
    });
    let outcome = Outcome::of(effort.rounds, contestants.collect());
    let good = kinds[0].0;
    let lines = kinds.iter().map(|(name, _)| {
        let line = Line::new(group, *name, outcome.median(name), "ns");
        if *name == good { line } else { line.against(good, outcome.ratio(name, &[good])) }
    });
    lines.collect()
}
