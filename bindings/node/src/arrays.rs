//! JavaScript arrays that IDs are written to or read from.
//!
//! Shared memory (`SharedArrayBuffer`) is never made a slice, because another thread's write would
//! be undefined behaviour. IDs pass through a block of our own, each with one atomic access, so
//! that a reader sees either the ID or the previous value.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{ptr, slice};

use napi::bindgen_prelude::FromNapiValue;
use napi::{Status, sys};

/// The number of IDs in a block that is copied to shared memory.
const BLOCK: usize = 4096;

/// A `BigUint64Array`, which is valid during the call that it was passed to.
pub struct Numbers {
    start: *mut u64,
    length: usize,
    shared: bool,
}

impl Numbers {
    /// Calls `fill` until the whole array is filled.
    pub(crate) fn fill(
        self,
        fill: impl Fn(&mut [u64]) -> snowmint::Result<()>,
    ) -> snowmint::Result<()> {
        if !self.shared {
            return fill(self.slice());
        }
        let mut block = vec![0; self.length.min(BLOCK)];
        for at in (0..self.length).step_by(BLOCK) {
            let part = &mut block[..(self.length - at).min(BLOCK)];
            fill(part)?;
            self.store(at, part);
        }
        Ok(())
    }

    /// Calls `fill` once to fill the array from its start, and returns the number of filled
    /// elements.
    pub(crate) fn fill_start(
        self,
        fill: impl FnOnce(&mut [u64]) -> snowmint::Result<usize>,
    ) -> snowmint::Result<usize> {
        if !self.shared {
            return fill(self.slice());
        }
        let mut block = vec![0; self.length.min(BLOCK)];
        let filled = fill(&mut block)?;
        self.store(0, &block[..filled]);
        Ok(filled)
    }

    /// Returns the array's numbers, copied if the memory is shared.
    pub(crate) fn read(&self) -> Cow<'_, [u64]> {
        if !self.shared {
            return Cow::Borrowed(self.slice());
        }
        Cow::Owned((0..self.length).map(|at| self.cell(at).load(Ordering::Relaxed)).collect())
    }

    #[expect(clippy::mut_from_ref, reason = "each call that was given the array takes it once")]
    fn slice(&self) -> &mut [u64] {
        // SAFETY: Node says that this many integers begin there, aligned, and the pointer is never
        // null here. No other thread has the memory, and JavaScript waits for this call, so nothing
        // else reads, writes or frees it meanwhile.
        unsafe { slice::from_raw_parts_mut(self.start, self.length) }
    }

    fn store(&self, at: usize, numbers: &[u64]) {
        for (offset, number) in numbers.iter().enumerate() {
            self.cell(at + offset).store(*number, Ordering::Relaxed);
        }
    }

    fn cell(&self, at: usize) -> &AtomicU64 {
        assert!(at < self.length, "within the array");
        // SAFETY: `at` is within the array that Node describes, aligned as 64-bit integers. Shared
        // memory lives as long as its array, and is only accessed atomically here.
        unsafe { AtomicU64::from_ptr(self.start.wrapping_add(at)) }
    }
}

impl FromNapiValue for Numbers {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> napi::Result<Numbers> {
        let (mut kind, mut length, mut start) = (0, 0, ptr::null_mut());
        let (mut buffer, mut offset, mut is_private) = (ptr::null_mut(), 0, false);
        // SAFETY: the environment and the value are Node's, of the present call; all places are
        // written before they are read.
        let status = unsafe {
            let (length, offset) = (&mut length, &mut offset);
            sys::napi_get_typedarray_info(
                env,
                value,
                &mut kind,
                length,
                &mut start,
                &mut buffer,
                offset,
            )
        };
        if status != sys::Status::napi_ok || kind != sys::TypedarrayType::biguint64_array {
            return Err(napi::Error::new(Status::InvalidArg, "no BigUint64Array"));
        }
        // SAFETY: as above. Node-API does not count a `SharedArrayBuffer` as an array buffer.
        let status = unsafe { sys::napi_is_arraybuffer(env, buffer, &mut is_private) };
        if status != sys::Status::napi_ok {
            return Err(napi::Error::from_status(Status::from(status)));
        }
        // An empty array may have no address.
        let start = if length == 0 { ptr::NonNull::dangling().as_ptr() } else { start.cast() };
        Ok(Numbers { start, length, shared: !is_private })
    }
}
