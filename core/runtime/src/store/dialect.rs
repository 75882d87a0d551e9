//! Tables of other generators, as they are: what both databases' drivers know of them.

use std::fmt;
use std::str::FromStr;

use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::findings::Finding;
use crate::url::Parameters;

mod name;
mod table;
pub(super) mod worker_node;

pub(super) use name::TableName;
#[cfg(feature = "postgres")]
pub(super) use table::check_max_is_kept;
pub(super) use table::{Owner, Table, Texts, Words, answers};
use worker_node::WorkerNode;

/// Another generator's tables, which stay as they are: its own processes may go on beside, and no
/// number is given twice. A *tag* is what names a sequence of numbers there.
///
/// - *Statements*: are those of the owner, by as many numbers as are asked for, in one transaction
///   that is durable and confirmed as any other of the store.
/// - *Failovers*: such tables say nothing of the server that they are on. What a failover or a
///   restore takes back is given again, to the owner as to us, but where the range of a source went
///   back: it stops, and has to be opened anew, as a hand that raises a tag leaves no trace either.
///   [`vouch`](crate::SegmentAdmin::vouch) is [`Unsupported`](crate::Code::Unsupported).
/// - *Workers*: there are none but in `worker-node`, which has no numbers of tags. A source of the
///   other kind is refused with [`InvalidParameter`](crate::Code::InvalidParameter).
/// - *Names*: rows whose names are no [`Tag`](crate::Tag) are not listed, but by
///   [`refused_rows`](crate::SegmentAdmin::refused_rows).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// `leaf`: `leaf_alloc(biz_tag, max_id, step, update_time)` of Meituan's Leaf, whose ranges are
    /// `[max_id - step, max_id)`.
    Leaf,
    /// `tinyid`: `tiny_id_info(biz_type, max_id, step, delta, remainder, version, …)` of Didi's
    /// tinyid: of `(max_id - step, max_id]` what leaves `remainder` by `delta`, which is the stride.
    /// `version` rises, by which the owner notices. Its `step` counts what is between, too; ours,
    /// as everywhere, only what is given.
    Tinyid,
    /// `netease`: `segment_id(biz_type, max, step)`, whose ranges are `(max - step, max]`.
    Netease,
    /// `cosid`: `cosid(name, last_max_id, last_fetch_time)` of CosId, whose names are
    /// `namespace.name`, and whose ranges are `(last_max_id - step, last_max_id]`. The step is in
    /// its owner's configuration; 1000 unless a source says.
    Cosid,
    /// `sequence`: a sequence of PostgreSQL with `INCREMENT BY n`, of which a value ends a block of
    /// `n` numbers, as for Hibernate's pooled optimizer since HHH-15118: `(value - n, value]`, and
    /// of the sequence's own first value nothing below it. Of `INCREMENT BY 1` each value is a
    /// number. Tags are names as the database has them, `name` or `schema.name`.
    ///
    /// A range has up to 1000 values, those that followed one another; what others drew in between
    /// leaves a gap. To raise one he has to own it; its increment is not changed.
    Sequence,
    /// `sequence-lo`: the same, where a value begins its block, as for the optimizer pooled-lo:
    /// `[value, value + n)`.
    SequenceLo,
    /// `worker-node`: `WORKER_NODE(ID, HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)` of
    /// Baidu's UidGenerator, whose `ID` counts up by itself and is a worker ID that is never given
    /// again: each start, each forked child and each repeat after a lost answer takes the next, and
    /// where the layout's are used up it is [`WorkersExhausted`](crate::Code::WorkersExhausted).
    /// `PORT` has a token, which changes with `MODIFIED` at every renewal; whose row was deleted or
    /// changed loses the lease. The newest row has to stay: its number would be given again.
    WorkerNode,
}

/// Which numbers a value of a sequence stands for, with its increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "postgres"), allow(dead_code, reason = "PostgreSQL's alone"))]
pub(super) enum Block {
    /// Those up to it.
    EndsWith,
    /// Those from it on.
    BeginsWith,
}

/// A dialect, and its table where that is called otherwise than its owner calls it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Others {
    pub(crate) dialect: Dialect,
    /// `TABLE` or `SCHEMA.TABLE`, as the database has it.
    pub(crate) table: Option<String>,
}

impl Others {
    /// What a URL names, if anything.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`] of a table without a dialect.
    pub(crate) fn take(parameters: &mut Parameters) -> Result<Option<Others>> {
        let (dialect, table) =
            (parameters.take_parsed("dialect", DIALECTS)?, parameters.take("table"));
        match (dialect, table) {
            (Some(dialect), table) => Ok(Some(Others { dialect, table })),
            (None, None) => Ok(None),
            (None, Some(_)) => {
                let message = "table= names another generator's table: say whose, by dialect=";
                Err(Error::new(Code::InvalidParameter, message))
            }
        }
    }

