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

/// How a snowflake mints. Begin with `SNOWMINT_SNOWFLAKE_OPTIONS_INIT`, which sets everything to its
/// default, and set one of `worker_id`, `store` and `worker_store`. Texts and handles are read during
/// the call alone; a store that is used lives on inside the source.
#[repr(C)]
pub struct snowmint_snowflake_options {
    /// `sizeof(snowmint_snowflake_options)`.
    pub size: usize,
    /// A fixed worker ID: `7`, `env`, `env:NAME`, `ordinal` or `ordinal:NAME` (of a StatefulSet's
    /// pod), `ip:10.0.4.0/22` (a network that holds all hosts). Its time is reserved in a local file,
    /// which keeps a second generator with that file from using it; that no other has it is the
    /// caller's word.
    pub worker_id: *const c_char,
    /// A store to lease the worker ID from.
    pub store: *const snowmint_store,
    /// A store of the caller's own to lease the worker ID from.
    pub worker_store: *const snowmint_worker_store,
    /// A system whose layout, clock policy and sequence start to mint with: `leaf`. NULL: none. The
    /// fields below come before it.
    pub preset: *const c_char,
    /// The layout. NULL: the preset's, or Twitter's.
    pub layout: *const snowmint_layout,
    /// A clock policy by its name. NULL: the preset's, or `snowmint`.
    pub policy: *const c_char,
    /// Where a fresh tick's sequence begins: `zero`, `vibrate:MAX`, `random:BELOW`, `rotate`. NULL:
    /// the preset's, or `rotate`.
    pub start: *const c_char,
    /// The directory of a fixed worker ID's state file, to be kept over restarts. NULL: the user's
    /// state directory.
    pub state_directory: *const c_char,
    /// How far an ID's time may run ahead of the clock, milliseconds: so much later than its minting
    /// an ID can be dated. Up to 3600000; 0 never borrows: a full tick waits for the next.
    /// `SNOWMINT_UNSET`: the policy's, 1000 of `snowmint`.
    pub max_ahead_ms: i64,
    /// How much time a renewal reserves, 100 to 3600000 milliseconds: of a fixed worker ID always
    /// (`SNOWMINT_UNSET`: 1000), of a leased one at most (`SNOWMINT_UNSET`: 60000), once it has
    /// lived as long. At least twice `max_ahead_ms`, and four ticks.
    pub reserve_ms: i64,
    /// How long a call waits for an ID, milliseconds; 0 never waits. `SNOWMINT_UNSET`: 5000.
    pub wait_ms: i64,
}

/// Opens a snowflake. `source` receives a handle that the caller ends with `snowmint_source_free`; on an
/// error it is left as it is. The call may block: it opens files and calls the store.
///
/// Order: IDs rise strictly if time is the layout's top field and the policy neither changes workers
/// nor counts rollbacks. Overflow: a full tick borrows from the future up to `max_ahead_ms`, then
/// waits without spinning. Clock rollback: as the policy says; no ID is ever repeated. Fork: a child
/// leases a worker ID of its own; with a fixed one it fails with `SNOWMINT_FORKED`. Crash: the next
/// holder of the worker ID begins above everything issued.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` without a worker ID or with two, for a number out of range,
/// or for a layout whose ticks are longer than 40 minutes; `SNOWMINT_UNSUPPORTED` for options of a
/// newer header; `SNOWMINT_UNKNOWN_LAYOUT`, `SNOWMINT_FIELD_OUT_OF_RANGE`,
/// `SNOWMINT_WORKER_NOT_CONFIGURED`, `SNOWMINT_EPOCH_IN_FUTURE`, `SNOWMINT_LAYOUT_EXPIRED`,
/// `SNOWMINT_WORKER_IN_USE`, `SNOWMINT_MARK_AHEAD`, `SNOWMINT_WORKERS_EXHAUSTED`; those of the store.
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
/// The pointers in the options are NULL or what the header says.
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
/// As [`open`].
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
