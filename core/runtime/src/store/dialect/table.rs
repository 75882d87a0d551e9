//! Tables with one row per tag, which holds the largest number of the tag.

use snowmint_engine::{MAX_NUMBER, MAX_STEP, NumberRange};

use super::{OwnersTable, TableName, errors};
use crate::error::{Error, Result};
use crate::store::{
    Allocation, AllocationRequest, Judged, LAST_NUMBER, RefusedRow, Tag, TagChange, TagOptions,
    TagRow, check_step, next_falls, tag_contended, tag_exhausted, unknown_tag,
};

/// Names the generator that owns a table.
#[derive(Clone, Copy)]
pub(in crate::store) enum Owner {
    Leaf,
    Tinyid,
    Netease,
    Cosid,
}

impl Owner {
    /// Returns the owner's name for its table.
    pub(super) fn table(self) -> &'static str {
        match self {
            Owner::Leaf => "leaf_alloc",
            Owner::Tinyid => "tiny_id_info",
            Owner::Netease => "segment_id",
            Owner::Cosid => "cosid",
        }
    }
}

/// The columns of a table. A column that the dialect lacks is replaced by a literal number.
pub(in crate::store) struct Table {
    owner: Owner,
    name: TableName,
    tag: &'static str,
    max: &'static str,
    step: &'static str,
    delta: &'static str,
    remainder: &'static str,
    /// The other columns that the statements need.
    others: &'static [&'static str],
    /// The distance from the largest number in the row to the first free number: 0 or 1.
    first: u64,
}

/// The integer types, as both databases name them.
const WHOLE: [&str; 6] = ["tinyint", "smallint", "mediumint", "int", "integer", "bigint"];

/// The parts of SQL that the databases spell in different ways.
pub(in crate::store) struct Spelling {
    /// The quotation mark around names.
    pub(in crate::store) quote: char,
    /// The types of texts and of 64-bit integers in a CAST.
    pub(in crate::store) text: &'static str,
    pub(in crate::store) integer: &'static str,
    /// The expression for the present Unix time, in seconds.
    pub(in crate::store) now_s: &'static str,
    /// The expression for the time of the column `update_time`, in Unix seconds.
    pub(in crate::store) updated_s: &'static str,
}

impl Spelling {
    /// Fills the name of the table and the types into the statement of a file.
    pub(in crate::store) fn filled(&self, file: &str, table: &TableName) -> String {
        let table = table.sql(self.quote);
        let file = file.replace("{table}", &table);
        file.replace("{text}", self.text).replace("{integer}", self.integer)
    }
}

/// A row, or the numbers of a change. All values are texts, because column types differ.
pub(in crate::store) type Texts = Vec<Option<String>>;

/// The row of a tag, and the owner's own numbers in it.
#[derive(Debug)]
pub(in crate::store) struct Found {
    pub(in crate::store) row: TagRow,
    max: u64,
    delta: u64,
}

impl OwnersTable for Table {
    fn name(&self) -> &TableName {
        &self.name
    }

    fn columns(&self) -> Vec<&'static str> {
        let others = self.others.iter().copied();
        [self.tag].into_iter().chain(self.numbers()).chain(others).collect()
    }

    fn rights(&self) -> String {
        format!("SELECT, UPDATE ON {}, and INSERT ON it to add tags", self.name)
    }
}

impl Table {
    pub(super) fn new(owner: Owner, name: TableName) -> Table {
        let (tag, max, step) = match owner {
            Owner::Leaf => ("biz_tag", "max_id", "step"),
            Owner::Tinyid => ("biz_type", "max_id", "step"),
            Owner::Netease => ("biz_type", "max", "step"),
            Owner::Cosid => ("name", "last_max_id", "1000"),
        };
        let (delta, remainder) = match owner {
            Owner::Tinyid => ("delta", "remainder"),
            _ => ("1", "0"),
        };
        let others: &[_] = match owner {
            Owner::Leaf => &["update_time"],
            Owner::Tinyid => &["begin_id", "version", "create_time", "update_time"],
            Owner::Netease => &[],
            Owner::Cosid => &["last_fetch_time"],
        };
        let first = u64::from(!matches!(owner, Owner::Leaf));
        Table { owner, name, tag, max, step, delta, remainder, others, first }
    }

