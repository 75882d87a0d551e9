//! A store in the memory of one process: for tests, simulators, and IDs that need no disk.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use snowmint_engine::{Code, MAX_NUMBER, NumberRange};

use super::{
    Allocation, AllocationRequest, Call, Exhausted, Lease, LeaseRequest, SegmentAdmin,
    SegmentStore, Tag, TagChange, TagOptions, TagRow, Token, WorkerAdmin, WorkerRow, WorkerStore,
    check_slab, check_step, lease_lost, not_changed, tag_exhausted, tag_exists, unknown_tag,
};
use crate::error::{Error, Result};
use crate::host::restore::Image;
use crate::host::{Clock, System};

/// The token of a released lease, which nobody has.
const RELEASED: Token = [0; 16];

/// Worker IDs and numbers for the sources of one process.
///
/// Nothing survives the process. A forked child and a restored image, whose copies would repeat
/// everything, are refused with [`Code::StoreUnavailable`].
pub struct MemoryStore {
    clock: Box<dyn Clock + Send + Sync>,
    image: Image,
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    workers: BTreeMap<String, BTreeMap<u32, Row>>,
    tags: BTreeMap<Tag, TagRow>,
}

struct Row {
    owner: String,
    epoch: u64,
    token: Token,
    floor_ms: i64,
    reserved_ms: i64,
    expires_ms: i64,
}

impl MemoryStore {
    /// An empty store on the system's clock.
    pub fn new() -> MemoryStore {
        MemoryStore::with_clock(System)
    }

    /// An empty store whose clock is the one given.
    pub fn with_clock(clock: impl Clock + Send + Sync + 'static) -> MemoryStore {
        MemoryStore { clock: Box::new(clock), image: Image::present(), tables: Mutex::default() }
    }

    /// The tables, in the process that made them.
    fn tables(&self) -> Result<MutexGuard<'_, Tables>> {
        // Before the lock: in a forked child its holder may not exist.
        if !self.image.is_present() {
            let message = "a store in memory belongs to the process that made it, and this is a \
                           forked child or a restored image: open a store of its own, or one on \
                           disk";
            return Err(Error::new(Code::StoreUnavailable, message));
        }
        // A panic cannot leave half a change: each is made after everything that can fail.
        Ok(self.tables.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Default for MemoryStore {
    fn default() -> MemoryStore {
        MemoryStore::new()
    }
}

impl WorkerStore for MemoryStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        request.check()?;
        let mut tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        let rows = tables.workers.entry(request.realm.clone()).or_default();
        let same = |row: &Row| row.token == call.attempt && row.owner == request.owner;
        if let Some((&worker_id, row)) = rows.iter().find(|(_, row)| same(row)) {
            return Ok(row.lease(&request.realm, worker_id, now_ms));
        }
        let Some(worker_id) = preferred(rows, request, call, now_ms) else {
            return Err(exhausted(rows, request, now_ms).error(request));
        };
        let row = rows.entry(worker_id).or_insert_with(|| Row {
            owner: String::new(),
            epoch: 0,
            token: Token::default(),
            floor_ms: now_ms,
            reserved_ms: now_ms,
            expires_ms: now_ms,
        });
        let end_ms = now_ms.saturating_add(i64::from(request.slab_ms));
        row.owner.clone_from(&request.owner);
        row.epoch += 1;
        row.token = call.attempt;
        row.floor_ms = row.reserved_ms.max(now_ms);
        row.reserved_ms = row.reserved_ms.max(end_ms);
        row.expires_ms = end_ms;
        Ok(row.lease(&request.realm, worker_id, now_ms))
    }

    fn renew(&self, lease: &Lease, slab_ms: u32, call: &Call) -> Result<Lease> {
        check_slab(slab_ms)?;
        let mut tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        let row = tables
            .row(&lease.realm, lease.worker_id)
            .filter(|row| row.belongs_to(lease) && [lease.token, call.attempt].contains(&row.token))
            .ok_or_else(|| lease_lost(lease))?;
        let end_ms = now_ms.saturating_add(i64::from(slab_ms));
        row.token = call.attempt;
        row.reserved_ms = row.reserved_ms.max(end_ms);
        row.expires_ms = row.expires_ms.max(end_ms);
        Ok(Lease { token: call.attempt, reserved_ms: row.reserved_ms, now_ms, ..lease.clone() })
    }

    fn release(&self, lease: &Lease, _: &Call) -> Result<()> {
        let mut tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        let row = tables.row(&lease.realm, lease.worker_id);
        if let Some(row) = row.filter(|row| row.belongs_to(lease) && row.token == lease.token) {
            row.expires_ms = row.expires_ms.min(now_ms);
            // No renewal that is still on its way can revive the lease.
            row.token = RELEASED;
        }
        Ok(())
    }
}

