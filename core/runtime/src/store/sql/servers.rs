//! Leases of servers, which may have taken another's place and lack what that one gave last.

use std::collections::HashSet;

use snowmint_engine::Layout;

use super::tags::{self, tag_row};
use super::workers::{
    acquired, exhausted, of_realm, of_renewal, of_request, of_store, renewed, worker_row,
};
use super::{Change, Row, Transaction};
use crate::error::{Error, Result};
use crate::store::parameters::Value;
use crate::store::remote::errors::sql::worker_ids_contended;
use crate::store::remote::succession;
use crate::store::{
    Call, Exhausted, Incarnation, KeySpace, Lease, LeaseRequest, Tag, TagRow, Vouch,
};

pub(in crate::store) mod fault;
pub(in crate::store) mod hosts;

/// The number of picks after which a call gives up. A pick fails if another process takes the
/// worker ID, or its holder renews it, at the same moment.
const PICKS: usize = 8;

/// The statements of a server for leases.
pub(in crate::store) struct Statements {
    /// Notes whether the server took another's place.
    pub(in crate::store) succeed: &'static [&'static str],
    /// Locks out who else acquires, before the first of these statements.
    pub(in crate::store) acquire_lock: &'static [&'static str],
    /// Takes the preferred worker ID.
    pub(in crate::store) acquire: Pick,
    /// Makes the realm the layout of the key space, if it has none.
    pub(in crate::store) claim: &'static str,
    /// Returns the layout and where its IDs begin, and keeps both.
    pub(in crate::store) layout: &'static str,
    /// Returns the same and the time. Locks out whoever acquires.
    pub(in crate::store) layout_lock: &'static str,
    pub(in crate::store) change_layout: &'static str,
    pub(in crate::store) evict_all: &'static str,
    /// Renews a lease. The last of these statements returns a row if it did.
    pub(in crate::store) renew: &'static [&'static str],
    /// Returns a row if another lease holds the worker ID; asked where rows can be hidden.
    pub(in crate::store) overtaken: &'static str,
    /// Names the server if it gives no worker ID until an operator has confirmed it, where a copy can
    /// be told from a server that took another's place.
    pub(in crate::store) unvouched: Option<&'static str>,
    /// Returns the server's name, whether it makes tags, and each tag that gives no range.
    pub(in crate::store) standing: &'static str,
    /// Raises tags whose ranges may be lost, and returns their rows.
    pub(in crate::store) vouch_tags: Change<'static>,
    /// Notes the server as one that has all that was given.
    pub(in crate::store) vouch: &'static str,
}

/// The statements that take a worker ID.
pub(in crate::store) enum Pick {
    /// Takes it and returns its row, or NULL in its second column if its holder was faster.
    Whole(&'static str),
    /// In steps, where changes return no rows. `pick` returns the worker ID and whether it has a
    /// row, and `taken` the row.
    Steps { pick: &'static str, again: &'static str, new: &'static str, taken: &'static str },
}

/// A transaction at a server.
pub(in crate::store) trait ServerTransaction: Transaction {
    fn leases(&self) -> &'static Statements;

