//! The contents of JavaScript's handles, lent to the engine for the length of a call.

use core::cell::RefCell;

/// A machine behind a handle. Only the engine's own call borrows it. Calls to JavaScript may throw,
/// for example on a full stack, and an exception never releases the borrows that it passes.
/// JavaScript makes sure that the stack suffices for the engine's part.
pub struct Lent<T>(RefCell<T>);

impl<T> Lent<T> {
    pub(crate) fn new(machine: T) -> Lent<T> {
        Lent(RefCell::new(machine))
    }

    /// Calls `call` with the machine. The call must not call JavaScript.
    #[inline]
    pub(crate) fn to<R>(&self, call: impl FnOnce(&mut T) -> R) -> R {
        call(&mut self.0.borrow_mut())
    }
}
