//! A store in MySQL or MariaDB, for all machines that reach it.

use std::fmt;
use std::time::Duration;

use snowmint_engine::Layout;

use super::asking::SCAN_WITHIN;
use super::remote::deadline::Deadline;
use super::remote::pool::Pool;
use super::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Column, Filling, Fills, KeptIn, KeySpaceId,
    Lease, LeaseRequest, Migration, Move, SegmentAdmin, SegmentStore, Tag, TagChange, TagOptions,
    TagRow, Vouch, Wanted, WorkerAdmin, WorkerRow, WorkerStore, check_reserve, lease_lost,
};
use crate::error::Result;
use crate::host::process::PerProcess;

mod builder;
mod dialects;
mod doctor;
mod endpoint;
mod fault;
mod fillings;
mod options;
mod rows;
mod session;
mod statement;
mod tables;
mod tags;
mod tls;
mod url;
mod wire;

pub use builder::MysqlBuilder;
pub use dialects::{MysqlDialectBuilder, MysqlDialectStore};
use endpoint::Endpoint;
use fault::Fault;
use rows::Row;
use session::{Session, Transaction};
use statement::{Statement, bytes};
pub use tls::MysqlSslMode;
pub(crate) use url::{PARAMETERS, builder_of};

/// Worker IDs and numbers in a database of MariaDB (10.6 or later) or MySQL (8 or later), shared by
/// all that reach it. MySQL is given what MariaDB is, and has not been tried itself.
///
/// - *Durability*: is a setting of the whole server here. One whose
///   `innodb_flush_log_at_trx_commit` is not 1, or whose `sync_binlog` is not 1 while it keeps such
///   a log, could take back what it acknowledged: it is refused, in each transaction, unless the
///   caller [vouches](MysqlBuilder::durability_declared) for it. So is one that never syncs
///   (`innodb_flush_method=nosync`). MySQL's `DISABLE INNODB REDO_LOG` is not seen.
/// - *Failovers*: a server that takes another's place gives no worker ID until all leases that may
///   have been lost are over: the longest reservation ever noted, 67.5 s at least, after the latest time that
///   the rows tell, and 2 s by which clocks may differ. It renews leases with more than those 2 s left,
///   and none where the clock of the server before was ahead of its own. It refuses each tag whose
///   last range another gave with [`IncarnationChanged`](crate::Code::IncarnationChanged), and makes
///   none, until an operator has raised what lost ranges, by more than was lost, and vouched for all
///   of it ([`vouch`](SegmentAdmin::vouch), `snowmint segment vouch`). What replicas had is not
///   told apart: nothing is said of a wait for semi-synchronous ones that ended without them, and
///   what one has acknowledged is gone where it takes over before it has applied it. A server of
///   MariaDB is told by its `server_id` and where it last stopped following another (`gtid_slave_pos`): servers that may take each other's place have numbers of their own, and
///   nodes of a Galera cluster have one in common. MySQL's is told by its `server_uuid`, also when it
///   takes its place back: raise every tag then ([`Vouch::all`]). A server that comes back and has
///   followed nobody meanwhile is not told from one that never went. Nor are tables missed that were
///   made in what was lost. A worker ID that was evicted in what was lost may go on: evict only what
///   has ended.
/// - *Replicas*: have `read_only=ON`, and are passed over. One of MariaDB that takes changes while it
///   follows another is refused, unless the caller vouches; of MySQL, which says so to
///   administrators alone, that is not seen.
/// - *Restores*: a database that is put back from a backup, a snapshot or a dump looks as it did
///   then, and that is noticed on another server alone, as a failover. Before anything mints, wait
///   as long as the longest reservation, and raise every tag above all that is in use.
/// - *Commits*: one that is not confirmed plainly is
///   [`OutcomeUnknown`](crate::Code::OutcomeUnknown), and what it reserved is never used: the
///   deadline passed, the connection broke, or somebody ended it at the server. Nothing is killed
///   at the server, and nothing is tried again here.
/// - *Clock*: the server's, read inside each statement.
/// - *Locks*: of rows alone; who acquire in one realm also wait for one another by `GET_LOCK`.
/// - *Threads*: up to four connections a process, each with one call at a time; two are kept. Names
///   of hosts are looked up by up to four threads a process, each of which ends when the system
///   answers or gives up.
/// - *Fork*: a child opens connections of its own and leaves its parent's alone.
pub struct MysqlStore {
    endpoint: Endpoint,
    connections: PerProcess<Pool<Session>>,
}

