//! Stores of values, which a writer can only replace if it knows the present value. A row is read,
//! changed here, and written back unless another writer was faster. The compare-and-set keeps
//! intervals disjoint; the store's clock, read before, only has to be a lower bound.

use serde::{Deserialize, Serialize};
use snowmint_engine::Layout;

use self::memory::Memory;
use self::replacing::{called, replace, swap};
use self::space::Space;
use super::errors::leases::worker_ids_contended;
use super::errors::nothing_to_vouch_for;
use super::key_space::KeySpace;
use super::realm::{self, LeaseRow, Realm};
use super::remote::deadline::Deadline;
use super::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Incarnation, Lease, LeaseRequest, Move,
    Standing, Tag, TagChange, TagOptions, TagRow, Token, Vouch, WorkerRow, check_reserve,
    lease_lost, tag_exists, unknown_tag,
};
use crate::error::Result;

pub(super) mod begun;
pub(super) mod errors;
pub(super) mod memory;
#[cfg(any(feature = "etcd", feature = "zookeeper"))]
pub(super) mod progress;
mod replacing;
pub(super) mod space;
#[cfg(test)]
mod tests;

/// The largest difference between the store's time and the expected time, in milliseconds, besides
/// a quarter of the reservation. A lease that was renewed with a larger error is renewed again.
const CLOCK_ERROR_MS: i64 = 1_000;

/// A table of values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table<'a> {
    /// One value for each tag, by its name.
    Tags,
    /// One value for each worker ID of a realm, by its number.
    Workers(&'a str),
}

/// Something that was read, with a time of the store's clock at or before the read.
pub(super) struct Seen<T> {
    pub(super) what: T,
    pub(super) now_ms: i64,
}

pub(super) type Named<T> = Vec<(String, T)>;

/// The outcome of a compare-and-set.
pub(super) enum Swapped<T> {
    /// The change was made.
    Done(Seen<T>),
    /// Nothing was changed, because this value is there instead.
    Other(Seen<Option<T>>),
}

pub(super) trait Values {
    /// A value as it was read: its text, and whatever the store compares it by.
    type Value: AsRef<str> + Clone;

    /// The key space that this handle works in.
    fn space(&self) -> &Space;

    /// Returns true if changes are conditional on the mark. Else it is read again after a change.
    fn changes_under_mark(&self) -> bool {
        true
    }

    /// Replaces the mark of the key space, if it is the one that was last read. The caller reads
    /// the mark again afterwards, whatever the outcome.
    fn swap_mark(&self, new: &str, deadline: Deadline) -> Result<()>;

    /// Returns the remembered values, for a store whose changes themselves check that the key space
    /// was begun. A value can then be replaced without reading it first.
    fn memory(&self) -> Option<&Memory<Self::Value>> {
        None
    }

    /// Returns the number of members of which one has to answer.
    fn members(&self) -> u32 {
        1
    }

