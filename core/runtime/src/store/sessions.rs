//! Stores on transactions that the caller of the library runs, for bindings whose language has
//! drivers and pools of its own.

use std::sync::atomic::{AtomicBool, Ordering};

use super::postgres::schema::Schema;
use super::sql::{servers, tags, workers};
use super::{
    Allocation, AllocationRequest, Call, KeySpaceId, KnownKeySpace, Lease, LeaseRequest,
    SegmentAdmin, SegmentStore, Tag, TagChange, TagOptions, TagRow, Vouch, WorkerAdmin, WorkerRow,
    WorkerStore, check_reserve, lease_lost, tag_exists,
};
use crate::error::{Error, Result};
use crate::errors::schemes::key_space_missing;

mod errors;
mod tables;
mod transaction;

use transaction::Transaction;

/// The product that a session talks to, which decides its statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    /// PostgreSQL.
    Postgres,
    /// MySQL or MariaDB.
    Mysql,
    /// SQLite.
    Sqlite,
    /// H2, for tests.
    H2,
}

/// A value of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// NULL of any type.
    Null,
    /// A text.
    Text(String),
    /// A number of 64 bits.
    Number(i64),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// A row, whose values are texts or NULL.
pub type Row = Vec<Option<String>>;

/// Says that the session failed. The session keeps the reason, and gets no further call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// A transaction that has begun, at an isolation level at which each statement sees what was
/// committed before it.
pub trait Session {
    /// Returns the product.
    fn database(&self) -> Database;

    /// Runs a statement with a value for each `?`, and returns its rows.
    ///
    /// # Errors
    /// [`Failed`].
    fn rows(&mut self, statement: &str, values: &[Value]) -> Result<Vec<Row>, Failed>;

    /// Runs a statement likewise, and returns how many rows it changed or returned: 0 if it inserts
    /// a row whose key is there.
    ///
    /// # Errors
    /// [`Failed`].
    fn change(&mut self, statement: &str, values: &[Value]) -> Result<u64, Failed>;

    /// Notes a statement to be run on this connection once the transaction is over.
    ///
    /// # Errors
    /// [`Failed`].
    fn at_end(&mut self, statement: &str) -> Result<(), Failed>;

    /// Fails as a statement does on tables that are missing.
    fn without_tables(&mut self) -> Failed;
}

/// How the work in a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The transaction is to be committed.
    Commit,
    /// The transaction is to be rolled back.
    RollBack,
    /// The session failed.
    Failed,
}

/// Runs transactions.
pub trait Sessions: Send + Sync {
    /// Does all of the work durably, or nothing. If others were in the way, it may do the work
    /// again in another transaction.
    ///
    /// # Errors
    /// Returns the reason if a session failed, or if a commit was not confirmed.
    fn transact(&self, work: &mut dyn FnMut(&mut dyn Session) -> Ended) -> Result<()>;
}

/// What operators state about the database, and how long it may take.
#[derive(Clone, Debug)]
pub struct Terms {
    schema: Schema,
    key_space: Option<KeySpaceId>,
    is_synchronous: bool,
    answer_ms: u32,
}

impl Terms {
    /// States whether each standby that may be promoted confirms each commit, and the bound for the
    /// answer to a statement. The schema of PostgreSQL and the key space are required if named.
    ///
    /// # Errors
    /// [`InvalidParameter`](crate::Code::InvalidParameter) for a name that no schema can have, or a
    /// text that is no key space.
    pub fn new(
        schema: Option<&str>,
        key_space: Option<&str>,
        is_synchronous: bool,
        answer_ms: u32,
    ) -> Result<Terms> {
        let key_space = key_space.map(str::parse).transpose()?;
        Ok(Terms { schema: Schema::new(schema)?, key_space, is_synchronous, answer_ms })
    }
}

/// The reason why the work in a transaction failed.
#[derive(Debug)]
pub(super) enum Fault {
    Session,
    Refused(Error),
}

impl From<Failed> for Fault {
    fn from(_: Failed) -> Fault {
        Fault::Session
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Refused(error)
    }
}

/// Worker IDs and numbers in a database whose transactions the caller runs. Its durability is not
/// checked.
pub struct SessionStore<S> {
    sessions: S,
    terms: Terms,
    known: KnownKeySpace,
    /// True once the tables were found to be as they should be.
    is_checked: AtomicBool,
}

