//! The contents of JavaScript's handles, lent to the engine for the length of a call.

use core::cell::RefCell;

/// A machine behind a handle. Only the engine's own call borrows it: what JavaScript is called for
/// may throw, for want of stack say, and a borrow that an exception passes is never given back.
/// JavaScript sees to it that there is stack enough for the engine's part.
pub struct Lent<T>(RefCell<T>);

impl<T> Lent<T> {
    pub(crate) fn new(machine: T) -> Lent<T> {
        Lent(RefCell::new(machine))
    }

    /// What a call of the engine makes of the machine. It calls nothing else.
    #[inline]
    pub(crate) fn to<R>(&self, call: impl FnOnce(&mut T) -> R) -> R {
        call(&mut self.0.borrow_mut())
    }
}
