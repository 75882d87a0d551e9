//! What gives numbers in a database already, and whether numbers meet: what is to be known before one
//! key space takes over from another, or two become one.

use std::collections::VecDeque;

use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::schemes::StoreUrl;
use crate::store::{Column, Filling, Fills, RefusedRow, Store, Tag, TagRow, Wanted, can_meet};

/// The dialects that are looked for where the URL names none: `sequence-lo` has the same sequences.
const LOOKED_FOR: [&str; 5] = ["leaf", "tinyid", "netease", "cosid", "sequence"];
const SEQUENCE: &str = "sequence";
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

/// What gives numbers in a database, and which rows of other generators give none.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Givers {
    /// Those from which numbers can be taken.
    pub found: Vec<Giver>,
    /// Those of which nobody knows where they go on, and names that are no tags.
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
pub fn givers(url: &str, tag: Option<&Tag>) -> Result<Givers> {
    let store = StoreUrl::parse(url)?;
    if store.is_of_an_application() {
        return Err(Error::new(Code::StoreMissing, format!("{}: {NO_GIVER}", store.place())));
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

/// All of a store's, or that of one tag: what cannot be in another's row is no obstacle to it.
fn rows(store: &dyn Store, tag: Option<&Tag>) -> Result<Rows> {
    let Some(tag) = tag else { return Ok((store.tags()?, store.refused_rows()?)) };
    match store.tag(tag) {
        // No owner's row can be called so.
        Err(error) if error.code() == Code::InvalidTag => Ok(Rows::default()),
        row => Ok((row?.into_iter().collect(), Vec::new())),
    }
}

/// Adds those of other generators; whether any has a table.
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

/// How a database fills a column where an INSERT has no value for it, as its catalogue says: by a
/// default, an identity or `AUTO_INCREMENT`. What triggers and functions do is not seen.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Filler {
    /// The column, as statements have it.
    pub column: String,
    /// The sequence that fills it or belongs to it, if minting could take numbers from that.
    pub sequence: Option<Giver>,
    /// The statement that ends it, unless the sequence only belongs to the column.
    pub end: Option<String>,
}

/// What fills a column: none, or what does it at present before what only belongs to it.
///
/// # Errors
/// Those of [`open_store`](crate::open_store); [`Code::StoreSchema`] of a sequence that could repeat
/// numbers.
pub fn fillers(url: &str, column: &Column) -> Result<Vec<Filler>> {
    let store = StoreUrl::parse(url)?;
    let mut fillings = store.fillings(Fills::Column(column))?;
    fillings.sort_by_key(|filling| filling.end.is_none());
    fillings.into_iter().map(|filling| filler(&store, filling)).collect()
}

/// The columns that a sequence fills.
///
/// # Errors
/// Those of [`fillers`].
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
    /// How many.
    pub count: u64,
    /// The lowest ten of them.
    pub lowest: Vec<u64>,
}

/// The largest number in a column of a table that is not ours, from 0 on, or `None`: IDs that were
/// given before, above which a tag has to begin. Of a database that
/// [`open_store`](crate::open_store) can open, which need not have a store: it is only read. Without
/// an index on the column the whole table is, for up to ten minutes. What others write meanwhile is
/// not seen: end them first. What the column's own sequence gave last counts as well, or its
/// `AUTO_INCREMENT`: the row may be deleted.
///
/// # Errors
/// Those of [`open_store`](crate::open_store); [`Code::InvalidParameter`] for a column that is not
/// there, or not of whole numbers up to 2^63 - 1; [`Code::StoreSchema`] where its own sequence begins
/// anew at its end, so that nobody knows what it gave; [`Code::Unsupported`] of `memory:`.
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
