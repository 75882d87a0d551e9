//! A thread's values, indexed by small integers. Reading a number costs less than reading an
//! external value.

use std::cell::RefCell;

/// A table of values by index. Taking a value frees its index.
pub(crate) struct Places<T>(RefCell<Vec<Option<T>>>);

impl<T> Places<T> {
    pub(crate) const fn new() -> Places<T> {
        Places(RefCell::new(Vec::new()))
    }

    /// Adds a value and returns its index.
    pub(crate) fn put(&self, value: T) -> u32 {
        let mut table = self.0.borrow_mut();
        let index = table.iter().position(Option::is_none).unwrap_or_else(|| {
            table.push(None);
            table.len() - 1
        });
        table[index] = Some(value);
        index as u32
    }

    /// Takes a value out, so that the caller drops it outside of the table.
    pub(crate) fn take(&self, index: u32) -> Option<T> {
        self.0.borrow_mut().get_mut(index as usize)?.take()
    }

    /// Calls `run` with the value at an index.
    #[inline]
    pub(crate) fn with<R>(&self, index: u32, run: impl FnOnce(&T) -> R) -> Option<R> {
        self.0.borrow().get(index as usize)?.as_ref().map(run)
    }
}
