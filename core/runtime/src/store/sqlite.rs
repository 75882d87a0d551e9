//! A store in an SQLite file: the embedded default, for all processes of one machine.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use snowmint_engine::{Code, Layout};

use self::fault::Fault;
use self::file::Identity;
use self::hold::{Hold, Lock, WITHOUT_LOCKS};
use super::sql::{tags, workers};
use super::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Incarnation, KeySpace, KeySpaceId,
    KnownKeySpace, Lease, LeaseRequest, Move, SegmentAdmin, SegmentStore, Tag, TagChange,
    TagOptions, TagRow, WorkerAdmin, WorkerRow, WorkerStore, check_reserve, lease_lost,
};
use crate::error::Result;
use crate::host::process::PerProcess;

mod builder;
mod column;
mod doctor;
pub(super) mod errors;
mod fault;
pub(super) mod file;
mod gate;
mod hold;
pub(super) mod rows;

pub use builder::SqliteBuilder;
pub(crate) use column::{filling, is_of_an_application, numbers};
use rows::Transaction;

/// The time that a call waits by default for another process's transaction. The processes that
/// share a file are on this machine and finish soon, but a hundred may come before this one.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest wait for another process's transaction.
const BUSY_TIMEOUT_MAX: Duration = Duration::from_secs(3600);
/// The pause between two attempts, during which a fork can happen.
const PAUSE: Duration = Duration::from_millis(1);
/// SQLite's locks have no queue. A process that has called without a break for `TURN` therefore
/// pauses for `REST`, several attempts of the others long, so that it does not starve them.
const TURN: Duration = Duration::from_millis(20);
const REST: Duration = Duration::from_millis(4);

/// Worker IDs and numbers in an SQLite file, shared by any number of processes of one machine.
///
/// One file is one key space: two files give out the same IDs. So a file is only created if you ask
/// for it, and processes that share a file open the existing one.
///
/// - *Durability*: an acknowledged change survives power loss. While no transaction runs, the file
///   is complete by itself, with nothing beside it.
/// - *Clock*: this machine's, read inside each statement.
/// - *Threads*: each process has one connection and makes one call at a time.
/// - *Fork*: a child opens its own connection and leaves its parent's alone.
/// - *Backups*: on 64-bit Linux, the process that has the file open may also read and copy it. On
///   other systems that removes SQLite's locks, and numbers can repeat: copy the file in another
///   process.
/// - A file that is moved, deleted or replaced while in use is an error; no new one is begun.
/// - Opening a file, or creating a tag in it, fails if an application has created tables in the
///   file, even while this process has it open. Ranges and leases continue there until the process
///   ends.
/// - A file with a second name, through a hard link or a mount of its own, is refused: files that a
///   crash leaves beside one name would not be found beside the other. Mount a database's directory
///   into a container, not the file.
/// - *Locks*: on 64-bit Linux, calls lock the bytes that SQLite locks, with locks that belong to
///   the open file. Any program that uses SQLite waits for a call as for one of its own, and
///   readers take turns with it. On other systems the locks are SQLite's.
///
/// Do not use it on network file systems, whose locks are often unreliable.
pub struct SqliteStore {
    path: PathBuf,
    shared_file: bool,
    busy_timeout: Duration,
    /// The file's identity when it was first opened.
    identity: OnceLock<Identity>,
    known: KnownKeySpace,
    connection: PerProcess<Mutex<Handle>>,
}

/// This process's connection, if it has one. After a disk failure it is replaced by a new one.
#[derive(Default)]
struct Handle {
    connection: Option<Connection>,
    /// The lock that keeps other calls away from the file, once it was opened.
    lock: Option<Arc<Lock>>,
    /// The start of the present series of calls without a break.
    turn_began: Option<Instant>,
    /// The end of the last call.
    turn_ended: Option<Instant>,
}

