//! Tags that go on in another store, which is one of these.

use snowmint::move_tag;

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

/// Whichever took this server's place would go on above the ceiling, without the close.
#[test]
fn a_tag_below_a_ceiling_is_closed_only_where_standbys_confirm() {
    let (pair, _kept) = to_another();
    let (from, to) = (open_store(&pair.from).unwrap(), open_store(&pair.to).unwrap());
    let database = with_orders(Server::shared().database());
    let from_here = other(&database);
    database.run("UPDATE snowmint_segment SET ceiling_incarnation = 'another', pending = 700");
    refused(move_tag(&from_here, &orders(), &*to, "there"), Code::UnsafeSetting);
    assert_eq!(take(&from_here).unwrap(), 700);
    assert!(move_tag(&*from, &orders(), &*to, "there").is_ok());
}

/// A server that took another's place may lack the close as it may lack a range.
#[test]
fn a_server_that_may_lack_ranges_closes_nothing() {
    let (database, (pair, _kept)) = (database(), to_another());
    let (from, to) = (other(&database), open_store(&pair.to).unwrap());
    take(&from).unwrap();
    database.run("UPDATE snowmint_segment SET incarnation = 'another'");
    refused(move_tag(&from, &orders(), &*to, "there"), Code::IncarnationChanged);
    assert_eq!(to.tag(&orders()).unwrap(), None);
}
