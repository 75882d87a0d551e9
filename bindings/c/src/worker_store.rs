//! Worker IDs leased from functions of the caller.

use std::ffi::{CString, c_char, c_int, c_void};

use snowmint::{Call, Lease, LeaseRequest, Result, Token, WorkerStore};

use crate::argument::check_set_size;
use crate::cancellation::forbid;
use crate::errors;
use crate::segment::{Context, snowmint_release};

/// A worker ID with the time reserved for it. The holder may issue IDs whose time lies in
/// `[floor_ms, reserved_ms)`. Nobody else may ever do so under that worker ID.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_lease {
    /// The number of acquisitions of this worker ID.
    pub epoch: u64,
    /// The first Unix millisecond that the holder may use.
    pub floor_ms: i64,
    /// The first Unix millisecond that it may not use.
    pub reserved_ms: i64,
    /// The store's clock when it granted the lease, in Unix milliseconds.
    pub now_ms: i64,
    /// The worker ID.
    pub worker_id: u32,
    /// The token. It changes at every renewal, so that only one of two copies of a process can
    /// renew.
    pub token: [u8; 16],
}

/// A request for a lease. The texts are valid during the call.
#[repr(C)]
pub struct snowmint_lease_request {
    /// The realm: the layout's canonical text. Leases of different realms do not affect each other.
    pub realm: *const c_char,
    /// The name of the holder: host, process and a random part.
    pub owner: *const c_char,
    /// The largest worker ID of the layout.
    pub max_worker_id: u32,
    /// The time to reserve ahead of the store's clock, and the life of the lease without renewal,
    /// in milliseconds. At most `SNOWMINT_MAX_RESERVE_MS`, and a day more if the store's clock was
    /// set back.
    pub reserve_ms: u32,
    /// The largest lead over the store's clock that the generator can use, in milliseconds. A
    /// worker ID may be taken only if its reserved time lies ahead by at most this and by at most
    /// three quarters of `reserve_ms`.
    pub max_ahead_ms: u32,
    /// True if `avoid` is set.
    pub has_avoid: bool,
    /// A worker ID not to take, because the generator just left it when its clock went back.
    pub avoid: u32,
    /// The lease's first token.
    pub token: [u8; 16],
}

/// Functions of yours that lease worker IDs from a database. Each function works in one transaction
/// with the database's clock, and returns 0 once that is durable. Any other value is a failure. A
/// status is passed on, for example `SNOWMINT_WORKERS_EXHAUSTED` or `SNOWMINT_LEASE_LOST`; a value
/// that is no status counts as `SNOWMINT_STORE_UNAVAILABLE`. The intervals `[floor_ms,
/// reserved_ms)` of one worker ID must be disjoint and must rise: uniqueness depends on it.
///
/// The functions that open a source call them, and so does one thread of the library. They must
/// return: leaving them by `longjmp`, an exception or `pthread_exit` is forbidden, and aborts the
/// process. They may call the library, but not with the source that they serve. A forked child
/// calls them with the same `context`, and needs a connection of its own there.
#[repr(C)]
pub struct snowmint_worker_store {
    /// `sizeof(snowmint_worker_store)`.
    pub size: usize,
    /// The first argument of the functions.
    pub context: *mut c_void,
    /// Takes a free worker ID, with a floor at or above every `reserved_ms` before it. Each call
    /// takes another worker ID, even for the same owner and token, because copies of a process have
    /// the same.
    pub acquire: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            request: *const snowmint_lease_request,
            lease: *mut snowmint_lease,
        ) -> c_int,
    >,
    /// Reserves `reserve_ms` from the store's clock on and replaces the token by `next_token`, if
    /// the row still has this epoch and token. A repeat of the same renewal succeeds again. `lease`
    /// holds the present lease and receives the renewed lease.
    pub renew: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            request: *const snowmint_lease_request,
            lease: *mut snowmint_lease,
            next_token: *const u8,
        ) -> c_int,
    >,
    /// Ends a lease. A lease that is already lost is no error.
    pub release_lease: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            request: *const snowmint_lease_request,
            lease: *const snowmint_lease,
        ) -> c_int,
    >,
    /// The library calls it when `context` is no longer needed, also if opening fails, except for a
    /// wrong `size` here or in the options. It may be NULL.
    pub release: snowmint_release,
}

type Acquire =
    unsafe extern "C" fn(*mut c_void, *const snowmint_lease_request, *mut snowmint_lease) -> c_int;
