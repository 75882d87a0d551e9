//! A tag that goes on in another store while numbers of it are taken.
//!
//! It is closed where it is first, in a transaction that takes a range as any other does: what fences
//! a range fences the close. Then it is made in the other store, above all that was given. Each row
//! keeps the names of moves: one that was cut off is ended by a repeat, which makes nothing twice, and
//! a tag comes back to a row that it left, once all are closed that went on after it.

use snowmint_engine::Code;

use super::rows::{tag_exhausted, tag_moved};
use super::{MAX_NAME_LENGTH, Store, Tag, TagChange, TagOptions, TagRow, Token, unknown_tag};
use crate::error::{Error, Result};
use crate::host::{Random as _, System};

/// So many moves are known of a tag, each by sixteen digits: what one column of a row holds.
const MOVES_MAX: usize = 15;

/// How a tag leaves a store.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Move<'a> {
    /// The name of the move, unlike that of any other, and without a space.
    pub name: &'a str,
    /// Where the tag goes on, as sources of it are told: without a password.
    pub to: &'a str,
}

impl<'a> Move<'a> {
    /// By a move of that name, to that place.
    pub const fn new(name: &'a str, to: &'a str) -> Move<'a> {
        Move { name, to }
    }
}

/// What a store does for a tag that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adoption {
    /// It was done before.
    Done,
    /// No row is there.
    Make,
    /// The row that it left there goes on with this number.
    Reopen(u64),
}

impl Adoption {
    /// By the row that is there, and the one that was closed elsewhere.
    ///
    /// # Errors
    /// [`Code::TagExists`] of a row with numbers of its own; [`Code::TagMoved`] where the tag has
    /// left again.
    pub(crate) fn of(there: Option<&TagRow>, closed: &TagRow) -> Result<Adoption> {
        let Some(there) = there else { return Ok(Adoption::Make) };
        let is_here = there.moved_to.is_none();
        if is_among(closed.left_by.as_deref(), there.came_by.as_deref()) {
            return if is_here { Ok(Adoption::Done) } else { Err(tag_moved(there)) };
        }
        // Nothing but what was closed has given numbers since it left.
        if !is_here && is_among(there.left_by.as_deref(), closed.came_by.as_deref()) {
            return Ok(Adoption::Reopen(there.next.max(closed.next)));
        }
        if !is_here {
            let message = format!(
                "tag {} is there, closed, and more than {MOVES_MAX} moves ago, or never went on \
                 here from there: have it go on in a store that has none",
                there.tag
            );
            return Err(Error::new(Code::TagExists, message));
        }
        let message = format!(
            "tag {} is there, too, with numbers of its own (next {}): numbers of both would meet; \
             `snowmint adopt` says whether, and raises tags above each other",
            there.tag, there.next
        );
        Err(Error::new(Code::TagExists, message))
    }
}

/// Whether a move is one of those that brought a tag where it was.
fn is_among(name: Option<&str>, moves: Option<&str>) -> bool {
    let (Some(name), Some(moves)) = (name, moves) else { return false };
    moves.split(' ').any(|known| known == name)
}

/// The moves that brought a tag where it goes on after this row: the last of them.
pub(crate) fn moves_after(closed: &TagRow) -> Option<String> {
    let all = [closed.came_by.as_deref(), closed.left_by.as_deref()];
    let all: Vec<_> = all.into_iter().flatten().flat_map(|names| names.split(' ')).collect();
    let last = all.len().saturating_sub(MOVES_MAX);
    Some(all[last..].join(" ")).filter(|names| !names.is_empty())
}

/// What a tag is made with that goes on after a closed one.
pub(crate) fn options_after(closed: &TagRow) -> TagOptions {
    let usual = TagOptions::default();
    usual.start(closed.next).step(closed.step).stride(closed.stride).max(closed.max)
}

impl TagRow {
    /// The row once it is closed; one that is stays as it is, and so does one to which the tag came
    /// back after that move.
    pub(crate) fn closed_for_move(&self, moving: &Move<'_>, now_ms: i64) -> Result<TagRow> {
        if self.moved_to.is_some() || is_among(Some(moving.name), self.came_by.as_deref()) {
            return Ok(self.clone());
        }
        let (_, row) = self.taken(Some(1), now_ms)?;
        row.check_goes_on()?;
        let [moved_to, left_by] = [moving.to, moving.name].map(|it| Some(it.to_owned()));
        Ok(TagRow { moved_to, left_by, ..row })
    }

    /// Whether there is a number left to go on with elsewhere: a tag that has none stays open, so that
    /// its max can be raised.
    ///
    /// # Errors
    /// [`Code::TagExhausted`].
    pub(crate) fn check_goes_on(&self) -> Result<()> {
        if self.next < self.ends() { Ok(()) } else { Err(tag_exhausted(&self.tag, self.max)) }
    }

    /// The row after one that was closed elsewhere, by the row that is there.
    pub(crate) fn adopted(there: Option<TagRow>, closed: &TagRow, now_ms: i64) -> Result<TagRow> {
        let row = match (Adoption::of(there.as_ref(), closed)?, there) {
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

/// Has a tag go on in another store, above all numbers that it gave, while others take numbers: they
/// use up what they have, and are told [`Code::TagMoved`] and the place. Returns the row there.
///
/// Repeated after an error it does what is left to do, and nothing twice: sources wait meanwhile. A
/// tag moves back to where it came from as well.
///
/// # Errors
/// [`Code::UnknownTag`]; [`Code::TagExists`] where the other store has such a tag already, and
/// [`Code::TagMoved`] where this one was closed for another place: nothing is done;
/// [`Code::TagExhausted`]; [`Code::Unsupported`] by stores whose tags cannot move; those of a range,
/// or of either store.
pub fn move_tag(from: &dyn Store, tag: &Tag, to: &dyn Store, place: &str) -> Result<TagRow> {
    if place.is_empty() || place.len() > MAX_NAME_LENGTH {
        let message = format!("a place has 1 to {MAX_NAME_LENGTH} bytes: {place}");
        return Err(Error::new(Code::InvalidParameter, message));
    }
    let present = from.tag(tag)?.ok_or_else(|| unknown_tag(tag))?;
    let name = match (&present.left_by, &present.moved_to) {
        (Some(name), Some(there)) if there == place => name.clone(),
        (_, Some(_)) => return Err(tag_moved(&present)),
        _ => name_of_a_move(System.token()?),
    };
    // What could not arrive is not closed.
    to.check_arrival()?;
    Adoption::of(to.tag(tag)?.as_ref(), &TagRow { left_by: Some(name.clone()), ..present })?;
    let closed = from.close_for_move(tag, &Move { name: &name, to: place })?;
    if closed.moved_to.is_none() {
        return Err(came_back(&closed));
    }
    if closed.left_by.as_ref() != Some(&name) {
        return Err(tag_moved(&closed)); // by somebody else, at that moment
    }
    to.adopt_moved(&closed)
}

/// A repeat of a move after which the tag came back.
fn came_back(row: &TagRow) -> Error {
    let message = format!(
        "tag {} came back at that moment, and goes on here: move it again, if it is to go once more",
        row.tag
    );
    Error::new(Code::TagMoved, message)
}

fn name_of_a_move(token: Token) -> String {
    format!("{:016x}", u128::from_le_bytes(token) as u64)
}
