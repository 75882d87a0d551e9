//! Tables of other generators, which snowmint uses as they are: the part that both drivers share.

use std::fmt;
use std::str::FromStr;

use crate::error::Result;
use crate::findings::Finding;
use crate::url::Parameters;

pub(super) mod errors;
mod name;
pub(super) mod rows;
mod table;
pub(super) mod worker_node;

pub(super) use name::TableName;
#[cfg(feature = "postgres")]
pub(super) use table::check_max_is_kept;
pub(super) use table::{Owner, Spelling, Table, Texts, answers};
use worker_node::WorkerNode;

/// The tables of another generator. snowmint leaves them as they are, so the owner's processes can
/// use them at the same time, and no number is given twice. Here a *tag* is the name of a sequence
/// of numbers.
///
/// - *Statements*: snowmint runs the owner's statements, for as many numbers as you ask for. They
///   run in one transaction, which is durable and confirmed like any other of the store.
/// - *Failovers*: these tables do not record which server they are on. Numbers that a failover or a
///   restore takes back are given again, to the owner as to us. The exception is a source that sees
///   its own range go back: it stops. Raise the tag and open the source anew; it cannot notice the
///   raise, which leaves no trace here. [`vouch`](crate::SegmentAdmin::vouch) fails with
///   [`Unsupported`](crate::Code::Unsupported).
/// - *Workers*: only `worker-node` has worker IDs, and it has no tags. A source of the other kind
///   fails with [`InvalidParameter`](crate::Code::InvalidParameter).
/// - *Names*: a row whose name is no valid [`Tag`](crate::Tag) is listed only by
///   [`refused_rows`](crate::SegmentAdmin::refused_rows).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// `leaf`: `leaf_alloc(biz_tag, max_id, step, update_time)` of Meituan's Leaf. Ranges are
    /// `[max_id - step, max_id)`.
    Leaf,
    /// `tinyid`: `tiny_id_info(biz_type, max_id, step, delta, remainder, version, …)` of Didi's
    /// tinyid. A range is the numbers of `(max_id - step, max_id]` that leave `remainder` when
    /// divided by `delta`, which is the stride. Each change raises `version`, so the owner notices
    /// it. The owner's `step` also counts the numbers in between; ours counts only those given.
    Tinyid,
    /// `netease`: `segment_id(biz_type, max, step)`. Ranges are `(max - step, max]`.
    Netease,
    /// `cosid`: `cosid(name, last_max_id, last_fetch_time)` of CosId, whose names are
    /// `namespace.name`. Ranges are `(last_max_id - step, last_max_id]`. The owner keeps the step
    /// in its configuration; here it is 1000 unless the source sets one.
    Cosid,
    /// `sequence`: a sequence of PostgreSQL with `INCREMENT BY n`. A value ends a block of `n`
    /// numbers, `(value - n, value]`, as for Hibernate's pooled optimizer since HHH-15118. No block
    /// begins below the sequence's own first value. With `INCREMENT BY 1` each value is a number.
    /// Tags are names as the database has them, `name` or `schema.name`.
    ///
    /// A range has up to 1000 consecutive values; values that others draw in between leave a gap.
    /// To raise a sequence you have to own it. Its increment cannot be changed here.
    Sequence,
    /// `sequence-lo`: like `sequence`, but a value begins its block, `[value, value + n)`, as for
    /// the optimizer pooled-lo.
    SequenceLo,
    /// `worker-node`: `WORKER_NODE(ID, HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)` of
    /// Baidu's UidGenerator. Its `ID` counts up and is a worker ID that is never given again. Each
    /// start, each forked child and each repeat after a lost answer takes the next. Once the
    /// layout's worker IDs are used up, you get
    /// [`WorkersExhausted`](crate::Code::WorkersExhausted).
    ///
    /// `PORT` holds a token; it and `MODIFIED` change at every renewal. A lease is lost if its row
    /// is deleted or changed. Never delete the newest row, or its number could be given again.
    WorkerNode,
}

/// Tells which numbers a value of a sequence stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// The value is the last number of its block.
    EndsWith,
    /// The value is the first number of its block.
    BeginsWith,
}

/// A dialect, and the name of its table if that is not the owner's usual one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Others {
    pub(crate) dialect: Dialect,
    /// `TABLE` or `SCHEMA.TABLE`, spelled as in the database.
    pub(crate) table: Option<String>,
}

impl Others {
    /// Takes `dialect` and `table` from the parameters of a URL.
    ///
    /// # Errors
    /// [`InvalidParameter`](crate::Code::InvalidParameter) for a table without a dialect.
    pub(crate) fn take(parameters: &mut Parameters) -> Result<Option<Others>> {
        let (dialect, table) =
            (parameters.take_parsed("dialect", DIALECTS)?, parameters.take("table"));
        match (dialect, table) {
            (Some(dialect), table) => Ok(Some(Others { dialect, table })),
            (None, None) => Ok(None),
            (None, Some(_)) => Err(errors::dialect_missing()),
        }
    }

