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

/// A function of the caller's that reserves the next `count` numbers of a tag in a database, durably,
/// writes them to `range` (half-open; fewer or more than asked for are taken, too) and returns 0. It
/// must give ranges that are disjoint and rise, to this and every other process. Any other return
/// value is a failure: callers get `SNOWMINT_STORE_UNAVAILABLE` within their bound, and the function
/// is called again after a while.
///
/// It is called from one thread of the library's at a time, never from a thread that mints. It may
/// block. It must return: leaving it by `longjmp`, an exception or `pthread_exit` is forbidden, and
/// aborts the process. It may call the library, but not with the source it serves: nobody waits for
/// it before that is freed. In a forked child it is called with the same `context`: there it needs a
/// connection of its own.
pub type snowmint_allocate = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        tag: *const c_char,
        count: u64,
        range: *mut snowmint_range,
    ) -> c_int,
>;

/// Called once when the source that was given a `context` needs it no more: in
/// `snowmint_source_free`, or in a thread of the library's soon after.
pub type snowmint_release = Option<unsafe extern "C" fn(context: *mut c_void)>;

/// Where a segment's numbers come from. Begin with `SNOWMINT_SEGMENT_OPTIONS_INIT`, and set `tag` and
/// one of `store` and `allocate`. Texts and handles are read during the call alone; a store that is
/// used lives on inside the source.
#[repr(C)]
pub struct snowmint_segment_options {
    /// `sizeof(snowmint_segment_options)`.
    pub size: usize,
    /// The tag: 1 to 64 of `A-Z a-z 0-9 _ . : -`, or such a tag in a namespace: `shop/orders`. A store
    /// must have it already.
    pub tag: *const c_char,
    /// The store.
    pub store: *const snowmint_store,
    /// In place of a store: reserves ranges.
    pub allocate: snowmint_allocate,
    /// What `allocate` gets as its first argument; used by threads of the library's.
    pub context: *mut c_void,
    /// Called when `context` is no longer needed, also where opening fails, but for a wrong `size`.
    /// NULL: nobody is called.
    pub release: snowmint_release,
    /// How many numbers a range has, 1 to 1073741824. `SNOWMINT_UNSET`: the tag's own (1000 with
    /// `allocate`), doubled up to a million for as long as ranges last less than 15 minutes.
    pub step: i64,
    /// In place of `step`: how long the numbers at hand are to last, milliseconds, 1 to 86400000, so
    /// that the store may be away for as long: ranges double from the tag's step on until they do.
    /// `SNOWMINT_UNSET`: as `step` says.
    pub runway_ms: i64,
    /// Percent of a range used when the next is fetched, 0 to 100. `SNOWMINT_UNSET`: 10.
    pub prefetch_percent: i64,
    /// How long a call waits for a number, milliseconds; 0 never waits. `SNOWMINT_UNSET`: 5000.
    pub wait_ms: i64,
}

/// Opens a segment. `source` receives a handle that the caller ends with `snowmint_source_free`; on
/// an error it is left as it is. The call asks a store for the tag; the first range is fetched by
/// the first call that mints.
///
/// Order: numbers rise strictly, across threads and ranges; between processes there is no order. Gaps:
/// what is fetched and not minted when a process ends is lost. Store down: fetched numbers are minted
/// to the end, then calls fail within their bound, and go on by themselves when it is back. A range
/// that is no range fails with `SNOWMINT_INVALID_RANGE`, is not used, and a moment later the place is
/// asked again. One at or below the last fails with `SNOWMINT_RANGE_REGRESSED`, and so does every
/// call from then on, since what follows may be another's, until an operator has raised the store's
/// tag, or the segment is opened anew. Nobody can raise the tag of an `allocate`, and the next segment
/// over one does not know which numbers this one had: open it when what `allocate` gives is above all
/// that was ever issued. Fork: a child fetches ranges of its own.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` without a place to reserve or with two, or for a number out
/// of range; `SNOWMINT_UNSUPPORTED` for options of a newer header; `SNOWMINT_INVALID_TAG`,
/// `SNOWMINT_INVALID_STEP`, `SNOWMINT_UNKNOWN_TAG`; those of the store.
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
/// The pointers in the options are NULL or what the header says.
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

/// A double bucket of so many percent.
pub(crate) fn prefetch(percent: i64) -> Result<Option<Prefetch>> {
    let percent: Option<u8> = number(percent, "prefetch_percent")?;
    if percent.is_some_and(|percent| percent > 100) {
        return Err(errors::prefetch_percent_too_large());
    }
    Ok(percent.map(|used_percent| Prefetch::DoubleBucket { used_percent }))
}

/// What the caller's functions get as their first argument.
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

/// A function of the caller's in place of a store.
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
