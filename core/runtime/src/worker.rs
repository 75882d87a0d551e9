//! Where a generator's worker ID comes from, and who reserves its time.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use snowmint_engine::{Code, FieldKind, Layout, Timestamp};

use crate::error::{Error, Result};
use crate::files::Files;
use crate::mark::MarkFile;
use crate::restore::Image;
use crate::store::{Lease, LeaseRequest, Token, WorkerStore};

/// The environment variable read unless another is named.
pub(crate) const DEFAULT_VARIABLE: &str = "SNOWMINT_WORKER_ID";
/// A mark further ahead of the clock than this, beside the slab, is not waited for.
const MAX_MARK_WAIT_MS: i64 = 5_000;

/// A worker ID that is fixed from outside. Its time is reserved in a local file, which also keeps
/// a second generator on this host from using it; that no other host has it is the operator's
/// word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worker {
    /// This number.
    Fixed(u32),
    /// The number in an environment variable.
    Environment(String),
    /// The ordinal of a Kubernetes StatefulSet's pod: the number after the last `-` of `POD_NAME`,
    /// `HOSTNAME` or the host's name.
    Ordinal,
    /// The lowest bits of this host's private IPv4 address. Refused unless the whole host part of
    /// the address fits the layout's worker bits: two hosts of one subnet then differ. Hosts of
    /// different subnets may not.
    PrivateIp,
}

impl Worker {
    /// The number, checked against the layout.
    ///
    /// # Errors
    /// [`Code::WorkerNotConfigured`] where the environment names none,
    /// [`Code::FieldOutOfRange`] where it does not fit.
    pub fn resolve(&self, layout: &Layout) -> Result<u32> {
        let worker_id = match self {
            Worker::Fixed(worker_id) => *worker_id,
            Worker::Environment(variable) => from_variable(variable)?,
            Worker::Ordinal => from_ordinal(&pod_name())?,
            Worker::PrivateIp => from_addresses(&private_addresses()?, layout)?,
        };
        let (value, max) = (u64::from(worker_id), u64::from(layout.max_worker_id()));
        if value > max {
            let field = FieldKind::Worker;
            return Err(snowmint_engine::Error::FieldOutOfRange { field, value, max }.into());
        }
        Ok(worker_id)
    }
}

fn from_variable(variable: &str) -> Result<u32> {
    let text = std::env::var(variable).map_err(|error| {
        let message = format!("no worker ID: set the environment variable {variable} to a number");
        Error::new(Code::WorkerNotConfigured, message).caused_by(error)
    })?;
    text.trim().parse().map_err(|error| {
        let message = format!("{variable}={text:?} is no worker ID: set it to a number from 0 on");
        Error::new(Code::WorkerNotConfigured, message).caused_by(error)
    })
}

