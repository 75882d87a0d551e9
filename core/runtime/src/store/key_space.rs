//! Key spaces: a key space is the domain in which nothing is given twice. Each has an identity,
//! drawn when it is begun, and makes IDs of one layout.

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{FieldKind, Layout};

use super::{KeySpaceId, Lease, LeaseRequest, WorkerRow, errors};
use crate::error::Result;

/// A key space as its store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeySpace {
    pub(crate) id: KeySpaceId,
    /// The layout of its IDs, set by its first lease.
    pub(crate) layout: Option<String>,
    /// The first Unix millisecond of this layout's IDs, above all IDs of the layout before.
    pub(crate) from_ms: i64,
    /// The target of a layout change that an operator has begun; no lease is given meanwhile.
    pub(crate) changes_to: Option<String>,
}

impl KeySpace {
    /// Creates a key space with a new identity.
    ///
    /// # Errors
    /// [`Code::NoResource`].
    pub(crate) fn begun() -> Result<KeySpace> {
        let id = KeySpaceId::drawn()?;
        Ok(KeySpace { id, layout: None, from_ms: 0, changes_to: None })
    }

    /// Decides whether a lease may be given: with another layout it could make IDs that this key
    /// space has already made. Returns the row to write first if the key space has no layout yet.
    /// Leases that no ID's time depends on belong to no layout.
    ///
    /// # Errors
    /// [`Code::RealmMismatch`].
    pub(crate) fn claimed(&self, request: &LeaseRequest) -> Result<Option<KeySpace>> {
        let wanted = &request.realm;
        match &self.layout {
            _ if request.past_reserved => Ok(None),
            Some(layout) if self.changes_to.is_some() => {
                Err(errors::key_spaces::layout_changing(self.id, layout))
            }
            None => Ok(Some(KeySpace { layout: Some(wanted.clone()), ..self.clone() })),
            Some(layout) if layout == wanted => Ok(None),
            Some(layout) => Err(errors::key_spaces::layout_differs(self.id, layout, wanted)),
        }
    }

    /// Returns the key space with its new layout, given all rows of the present one.
    ///
    /// # Errors
    /// [`Code::StoreLocked`], [`Code::RealmMismatch`].
    pub(crate) fn changed(&self, to: &Layout, rows: &[WorkerRow], now_ms: i64) -> Result<KeySpace> {
        let end = |row: &WorkerRow| row.reserved_ms.max(row.expires_ms);
        let last = rows.iter().max_by_key(|&row| end(row));
        if let Some(row) = last.filter(|row| end(row) > now_ms) {
            let left_ms = end(row).saturating_sub(now_ms);
            let WorkerRow { realm, worker_id, owner, .. } = row;
            return Err(errors::key_spaces::time_of_layout_reserved(
                *worker_id, realm, left_ms, owner,
            ));
        }
        let before = self.layout.as_deref().unwrap_or_default();
        // `from_ms` covers the layouts before this one as well.
        let ended_ms = last.map_or(0, end).max(self.from_ms);
        let from_ms = match before.parse::<Layout>() {
            _ if ended_ms == 0 => now_ms,
            Ok(before) => follows(&before, to, ended_ms, now_ms.max(ended_ms))?,
            Err(_) => return Err(errors::key_spaces::layout_cannot_follow(before, to)),
        };
        Ok(KeySpace { layout: Some(to.to_string()), from_ms, changes_to: None, ..self.clone() })
    }

    /// Checks that a lease does not begin before the IDs of this layout may.
    ///
    /// # Errors
    /// [`Code::WorkersExhausted`] while the store's clock is set back.
    pub(crate) fn check_floor(&self, lease: &Lease) -> Result<()> {
        let wait_ms = self.from_ms.saturating_sub(lease.floor_ms);
        if wait_ms <= 0 {
            return Ok(());
        }
        Err(errors::key_spaces::layout_not_begun(self.id, wait_ms))
    }
}

