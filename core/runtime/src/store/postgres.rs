//! A store in PostgreSQL, for all machines that reach it.

use tokio_postgres::Row;

use super::asking::SCAN_WITHIN;
use super::remote::pool::Pool;
use super::sql::servers::of_server;
use super::{CALL_WITHIN, Column, Filling, Fills, Wanted};
use crate::error::Result;
use crate::host::process::PerProcess;

mod builder;
mod dialects;
mod doctor;
mod endpoint;
pub(super) mod errors;
mod fault;
mod fillings;
mod passwords;
pub(super) mod rows;
pub(super) mod schema;
mod session;
mod socket;
mod statement;
pub(super) mod tables;
mod tls;
mod url;

pub use builder::PostgresBuilder;
pub use dialects::{PostgresDialectBuilder, PostgresDialectStore};
use endpoint::Endpoint;
use fault::Fault;
use session::{Session, Transaction};
use statement::Statement;
pub use tls::SslMode;
pub(crate) use url::SCHEME;

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
///   ([`vouch`](crate::SegmentAdmin::vouch), `snowmint recover`). If each standby that may be
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
///   numbers in use ([`Vouch::all`](crate::Vouch::all)).
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
    /// Reads numbers of a column. The database need not have snowmint's tables.
    pub(crate) fn numbers(
        builder: PostgresBuilder,
        column: &Column,
        wanted: Wanted,
    ) -> Result<Vec<u64>> {
        let store = PostgresStore::at(Endpoint::of_others(builder)?);
        let table = column.quoted_table('"');
        // The text has a name of its own, or it would take the column's, and the server would sort
        // by it.
        let query = column.query(wanted, '"', |it| format!("CAST({it} AS text) AS shown"));
        store.with_session(SCAN_WITHIN, |session, deadline| {
            let found = session.read(&fillings::of(column), deadline)?;
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
        let store = PostgresStore::at(Endpoint::of_others(builder)?);
        store
            .with_session(CALL_WITHIN, |session, deadline| fillings::read(session, deadline, fills))
    }
}

of_server!(PostgresStore, PostgresBuilder);
