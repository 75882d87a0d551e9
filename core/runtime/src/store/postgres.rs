//! A store in PostgreSQL, for all machines that reach it.

use std::fmt;
use std::time::Duration;

use snowmint_engine::Layout;

use super::asking::SCAN_WITHIN;
use super::remote::deadline::Deadline;
use super::remote::pool::Pool;
use super::sql::tags::{self, tag_row};
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
mod errors;
mod fault;
mod fillings;
mod passwords;
mod rows;
mod schema;
mod session;
mod socket;
mod statement;
mod tables;
mod tls;
mod url;

pub use builder::PostgresBuilder;
pub use dialects::{PostgresDialectBuilder, PostgresDialectStore};
use endpoint::Endpoint;
use fault::Fault;
use session::{Session, Transaction};
use statement::{Statement, Value};
pub use tls::SslMode;
pub(crate) use url::{PARAMETERS, builder_of};

/// Worker IDs and numbers in a PostgreSQL database (14 or later), shared by all processes that
/// reach it.
///
/// - *Schema*: the tables are in a schema of their own, `snowmint` unless
///   [`schema`](PostgresBuilder::schema) names another. `search_path` does not matter.
/// - *Durability*: each transaction sets `synchronous_commit` to at least `on`. A server with
///   `fsync` or `full_page_writes` off could lose or damage what it acknowledged. Each transaction
///   that changes something refuses such a server, unless you
///   [vouch](PostgresBuilder::durability_declared) for it.
/// - *Failovers, tags*: each row notes which server wrote it. A standby that takes over gives no
///   range of a tag and makes no tags ([`IncarnationChanged`](crate::Code::IncarnationChanged)).
///   Raise each tag that lost ranges by more than was lost, and then vouch for all tags
///   ([`vouch`](SegmentAdmin::vouch), `snowmint segment vouch`). If each standby that may be
///   promoted confirms each commit, say so
///   ([`synchronous_replication`](PostgresBuilder::synchronous_replication)); then it goes on by
///   itself. A user who may not call `pg_control_system` is refused.
/// - *Failovers, worker IDs*: the new server gives no worker ID until every lease that may have
///   been lost is over. That takes the longest reservation ever noted (at least 67.5 s), counted
///   from now or the latest time in the rows, plus 2 s for clocks that differ. Meanwhile it renews
///   only leases with more than 2 s left, and none if the former server's clock was ahead. A worker
///   ID that was evicted in a lost commit may go on: evict only processes that have ended.
/// - *Restores*: snowmint notices a dump wherever it is put, because its tables have other OIDs. It
///   notices a base backup by its new timeline, unless you stated that replication is synchronous.
///   It cannot detect a snapshot of the disk, or rows that are put back into existing tables.
///   Before anything mints, wait as long as the longest reservation, and raise every tag above all
///   numbers in use ([`Vouch::all`]).
/// - *Commits*: a commit that is not plainly confirmed fails with
///   [`OutcomeUnknown`](crate::Code::OutcomeUnknown), and what it reserved is never used. The
///   deadline passed, the connection broke, or the server warned that it no longer waits for a
///   standby. Nothing is cancelled at the server, and nothing is retried here.
/// - *Clock*: the server's, read inside each statement.
/// - *Threads*: up to four connections a process, each with one call at a time; two stay open. Up
///   to four threads a process look up host names; each ends when the system answers or gives up.
/// - *Fork*: a child opens its own connections and leaves its parent's alone.
/// - *Poolers*: statements have no name, and settings apply to one transaction. So pgbouncer may
///   give each transaction another connection.
pub struct PostgresStore {
    endpoint: Endpoint,
    connections: PerProcess<Pool<Session>>,
}

impl PostgresStore {
    /// Returns a builder that describes where the database is.
    pub fn builder() -> PostgresBuilder {
        PostgresBuilder::default()
    }

    fn open(builder: PostgresBuilder) -> Result<PostgresStore> {
        let create = builder.create;
        let endpoint = Endpoint::new(builder)?;
        let store = PostgresStore { endpoint, connections: PerProcess::new() };
        store.look(create)?;
        Ok(store)
    }

