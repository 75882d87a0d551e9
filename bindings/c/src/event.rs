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

/// An event of a source or its store. The texts are valid during the call.
#[repr(C)]
pub struct snowmint_event {
    /// `sizeof(snowmint_event)` of the library; a newer library may have more fields at the end.
    pub size: usize,
    /// The kind of the event.
    pub kind: snowmint_event_kind,
    /// The status of the failure behind it; `SNOWMINT_OK` if there is none.
    pub code: snowmint_status,
    /// The time in Unix milliseconds of this machine's clock.
    pub unix_ms: i64,
    /// The kind of the source that saw it: `snowflake`, `segment`, `daily` or `sequences`.
    pub source: *const c_char,
    /// Its tag; NULL if it has none.
    pub tag: *const c_char,
    /// A line that says what happened and what to do, in English, UTF-8.
    pub message: *const c_char,
    /// Its worker ID, if `has_worker_id`; after a lost lease, the worker ID that was lost.
    pub worker_id: u32,
    /// True if there is a worker ID.
    pub has_worker_id: bool,
    /// True if something is wrong, or will be; false if a problem is over.
    pub is_warning: bool,
}

/// A function that receives events.
pub type snowmint_on_event_function =
    Option<unsafe extern "C" fn(context: *mut c_void, event: *const snowmint_event)>;

/// A registered listener.
pub struct snowmint_listener(Tagged<Listening>);
handle!(snowmint_listener, Listening, b"snowlist");

/// Registers `on_event`, which the library calls with each event of this process, such as a lost
/// lease or a store that fails or answers again. `snowmint_event_kind` lists them. A change is
/// reported once, and not again with each retry. A store's handle reports an event once, however
/// many sources it has. Functions of yours report it once for each source.
///
/// The thread that saw the event calls it: a thread of the library that calls a store, or a thread
/// that opens a snowflake. Threads of two stores may call it at the same time. A call that mints
/// never calls it. It must not block, for example by writing to a pipe: during the call no lease of
/// that store is renewed. It may call everything, including the functions that close the source and
/// `snowmint_listener_free`. A call that waits for the store would wait for its own thread. It must
/// return: leaving it by `longjmp`, an exception or `pthread_exit` is forbidden, and aborts the
/// process. A forked child calls it with the same `context`, for its own events only.
///
/// The library calls `release` with `context` after the last call of `on_event`; `release` may be
/// NULL. `listener` receives a handle, which you end with `snowmint_listener_free`. If `listener`
/// is NULL, `on_event` is called for as long as the process lives. After an error `release` is
/// called at once.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` if `on_event` is NULL.
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
/// waits for nothing: a call in another thread may still be running.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_listener_free(listener: *mut snowmint_listener) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(listener) }));
}

/// Returns the stable name of a kind of event, the same in every language, for example
/// `lease_lost`. It is `unknown` for a number that this library does not know. The text is a
/// constant; do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_event_name(kind: snowmint_event_kind) -> *const c_char {
    let index = EventKind::ALL.iter().position(|known| known.number() == kind);
    let name = index.and_then(|index| NAMES.get(index));
    let name = name.and_then(|name| CStr::from_bytes_until_nul(name).ok());
    name.unwrap_or(c"unknown").as_ptr()
}

/// Calls a function with an event in the form that C has.
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

/// The room for the longest name and its zero.
const ROOM: usize = 32;
static NAMES: &[[u8; ROOM]; EventKind::ALL.len()] = &names();

/// Returns the table's names with the zero at the end that C needs.
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