    /// Reads all values of a table, with their names.
    fn all(&self, table: Table<'_>, deadline: Deadline) -> Result<Seen<Named<Self::Value>>>;

    /// Reads one value.
    fn one(
        &self,
        table: Table<'_>,
        name: &str,
        deadline: Deadline,
    ) -> Result<Seen<Option<Self::Value>>>;

    /// Durably replaces a value, if the present one is the one that is known.
    fn swap(
        &self,
        table: Table<'_>,
        name: &str,
        known: &Seen<Option<Self::Value>>,
        new: &str,
        deadline: Deadline,
    ) -> Result<Swapped<Self::Value>>;

    /// Returns the store's incarnation once it has answered, if it can tell its incarnations apart.
    fn incarnation(&self) -> Option<Incarnation> {
        None
    }

    /// Lists the realms that have worker IDs.
    fn realms(&self, deadline: Deadline) -> Result<Vec<String>>;

    /// See [`SegmentAdmin::vouch`](super::SegmentAdmin::vouch).
    fn vouch(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
        let _ = vouch;
        Err(nothing_to_vouch_for())
    }

    /// See [`SegmentAdmin::standing`](super::SegmentAdmin::standing).
    fn standing(&self) -> Result<Standing> {
        Err(nothing_to_vouch_for())
    }
}

/// Implements the store traits for a store of values, which has `unseen` and `look`.
macro_rules! of_values {
    ($store:ident, $builder:ident) => {
        const _: () = {
            use std::fmt;

            use values::begun::Ground as _;
            use $crate::error::Result;
            use $crate::store::{
                Allocation, AllocationRequest, Call, KeySpaceId, Lease, LeaseRequest, Migration,
                Move, SegmentAdmin, SegmentStore, Standing, Tag, TagChange, TagOptions, TagRow,
                Vouch, WorkerAdmin, WorkerRow, WorkerStore, values,
            };

            impl $store {
                /// Returns a builder for a store: describe its servers, then open it.
                pub fn builder() -> $builder {
                    $builder::default()
                }

                pub(super) fn open(builder: $builder) -> Result<$store> {
                    let create = builder.create;
                    let store = Self::unseen(builder)?;
                    store.look(create)?;
                    Ok(store)
                }

                /// Begins a key space if there is none. A dry run only returns the commands.
                pub(crate) fn migrate(builder: $builder, is_dry: bool) -> Result<Migration> {
                    values::begun::migrate(&Self::unseen(builder)?, is_dry)
                }
            }

            /// Shows no password.
            impl fmt::Debug for $store {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct(stringify!($store))
                        .field("place", &self.name())
                        .finish_non_exhaustive()
                }
            }

            impl WorkerStore for $store {
                fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
                    values::acquire(self, request, call)
                }

                fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
                    values::renew(self, lease, reserve_ms, call)
                }

                fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
                    values::release(self, lease, call)
                }
            }

            impl WorkerAdmin for $store {
                fn workers(&self) -> Result<Vec<WorkerRow>> {
                    values::workers(self)
                }

                fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
                    values::workers_of(self, realm)
                }

                fn change_layout(&self, layout: &snowmint_engine::Layout) -> Result<()> {
                    values::change_layout(self, layout)
                }

                fn key_space(&self) -> Result<Option<KeySpaceId>> {
                    values::begun::look(self, false)?;
                    Ok(values::Values::space(self).id())
                }

                fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
                    values::evict(self, realm, worker_id)
                }
            }

            impl SegmentStore for $store {
                fn allocate(
                    &self,
                    requests: &[AllocationRequest],
                    call: &Call,
                ) -> Result<Vec<Result<Allocation>>> {
                    Ok(values::allocate(self, requests, call))
                }

                fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
                    values::tag(self, tag)
                }
            }

            impl SegmentAdmin for $store {
                fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
                    values::create_tag(self, tag, options)
                }

                fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
                    values::change_tag(self, tag, change)
                }

                fn close_for_move(&self, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
                    values::close_for_move(self, tag, moving)
                }

                fn check_arrival(&self) -> Result<()> {
                    Ok(())
                }

                fn adopt_moved(&self, closed: &TagRow) -> Result<TagRow> {
                    values::adopt_moved(self, closed)
                }

                fn tags(&self) -> Result<Vec<TagRow>> {
                    values::tags(self)
                }

                fn vouch(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
                    values::Values::vouch(self, vouch)
                }

                fn standing(&self) -> Result<Standing> {
                    values::Values::standing(self)
                }
            }
        };
    };
}
pub(super) use of_values;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TagValue {
    next: u64,
    step: u64,
    stride: u64,
    max: u64,
    raises: u64,
    updated_ms: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moved_to: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    came_by: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaseValue {
    owner: String,
    epoch: u64,
    token: Token,
    floor_ms: i64,
    reserved_ms: i64,
    expires_ms: i64,
}

pub(super) fn tag_text(row: &TagRow) -> Result<String> {
    let TagRow { next, step, stride, max, raises, updated_ms, .. } = *row;
    let [moved_to, left_by, came_by] =
        [&row.moved_to, &row.left_by, &row.came_by].map(Clone::clone);
    text(&TagValue { next, step, stride, max, raises, updated_ms, moved_to, left_by, came_by })
}

pub(super) fn tag_row(tag: &Tag, text: &str) -> Result<TagRow> {
    let value: TagValue = value(text, || format!("tag {tag}"))?;
    let TagValue { next, step, stride, max, raises, updated_ms, moved_to, left_by, came_by } =
        value;
    let options = TagOptions::default().start(next.min(max)).step(step).stride(stride).max(max);
    options.check().map_err(|error| errors::value_foreign(format_args!("tag {tag}"), error))?;
    let row = TagRow::new(tag, options);
    Ok(TagRow { next, raises, updated_ms, moved_to, left_by, came_by, ..row })
}

fn lease_text(row: &LeaseRow) -> Result<String> {
    let LeaseRow { owner, epoch, token, floor_ms, reserved_ms, expires_ms } = row.clone();
    text(&LeaseValue { owner, epoch, token, floor_ms, reserved_ms, expires_ms })
}

fn lease_row(realm: &str, name: &str, text: &str) -> Result<(u32, LeaseRow)> {
    let what = || called(Table::Workers(realm), name);
    let LeaseValue { owner, epoch, token, floor_ms, reserved_ms, expires_ms } = value(text, what)?;
    let worker_id = name.parse().map_err(|error| errors::value_foreign(what(), error))?;
    Ok((worker_id, LeaseRow { owner, epoch, token, floor_ms, reserved_ms, expires_ms }))
}

fn text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(errors::value_unwritable)
}

