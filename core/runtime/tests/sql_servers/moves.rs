//! Tags that go on in another store, which is one of these.

use snowmint::{Code, move_tag, open_store};

use crate::asking::moves::{self, Pair};
use crate::asking::{orders, refused, take};
use crate::{Server, database, other};

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

/// A server that took another's place may lack the close as it may lack a range.
#[test]
fn a_server_that_may_lack_ranges_closes_nothing() {
    let (database, pair) = (database(), to_another());
    let (from, to) = (other(&database), open_store(&pair.to).unwrap());
    take(&from).unwrap();
    database.run("UPDATE snowmint_segment SET incarnation = 'another'");
    refused(move_tag(&from, &orders(), &*to, "there"), Code::IncarnationChanged);
    assert_eq!(to.tag(&orders()).unwrap(), None);
}