impl MysqlStore {
    /// A store in a database that is described first.
    pub fn builder() -> MysqlBuilder {
        MysqlBuilder::default()
    }

    fn open(builder: MysqlBuilder) -> Result<MysqlStore> {
        let create = builder.create;
        let store =
            MysqlStore { endpoint: Endpoint::new(builder)?, connections: PerProcess::new() };
        store.look(create)?;
        Ok(store)
    }

    /// Numbers of a column in a database, which need not have our tables.
    pub(crate) fn numbers(
        builder: MysqlBuilder,
        column: &Column,
        wanted: Wanted,
    ) -> Result<Vec<u64>> {
        let store =
            MysqlStore { endpoint: Endpoint::new(builder)?, connections: PerProcess::new() };
        let kind = Statement::new(include_str!("mysql/column.sql"), &fillings::named(column));
        let query = column.query(wanted, '`', |it| format!("CAST({it} AS char)"));
        store.with_session(SCAN_WITHIN, |session, deadline| {
            let mut texts = |query| -> Result<Vec<Option<String>>, Fault> {
                let text = |row: &Row| (!row.is_null(0)).then(|| row.text(0)).transpose();
                session.read(query, deadline)?.iter().map(text).collect()
            };
            column.check_type(texts(kind)?.pop().flatten().as_deref())?;
            let found = texts(Statement::plain(&query))?;
            let mut numbers = column.numbers(found.iter().map(Option::as_deref))?;
            if let Wanted::Largest = wanted {
                let filling = fillings::read(session, deadline, column)?;
                numbers.extend(filling.and_then(|filling| filling.last));
                numbers.sort_unstable();
            }
            Ok(numbers)
        })
    }

    /// How the server fills columns by itself.
    pub(crate) fn fillings(builder: MysqlBuilder, fills: Fills<'_>) -> Result<Vec<Filling>> {
        // No dialect takes numbers from a sequence of MariaDB.
        let Fills::Column(column) = fills else { return Ok(Vec::new()) };
        let store =
            MysqlStore { endpoint: Endpoint::new(builder)?, connections: PerProcess::new() };
        store.with_session(CALL_WITHIN, |session, deadline| {
            Ok(fillings::read(session, deadline, column)?.into_iter().collect())
        })
    }

    /// Makes the tables where there are none, or says how.
    pub(crate) fn migrate(builder: MysqlBuilder, is_dry: bool) -> Result<Migration> {
        let store =
            MysqlStore { endpoint: Endpoint::new(builder)?, connections: PerProcess::new() };
        let statements = store.with_session(CALL_WITHIN, |session, deadline| {
            session.guard(deadline)?;
            if tables::are_there(session, deadline)? {
                tables::check_columns(session, deadline)?;
                return Ok(Vec::new());
            }
            if is_dry || tables::make(session, deadline)? {
                return Ok(tables::script(deadline));
            }
            Ok(Vec::new())
        })?;
        let place = format!("{} {}", store.endpoint.kind(), store.endpoint);
        Ok(Migration { place, kept_in: KeptIn::Tables, statements })
    }

    /// Finds the tables as they should be, or makes them where that is asked for and none is there.
    pub(crate) fn look(&self, create: bool) -> Result<()> {
        self.with_session(CALL_WITHIN, |session, deadline| {
            session.guard(deadline)?;
            if !tables::are_there(session, deadline)? {
                if !create {
                    return Err(Fault::NoTables);
                }
                tables::make(session, deadline)?;
            }
            tables::check_key_space(session, self.endpoint.known(), deadline).map(drop)
        })
    }

