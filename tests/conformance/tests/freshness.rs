//! The committed vectors are those that the engine writes today.

use std::fs;

use snowmint_conformance::{directory, documents, frozen_codes_kept, frozen_events_kept};

#[test]
fn committed_vectors_are_fresh() {
    for (name, content) in documents() {
        let committed = fs::read_to_string(directory().join(name)).unwrap_or_default();
        assert!(
            committed == content,
            "{name} is stale: run `cargo run -p snowmint-conformance --bin vectors`, read the \
             difference and judge it with tests/reference/check.py"
        );
    }
}

#[test]
fn every_file_is_generated_or_kept_by_hand() {
    let mut names: Vec<&str> = documents().iter().map(|(name, _)| *name).collect();
    names.extend(["known-ids.json", "readings.json", "sources.json"]);
    for entry in fs::read_dir(directory()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".json") || names.contains(&name.as_str()), "{name}: whose is it?");
    }
}

#[test]
fn numbers_and_names_of_codes_are_frozen() {
    let committed = fs::read_to_string(directory().join("errors.json")).unwrap();
    frozen_codes_kept(&committed).unwrap();
    assert!(frozen_codes_kept(&committed.replace("\"closed\"", "\"shut\"")).is_err());
    assert!(frozen_codes_kept(&committed.replace("204", "299")).is_err());
}

#[test]
fn numbers_and_names_of_events_are_frozen() {
    let committed = fs::read_to_string(directory().join("events.json")).unwrap();
    frozen_events_kept(&committed).unwrap();
    assert!(frozen_events_kept(&committed.replace("\"fenced\"", "\"stuck\"")).is_err());
    assert!(frozen_events_kept(&committed.replace("\"number\": 7", "\"number\": 77")).is_err());
}