    /// Like [`batch`](Transaction::batch), once no other call acquires in the realm.
    fn batch_in_realm<T>(
        &mut self,
        statements: &[&str],
        values: &[(&str, Value)],
        read: impl FnMut(&Self::Row<'_>) -> Result<T, Self::Fault>,
    ) -> Result<Vec<T>, Self::Fault> {
        self.batch(&[self.leases().acquire_lock, statements].concat(), values, read)
    }

    /// Returns what messages call the table of the key space, and the expression for the time.
    fn terms(&self) -> Result<[String; 2], Self::Fault>;

    /// Returns the error for a database without snowmint's tables.
    fn no_tables(&self) -> Self::Fault;

    /// Returns the server's name for operators, which is known after the first statement.
    fn server(&self) -> Option<Incarnation> {
        self.incarnation()
    }
}

/// Takes a worker ID. The caller commits even a refusal: after a failover, the first call notes
/// until when no worker ID is given.
pub(in crate::store) fn acquire<T: ServerTransaction>(
    transaction: &mut T,
    request: &LeaseRequest,
    call: &Call,
) -> Result<Result<Lease>, T::Fault> {
    let claim = (!request.past_reserved).then_some(transaction.leases().claim);
    let asked =
        [transaction.leases().succeed, claim.as_slice(), &[transaction.leases().layout]].concat();
    let values = of_request(request, call);
    let layout = |row: &T::Row<'_>| Ok((row.optional_text(0)?, row.number(1)?));
    let layout = transaction.batch_in_realm(&asked, &values, layout)?.pop();
    let space = layout.and_then(|layout| key_space(transaction, layout));
    if let Some(space) = &space {
        space.claimed(request)?;
    }
    for _ in 0..PICKS {
        match pick(transaction, &values, |row| acquired(row, request, call))? {
            Some(Some(lease)) => {
                let lease = of_store(transaction, lease);
                space.map_or(Ok(()), |space| space.check_floor(&lease))?;
                return Ok(Ok(lease));
            }
            Some(None) => {}
            None => return why_none(transaction, &values, request).map(Err),
        }
    }
    Err(worker_ids_contended().into())
}

/// Takes the preferred worker ID. Returns `None` if none is free, and `Some(None)` if its holder was
/// faster.
fn pick<T: ServerTransaction, L>(
    transaction: &mut T,
    values: &[(&'static str, Value)],
    mut read: impl FnMut(&T::Row<'_>) -> Result<L, T::Fault>,
) -> Result<Option<Option<L>>, T::Fault> {
    let (pick, again, new, taken) = match transaction.leases().acquire {
        Pick::Whole(acquire) => {
            let read = |row: &T::Row<'_>| row.optional_number(1)?.map(|_| read(row)).transpose();
            return Ok(transaction.query(acquire, values, read)?.pop());
        }
        Pick::Steps { pick, again, new, taken } => (pick, again, new, taken),
    };
    let picked = |row: &T::Row<'_>| Ok((row.number(0)?, row.flag(1)?));
    let picked = transaction.query(pick, values, picked)?.pop();
    let Some((worker_id, is_known)) = picked else { return Ok(None) };
    let worker_id = ("worker_id", worker_id.into());
    let values: Vec<_> = values.iter().cloned().chain([worker_id]).collect();
    if !transaction.change(if is_known { again } else { new }, &values)? {
        return Ok(Some(None));
    }
    Ok(Some(transaction.query(taken, &values, read)?.pop()))
}

/// Returns the key space that this transaction read, with its layout; `None` if its row is hidden.
fn key_space<T: Transaction>(
    transaction: &T,
    (layout, from_ms): (Option<String>, i64),
) -> Option<KeySpace> {
    let id = transaction.key_space()?;
    Some(KeySpace { id, layout, from_ms, changes_to: None })
}

/// Returns the reason why no worker ID is given.
fn why_none<T: ServerTransaction>(
    transaction: &mut T,
    values: &[(&str, Value)],
    request: &LeaseRequest,
) -> Result<Error, T::Fault> {
    if let Some(error) = transaction.why_unseen()? {
        return Ok(error);
    }
    if let Some(unvouched) = transaction.leases().unvouched
        && let Some(server) = transaction.query(unvouched, &[], |row| row.text(0))?.pop()
    {
        return Ok(succession::leases_unvouched(request, &server));
    }
    let found = |row: &T::Row<'_>| {
        let longest_ms = row.optional_number(5)?.unwrap_or_default();
        Ok((exhausted(row)?, row.optional_number(4)?, longest_ms))
    };
    Ok(match transaction.query(transaction.statements().exhausted, values, found)?.pop() {
        Some((_, Some(wait_ms), longest_ms)) => {
            let [table, now] = transaction.terms()?;
            succession::waits(request, wait_ms, longest_ms, [&table, &now])
        }
        Some((exhausted, None, _)) => exhausted.error(request),
        None => Exhausted::default().error(request),
    })
}

/// Gives a lease more time. The caller commits even if the lease is lost (`None`).
pub(in crate::store) fn renew<T: ServerTransaction>(
    transaction: &mut T,
    lease: &Lease,
    reserve_ms: u32,
    call: &Call,
) -> Result<Option<Lease>, T::Fault> {
    let values = of_renewal(lease, reserve_ms, call);
    let asked = [transaction.leases().succeed, transaction.leases().renew].concat();
    if let Some(lease) = transaction.batch(&asked, &values, |row| renewed(row, lease, call))?.pop()
    {
        return Ok(Some(of_store(transaction, lease)));
    }
    if let Some(unseen) = transaction.why_unseen()?
        && transaction.query(transaction.leases().overtaken, &values, |_| Ok(()))?.is_empty()
    {
        return Err(unseen.into());
    }
    Ok(None)
}

/// Reads a row of the server's standing: its name, whether it makes tags, and a tag that it refuses.
pub(in crate::store) fn standing_row<R: Row>(
    row: &R,
) -> Result<(Incarnation, bool, Option<Tag>), R::Fault> {
    let tag = row.optional_text(2)?.map(|tag| Tag::of_row(&tag));
    let tag = tag.transpose().map_err(|_| row.excluded(2))?;
    Ok((row.optional_text(0)?.unwrap_or_default().into(), row.flag(1)?, tag))
}

/// Changes the layout of new IDs, once all leases of the present layout are over.
pub(in crate::store) fn change_layout<T: ServerTransaction>(
    transaction: &mut T,
    layout: &Layout,
) -> Result<(), T::Fault> {
    let locked = |row: &T::Row<'_>| Ok(((row.optional_text(0)?, row.number(1)?), row.number(2)?));
    let Some((found, now_ms)) =
        transaction.query(transaction.leases().layout_lock, &[], locked)?.pop()
    else {
        return Err(transaction
            .why_unseen()?
            .map_or_else(|| transaction.no_tables(), T::Fault::from));
    };
    let space = key_space(transaction, found).ok_or_else(|| transaction.no_tables())?;
    let before = space.layout.clone().unwrap_or_default();
    if before == layout.to_string() {
        return Ok(());
    }
    let asked = [transaction.leases().evict_all, transaction.statements().workers];
    let rows = transaction.batch(&asked, &of_realm(Some(&before)), |row| worker_row(row))?;
    let KeySpace { from_ms, .. } = space.changed(layout, &rows, now_ms)?;
    let values = [("layout", Value::name(&layout.to_string())), ("from_ms", from_ms.into())];
    transaction.change(transaction.leases().change_layout, &values).map(drop)
}

/// Lets the present server go on with the tags that it has. Returns the rows that this raised.
pub(in crate::store) fn vouch<T: ServerTransaction>(
    transaction: &mut T,
    vouch: &Vouch,
) -> Result<Vec<TagRow>, T::Fault> {
    let values = [
        ("steps", Value::from(vouch.raise_by_steps)),
        ("all", u32::from(vouch.all).into()),
        ("new_from", vouch.new_from.into()),
    ];
    let before = tags::known_here(transaction, vouch)?;
    let raised = raise(transaction, &values)?;
    // The row that others wait for is locked last, because raising many tags takes long.
    transaction.change(transaction.leases().vouch, &values)?;
    let present = transaction.server();
    if vouch.server.is_some() && vouch.server != present {
        return Err(succession::another(&vouch.server, &present).into());
    }
    tags::raise_above(transaction, vouch, before, raised)
}

/// Raises the tags whose ranges may be lost, and returns their rows.
fn raise<T: ServerTransaction>(
    transaction: &mut T,
    values: &[(&str, Value)],
) -> Result<Vec<TagRow>, T::Fault> {
    let Change { change, look } = transaction.leases().vouch_tags;
    if look.is_empty() {
        return transaction.query(change, values, |row| tag_row(row));
    }
    let names = transaction.query(look, values, |row| row.text(0))?;
    let names: HashSet<_> = names.into_iter().collect();
    transaction.change(change, values)?;
    let mut rows = tags::all(transaction)?;
    rows.retain(|row| names.contains(row.tag.as_str()));
    Ok(rows)
}

/// Implements the store traits for a store at a server, by its `endpoint`, its `connections` and
/// the modules beside it.
macro_rules! of_server {
    ($store:ident, $builder:ident) => {
        const _: () = {
            use std::fmt;
            use std::time::Duration;

            use snowmint_engine::Layout;
            use $crate::error::Result;
            use $crate::host::process::PerProcess;
            use $crate::store::asking::SCAN_WITHIN;
            use $crate::store::remote::deadline::Deadline;
            use $crate::store::remote::pool::Pool;
            use $crate::store::sql::servers;
            use $crate::store::sql::tags::{self, named, tag_row};
            use $crate::store::sql::workers::{evict, of_realm, release, worker_row};
            use $crate::store::{
                Allocation, AllocationRequest, CALL_WITHIN, Call, KeptIn, KeySpaceId, Lease,
                LeaseRequest, Migration, Move, SegmentAdmin, SegmentStore, Standing, Tag,
                TagChange, TagOptions, TagRow, Vouch, WorkerAdmin, WorkerRow, WorkerStore,
                check_reserve, lease_lost,
            };

            impl $store {
                /// Returns a builder that describes where the database is.
                pub fn builder() -> $builder {
                    $builder::default()
                }

                pub(super) fn open(builder: $builder) -> Result<$store> {
                    let create = builder.create;
                    let store = Self::at(Endpoint::new(builder)?);
                    store.look(create)?;
                    Ok(store)
                }

                /// Checks the tables, or makes them if there are none and `create` is true.
                pub(crate) fn look(&self, create: bool) -> Result<()> {
                    self.with_session(CALL_WITHIN, |session, deadline| {
                        if !tables::are_usable(session, deadline)? {
                            if !create {
                                return Err(Fault::no_tables());
                            }
                            tables::make(session, deadline)?;
                        }
                        tables::check_key_space(session, self.endpoint.known(), deadline).map(drop)
                    })
                }

                /// Makes the tables if there are none. A dry run only returns the statements.
                pub(crate) fn migrate(builder: $builder, is_dry: bool) -> Result<Migration> {
                    let store = Self::at(Endpoint::new(builder)?);
                    let statements = store.with_session(CALL_WITHIN, |session, deadline| {
                        if tables::are_usable(session, deadline)? {
                            tables::check_columns(session, deadline)?;
                            return Ok(Vec::new());
                        }
                        let script = tables::script(session, deadline)?;
                        if is_dry || tables::make(session, deadline)? {
                            return Ok(script);
                        }
                        Ok(Vec::new())
                    })?;
                    let place = store.endpoint.place();
                    Ok(Migration::new(place, KeptIn::Tables, statements))
                }

                fn at(endpoint: Endpoint) -> $store {
                    Self { endpoint, connections: PerProcess::new() }
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
                    done.map_err(|fault| fault.explain(&self.endpoint.place()))
                }

                fn read<T>(
                    &self,
                    query: Statement,
                    row: impl FnMut(&Row) -> Result<T, Fault>,
                ) -> Result<Vec<T>> {
                    self.with_session(CALL_WITHIN, |session, deadline| {
                        session.read(&query, deadline)?.iter().map(row).collect()
                    })
                }

                /// Runs one transaction, which is durable when this returns.
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

            /// Leaves the password out.
            impl fmt::Debug for $store {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    let endpoint = self.endpoint.to_string();
                    f.debug_struct(stringify!($store))
                        .field("place", &endpoint)
                        .finish_non_exhaustive()
                }
            }

            impl WorkerStore for $store {
                fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
                    request.check()?;
                    self.write(call.within, |it| servers::acquire(it, request, call))?
                }

                fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
                    check_reserve(reserve_ms)?;
                    self.write(call.within, |it| servers::renew(it, lease, reserve_ms, call))?
                        .ok_or_else(|| lease_lost(lease))
                }

                fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
                    self.write(call.within, |it| release(it, lease))
                }
            }

            impl WorkerAdmin for $store {
                fn workers(&self) -> Result<Vec<WorkerRow>> {
                    let workers = Statement::new(rows::STATEMENTS.workers, &of_realm(None));
                    self.read(workers, worker_row)
                }

                fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
                    let workers = Statement::new(rows::STATEMENTS.workers, &of_realm(Some(realm)));
                    self.read(workers, worker_row)
                }

                fn key_space(&self) -> Result<Option<KeySpaceId>> {
                    self.with_session(CALL_WITHIN, |session, deadline| {
                        tables::check_key_space(session, self.endpoint.known(), deadline)
                    })
                }

                fn change_layout(&self, layout: &Layout) -> Result<()> {
                    self.write(SCAN_WITHIN, |it| servers::change_layout(it, layout))
                }

                fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
                    self.write(CALL_WITHIN, |it| evict(it, realm, worker_id))
                }
            }

