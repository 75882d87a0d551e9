//! Tags that go on in another file.

use super::asking::moves::{self, Pair};
use super::*;

fn pair() -> Pair {
    let place = Place::new();
    let store = SqliteStore::create(place.path()).unwrap();
    store.create_tag(&orders(), TagOptions::default()).unwrap();
    let from = format!("sqlite:{}?create=false", place.path().display());
    Pair { from, to: moves::file(&place.directory), _kept: Box::new(place) }
}

moves::suite! { to_another: pair() }
