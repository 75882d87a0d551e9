//! A store in an SQLite file: the embedded default, for all processes of one machine.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, Row, named_params};
use snowmint_engine::NumberRange;

use self::fault::Fault;
use super::{
    Allocation, AllocationRequest, Call, Exhausted, Lease, LeaseRequest, SegmentAdmin,
    SegmentStore, Tag, TagChange, TagOptions, TagRow, WorkerAdmin, WorkerRow, WorkerStore,
    check_slab, check_step, lease_lost, next_falls, tag_exhausted, tag_exists, unknown_tag,
};
use crate::error::{Error, Result};
use crate::host::process::PerProcess;

mod fault;
mod file;
mod gate;

/// How long a call waits for another process's transaction unless told otherwise.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest such wait.
const BUSY_TIMEOUT_MAX: Duration = Duration::from_secs(3600);
/// The wait between two tries, in which a fork may happen.
const PAUSE: Duration = Duration::from_millis(1);
/// SQLite's locks have no queue. A process that has called without a break for `TURN` therefore
/// takes a `REST`, some tries of the others long, or it would starve them.
const TURN: Duration = Duration::from_millis(20);
const REST: Duration = Duration::from_millis(4);

/// Worker IDs and numbers in an SQLite file, shared by any number of processes of one machine.
///
/// - *Durability*: an acknowledged change survives power loss, and the file alone holds it: while
///   no transaction runs there is nothing beside it.
/// - *Clock*: the machine's, read inside each statement.
/// - *Threads*: one connection a process, one call at a time.
/// - *Fork*: a child opens its own connection and leaves its parent's alone.
/// - A file that is moved or deleted while it is in use is an error, never begun anew.
///
/// Not for network file systems: their locks are often not what they say.
pub struct SqliteStore {
    path: PathBuf,
    busy_timeout: Duration,
    connection: PerProcess<Mutex<Handle>>,
}

/// The connection, if there is one: after a failure of the disk it is given up for a new one.
#[derive(Default)]
struct Handle {
    connection: Option<Connection>,
    /// When calls without a break began.
    turn_began: Option<Instant>,
    /// When the last of them ended.
    turn_ended: Option<Instant>,
}

impl SqliteStore {
    /// Opens a database, and creates it if there is none: its file and directories then for their
    /// owner only.
    ///
    /// # Errors
    /// The `Store…` codes; [`StoreSchema`](crate::Code::StoreSchema) for a database of something
    /// else or of another version.
    pub fn open(path: impl AsRef<Path>) -> Result<SqliteStore> {
        let store = SqliteStore::at(path.as_ref())?;
        store.run(BUSY_TIMEOUT_MAX, |handle| {
            file::create(&store.path)?;
            store.connect(handle).map(drop)
        })?;
        Ok(store)
    }

    /// Opens a database that is there already, for commands that must not create one.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`StoreUnavailable`](crate::Code::StoreUnavailable) if there is no
    /// such file.
    pub fn open_existing(path: impl AsRef<Path>) -> Result<SqliteStore> {
        let store = SqliteStore::at(path.as_ref())?;
        store.run(BUSY_TIMEOUT_MAX, |handle| store.connect(handle).map(drop))?;
        Ok(store)
    }

    /// Waits so long, at most an hour, while another process is in a transaction; 5 s unless set.
    #[must_use]
    pub fn with_busy_timeout(self, timeout: Duration) -> SqliteStore {
        SqliteStore { busy_timeout: timeout.min(BUSY_TIMEOUT_MAX), ..self }
    }

    /// The database's absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn at(path: &Path) -> Result<SqliteStore> {
        let path = file::absolute(path)?;
        Ok(SqliteStore { path, busy_timeout: BUSY_TIMEOUT, connection: PerProcess::new() })
    }

    /// This process's connection.
    fn connect<'a>(&self, handle: &'a mut Handle) -> Result<&'a Connection, Fault> {
        let connection = match handle.connection.take() {
            Some(connection) => connection,
            None => file::connect(&self.path)?,
        };
        Ok(handle.connection.insert(connection))
    }

    /// Tries until nobody else has the database locked, or the time is up.
    fn run<T>(
        &self,
        within: Duration,
        mut attempt: impl FnMut(&mut Handle) -> Result<T, Fault>,
    ) -> Result<T> {
        let patience = self.busy_timeout.min(within);
        let handle = self.connection.get_or_init(Mutex::default);
        let mut handle = handle.lock().unwrap_or_else(PoisonError::into_inner);
        handle.take_turn();
        let deadline = Instant::now() + patience;
        loop {
            let done = {
                let _pass = gate::enter()?;
                handle.tidy(None); // a panic may have left a transaction open
                let done = attempt(&mut handle);
                handle.tidy(done.as_ref().err());
                done
            };
            handle.turn_ended = Some(Instant::now());
            match done {
                Ok(done) => return Ok(done),
                Err(fault) if fault.is_busy() && Instant::now() < deadline => sleep(PAUSE),
                Err(fault) => return Err(fault.explain(&self.path, patience)),
            }
        }
    }

    fn read<T>(&self, query: impl Fn(&Connection) -> Result<T, Fault>) -> Result<T> {
        self.run(BUSY_TIMEOUT_MAX, |handle| query(self.connect(handle)?))
    }

    /// One transaction, durable when this returns.
    fn write<T>(
        &self,
        within: Duration,
        change: impl Fn(&Connection) -> Result<T, Fault>,
    ) -> Result<T> {
        self.run(within, |handle| file::transaction(self.connect(handle)?, &change))
    }
}

