//! Tags that go on in another file.

use super::asking::moves::{self, Pair};
use super::*;

/// From one file to another.
fn pair(place: &Place) -> Pair {
    let store = SqliteStore::create(place.path()).unwrap();
    store.create_tag(&orders(), TagOptions::default()).unwrap();
    let from = format!("sqlite:{}?create=false", place.path().display());
    Pair { from, to: moves::file(&place.directory) }
}

#[test]
fn numbers_that_are_taken_meanwhile_do_not_repeat() {
    let place = Place::new();
    moves::numbers_that_are_taken_meanwhile_do_not_repeat(&pair(&place));
}

#[test]
fn a_move_is_ended_by_a_repeat() {
    let place = Place::new();
    moves::a_move_is_ended_by_a_repeat(&pair(&place));
}

#[test]
fn a_tag_that_is_there_too_stays_as_it_is() {
    let place = Place::new();
    moves::a_tag_that_is_there_too_stays_as_it_is(&pair(&place));
}

#[test]
fn a_tag_moves_back() {
    let place = Place::new();
    let third = Place::new();
    moves::a_tag_moves_back(&pair(&place), &third.store());
}