fn value<'a, T: Deserialize<'a>>(text: &'a str, what: impl FnOnce() -> String) -> Result<T> {
    serde_json::from_str(text).map_err(|error| errors::value_foreign(what(), error))
}

fn change<T>(
    values: &impl Values,
    tag: &Tag,
    deadline: Deadline,
    mut work: impl FnMut(Option<TagRow>, i64) -> Result<(T, TagRow)>,
) -> Result<T> {
    let of = (Table::Tags, tag.as_str());
    let changed = replace(values, of, i64::MAX, deadline, |known, now_ms| {
        let present = known.map(|known| tag_row(tag, known.as_ref())).transpose()?;
        let (done, row) = work(present, now_ms)?;
        Ok((done, Some(tag_text(&row)?)))
    });
    changed.map(|(done, _)| done)
}

/// Takes the next ranges of tags, each in a change of its own, in the order of the requests.
pub(super) fn allocate(
    values: &impl Values,
    requests: &[AllocationRequest],
    call: &Call,
) -> Vec<Result<Allocation>> {
    let deadline = Deadline::after(call.within);
    let one = |AllocationRequest { tag, count }: &AllocationRequest| {
        change(values, tag, deadline, |row, now_ms| {
            row.ok_or_else(|| unknown_tag(tag))?.taken(*count, now_ms)
        })
    };
    let here = |allocation| {
        let (incarnation, key_space) = (values.incarnation(), values.space().id());
        Allocation { incarnation, key_space, ..allocation }
    };
    requests.iter().map(|request| one(request).map(here)).collect()
}

pub(super) fn tag(values: &impl Values, tag: &Tag) -> Result<Option<TagRow>> {
    let seen = values.one(Table::Tags, tag.as_str(), Deadline::after(CALL_WITHIN))?;
    seen.what.map(|value| tag_row(tag, value.as_ref())).transpose()
}

pub(super) fn tags(values: &impl Values) -> Result<Vec<TagRow>> {
    let seen = values.all(Table::Tags, Deadline::after(CALL_WITHIN))?;
    let row = |(name, value): &(String, _)| {
        let tag = Tag::of_row(name)
            .map_err(|error| errors::value_foreign(format_args!("tag {name}"), error))?;
        tag_row(&tag, AsRef::as_ref(value))
    };
    let mut rows = seen.what.iter().map(row).collect::<Result<Vec<_>>>()?;
    rows.sort_by(|a, b| a.tag.cmp(&b.tag));
    Ok(rows)
}

pub(super) fn create_tag(values: &impl Values, tag: &Tag, options: TagOptions) -> Result<()> {
    tag.check_new()?;
    options.check()?;
    change(values, tag, Deadline::after(CALL_WITHIN), |row, now_ms| match row {
        Some(_) => Err(tag_exists(tag)),
        None => Ok(((), TagRow { updated_ms: now_ms, ..TagRow::new(tag, options) })),
    })
}

pub(super) fn change_tag(values: &impl Values, tag: &Tag, to: TagChange) -> Result<TagRow> {
    to.check()?;
    change(values, tag, Deadline::after(CALL_WITHIN), |row, now_ms| {
        let row = row.ok_or_else(|| unknown_tag(tag))?.changed(to, now_ms)?;
        Ok((row.clone(), row))
    })
}

/// Raises a tag by this many of its steps, because ranges may have been lost.
pub(super) fn raise_tag(values: &impl Values, tag: &Tag, steps: u64) -> Result<TagRow> {
    change(values, tag, Deadline::after(CALL_WITHIN), |row, now_ms| {
        let row = row.ok_or_else(|| unknown_tag(tag))?;
        let row = row.raised(row.numbers_of(steps), now_ms);
        Ok((row.clone(), row))
    })
}

