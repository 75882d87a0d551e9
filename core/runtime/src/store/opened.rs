//! Stores opened by URL: all uses of one URL in a process share one store.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::error::Result;
use crate::host::process::PerProcess;

/// The stores that this process has opened by URL and still uses.
pub(crate) struct Opened<K, S>(PerProcess<Mutex<HashMap<K, Weak<S>>>>);

impl<K: Clone + Eq + Hash, S> Opened<K, S> {
    pub(crate) const fn new() -> Opened<K, S> {
        Opened(PerProcess::new())
    }

    /// Returns the present store after `look` has succeeded, or a new one. `key` is what equal
    /// stores have in common; `look` is told whether more than that is asked for.
    pub(crate) fn one(
        &self,
        asked: K,
        key: &K,
        look: impl FnOnce(&S, bool) -> Result<()>,
        open: impl FnOnce(K) -> Result<S>,
    ) -> Result<Arc<S>> {
        if let Some(store) = self.find(key) {
            look(&store, asked != *key)?;
            return Ok(store);
        }
        // Without the lock, because a server may take its time.
        let store = Arc::new(open(asked)?);
        Ok(self.keep(key, None, &store).unwrap_or(store))
    }

    pub(crate) fn find(&self, key: &K) -> Option<Arc<S>> {
        self.with(|opened| opened.get(key).and_then(Weak::upgrade))
    }

    /// Replaces a store by another. If another thread has replaced it meanwhile, its store is kept
    /// and returned: two stores in one place would each know only a part of what the process had
    /// from it.
    pub(crate) fn keep(&self, key: &K, before: Option<&Arc<S>>, store: &Arc<S>) -> Option<Arc<S>> {
        self.with(|opened| {
            opened.retain(|_, store| store.strong_count() > 0);
            let present = opened.get(key).and_then(Weak::upgrade);
            let is_new = |it: &Arc<S>| !before.is_some_and(|before| Arc::ptr_eq(before, it));
            let meanwhile = present.filter(is_new);
            if meanwhile.is_none() {
                opened.insert(key.clone(), Arc::downgrade(store));
            }
            meanwhile
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<K, Weak<S>>) -> T) -> T {
        let opened = self.0.get_or_init(Mutex::default);
        work(&mut opened.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_that_open_a_store_at_once_all_get_the_first() {
        let (opened, place) = (Opened::<&str, &str>::new(), "place");
        let mut meanwhile = None;
        let open = |_| {
            meanwhile = Some(opened.one(place, &place, |_, _| Ok(()), |_| Ok("first"))?);
            Ok("second")
        };
        let store = opened.one(place, &place, |_, _| Ok(()), open);
        assert!(Arc::ptr_eq(&store.unwrap(), &meanwhile.unwrap()));
    }
}
