//! Remembers what servers gave, to detect and name a server on another store.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use super::server::Server;
use crate::store::{Incarnation, Tag};

/// The most tags or realms that are remembered. Each source also checks its own tags.
const KNOWN_MAX: usize = 1 << 16;
/// The most servers that are remembered for each tag or realm.
const SERVERS_MAX: usize = 256;

#[derive(Default)]
pub(super) struct Given {
    /// The end of the numbers that were given for each tag.
    pub(super) ends: Known<Tag, End>,
    /// The store of each tag.
    pub(super) tags: Known<Tag, Home>,
    /// The store of each realm's worker IDs.
    pub(super) realms: Known<String, Home>,
}

/// A map with a limited number of entries.
pub(super) struct Known<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Known<K, V> {
    fn default() -> Known<K, V> {
        Known(Mutex::default())
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Known<K, V> {
    pub(super) fn get(&self, key: &K) -> Option<V> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Updates an entry, or adds a new one if there is room.
    fn note<T>(&self, key: &K, new: impl FnOnce() -> (V, T), known: impl FnOnce(&mut V) -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = all.len() < KNOWN_MAX;
        if let Some(value) = all.get_mut(key) {
            return known(value);
        }
        let (value, told) = new();
        if has_room {
            all.insert(key.clone(), value);
        }
        told
    }
}

/// The end of the numbers that were given for a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The first number above them.
    pub(super) end: u64,
    /// The server that gave the highest of them.
    pub(super) server: Arc<str>,
}

impl Known<Tag, End> {
    /// Notes the end of a range. A late answer with a lower end changes nothing.
    pub(super) fn raise(&self, tag: &Tag, end: u64, server: &Server) {
        let new = || End { end, server: server.to_string().into() };
        self.note(
            tag,
            || (new(), ()),
            |known| {
                if known.end < end {
                    *known = new();
                }
            },
        );
    }
}

/// The store of a tag or realm, by its incarnation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Home {
    incarnation: Incarnation,
    /// The servers that named this store.
    servers: Vec<Arc<str>>,
}

impl<K: Clone + Eq + Hash> Known<K, Home> {
    /// Checks a server's incarnation against the known one, and notes it.
    ///
    /// After a failover the store has a new incarnation. It is accepted from a server that named
    /// the old one. A server that never did is on another store.
    ///
    /// # Errors
    /// The known incarnation, if this server is refused.
    pub(super) fn admit(
        &self,
        key: &K,
        incarnation: Option<&str>,
        server: &Server,
    ) -> Result<(), Incarnation> {
        let Some(incarnation) = incarnation else { return Ok(()) };
        let server: Arc<str> = server.to_string().into();
        let new = || Home { incarnation: incarnation.into(), servers: vec![Arc::clone(&server)] };
        self.note(
            key,
            || (new(), Ok(())),
            |home| {
                let has_said_so = home.servers.contains(&server);
                match (&*home.incarnation == incarnation, has_said_so) {
                    (true, true) => {}
                    (true, false) => {
                        // Servers come and go, so the oldest are forgotten.
                        home.servers.drain(..home.servers.len().saturating_sub(SERVERS_MAX - 1));
                        home.servers.push(Arc::clone(&server));
                    }
                    (false, true) => *home = new(),
                    (false, false) => return Err(Arc::clone(&home.incarnation)),
                }
                Ok(())
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::remote::members::Member;

    fn server(name: &str) -> Server {
        Server::new(Member { name: name.to_owned(), port: 1 }.into())
    }

    #[test]
    fn an_answer_that_comes_late_lowers_nothing() {
        let (ends, tag) = (Known::default(), Tag::new("orders").unwrap());
        let end = |end, server: &str| Some(End { end, server: server.into() });
        assert_eq!(ends.get(&tag), None);
        ends.raise(&tag, 200, &server("b"));
        ends.raise(&tag, 100, &server("a"));
        assert_eq!(ends.get(&tag), end(200, "b:1"));
        ends.raise(&tag, 300, &server("a"));
        assert_eq!(ends.get(&tag), end(300, "a:1"));
    }

    #[test]
    fn a_store_in_anothers_place_is_believed_of_those_that_were_on_that() {
        let (homes, tag) = (Known::<Tag, Home>::default(), Tag::new("orders").unwrap());
        let admit = |incarnation: &str, name: &str| {
            homes.admit(&tag, Some(incarnation), &server(name)).map_err(|it| it.to_string())
        };
        let others = |incarnation: &str| Err(incarnation.to_owned());
        assert_eq!((admit("1", "a"), admit("1", "b")), (Ok(()), Ok(())));
        assert_eq!(admit("2", "stranger"), others("1"));
        assert_eq!(admit("2", "a"), Ok(()), "a failover");
        assert_eq!(admit("1", "b"), others("2"), "b was left behind");
        assert_eq!((admit("2", "b"), admit("2", "stranger")), (Ok(()), Ok(())));
        assert_eq!(homes.admit(&tag, None, &server("c")), Ok(()));
    }
}
