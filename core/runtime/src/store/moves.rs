//! Moves of a tag to another store while numbers of it are taken.
//!
//! A move first closes the tag in its present store, in a transaction that fences the close as it
//! would fence a range. Then it creates the tag in the other store, above all numbers that were
//! given. Each row keeps the names of its moves, so that you can repeat an interrupted move. They
//! also let a tag return to a row that it left, once every row that continued it is closed.

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::MAX_NUMBER;

use super::rows::tag_moved;
use super::{MAX_NAME_LENGTH, Store, Tag, TagChange, TagOptions, TagRow, Token, errors};
use crate::error::Result;
use crate::host::{Random as _, System};

/// The number of moves that a row remembers, each by 16 hexadecimal digits: what a column holds.
const MOVES_MAX: usize = 15;

/// The name and the destination of a move, as the store that a tag leaves records them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Move<'a> {
    /// The unique name of the move, without a space.
    pub name: &'a str,
    /// The place where the tag continues, as shown to its sources: without a password.
    pub to: &'a str,
}

impl<'a> Move<'a> {
    /// Creates a move of that name to that place.
    pub const fn new(name: &'a str, to: &'a str) -> Move<'a> {
        Move { name, to }
    }
}

/// The work that a store has to do for a tag that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adoption {
    /// The tag arrived before; there is nothing to do.
    Done,
    /// The store has no row of the tag: create one.
    Make,
    /// Reopen the row that the tag left, with this next number.
    Reopen(u64),
}

impl Adoption {
    /// Decides by the row that is there, if any, and the row that was closed in the other store.
    ///
    /// # Errors
    /// [`Code::TagExists`] if the row has numbers of its own; [`Code::TagMoved`] if the tag has
    /// left again.
    pub(crate) fn decide(there: Option<&TagRow>, closed: &TagRow) -> Result<Adoption> {
        let Some(there) = there else { return Ok(Adoption::Make) };
        let is_here = there.moved_to.is_none();
        if is_among(closed.left_by.as_deref(), there.came_by.as_deref()) {
            return if is_here { Ok(Adoption::Done) } else { Err(tag_moved(there)) };
        }
        // Since this row was left, only rows that are closed by now have given numbers.
        if !is_here && is_among(there.left_by.as_deref(), closed.came_by.as_deref()) {
            return Ok(Adoption::Reopen(there.next.max(closed.next)));
        }
        if !is_here {
            return Err(errors::tags::tag_left_elsewhere(&there.tag, MOVES_MAX));
        }
        Err(errors::tags::tag_has_numbers_there(&there.tag, there.next))
    }
}

/// Returns true if the move `name` is among the names in `moves`.
fn is_among(name: Option<&str>, moves: Option<&str>) -> bool {
    let (Some(name), Some(moves)) = (name, moves) else { return false };
    moves.split(' ').any(|known| known == name)
}

/// Returns the most recent moves of a tag, up to [`MOVES_MAX`], after it left the closed row.
pub(crate) fn moves_after(closed: &TagRow) -> Option<String> {
    let all = [closed.came_by.as_deref(), closed.left_by.as_deref()];
    let all: Vec<_> = all.into_iter().flatten().flat_map(|names| names.split(' ')).collect();
    let last = all.len().saturating_sub(MOVES_MAX);
    Some(all[last..].join(" ")).filter(|names| !names.is_empty())
}

/// Returns the options for the row that continues a closed one.
pub(crate) fn options_after(closed: &TagRow) -> TagOptions {
    let usual = TagOptions::default();
    usual.start(closed.next).step(closed.step).stride(closed.stride).max(closed.max)
}

impl TagRow {
    /// Returns the closed row. A row to which the tag returned by that move stays as it is. A row
    /// that is closed already changes its time alone, so that the commit of a repeat confirms the
    /// close: a server that has nothing to write may acknowledge more than its disk has.
    pub(crate) fn closed_for_move(&self, moving: &Move<'_>, now_ms: i64) -> Result<TagRow> {
        if self.moved_to.is_some() {
            let updated_ms = now_ms.max(self.updated_ms.saturating_add(1));
            return Ok(TagRow { updated_ms, ..self.clone() });
        }
        if is_among(Some(moving.name), self.came_by.as_deref()) {
            return Ok(self.clone());
        }
        let (_, row) = self.taken(Some(1), now_ms)?;
        row.check_goes_on()?;
        let [moved_to, left_by] = [moving.to, moving.name].map(|it| Some(it.to_owned()));
        Ok(TagRow { moved_to, left_by, ..row })
    }

    /// Checks that numbers are left. An exhausted tag stays open, so that its max can be raised.
    ///
    /// # Errors
    /// [`Code::TagExhausted`].
    pub(crate) fn check_goes_on(&self) -> Result<()> {
        if self.next < self.ends() {
            Ok(())
        } else {
            Err(errors::tags::tag_exhausted(&self.tag, self.max))
        }
    }

