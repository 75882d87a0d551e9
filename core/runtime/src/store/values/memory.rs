//! Values that this process wrote last. It can replace such a value without reading it first,
//! because the compare-and-set only succeeds if the value is unchanged.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Seen, Table};
use crate::host::process::PerProcess;

/// The time for which this machine's clock may stand in for the store's.
const LASTS: Duration = Duration::from_secs(60);
/// The largest number of remembered values; all are forgotten when it is reached.
const VALUES_MAX: usize = 4096;

pub(in crate::store) struct Memory<T> {
    left: PerProcess<Mutex<HashMap<String, Left<T>>>>,
}

struct Left<T> {
    seen: Seen<T>,
    noted: Instant,
    /// True if no other process changed the value between this process's last two writes. Otherwise
    /// the value is read first, because a failed change costs the store more than a read.
    is_ours_alone: bool,
}

impl<T: AsRef<str> + Clone> Memory<T> {
    #[cfg(any(feature = "etcd", feature = "redis", test))]
    pub(in crate::store) const fn new() -> Memory<T> {
        Memory { left: PerProcess::new() }
    }

    fn with<R>(&self, work: impl FnOnce(&mut HashMap<String, Left<T>>) -> R) -> R {
        let left = self.left.get_or_init(Mutex::default);
        let mut guard: MutexGuard<'_, _> = left.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut guard)
    }

    /// Returns a value that should still be there, with an estimate of the store's time.
    pub(super) fn recall(&self, table: Table<'_>, name: &str) -> Option<Seen<Option<T>>> {
        self.with(|values| {
            let left = values.get(&key(table, name)).filter(|left| left.is_ours_alone)?;
            let since = left.noted.elapsed();
            let since_ms = i64::try_from(since.as_millis()).ok().filter(|_| since <= LASTS)?;
            let now_ms = left.seen.now_ms.saturating_add(since_ms);
            Some(Seen { what: Some(left.seen.what.clone()), now_ms })
        })
    }

    /// Notes the value that replaced `known`.
    pub(super) fn note(&self, table: Table<'_>, name: &str, known: Option<&T>, seen: Seen<T>) {
        self.with(|values| {
            let key = key(table, name);
            let known = known.map(AsRef::as_ref);
            let before = values.get(&key).map(|left| left.seen.what.as_ref());
            let is_ours_alone = before.is_some() && before == known;
            if values.len() >= VALUES_MAX && before.is_none() {
                values.clear();
            }
            values.insert(key, Left { seen, noted: Instant::now(), is_ours_alone });
        });
    }

    /// Forgets a value that may have changed.
    pub(super) fn forget(&self, table: Table<'_>, name: &str) {
        self.with(|values| values.remove(&key(table, name)));
    }
}

fn key(table: Table<'_>, name: &str) -> String {
    match table {
        Table::Tags => format!("tags/{name}"),
        Table::Workers(realm) => format!("workers/{realm}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(memory: &Memory<String>, name: &str, known: Option<&str>, new: &str) {
        let known = known.map(str::to_owned);
        let seen = Seen { what: new.to_owned(), now_ms: 7 };
        memory.note(Table::Tags, name, known.as_ref(), seen);
    }

    fn recalled(memory: &Memory<String>, name: &str) -> Option<String> {
        memory.recall(Table::Tags, name).and_then(|seen| seen.what)
    }

    #[test]
    fn only_a_value_that_no_other_process_changes_is_recalled() {
        let memory = Memory::new();
        note(&memory, "orders", Some("a"), "b");
        assert_eq!(recalled(&memory, "orders"), None); // other processes may change it often
        note(&memory, "orders", Some("b"), "c");
        assert_eq!(recalled(&memory, "orders").as_deref(), Some("c"));
        assert!(memory.recall(Table::Tags, "orders").is_some_and(|seen| seen.now_ms >= 7));
        assert!(memory.recall(Table::Workers(""), "orders").is_none());
        note(&memory, "orders", Some("d"), "e"); // another process changed it
        assert_eq!(recalled(&memory, "orders"), None);
        note(&memory, "orders", Some("e"), "f");
        memory.forget(Table::Tags, "orders");
        assert_eq!(recalled(&memory, "orders"), None);
    }

    #[test]
    fn so_many_values_and_no_more() {
        let memory = Memory::new();
        for count in 0..=VALUES_MAX {
            assert!(memory.with(|values| values.len()) <= VALUES_MAX);
            note(&memory, &count.to_string(), None, "a");
        }
        assert_eq!(memory.with(|values| values.len()), 1);
    }
}