/// Raises a tag above this row of it by this many steps, or makes it.
pub(super) fn raise_above(values: &impl Values, known: &TagRow, steps: u64) -> Result<TagRow> {
    change(values, &known.tag, Deadline::after(CALL_WITHIN), |row, now_ms| {
        let row = row.unwrap_or_else(|| known.clone());
        let row = row.above(known, known.numbers_of(steps), now_ms);
        Ok((row.clone(), row))
    })
}

pub(super) fn close_for_move(values: &impl Values, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
    change(values, tag, Deadline::after(CALL_WITHIN), |row, now_ms| {
        let row = row.ok_or_else(|| unknown_tag(tag))?.closed_for_move(moving, now_ms)?;
        Ok((row.clone(), row))
    })
}

pub(super) fn adopt_moved(values: &impl Values, closed: &TagRow) -> Result<TagRow> {
    change(values, &closed.tag, Deadline::after(CALL_WITHIN), |row, now_ms| {
        let row = TagRow::adopted(row, closed, now_ms)?;
        Ok((row.clone(), row))
    })
}

fn realm_of(realm: &str, found: &[(String, impl AsRef<str>)]) -> Result<Realm> {
    found.iter().map(|(name, value)| lease_row(realm, name, value.as_ref())).collect()
}

pub(super) fn acquire(values: &impl Values, request: &LeaseRequest, call: &Call) -> Result<Lease> {
    let lease = take_lease(values, request, call)?;
    Ok(Lease { incarnation: values.incarnation(), key_space: values.space().id(), ..lease })
}

fn take_lease(values: &impl Values, request: &LeaseRequest, call: &Call) -> Result<Lease> {
    request.check()?;
    let deadline = Deadline::after(call.within);
    let table = Table::Workers(&request.realm);
    loop {
        let Seen { what: found, now_ms } = values.all(table, deadline)?;
        if let Some(claimed) = values.space().present()?.claimed(request)? {
            values.swap_mark(&Space::mark(&claimed)?, deadline)?;
            if deadline.left().is_zero() {
                return Err(errors::layout_contended());
            }
            continue;
        }
        let rows = realm_of(&request.realm, &found)?;
        let (worker_id, row) = realm::acquire(&rows, request, call, now_ms)?;
        let name = worker_id.to_string();
        let known = found.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        let (known, text) = (Seen { what: known, now_ms }, lease_text(&row)?);
        let lease = row.lease(&request.realm, worker_id, now_ms);
        values.space().present()?.check_floor(&lease)?;
        if let Swapped::Done(_) = swap(values, (table, &name), &known, &text, false, deadline)? {
            if !values.changes_under_mark() {
                seen_space(values, deadline)?.claimed(request)?;
            }
            return Ok(lease);
        }
        if deadline.left().is_zero() {
            return Err(worker_ids_contended(&request.realm));
        }
    }
}

/// Changes the row of a worker ID, and repeats the change if the store's time is later than
/// expected by more than `late_ms`. If `work` returns `None`, the row stays as it is. Returns the
/// row that is there then, and the store's time.
fn change_lease(
    values: &impl Values,
    (realm, worker_id): (&str, u32),
    late_ms: i64,
    deadline: Deadline,
    mut work: impl FnMut(Option<LeaseRow>, i64) -> Result<Option<LeaseRow>>,
) -> Result<(Option<LeaseRow>, i64)> {
    let name = worker_id.to_string();
    replace(values, (Table::Workers(realm), &name), late_ms, deadline, |known, now_ms| {
        let present = known.map(|known| lease_row(realm, &name, known.as_ref())).transpose()?;
        let row = work(present.map(|(_, row)| row), now_ms)?;
        let text = row.as_ref().map(lease_text).transpose()?;
        Ok((row, text))
    })
}

pub(super) fn renew(
    values: &impl Values,
    lease: &Lease,
    reserve_ms: u32,
    call: &Call,
) -> Result<Lease> {
    check_reserve(reserve_ms)?;
    let of = (lease.realm.as_str(), lease.worker_id);
    let renewed = |row: Option<LeaseRow>, now_ms| {
        row.ok_or_else(|| lease_lost(lease))?.renewed(lease, reserve_ms, call, now_ms).map(Some)
    };
    let late_ms = CLOCK_ERROR_MS.min(i64::from(reserve_ms) / 4);
    let deadline = Deadline::after(call.within);
    let (row, now_ms) = change_lease(values, of, late_ms, deadline, renewed)?;
    let row = row.ok_or_else(|| lease_lost(lease))?;
    let renewed = row.lease(&lease.realm, lease.worker_id, now_ms);
    Ok(Lease { incarnation: values.incarnation(), key_space: values.space().id(), ..renewed })
}

