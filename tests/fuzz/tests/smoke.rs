//! Every target over its seeds and over mutations of them, the same ones every time; `scripts/fuzz`
//! goes further.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::fs;
use std::path::Path;

use snowmint_fuzz::TARGETS;

/// SplitMix64.
struct Mutator(u64);

impl Mutator {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// One to four changes: a bit, a byte, a piece dropped, doubled or taken from elsewhere.
    fn mutate(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut data = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(4) {
            let at = self.below(data.len() + 1);
            let rest = data.len() - at;
            let piece = at..at + self.below(rest.min(16) + 1);
            match self.below(6) {
                0 if rest > 0 => data[at] ^= 1 << self.below(8),
                1 if rest > 0 => data[at] = self.below(256) as u8,
                2 => drop(data.drain(piece)),
                3 => {
                    let copy = data[piece].to_vec();
                    data.splice(at..at, copy);
                }
                4 => {
                    let other = &seeds[self.below(seeds.len())];
                    let from = self.below(other.len() + 1);
                    let taken = self.below((other.len() - from).min(16) + 1);
                    data.splice(piece, other[from..from + taken].iter().copied());
                }
                _ => data.insert(at, self.below(256) as u8),
            }
        }
        data
    }
}

fn smoke(name: &str, mutations: usize) {
    let (_, run) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target's name");
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name);
    let mut paths: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<_> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    seeds.iter().for_each(|seed| run(seed));
    let mut mutator = Mutator(1);
    for count in 0..mutations {
        let data = mutator.mutate(&seeds);
        let outcome = std::panic::catch_unwind(|| run(&data));
        assert!(outcome.is_ok(), "mutation {count} breaks {name}: {}", data.escape_ascii());
    }
}

#[test]
fn text_forms() {
    smoke("text_forms", 20_000);
}

#[test]
fn urls() {
    smoke("urls", 1_000);
}

#[test]
fn layouts() {
    smoke("layouts", 20_000);
}

#[test]
fn store_rows() {
    smoke("store_rows", 200);
}

#[test]
fn commands() {
    smoke("commands", 100_000);
}

#[test]
fn opaque() {
    smoke("opaque", 40_000);
}

#[test]
fn mark_file() {
    smoke("mark_file", 1_000);
}
