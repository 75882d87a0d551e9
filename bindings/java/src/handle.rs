//! Pointers that Java keeps in `long`s.
//!
//! Only the object that a pointer was made for passes it back. Java keeps that object reachable
//! during a call, and its cleaner frees the pointer once when the object is unreachable.

use jni::sys::jlong;

use crate::errors;
use crate::failure::Result;

/// Moves a value to the heap, and returns its pointer for Java to keep.
pub(crate) fn give<T: Send + Sync>(value: T) -> jlong {
    Box::into_raw(Box::new(value)) as jlong
}

/// Returns the value behind a pointer that [`give`] made and [`free`] has not freed.
pub(crate) fn get<'a, T: Send + Sync>(handle: jlong) -> Result<&'a T> {
    if handle == 0 {
        return Err(errors::handle_null().into());
    }
    // SAFETY: Java passes only pointers of `give`, of the type that the method expects, and none
    // that was freed. The value is shared, and is never moved, and changed only through `&T`.
    Ok(unsafe { &*(handle as *const T) })
}

/// Frees the value behind a pointer.
pub(crate) fn free<T: Send + Sync>(handle: jlong) -> Result<()> {
    if handle == 0 {
        return Err(errors::handle_null().into());
    }
    // SAFETY: called once for a pointer of `give`, when no Java object has it any more.
    drop(unsafe { Box::from_raw(handle as *mut T) });
    Ok(())
}
