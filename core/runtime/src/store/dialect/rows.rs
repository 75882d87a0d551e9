//! Numbers of owners' tables: the ranges that are taken, and the tags that are made and changed.

use super::table::{Spelling, Table, Texts};
use super::worker_node;
use crate::error::Result;
use crate::store::parameters::Value;
use crate::store::sql::tags::named;
use crate::store::sql::{Change, Row, Transaction};
use crate::store::{Allocation, AllocationRequest, Tag, TagChange, TagOptions, TagRow, tag_exists};

/// Returns the row of a tag, or all rows.
pub(in crate::store) const TAGS: &str = include_str!("tags.sql");

/// The statements for the tables of owners that differ between servers.
pub(in crate::store) struct Statements {
    pub(in crate::store) take: Change<'static>,
    pub(in crate::store) create: &'static str,
    pub(in crate::store) worker_node: worker_node::Statements,
}

/// A transaction in tables of owners.
pub(in crate::store) trait OwnersTransaction: Transaction {
    const OWNERS: Statements;
    const SPELLING: Spelling;
}

/// Fills the names of the table into a statement.
pub(in crate::store) fn filled<T: OwnersTransaction>(table: &Table, statement: &str) -> String {
    table.statement(statement, &T::SPELLING)
}

/// Reads the texts of a row.
pub(in crate::store) fn texts<R: Row>(row: &R) -> Result<Texts, R::Fault> {
    (0..row.len()).map(|at| row.optional_text(at)).collect()
}

pub(in crate::store) fn create<T: OwnersTransaction>(
    transaction: &mut T,
    table: &Table,
    tag: &Tag,
    options: TagOptions,
) -> Result<(), T::Fault> {
    let new = table.new_row(options)?;
    let values = [
        named(Some(tag)),
        ("max", new.max.into()),
        ("step", new.step.into()),
        ("delta", new.delta.into()),
        ("remainder", new.remainder.into()),
    ];
    match transaction.change(&filled::<T>(table, T::OWNERS.create), &values)? {
        true => Ok(()),
        false => Err(tag_exists(tag).into()),
    }
}

/// Raises a tag, or changes its step.
pub(in crate::store) fn change<T: OwnersTransaction>(
    transaction: &mut T,
    table: &Table,
    tag: &Tag,
    change: TagChange,
) -> Result<TagRow, T::Fault> {
    let max = table.new_max(tag, change)?;
    let values = [named(Some(tag)), ("max", max.into()), ("step", change.step.into())];
    transaction.change(&filled::<T>(table, include_str!("change.sql")), &values)?;
    Ok(table.changed(tag, change, max, &rows(transaction, table, tag)?)?)
}

fn rows<T: OwnersTransaction>(
    transaction: &mut T,
    table: &Table,
    tag: &Tag,
) -> Result<Vec<Texts>, T::Fault> {
    transaction.query(&filled::<T>(table, TAGS), &[named(Some(tag))], |row| texts(row))
}

/// Takes a range of no row, so that the server checks the statements.
pub(in crate::store) fn take_none<T: OwnersTransaction>(
    transaction: &mut T,
    table: &Table,
) -> Result<(), T::Fault> {
    take_each(transaction, table, &[(None, None)]).map(drop)
}

fn take_each<T: OwnersTransaction>(
    transaction: &mut T,
    table: &Table,
    asked: &[(Option<&Tag>, Option<u64>)],
) -> Result<Vec<Vec<Texts>>, T::Fault> {
    let values = |&(tag, count): &(_, Option<u64>)| {
        [named(tag), ("count", count.into()), ("last", Value::from(table.last()))]
    };
    let values: Vec<_> = asked.iter().map(values).collect();
    let Change { change, look } = T::OWNERS.take;
    let [change, look] = [change, look].map(|it| filled::<T>(table, it));
    transaction.each(Change { change: &change, look: &look }, &values, |row| texts(row))
}

/// Takes the next range for each request. The requests are sorted by tag.
pub(in crate::store) fn take<T: OwnersTransaction>(
    transaction: &mut T,
    table: &Table,
    requests: &[&AllocationRequest],
) -> Result<Vec<Result<Allocation>>, T::Fault> {
    let asked: Vec<_> = requests.iter().map(|it| (Some(&it.tag), it.count)).collect();
    let taken = take_each(transaction, table, &asked)?;
    let mut answers = Vec::with_capacity(requests.len());
    for (request, taken) in requests.iter().zip(taken) {
        answers.push(match table.only(&request.tag, &taken)? {
            Some(taken) => Ok(table.allocation(&request.tag, taken)?),
            None => Err(table.refusal(request, &rows(transaction, table, &request.tag)?)),
        });
    }
    Ok(answers)
}