    /// What its numbers or worker IDs are kept in.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`] of a name that no table can have, or of a table for sequences.
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
                let message = format!(
                    "dialect={} has no table: the tag names the sequence; drop table",
                    self.dialect
                );
                Err(Error::new(Code::InvalidParameter, message))
            }
            Dialect::Sequence => Ok(Kept::Sequence(Block::EndsWith)),
            Dialect::SequenceLo => Ok(Kept::Sequence(Block::BeginsWith)),
        }
    }
}

/// What keeps the numbers of a dialect, or its worker IDs.
pub(super) enum Kept {
    Table(Table),
    #[cfg_attr(not(feature = "postgres"), allow(dead_code, reason = "PostgreSQL's alone"))]
    Sequence(Block),
    Workers(WorkerNode),
}

impl Kept {
    /// Its table, unless it has none.
    pub(super) fn owners(&self) -> Option<&dyn OwnersTable> {
        match self {
            Kept::Table(table) => Some(table),
            Kept::Sequence(_) => None,
            Kept::Workers(table) => Some(table),
        }
    }
}

/// A table that another generator made, and what is said of one that is not as it makes it.
pub(super) trait OwnersTable: Sync {
    fn name(&self) -> &TableName;

    /// The columns that it needs.
    fn columns(&self) -> Vec<&'static str>;

    /// Which rights on it are needed.
    fn rights(&self) -> String;

    /// Whether it is there with its columns, of which the names and types were found.
    fn check_columns(&self, found: &[(String, String)]) -> Result<()> {
        if found.is_empty() {
            return Err(self.missing());
        }
        let is_missing =
            |column: &&str| !found.iter().any(|(name, _)| name.eq_ignore_ascii_case(column));
        let missing: Vec<_> = self.columns().into_iter().filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(self.odd(&format!("lacks {}", missing.join(", "))))
    }

    fn missing(&self) -> Error {
        let message = format!(
            "there is no table {} that this user may see: check database, schema and rights, name it \
             by table= if it is called otherwise, or make it by its owner's script",
            self.name()
        );
        Error::new(Code::StoreMissing, message)
    }

    /// Of a table that is not as its owner makes it.
    fn odd(&self, what: &str) -> Error {
        let (name, columns) = (self.name(), self.columns().join(", "));
        let message =
            format!("the table {name} {what}: bring it to its owner's form, with {columns}");
        Error::new(Code::StoreSchema, message)
    }

    fn denied(&self, said: &str) -> Error {
        let message = format!("this user may not do that ({said}): GRANT {}", self.rights());
        Error::new(Code::StoreDenied, message)
    }
}

/// What can be written in a URL.
const DIALECTS: &str = "leaf, tinyid, netease, cosid, sequence, sequence-lo or worker-node";

impl Dialect {
    /// Each by its name.
    pub const ALL: [(&'static str, Dialect); 7] = [
        ("leaf", Dialect::Leaf),
        ("tinyid", Dialect::Tinyid),
        ("netease", Dialect::Netease),
        ("cosid", Dialect::Cosid),
        ("sequence", Dialect::Sequence),
        ("sequence-lo", Dialect::SequenceLo),
        ("worker-node", Dialect::WorkerNode),
    ];

    /// The one of a name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, dialect)| *dialect)
    }

    /// Its name, as in a URL.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("?", |(name, _)| name)
    }

    /// What is found of its tables: `try_to_take` refuses what taking a range or a lease would, and
    /// `left` says what is in them.
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

    /// Of the tables, which `create=true` does not make: its owner's script does.
    pub(super) fn made_by_owner(self) -> Error {
        let message = format!(
            "create=true makes the tables of snowmint, and dialect={self} is for its owner's: make \
             those by the owner's script, and drop create"
        );
        Error::new(Code::InvalidParameter, message)
    }

    /// What is wrong where a parameter is of our tables alone.
    #[cfg(feature = "postgres")]
    pub(super) fn is_owners(self, parameter: &str) -> Error {
        let message = format!(
            "{parameter} is of the tables of snowmint, and dialect={self} takes its owner's, as the \
             search_path finds them: drop {parameter}"
        );
        Error::new(Code::InvalidParameter, message)
    }

    pub(super) fn without_workers(self) -> Error {
        let message = format!(
            "dialect={self} is for numbers of tags, as segment+ has them: the tables have no worker \
             IDs; lease those from a store without a dialect, or by dialect=worker-node"
        );
        Error::new(Code::InvalidParameter, message)
    }

    pub(super) fn without_numbers(self) -> Error {
        let message = format!(
            "dialect={self} is for worker IDs, as snowflake+ leases them: the table has no numbers \
             of tags; take those from a store without a dialect, or by another dialect"
        );
        Error::new(Code::InvalidParameter, message)
    }

    /// Of an operator's word.
    pub(super) fn without_incarnation(self) -> Error {
        let message = format!(
            "dialect={self}: its tables do not tell which server they are on, so nothing is refused \
             after a failover: raise each tag above all that is in use"
        );
        Error::new(Code::Unsupported, message)
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
