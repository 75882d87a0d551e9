//! Segments from a store or from a function of the caller.

use std::ffi::{CString, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Duration;

use snowmint::{
    Allocation, AllocationRequest, Call, NumberRange, Prefetch, Result, Segment, SegmentStore,
    Source, StepSize, Tag, TagAllocator,
};

use crate::argument::{check_size, given_or_none, number, read, text, wait};
use crate::cancellation::forbid;
use crate::errors;
use crate::failure::snowmint_status;
use crate::range::snowmint_range;
use crate::source::{hand_over_of, snowmint_source};
use crate::store::snowmint_store;

/// A function of yours that reserves the next `count` numbers of a tag durably in a database. It
/// writes them to `range` and returns 0. The range is half-open, and may have fewer or more numbers
/// than `count`. The ranges must be disjoint and must rise, across this and every other process.
/// Any other return value is a failure: calls get `SNOWMINT_STORE_UNAVAILABLE` within their bound,
/// and the library calls the function again after a while.
///
/// One thread of the library calls it at a time, never a thread that mints. It may block. It must
/// return: leaving it by `longjmp`, an exception or `pthread_exit` is forbidden, and aborts the
/// process. It may call the library, but not with the source that it serves: that source can be
/// freed while the function still runs. A forked child calls it with the same `context`, and needs
/// a connection of its own there.
pub type snowmint_allocate = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        tag: *const c_char,
        count: u64,
        range: *mut snowmint_range,
    ) -> c_int,
>;

/// A function that the library calls once, when the source that was given a `context` no longer
/// needs it: in `snowmint_source_free`, or soon after in a thread of the library.
pub type snowmint_release = Option<unsafe extern "C" fn(context: *mut c_void)>;

/// The options of a segment. Begin with `SNOWMINT_SEGMENT_OPTIONS_INIT`, and set `tag` and one of
/// `store` and `allocate`. Texts and handles are only read during the call; the source keeps its
/// store alive.
#[repr(C)]
pub struct snowmint_segment_options {
    /// `sizeof(snowmint_segment_options)`.
    pub size: usize,
    /// The tag: 1 to 64 of `A-Z a-z 0-9 _ . : -`, or such a tag in a namespace: `shop/orders`. It
    /// must already exist in the store.
    pub tag: *const c_char,
    /// The store.
    pub store: *const snowmint_store,
    /// The function that reserves ranges, in place of a store.
    pub allocate: snowmint_allocate,
    /// The first argument of `allocate`. Threads of the library use it.
    pub context: *mut c_void,
    /// The library calls it when `context` is no longer needed, also if opening fails, except for a
    /// wrong `size`. It may be NULL.
    pub release: snowmint_release,
    /// The count of numbers in a range, 1 to 1073741824. `SNOWMINT_UNSET`: the tag's step (1000
    /// with `allocate`), which doubles, up to a million, while ranges last less than 15 minutes.
    pub step: i64,
    /// In place of `step`: the time that the numbers at hand should last while the store is away, 1
    /// to 86400000 milliseconds. Beginning with the tag's step, ranges double until they last that
    /// long. `SNOWMINT_UNSET`: `step` decides.
    pub runway_ms: i64,
    /// The percentage of a range that is used when the next range is fetched, 0 to 100.
    /// `SNOWMINT_UNSET`: 10.
    pub prefetch_percent: i64,
    /// The longest wait of a call for a number, in milliseconds; 0 never waits. `SNOWMINT_UNSET`:
    /// 5000.
    pub wait_ms: i64,
}

