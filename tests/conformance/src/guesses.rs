//! `guesses.json`: real IDs, and the presets that they are taken for.

use serde::Serialize;
use snowmint_engine::{Doubt, Guess, Preset, guess_beside};

use crate::render::render;

mod published;

use published::{Found, PUBLISHED};

/// 2026-11-21T00:00:00Z.
const NOW_MS: i64 = 1_795_219_200_000;

#[derive(Serialize)]
struct Document {
    now_ms: String,
    guesses: Vec<Case>,
}

#[derive(Serialize)]
struct Case {
    id: String,
    beside: &'static str,
    system: &'static str,
    source: &'static str,
    preset: Option<&'static str>,
    unix_ms: Option<String>,
    guesses: Vec<Guessed>,
}

#[derive(Serialize)]
struct Guessed {
    preset: &'static str,
    unix_ms: String,
    named: bool,
    doubt: Option<&'static str>,
}

impl From<Guess> for Guessed {
    fn from(guess: Guess) -> Guessed {
        Guessed {
            preset: guess.preset.name,
            unix_ms: guess.parts.unix_ms.to_string(),
            named: guess.named,
            doubt: guess.doubt.map(Doubt::name),
        }
    }
}

pub(crate) fn document() -> String {
    let guesses = PUBLISHED.iter().flat_map(|found| found.ids.iter().map(|&id| case(found, id)));
    render(&Document { now_ms: NOW_MS.to_string(), guesses: guesses.collect() })
}

fn case(found: &Found, id: u64) -> Case {
    let preset = found.preset.map(|name| Preset::from_name(name).expect("the table has presets"));
    let parts = preset.map(|preset| preset.layout.decode(id).expect("the ID is of the preset"));
    Case {
        id: id.to_string(),
        beside: found.beside,
        system: found.system,
        source: found.source,
        preset: found.preset,
        unix_ms: parts.map(|parts| parts.unix_ms.to_string()),
        guesses: guess_beside(id, NOW_MS, found.beside).map(Guessed::from).collect(),
    }
}
