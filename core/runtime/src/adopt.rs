//! Finds the tags and tables that already give numbers in a database, and numbers that two columns
//! share. You need both before one key space takes over from another, or before two are merged.

use std::collections::VecDeque;

use snowmint_engine::Code;

use crate::error::Result;
use crate::errors;
use crate::schemes::StoreUrl;
use crate::store::{Column, Filling, Fills, RefusedRow, Store, Tag, TagRow, Wanted, can_meet};

/// The dialects that are looked for if the URL names none: `sequence-lo` has the same sequences.
const LOOKED_FOR: [&str; 5] = ["leaf", "tinyid", "netease", "cosid", "sequence"];
const SEQUENCE: &str = "sequence";
/// The count of numbers of a column that are read at once.
const PAGE: u32 = 10_000;
/// The largest count of common numbers that is named.
const NAMED_MAX: usize = 10;

/// A source of numbers in a database: one of snowmint's tags, or a row of another generator's
/// table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Giver {
    /// The dialect of its table, as in a URL; `None` for snowmint's own tables.
    pub dialect: Option<String>,
    /// Its row.
    pub row: TagRow,
}

impl Giver {
    /// Returns true if both givers could give the same number sooner or later. They cannot if their
    /// strides keep them in different residue classes.
    pub fn can_meet(&self, other: &Giver) -> bool {
        let numbers = |giver: &Giver| (giver.row.next, giver.row.stride.max(1));
        can_meet(numbers(self), numbers(other))
    }
}

/// The givers of a database, and the rows of other generators that give no numbers.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Givers {
    /// The givers from which numbers can be taken.
    pub found: Vec<Giver>,
    /// Rows for which the next number is unknown, and rows whose names are no tags.
    pub refused: Vec<RefusedRow>,
}

impl Givers {
    fn add(&mut self, dialect: Option<&str>, rows: Rows) {
        let giver = |row| Giver { dialect: dialect.map(str::to_owned), row };
        let here = rows.0.into_iter().filter(|row| row.moved_to.is_none());
        self.found.extend(here.map(giver));
        self.refused.extend(rows.1);
    }
}

/// Lists what gives numbers in a database: the tags of snowmint's tables, and those of each
/// `dialect` that is present or of the one that the URL names. With `tag`, only that tag is looked
/// for. Nothing is changed.
///
/// Sequences are listed if this user may see them, each as a sequence whose values end a block. If
/// its values begin a block, name `dialect=sequence-lo`. Numbers from `next` on have not been given
/// yet, unless a process has reserved them in memory or elsewhere.
///
/// # Errors
/// The codes of [`open_store`](crate::open_store), [`Code::StoreMissing`] if nothing is found, and
/// [`Code::StoreSchema`] if another generator's table differs from what that generator creates.
pub fn givers(url: &str, tag: Option<&Tag>) -> Result<Givers> {
    let store = StoreUrl::parse(url)?;
    if store.is_of_an_application() {
        return Err(errors::giver_missing(&store.place()));
    }
    let mut givers = Givers::default();
    let named = store.dialect();
    match store.open() {
        Ok(opened) => givers.add(named.as_deref(), rows(&*opened, tag)?),
        Err(error) if named.is_none() && error.code() == Code::StoreMissing => {
            let any = add_others(&mut givers, &store, tag)?;
            let is_empty = givers.found.is_empty() && givers.refused.is_empty();
            return if any && (tag.is_some() || !is_empty) { Ok(givers) } else { Err(error) };
        }
        Err(error) => return Err(error),
    }
    if named.is_none() {
        add_others(&mut givers, &store, tag)?;
    }
    Ok(givers)
}

type Rows = (Vec<TagRow>, Vec<RefusedRow>);

/// Returns all rows of a store, or the row of one tag. A name that is invalid there has no row.
fn rows(store: &dyn Store, tag: Option<&Tag>) -> Result<Rows> {
    let Some(tag) = tag else { return Ok((store.tags()?, store.refused_rows()?)) };
    match store.tag(tag) {
        // No row of that dialect can have this name.
        Err(error) if error.code() == Code::InvalidTag => Ok(Rows::default()),
        row => Ok((row?.into_iter().collect(), Vec::new())),
    }
}