    /// Returns the row above its own numbers, and by so many numbers above those of `known`, the same
    /// tag's row in a store that went on for longer. A tag that has left either store stays closed,
    /// unless it came back to `known` by the move with which it left here.
    pub(crate) fn above(&self, known: &TagRow, by: u64, now_ms: i64) -> TagRow {
        let came_back = is_among(self.left_by.as_deref(), known.came_by.as_deref());
        let place = if self.moved_to.is_none() || came_back { known } else { self };
        TagRow {
            next: self.next.max(known.next.saturating_add(by).min(MAX_NUMBER)),
            stride: self.stride,
            raises: known.raises.max(self.raises) + 1,
            updated_ms: now_ms,
            moved_to: place.moved_to.clone(),
            left_by: place.left_by.clone(),
            came_by: place.came_by.clone(),
            ..known.clone()
        }
    }

    /// Returns the row that continues one closed in another store, given the present row, if any.
    pub(crate) fn adopted(there: Option<TagRow>, closed: &TagRow, now_ms: i64) -> Result<TagRow> {
        let row = match (Adoption::decide(there.as_ref(), closed)?, there) {
            (Adoption::Reopen(next), Some(row)) => {
                let goes_on = TagChange::default().next(next).step(closed.step).max(closed.max);
                TagRow { moved_to: None, left_by: None, ..row }.changed(goes_on, now_ms)?
            }
            (Adoption::Done, Some(row)) => return Ok(row),
            _ => TagRow { updated_ms: now_ms, ..TagRow::new(&closed.tag, options_after(closed)) },
        };
        Ok(TagRow { came_by: moves_after(closed), ..row })
    }
}

/// Moves a tag to another store, where it continues above all numbers given. Returns the row there.
///
/// Processes may take numbers meanwhile. They use up what they have, and then get
/// [`Code::TagMoved`] with the new place. You can repeat the call after an error: it does what is
/// left to do, and sources wait until then. A tag can also move back to where it came from.
///
/// # Errors
/// Nothing is changed by [`Code::UnknownTag`], by [`Code::TagExists`] if the other store has such a
/// tag already, and by [`Code::TagMoved`] if the tag was closed for another place.
/// [`Code::Unsupported`] from stores whose tags cannot move. [`Code::TagExhausted`] and those of
/// taking a range, or an error of either store.
pub fn move_tag(from: &dyn Store, tag: &Tag, to: &dyn Store, place: &str) -> Result<TagRow> {
    if place.is_empty() || place.len() > MAX_NAME_LENGTH {
        return Err(errors::tags::place_unfit(place));
    }
    let present = from.tag(tag)?.ok_or_else(|| errors::tags::unknown_tag(tag))?;
    let name = match (&present.left_by, &present.moved_to) {
        (Some(name), Some(there)) if there == place => name.clone(),
        (_, Some(_)) => return Err(tag_moved(&present)),
        _ => name_of_a_move(System.token()?),
    };
    // The tag is only closed if it can arrive.
    to.check_arrival()?;
    Adoption::decide(to.tag(tag)?.as_ref(), &TagRow { left_by: Some(name.clone()), ..present })?;
    let closed = from.close_for_move(tag, &Move { name: &name, to: place })?;
    if closed.moved_to.is_none() {
        return Err(errors::tags::tag_came_back(&closed.tag));
    }
    if closed.left_by.as_ref() != Some(&name) {
        return Err(tag_moved(&closed)); // another move closed it meanwhile
    }
    to.adopt_moved(&closed)
}

fn name_of_a_move(token: Token) -> String {
    format!("{:016x}", u128::from_le_bytes(token) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(moved_to: Option<&str>, left_by: Option<&str>, came_by: Option<&str>) -> TagRow {
        let [moved_to, left_by, came_by] =
            [moved_to, left_by, came_by].map(|it| it.map(str::to_owned));
        let tag = Tag::new("orders").unwrap();
        TagRow { moved_to, left_by, came_by, ..TagRow::new(&tag, TagOptions::default()) }
    }

    #[test]
    fn l1_a_tag_that_has_left_is_opened_only_by_the_move_that_brought_it_back() {
        let (open, left) = (row(None, None, None), row(Some("there"), Some("a"), None));
        let (back, elsewhere) = (row(None, None, Some("b a")), row(None, None, Some("b")));
        for (here, known, is_open) in [
            (&open, &open, true),
            (&open, &left, false),
            (&left, &open, false),
            (&left, &back, true),
            (&left, &elsewhere, false),
        ] {
            assert_eq!(here.above(known, 5, 0).moved_to.is_none(), is_open, "{here:?} {known:?}");
        }
        assert_eq!(left.above(&back, 5, 0).came_by.as_deref(), Some("b a"));
    }
}
