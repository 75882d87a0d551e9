//! Snowflakes, built from options.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

use snowmint::{ClockPolicy, Result, SequenceStart, Snowflake, Source, names};

use crate::argument::{check_size, given_or_none, number, read, text_or_none, wait};
use crate::errors;
use crate::failure::snowmint_status;
use crate::layout::snowmint_layout;
use crate::source::{hand_over_of, snowmint_source};
use crate::store::snowmint_store;
use crate::worker_store::{UsersWorkerStore, snowmint_worker_store};

/// The options of a snowflake. Begin with `SNOWMINT_SNOWFLAKE_OPTIONS_INIT`, which sets everything
/// to its default, and set one of `worker_id`, `store` and `worker_store`. Texts and handles are
/// only read during the call; the source keeps its store alive.
#[repr(C)]
pub struct snowmint_snowflake_options {
    /// `sizeof(snowmint_snowflake_options)`.
    pub size: usize,
    /// A fixed worker ID: `7`, `env`, `env:NAME`, `ordinal` or `ordinal:NAME` (of a StatefulSet's
    /// pod), `ip:10.0.4.0/22` (a network that holds all hosts). Its time is reserved in a local
    /// file, which keeps a second generator with that file from using it. You have to make sure
    /// that no other generator has this worker ID.
    pub worker_id: *const c_char,
    /// A store to lease the worker ID from.
    pub store: *const snowmint_store,
    /// A store of your own to lease the worker ID from.
    pub worker_store: *const snowmint_worker_store,
    /// The name of a preset, for example `leaf`, whose layout, clock policy and sequence start
    /// apply. The fields below override it. NULL: none.
    pub preset: *const c_char,
    /// The layout. NULL: the preset's, or Twitter's.
    pub layout: *const snowmint_layout,
    /// The name of the clock policy. NULL: the preset's, or `snowmint`.
    pub policy: *const c_char,
    /// The start of a fresh tick's sequence: `zero`, `vibrate:MAX`, `random:BELOW`, `rotate`. NULL:
    /// the preset's, or `rotate`.
    pub start: *const c_char,
    /// The directory of a fixed worker ID's state file, which must survive restarts. NULL: the
    /// user's state directory.
    pub state_directory: *const c_char,
    /// The largest lead of an ID's time over the clock, in milliseconds, up to 3600000. An ID can
    /// be dated that much later than its minting. 0 never borrows: a full tick waits for the next
    /// one. `SNOWMINT_UNSET`: the policy's value, 1000 for `snowmint`.
    pub max_ahead_ms: i64,
    /// The time that a renewal reserves, 100 to 3600000 milliseconds, and at least twice
    /// `max_ahead_ms` and four ticks. A fixed worker ID always reserves this much
    /// (`SNOWMINT_UNSET`: 1000). A leased worker ID reserves at most this much, once its lease has
    /// lived that long (`SNOWMINT_UNSET`: 60000).
    pub reserve_ms: i64,
    /// The longest wait of a call for an ID, in milliseconds; 0 never waits. `SNOWMINT_UNSET`:
    /// 5000.
    pub wait_ms: i64,
}

