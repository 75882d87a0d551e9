//! Memory that Python objects lend. Integers are read and written without a copy in between.
//!
//! The wheel uses the stable interface of Python 3.10, which has no `Py_buffer`. It has
//! memoryviews, which keep an object's memory in place while they live and describe its shape, and
//! two functions that return a memoryview's address.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use snowmint::Result;

use crate::calls::{self, Stay};
use crate::error::{self, exception};
use crate::found::Found;
use crate::number::{Bounds as _, Int, out_of_range};
use crate::wait::detached;

// Part of the stable interface since Python 3.2, for good. Newer headers do not show them.
#[cfg_attr(windows, link(name = "python3", kind = "raw-dylib"))]
unsafe extern "C" {
    fn PyObject_AsReadBuffer(
        object: *mut PyObject,
        address: *mut *const c_void,
        length: *mut Py_ssize_t,
    ) -> c_int;
    fn PyObject_AsWriteBuffer(
        object: *mut PyObject,
        address: *mut *mut c_void,
        length: *mut Py_ssize_t,
    ) -> c_int;
}

/// The count of IDs minted at a time by default. So many IDs stay in the fastest cache between
/// minting and copying.
pub(crate) const BLOCK: usize = 2048;
/// The count of IDs after which signal handlers run.
const ROUND: usize = 1 << 20;

/// An integer type of `array` and `struct`.
pub(crate) trait Item: Copy + Default + Send + Sync {
    /// Its code in `array.array`.
    const CODE: &'static str;
    /// The codes of its width in a buffer's format.
    const KINDS: &'static [&'static str];
}

impl Item for u64 {
    const CODE: &'static str = "Q";
    const KINDS: &'static [&'static str] = &["Q", "q", "L", "l", "N", "n"];
}

impl Item for i64 {
    const CODE: &'static str = "q";
    const KINDS: &'static [&'static str] = u64::KINDS;
}

impl Item for u32 {
    const CODE: &'static str = "I";
    const KINDS: &'static [&'static str] = &["I", "i", "L", "l"];
}

/// The integers of another object, for as long as this lives.
pub(crate) struct Lent<'py, T: Item> {
    view: Bound<'py, PyMemoryView>,
    memory: Memory<T>,
    length: usize,
}