impl Handle {
    /// Lets other processes have their turn first if this one's is over.
    fn take_turn(&mut self) {
        let lasted = |since: Option<Instant>| since.map_or(Duration::MAX, |then| then.elapsed());
        if lasted(self.turn_ended) >= REST {
            self.turn_began = Some(Instant::now());
        } else if lasted(self.turn_began) >= TURN {
            sleep(REST);
            self.turn_began = Some(Instant::now());
        }
    }

    /// Keeps the connection only if it is certain in what state it is.
    fn tidy(&mut self, fault: Option<&Fault>) {
        let open = self.connection.as_ref().is_some_and(|connection| !connection.is_autocommit());
        if open || fault.is_some_and(Fault::spoils_connection) {
            self.connection = None; // rolls back
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        match (self.connection.take(), gate::enter()) {
            (Some(connection), Ok(_pass)) => drop(connection),
            // Not to be touched in this process.
            (connection, _) => std::mem::forget(connection),
        }
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("path", &self.path).finish_non_exhaustive()
    }
}

impl WorkerStore for SqliteStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        request.check()?;
        self.write(call.within, |connection| {
            let lease = |row: &Row<'_>| {
                Ok(Lease {
                    realm: request.realm.clone(),
                    worker_id: row.get(0)?,
                    epoch: unsigned(row, 1)?,
                    owner: request.owner.clone(),
                    token: call.attempt,
                    floor_ms: row.get(2)?,
                    reserved_ms: row.get(3)?,
                    now_ms: row.get(4)?,
                    incarnation: None,
                })
            };
            let attempt = named_params! {
                ":realm": request.realm, ":owner": request.owner, ":token": call.attempt,
            };
            let mut statement = connection.prepare_cached(include_str!("sqlite/acquired.sql"))?;
            if let Some(lease) = statement.query_row(attempt, lease).optional()? {
                return Ok(lease);
            }
            let parameters = named_params! {
                ":realm": request.realm,
                ":max_worker_id": request.max_worker_id,
                ":avoid": request.avoid,
                ":owner": request.owner,
                ":token": call.attempt,
                ":slab_ms": request.slab_ms,
                ":reach_ms": request.reach_ms(),
            };
            let mut statement = connection.prepare_cached(include_str!("sqlite/acquire.sql"))?;
            match statement.query_row(parameters, lease).optional()? {
                Some(lease) => Ok(lease),
                None => Err(exhausted(connection, request)?.error(request).into()),
            }
        })
    }

    fn renew(&self, lease: &Lease, slab_ms: u32, call: &Call) -> Result<Lease> {
        check_slab(slab_ms)?;
        self.write(call.within, |connection| {
            let parameters = named_params! {
                ":realm": lease.realm,
                ":worker_id": lease.worker_id,
                ":epoch": signed(lease.epoch),
                ":owner": lease.owner,
                ":token": lease.token,
                ":next": call.attempt,
                ":slab_ms": slab_ms,
            };
            let renewed = |row: &Row<'_>| {
                Ok(Lease {
                    token: call.attempt,
                    reserved_ms: row.get(0)?,
                    now_ms: row.get(1)?,
                    ..lease.clone()
                })
            };
            let mut statement = connection.prepare_cached(include_str!("sqlite/renew.sql"))?;
            let renewed = statement.query_row(parameters, renewed).optional()?;
            renewed.ok_or_else(|| lease_lost(lease).into())
        })
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.write(call.within, |connection| {
            let parameters = named_params! {
                ":realm": lease.realm,
                ":worker_id": lease.worker_id,
                ":epoch": signed(lease.epoch),
                ":owner": lease.owner,
                ":token": lease.token,
            };
            connection.prepare_cached(include_str!("sqlite/release.sql"))?.execute(parameters)?;
            Ok(())
        })
    }
}

