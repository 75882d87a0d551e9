//! A value that is set once and read without a lock.

use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A value that is set at most once. A child forked at any moment finds it set or not set, unlike
/// a `OnceLock`, which a thread that is setting it would leave locked there.
pub(crate) struct SetOnce<T> {
    /// Null, or a box that is freed when this is dropped.
    value: AtomicPtr<T>,
    owns: PhantomData<T>,
}

impl<T: Send + Sync> SetOnce<T> {
    pub(crate) const fn new() -> SetOnce<T> {
        SetOnce { value: AtomicPtr::new(null_mut()), owns: PhantomData }
    }

    #[inline]
    #[expect(unsafe_code, reason = "a lock could be held at a fork")]
    pub(crate) fn get(&self) -> Option<&T> {
        // SAFETY: the pointer is null or came from a box that is not freed while this is borrowed.
        unsafe { self.value.load(Ordering::Acquire).as_ref() }
    }

    /// Sets the value, unless there is one. Returns the value that it could not set.
    #[expect(unsafe_code, reason = "the box is given up to an atomic")]
    pub(crate) fn set(&self, value: T) -> Result<(), T> {
        let fresh = Box::into_raw(Box::new(value));
        match self.value.compare_exchange(null_mut(), fresh, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => Ok(()),
            // SAFETY: made above, by `Box::into_raw`, and never shared.
            Err(_) => Err(*unsafe { Box::from_raw(fresh) }),
        }
    }
}

impl<T> Drop for SetOnce<T> {
    #[expect(unsafe_code, reason = "the box was given up to an atomic")]
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            // SAFETY: it came from a box, and nothing else refers to this any more.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_first_value_stays_and_each_value_is_dropped() {
        let (once, first, second) = (SetOnce::new(), Arc::new(1), Arc::new(2));
        assert_eq!(once.get(), None);
        assert_eq!(once.set(Arc::clone(&first)), Ok(()));
        assert_eq!(once.set(Arc::clone(&second)), Err(Arc::clone(&second)));
        assert_eq!(once.get(), Some(&first));
        drop(once);
        assert_eq!((Arc::strong_count(&first), Arc::strong_count(&second)), (1, 1));
    }
}