/// Opens a snowflake. `source` receives a handle, which you end with `snowmint_source_free`; an
/// error leaves it unchanged. The call may block: it opens files and calls the store.
///
/// Order: IDs rise strictly if time is the layout's top field and the policy neither changes
/// workers nor counts rollbacks. Overflow: a full tick borrows from the future up to
/// `max_ahead_ms`, then waits without spinning. Clock rollback: the policy decides; no ID is ever
/// repeated. Fork: a child leases its own worker ID; with a fixed worker ID it fails with
/// `SNOWMINT_FORKED`. Crash: the next holder of the worker ID begins above everything issued.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` if no worker ID or several are set, for a number out of
/// range, or for a layout whose ticks are longer than 40 minutes. `SNOWMINT_UNSUPPORTED` for
/// options of a newer header. `SNOWMINT_UNKNOWN_LAYOUT`, `SNOWMINT_FIELD_OUT_OF_RANGE`,
/// `SNOWMINT_WORKER_NOT_CONFIGURED`, `SNOWMINT_EPOCH_IN_FUTURE`, `SNOWMINT_LAYOUT_EXPIRED`,
/// `SNOWMINT_WORKER_IN_USE`, `SNOWMINT_MARK_AHEAD`, `SNOWMINT_WORKERS_EXHAUSTED`, and those of the
/// store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_source_open_snowflake(
    options: Option<&snowmint_snowflake_options>,
    source: Option<&mut MaybeUninit<*mut snowmint_source>>,
) -> snowmint_status {
    let own = || {
        let options = read(options, "options")?;
        check_size::<snowmint_snowflake_options>(options.size, "snowmint_snowflake_options")?;
        // SAFETY: as the header asks.
        let users = unsafe { options.worker_store.as_ref() };
        Ok((options, users.map(UsersWorkerStore::new).transpose()?))
    };
    hand_over_of(source, own, |(options, users)| {
        // SAFETY: as the header asks.
        unsafe { open(options, users) }.map(Source::Snowflake)
    })
}

/// # Safety
/// The pointers in the options are NULL or as the header requires.
unsafe fn open(
    options: &snowmint_snowflake_options,
    users: Option<UsersWorkerStore>,
) -> Result<Snowflake> {
    // SAFETY: as the caller promises.
    let [worker_id, preset, policy_name, start, state] = unsafe { texts(options) }?;
    let mut builder = Snowflake::builder();
    let (mut policy, mut first) = (ClockPolicy::SNOWMINT, SequenceStart::Rotate);
    if let Some(name) = preset {
        let preset = names::preset(name)?;
        builder = builder.preset(preset);
        (policy, first) = (preset.policy, preset.start);
    }
    // SAFETY: as the caller promises.
    if let Some(layout) = given_or_none(unsafe { options.layout.as_ref() })? {
        builder = builder.layout(*layout);
    }
    if let Some(name) = policy_name {
        policy = names::policy(name)?;
    }
    if let Some(max_ahead_ms) = number(options.max_ahead_ms, "max_ahead_ms")? {
        policy.max_ahead_ms = max_ahead_ms;
    }
    if let Some(start) = start {
        first = names::sequence_start(start)?;
    }
    builder = builder.policy(policy).sequence_start(first);
    if let Some(worker_id) = worker_id {
        builder = builder.worker_id(worker_id.parse()?);
    }
    // SAFETY: as the caller promises.
    let store = given_or_none(unsafe { options.store.as_ref() })?;
    match (store, users) {
        (Some(_), Some(_)) => {
            return Err(errors::two_worker_stores());
        }
        (Some(store), None) => builder = builder.lease_from(Arc::clone(store) as _),
        (None, Some(users)) => builder = builder.lease_from(Arc::new(users)),
        (None, None) => {}
    }
    if let Some(directory) = state {
        builder = builder.state_directory(directory);
    }
    if let Some(reserve_ms) = number(options.reserve_ms, "reserve_ms")? {
        builder = builder.reserve_ms(reserve_ms);
    }
    if let Some(wait) = wait(options.wait_ms)? {
        builder = builder.wait(wait);
    }
    builder.open()
}

/// # Safety
/// The requirement of [`open`].
unsafe fn texts(options: &snowmint_snowflake_options) -> Result<[Option<&str>; 5]> {
    let pointers = [
        (options.worker_id, "worker_id"),
        (options.preset, "preset"),
        (options.policy, "policy"),
        (options.start, "start"),
        (options.state_directory, "state_directory"),
    ];
    let mut texts = [None; 5];
    for (place, (pointer, name)) in texts.iter_mut().zip(pointers) {
        // SAFETY: as the caller promises.
        *place = unsafe { text_or_none(pointer, name) }?;
    }
    Ok(texts)
}