    /// Reads numbers of a column. The database need not have snowmint's tables.
    pub(crate) fn numbers(
        builder: PostgresBuilder,
        column: &Column,
        wanted: Wanted,
    ) -> Result<Vec<u64>> {
        let endpoint = Endpoint::of_others(builder)?;
        let store = PostgresStore { endpoint, connections: PerProcess::new() };
        let table = column.quoted_table('"');
        let (_, _, plain) = column.parts();
        let of = [("table", Value::from(table.as_str())), ("column", plain.into())];
        let kind = Statement::new(include_str!("postgres/column.sql"), &of);
        // The text has a name of its own, or it would take the column's, and the server would sort
        // by it.
        let query = column.query(wanted, '"', |it| format!("CAST({it} AS text) AS shown"));
        store.with_session(SCAN_WITHIN, |session, deadline| {
            let found = session.read(&kind, deadline)?;
            let found = found.first().map(|row| Ok::<_, Fault>((row.try_get(0)?, row.try_get(1)?)));
            let (of, is_hidden): (Option<String>, bool) = found.transpose()?.unwrap_or_default();
            column.check_type(of.as_deref())?;
            if is_hidden {
                return Err(errors::numbers_hidden(&table).into());
            }
            let shown = session.read(&Statement::plain(&query), deadline)?;
            let shown = shown.iter().map(|row| row.try_get(0));
            let shown = shown.collect::<Result<Vec<Option<String>>, _>>()?;
            let mut numbers = column.numbers(shown.iter().map(Option::as_deref))?;
            if let Wanted::Largest = wanted {
                let fillings = fillings::read(session, deadline, Fills::Column(column))?;
                numbers.extend(fillings.iter().filter_map(|filling| filling.last));
                numbers.sort_unstable();
            }
            Ok(numbers)
        })
    }

    /// Returns what fills the columns by itself, such as defaults and identities.
    pub(crate) fn fillings(builder: PostgresBuilder, fills: Fills<'_>) -> Result<Vec<Filling>> {
        let endpoint = Endpoint::of_others(builder)?;
        let store = PostgresStore { endpoint, connections: PerProcess::new() };
        store
            .with_session(CALL_WITHIN, |session, deadline| fillings::read(session, deadline, fills))
    }

    /// Makes the tables if there are none. A dry run only returns the statements.
    pub(crate) fn migrate(builder: PostgresBuilder, is_dry: bool) -> Result<Migration> {
        let store =
            PostgresStore { endpoint: Endpoint::new(builder)?, connections: PerProcess::new() };
        let statements = store.with_session(CALL_WITHIN, |session, deadline| {
            if tables::are_there(session, deadline)? {
                tables::check_columns(session, deadline)?;
                return Ok(Vec::new());
            }
            let script = tables::script(session, deadline)?;
            if is_dry || session.transact(deadline, tables::make)? {
                return Ok(script);
            }
            Ok(Vec::new())
        })?;
        let place = format!("PostgreSQL {}", store.endpoint);
        Ok(Migration { place, kept_in: KeptIn::Tables, statements })
    }

    /// Checks the tables, or makes them if there are none and `create` is true.
    pub(crate) fn look(&self, create: bool) -> Result<()> {
        self.with_session(CALL_WITHIN, |session, deadline| {
            if !tables::are_there(session, deadline)? {
                if !create {
                    return Err(Fault::NoTables);
                }
                session.transact(deadline, tables::make)?;
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
        query: &Statement,
        row: impl FnMut(&tokio_postgres::Row) -> Result<T, Fault>,
    ) -> Result<Vec<T>> {
        self.with_session(CALL_WITHIN, |session, deadline| {
            session.read(query, deadline)?.iter().map(row).collect()
        })
    }

    /// Runs one transaction, which is durable when this returns.
    fn write<T>(
        &self,
        within: Duration,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T> {
        self.with_session(within, |session, deadline| {
            session.transact_in(self.endpoint.known(), deadline, change)
        })
    }
}

/// Leaves the password out.
impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = self.endpoint.to_string();
        f.debug_struct("PostgresStore").field("place", &endpoint).finish_non_exhaustive()
    }
}

impl WorkerStore for PostgresStore {
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
            let release = include_str!("postgres/release.sql");
            transaction.rows(Statement::new(release, &rows::of_lease(lease))).map(drop)
        })
    }
}

impl WorkerAdmin for PostgresStore {
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        self.read(&rows::workers(None), rows::worker_row)
    }

    fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
        self.read(&rows::workers(Some(realm)), rows::worker_row)
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
            let parameters = [("realm", realm.into()), ("worker_id", worker_id.into())];
            let evict = concat!(include_str!("postgres/evict.sql"), "RETURNING TRUE");
            Ok(!transaction.rows(Statement::new(evict, &parameters))?.is_empty())
        })
    }
}

impl SegmentStore for PostgresStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.write(call.within, |transaction| rows::allocate(transaction, requests))
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        Ok(self.read(&rows::tag_rows(Some(tag)), tag_row)?.pop())
    }
}

impl SegmentAdmin for PostgresStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        tag.check_new()?;
        options.check()?;
        self.write(CALL_WITHIN, |transaction| tags::create(transaction, tag, options))
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        change.check()?;
        self.write(CALL_WITHIN, |transaction| tags::change(transaction, tag, change))
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
        self.read(&rows::tag_rows(None), tag_row)
    }

    fn vouch(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
        vouch.check()?;
        self.write(SCAN_WITHIN, |transaction| rows::vouch(transaction, vouch))
    }
}