type Renew = unsafe extern "C" fn(
    *mut c_void,
    *const snowmint_lease_request,
    *mut snowmint_lease,
    *const u8,
) -> c_int;
type ReleaseLease = unsafe extern "C" fn(
    *mut c_void,
    *const snowmint_lease_request,
    *const snowmint_lease,
) -> c_int;

/// The caller's functions as a store.
pub(crate) struct UsersWorkerStore {
    acquire: Acquire,
    renew: Renew,
    release: ReleaseLease,
    context: Context,
}

impl UsersWorkerStore {
    pub(crate) fn new(users: &snowmint_worker_store) -> Result<UsersWorkerStore> {
        check_set_size::<snowmint_worker_store>(users.size, "snowmint_worker_store")?;
        let context = Context { context: users.context, release: users.release };
        let (Some(acquire), Some(renew), Some(release)) =
            (users.acquire, users.renew, users.release_lease)
        else {
            return Err(errors::worker_store_incomplete());
        };
        Ok(UsersWorkerStore { acquire, renew, release, context })
    }
}

/// The texts of a request, with the zeros that C needs.
struct Names {
    realm: CString,
    owner: CString,
}

impl Names {
    fn new(realm: &str, owner: &str) -> Names {
        let text = |text: &str| CString::new(text).unwrap_or_default();
        Names { realm: text(realm), owner: text(owner) }
    }

    fn of_lease(lease: &Lease) -> Names {
        Names::new(&lease.realm, &lease.owner)
    }

    fn request(&self, reserve_ms: u32, token: Token) -> snowmint_lease_request {
        snowmint_lease_request {
            realm: self.realm.as_ptr(),
            owner: self.owner.as_ptr(),
            max_worker_id: 0,
            reserve_ms,
            max_ahead_ms: 0,
            has_avoid: false,
            avoid: 0,
            token,
        }
    }
}

impl From<&Lease> for snowmint_lease {
    fn from(lease: &Lease) -> snowmint_lease {
        snowmint_lease {
            epoch: lease.epoch,
            floor_ms: lease.floor_ms,
            reserved_ms: lease.reserved_ms,
            now_ms: lease.now_ms,
            worker_id: lease.worker_id,
            token: lease.token,
        }
    }
}

fn granted(lease: &snowmint_lease, realm: &str, owner: &str) -> Lease {
    let mut granted = Lease::new(realm, lease.worker_id, owner, lease.token);
    granted.epoch = lease.epoch;
    granted.floor_ms = lease.floor_ms;
    granted.reserved_ms = lease.reserved_ms;
    granted.now_ms = lease.now_ms;
    granted
}

/// Calls one of the functions, and returns an error if it returned one.
fn judged(what: &str, call: impl FnOnce() -> c_int) -> Result<()> {
    let returned = forbid(call);
    if returned == 0 {
        return Ok(());
    }
    Err(errors::worker_store_failed(what, returned))
}

impl WorkerStore for UsersWorkerStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        let names = Names::new(&request.realm, &request.owner);
        let asked = snowmint_lease_request {
            max_worker_id: request.max_worker_id,
            max_ahead_ms: request.max_ahead_ms,
            has_avoid: request.avoid.is_some(),
            avoid: request.avoid.unwrap_or(0),
            ..names.request(request.reserve_ms, call.attempt)
        };
        let mut lease = snowmint_lease {
            epoch: 0,
            floor_ms: 0,
            reserved_ms: 0,
            now_ms: 0,
            worker_id: 0,
            token: call.attempt,
        };
        let context = self.context.context;
        // SAFETY: the header asks for a function that takes these.
        judged("acquire", || unsafe { (self.acquire)(context, &raw const asked, &raw mut lease) })?;
        Ok(granted(&lease, &request.realm, &request.owner))
    }

    fn renew(&self, held: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        let names = Names::of_lease(held);
        let asked = names.request(reserve_ms, held.token);
        let mut lease = snowmint_lease::from(held);
        let context = self.context.context;
        let (asked, place, next) = (&raw const asked, &raw mut lease, call.attempt.as_ptr());
        // SAFETY: the header asks for a function that takes these.
        judged("renew", || unsafe { (self.renew)(context, asked, place, next) })?;
        Ok(granted(&lease, &held.realm, &held.owner))
    }

    fn release(&self, held: &Lease, _: &Call) -> Result<()> {
        let names = Names::of_lease(held);
        let asked = names.request(0, held.token);
        let lease = snowmint_lease::from(held);
        let context = self.context.context;
        let (asked, place) = (&raw const asked, &raw const lease);
        // SAFETY: the header asks for a function that takes these.
        judged("release_lease", || unsafe { (self.release)(context, asked, place) })
    }
}
