//! Tags that go on in another store, which is one of these.

use super::asking::moves::{self, Pair};
use super::*;

/// From here to a file, and what goes with it.
fn to_a_file() -> (Pair, (Database, tempfile::TempDir)) {
    let (from, directory) = (database(), tempfile::tempdir().unwrap());
    (Pair { from: from.url.clone(), to: moves::file(&directory) }, (from, directory))
}

/// From one database here to another.
fn to_another() -> (Pair, [Database; 2]) {
    let (from, to) = (database(), Server::shared().database());
    let pair = Pair { from: from.url.clone(), to: format!("{}&create=true", to.url) };
    (pair, [from, to])
}

#[test]
fn numbers_that_are_taken_meanwhile_do_not_repeat() {
    let (pair, _kept) = to_another();
    moves::numbers_that_are_taken_meanwhile_do_not_repeat(&pair);
}

#[test]
fn a_move_is_ended_by_a_repeat() {
    let (pair, _kept) = to_a_file();
    moves::a_move_is_ended_by_a_repeat(&pair);
    let (pair, _kept) = to_another();
    moves::a_move_is_ended_by_a_repeat(&pair);
}

#[test]
fn a_tag_that_is_there_too_stays_as_it_is() {
    let (pair, _kept) = to_another();
    moves::a_tag_that_is_there_too_stays_as_it_is(&pair);
}

#[test]
fn a_tag_moves_back() {
    let ((pair, _kept), third) = (to_a_file(), database());
    moves::a_tag_moves_back(&pair, &other(&third));
}