impl WorkerAdmin for MemoryStore {
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        let tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        let rows = tables.workers.iter().flat_map(|(realm, rows)| {
            rows.iter().map(|(&worker_id, row)| WorkerRow {
                realm: realm.clone(),
                worker_id,
                owner: row.owner.clone(),
                epoch: row.epoch,
                reserved_ms: row.reserved_ms,
                expires_ms: row.expires_ms,
                held: row.expires_ms > now_ms,
            })
        });
        Ok(rows.collect())
    }

    fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
        let mut tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        let Some(row) = tables.row(realm, worker_id) else { return Ok(false) };
        row.expires_ms = row.expires_ms.min(now_ms);
        row.epoch += 1; // the old holder's renewals no longer match
        Ok(true)
    }
}

impl SegmentStore for MemoryStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        _: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        let mut tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        Ok(requests.iter().map(|request| tables.allocate(request, now_ms)).collect())
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        Ok(self.tables()?.tags.get(tag).cloned())
    }
}

impl SegmentAdmin for MemoryStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        options.check()?;
        let mut tables = self.tables()?;
        if tables.tags.contains_key(tag) {
            return Err(tag_exists(tag));
        }
        let row = TagRow { updated_ms: self.clock.now_ms(), ..TagRow::new(tag, options) };
        tables.tags.insert(tag.clone(), row);
        Ok(())
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        change.check()?;
        let mut tables = self.tables()?;
        let row = tables.tags.get_mut(tag).ok_or_else(|| unknown_tag(tag))?;
        let next = change.next.unwrap_or(row.next);
        let max = change.max.unwrap_or(row.max);
        if next < row.next || next.saturating_sub(row.stride) > max {
            return Err(not_changed(tag, change, row));
        }
        row.raises += u64::from(change.next.is_some());
        row.next = next;
        row.max = max;
        row.step = change.step.unwrap_or(row.step);
        row.updated_ms = self.clock.now_ms();
        Ok(row.clone())
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        Ok(self.tables()?.tags.values().cloned().collect())
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").finish_non_exhaustive()
    }
}

impl Tables {
    fn row(&mut self, realm: &str, worker_id: u32) -> Option<&mut Row> {
        self.workers.get_mut(realm)?.get_mut(&worker_id)
    }

    fn allocate(&mut self, request: &AllocationRequest, now_ms: i64) -> Result<Allocation> {
        let AllocationRequest { tag, count } = request;
        count.map_or(Ok(()), check_step)?;
        let row = self.tags.get_mut(tag).ok_or_else(|| unknown_tag(tag))?;
        let left = row.ends().saturating_sub(row.next).div_ceil(row.stride);
        let numbers = count.unwrap_or(row.step).min(left).saturating_mul(row.stride);
        // At the next number of its class.
        let end = row.next.saturating_add(numbers).min(MAX_NUMBER);
        let range =
            NumberRange::new(row.next, end, row.stride).map_err(|_| tag_exhausted(tag, row.max))?;
        row.next = end;
        row.updated_ms = now_ms;
        Ok(Allocation { range, step: row.step, incarnation: None })
    }
}

impl Row {
    fn lease(&self, realm: &str, worker_id: u32, now_ms: i64) -> Lease {
        Lease {
            realm: realm.to_owned(),
            worker_id,
            epoch: self.epoch,
            owner: self.owner.clone(),
            token: self.token,
            floor_ms: self.floor_ms,
            reserved_ms: self.reserved_ms,
            now_ms,
            incarnation: None,
        }
    }

    fn belongs_to(&self, lease: &Lease) -> bool {
        self.epoch == lease.epoch && self.owner == lease.owner
    }

    /// The first millisecond at which the request could take this row, if nobody renews it.
    fn free_ms(&self, request: &LeaseRequest) -> i64 {
        self.expires_ms.max(self.reserved_ms.saturating_sub(request.reach_ms()))
    }
}

/// The worker ID to take: one whose reserved time is over, an unused one, or one whose reserved
/// time is nearly over.
fn preferred(
    rows: &BTreeMap<u32, Row>,
    request: &LeaseRequest,
    call: &Call,
    now_ms: i64,
) -> Option<u32> {
    let free = rows
        .iter()
        .filter(|&(&id, row)| request.allows(id) && row.free_ms(request) <= now_ms)
        .min_by_key(|(_, row)| row.reserved_ms);
    let rested = free.filter(|(_, row)| row.reserved_ms <= now_ms);
    // A realm begins anywhere, and goes on with the lowest.
    let first = if rows.is_empty() { request.first_worker_id(call) } else { 0 };
    let unused = || {
        let mut from_first = (first..=request.max_worker_id).chain(0..first);
        from_first.find(|id| request.allows(*id) && !rows.contains_key(id))
    };
    rested.map(|(&id, _)| id).or_else(unused).or(free.map(|(&id, _)| id))
}

fn exhausted(rows: &BTreeMap<u32, Row>, request: &LeaseRequest, now_ms: i64) -> Exhausted {
    let held = || rows.iter().filter(|(_, row)| row.expires_ms > now_ms);
    let free_ms =
        rows.iter().filter(|(id, _)| request.allows(**id)).map(|(_, row)| row.free_ms(request));
    Exhausted {
        held: held().count() as u64,
        oldest: held()
            .min_by_key(|(_, row)| row.floor_ms)
            .map(|(&id, row)| (id, row.owner.clone())),
        free_in_ms: free_ms.min().map(|free_ms| free_ms.saturating_sub(now_ms)),
    }
}
