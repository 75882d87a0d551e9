//! A store in an SQLite file: the embedded default, for all processes of one machine.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, Row, named_params};
use snowmint_engine::{Code, Layout};

use self::fault::Fault;
use self::file::Identity;
use self::hold::{Hold, Lock, WITHOUT_LOCKS};
use super::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Incarnation, KeySpace, KeySpaceId, Known,
    Lease, LeaseRequest, Move, SegmentAdmin, SegmentStore, Tag, TagChange, TagOptions, TagRow,
    WorkerAdmin, WorkerRow, WorkerStore, check_reserve, lease_lost,
};
use crate::error::Result;
use crate::host::process::PerProcess;
use crate::host::{Clock as _, System};

mod builder;
mod column;
mod doctor;
mod fault;
mod file;
mod gate;
mod hold;
mod rows;
mod tags;

pub use builder::SqliteBuilder;
pub(crate) use column::{filling, is_of_an_application, numbers};
use rows::{exhausted, refusable, signed, tag_rows, take, unsigned, worker_rows};

/// How long a call waits for another process's transaction unless told otherwise: a file's holders
/// are on this machine, and each is done soon, but a hundred may have come before.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
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
/// One file is one key space: what two files hand out repeats. So a file is made only where that
/// is asked for, and who means to share one opens it.
///
/// - *Durability*: an acknowledged change survives power loss, and the file alone holds it: while
///   no transaction runs there is nothing beside it.
/// - *Clock*: the machine's, read inside each statement.
/// - *Threads*: one connection a process, one call at a time.
/// - *Fork*: a child opens its own connection and leaves its parent's alone.
/// - *Backups*: on 64-bit Linux the file may be read and copied by the process that has it open. Elsewhere
///   that takes SQLite's locks away, and numbers can repeat: leave it to another process.
/// - A file that is moved, deleted or replaced while it is in use is an error, never begun anew.
/// - A file in which an application made tables is refused by each opening, and by the making of a
///   tag, in the process that has it open, too; ranges and leases there go on until it ends.
/// - A file with a second name, by a hard link or a mount of its own, is refused: what a crash leaves
///   beside the one would not be found beside the other. Mount a database's directory into a container,
///   not the file.
/// - *Locks*: on 64-bit Linux those of what was opened, on the bytes that SQLite locks: any program that uses
///   SQLite waits for a call as for one of its own, and readers take turns with it. Elsewhere SQLite's.
///
/// Not for network file systems: their locks are often not what they say.
pub struct SqliteStore {
    path: PathBuf,
    shared_file: bool,
    busy_timeout: Duration,
    /// Which file it was when it was opened.
    identity: OnceLock<Identity>,
    known: Known,
    connection: PerProcess<Mutex<Handle>>,
}

/// The connection, if there is one: after a failure of the disk it is given up for a new one.
#[derive(Default)]
struct Handle {
    connection: Option<Connection>,
    /// What keeps other calls away from the file, once there is one.
    lock: Option<Arc<Lock>>,
    /// When calls without a break began.
    turn_began: Option<Instant>,
    /// When the last of them ended.
    turn_ended: Option<Instant>,
}

impl SqliteStore {
    /// Opens a database that is there already.
    ///
    /// # Errors
    /// - [`StoreMissing`](crate::Code::StoreMissing) if there is no such file.
    /// - [`StoreSchema`](crate::Code::StoreSchema) for a database of something else or of another
    ///   version, and for one with tables that are not ours.
    /// - [`UnsafeSetting`](crate::Code::UnsafeSetting) if the file has a second name.
    /// - The other `Store…` codes.
    pub fn open(path: impl AsRef<Path>) -> Result<SqliteStore> {
        SqliteStore::builder().open(path)
    }

    /// Opens a database, and makes it if there is none: its file and directories then for their
    /// owner only.
    ///
    /// A new file is a new key space, which repeats the IDs of every other: make it once, and have
    /// all processes of the machine open it by the same path.
    ///
    /// # Errors
    /// As [`open`](Self::open), but for a file that is not there.
    pub fn create(path: impl AsRef<Path>) -> Result<SqliteStore> {
        SqliteStore::builder().create(true).open(path)
    }

