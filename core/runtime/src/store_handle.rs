//! A store, and the state that all its sources in one process share: the scheduler that calls it,
//! and the floors of its tags.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use arc_swap::ArcSwapOption;

use crate::allocations::Floors;
use crate::host::Platform;
use crate::host::process::PerProcess;
use crate::scheduler::Scheduler;

/// A store as a source holds it.
pub(crate) struct StoreHandle<S: ?Sized> {
    store: Arc<S>,
    state: Arc<StoreState>,
}

/// The state that the sources of a store share.
pub(crate) struct StoreState {
    /// A forked child goes on with the floors of its parent, and has a scheduler of its own.
    floors: Arc<Floors>,
    scheduler: PerProcess<Mutex<Weak<Scheduler>>>,
}

/// An entry of the process's table of stores.
struct KnownStore {
    state: Arc<StoreState>,
    /// Returns true while somebody holds the store. Its weak reference also keeps the store's
    /// address from being given to another store.
    is_held: Box<dyn Fn() -> bool + Send + Sync>,
}

impl<S: Send + Sync + ?Sized + 'static> StoreHandle<S> {
    pub(crate) fn new(store: Arc<S>) -> StoreHandle<S> {
        let state = StoreState::of(&store);
        StoreHandle { store, state }
    }

    pub(crate) fn store(&self) -> &Arc<S> {
        &self.store
    }

    pub(crate) fn scheduler(&self, host: &Platform) -> Arc<Scheduler> {
        self.state.scheduler(host)
    }
}

impl<S: ?Sized> Deref for StoreHandle<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.store
    }
}

impl Default for StoreState {
    fn default() -> StoreState {
        StoreState::above(Arc::default())
    }
}

impl StoreState {
    fn above(floors: Arc<Floors>) -> StoreState {
        StoreState { floors, scheduler: PerProcess::new() }
    }

    /// Returns the state of a store, which stays known for as long as somebody holds the store.
    fn of<S: Send + Sync + ?Sized + 'static>(store: &Arc<S>) -> Arc<StoreState> {
        StoreState::of_or(store, StoreState::default)
    }

    /// Gives `to`, which replaces `from`, the floors of `from`. Call it before a source opens on
    /// `to`.
    pub(crate) fn hand_on<S: Send + Sync + 'static>(from: &Arc<S>, to: &Arc<S>) {
        let floors = Arc::clone(&StoreState::of(from).floors);
        StoreState::of_or(to, || StoreState::above(floors));
    }

    /// The table of stores has no lock, because another thread could hold it at a fork.
    fn of_or<S>(store: &Arc<S>, begin: impl FnOnce() -> StoreState) -> Arc<StoreState>
    where
        S: Send + Sync + ?Sized + 'static,
    {
        static KNOWN: ArcSwapOption<HashMap<usize, Arc<KnownStore>>> = ArcSwapOption::const_empty();
        let address = Arc::as_ptr(store).addr();
        if let Some(known) = KNOWN.load().as_ref().and_then(|known| known.get(&address)) {
            return Arc::clone(&known.state);
        }
        let weak = Arc::downgrade(store);
        let fresh = Arc::new(KnownStore {
            state: Arc::new(begin()),
            is_held: Box::new(move || weak.strong_count() > 0),
        });
        let mut found = Arc::clone(&fresh);
        KNOWN.rcu(|known| {
            let known = known.iter().flat_map(|known| known.iter());
            let held = known.filter(|(_, known)| (known.is_held)());
            let mut held: HashMap<_, _> =
                held.map(|(address, known)| (*address, Arc::clone(known))).collect();
            found = Arc::clone(held.entry(address).or_insert_with(|| Arc::clone(&fresh)));
            Some(Arc::new(held))
        });
        Arc::clone(&found.state)
    }

    /// Returns this process's scheduler, a new one once the last source has left the one before.
    pub(crate) fn scheduler(&self, host: &Platform) -> Arc<Scheduler> {
        let present = self.scheduler.get_or_init(Mutex::default);
        let mut present = present.lock().unwrap_or_else(PoisonError::into_inner);
        present.upgrade().unwrap_or_else(|| {
            let scheduler = Scheduler::new(Arc::clone(&self.floors), host);
            *present = Arc::downgrade(&scheduler);
            scheduler
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Tag;

    #[test]
    fn the_floors_of_a_store_outlive_its_scheduler() {
        let (store, orders) = (Arc::new(()), Tag::new("orders").unwrap());
        let scheduler =
            |store: &Arc<()>| StoreHandle::new(Arc::clone(store)).scheduler(&Platform::System);
        scheduler(&store).allocations.raise_floor(&orders, 100);
        assert_eq!(scheduler(&store).allocations.floor(&orders), 100, "its scheduler is gone");
        assert_eq!(scheduler(&Arc::new(())).allocations.floor(&orders), 0, "another store");
    }

    #[test]
    fn a_store_that_replaces_another_has_its_floors_and_a_scheduler_of_its_own() {
        let (store, fresh) = (Arc::new(()), Arc::new(()));
        let orders = Tag::new("orders").unwrap();
        let before = StoreHandle::new(Arc::clone(&store)).scheduler(&Platform::System);
        before.allocations.raise_floor(&orders, 100);
        StoreState::hand_on(&store, &fresh);
        let after = StoreHandle::new(fresh).scheduler(&Platform::System);
        assert_eq!(after.allocations.floor(&orders), 100);
        assert!(!Arc::ptr_eq(&before, &after));
    }
}