    /// Fills the names of the table and its columns into the statement of a file.
    pub(in crate::store) fn statement(&self, file: &str, spelling: &Spelling) -> String {
        let raised = if self.is_named(self.step) {
            format!(", {0} = coalesce(:step * {1}, {0})", self.step, self.delta)
        } else {
            String::new()
        };
        // Further assignments of an update, and the time of the last one in milliseconds; then the
        // columns of a new row besides tag and number, and their values.
        let [touch, updated, columns, values] = match self.owner {
            Owner::Leaf => [
                ", update_time = now()",
                "{updated_s} * 1000",
                ", step, update_time",
                ", :step, now()",
            ],
            Owner::Tinyid => [
                ", version = version + 1, update_time = now()",
                "{updated_s} * 1000",
                ", begin_id, step, delta, remainder, version, create_time, update_time",
                ", :max, :step, :delta, :remainder, 1, now(), now()",
            ],
            Owner::Netease => ["", "0", ", step", ", :step"],
            Owner::Cosid => [
                ", last_fetch_time = {now_s}",
                "last_fetch_time * 1000",
                ", last_fetch_time",
                ", {now_s}",
            ],
        };
        [
            ("{raised}", raised.as_str()),
            ("{tag}", self.tag),
            ("{max}", self.max),
            ("{step}", self.step),
            ("{delta}", self.delta),
            ("{remainder}", self.remainder),
            ("{touch}", touch),
            ("{updated}", updated),
            ("{columns}", columns),
            ("{values}", values),
            ("{now_s}", spelling.now_s),
            ("{updated_s}", spelling.updated_s),
        ]
        .iter()
        .fold(spelling.filled(file, &self.name), |text, (slot, filling)| {
            text.replace(slot, filling)
        })
    }

    fn is_named(&self, column: &str) -> bool {
        !column.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Returns the columns that have to hold integers.
    fn numbers(&self) -> impl Iterator<Item = &'static str> {
        let numbers = [self.max, self.step, self.delta, self.remainder];
        numbers.into_iter().filter(|column| self.is_named(column))
    }

    /// Returns the largest number that a row may hold.
    pub(in crate::store) fn last(&self) -> u64 {
        MAX_NUMBER - self.first
    }

    /// Fails unless the table has all columns that are needed, with integers where needed.
    pub(in crate::store) fn check(&self, found: &[(String, String)]) -> Result<()> {
        self.check_columns(found)?;
        let is_odd = |(name, kind): &&(String, String)| {
            self.numbers().any(|column| name.eq_ignore_ascii_case(column))
                && !WHOLE.contains(&kind.as_str())
        };
        match found.iter().find(is_odd) {
            Some((name, kind)) => {
                Err(errors::column_not_whole(&self.name, &self.columns(), name, kind))
            }
            None => Ok(()),
        }
    }