/// Adds the rows of other generators. Returns true if any of them has a table.
fn add_others(givers: &mut Givers, store: &StoreUrl, tag: Option<&Tag>) -> Result<bool> {
    let mut any = false;
    for dialect in LOOKED_FOR {
        let rows = match store.open_dialect(dialect) {
            None => continue,
            Some(opened) => opened.and_then(|opened| rows(&*opened, tag)),
        };
        match rows {
            Ok(rows) => {
                any = true;
                givers.add(Some(dialect), rows);
            }
            Err(error) if [Code::StoreMissing, Code::Unsupported].contains(&error.code()) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(any)
}

/// The way in which a database fills a column without a value in an INSERT, according to its
/// catalogue: a default, an identity or `AUTO_INCREMENT`. Triggers and functions are not seen.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Filler {
    /// The name of the column as it is written in statements.
    pub column: String,
    /// The sequence that fills the column or belongs to it, if snowmint could take numbers from it.
    pub sequence: Option<Giver>,
    /// The statement that stops the filling; `None` if the sequence only belongs to the column.
    pub end: Option<String>,
}

/// Lists what fills a column. Entries that fill it now come before sequences that only belong to
/// it.
///
/// # Errors
/// The codes of [`open_store`](crate::open_store), and [`Code::StoreSchema`] if a sequence could
/// repeat numbers.
pub fn fillers(url: &str, column: &Column) -> Result<Vec<Filler>> {
    let store = StoreUrl::parse(url)?;
    let mut fillings = store.fillings(Fills::Column(column))?;
    fillings.sort_by_key(|filling| filling.end.is_none());
    fillings.into_iter().map(|filling| filler(&store, filling)).collect()
}

/// Lists the columns that a sequence fills.
///
/// # Errors
/// The codes of [`fillers`].
pub fn filled_by(url: &str, sequence: &Tag) -> Result<Vec<Filler>> {
    let store = StoreUrl::parse(url)?;
    let fillings = store.fillings(Fills::Sequence(sequence))?;
    let is_filled = |filling: &Filling| filling.end.is_some();
    fillings.into_iter().filter(is_filled).map(|filling| filler(&store, filling)).collect()
}

fn filler(store: &StoreUrl, filling: Filling) -> Result<Filler> {
    let Filling { sequence, column, end, .. } = filling;
    let tag = sequence.and_then(|name| Tag::new(&name).ok());
    let (Some(tag), Some(opened)) = (tag, store.open_dialect(SEQUENCE)) else {
        return Ok(Filler { column, sequence: None, end });
    };
    let row = opened?.tag(&tag)?;
    let sequence = row.map(|row| Giver { dialect: Some(SEQUENCE.to_owned()), row });
    Ok(Filler { column, sequence, end })
}

/// The numbers that two columns have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Common {
    /// The number of common numbers.
    pub count: u64,
    /// The lowest ten of them.
    pub lowest: Vec<u64>,
}

/// Returns the largest number, from 0 on, in a column of an application's table, or `None`. A tag
/// that goes on from these IDs has to begin above it.
///
/// The database is only read. [`open_store`](crate::open_store) must be able to open it, but it
/// need not contain a store. Without an index on the column the whole table is read, for up to ten
/// minutes. The last number of the column's own sequence or `AUTO_INCREMENT` counts as well,
/// because its row may have been deleted. Numbers that others write meanwhile are not seen, so stop
/// them first.
///
/// # Errors
/// The codes of [`open_store`](crate::open_store); [`Code::InvalidParameter`] if the column is
/// missing or does not hold whole numbers up to 2^63 - 1. [`Code::StoreSchema`] if its own sequence
/// restarts at its end, so that its past numbers are unknown; [`Code::Unsupported`] for `memory:`.
pub fn largest_id(url: &str, column: &Column) -> Result<Option<u64>> {
    Ok(StoreUrl::parse(url)?.numbers(column, Wanted::Largest)?.pop())
}

/// Compares two columns of IDs, which may be in different databases. Both are read in order, by
/// pages; without an index each is sorted first. `read` is called now and then with the count of
/// numbers read so far.
///
/// # Errors
/// The codes of [`largest_id`].
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

/// The distinct numbers of a column, in ascending order.
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
                return Err(errors::numbers_out_of_order(self.column));
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
