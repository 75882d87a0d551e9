//! The residue class of numbers that each database of a tag gives: the remainder by its stride.

use std::sync::{Arc, Mutex, PoisonError};

use snowmint_engine::{MAX_NUMBER, NumberRange};

use crate::error::Result;
use crate::errors;
use crate::store::{Tag, TagRow, can_meet};

/// The classes seen so far of the databases of a tag.
#[derive(Debug)]
pub(super) struct Classes {
    tag: Tag,
    /// The databases' names in messages.
    names: Vec<String>,
    known: Mutex<Vec<Option<Numbers>>>,
}

/// The numbers that leave this remainder when they are divided by the stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    stride: u64,
    remainder: u64,
}

/// The class of one database.
#[derive(Clone, Debug)]
pub(super) struct Class {
    at: usize,
    classes: Arc<Classes>,
}

impl Classes {
    pub(super) fn new(tag: Tag, names: Vec<String>) -> Arc<Classes> {
        let known = Mutex::new(vec![None; names.len()]);
        Arc::new(Classes { tag, names, known })
    }

    pub(super) fn class(self: &Arc<Self>, at: usize) -> Class {
        Class { at, classes: Arc::clone(self) }
    }

    /// Notes a class that was unknown. Refuses a changed class, and one that meets another
    /// database's.
    fn admit(&self, at: usize, numbers: Numbers) -> Result<()> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known[at] {
            Some(before) if before == numbers => return Ok(()),
            Some(before) => {
                return Err(errors::sources::store_changed_its_numbers(
                    self.tag.as_str(),
                    &self.names[at],
                    (before.stride, before.remainder),
                    (numbers.stride, numbers.remainder),
                ));
            }
            None => {}
        }
        let meets = |other: &Option<Numbers>| {
            other.is_some_and(|other| {
                can_meet((other.remainder, other.stride), (numbers.remainder, numbers.stride))
            })
        };
        if let Some(other) = known.iter().position(meets) {
            return Err(errors::sources::stores_can_meet(
                self.tag.as_str(),
                (&self.names[other], &self.names[at]),
                self.names.len(),
                (numbers.stride, numbers.remainder),
            ));
        }
        known[at] = Some(numbers);
        Ok(())
    }
}

impl Class {
    /// Checks that a row's next number belongs to the class. The first row or range decides the
    /// class. A row at its end says nothing.
    pub(super) fn admit_row(&self, row: &TagRow) -> Result<()> {
        let stride = row.stride.max(1);
        if row.next > MAX_NUMBER - stride {
            return Ok(());
        }
        self.classes.admit(self.at, Numbers { stride, remainder: row.next % stride })
    }

    /// Checks that a range belongs to the class, like [`admit_row`](Self::admit_row).
    pub(super) fn admit(&self, range: &NumberRange) -> Result<()> {
        let stride = range.stride();
        self.classes.admit(self.at, Numbers { stride, remainder: range.start() % stride })
    }

    /// The remainder of its numbers, once known.
    pub(super) fn remainder(&self) -> Option<u64> {
        let known = self.classes.known.lock().unwrap_or_else(PoisonError::into_inner);
        known[self.at].map(|numbers| numbers.remainder)
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;
    use crate::store::TagOptions;

    #[test]
    fn a_class_is_kept_and_met_by_no_other() {
        let tag = Tag::new("orders").unwrap();
        let classes = Classes::new(tag.clone(), vec!["a".into(), "b".into(), "c".into()]);
        let row =
            |start, stride| TagRow::new(&tag, TagOptions::default().start(start).stride(stride));
        let code = |at, row: &TagRow| classes.class(at).admit_row(row).map_err(|it| it.code());
        assert_eq!(code(0, &row(1, 4)), Ok(()));
        assert_eq!(code(0, &row(401, 4)), Ok(()));
        assert_eq!(code(0, &row(402, 4)), Err(Code::InvalidAnswer));
        let said = |at, row: &TagRow| classes.class(at).admit_row(row).unwrap_err().to_string();
        assert!(said(0, &row(402, 4)).contains("raise STORE orders --remainder 1 --next NUMBER`"));
        assert!(said(0, &row(2, 3)).contains("put the database back"));
        assert!(said(1, &row(9, 4)).contains("raise STORE orders --remainder NUMBER`"));
        for (start, stride) in [(1, 4), (9, 4), (1, 1), (3, 2), (2, 3), (5, 8)] {
            assert_eq!(
                code(1, &row(start, stride)),
                Err(Code::InvalidParameter),
                "{start} {stride}"
            );
        }
        assert_eq!(code(1, &row(2, 2)), Ok(()), "half of what the other leaves");
        assert_eq!(code(2, &row(MAX_NUMBER, 1)), Ok(()), "at its end");
        assert_eq!(classes.class(2).remainder(), None);
        let range = NumberRange::new(7, 11, 4).unwrap();
        classes.class(2).admit(&range).unwrap();
        assert_eq!(classes.class(2).remainder(), Some(3));
    }
}