    /// Returns the only row of a tag, and fails if there are several.
    pub(in crate::store) fn only<'a>(
        &self,
        tag: &Tag,
        rows: &'a [Texts],
    ) -> Result<Option<&'a Texts>> {
        match rows {
            [] => Ok(None),
            [row] => Ok(Some(row)),
            rows => Err(self.doubled(tag, &rows.len().to_string())),
        }
    }

    /// Returns the range that was taken. `taken` has the largest number before and after, the step,
    /// delta and remainder.
    pub(in crate::store) fn allocation(&self, tag: &Tag, taken: &Texts) -> Result<Allocation> {
        let number = |at: usize| -> Result<u64> {
            let text = taken.get(at).and_then(Option::as_deref);
            let wrong = || errors::number_malformed(&self.name, tag.as_str());
            text.and_then(|text| text.parse().ok()).ok_or_else(wrong)
        };
        let [was, is, step, delta, remainder] =
            [number(0)?, number(1)?, number(2)?, number(3)?, number(4)?];
        let start = of_class(was + self.first, delta, remainder);
        let range = NumberRange::new(start, is + self.first, delta)?;
        Ok(Allocation::new(range, numbers_of(step, delta)))
    }

    /// Reads a tag's row: its name, largest number, step, delta, remainder and time.
    pub(in crate::store) fn found(&self, texts: &Texts) -> Result<Found> {
        let text = |at: usize| texts.get(at).and_then(Option::as_deref);
        let name = text(0).unwrap_or_default();
        let number = |at: usize, column: &str, from: u64, to: u64, right: &str| {
            let found = text(at).and_then(|text| text.parse().ok());
            found.filter(|number| (from..=to).contains(number)).ok_or_else(|| {
                let found = text(at).unwrap_or("NULL");
                errors::number_out_of_range(&self.name, name, (column, found), right)
            })
        };
        let tag = Tag::new(name)?;
        let max = number(1, self.max, 0, u64::MAX, errors::LARGEST)?;
        let step = number(2, self.step, 1, MAX_STEP, errors::COUNT)?;
        let delta = number(3, self.delta, 1, MAX_STEP, errors::COUNT)?;
        let right = errors::remainder_of(delta, self.delta);
        let remainder = number(4, self.remainder, 0, delta - 1, &right)?;
        let next = match max.checked_add(self.first) {
            Some(next) if next < MAX_NUMBER => of_class(next, delta, remainder).min(MAX_NUMBER),
            _ => MAX_NUMBER,
        };
        let updated_ms = text(5).and_then(|text| text.parse().ok()).unwrap_or_default();
        let step = numbers_of(step, delta);
        let options = TagOptions::default().start(next).step(step).stride(delta);
        let row = TagRow { updated_ms, ..TagRow::new(&tag, options) };
        Ok(Found { row, max, delta })
    }

    /// Splits all rows into tags that give ranges and rows that do not, with the reason. The last
    /// text of each row counts the rows with the same name, as the database compares names.
    pub(in crate::store) fn judged(&self, rows: &[Texts]) -> Vec<Judged> {
        let mut judged: Vec<Judged> = Vec::with_capacity(rows.len());
        for texts in rows {
            let name = texts.first().and_then(Option::as_deref).unwrap_or_default();
            let row = Tag::new(name).and_then(|tag| {
                let count = texts.last().and_then(Option::as_deref).unwrap_or("1");
                if count != "1" {
                    Err(self.doubled(&tag, count))
                } else {
                    Ok(self.found(texts)?.row)
                }
            });
            match row {
                Ok(row) => judged.push(Ok(row)),
                Err(error) => {
                    let is_told = |last: &Judged| last.as_ref().is_err_and(|it| it.name == name);
                    if !judged.last().is_some_and(is_told) {
                        judged.push(Err(RefusedRow { name: name.to_owned(), error }));
                    }
                }
            }
        }
        judged
    }

    fn doubled(&self, tag: &Tag, rows: &str) -> Error {
        errors::rows_doubled(&self.name, tag.as_str(), rows, self.max)
    }

    /// Returns the reason why a tag gave no range, from its rows.
    pub(in crate::store) fn refusal(&self, request: &AllocationRequest, rows: &[Texts]) -> Error {
        let tag = &request.tag;
        let found = match self.only(tag, rows).map(|row| row.map(|texts| self.found(texts))) {
            Ok(None) => return unknown_tag(tag),
            Ok(Some(Ok(found))) => found,
            Ok(Some(Err(error))) | Err(error) => return error,
        };
        let by = request.count.unwrap_or(found.row.step).saturating_mul(found.delta);
        if found.max > self.last() || by.max(found.delta) > self.last() - found.max {
            return tag_exhausted(tag, LAST_NUMBER);
        }
        tag_contended(tag)
    }

    /// Returns the numbers of a new row, or why the table cannot keep the options.
    pub(in crate::store) fn new_row(&self, options: TagOptions) -> Result<NewRow> {
        options.check()?;
        let TagOptions { start, step, stride, max } = options;
        check_max_is_kept(&self.name.to_string(), Some(max))?;
        if stride != 1 && !self.is_named(self.delta) {
            return Err(errors::stride_not_kept(&self.name, stride));
        }
        if step != TagOptions::default().step {
            self.check_step_is_kept()?;
        }
        let Some(max) = start.checked_sub(self.first) else {
            return Err(errors::start_too_low(&self.name, self.first, start));
        };
        Ok(NewRow { max, step: step * stride, delta: stride, remainder: start % stride })
    }

    /// Checks a change, and returns the new largest number if the change sets one.
    pub(in crate::store) fn new_max(&self, tag: &Tag, change: TagChange) -> Result<Option<u64>> {
        change.check()?;
        check_max_is_kept(&self.name.to_string(), change.max)?;
        if change.step.is_some() {
            self.check_step_is_kept()?;
        }
        let max = |next: u64| next.checked_sub(self.first).ok_or_else(|| next_falls(tag, next, 1));
        change.next.map(max).transpose()
    }

    fn check_step_is_kept(&self) -> Result<()> {
        if self.is_named(self.step) { Ok(()) } else { Err(errors::step_not_kept(&self.name)) }
    }

    /// Returns the row after a change, or why the change was refused.
    pub(in crate::store) fn changed(
        &self,
        tag: &Tag,
        change: TagChange,
        max: Option<u64>,
        rows: &[Texts],
    ) -> Result<TagRow> {
        let Some(texts) = self.only(tag, rows)? else { return Err(unknown_tag(tag)) };
        let found = self.found(texts)?;
        match (change.next, max) {
            (Some(next), Some(max)) if max < found.max => {
                Err(next_falls(tag, next, found.row.next))
            }
            _ => Ok(found.row),
        }
    }
}

/// Fails for a maximum below [`LAST_NUMBER`]: owners' tables have no column for one.
pub(in crate::store) fn check_max_is_kept(name: &str, max: Option<u64>) -> Result<()> {
    match max {
        None | Some(LAST_NUMBER..) => Ok(()),
        Some(max) => Err(errors::max_not_kept(name, max)),
    }
}

