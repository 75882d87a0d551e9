//! The events that listeners receive.

use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::{MaybeUninit, size_of};
use std::ptr::null;

use snowmint::{Event, EventKind, Listening, Severity, on_event};

use crate::argument::{Tagged, handle, keep, take_back};
use crate::cancellation::forbid;
use crate::errors;
use crate::failure::{guard_silently, guard_waiting, snowmint_status};
use crate::segment::{Context, snowmint_release};

/// The kind of an event: `SNOWMINT_EVENT_LEASE_LOST` and the others.
pub type snowmint_event_kind = u32;

/// Something that happened to a source or its store. The texts stand during the call.
#[repr(C)]
pub struct snowmint_event {
    /// `sizeof(snowmint_event)` of the library: a newer one may have more at the end.
    pub size: usize,
    /// What happened.
    pub kind: snowmint_event_kind,
    /// The failure behind it; `SNOWMINT_OK` where there is none.
    pub code: snowmint_status,
    /// When, by this machine's clock, Unix milliseconds.
    pub unix_ms: i64,
    /// The kind of the source that saw it: `snowflake`, `segment`, `daily` or `sequences`.
    pub source: *const c_char,
    /// Its tag; NULL where it has none.
    pub tag: *const c_char,
    /// What happened and what to do, in English, UTF-8, on one line.
    pub message: *const c_char,
    /// Its worker ID, if `has_worker_id`: of a lease lost, the one that was lost.
    pub worker_id: u32,
    /// Whether there is one.
    pub has_worker_id: bool,
    /// Whether something is wrong, or will be; otherwise something is over.
    pub is_warning: bool,
}

/// A function that hears of events.
pub type snowmint_on_event_function =
    Option<unsafe extern "C" fn(context: *mut c_void, event: *const snowmint_event)>;

/// A listener in its place.
pub struct snowmint_listener(Tagged<Listening>);
handle!(snowmint_listener, Listening, b"snowlist");

/// Has `on_event` called with each event of this process: a lease lost, a worker ID left because
/// the clock went back, a store that fails and that answers again, a tag whose store went back and
/// its raise, a layout that ends within a year, a state file that is gone. There is one a change,
/// and none a retry; those of a store's handle are told once, however many sources it has, those of
/// functions of the caller's once a source.
///
/// It is called by the thread that saw it: one of the library's that calls a store, or one that opens
/// a snowflake; of two stores beside each other; never by a call that mints. While it is called no
/// lease of that store is renewed: it must not block, for instance by writing to a pipe. It may call
/// everything, the closing of the source and `snowmint_listener_free` included; what waits for the
/// store would wait for its own thread. It must return: leaving it by `longjmp`, an exception or
/// `pthread_exit` is forbidden, and aborts the process. In a forked child it is called with the same
/// `context`, for what happens there.
///
/// `release` is called with `context` once it is called no more; NULL: nobody is. `listener` receives
/// a handle that the caller ends with `snowmint_listener_free`; NULL: it is called for as long as the
/// process lives. On an error `release` is called at once.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` where `on_event` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_on_event(
    on_event: snowmint_on_event_function,
    context: *mut c_void,
    release: snowmint_release,
    listener: Option<&mut MaybeUninit<*mut snowmint_listener>>,
) -> snowmint_status {
    guard_waiting(|| {
        let context = Context { context, release };
        let called = on_event.ok_or_else(|| errors::pointer_null("on_event"))?;
        let listening = self::on_event(move |event| {
            // Captures the whole `Context`, which is `Send` and `Sync`, and not its fields alone.
            let context = &context;
            tell(event, |event| {
                // SAFETY: the header asks for a function that takes these.
                unsafe { called(context.context, event) }
            });
        });
        match listener {
            Some(place) => drop(place.write(keep(listening))),
            None => listening.for_good(),
        }
        Ok(())
    })
}

/// Removes the listener and frees the handle, which must not be used any more. NULL is no error. It
/// waits for nothing: a call that another thread is in may still go on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_listener_free(listener: *mut snowmint_listener) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(listener) }));
}

/// The stable name of a kind of event, the same in every language: `lease_lost`; `unknown` for a
/// number that this library does not know. A constant; not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_event_name(kind: snowmint_event_kind) -> *const c_char {
    let index = EventKind::ALL.iter().position(|known| known.number() == kind);
    let name = index.and_then(|index| NAMES.get(index));
    let name = name.and_then(|name| CStr::from_bytes_until_nul(name).ok());
    name.unwrap_or(c"unknown").as_ptr()
}

/// Calls with an event as C has it.
fn tell(event: &Event, call: impl FnOnce(*const snowmint_event)) {
    // Escaped text has no zeros.
    let text = |text: &str| CString::new(text).unwrap_or_default();
    let (source, message) = (text(event.source), text(&event.message));
    let tag = event.tag.as_deref().map(text);
    let told = snowmint_event {
        size: size_of::<snowmint_event>(),
        kind: event.kind.number(),
        code: event.code.map_or(snowmint_status::OK, snowmint_status::from),
        unix_ms: event.unix_ms,
        source: source.as_ptr(),
        tag: tag.as_ref().map_or(null(), |tag| tag.as_ptr()),
        message: message.as_ptr(),
        worker_id: event.worker_id.unwrap_or(0),
        has_worker_id: event.worker_id.is_some(),
        is_warning: event.kind.severity() == Severity::Warning,
    };
    forbid(|| call(&raw const told));
}

/// The longest name and its end fit.
const ROOM: usize = 32;
static NAMES: &[[u8; ROOM]; EventKind::ALL.len()] = &names();

/// The table's names with the zero at the end that C needs.
const fn names() -> [[u8; ROOM]; EventKind::ALL.len()] {
    let mut names = [[0; ROOM]; EventKind::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        let name = EventKind::ALL[index].name().as_bytes();
        assert!(name.len() < ROOM);
        let mut at = 0;
        while at < name.len() {
            names[index][at] = name[at];
            at += 1;
        }
        index += 1;
    }
    names
}
