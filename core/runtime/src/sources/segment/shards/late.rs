//! A store that was down when its segment was opened. It is opened when it is called.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::error::{Error, Result};
use crate::store::{Allocation, AllocationRequest, Call, SegmentStore, Store, Tag, TagRow};

type Open = dyn Fn() -> Result<Arc<dyn Store>> + Send + Sync;

/// The store is opened by the first call that succeeds in it.
pub(crate) struct LateStore {
    open: Box<Open>,
    /// The failure of opening, which answers the next call, so that the store is not retried at
    /// once.
    why: Mutex<Option<Error>>,
    opened: OnceLock<Arc<dyn Store>>,
}

impl LateStore {
    pub(crate) fn new(
        why: Error,
        open: impl Fn() -> Result<Arc<dyn Store>> + Send + Sync + 'static,
    ) -> LateStore {
        LateStore { open: Box::new(open), why: Mutex::new(Some(why)), opened: OnceLock::new() }
    }

    fn store(&self) -> Result<&dyn Store> {
        if let Some(store) = self.opened.get() {
            return Ok(&**store);
        }
        if let Some(why) = self.why.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(why);
        }
        // Two threads may open it at once: by URL both get the same store.
        let store = (self.open)()?;
        Ok(&**self.opened.get_or_init(|| store))
    }
}

impl SegmentStore for LateStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.store()?.allocate(requests, call)
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.store()?.tag(tag)
    }

    fn tells_tags(&self) -> bool {
        self.opened.get().is_none_or(|store| store.tells_tags())
    }

    fn tells_raises(&self) -> bool {
        self.opened.get().is_none_or(|store| store.tells_raises())
    }
}