    fn with_session<T>(
        &self,
        within: Duration,
        work: impl FnOnce(&mut Session, Deadline) -> Result<T, Fault>,
    ) -> Result<T> {
        let deadline = Deadline::after(within);
        let pool = self.connections.get_or_init(Pool::default);
        let connect = || self.endpoint.connect(deadline);
        let done = pool.with(deadline, connect, |session| work(session, deadline));
        done.map_err(|fault| fault.explain(&self.endpoint))
    }

    fn read<T>(
        &self,
        query: Statement,
        row: impl FnMut(&Row) -> Result<T, Fault>,
    ) -> Result<Vec<T>> {
        self.with_session(CALL_WITHIN, |session, deadline| {
            session.read(query, deadline)?.iter().map(row).collect()
        })
    }

    /// One transaction, durable when this returns.
    fn write<T>(
        &self,
        within: Duration,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T> {
        self.with_session(within, |session, deadline| {
            session.transact_in(Some(self.endpoint.known()), deadline, change)
        })
    }
}

/// Without a password.
impl fmt::Debug for MysqlStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = self.endpoint.to_string();
        f.debug_struct("MysqlStore").field("place", &endpoint).finish_non_exhaustive()
    }
}

impl WorkerStore for MysqlStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        request.check()?;
        self.write(call.within, |transaction| rows::acquire(transaction, request, call))?
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        check_reserve(reserve_ms)?;
        self.write(call.within, |transaction| rows::renew(transaction, lease, reserve_ms, call))?
            .ok_or_else(|| lease_lost(lease))
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.write(call.within, |transaction| {
            let release = include_str!("mysql/release.sql");
            transaction.change(Statement::new(release, &rows::of_lease(lease))).map(drop)
        })
    }
}

impl WorkerAdmin for MysqlStore {
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        self.read(rows::workers(None), rows::worker_row)
    }

    fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
        self.read(rows::workers(Some(realm)), rows::worker_row)
    }

    fn key_space(&self) -> Result<Option<KeySpaceId>> {
        self.with_session(CALL_WITHIN, |session, deadline| {
            tables::check_key_space(session, self.endpoint.known(), deadline)
        })
    }

    fn change_layout(&self, layout: &Layout) -> Result<()> {
        self.write(SCAN_WITHIN, |transaction| rows::change_layout(transaction, layout))
    }

    fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
        self.write(CALL_WITHIN, |transaction| {
            let parameters = [("realm", bytes(realm)), ("worker_id", worker_id.into())];
            let evict = Statement::new(include_str!("mysql/evict.sql"), &parameters);
            Ok(transaction.change(evict)? > 0)
        })
    }
}

impl SegmentStore for MysqlStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.write(call.within, |transaction| rows::allocate(transaction, requests))
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        Ok(self.read(rows::tags(Some(tag)), rows::tag_row)?.pop())
    }
}

impl SegmentAdmin for MysqlStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        tag.check_new()?;
        options.check()?;
        self.write(CALL_WITHIN, |transaction| tags::create(transaction, tag, options))
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        change
            .make(|| self.write(CALL_WITHIN, |transaction| tags::change(transaction, tag, change)))
    }

    fn close_for_move(&self, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
        self.write(CALL_WITHIN, |transaction| tags::close_for_move(transaction, tag, moving))
    }

    fn check_arrival(&self) -> Result<()> {
        Ok(())
    }

    fn adopt_moved(&self, closed: &TagRow) -> Result<TagRow> {
        self.write(CALL_WITHIN, |transaction| tags::adopt_moved(transaction, closed))
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.read(rows::tags(None), rows::tag_row)
    }

    fn vouch(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
        vouch.check()?;
        self.write(SCAN_WITHIN, |transaction| tags::vouch(transaction, vouch))
    }
}
