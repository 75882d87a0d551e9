//! Where a generator's worker ID comes from.

#[cfg(feature = "interfaces")]
use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::str::FromStr;

use snowmint_engine::{Code, FieldKind, Layout};

use crate::error::{Error, Result};
use crate::secrets;
use crate::url::invalid;

mod fixed;
mod leased;
mod lessor;
mod tenure;

pub(crate) use fixed::{FIRST_MARK_MS, MarkTerms, MarkedWorker};
pub(crate) use leased::{LeasedWorker, Terms};
pub(crate) use lessor::Lessor;
pub(crate) use tenure::Tenure;

/// The environment variable read unless another is named.
pub(crate) const DEFAULT_VARIABLE: &str = "SNOWMINT_WORKER_ID";

/// What a worker ID may be written as.
pub(crate) const WORKERS: &str = "a number, env, env:NAME, ordinal or ip";

/// A worker ID that is fixed from outside. Its time is reserved in a local file, which also keeps
/// a second generator from using it: one that uses the same file. That no other has it, on another
/// host, of another user, in another container or state directory, is the operator's word.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    /// different subnets may not. Needs the feature `interfaces`.
    PrivateIp,
}

impl Worker {
    /// The number, checked against the layout.
    ///
    /// # Errors
    /// [`Code::WorkerNotConfigured`] where the environment names none,
    /// [`Code::FieldOutOfRange`] where it does not fit, [`Code::Unsupported`] for an address without
    /// the feature `interfaces`.
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

/// A worker ID written as a number, `env`, `env:NAME`, `ordinal` or `ip`.
impl FromStr for Worker {
    type Err = Error;

    fn from_str(text: &str) -> Result<Worker> {
        Ok(match text.split_once(':').unwrap_or((text, "")) {
            ("env", "") => Worker::Environment(DEFAULT_VARIABLE.to_owned()),
            ("env", name) => Worker::Environment(name.to_owned()),
            ("ordinal", "") => Worker::Ordinal,
            ("ip", "") => Worker::PrivateIp,
            _ => {
                let fixed = text.parse().map_err(|_| invalid("worker", text, WORKERS))?;
                Worker::Fixed(fixed)
            }
        })
    }
}

fn from_variable(variable: &str) -> Result<u32> {
    let text = std::env::var(variable).map_err(|error| {
        let message = format!("no worker ID: set the environment variable {variable} to a number");
        Error::new(Code::WorkerNotConfigured, message).caused_by(error)
    })?;
    text.trim().parse().map_err(|error| {
        let shown = secrets::shown(variable, &text);
        let message = format!("{variable}={shown:?} is no worker ID: set it to a number from 0 on");
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
#[cfg(feature = "interfaces")]
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

#[cfg(not(feature = "interfaces"))]
fn private_addresses() -> Result<Vec<(Ipv4Addr, u32)>> {
    let message = "worker=ip needs the feature interfaces of the crate snowmint, which this program \
                   was built without; use another kind of worker ID";
    Err(Error::new(Code::Unsupported, message))
}

#[cfg(feature = "interfaces")]
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