impl<S: Sessions> SessionStore<S> {
    /// Creates a store. Calls nothing yet.
    pub fn new(sessions: S, terms: Terms) -> SessionStore<S> {
        let (known, is_checked) = (KnownKeySpace::new(terms.key_space), AtomicBool::new(false));
        SessionStore { sessions, terms, known, is_checked }
    }

    /// Returns true if the tables are there.
    ///
    /// # Errors
    /// [`StoreSchema`](crate::Code::StoreSchema) if they are not as they should be.
    pub fn has_tables(&self) -> Result<bool> {
        self.transact(tables::are_there)
    }

    /// Makes the tables if there are none. If a key space is required, only checks that the tables
    /// are there and belong to it.
    ///
    /// # Errors
    /// [`StoreSchema`](crate::Code::StoreSchema) if they are not as they should be. If a key space
    /// is required, [`StoreMissing`](crate::Code::StoreMissing) without tables, and
    /// [`IncarnationChanged`](crate::Code::IncarnationChanged) with another key space.
    pub fn create_tables(&self) -> Result<()> {
        match (self.has_tables()?, self.terms.key_space) {
            (false, Some(id)) => Err(key_space_missing("the database", &id.to_string())),
            (false, None) => self.transact(tables::make),
            (true, Some(_)) => self.read(|_| Ok(())),
            (true, None) => Ok(()),
        }
    }

    fn transact<T>(
        &self,
        mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T> {
        let mut done = None;
        self.sessions.transact(&mut |session| {
            let begun = Transaction::begin(session, &self.terms);
            match begun.and_then(|mut transaction| work(&mut transaction)) {
                Ok(result) => {
                    done = Some(Ok(result));
                    Ended::Commit
                }
                Err(Fault::Refused(error)) => {
                    done = Some(Err(error));
                    Ended::RollBack
                }
                Err(Fault::Session) => Ended::Failed,
            }
        })?;
        done.expect("sessions that succeed have run the work")
    }

    /// Checks the tables once, and that they are of the known key space.
    fn check(&self, transaction: &mut Transaction<'_>) -> Result<(), Fault> {
        if !self.is_checked.load(Ordering::Relaxed) {
            tables::check(transaction)?;
            self.is_checked.store(true, Ordering::Relaxed);
        }
        transaction.check_key_space(&self.known)
    }

    fn read<T>(&self, mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, Fault>) -> Result<T> {
        self.transact(|transaction| {
            self.check(transaction)?;
            work(transaction)
        })
    }

    fn write<T>(
        &self,
        mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T> {
        self.transact(|transaction| {
            transaction.lock_file()?;
            self.check(transaction)?;
            work(transaction)
        })
    }
}

impl<S: Sessions> WorkerStore for SessionStore<S> {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        request.check()?;
        self.write(|it| workers::acquire(it, request, call))?
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        check_reserve(reserve_ms)?;
        self.write(|it| workers::renew(it, lease, reserve_ms, call))?
            .ok_or_else(|| lease_lost(lease))
    }

    fn release(&self, lease: &Lease, _: &Call) -> Result<()> {
        self.write(|it| workers::release(it, lease))
    }
}

impl<S: Sessions> WorkerAdmin for SessionStore<S> {
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        self.read(|it| workers::all(it, None))
    }

    fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
        self.write(|it| workers::evict(it, realm, worker_id))
    }
}

impl<S: Sessions> SegmentStore for SessionStore<S> {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        _: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.write(|it| tags::allocate(it, requests))
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.read(|it| it.seen(|it| Ok(tags::find(it, tag)?.into_iter().collect())))
            .map(|mut rows| rows.pop())
    }
}

impl<S: Sessions> SegmentAdmin for SessionStore<S> {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        tag.check_new()?;
        options.check()?;
        self.write(|it| match tags::find(it, tag)? {
            // Drivers log an insertion that fails as an error.
            Some(_) => Err(tag_exists(tag).into()),
            None => tags::create(it, tag, options),
        })
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        change.check()?;
        self.write(|it| tags::change(it, tag, change))
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.read(|it| it.seen(tags::all))
    }

    fn vouch(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
        vouch.check()?;
        self.write(|it| servers::vouch(it, vouch))
    }
}