/// Implements the store traits for a store of an owner's tables, with its `take`, `find`, `create`,
/// `change`, `judged` and `explained`.
macro_rules! of_owners {
    ($store:ident) => {
        const _: () = {
            use std::fmt;
            use std::time::Duration;

            use $crate::error::Result;
            use $crate::store::dialect::rows::OwnersTransaction as _;
            use $crate::store::dialect::worker_node::{self, WorkerNode};
            use $crate::store::dialect::{OwnersTable as _, Table, Texts, answers, errors};
            use $crate::store::remote::deadline::Deadline;
            use $crate::store::sql::Row as _;
            use $crate::store::sql::tags::named;
            use $crate::store::{
                Allocation, AllocationRequest, Call, Lease, LeaseRequest, RefusedRow, SegmentAdmin,
                SegmentStore, Tag, TagChange, TagOptions, TagRow, Vouch, WorkerAdmin, WorkerStore,
                check_reserve,
            };

            impl $store {
                fn with_session<T>(
                    &self,
                    within: Duration,
                    work: impl FnOnce(&mut Session, Deadline) -> Result<T, Fault>,
                ) -> Result<T> {
                    let deadline = Deadline::after(within);
                    let pool = self.connections.get_or_init(Pool::default);
                    let connect = || self.endpoint.connect(deadline);
                    pool.with(deadline, connect, |session| work(session, deadline))
                        .map_err(|fault| self.explained(fault))
                }

                /// Reports how many worker IDs are left.
                fn left(&self, table: &WorkerNode) -> Result<Finding> {
                    self.with_session(CALL_WITHIN, |session, deadline| {
                        let used = Transaction::SPELLING.filled(worker_node::USED, table.name());
                        let used = session.read(&Statement::plain(&used), deadline)?;
                        let row = used.first().ok_or_else(rows::strange)?;
                        Ok(worker_node::left(row.number(0)?, row.number(1)?))
                    })
                }

                /// Returns the row of a tag, or all rows of the table.
                fn rows(&self, table: &Table, tag: Option<&Tag>) -> Result<Vec<Texts>> {
                    let tags = dialect::filled::<Transaction<'_>>(table, dialect::TAGS);
                    let tags = Statement::new(&tags, &[named(tag)]);
                    self.with_session(CALL_WITHIN, |session, deadline| {
                        session.read(&tags, deadline)?.iter().map(dialect::texts).collect()
                    })
                }

                fn find_in(&self, table: &Table, tag: &Tag) -> Result<Option<TagRow>> {
                    let rows = self.rows(table, Some(tag))?;
                    table.only(tag, &rows)?.map(|texts| Ok(table.found(texts)?.row)).transpose()
                }

                /// Runs one transaction, which is durable when this returns.
                fn write<T>(
                    &self,
                    within: Duration,
                    change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
                ) -> Result<T> {
                    self.with_session(within, |session, deadline| {
                        session.transact(deadline, change)
                    })
                }

                fn workers_table(&self) -> Result<&WorkerNode> {
                    match &self.kept {
                        Kept::Workers(table) => Ok(table),
                        _ => Err(errors::dialect_without_worker_ids(self.dialect)),
                    }
                }
            }

            /// Leaves the password out.
            impl fmt::Debug for $store {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct(stringify!($store))
                        .field("place", &self.endpoint.to_string())
                        .field("dialect", &self.dialect)
                        .finish_non_exhaustive()
                }
            }

            impl SegmentStore for $store {
                fn allocate(
                    &self,
                    requests: &[AllocationRequest],
                    call: &Call,
                ) -> Result<Vec<Result<Allocation>>> {
                    requests.iter().try_for_each(|request| request.tag.check_plain())?;
                    self.write(call.within, |it| {
                        answers(requests, |requests| self.take(it, requests))
                    })
                }

                fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
                    tag.check_plain()?;
                    self.find(tag)
                }

                /// Returns false: a raise by hand leaves no trace in these tables.
                fn tells_raises(&self) -> bool {
                    false
                }
            }

            impl SegmentAdmin for $store {
                fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
                    tag.check_new()?;
                    tag.check_plain()?;
                    options.check()?;
                    self.write(CALL_WITHIN, |it| self.create(it, tag, options))
                }

                fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
                    tag.check_plain()?;
                    change.check()?;
                    self.write(CALL_WITHIN, |it| self.change(it, tag, change))
                }

                fn tags(&self) -> Result<Vec<TagRow>> {
                    Ok(self.judged()?.into_iter().filter_map(Result::ok).collect())
                }

                fn refused_rows(&self) -> Result<Vec<RefusedRow>> {
                    Ok(self.judged()?.into_iter().filter_map(Result::err).collect())
                }

                fn vouch(&self, _: &Vouch) -> Result<Vec<TagRow>> {
                    Err(errors::dialect_without_incarnation(self.dialect))
                }
            }

            impl WorkerStore for $store {
                fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
                    request.check()?;
                    let table = self.workers_table()?;
                    self.write(call.within, |it| worker_node::acquire(it, table, request, call))
                }

                fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
                    let table = self.workers_table()?;
                    check_reserve(reserve_ms)?;
                    self.write(call.within, |it| {
                        worker_node::renew(it, table, lease, reserve_ms, call)
                    })
                }

                fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
                    let table = self.workers_table()?;
                    self.write(call.within, |it| worker_node::release(it, table, lease))
                }
            }

            impl WorkerAdmin for $store {}
        };
    };
}
pub(in crate::store) use of_owners;
