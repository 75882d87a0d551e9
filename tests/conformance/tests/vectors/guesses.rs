//! `guesses.json`.

use serde_json::Value;
use snowmint_engine::{Doubt, Preset, guess_beside};

use crate::reading::{document, list, text, wide};

#[test]
fn guesses() {
    let document = document("guesses.json");
    let now_ms = wide(&document, "now_ms");
    for row in list(&document, "guesses") {
        let guesses = guess_beside(wide(row, "id"), now_ms, text(row, "beside"));
        assert_eq!(guesses.clone().count(), list(row, "guesses").len(), "{row}");
        for (guess, expected) in guesses.zip(list(row, "guesses")) {
            assert_eq!(guess.preset.name, text(expected, "preset"), "{row}");
            assert_eq!(guess.parts.unix_ms, wide::<i64>(expected, "unix_ms"), "{row}");
            assert_eq!(Some(guess.named), expected["named"].as_bool(), "{row}");
            assert_eq!(guess.doubt.map(Doubt::name), expected["doubt"].as_str(), "{row}");
        }
    }
}

/// No likely guess has a wrong time, and most IDs of common systems have a likely guess.
#[test]
fn no_wrong_time_is_likely() {
    let document = document("guesses.json");
    let (mut common, mut dated) = (0, 0);
    for row in list(&document, "guesses") {
        let likely = |guess: &&Value| guess["doubt"].is_null();
        for guess in list(row, "guesses").iter().filter(likely) {
            assert_eq!(guess["unix_ms"], row["unix_ms"], "{row}");
        }
        let systems = ["twitter", "discord", "instagram", "mastodon", "unix-ms", "tiktok"];
        if row["preset"].as_str().is_some_and(|preset| systems.contains(&preset)) {
            common += 1;
            dated += usize::from(list(row, "guesses").first().as_ref().is_some_and(likely));
        }
    }
    assert!(dated * 10 >= common * 7, "{dated} of {common}");
}

/// Doubtful guesses come last, with their reasons.
#[test]
fn likely_guesses_come_first() {
    let document = document("guesses.json");
    for row in list(&document, "guesses") {
        let doubts = list(row, "guesses").iter().map(|guess| !guess["doubt"].is_null());
        let named = list(row, "guesses").iter().any(|guess| guess["named"] == true);
        assert!(named || doubts.is_sorted(), "{row}");
        for guess in list(row, "guesses") {
            assert!(Preset::from_name(text(guess, "preset")).is_some());
        }
    }
}