            impl SegmentStore for $store {
                fn allocate(
                    &self,
                    requests: &[AllocationRequest],
                    call: &Call,
                ) -> Result<Vec<Result<Allocation>>> {
                    self.write(call.within, |it| tags::allocate(it, requests))
                }

                fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
                    let row = Statement::new(rows::STATEMENTS.tags, &[named(Some(tag))]);
                    Ok(self.read(row, tag_row)?.pop())
                }
            }

            impl SegmentAdmin for $store {
                fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
                    tag.check_new()?;
                    options.check()?;
                    self.write(CALL_WITHIN, |it| tags::create(it, tag, options))
                }

                fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
                    change.check()?;
                    self.write(CALL_WITHIN, |it| tags::change(it, tag, change))
                }

                fn close_for_move(&self, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
                    self.write(CALL_WITHIN, |it| tags::close_for_move(it, tag, moving))
                }

                fn check_arrival(&self) -> Result<()> {
                    Ok(())
                }

                fn adopt_moved(&self, closed: &TagRow) -> Result<TagRow> {
                    self.write(CALL_WITHIN, |it| tags::adopt_moved(it, closed))
                }

                fn tags(&self) -> Result<Vec<TagRow>> {
                    self.read(Statement::new(rows::STATEMENTS.tags, &[named(None)]), tag_row)
                }

                fn vouch(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
                    vouch.check()?;
                    self.write(SCAN_WITHIN, |it| servers::vouch(it, vouch))
                }

                fn standing(&self) -> Result<Standing> {
                    let asked = Statement::plain(rows::LEASES.standing);
                    let rows = self.read(asked, servers::standing_row)?;
                    Ok(Standing::of_rows(rows, self.tags()?))
                }
            }
        };
    };
}
pub(in crate::store) use of_server;