impl SqliteStore {
    /// Opens an existing database.
    ///
    /// # Errors
    /// - [`StoreMissing`](crate::Code::StoreMissing) if there is no such file.
    /// - [`StoreSchema`](crate::Code::StoreSchema) if the database belongs to something else, has
    ///   another version, or has tables that are not snowmint's.
    /// - [`UnsafeSetting`](crate::Code::UnsafeSetting) if the file has a second name.
    /// - The other `Store…` codes.
    pub fn open(path: impl AsRef<Path>) -> Result<SqliteStore> {
        SqliteStore::builder().open(path)
    }

    /// Opens a database, and creates it if there is none. Only their owner may access a file and
    /// directories that are created.
    ///
    /// A new file is a new key space, which repeats the IDs of every other. Create it once, and let
    /// all processes of the machine open it by the same path.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open), except for a missing file.
    pub fn create(path: impl AsRef<Path>) -> Result<SqliteStore> {
        SqliteStore::builder().create(true).open(path)
    }

    /// Returns a builder with further options for opening or creating a file.
    pub fn builder() -> SqliteBuilder {
        SqliteBuilder::default()
    }

    /// Sets how long a call waits for another process's transaction: at most an hour, 30 s by
    /// default. Opening, and the calls of sources (ranges, leases, reading or creating a tag), wait
    /// at most 5 s. Sources then repeat the call within the time limit of their caller.
    #[must_use]
    pub fn with_busy_timeout(self, timeout: Duration) -> SqliteStore {
        SqliteStore { busy_timeout: timeout.min(BUSY_TIMEOUT_MAX), ..self }
    }

    /// Returns true if this store is what the builder would open: the file is there, unchanged, and
    /// contains nothing that the builder would refuse.
    ///
    /// # Errors
    /// [`Code::StoreLocked`] while others hold the file: the builder could not open it either.
    pub(crate) fn is_opened_by(&self, builder: SqliteBuilder) -> Result<bool> {
        match self.read(CALL_WITHIN, |connection| self.inspect_schema(connection)) {
            Err(error) if error.code() == Code::StoreLocked => Err(error),
            looked => {
                let is_pinned = builder.key_space.is_none_or(|id| self.known.get() == Some(id));
                Ok(self.shared_file == builder.shared_file && is_pinned && looked.is_ok())
            }
        }
    }

    /// Returns the database's absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks the file, and creates it first if there is none and `create` is set.
    fn look(&self, create: bool) -> Result<()> {
        self.run(CALL_WITHIN, |handle| {
            if create {
                file::create(&self.path)?;
            }
            self.with_connection(handle, |connection| self.inspect_key_space(connection).map(drop))
        })
    }

    /// Checks for tables that an application created since the file was opened. Only opening a file
    /// and creating a tag check this, so that running sources do not all stop at once.
    fn inspect_schema(&self, connection: &Connection) -> Result<(), Fault> {
        file::inspect_schema(connection, self.shared_file)
    }

    /// Reads the file's key space, and checks that it is the one of this store.
    fn inspect_key_space(&self, connection: &Connection) -> Result<KeySpace, Fault> {
        let space = rows::key_space(connection)?;
        self.known.check(space.id)?;
        Ok(space)
    }

    /// Returns the file's name as an incarnation, once it was opened.
    fn incarnation(&self) -> Option<Incarnation> {
        self.identity.get().map(Identity::name)
    }

    /// Checks that the name still belongs to the file that was first opened.
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

    /// Returns this process's connection, opening it if needed.
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

    /// Uses this process's connection while no other call or program uses the file.
    fn with_connection<T>(
        &self,
        handle: &mut Handle,
        call: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        handle.leave_closed();
        if handle.connection.is_none() {
            let identity = self.identify()?;
            handle.lock = Lock::open(&self.path)?;
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
            // Another program set the log a moment ago; the next attempt opens the file anew.
            turn.handle.connection = None;
            return Err(Fault::Held);
        }
        let done = self.connect(turn.handle).and_then(call);
        turn.handle.tidy(done.as_ref().err());
        done
    }

    /// Repeats an attempt until the database is not locked by others, or the time is up. Between
    /// two attempts other calls of this process get a turn, as their time may be up earlier.
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