/// Opens a segment. `source` receives a handle, which you end with `snowmint_source_free`; an error
/// leaves it unchanged. The call looks up the tag in the store. The first call that mints fetches
/// the first range.
///
/// Order: numbers rise strictly, across threads and ranges; between processes there is no order.
/// Gaps: numbers that were fetched but not minted when a process ends are lost. Store down: fetched
/// numbers are minted to the end, then calls fail within their bound. Calls succeed again once the
/// store is back. Fork: a child fetches its own ranges.
///
/// Wrong ranges: a malformed range fails with `SNOWMINT_INVALID_RANGE` and is not used; the library
/// asks again a moment later. A range at or below the last one fails with
/// `SNOWMINT_RANGE_REGRESSED`. So does every later call, because another process may have the
/// numbers that follow. Calls succeed again after an operator has raised the store's tag, or after
/// you open the segment anew. With `allocate` nobody can raise the tag, and a new segment does not
/// know which numbers this one had: open it once `allocate` gives numbers above everything ever
/// issued.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` if none or both of `store` and `allocate` are set, or for a
/// number out of range; `SNOWMINT_UNSUPPORTED` for options of a newer header;
/// `SNOWMINT_INVALID_TAG`, `SNOWMINT_INVALID_STEP`, `SNOWMINT_UNKNOWN_TAG`; those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_source_open_segment(
    options: Option<&snowmint_segment_options>,
    source: Option<&mut MaybeUninit<*mut snowmint_source>>,
) -> snowmint_status {
    let own = || {
        let options = read(options, "options")?;
        check_size::<snowmint_segment_options>(options.size, "snowmint_segment_options")?;
        Ok((options, Context { context: options.context, release: options.release }))
    };
    hand_over_of(source, own, |(options, context)| {
        // SAFETY: as the header asks.
        unsafe { open(options, context) }.map(Source::Segment)
    })
}

/// # Safety
/// The pointers in the options are NULL or as the header requires.
unsafe fn open(options: &snowmint_segment_options, context: Context) -> Result<Segment> {
    // SAFETY: as the caller promises.
    let tag = Tag::of_row(unsafe { text(options.tag, "tag") }?)?;
    // SAFETY: as the caller promises.
    let store = given_or_none(unsafe { options.store.as_ref() })?;
    let store: Arc<dyn SegmentStore> = match (store, options.allocate) {
        (Some(store), None) => Arc::clone(store) as _,
        (None, Some(allocate)) => Arc::new(UsersAllocator { allocate, context }),
        _ => return Err(errors::not_one_allocator()),
    };
    let mut builder = Segment::builder(store, tag);
    if let Some(step) = number(options.step, "step")? {
        builder = builder.step(StepSize::fixed(step)?);
    }
    if let Some(runway_ms) = number(options.runway_ms, "runway_ms")? {
        builder = builder.runway(Duration::from_millis(runway_ms));
    }
    if let Some(prefetch) = prefetch(options.prefetch_percent)? {
        builder = builder.prefetch(prefetch);
    }
    if let Some(wait) = wait(options.wait_ms)? {
        builder = builder.wait(wait);
    }
    builder.open()
}

/// Returns a double bucket of `percent` percent, or `None` if that is unset.
pub(crate) fn prefetch(percent: i64) -> Result<Option<Prefetch>> {
    let percent: Option<u8> = number(percent, "prefetch_percent")?;
    if percent.is_some_and(|percent| percent > 100) {
        return Err(errors::prefetch_percent_too_large());
    }
    Ok(percent.map(|used_percent| Prefetch::DoubleBucket { used_percent }))
}

/// The first argument of the caller's functions, and the function that releases it.
pub(crate) struct Context {
    pub(crate) context: *mut c_void,
    pub(crate) release: snowmint_release,
}

// SAFETY: the header says that the library's threads use it.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the header asks for a function that takes this context, once.
            forbid(|| unsafe { release(self.context) });
        }
    }
}

/// A function of the caller that reserves ranges in place of a store.
struct UsersAllocator {
    allocate: unsafe extern "C" fn(*mut c_void, *const c_char, u64, *mut snowmint_range) -> c_int,
    context: Context,
}

impl TagAllocator for UsersAllocator {
    fn reserve(&self, request: &AllocationRequest, _: &Call) -> Result<Allocation> {
        let AllocationRequest { tag, count, .. } = request;
        let name = CString::new(tag.as_str()).unwrap_or_default();
        let mut range = snowmint_range { start: 0, end: 0, stride: 1 };
        let count = count.unwrap_or(self.step());
        let context = self.context.context;
        // SAFETY: the header asks for a function that takes these.
        let allocate = || unsafe { (self.allocate)(context, name.as_ptr(), count, &raw mut range) };
        let returned = forbid(allocate);
        if returned != 0 {
            return Err(errors::allocate_failed(returned, count, tag));
        }
        Ok(Allocation::new(NumberRange::try_from(&range)?, self.step()))
    }
}
