//! A store that was down when its segment was opened: it is opened when it is asked.

use std::sync::{Arc, OnceLock};

use crate::error::Result;
use crate::store::{Allocation, AllocationRequest, Call, SegmentStore, Store, Tag, TagRow};

type Open = dyn Fn() -> Result<Arc<dyn Store>> + Send + Sync;

/// Opened by the first call that finds it up.
pub(crate) struct LateStore {
    open: Box<Open>,
    opened: OnceLock<Arc<dyn Store>>,
}

impl LateStore {
    pub(crate) fn new(
        open: impl Fn() -> Result<Arc<dyn Store>> + Send + Sync + 'static,
    ) -> LateStore {
        LateStore { open: Box::new(open), opened: OnceLock::new() }
    }

    fn store(&self) -> Result<&dyn Store> {
        if let Some(store) = self.opened.get() {
            return Ok(&**store);
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
}