    /// A store in a file to be opened, or made, with more said about it.
    pub fn builder() -> SqliteBuilder {
        SqliteBuilder::default()
    }

    /// Waits so long, at most an hour, while another process is in a transaction; 30 s unless set.
    /// What sources call waits for 5 s at most, and is repeated within the bound of their caller:
    /// ranges, leases, a tag that is looked up or made. Opening does likewise.
    #[must_use]
    pub fn with_busy_timeout(self, timeout: Duration) -> SqliteStore {
        SqliteStore { busy_timeout: timeout.min(BUSY_TIMEOUT_MAX), ..self }
    }

    /// Whether this is what the builder would open: the file is there, the same as before, and with
    /// nothing in it since that it would refuse.
    ///
    /// # Errors
    /// [`Code::StoreLocked`]: while others have the file, it would open nothing.
    pub(crate) fn is_opened_by(&self, builder: SqliteBuilder) -> Result<bool> {
        match self.read(CALL_WITHIN, |connection| self.inspect_schema(connection)) {
            Err(error) if error.code() == Code::StoreLocked => Err(error),
            looked => {
                let is_pinned = builder.key_space.is_none_or(|id| self.known.get() == Some(id));
                Ok(self.shared_file == builder.shared_file && is_pinned && looked.is_ok())
            }
        }
    }

    /// The database's absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Finds the file as it should be, or makes it where that is asked for and none is there.
    fn look(&self, create: bool) -> Result<()> {
        self.run(CALL_WITHIN, |handle| {
            if create {
                file::create(&self.path)?;
            }
            self.with_connection(handle, |connection| self.inspect_key_space(connection).map(drop))
        })
    }

    /// Looks for what an application made here since the file was opened: whoever begins something
    /// with it is told, and not what runs, which would stop all at once.
    fn inspect_schema(&self, connection: &Connection) -> Result<(), Fault> {
        file::inspect_schema(connection, self.shared_file)
    }

    /// The key space of the file, which is the one that this is for.
    fn inspect_key_space(&self, connection: &Connection) -> Result<KeySpace, Fault> {
        let space = rows::key_space(connection)?;
        self.known.check(space.id)?;
        Ok(space)
    }

    /// What the file is called, once it was opened.
    fn incarnation(&self) -> Option<Incarnation> {
        self.identity.get().map(Identity::name)
    }