pub(in crate::store) struct NewRow {
    pub(in crate::store) max: u64,
    pub(in crate::store) step: u64,
    pub(in crate::store) delta: u64,
    pub(in crate::store) remainder: u64,
}

/// Returns the first number from `from` on that leaves `remainder`.
fn of_class(from: u64, delta: u64, remainder: u64) -> u64 {
    let ahead = (remainder + delta - from % delta) % delta;
    from.saturating_add(ahead)
}

/// Returns how many numbers a step has, for an owner whose step also counts the numbers in between.
fn numbers_of(step: u64, delta: u64) -> u64 {
    (step / delta).max(1)
}

/// Returns an answer for each request, in their order. `ask` gets the valid requests sorted by tag:
/// with a fixed order, two callers that ask for several tags cannot deadlock.
pub(in crate::store) fn answers<F>(
    requests: &[AllocationRequest],
    ask: impl FnOnce(&[&AllocationRequest]) -> Result<Vec<Result<Allocation>>, F>,
) -> Result<Vec<Result<Allocation>>, F> {
    let mut asked: Vec<usize> = (0..requests.len()).collect();
    asked.retain(|at| requests[*at].count.is_none_or(|count| check_step(count).is_ok()));
    asked.sort_by_key(|at| requests[*at].tag.as_str());
    let by_tag: Vec<_> = asked.iter().map(|at| &requests[*at]).collect();
    let mut answers: Vec<Result<Allocation>> =
        requests.iter().map(|request| Err(of_count(request))).collect();
    for (at, answer) in asked.into_iter().zip(ask(&by_tag)?) {
        answers[at] = answer;
    }
    Ok(answers)
}

fn of_count(request: &AllocationRequest) -> Error {
    let count = request.count.unwrap_or_default();
    check_step(count).err().unwrap_or_else(|| unknown_tag(&request.tag))
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    fn texts(texts: &[&str]) -> Texts {
        texts.iter().map(|text| Some((*text).to_owned()).filter(|text| text != "NULL")).collect()
    }

    fn table(owner: Owner) -> Table {
        Table::new(owner, TableName::of_owner(owner.table()))
    }

    #[test]
    fn a_range_ends_where_the_owners_does() {
        let tag = Tag::new("a").unwrap();
        for (owner, taken, numbers) in [
            (Owner::Leaf, ["1", "4", "3", "1", "0"], vec![1, 2, 3]),
            (Owner::Netease, ["0", "3", "3", "1", "0"], vec![1, 2, 3]),
            (Owner::Cosid, ["0", "3", "1000", "1", "0"], vec![1, 2, 3]),
            (Owner::Tinyid, ["0", "6", "6", "2", "0"], vec![2, 4, 6]),
            (Owner::Tinyid, ["0", "6", "6", "2", "1"], vec![1, 3, 5]),
            (Owner::Tinyid, ["1", "7", "6", "2", "1"], vec![3, 5, 7]),
            (Owner::Tinyid, ["4", "8", "3", "3", "0"], vec![6]),
        ] {
            let allocation = table(owner).allocation(&tag, &texts(&taken)).unwrap();
            assert_eq!(allocation.range.numbers().collect::<Vec<_>>(), numbers, "{taken:?}");
        }
    }

    #[test]
    fn a_row_that_cannot_be_right_is_named_with_its_cure() {
        for (row, what) in [
            (["a", "NULL", "5", "1", "0", "0"], "max_id = NULL"),
            (["a", "-7", "5", "1", "0", "0"], "max_id = -7"),
            (["a", "1", "0", "1", "0", "0"], "step = 0"),
            (["a", "1", "NULL", "1", "0", "0"], "step = NULL"),
            (["a", "1", "1073741825", "1", "0", "0"], "step = 1073741825"),
            (["a", "1", "5", "0", "0", "0"], "delta = 0"),
            (["a", "1", "5", "2", "2", "0"], "remainder = 2"),
        ] {
            let error = table(Owner::Tinyid).found(&texts(&row)).unwrap_err();
            assert_eq!(error.code(), Code::StoreSchema, "{row:?}");
            let shown = error.to_string();
            assert!(shown.contains(what) && shown.contains("UPDATE it to"), "{shown}");
        }
        let found =
            table(Owner::Tinyid).found(&texts(&["a", "7", "6", "2", "1", "1500"])).unwrap().row;
        assert_eq!((found.next, found.step, found.stride, found.updated_ms), (9, 3, 2, 1500));
        let end = table(Owner::Cosid).found(&texts(&[
            "a",
            "18446744073709551615",
            "1000",
            "1",
            "0",
            "0",
        ]));
        assert_eq!(end.unwrap().row.next, MAX_NUMBER);
    }
}