fn pod_name() -> String {
    let named = ["POD_NAME", "HOSTNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    named.unwrap_or_else(host_name)
}

#[cfg(unix)]
pub(crate) fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
pub(crate) fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

fn from_ordinal(name: &str) -> Result<u32> {
    let ordinal = name.rsplit_once('-').and_then(|(_, digits)| digits.parse().ok());
    ordinal.ok_or_else(|| {
        let message = format!(
            "{name:?} is no name of a StatefulSet's pod: it should end with -0, -1, …; set \
             POD_NAME, or use another kind of worker ID"
        );
        Error::new(Code::WorkerNotConfigured, message)
    })
}

/// Private IPv4 addresses of this host, with the widths of their host parts.
fn private_addresses() -> Result<Vec<(Ipv4Addr, u32)>> {
    let interfaces = if_addrs::get_if_addrs().map_err(|error| {
        let message = "the network interfaces cannot be listed; use another kind of worker ID";
        Error::new(Code::WorkerNotConfigured, message).caused_by(error)
    })?;
    let private = interfaces.iter().filter_map(|interface| match &interface.addr {
        if_addrs::IfAddr::V4(v4) if is_private(v4.ip.into()) => {
            Some((v4.ip, (!u32::from(v4.netmask)).count_ones()))
        }
        _ => None,
    });
    Ok(private.collect())
}

fn is_private(address: IpAddr) -> bool {
    matches!(address, IpAddr::V4(v4) if v4.is_private())
}

fn from_addresses(addresses: &[(Ipv4Addr, u32)], layout: &Layout) -> Result<u32> {
    let refuse = |message: String| Err(Error::new(Code::WorkerNotConfigured, message));
    let &[(address, host_bits)] = addresses else {
        let count = addresses.len();
        return refuse(format!(
            "this host has {count} private IPv4 addresses, and exactly 1 is needed; use another \
             kind of worker ID"
        ));
    };
    if host_bits > layout.worker_bits() {
        return refuse(format!(
            "the subnet of {address} has {host_bits} host bits and the layout {} worker bits: two \
             hosts could get the same worker ID; lease worker IDs from a store",
            layout.worker_bits()
        ));
    }
    Ok(u32::from(address) & layout.max_worker_id())
}

/// Reserves the time of a generator's worker ID.
pub(crate) enum Lessor {
    Store(Arc<dyn WorkerStore>),
    Mark(Box<MarkedWorker>),
}

impl Lessor {
    /// A worker ID and its first reserved time; `now_ms` is the caller's time.
    pub(crate) fn acquire(&self, request: &LeaseRequest, now_ms: i64) -> Result<Lease> {
        match self {
            Lessor::Store(store) => store.acquire(request),
            Lessor::Mark(worker) => worker.acquire(request, now_ms),
        }
    }

    /// The same lease with more time.
    pub(crate) fn renew(
        &self,
        lease: &Lease,
        next: Token,
        slab_ms: u32,
        now_ms: i64,
    ) -> Result<Lease> {
        match self {
            Lessor::Store(store) => store.renew(lease, next, slab_ms),
            Lessor::Mark(worker) => worker.renew(lease, slab_ms, now_ms),
        }
    }

    /// Gives the worker ID up; everything issued lies below `reached_ms`.
    pub(crate) fn release(&self, lease: &Lease, reached_ms: i64) -> Result<()> {
        match self {
            Lessor::Store(store) => store.release(lease),
            Lessor::Mark(worker) => worker.release(reached_ms),
        }
    }

    /// Drops what other images of this process may have, too.
    pub(crate) fn forget(&self) {
        match self {
            Lessor::Store(_) => {}
            Lessor::Mark(worker) => worker.forget(),
        }
    }

    /// Whether it has other worker IDs to give.
    pub(crate) fn can_change(&self) -> bool {
        matches!(self, Lessor::Store(_))
    }

    /// Whether the store's clock tells the time.
    pub(crate) fn tells_time(&self) -> bool {
        matches!(self, Lessor::Store(_))
    }
}

/// A fixed worker ID, its time reserved in a file that this process has locked.
pub(crate) struct MarkedWorker {
    worker_id: u32,
    realm: String,
    path: PathBuf,
    files: Arc<dyn Files>,
    image: Image,
    mark: Mutex<Mark>,
}

enum Mark {
    Held(MarkFile),
    /// A write failed: what the file holds is in doubt, until it is opened anew.
    InDoubt,
    Released,
}

impl MarkedWorker {
    /// Locks the worker ID's state file.
    pub(crate) fn open(
        files: Arc<dyn Files>,
        path: PathBuf,
        realm: String,
        worker_id: u32,
    ) -> Result<MarkedWorker> {
        let image = Image::present();
        let mark = Mutex::new(Mark::Held(MarkFile::open(&*files, &path, &realm, worker_id)?));
        Ok(MarkedWorker { worker_id, realm, path, files, image, mark })
    }

    fn acquire(&self, request: &LeaseRequest, now_ms: i64) -> Result<Lease> {
        let slab_ms = i64::from(request.slab_ms);
        let mut mark = self.locked()?;
        if matches!(*mark, Mark::InDoubt) {
            let reopened = MarkFile::open(&*self.files, &self.path, &self.realm, self.worker_id);
            *mark = Mark::Held(reopened?);
        }
        let file = mark.held()?;
        let floor_ms = file.reserved_ms().unwrap_or(i64::MIN).max(now_ms);
        if floor_ms.saturating_sub(now_ms) > slab_ms.saturating_add(MAX_MARK_WAIT_MS) {
            return Err(self.mark_ahead(floor_ms, now_ms));
        }
        let reserved_ms = now_ms.saturating_add(slab_ms).max(floor_ms);
        mark.reserve(reserved_ms)?;
        Ok(Lease {
            realm: request.realm.clone(),
            worker_id: self.worker_id,
            epoch: 0,
            owner: request.owner.clone(),
            token: request.token,
            floor_ms,
            reserved_ms,
            now_ms,
        })
    }

    fn renew(&self, lease: &Lease, slab_ms: u32, now_ms: i64) -> Result<Lease> {
        let reserved_ms = now_ms.saturating_add(i64::from(slab_ms)).max(lease.reserved_ms);
        self.locked()?.reserve(reserved_ms)?;
        Ok(Lease { reserved_ms, now_ms, ..lease.clone() })
    }

    fn release(&self, reached_ms: i64) -> Result<()> {
        match std::mem::replace(&mut *self.locked()?, Mark::Released) {
            Mark::Held(file) => file.release(reached_ms),
            Mark::InDoubt | Mark::Released => Ok(()),
        }
    }

    /// Unlocks the state file as it is, so that it can be opened anew in a restored image.
    fn forget(&self) {
        *self.mark.lock().unwrap_or_else(PoisonError::into_inner) = Mark::Released;
    }

    /// The mark, if this is the process that locked it. A child's copy of the mutex may be held
    /// for ever by a thread of the parent: the image is looked at first.
    fn locked(&self) -> Result<MutexGuard<'_, Mark>> {
        if !self.image.is_present() {
            let message = format!(
                "worker ID {} is its parent's: a forked child, or a restored image, needs a \
                 worker ID of its own; open a generator after the fork or the restore, or lease \
                 worker IDs from a store",
                self.worker_id
            );
            return Err(Error::new(Code::Forked, message));
        }
        Ok(self.mark.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn mark_ahead(&self, floor_ms: i64, now_ms: i64) -> Error {
        let message = format!(
            "the clock reads {}, and worker ID {} has reserved its time up to {} (in {}): set the \
             clock right, wait, or use another worker ID",
            Timestamp(now_ms),
            self.worker_id,
            Timestamp(floor_ms),
            self.path.display()
        );
        Error::new(Code::MarkAhead, message)
    }
}

impl Mark {
    fn held(&mut self) -> Result<&mut MarkFile> {
        match self {
            Mark::Held(file) => Ok(file),
            Mark::InDoubt => {
                let message = "the state file could not be written; it is being opened anew";
                Err(Error::new(Code::LeaseLost, message))
            }
            Mark::Released => Err(snowmint_engine::Error::Closed.into()),
        }
    }

    /// Reserves. After a failure the file must be opened anew: it is given up here, and with it
    /// the lock, which another process may then have.
    fn reserve(&mut self, reserved_ms: i64) -> Result<()> {
        let reserved = self.held()?.reserve(reserved_ms);
        if reserved.is_err() {
            *self = Mark::InDoubt;
        }
        reserved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinal_is_the_number_after_the_last_dash() {
        assert_eq!(from_ordinal("web-3").unwrap(), 3);
        assert_eq!(from_ordinal("ids-a-12").unwrap(), 12);
        for name in ["", "web", "web-", "web-x", "web-99999999999"] {
            assert_eq!(from_ordinal(name).unwrap_err().code(), Code::WorkerNotConfigured);
        }
    }

    #[test]
    fn an_address_counts_only_if_its_subnet_fits_the_worker_bits() {
        let address = Ipv4Addr::new(10, 0, 2, 7);
        let twitter = &Layout::TWITTER;
        assert_eq!(from_addresses(&[(address, 10)], twitter).unwrap(), 2 * 256 + 7);
        let refused: [&[_]; 3] = [&[(address, 11)], &[], &[(address, 8), (address, 8)]];
        for addresses in refused {
            let error = from_addresses(addresses, twitter).unwrap_err();
            assert_eq!(error.code(), Code::WorkerNotConfigured);
        }
    }

    #[test]
    fn a_worker_id_must_fit_the_layout() {
        let error = Worker::Fixed(1024).resolve(&Layout::TWITTER).unwrap_err();
        assert_eq!(error.code(), Code::FieldOutOfRange);
        assert_eq!(Worker::Fixed(1023).resolve(&Layout::TWITTER).unwrap(), 1023);
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let worker = Worker::Environment("SNOWMINT_TEST_UNSET".into());
        let error = worker.resolve(&Layout::TWITTER).unwrap_err();
        assert_eq!(error.code(), Code::WorkerNotConfigured);
        assert!(error.to_string().contains("SNOWMINT_TEST_UNSET"));
    }
}
