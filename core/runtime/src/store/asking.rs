//! Calls to a store on behalf of sources, for every kind of store. The shape of answers and leases
//! is checked here. `allocations.rs` and the engine refuse a range below an earlier one.
//!
//! A panic in the store's code becomes a failure of the store.

use std::time::Duration;

use snowmint_engine::{Code, MAX_STEP};

use super::{
    Allocation, AllocationRequest, Call, Lease, LeaseRequest, SegmentAdmin, SegmentStore, Tag,
    TagOptions, TagRow, WorkerStore, check_step, errors,
};
use crate::error::Result;
use crate::host::{Random, System};
use crate::panics::caught;

/// The longest time that a call to a store may take.
pub(crate) const CALL_WITHIN: Duration = Duration::from_secs(5);
/// The longest time for a call that may have to read a whole table.
pub(crate) const SCAN_WITHIN: Duration = Duration::from_secs(600);

/// Takes a worker ID, and checks that it was requested and has time.
pub(crate) fn acquire(
    store: &dyn WorkerStore,
    request: &LeaseRequest,
    call: &Call,
) -> Result<Lease> {
    let lease = guarded(|| store.acquire(request, call))?;
    let (worker_id, max) = (lease.worker_id, request.max_worker_id);
    if worker_id > max || request.avoid == Some(worker_id) {
        return Err(errors::answers::worker_id_not_asked_for(worker_id, max));
    }
    check_interval(&lease)?;
    let (ahead_ms, reach_ms) = (lease.floor_ms.saturating_sub(lease.now_ms), request.reach_ms());
    if ahead_ms > reach_ms {
        return Err(errors::answers::lease_too_far_ahead(ahead_ms, reach_ms));
    }
    Ok(lease)
}

/// Renews a lease, and checks that its reserved time did not shrink.
pub(crate) fn renew(
    store: &dyn WorkerStore,
    lease: &Lease,
    reserve_ms: u32,
    call: &Call,
) -> Result<Lease> {
    let renewed = guarded(|| store.renew(lease, reserve_ms, call))?;
    let (before, now) = ((lease.worker_id, lease.epoch), (renewed.worker_id, renewed.epoch));
    if now != before {
        return Err(errors::answers::renewal_of_another_lease(now, before));
    }
    if let (Some(before), Some(now)) = (lease.key_space, renewed.key_space)
        && before != now
    {
        return Err(errors::answers::renewal_in_another_key_space(now, before));
    }
    if renewed.reserved_ms < lease.reserved_ms {
        return Err(errors::answers::renewal_of_less_time(renewed.reserved_ms, lease.reserved_ms));
    }
    check_interval(&renewed)?;
    Ok(renewed)
}

/// Reads the row of a tag, and checks its step.
pub(crate) fn tag(store: &dyn SegmentStore, tag: &Tag) -> Result<Option<TagRow>> {
    let row = guarded(|| store.tag(tag))?;
    row.as_ref().map_or(Ok(()), |row| check_answered_step(tag, row.step))?;
    Ok(row)
}

pub(crate) fn ensure_tag(store: &dyn SegmentAdmin, tag: &Tag, options: TagOptions) -> Result<()> {
    match guarded(|| store.create_tag(tag, options)) {
        // Another process was faster.
        Err(error) if error.code() == Code::TagExists => Ok(()),
        created => created,
    }
}

pub(crate) fn release(store: &dyn WorkerStore, lease: &Lease, call: &Call) -> Result<()> {
    guarded(|| store.release(lease, call))
}

/// Takes ranges, and checks that there is a valid answer for each request.
pub(crate) fn allocate(
    store: &dyn SegmentStore,
    requests: &[AllocationRequest],
    call: &Call,
) -> Result<Vec<Result<Allocation>>> {
    let answers = guarded(|| store.allocate(requests, call))?;
    if answers.len() != requests.len() {
        return Err(errors::answers::ranges_miscounted(answers.len(), requests.len()));
    }
    let checked = |(answer, request): (Result<Allocation>, &AllocationRequest)| {
        let allocation = answer?;
        check_allocation(&allocation, request)?;
        Ok(allocation)
    };
    Ok(answers.into_iter().zip(requests).map(checked).collect())
}

/// Takes a range of one tag, for tools. Sources take theirs ahead of need instead.
///
/// # Errors
/// The errors of [`SegmentStore::allocate`].
pub fn allocate_one(store: &dyn SegmentStore, tag: &Tag, count: Option<u64>) -> Result<Allocation> {
    allocate_one_within(store, tag, count, CALL_WITHIN)
}

/// Takes a range of one tag, and waits at most `within` for it.
///
/// # Errors
/// The errors of [`SegmentStore::allocate`].
pub fn allocate_one_within(
    store: &dyn SegmentStore,
    tag: &Tag,
    count: Option<u64>,
    within: Duration,
) -> Result<Allocation> {
    let request = AllocationRequest::new(tag.clone(), count);
    let call = Call::new(within, System.token()?);
    let answer = allocate(store, &[request], &call)?.pop();
    answer.unwrap_or_else(|| Err(errors::answers::no_range()))
}

fn check_interval(lease: &Lease) -> Result<()> {
    let Lease { floor_ms, reserved_ms, .. } = *lease;
    if floor_ms < reserved_ms {
        return Ok(());
    }
    Err(errors::answers::lease_without_time(floor_ms, reserved_ms))
}

fn check_allocation(allocation: &Allocation, request: &AllocationRequest) -> Result<()> {
    let AllocationRequest { tag, count } = request;
    check_answered_step(tag, allocation.step)?;
    let given = allocation.range.count();
    // A store may give more than was asked for, but more than anybody can ask for is a mistake.
    if given <= MAX_STEP {
        return Ok(());
    }
    Err(errors::answers::range_too_large(given, tag, *count))
}

fn check_answered_step(tag: &Tag, step: u64) -> Result<()> {
    check_step(step).map_err(|_| errors::answers::step_out_of_range(step, tag))
}

/// Calls code that may be the user's, and turns a panic into an error.
fn guarded<T>(call: impl FnOnce() -> Result<T>) -> Result<T> {
    caught(call).unwrap_or_else(|said| Err(errors::answers::store_panicked(&said)))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::store::TagRow;

    /// Records the time limit of each call.
    #[derive(Default)]
    struct Bounds(Mutex<Vec<Duration>>);

    impl SegmentStore for Bounds {
        fn allocate(
            &self,
            _: &[AllocationRequest],
            call: &Call,
        ) -> Result<Vec<Result<Allocation>>> {
            self.0.lock().unwrap().push(call.within);
            Ok(Vec::new())
        }

        fn tag(&self, _: &Tag) -> Result<Option<TagRow>> {
            Ok(None)
        }
    }

    #[test]
    fn a_store_is_asked_for_no_longer_than_its_caller_waits() {
        let (bounds, tag) = (Bounds::default(), Tag::new("orders").unwrap());
        let within = Duration::from_millis(7);
        assert!(allocate_one_within(&bounds, &tag, None, within).is_err());
        assert!(allocate_one(&bounds, &tag, None).is_err());
        assert_eq!(*bounds.0.lock().unwrap(), [within, CALL_WITHIN]);
    }
}
