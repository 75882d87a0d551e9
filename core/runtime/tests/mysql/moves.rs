//! Tags that go on in another store, which is one of these.

use super::asking::moves::{self, Pair};
use super::*;

/// From here to a file.
fn to_a_file() -> Pair {
    let (from, directory) = (database(), tempfile::tempdir().unwrap());
    let (from_url, to) = (from.url.clone(), moves::file(&directory));
    Pair { from: from_url, to, _kept: Box::new((from, directory)) }
}

/// From one database here to another.
fn to_another() -> Pair {
    let (from, to) = (database(), Server::shared().database());
    let (from_url, to_url) = (from.url.clone(), format!("{}&create=true", to.url));
    Pair { from: from_url, to: to_url, _kept: Box::new([from, to]) }
}

moves::suite! { to_a_file: to_a_file() }
moves::suite! { to_another: to_another() }
