//! Collects the range requests of a store's sources, so that one call serves many of them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use snowmint_engine::Error as EngineError;

use crate::error::Result;
use crate::host::Random;
use crate::host::restore::Image;
use crate::reports::Reports;
use crate::store::{Allocation, AllocationRequest, Call, SegmentStore, Tag, allocate};
use crate::waiting::DEFAULT_WAIT;

mod floors;

pub(crate) use floors::Floors;

/// The most requests in one call, because other processes wait for its transaction.
const REQUESTS_MAX: usize = 64;
/// The time limit of a call. It is below the default wait, so that a waiting caller learns what is
/// wrong with the store and not only that time is up.
const FETCH_WITHIN: Duration = Duration::from_secs(4);
const _: () = assert!(FETCH_WITHIN.as_millis() < DEFAULT_WAIT.as_millis());

/// A source that requests a range.
pub(crate) trait Requester: Send + Sync {
    /// Receives the answer to a request; `known` belongs to the same store.
    fn answer(self: Arc<Self>, allocated: Result<Allocation>, known: &Allocations);
}

/// Requests for ranges, in the order they were made, and the floors of the tags.
pub(crate) struct Allocations {
    wanted: Mutex<VecDeque<Wanted>>,
    floors: Arc<Floors>,
    /// Events of the store's sources that are not delivered yet.
    pub(crate) reports: Reports,
}

struct Wanted {
    request: AllocationRequest,
    requester: Weak<dyn Requester>,
    image: Image,
}

impl Allocations {
    pub(crate) fn above(floors: Arc<Floors>) -> Allocations {
        Allocations { wanted: Mutex::default(), floors, reports: Reports::default() }
    }

    pub(crate) fn want(&self, request: AllocationRequest, requester: Weak<dyn Requester>) {
        let wanted = Wanted { request, requester, image: Image::present() };
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).push_back(wanted);
    }

    /// Sends up to [`REQUESTS_MAX`] requests in one call, and hands out the answers. Returns false
    /// if there was no request.
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
            .and_then(|attempt| allocate(store, &requests, &Call::new(FETCH_WITHIN, attempt)));
        let mut answers = answered.unwrap_or_else(|error| vec![Err(error); batch.len()]);
        self.check(&requests, &mut answers);
        for (Wanted { requester, image, .. }, answer) in batch.into_iter().zip(answers) {
            // Another image of this process may have received the same answer.
            if let Some(requester) = requester.upgrade().filter(|_| image.is_present()) {
                requester.answer(answer, self);
            }
        }
        true
    }

    /// Refuses a range that begins below the tag's floor, and raises the floors by the others. The
    /// ranges that one call returns for a tag may be in any order.
    fn check(&self, requests: &[AllocationRequest], answers: &mut [Result<Allocation>]) {
        for (request, answer) in requests.iter().zip(&mut *answers) {
            let (expected, given) = (self.floor(&request.tag), answer.as_ref().ok());
            if let Some(start) = given.map(|given| given.range.start()).filter(|&s| s < expected) {
                *answer = Err(EngineError::RangeRegressed { start, expected }.into());
            }
        }
        for (request, answer) in requests.iter().zip(&*answers) {
            if let Ok(given) = answer {
                self.floors.note(&request.tag, given.range.end());
            }
        }
    }

    /// Returns the first number above all ranges that this process had of a tag, or 0 if unknown.
    pub(crate) fn floor(&self, tag: &Tag) -> u64 {
        self.floors.get(tag)
    }

    /// Raises the floor of a fenced tag, even if too many tags are noted already.
    pub(crate) fn raise_floor(&self, tag: &Tag, floor: u64) {
        self.floors.raise(tag, floor);
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::{Code, NumberRange};

    use super::*;

    fn given(start: u64) -> Result<Allocation> {
        Ok(Allocation::new(NumberRange::new(start, start + 100, 1)?, 100))
    }

    #[test]
    fn ranges_that_one_call_gives_of_a_tag_are_taken_in_any_order() {
        let allocations = Allocations::above(Arc::default());
        let orders = AllocationRequest::new(Tag::new("orders").unwrap(), 100);
        let requests = [orders.clone(), orders.clone()];
        let mut answers = [given(2_000), given(1_000)];
        allocations.check(&requests, &mut answers);
        assert!(answers.iter().all(Result::is_ok));
        let mut answers = [given(2_099), given(2_100)];
        allocations.check(&requests, &mut answers);
        assert_eq!(answers[0].as_ref().unwrap_err().code(), Code::RangeRegressed);
        assert!(answers[1].is_ok());
        assert_eq!(allocations.floor(&orders.tag), 2_200);
    }
}