    /// Which file has the name: the one that was opened at first.
    fn identify(&self) -> Result<Identity, Fault> {
        let identity = match (file::identify(&self.path), self.identity.get()) {
            (Err(Fault::File(error)), Some(_)) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Fault::Gone);
            }
            (found, _) => found?,
        };
        if *self.identity.get_or_init(|| identity) != identity {
            return Err(Fault::Replaced);
        }
        Ok(identity)
    }

    /// This process's connection.
    fn connect<'a>(&self, handle: &'a mut Handle) -> Result<&'a Connection, Fault> {
        let identity = self.identify()?;
        let connection = match handle.connection.take() {
            Some(connection) => connection,
            None => {
                let system = handle.lock.as_ref().map(|_| WITHOUT_LOCKS);
                file::connect(&self.path, identity, self.shared_file, system)?
            }
        };
        Ok(handle.connection.insert(connection))
    }

    /// Does something with this process's connection while no other call or program is at the file.
    fn with_connection<T>(
        &self,
        handle: &mut Handle,
        call: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        handle.leave_closed();
        if handle.connection.is_none() {
            let identity = self.identify()?;
            handle.lock = Lock::of(&self.path)?;
            if handle.lock.as_ref().is_some_and(|lock| lock.id() != identity.id) {
                return Err(Fault::Replaced);
            }
            let has_log = match &handle.lock {
                Some(lock) => lock.has_write_ahead_log(),
                None => file::has_write_ahead_log(&self.path),
            };
            if has_log {
                file::end_write_ahead_log(&self.path, self.shared_file)?;
            }
        }
        let hold = handle.lock.as_ref().map(Lock::take).transpose()?;
        let turn = Turn { handle, _hold: hold };
        if turn.handle.has_write_ahead_log() {
            // Set a moment ago: it is opened anew.
            turn.handle.connection = None;
            return Err(Fault::Held);
        }
        let done = self.connect(turn.handle).and_then(call);
        turn.handle.tidy(done.as_ref().err());
        done
    }

    /// Tries until nobody else has the database locked, or the time is up. Between two tries others
    /// of this process have theirs, whose time may be up before.
    fn run<T>(
        &self,
        within: Duration,
        mut attempt: impl FnMut(&mut Handle) -> Result<T, Fault>,
    ) -> Result<T> {
        let patience = self.busy_timeout.min(within);
        let handle = self.connection.get_or_init(Mutex::default);
        let handle = || handle.lock().unwrap_or_else(PoisonError::into_inner);
        let began = Instant::now();
        handle().take_turn();
        loop {
            let done = {
                let mut handle = handle();
                let _pass = gate::enter()?;
                let done = attempt(&mut handle);
                handle.turn_ended = Some(Instant::now());
                done
            };
            match done {
                Ok(done) => return Ok(done),
                Err(fault) if began.elapsed() < fault.patience(patience) => sleep(PAUSE),
                Err(fault) => return Err(fault.explain(&self.path, patience)),
            }
        }
    }

    fn read<T>(
        &self,
        within: Duration,
        query: impl Fn(&Connection) -> Result<T, Fault>,
    ) -> Result<T> {
        self.run(within, |handle| self.with_connection(handle, &query))
    }

    /// One transaction, durable when this returns.
    fn write<T>(
        &self,
        within: Duration,
        change: impl Fn(&Connection) -> Result<T, Fault>,
    ) -> Result<T> {
        // What was moved away meanwhile is not changed.
        let change = |connection: &Connection| {
            self.inspect_key_space(connection)?;
            let done = change(connection)?;
            self.identify().map(|_| done)
        };
        self.run(within, |handle| {
            self.with_connection(handle, |connection| file::transaction(connection, change))
        })
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

    fn has_write_ahead_log(&self) -> bool {
        self.lock.as_ref().is_some_and(|lock| lock.has_write_ahead_log())
    }

    /// Leaves a connection open for ever if something else in this process closed our descriptors:
    /// to close it would close the files that have their numbers now. What tells is the lock's: of
    /// SQLite's own nobody can ask, but it looks at the file's header before each change.
    fn leave_closed(&mut self) {
        if self.lock.as_ref().is_some_and(|lock| !lock.is_open()) {
            std::mem::forget(self.connection.take());
            self.lock = None;
        }
    }

    /// Keeps the connection only if it is certain in what state it is.
    fn tidy(&mut self, fault: Option<&Fault>) {
        self.leave_closed();
        let open = self.connection.as_ref().is_some_and(|connection| !connection.is_autocommit());
        // Under SQLite's own locks nothing else shows that somebody's tool set the file to one. Whoever
        // opens the file puts that right, but cannot while this connection has the log open.
        let has_log =
            self.lock.is_none() && self.connection.as_ref().is_some_and(file::is_write_ahead);
        if open || has_log || fault.is_some_and(Fault::spoils_connection) {
            self.connection = None; // rolls back
        }
    }
}