impl<'py, T: Item> Lent<'py, T> {
    /// Returns the integers of an object, to be written. Fails if the object is read-only.
    pub(crate) fn writable(object: &Bound<'py, PyAny>) -> PyResult<Lent<'py, T>> {
        let view = view::<T>(object)?;
        if view.getattr("readonly")?.extract()? {
            return Err(exception(object.py(), &error::buffer_read_only()));
        }
        let (mut address, mut length) = (std::ptr::null_mut(), 0);
        // SAFETY: a memoryview is an object, and both places may be written.
        let failed = unsafe { PyObject_AsWriteBuffer(view.as_ptr(), &mut address, &mut length) };
        Lent::found(view, failed, address.cast(), length)
    }

    /// Returns the integers of an object, to be read.
    pub(crate) fn readable(object: &Bound<'py, PyAny>) -> PyResult<Lent<'py, T>> {
        let view = view::<T>(object)?;
        let (mut address, mut length) = (std::ptr::null(), 0);
        // SAFETY: a memoryview is an object, and both places may be written.
        let failed = unsafe { PyObject_AsReadBuffer(view.as_ptr(), &mut address, &mut length) };
        Lent::found(view, failed, address.cast::<T>().cast_mut(), length)
    }

    fn found(
        view: Bound<'py, PyMemoryView>,
        failed: c_int,
        address: *mut T,
        bytes: Py_ssize_t,
    ) -> PyResult<Lent<'py, T>> {
        if failed != 0 {
            return Err(PyErr::fetch(view.py()));
        }
        let length = usize::try_from(bytes)? / size_of::<T>();
        Ok(Lent { memory: Memory { address, length, item: PhantomData }, length, view })
    }

    /// Returns the count of integers.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Returns the place of the integers, for as long as this lives.
    pub(crate) fn memory(&self) -> Memory<T> {
        self.memory
    }

    /// Copies the integers a block at a time with the interpreter's lock released. `take` gets each
    /// block with the index of its first integer.
    pub(crate) fn read(
        &self,
        mut take: impl FnMut(usize, &[T]) -> Result<()> + Send,
    ) -> PyResult<()> {
        let (memory, length) = (self.memory, self.length);
        detached(self.view.py(), move || {
            let mut block = [T::default(); BLOCK];
            let mut at = 0;
            while at < length {
                let (now, _) = block.split_at_mut(BLOCK.min(length - at));
                memory.copy_out(at, now);
                take(at, now)?;
                at += now.len();
            }
            Ok(())
        })
    }

    /// Fills the whole from `mint`, `block` integers at a time.
    ///
    /// The integers go through our own memory, because another thread may look at the object
    /// meanwhile, which Rust's references do not allow.
    pub(crate) fn fill(
        &self,
        block: usize,
        mint: impl Fn(&mut [T]) -> Result<()> + Sync,
    ) -> PyResult<()> {
        let (memory, mut at) = (self.memory, 0);
        while at < self.length {
            let end = self.length.min(at.saturating_add(ROUND.max(block)));
            detached(self.view.py(), || {
                let mut ids = vec![T::default(); block.min(end - at)];
                while at < end {
                    let (now, _) = ids.split_at_mut(block.min(end - at));
                    mint(now)?;
                    memory.copy_in(at, now);
                    at += now.len();
                }
                Ok(())
            })?;
            self.view.py().check_signals()?;
        }
        Ok(())
    }
}

/// The place of lent memory. Its `Lent` keeps the memory there.
#[derive(Clone, Copy)]
pub(crate) struct Memory<T: Item> {
    address: *mut T,
    length: usize,
    item: PhantomData<T>,
}

// SAFETY: the address is used only while its `Lent` lives, which keeps the memory in place, and
// only by copies, which do not need the interpreter's lock.
unsafe impl<T: Item> Send for Memory<T> {}
// SAFETY: as above.
unsafe impl<T: Item> Sync for Memory<T> {}

impl<T: Item> Memory<T> {
    /// Returns the place of `count` integers from `index` on.
    fn place(self, index: usize, count: usize) -> *mut u8 {
        assert!(index.checked_add(count).is_some_and(|end| end <= self.length));
        // SAFETY: within the length that came with the address, as just checked.
        unsafe { self.address.cast::<u8>().add(index * size_of::<T>()) }
    }

    /// Writes one integer.
    #[inline]
    pub(crate) fn put(self, index: usize, number: T) {
        self.copy_in(index, &[number]);
    }

    fn copy_in(self, index: usize, numbers: &[T]) {
        let place = self.place(index, numbers.len());
        // SAFETY: the range was checked; our own slice does not overlap; bytes need no alignment.
        unsafe {
            std::ptr::copy_nonoverlapping(numbers.as_ptr().cast(), place, size_of_val(numbers));
        }
    }

    fn copy_out(self, index: usize, numbers: &mut [T]) {
        let place = self.place(index, numbers.len());
        // SAFETY: the range was checked; our own slice does not overlap; bytes need no alignment.
        unsafe {
            std::ptr::copy_nonoverlapping(place, numbers.as_mut_ptr().cast(), size_of_val(numbers));
        }
    }
}

/// Returns a memoryview of contiguous integers of one width, signed or not.
fn view<'py, T: Item>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyMemoryView>> {
    let py = object.py();
    let view = PyMemoryView::from(object).map_err(|_| {
        let found = class_name(object);
        PyTypeError::new_err(format!("a buffer of 64-bit integers is required, not {found}"))
    })?;
    let format: String = view.getattr("format")?.extract()?;
    let size: usize = view.getattr("itemsize")?.extract()?;
    let (native, other) = if cfg!(target_endian = "little") { ('<', '>') } else { ('>', '<') };
    let kind = format.trim_start_matches(['@', '=', native]);
    let is_swapped = kind.strip_prefix(other).is_some_and(|kind| T::KINDS.contains(&kind));
    if is_swapped && size == size_of::<T>() {
        return Err(exception(py, &error::buffer_of_another_byte_order(&format)));
    }
    if size != size_of::<T>() || !T::KINDS.contains(&kind) {
        return Err(exception(py, &error::buffer_of_other_items(size, &format)));
    }
    if !is_contiguous(&view)? {
        return Err(exception(py, &error::buffer_not_contiguous()));
    }
    Ok(view)
}