    /// Runs one transaction, which is durable when this returns.
    fn write<T>(
        &self,
        within: Duration,
        change: impl Fn(&Connection) -> Result<T, Fault>,
    ) -> Result<T> {
        // Checked before the commit: a file that was moved away meanwhile is not changed.
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
    /// Pauses for other processes if this one's turn is over.
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

    /// Leaks the connection if other code in this process closed our descriptors: closing it would
    /// close the files that have those numbers now. The lock's descriptor shows this. SQLite does
    /// not expose its own, but it checks the file's header before each change.
    fn leave_closed(&mut self) {
        if self.lock.as_ref().is_some_and(|lock| !lock.is_open()) {
            std::mem::forget(self.connection.take());
            self.lock = None;
        }
    }

    /// Closes the connection unless its state is certain.
    fn tidy(&mut self, fault: Option<&Fault>) {
        self.leave_closed();
        let open = self.connection.as_ref().is_some_and(|connection| !connection.is_autocommit());
        // With SQLite's own locks, only this shows that another program set a write-ahead log.
        // Opening the file ends the log, but not while this connection has it open.
        let has_log =
            self.lock.is_none() && self.connection.as_ref().is_some_and(file::is_write_ahead);
        if open || has_log || fault.is_some_and(Fault::spoils_connection) {
            self.connection = None; // rolls back
        }
    }
}

/// A call that holds the file. Dropping it first ends a transaction that a panic left open.
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
            // A forked child may not touch them.
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
            workers::acquire(&mut Transaction::of(self, connection), request, call)
        })?
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        check_reserve(reserve_ms)?;
        self.write(call.within, |connection| {
            workers::renew(&mut Transaction::of(self, connection), lease, reserve_ms, call)
        })?
        .ok_or_else(|| lease_lost(lease))
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.write(call.within, |connection| {
            workers::release(&mut Transaction::of(self, connection), lease)
        })
    }
}

impl WorkerAdmin for SqliteStore {
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        self.read(BUSY_TIMEOUT_MAX, |connection| {
            workers::all(&mut Transaction::of(self, connection), None)
        })
    }

    fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
        self.read(BUSY_TIMEOUT_MAX, |connection| {
            workers::all(&mut Transaction::of(self, connection), Some(realm))
        })
    }

    fn key_space(&self) -> Result<Option<KeySpaceId>> {
        self.read(BUSY_TIMEOUT_MAX, |connection| Ok(Some(self.inspect_key_space(connection)?.id)))
    }

    fn change_layout(&self, layout: &Layout) -> Result<()> {
        self.write(BUSY_TIMEOUT_MAX, |connection| {
            workers::change_layout(&mut Transaction::of(self, connection), layout)
        })
    }

    fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
        self.write(BUSY_TIMEOUT_MAX, |connection| {
            workers::evict(&mut Transaction::of(self, connection), realm, worker_id)
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
            tags::allocate(&mut Transaction::of(self, connection), requests)
        })
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.read(CALL_WITHIN, |connection| tags::find(&mut Transaction::of(self, connection), tag))
    }
}

impl SegmentAdmin for SqliteStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        tag.check_new()?;
        options.check()?;
        self.write(CALL_WITHIN, |connection| {
            self.inspect_schema(connection)?;
            tags::create(&mut Transaction::of(self, connection), tag, options)
        })
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        change.check()?;
        self.write(BUSY_TIMEOUT_MAX, |connection| {
            tags::change(&mut Transaction::of(self, connection), tag, change)
        })
    }

    fn close_for_move(&self, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
        self.write(BUSY_TIMEOUT_MAX, |connection| {
            tags::close_for_move(&mut Transaction::of(self, connection), tag, moving)
        })
    }

    fn check_arrival(&self) -> Result<()> {
        Ok(())
    }

    fn adopt_moved(&self, closed: &TagRow) -> Result<TagRow> {
        self.write(BUSY_TIMEOUT_MAX, |connection| {
            tags::adopt_moved(&mut Transaction::of(self, connection), closed)
        })
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.read(BUSY_TIMEOUT_MAX, |connection| tags::all(&mut Transaction::of(self, connection)))
    }
}

#[cfg(test)]
mod tests;