/// Returns where IDs of a layout can begin so that all of them are above the IDs of the layout
/// before, whose time ended at `ended_ms`.
///
/// # Errors
/// [`Code::RealmMismatch`] if they cannot.
pub(crate) fn follows(before: &Layout, to: &Layout, ended_ms: i64, now_ms: i64) -> Result<i64> {
    let leads = |layout: &Layout| {
        let mut kinds = layout.fields().iter().map(|field| field.kind());
        kinds.find(|kind| *kind != FieldKind::Constant) == Some(FieldKind::Time)
    };
    // A time at which ticks of both layouts begin.
    let tick_ms = i64::from(before.tick_ms().max(to.tick_ms()));
    let from_ms = now_ms.saturating_add(tick_ms - 1).div_euclid(tick_ms).saturating_mul(tick_ms);
    let (last, first) = (before.max_id(ended_ms.saturating_sub(1)), to.min_id(from_ms));
    match (last, first) {
        (Ok(last), Ok(first)) if last < first && leads(before) && leads(to) => Ok(from_ms),
        _ => Err(errors::key_spaces::layout_cannot_follow(before, to)),
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn l1_a_key_space_has_one_layout() {
        let space = KeySpace::begun().unwrap();
        let asks = |layout| LeaseRequest::new(layout, "owner");
        let claimed = space.claimed(&asks("a")).unwrap().unwrap();
        assert_eq!((claimed.layout.as_deref(), claimed.id), (Some("a"), space.id));
        assert_eq!(claimed.claimed(&asks("a")).unwrap(), None);
        let refused = claimed.claimed(&asks("b")).unwrap_err();
        assert_eq!(refused.code(), Code::RealmMismatch, "{refused}");
        let turns = LeaseRequest { past_reserved: true, ..asks("turns of a") };
        assert_eq!(
            (space.claimed(&turns).unwrap(), claimed.claimed(&turns).unwrap()),
            (None, None)
        );
    }

    #[test]
    fn l1_a_layout_begins_above_the_one_before() {
        let space = KeySpace { from_ms: 7, ..KeySpace::begun().unwrap() };
        let mut lease = Lease::new("a", 0, "owner", [1; 16]);
        lease.floor_ms = 6;
        assert_eq!(space.check_floor(&lease).unwrap_err().code(), Code::WorkersExhausted);
        lease.floor_ms = 7;
        space.check_floor(&lease).unwrap();
    }

    #[test]
    fn l1_a_layout_follows_one_whose_ids_are_all_below() {
        let layout = |text: &str| text.parse::<Layout>().unwrap();
        let (wide, narrow) =
            ("zero:1,time:41,worker:10,sequence:12@0/1", "zero:8,time:41,worker:3,sequence:12@0/1");
        let coarse = "time:36,worker:10,sequence:12@0/10";
        let space =
            |text: &str| KeySpace { layout: Some(text.to_owned()), ..KeySpace::begun().unwrap() };
        let row = |realm: &str, reserved_ms| WorkerRow {
            reserved_ms,
            expires_ms: reserved_ms,
            ..WorkerRow::new(realm, 7, "owner")
        };
        let change = |from, to, reserved_ms, now_ms| {
            space(from).changed(&layout(to), &[row(from, reserved_ms)], now_ms)
        };
        let refused =
            |code, changed: Result<KeySpace>| assert_eq!(changed.unwrap_err().code(), code);
        refused(Code::StoreLocked, change(narrow, wide, 1_001, 1_000));
        let changed = change(narrow, wide, 1_000, 1_000).unwrap();
        assert_eq!((changed.layout.as_deref(), changed.from_ms), (Some(wide), 1_000));
        // With fewer bits below the time, the same numbers come again.
        refused(Code::RealmMismatch, change(wide, narrow, 1_000, 1_000));
        refused(Code::RealmMismatch, change(wide, coarse, 1_000, 1_000));
        let trailing = "worker:10,time:41,sequence:12@0/1";
        refused(Code::RealmMismatch, change(wide, trailing, 1_000, 1_000));
        // No ID was made, so any layout can follow.
        let unused = space(wide).changed(&layout(narrow), &[], 1_000).unwrap();
        assert_eq!(unused.layout.as_deref(), Some(narrow));
        // But IDs of the layout before that one were made.
        refused(Code::RealmMismatch, changed.changed(&layout(narrow), &[], 2_000));
        let last = layout(narrow).max_id(999).unwrap();
        assert!(layout(wide).min_id(1_000).unwrap() > last);
    }
}