fn is_contiguous(view: &Bound<'_, PyMemoryView>) -> PyResult<bool> {
    view.getattr("c_contiguous")?.extract()
}

/// Returns a contiguous copy of items that lie apart, such as a column of a table or every second
/// item.
fn together<'py>(view: &Bound<'py, PyMemoryView>) -> PyResult<Bound<'py, PyAny>> {
    let bytes = view.call_method0("tobytes")?;
    PyMemoryView::from(&bytes)?.call_method1("cast", (view.getattr("format")?,))
}

/// Returns an object that lends the integers of `ids`. For a column (of pandas, pyarrow and others)
/// it is numpy's array. For a buffer it is the object itself, or a copy if the items lie apart. For
/// any other integers it is an `array`.
pub(crate) fn column<'py>(ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = ids.py();
    let _stay = Stay::begin();
    nothing_null(ids)?;
    let (given, mut ids) = (ids, ids.clone());
    if let Ok(to_numpy) = given.getattr("to_numpy") {
        // A pyarrow array converts without a copy only if it holds integers.
        ids = match (calls::call(&to_numpy, (), None), given.getattr("to_pylist")) {
            (Err(_), Ok(to_list)) => calls::call(&to_list, (), None)?,
            (array, _) => array?,
        };
    }
    of_one_dimension(&ids)?;
    nothing_masked(&ids)?;
    match type_of_items(&ids).as_deref() {
        // Python's own integers.
        Some("object") => ids = calls::call(&ids.getattr("tolist")?, (), None)?,
        // A column of integers with missing values.
        floats @ Some("float64") if floats != type_of_items(given).as_deref() => {
            nothing_missing(&ids)?;
        }
        _ => {}
    }
    if let Ok(view) = PyMemoryView::from(&ids) {
        // The reader refuses other types of items.
        return if is_contiguous(&view)? { Ok(ids) } else { Ok(together(&view).unwrap_or(ids)) };
    }
    let numbers: PyResult<Vec<_>> = ids.try_iter()?.enumerate().map(integer).collect();
    array_of(py, numbers?.into_iter())
}

/// Fails for a table, whose cells would be taken one after another, and for a single number of
/// numpy.
pub(crate) fn of_one_dimension(ids: &Bound<'_, PyAny>) -> PyResult<()> {
    match ids.getattr("ndim").and_then(|dimensions| dimensions.extract::<usize>()) {
        Ok(dimensions) if dimensions != 1 => {
            Err(exception(ids.py(), &error::not_one_column(dimensions)))
        }
        _ => Ok(()),
    }
}

/// Fails for an array of numpy with masked values, because its memory has numbers in those places
/// too.
fn nothing_masked(ids: &Bound<'_, PyAny>) -> PyResult<()> {
    let Ok(mask) = ids.getattr("mask") else { return Ok(()) };
    let Ok(any) = mask.getattr("any") else { return Ok(()) };
    if !calls::call(&any, (), None)?.is_truthy()? {
        return Ok(());
    }
    let at: usize = calls::call(&mask.getattr("argmax")?, (), None)?.extract()?;
    Err(not_an_integer("a masked value", at))
}

