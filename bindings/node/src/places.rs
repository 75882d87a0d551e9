//! A thread's values, indexed by small integers: a number costs less to read than an external
//! value.

use std::cell::RefCell;

/// A table of values, each at an index that is free again once the value is taken.
pub(crate) struct Places<T>(RefCell<Vec<Option<T>>>);

impl<T> Places<T> {
    pub(crate) const fn new() -> Places<T> {
        Places(RefCell::new(Vec::new()))
    }

    /// The index of a new value.
    pub(crate) fn put(&self, value: T) -> u32 {
        let mut table = self.0.borrow_mut();
        let index = table.iter().position(Option::is_none).unwrap_or_else(|| {
            table.push(None);
            table.len() - 1
        });
        table[index] = Some(value);
        index as u32
    }

    /// Takes a value out, to be dropped outside of the table.
    pub(crate) fn take(&self, index: u32) -> Option<T> {
        self.0.borrow_mut().get_mut(index as usize)?.take()
    }

    /// Runs on the value of an index.
    #[inline]
    pub(crate) fn with<R>(&self, index: u32, run: impl FnOnce(&T) -> R) -> Option<R> {
        self.0.borrow().get(index as usize)?.as_ref().map(run)
    }
}
