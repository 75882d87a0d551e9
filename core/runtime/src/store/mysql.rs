//! A store in MySQL or MariaDB, for all machines that reach it.

use super::asking::SCAN_WITHIN;
use super::remote::pool::Pool;
use super::sql::Row as _;
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
mod options;
pub(super) mod rows;
mod session;
mod statement;
pub(super) mod tables;
mod tls;
mod url;
mod wire;

pub use builder::MysqlBuilder;
pub use dialects::{MysqlDialectBuilder, MysqlDialectStore};
use endpoint::Endpoint;
use fault::Fault;
use rows::Row;
use session::{Session, Transaction};
use statement::Statement;
pub use tls::MysqlSslMode;
pub(crate) use url::SCHEME;

/// Worker IDs and numbers in a database of MariaDB (10.6 or later) or MySQL (8 or later), shared by
/// all processes that reach it. MySQL gets the same statements as MariaDB; it has not been tested.
///
/// - *Durability*: this is a setting of the whole server. A server is refused if a crash could lose
///   acknowledged commits. Each transaction checks that `innodb_flush_log_at_trx_commit` is 1 (or
///   MariaDB's 3), and that `sync_binlog` is 1 if there is a binary log. The log-in refuses the
///   `innodb_flush_method`s `nosync` and `littlesync`. You can
///   [vouch](MysqlBuilder::durability_declared) for such a server. snowmint cannot detect MySQL's
///   `DISABLE INNODB REDO_LOG`.
/// - *Failovers, worker IDs*: a server that takes another's place gives no worker ID until every
///   lease that may have been lost is over. That takes the longest reservation ever noted (at least
///   67.5 s), counted from now or the latest time in the rows, plus 2 s for clocks that differ.
///   Meanwhile it renews only leases with more than 2 s left, and none if the former server's clock
///   was ahead. A worker ID that was evicted in a lost commit may go on: evict only processes that
///   have ended.
/// - *Failovers, tags*: the new server refuses each tag whose last range another server gave, with
///   [`IncarnationChanged`](crate::Code::IncarnationChanged), and makes no tags. Raise each tag
///   that lost ranges by more than was lost, and then vouch for all tags
///   ([`vouch`](crate::SegmentAdmin::vouch), `snowmint recover`). This does not depend on
///   replication: a semi-synchronous wait can time out, and a replica can take over before it
///   applied what it acknowledged. A failover that loses the tables themselves is not noticed.
/// - *Server identity*: a MariaDB server is known by its `server_id` and by where it last stopped
///   following another (`gtid_slave_pos`). Servers that may replace each other need different
///   `server_id`s; nodes of a Galera cluster share one. A MySQL server is known by its
///   `server_uuid`, so it is not noticed when it takes its place back: raise every tag then
///   ([`Vouch::all`](crate::Vouch::all)). Nor is a MariaDB server noticed that comes back without
///   having followed another meanwhile.
/// - *Replicas*: a server with `read_only=ON` is passed over. A MariaDB server that takes changes
///   while it follows another is refused, unless you vouch for it. snowmint cannot detect such a
///   server of MySQL, which tells only administrators.
/// - *Restores*: a database that is put back from a backup, a snapshot or a dump looks as it did
///   then. Only on another server is that noticed, as a failover. Before anything mints, wait as
///   long as the longest reservation, and raise every tag above all numbers in use.
/// - *Commits*: a commit that is not plainly confirmed fails with
///   [`OutcomeUnknown`](crate::Code::OutcomeUnknown), for example because the deadline passed or
///   the connection broke. What it reserved is never used. Nothing is killed at the server, and
///   nothing is retried here.
/// - *Clock*: the server's, read inside each statement.
/// - *Locks*: only rows are locked. Calls that acquire wait for each other at the database's row.
/// - *Threads*: up to four connections a process, each with one call at a time; two stay open. Up
///   to four threads a process look up host names; each ends when the system answers or gives up.
/// - *Fork*: a child opens its own connections and leaves its parent's alone.
pub struct MysqlStore {
    endpoint: Endpoint,
    connections: PerProcess<Pool<Session>>,
}

impl MysqlStore {
    /// Reads numbers of a column. The database need not have snowmint's tables.
    pub(crate) fn numbers(
        builder: MysqlBuilder,
        column: &Column,
        wanted: Wanted,
    ) -> Result<Vec<u64>> {
        let store = MysqlStore::at(Endpoint::new(builder)?);
        let query = column.query(wanted, '`', |it| format!("CAST({it} AS char)"));
        store.with_session(SCAN_WITHIN, |session, deadline| {
            let mut texts = |query| -> Result<Vec<Option<String>>, Fault> {
                let text = |row: &Row| (!row.is_null(0)).then(|| row.text(0)).transpose();
                session.read(&query, deadline)?.iter().map(text).collect()
            };
            column.check_type(texts(fillings::of(column))?.pop().flatten().as_deref())?;
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

    /// Returns what fills the columns by itself, such as `AUTO_INCREMENT`.
    pub(crate) fn fillings(builder: MysqlBuilder, fills: Fills<'_>) -> Result<Vec<Filling>> {
        // No dialect takes numbers from a sequence of MariaDB.
        let Fills::Column(column) = fills else { return Ok(Vec::new()) };
        let store = MysqlStore::at(Endpoint::new(builder)?);
        store.with_session(CALL_WITHIN, |session, deadline| {
            Ok(fillings::read(session, deadline, column)?.into_iter().collect())
        })
    }
}

of_server!(MysqlStore, MysqlBuilder);
