//! What servers gave before, so that one of another store can be told and named.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use super::server::Server;
use crate::store::{Incarnation, Tag};

/// Of so many tags, and realms, it is known; a source knows of all of its own that they went back.
const KNOWN_MAX: usize = 1 << 16;
/// So many servers are known of each.
const SERVERS_MAX: usize = 256;

/// What one process was given.
#[derive(Default)]
pub(super) struct Given {
    /// Where the numbers of a tag end.
    pub(super) ends: Known<Tag, End>,
    /// The store that a tag is on.
    pub(super) tags: Known<Tag, Home>,
    /// The store that a realm's worker IDs are on.
    pub(super) realms: Known<String, Home>,
}

/// Something that is known of a limited number of things.
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

    /// Changes what is known, or notes what is new.
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

/// Where the numbers of a tag end that were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The first number above.
    pub(super) end: u64,
    /// The server that gave the last of them.
    pub(super) server: Arc<str>,
}

impl Known<Tag, End> {
    /// Notes numbers that were given. Answers need not come in the order in which they were made.
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

/// The store that something is on, as servers on it call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Home {
    incarnation: Incarnation,
    /// Who said so.
    servers: Vec<Arc<str>>,
}

impl<K: Clone + Eq + Hash> Known<K, Home> {
    /// Takes the word of a server on it.
    ///
    /// A store that takes another's place has another name. Then so says a server that was on the
    /// one before: whoever was on neither is on a store of its own.
    ///
    /// # Errors
    /// The name that others say, where this server is not to be believed.
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
                        // Servers come and go: who was long ago is forgotten.
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
