//! A store that was down when its segment was opened: it is opened when it is asked.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::error::{Error, Result};
use crate::store::{Allocation, AllocationRequest, Call, SegmentStore, Store, Tag, TagRow};

type Open = dyn Fn() -> Result<Arc<dyn Store>> + Send + Sync;

/// Opened by the first call that finds it up.
pub(crate) struct LateStore {
    open: Box<Open>,
    /// Why it could not be opened, for whoever asks next: not once more in the same breath.
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
        // Who is opened twice at once has the same store twice.
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