/// A call, while it holds the file. A transaction that a panic left open ends before others have it.
struct Turn<'a> {
    handle: &'a mut Handle,
    _hold: Option<Hold>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.handle.tidy(None);
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        match gate::enter() {
            Ok(_pass) => {
                self.leave_closed();
                drop((self.connection.take(), self.lock.take()));
            }
            // Not to be touched in this process.
            Err(_) => std::mem::forget((self.connection.take(), self.lock.take())),
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
            let space = self.inspect_key_space(connection)?;
            if let Some(claimed) = space.claimed(request)? {
                rows::keep_key_space(connection, &claimed)?;
            }
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
                    incarnation: self.incarnation(),
                    key_space: self.known.get(),
                })
            };
            let parameters = named_params! {
                ":realm": request.realm,
                ":max_worker_id": request.max_worker_id,
                ":first": request.first_worker_id(call),
                ":avoid": request.avoid,
                ":owner": request.owner,
                ":token": call.attempt,
                ":reserve_ms": request.reserve_ms,
                ":reach_ms": request.reach_ms(),
            };
            let mut statement = connection.prepare_cached(include_str!("sqlite/acquire.sql"))?;
            match statement.query_row(parameters, lease).optional()? {
                Some(lease) => {
                    space.check_floor(&lease)?;
                    Ok(lease)
                }
                None => Err(exhausted(connection, request)?.error(request).into()),
            }
        })
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        check_reserve(reserve_ms)?;
        self.write(call.within, |connection| {
            let parameters = named_params! {
                ":realm": lease.realm,
                ":worker_id": lease.worker_id,
                ":epoch": signed(lease.epoch),
                ":owner": lease.owner,
                ":token": lease.token,
                ":next": call.attempt,
                ":reserve_ms": reserve_ms,
            };
            let renewed = |row: &Row<'_>| {
                Ok(Lease {
                    token: call.attempt,
                    reserved_ms: row.get(0)?,
                    now_ms: row.get(1)?,
                    incarnation: self.incarnation(),
                    key_space: self.known.get(),
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
        self.read(BUSY_TIMEOUT_MAX, |connection| worker_rows(connection, None))
    }

    fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
        self.read(BUSY_TIMEOUT_MAX, |connection| worker_rows(connection, Some(realm)))
    }

    fn key_space(&self) -> Result<Option<KeySpaceId>> {
        self.read(BUSY_TIMEOUT_MAX, |connection| Ok(Some(self.inspect_key_space(connection)?.id)))
    }

    fn change_layout(&self, layout: &Layout) -> Result<()> {
        self.write(BUSY_TIMEOUT_MAX, |connection| {
            let space = self.inspect_key_space(connection)?;
            let before = space.layout.clone().unwrap_or_default();
            if before == layout.to_string() {
                return Ok(());
            }
            let rows = worker_rows(connection, Some(&before))?;
            let changed = space.changed(layout, &rows, System.now_ms())?;
            for row in rows {
                let of = named_params! { ":realm": row.realm, ":worker_id": row.worker_id };
                connection.prepare_cached(include_str!("sqlite/evict.sql"))?.execute(of)?;
            }
            rows::keep_key_space(connection, &changed)
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

impl SegmentStore for SqliteStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.write(call.within, |connection| {
            let here = |taken| {
                let (incarnation, key_space) = (self.incarnation(), self.known.get());
                Allocation { incarnation, key_space, ..taken }
            };
            let one = |request| refusable(take(connection, request).map(here));
            requests.iter().map(one).collect()
        })
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.read(CALL_WITHIN, |connection| Ok(tag_rows(connection, Some(tag))?.pop()))
    }
}

impl SegmentAdmin for SqliteStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        tag.check_new()?;
        options.check()?;
        self.write(CALL_WITHIN, |connection| {
            self.inspect_schema(connection)?;
            tags::create(connection, tag, options)
        })
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        change.make(|| {
            self.write(BUSY_TIMEOUT_MAX, |connection| tags::change(connection, tag, change))
        })
    }

    fn close_for_move(&self, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
        self.write(BUSY_TIMEOUT_MAX, |connection| tags::close_for_move(connection, tag, moving))
    }

    fn check_arrival(&self) -> Result<()> {
        Ok(())
    }

    fn adopt_moved(&self, closed: &TagRow) -> Result<TagRow> {
        self.write(BUSY_TIMEOUT_MAX, |connection| tags::adopt_moved(connection, closed))
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.read(BUSY_TIMEOUT_MAX, |connection| tag_rows(connection, None))
    }
}

#[cfg(test)]
mod tests;