impl WorkerAdmin for SqliteStore {
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(include_str!("sqlite/workers.sql"))?;
            let rows = statement.query_map((), |row| {
                Ok(WorkerRow {
                    realm: row.get(0)?,
                    worker_id: row.get(1)?,
                    owner: row.get(2)?,
                    epoch: unsigned(row, 3)?,
                    reserved_ms: row.get(4)?,
                    expires_ms: row.get(5)?,
                    held: row.get(6)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
        self.write(BUSY_TIMEOUT_MAX, |connection| {
            let parameters = named_params! { ":realm": realm, ":worker_id": worker_id };
            let mut statement = connection.prepare_cached(include_str!("sqlite/evict.sql"))?;
            Ok(statement.execute(parameters)? > 0)
        })
    }
}

fn exhausted(connection: &Connection, request: &LeaseRequest) -> Result<Exhausted, Fault> {
    let parameters = named_params! {
        ":realm": request.realm,
        ":max_worker_id": request.max_worker_id,
        ":avoid": request.avoid,
        ":reach_ms": request.reach_ms(),
    };
    let mut statement = connection.prepare_cached(include_str!("sqlite/exhausted.sql"))?;
    let found = statement.query_row(parameters, |row| {
        let (worker_id, owner): (Option<u32>, Option<String>) = (row.get(1)?, row.get(2)?);
        Ok(Exhausted {
            held: unsigned(row, 0)?,
            oldest: worker_id.zip(owner),
            free_in_ms: row.get(3)?,
        })
    });
    Ok(found?)
}

impl SegmentStore for SqliteStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.write(call.within, |connection| {
            requests.iter().map(|request| refusable(take(connection, request))).collect()
        })
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.read(|connection| Ok(tag_rows(connection, Some(tag))?.pop()))
    }
}

impl SegmentAdmin for SqliteStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        options.check()?;
        self.write(BUSY_TIMEOUT_MAX, |connection| {
            let parameters = named_params! {
                ":tag": tag.as_str(),
                ":start": signed(options.start),
                ":step": signed(options.step),
                ":stride": signed(options.stride),
            };
            let mut statement = connection.prepare_cached(include_str!("sqlite/create_tag.sql"))?;
            match statement.execute(parameters)? {
                0 => Err(tag_exists(tag).into()),
                _ => Ok(()),
            }
        })
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        change.check()?;
        self.write(BUSY_TIMEOUT_MAX, |connection| {
            let parameters = named_params! {
                ":tag": tag.as_str(),
                ":next": change.next.map(signed),
                ":step": change.step.map(signed),
            };
            let mut statement = connection.prepare_cached(include_str!("sqlite/change_tag.sql"))?;
            if let Some(row) = statement.query_row(parameters, tag_row).optional()? {
                return Ok(row);
            }
            let present = tag_rows(connection, Some(tag))?.pop().ok_or_else(|| unknown_tag(tag))?;
            Err(next_falls(tag, change.next.unwrap_or_default(), present.next).into())
        })
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.read(|connection| tag_rows(connection, None))
    }
}

/// The next range of a tag.
fn take(connection: &Connection, request: &AllocationRequest) -> Result<Allocation, Fault> {
    let AllocationRequest { tag, count } = request;
    count.map_or(Ok(()), check_step)?;
    let parameters = named_params! { ":tag": tag.as_str(), ":count": count.map(signed) };
    let taken = |row: &Row<'_>| {
        Ok((unsigned(row, 0)?, unsigned(row, 1)?, unsigned(row, 2)?, unsigned(row, 3)?))
    };
    let mut statement = connection.prepare_cached(include_str!("sqlite/allocate.sql"))?;
    match statement.query_row(parameters, taken).optional()? {
        Some((start, end, stride, step)) => {
            let range = NumberRange::new(start, end, stride).map_err(Error::from)?;
            Ok(Allocation { range, step, incarnation: None })
        }
        None if tag_rows(connection, Some(tag))?.is_empty() => Err(unknown_tag(tag).into()),
        None => Err(tag_exhausted(tag).into()),
    }
}

/// What is wrong with one request ends it alone; what is wrong with the database, all of them.
fn refusable<T>(done: Result<T, Fault>) -> Result<Result<T>, Fault> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(Fault::Refused(refusal)) => Ok(Err(refusal)),
        Err(fault) => Err(fault),
    }
}

fn tag_rows(connection: &Connection, tag: Option<&Tag>) -> Result<Vec<TagRow>, Fault> {
    let mut statement = connection.prepare_cached(include_str!("sqlite/tags.sql"))?;
    let rows = statement.query_map(named_params! { ":tag": tag.map(Tag::as_str) }, tag_row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn tag_row(row: &Row<'_>) -> rusqlite::Result<TagRow> {
    let name: String = row.get(0)?;
    Ok(TagRow {
        tag: Tag::new(&name).map_err(|_| rusqlite::Error::InvalidQuery)?,
        next: unsigned(row, 1)?,
        step: unsigned(row, 2)?,
        stride: unsigned(row, 3)?,
        updated_ms: row.get(4)?,
        raises: unsigned(row, 5)?,
    })
}

/// A column that a CHECK keeps from being negative.
fn unsigned(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(index)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(index, value))
}

/// A number as a column holds it. Those above its range, which only a forged epoch can be, match
/// nothing.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(-1)
}

#[cfg(test)]
mod tests;