    /// Returns the table or sequence that holds the dialect's numbers or worker IDs.
    ///
    /// # Errors
    /// [`InvalidParameter`](crate::Code::InvalidParameter) for a name that no table can have, or for
    /// a table with sequences.
    pub(super) fn kept(&self) -> Result<Kept> {
        let name = |owners| match &self.table {
            Some(table) => TableName::parse(table),
            None => Ok(TableName::of_owner(owners)),
        };
        let table = |owner: Owner| Ok(Kept::Table(Table::new(owner, name(owner.table())?)));
        match self.dialect {
            Dialect::Leaf => table(Owner::Leaf),
            Dialect::Tinyid => table(Owner::Tinyid),
            Dialect::Netease => table(Owner::Netease),
            Dialect::Cosid => table(Owner::Cosid),
            Dialect::WorkerNode => Ok(Kept::Workers(WorkerNode { name: name(worker_node::NAME)? })),
            Dialect::Sequence | Dialect::SequenceLo if self.table.is_some() => {
                Err(errors::dialect_without_table(self.dialect))
            }
            Dialect::Sequence => Ok(Kept::Sequence(Block::EndsWith)),
            Dialect::SequenceLo => Ok(Kept::Sequence(Block::BeginsWith)),
        }
    }
}

/// Holds the numbers or worker IDs of a dialect.
pub(super) enum Kept {
    Table(Table),
    Sequence(Block),
    Workers(WorkerNode),
}

impl Kept {
    /// Returns the owner's table, or `None` for sequences.
    pub(super) fn owners(&self) -> Option<&dyn OwnersTable> {
        match self {
            Kept::Table(table) => Some(table),
            Kept::Sequence(_) => None,
            Kept::Workers(table) => Some(table),
        }
    }
}

/// A table that another generator made.
pub(super) trait OwnersTable: Sync {
    fn name(&self) -> &TableName;

    /// Returns the columns that snowmint needs.
    fn columns(&self) -> Vec<&'static str>;

    /// Returns the rights that snowmint needs, as a `GRANT` names them.
    fn rights(&self) -> String;

    /// Fails unless the table has all columns; `found` has a name and a type for each.
    fn check_columns(&self, found: &[(String, String)]) -> Result<()> {
        if found.is_empty() {
            return Err(errors::table_missing(self.name()));
        }
        let is_missing =
            |column: &&str| !found.iter().any(|(name, _)| name.eq_ignore_ascii_case(column));
        let missing: Vec<_> = self.columns().into_iter().filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(errors::columns_missing(self.name(), &self.columns(), &missing))
    }
}

/// The names that a URL accepts.
const DIALECTS: &str = "leaf, tinyid, netease, cosid, sequence, sequence-lo or worker-node";

impl Dialect {
    /// Every dialect with its name in URLs.
    pub const ALL: [(&'static str, Dialect); 7] = [
        ("leaf", Dialect::Leaf),
        ("tinyid", Dialect::Tinyid),
        ("netease", Dialect::Netease),
        ("cosid", Dialect::Cosid),
        ("sequence", Dialect::Sequence),
        ("sequence-lo", Dialect::SequenceLo),
        ("worker-node", Dialect::WorkerNode),
    ];

    /// Returns the dialect with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, dialect)| *dialect)
    }

    /// Returns the name of the dialect in URLs.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("?", |(name, _)| name)
    }

    /// Reports on the tables. `try_to_take` fails where taking a range or a lease would fail.
    pub(super) fn examine<S>(
        self,
        opened: Result<S>,
        try_to_take: impl FnOnce(&S) -> Result<()>,
        left: impl FnOnce(&S) -> Vec<Finding>,
    ) -> Vec<Finding> {
        match opened.and_then(|store| try_to_take(&store).map(|()| store)) {
            Ok(store) => {
                let found = format!("those of dialect={self} are there, as they should be");
                [Finding::ok("tables", found)].into_iter().chain(left(&store)).collect()
            }
            Err(error) => {
                let cure = "do what is said there, and look again";
                vec![Finding::failed("tables", &error).cured_by(cure)]
            }
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = ();

    fn from_str(name: &str) -> Result<Dialect, ()> {
        Dialect::from_name(name).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_a_name_of_its_own() {
        for (name, dialect) in Dialect::ALL {
            assert_eq!(name.parse(), Ok(dialect));
            assert_eq!(dialect.to_string(), name);
            assert!(DIALECTS.contains(name), "{name}");
            let kept = Others { dialect, table: None }.kept().unwrap();
            assert_eq!(kept.owners().is_none(), name.starts_with("sequence"), "{name}");
        }
        assert_eq!("Leaf".parse::<Dialect>(), Err(()));
    }
}