/// Fails for a column of pandas or pyarrow that reports a missing value. It would give floats or
/// nothing instead of its integers.
fn nothing_null(ids: &Bound<'_, PyAny>) -> PyResult<()> {
    let is_so = |name, asked: fn(&Bound<'_, PyAny>) -> PyResult<bool>| {
        ids.getattr(name).and_then(|said| asked(&said)).unwrap_or(false)
    };
    let (mask, list) = if is_so("hasnans", |has| has.is_truthy()) {
        ("isna", "tolist")
    } else if is_so("null_count", |count| count.gt(0)) {
        ("is_null", "to_pylist")
    } else {
        return Ok(());
    };
    let mask = calls::call(&ids.getattr(mask)?, (), None)?;
    let mask: Vec<bool> = calls::call(&mask.getattr(list)?, (), None)?.extract()?;
    let Some(at) = mask.iter().position(|is_missing| *is_missing) else { return Ok(()) };
    match type_of_items(ids) {
        // They may have been integers before.
        Some(floats) if floats.starts_with("float") => {
            let message = format!(
                "the column is of {floats}, and a value is missing, with index {at}: 64-bit integers \
                 are needed"
            );
            Err(PyTypeError::new_err(message))
        }
        _ => Err(not_an_integer("a missing value", at)),
    }
}

/// Fails if a float is not a number, which is how numpy marks a missing integer.
fn nothing_missing(ids: &Bound<'_, PyAny>) -> PyResult<()> {
    let numbers = calls::call(&ids.getattr("tolist")?, (), None)?;
    for (at, number) in numbers.try_iter()?.enumerate() {
        if number?.extract::<f64>()?.is_nan() {
            return Err(not_an_integer("a missing value", at));
        }
    }
    Ok(())
}

/// Returns the name of the item type of an array or a column.
fn type_of_items(ids: &Bound<'_, PyAny>) -> Option<String> {
    ids.getattr("dtype").and_then(|dtype| dtype.str()).map(|name| name.to_string()).ok()
}

/// Reads one of many integers; errors contain its index.
fn integer((at, id): (usize, PyResult<Bound<'_, PyAny>>)) -> PyResult<u64> {
    let id = id?;
    match id.extract::<Int<u64>>() {
        Ok(Int::Of(number)) => Ok(number),
        Ok(Int::OutOfRange) => {
            Err(out_of_range(id.py(), &format!("the ID with index {at}"), u64::RANGE))
        }
        Err(error) if error.is_instance_of::<PyTypeError>(id.py()) => {
            Err(not_an_integer(&class_name(&id), at))
        }
        Err(error) => Err(error),
    }
}

fn not_an_integer(found: &str, at: usize) -> PyErr {
    PyTypeError::new_err(format!("an integer is required, not {found}; it has index {at}"))
}

/// Returns the name of an object's class, for messages.
pub(crate) fn class_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "it".to_owned(), |name| name.to_string())
}

/// Returns an `array` of zeros.
pub(crate) fn array_of_zeros<T: Item>(py: Python<'_>, count: usize) -> PyResult<Bound<'_, PyAny>> {
    let zeros = PyBytes::new_with(py, count.saturating_mul(size_of::<T>()), |_| Ok(()))?;
    array::<T>(py, &zeros)
}

/// Returns an `array('Q')` of a run of numbers.
pub(crate) fn array_of(
    py: Python<'_>,
    numbers: impl ExactSizeIterator<Item = u64>,
) -> PyResult<Bound<'_, PyAny>> {
    let bytes = PyBytes::new_with(py, numbers.len().saturating_mul(size_of::<u64>()), |bytes| {
        for (place, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
            *place = number.to_ne_bytes();
        }
        Ok(())
    })?;
    array::<u64>(py, &bytes)
}

/// Returns an `array.array` over its items' bytes.
fn array<'py, T: Item>(
    py: Python<'py>,
    bytes: &Bound<'py, PyBytes>,
) -> PyResult<Bound<'py, PyAny>> {
    // Imported at first use, because few programs need it.
    static ARRAY: Found<Py<PyAny>> = Found::new();
    ARRAY.import(py, "array", "array")?.call1((T::CODE, bytes))
}
