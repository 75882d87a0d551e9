//! Tags that go on in another place of the same server.

use super::database;
use crate::asking::moves::{self, Pair};
use crate::{Database, Server};

fn pair() -> Pair {
    let (from, to) = (database(), Server::shared().database());
    let with = |database: &Database, create| format!("{}?create={create}", database.url());
    Pair { from: with(&from, false), to: with(&to, true), _kept: Box::new([from, to]) }
}

moves::suite! { to_another: pair() }
