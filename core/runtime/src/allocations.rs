//! What the sources of a store want of it, so that one call brings it to all of them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::error::Result;
use crate::events::reports::Reports;
use crate::host::Random;
use crate::host::restore::Image;
use crate::store::{Allocation, AllocationRequest, CALL_WITHIN, Call, SegmentStore, Tag, allocate};

/// The most tags asked for in one call: others wait for its transaction.
const REQUESTS_MAX: usize = 64;

/// Who wants a range.
pub(crate) trait Customer: Send + Sync {
    /// Takes what a request came to; `known` is of the same store.
    fn answer(&self, allocated: Result<Allocation>, known: &Allocations);
}

/// Requests for ranges, in the order they were made, and what is known of the tags.
pub(crate) struct Allocations {
    wanted: Mutex<VecDeque<Wanted>>,
    floors: Arc<Floors>,
    /// What there is to tell of its sources.
    pub(crate) reports: Reports,
}

/// Of each tag of a store that went back the first number that no range had: whoever opens it anew
/// in this process goes on above. Known for as long as the store is there.
#[derive(Default)]
pub(crate) struct Floors(Mutex<HashMap<Tag, u64>>);

struct Wanted {
    request: AllocationRequest,
    customer: Weak<dyn Customer>,
    image: Image,
}

impl Allocations {
    pub(crate) fn above(floors: Arc<Floors>) -> Allocations {
        Allocations { wanted: Mutex::default(), floors, reports: Reports::default() }
    }

    pub(crate) fn want(&self, request: AllocationRequest, customer: Weak<dyn Customer>) {
        let wanted = Wanted { request, customer, image: Image::present() };
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).push_back(wanted);
    }

    /// Asks for what is wanted, up to some requests, and gives it to whoever wanted it. `false` if
    /// nothing was.
    pub(crate) fn fetch(&self, store: &dyn SegmentStore, random: &impl Random) -> bool {
        let batch: Vec<Wanted> = {
            let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
            let count = wanted.len().min(REQUESTS_MAX);
            wanted.drain(..count).collect()
        };
        if batch.is_empty() {
            return false;
        }
        let requests: Vec<_> = batch.iter().map(|wanted| wanted.request.clone()).collect();
        let answered = random
            .token()
            .and_then(|attempt| allocate(store, &requests, &Call::new(CALL_WITHIN, attempt)));
        let answers = answered.unwrap_or_else(|error| vec![Err(error); batch.len()]);
        for (Wanted { customer, image, .. }, answer) in batch.into_iter().zip(answers) {
            // Another image may have had the same answer.
            if let Some(customer) = customer.upgrade().filter(|_| image.is_present()) {
                customer.answer(answer, self);
            }
        }
        true
    }

    /// The first number of a tag that no range of this process had, where its store went back.
    pub(crate) fn floor(&self, tag: &Tag) -> u64 {
        let floors = self.floors.0.lock().unwrap_or_else(PoisonError::into_inner);
        floors.get(tag).copied().unwrap_or(0)
    }

    pub(crate) fn raise_floor(&self, tag: &Tag, floor: u64) {
        let mut floors = self.floors.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = floors.entry(tag.clone()).or_insert(0);
        *known = (*known).max(floor);
    }
}