pub(super) fn release(values: &impl Values, lease: &Lease, call: &Call) -> Result<()> {
    let of = (lease.realm.as_str(), lease.worker_id);
    let released =
        |row: Option<LeaseRow>, now_ms| Ok(row.and_then(|row| row.released(lease, now_ms)));
    change_lease(values, of, i64::MAX, Deadline::after(call.within), released).map(drop)
}

pub(super) fn evict(values: &impl Values, realm: &str, worker_id: u32) -> Result<bool> {
    let deadline = Deadline::after(CALL_WITHIN);
    let evicted = |row: Option<LeaseRow>, now_ms| Ok(row.map(|row| row.evicted(now_ms)));
    Ok(change_lease(values, (realm, worker_id), i64::MAX, deadline, evicted)?.0.is_some())
}

/// Changes the layout of the key space, once all leases of the present one are over. Rows change
/// one by one, so there are three steps: stop giving leases, end them, change the layout.
pub(super) fn change_layout(values: &impl Values, layout: &Layout) -> Result<()> {
    let deadline = Deadline::after(CALL_WITHIN);
    let before = seen_space(values, deadline)?;
    let Some(realm) = before.layout.clone().filter(|it| *it != layout.to_string()) else {
        return swap_space(
            values,
            &KeySpace { layout: Some(layout.to_string()), ..before },
            deadline,
        );
    };
    let ended = |rows: &[WorkerRow], now_ms| before.changed(layout, rows, now_ms);
    let Seen { what: rows, now_ms } = shown(values, &realm, deadline)?;
    ended(&rows, now_ms)?;
    let closed = KeySpace { changes_to: Some(layout.to_string()), ..before.clone() };
    swap_space(values, &closed, deadline)?;
    let Seen { what: rows, now_ms } = shown(values, &realm, deadline)?;
    if let Err(why) = ended(&rows, now_ms) {
        swap_space(values, &KeySpace { changes_to: None, ..before.clone() }, deadline)?;
        return Err(why);
    }
    for row in &rows {
        evict(values, &realm, row.worker_id)?;
    }
    // A renewal may have come before the evictions.
    let Seen { what: rows, now_ms } = shown(values, &realm, deadline)?;
    match ended(&rows, now_ms) {
        Ok(changed) => swap_space(values, &changed, deadline),
        Err(why) => {
            swap_space(values, &KeySpace { changes_to: None, ..before.clone() }, deadline)?;
            Err(why)
        }
    }
}

/// The name of a tag that need not exist: reading any row reads the mark as well.
const LOOKED_UP: &str = "snowmint";

/// Reads the key space anew.
fn seen_space(values: &impl Values, deadline: Deadline) -> Result<KeySpace> {
    values.one(Table::Tags, LOOKED_UP, deadline)?;
    values.space().present()
}

fn swap_space(values: &impl Values, new: &KeySpace, deadline: Deadline) -> Result<()> {
    if values.space().present()? == *new {
        return Ok(());
    }
    values.swap_mark(&Space::mark(new)?, deadline)?;
    if seen_space(values, deadline)? == *new {
        return Ok(());
    }
    Err(errors::layout_contended())
}

pub(super) fn workers(values: &impl Values) -> Result<Vec<WorkerRow>> {
    let deadline = Deadline::after(CALL_WITHIN);
    let mut rows = Vec::new();
    for realm in values.realms(deadline)? {
        rows.extend(shown(values, &realm, deadline)?.what);
    }
    rows.sort_by(|a, b| (&a.realm, a.worker_id).cmp(&(&b.realm, b.worker_id)));
    Ok(rows)
}

pub(super) fn workers_of(values: &impl Values, realm: &str) -> Result<Vec<WorkerRow>> {
    Ok(shown(values, realm, Deadline::after(CALL_WITHIN))?.what)
}

fn shown(values: &impl Values, realm: &str, deadline: Deadline) -> Result<Seen<Vec<WorkerRow>>> {
    let Seen { what: found, now_ms } = values.all(Table::Workers(realm), deadline)?;
    let rows = realm_of(realm, &found)?;
    let what = rows.iter().map(|(&id, row)| row.shown(realm, id, now_ms)).collect();
    Ok(Seen { what, now_ms })
}
