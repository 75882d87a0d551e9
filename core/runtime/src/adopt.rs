//! What gives numbers in a database already, and whether numbers meet: what is to be known before one
//! key space takes over from another, or two become one.

use std::collections::VecDeque;

use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::schemes::StoreUrl;
use crate::store::{Column, Store, Tag, TagRow, Wanted, can_meet};

/// The dialects that are looked for where the URL names none: `sequence-lo` has the same sequences.
const LOOKED_FOR: [&str; 5] = ["leaf", "tinyid", "netease", "cosid", "sequence"];
/// So many numbers of a column are read at once.
const PAGE: u32 = 10_000;
/// So many numbers that two columns have in common are named.
const NAMED_MAX: usize = 10;

const NO_GIVER: &str = "it is an application's file, and no tag of snowmint is in it: name its \
                        columns of IDs";

/// What gives numbers in a database: a tag of ours, or of another generator's table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Giver {
    /// Whose table it is, as in a URL; `None` of ours.
    pub dialect: Option<String>,
    /// Its row.
    pub row: TagRow,
}

impl Giver {
    /// Whether two that go on by themselves could give the same number, sooner or later: unless
    /// their strides keep them in classes of their own.
    pub fn can_meet(&self, other: &Giver) -> bool {
        let numbers = |giver: &Giver| (giver.row.next, giver.row.stride.max(1));
        can_meet(numbers(self), numbers(other))
    }
}

/// What gives numbers in a database: the tags of our tables and of each `dialect` that are there,
/// or of the one that the URL names; where one `tag` is named, only that is looked for. Nothing is
/// changed.
///
/// Of sequences those that this user may see are listed, and each as one whose values end a block:
/// name `dialect=sequence-lo` where they begin one. Numbers from `next` on are not given yet, unless
/// by somebody who has reserved them, in memory or a table of his own.
///
/// # Errors
/// Those of [`open_store`](crate::open_store), [`Code::StoreMissing`] where nothing is found, and
/// [`Code::StoreSchema`] of another generator's table that is not as its owner makes it.
pub fn givers(url: &str, tag: Option<&Tag>) -> Result<Vec<Giver>> {
    let store = StoreUrl::parse(url)?;
    if store.is_of_an_application() {
        return Err(Error::new(Code::StoreMissing, format!("{}: {NO_GIVER}", store.place())));
    }
    let mut found = Vec::new();
    let named = store.dialect();
    match store.open() {
        Ok(opened) => {
            let rows = rows(&*opened, tag)?.into_iter().filter(|row| row.moved_to.is_none());
            found.extend(rows.map(|row| Giver { dialect: named.clone(), row }));
        }
        Err(error) if named.is_none() && error.code() == Code::StoreMissing => {
            return match of_others(&store, tag)? {
                Some(found) if tag.is_some() || !found.is_empty() => Ok(found),
                _ => Err(error),
            };
        }
        Err(error) => return Err(error),
    }
    if named.is_none() {
        found.extend(of_others(&store, tag)?.unwrap_or_default());
    }
    Ok(found)
}

/// All of a store's, or that of one tag: what cannot be in another's row is no obstacle to it.
fn rows(store: &dyn Store, tag: Option<&Tag>) -> Result<Vec<TagRow>> {
    let Some(tag) = tag else { return store.tags() };
    match store.tag(tag) {
        // No owner's row can be called so.
        Err(error) if error.code() == Code::InvalidTag => Ok(Vec::new()),
        row => Ok(row?.into_iter().collect()),
    }
}

/// Those of other generators; `None` where none has a table.
fn of_others(store: &StoreUrl, tag: Option<&Tag>) -> Result<Option<Vec<Giver>>> {
    let mut found: Option<Vec<Giver>> = None;
    for dialect in LOOKED_FOR {
        let rows = match store.open_dialect(dialect) {
            None => continue,
            Some(opened) => opened.and_then(|opened| rows(&*opened, tag)),
        };
        match rows {
            Ok(rows) => {
                let dialect = || Some(dialect.to_owned());
                let givers = rows.into_iter().map(|row| Giver { dialect: dialect(), row });
                found.get_or_insert_default().extend(givers);
            }
            Err(error) if [Code::StoreMissing, Code::Unsupported].contains(&error.code()) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// The numbers that two columns have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Common {
    /// How many.
    pub count: u64,
    /// The lowest ten of them.
    pub lowest: Vec<u64>,
}

/// The largest number in a column of a table that is not ours, from 0 on, or `None`: IDs that were
/// given before, above which a tag has to begin. Of a database that
/// [`open_store`](crate::open_store) can open, which need not have a store: it is only read. Without
/// an index on the column the whole table is, for up to ten minutes. What others write meanwhile is
/// not seen: end them first. Of rows that were deleted only SQLite's `AUTOINCREMENT` remembers the
/// last.
///
/// # Errors
/// Those of [`open_store`](crate::open_store); [`Code::InvalidParameter`] for a column that is not
/// there, or not of whole numbers up to 2^63 - 1; [`Code::Unsupported`] of `memory:`.
pub fn largest_id(url: &str, column: &Column) -> Result<Option<u64>> {
    Ok(StoreUrl::parse(url)?.numbers(column, Wanted::Largest)?.pop())
}

/// Compares two columns of IDs, which may be in different databases; as [`largest_id`] reads one.
/// Both are read in their order, by pages: without an index that is a sort each. `read` is told how
/// many numbers were read, now and then.
///
/// # Errors
/// Those of [`largest_id`].
pub fn common_ids(
    one: (&str, &Column),
    other: (&str, &Column),
    mut read: impl FnMut(u64),
) -> Result<Common> {
    let (mut one, mut other) = (Numbers::new(one)?, Numbers::new(other)?);
    let mut common = Common::default();
    let (mut left, mut right) = (one.next()?, other.next()?);
    while let (Some(a), Some(b)) = (left, right) {
        if a == b {
            common.count += 1;
            if common.lowest.len() < NAMED_MAX {
                common.lowest.push(a);
            }
        }
        if a <= b {
            left = one.next()?;
        }
        if b <= a {
            right = other.next()?;
        }
        if one.is_between_pages() || other.is_between_pages() {
            read(one.count + other.count);
        }
    }
    Ok(common)
}

/// The numbers of a column, each once, in their order.
struct Numbers<'a> {
    store: StoreUrl,
    column: &'a Column,
    page: VecDeque<u64>,
    last: Option<u64>,
    count: u64,
}

impl<'a> Numbers<'a> {
    fn new((url, column): (&'a str, &'a Column)) -> Result<Numbers<'a>> {
        let store = StoreUrl::parse(url)?;
        Ok(Numbers { store, column, page: VecDeque::new(), last: None, count: 0 })
    }

    fn is_between_pages(&self) -> bool {
        self.page.is_empty()
    }

    fn next(&mut self) -> Result<Option<u64>> {
        if self.page.is_empty() {
            let mut page = self.store.numbers(self.column, Wanted::After(self.last, PAGE))?;
            let follows = |first: &u64| self.last.is_none_or(|last| *first > last);
            if !page.is_sorted() || !page.first().is_none_or(follows) {
                return Err(out_of_order(self.column));
            }
            page.dedup();
            self.page = page.into();
        }
        let next = self.page.pop_front();
        self.count += u64::from(next.is_some());
        self.last = next.or(self.last);
        Ok(next)
    }
}

fn out_of_order(column: &Column) -> Error {
    let message = format!("the database gave numbers of {column} out of their order");
    Error::new(Code::InvalidAnswer, message)
}
