//! A store in the memory of one process: for tests, simulators, and IDs that need no disk.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::Layout;

use super::key_space::KeySpace;
use super::realm::{self, LeaseRow, Realm};
use super::{
    Allocation, AllocationRequest, Call, KeySpaceId, Lease, LeaseRequest, Move, SegmentAdmin,
    SegmentStore, Tag, TagChange, TagOptions, TagRow, WorkerAdmin, WorkerRow, WorkerStore,
    check_reserve, errors, lease_lost, tag_exists, unknown_tag,
};
use crate::error::Result;
use crate::host::restore::Image;
use crate::host::{Clock, System};

/// Worker IDs and numbers for the sources of one process.
///
/// URLs open it as `memory:NAME`, of which a process has one for each name, and as `memory:`, which
/// is another store each time. Nothing survives the process. A forked child and a restored image would repeat everything, so
/// the store refuses them with [`Code::StoreUnavailable`] for good. Their sources fail at once.
pub struct MemoryStore {
    clock: Box<dyn Clock + Send + Sync>,
    image: Image,
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    /// `None` until the store is first used.
    space: Option<KeySpace>,
    workers: BTreeMap<String, Realm>,
    tags: BTreeMap<Tag, TagRow>,
}

impl MemoryStore {
    /// Creates an empty store on the system's clock.
    pub fn new() -> MemoryStore {
        MemoryStore::with_clock(System)
    }

    /// Creates an empty store that uses the given clock.
    pub fn with_clock(clock: impl Clock + Send + Sync + 'static) -> MemoryStore {
        MemoryStore { clock: Box::new(clock), image: Image::present(), tables: Mutex::default() }
    }

    /// Gives the store this identity, for a simulator that puts a store back. The default is drawn.
    #[must_use]
    pub fn in_key_space(self, id: KeySpaceId) -> MemoryStore {
        let space = Some(KeySpace { id, layout: None, from_ms: 0, changes_to: None });
        MemoryStore { tables: Mutex::new(Tables { space, ..Tables::default() }), ..self }
    }

    /// Locks the tables, unless this is another process than the one that made them.
    fn tables(&self) -> Result<MutexGuard<'_, Tables>> {
        // Checked before locking: in a forked child the thread that holds the lock may not exist.
        if !self.image.is_present() {
            return Err(errors::memory_of_another_process());
        }
        // A poisoned lock is safe to use: each change is made after everything that can fail.
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
        let space = tables.space()?;
        let space = space.claimed(request)?.unwrap_or(space);
        let rows = tables.workers.entry(request.realm.clone()).or_default();
        let (worker_id, row) = realm::acquire(rows, request, call, now_ms)?;
        let lease = row.lease(&request.realm, worker_id, now_ms);
        space.check_floor(&lease)?;
        rows.insert(worker_id, row);
        let key_space = Some(space.id);
        tables.space = Some(space);
        Ok(Lease { key_space, ..lease })
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        check_reserve(reserve_ms)?;
        let mut tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        let key_space = Some(tables.space()?.id);
        let row = tables.row(&lease.realm, lease.worker_id).ok_or_else(|| lease_lost(lease))?;
        *row = row.renewed(lease, reserve_ms, call, now_ms)?;
        Ok(Lease { key_space, ..row.lease(&lease.realm, lease.worker_id, now_ms) })
    }

    fn release(&self, lease: &Lease, _: &Call) -> Result<()> {
        let mut tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        if let Some(row) = tables.row(&lease.realm, lease.worker_id)
            && let Some(released) = row.released(lease, now_ms)
        {
            *row = released;
        }
        Ok(())
    }
}

impl WorkerAdmin for MemoryStore {
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        let tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        let rows = tables.workers.iter().flat_map(|(realm, rows)| {
            rows.iter().map(|(&worker_id, row)| row.shown(realm, worker_id, now_ms))
        });
        Ok(rows.collect())
    }

    fn key_space(&self) -> Result<Option<KeySpaceId>> {
        Ok(Some(self.tables()?.space()?.id))
    }

    fn change_layout(&self, layout: &Layout) -> Result<()> {
        let mut tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        let space = tables.space()?;
        let before = space.layout.clone().unwrap_or_default();
        if before == layout.to_string() {
            return Ok(());
        }
        let rows = tables.workers.entry(before.clone()).or_default();
        let shown: Vec<_> = rows.iter().map(|(&id, row)| row.shown(&before, id, now_ms)).collect();
        let changed = space.changed(layout, &shown, now_ms)?;
        rows.values_mut().for_each(|row| *row = row.evicted(now_ms));
        tables.space = Some(changed);
        Ok(())
    }

    fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
        let mut tables = self.tables()?;
        let now_ms = self.clock.now_ms();
        let Some(row) = tables.row(realm, worker_id) else { return Ok(false) };
        *row = row.evicted(now_ms);
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
        tag.check_new()?;
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
        *row = row.changed(change, self.clock.now_ms())?;
        Ok(row.clone())
    }

    fn close_for_move(&self, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
        let mut tables = self.tables()?;
        let row = tables.tags.get_mut(tag).ok_or_else(|| unknown_tag(tag))?;
        *row = row.closed_for_move(moving, self.clock.now_ms())?;
        Ok(row.clone())
    }

    fn check_arrival(&self) -> Result<()> {
        Ok(())
    }

    fn adopt_moved(&self, closed: &TagRow) -> Result<TagRow> {
        let mut tables = self.tables()?;
        let there = tables.tags.get(&closed.tag).cloned();
        let row = TagRow::adopted(there, closed, self.clock.now_ms())?;
        tables.tags.insert(closed.tag.clone(), row.clone());
        Ok(row)
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
    fn space(&mut self) -> Result<KeySpace> {
        let space = self.space.take().map_or_else(KeySpace::begun, Ok)?;
        Ok(self.space.insert(space).clone())
    }

    fn row(&mut self, realm: &str, worker_id: u32) -> Option<&mut LeaseRow> {
        self.workers.get_mut(realm)?.get_mut(&worker_id)
    }

    fn allocate(&mut self, request: &AllocationRequest, now_ms: i64) -> Result<Allocation> {
        let AllocationRequest { tag, count } = request;
        let row = self.tags.get_mut(tag).ok_or_else(|| unknown_tag(tag))?;
        let (allocation, taken) = row.taken(*count, now_ms)?;
        *row = taken;
        let key_space = Some(self.space()?.id);
        Ok(Allocation { key_space, ..allocation })
    }
}
