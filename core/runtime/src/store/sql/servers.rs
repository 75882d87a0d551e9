//! Stores at a server, which may have taken another's place and lack what that one gave last.

use super::{Row, Transaction, tags};
use crate::error::Result;
use crate::store::errors::nothing_to_vouch_for;
use crate::store::parameters::Value;
use crate::store::remote::succession;
use crate::store::{KeySpaceId, KnownKeySpace, TagRow, Vouch};

pub(in crate::store) mod columns;
pub(in crate::store) mod fault;
pub(in crate::store) mod hosts;

/// Returns the key space in an answer, and fails if it is not the known one. `None` if the row is not
/// there, or hidden from this user.
pub(in crate::store) fn key_space<R: Row>(
    rows: &[R],
    known: &KnownKeySpace,
) -> Result<Option<KeySpaceId>, R::Fault> {
    let Some(row) = rows.first() else { return Ok(None) };
    let id = row.text(0)?.parse()?;
    known.check(id)?;
    Ok(Some(id))
}

/// What a server refuses until an operator confirms that it has all that was given.
pub(in crate::store) struct Refusals {
    /// True if it makes no tags.
    pub(in crate::store) makes_none: bool,
    /// How many tags give no range.
    pub(in crate::store) tags: usize,
    /// For how long it gives no worker ID, which ends by itself.
    pub(in crate::store) wait_ms: i64,
}

impl Refusals {
    /// Reads the database's row and the rows of all tags.
    pub(in crate::store) fn new<R: Row>(database: &R, tags: &[R]) -> Result<Refusals, R::Fault> {
        let mut refusals = Refusals {
            makes_none: !database.flag(9)?,
            tags: 0,
            wait_ms: database.number(5)?.saturating_sub(database.number(2)?),
        };
        for row in tags {
            refusals.tags += usize::from(row.flag(12)?);
        }
        Ok(refusals)
    }
}

/// Lets the present server go on with the tags that it has. Returns the rows that this raised.
pub(in crate::store) fn vouch<T: Transaction>(
    transaction: &mut T,
    vouch: &Vouch,
) -> Result<Vec<TagRow>, T::Fault> {
    let Some(confirm) = &transaction.statements().confirm else {
        return Err(nothing_to_vouch_for().into());
    };
    let mut raised = tags::raise(transaction, confirm.lock_fenced, vouch)?;
    // The row that others wait for is locked last, because raising many tags takes long.
    let incarnation = Value::Name(transaction.incarnation().map(|it| it.to_string()));
    let values = [("incarnation", incarnation), ("new_from", vouch.new_from.into())];
    transaction.change(confirm.note, &values)?;
    let present = transaction.server();
    if vouch.server.is_some() && vouch.server != present {
        return Err(succession::another(&vouch.server, &present).into());
    }
    tags::raise_above(transaction, vouch, &mut raised)?;
    Ok(raised.into_values().map(|(row, _)| row).collect())
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
            use $crate::store::sql::workers::{self, of_rows, worker_row};
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

                /// Returns true if the tables are there, and fails if their columns are not as they
                /// should be.
                fn has_tables(&self) -> Result<bool> {
                    self.with_session(CALL_WITHIN, |session, deadline| {
                        let are_there = tables::are_there(session, deadline)?;
                        if are_there {
                            tables::check_columns(session, deadline)?;
                        }
                        Ok(are_there)
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
                    self.write(call.within, |it| workers::acquire(it, request, call))?
                }

                fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
                    check_reserve(reserve_ms)?;
                    self.write(call.within, |it| workers::renew(it, lease, reserve_ms, call))?
                        .ok_or_else(|| lease_lost(lease))
                }

                fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
                    self.write(call.within, |it| workers::release(it, lease))
                }
            }

            impl WorkerAdmin for $store {
                fn workers(&self) -> Result<Vec<WorkerRow>> {
                    let workers = Statement::new(rows::STATEMENTS.workers, &of_rows(None, None));
                    self.read(workers, worker_row)
                }

                fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
                    let workers =
                        Statement::new(rows::STATEMENTS.workers, &of_rows(Some(realm), None));
                    self.read(workers, worker_row)
                }

                fn key_space(&self) -> Result<Option<KeySpaceId>> {
                    self.with_session(CALL_WITHIN, |session, deadline| {
                        tables::check_key_space(session, self.endpoint.known(), deadline)
                    })
                }

                fn change_layout(&self, layout: &Layout) -> Result<()> {
                    self.write(SCAN_WITHIN, |it| workers::change_layout(it, layout))
                }

                fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
                    self.write(CALL_WITHIN, |it| workers::evict(it, realm, worker_id))
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
                    self.write(CALL_WITHIN, |it| tags::standing(it))
                }
            }
        };
    };
}
pub(in crate::store) use of_server;
