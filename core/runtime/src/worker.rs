//! The origin of a generator's worker ID.

use std::str::FromStr;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{FieldKind, Layout};

use crate::error::{Error, Result};
use crate::errors;
use crate::secrets;
use crate::url::invalid;

mod fixed;
mod ids;
mod leased;
mod network;
mod reservation;

pub use fixed::change_state_layout;
pub(crate) use fixed::{FIRST_MARK_MS, FixedWorkerId, MarkTerms};
pub(crate) use ids::WorkerIds;
pub(crate) use leased::{StoreWorkerIds, Terms};
pub use network::Network;
pub(crate) use reservation::Reservation;

/// The default environment variable of `env`.
pub(crate) const DEFAULT_VARIABLE: &str = "SNOWMINT_WORKER_ID";
/// The default environment variable of `ordinal`.
const POD_VARIABLE: &str = "POD_NAME";

/// The text forms of a worker ID.
pub(crate) const WORKERS: &str =
    "a number without sign or leading zeros, env, env:NAME, ordinal, ordinal:NAME or ip:NETWORK";
/// The longest name of a StatefulSet's pod, because it is also a label.
const LABEL_LENGTH_MAX: usize = 63;

/// A worker ID that you assign. Its time is reserved in a local file, which also keeps a second
/// generator with the same file from using it. You have to make sure that no other generator has
/// the worker ID: on another host, as another user, in another container or with another state
/// directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorkerId {
    /// The number itself.
    Fixed(u32),
    /// The number in an environment variable: only digits, without leading zeros.
    Environment(String),
    /// The ordinal of a Kubernetes StatefulSet's pod, which is the number after the last `-` of its
    /// name. The name is in an environment variable; the text form `ordinal` means the variable
    /// `POD_NAME`.
    Ordinal(String),
    /// The host part of this host's address in a network. Every host that mints with the layout
    /// must have exactly one address in it. Needs the feature `interfaces`.
    Address(Network),
}

impl WorkerId {
    /// Returns the number, checked against the layout.
    ///
    /// # Errors
    /// [`Code::WorkerNotConfigured`] if the environment or the host's addresses name none,
    /// [`Code::FieldOutOfRange`] if it does not fit, [`Code::Unsupported`] for an address without
    /// the feature `interfaces`.
    pub fn resolve(&self, layout: &Layout) -> Result<u32> {
        let worker_id = match self {
            WorkerId::Fixed(worker_id) => *worker_id,
            WorkerId::Environment(variable) => from_variable(variable)?,
            WorkerId::Ordinal(variable) => from_pod(variable)?,
            WorkerId::Address(network) => network.worker_id(layout)?,
        };
        let (value, max) = (u64::from(worker_id), u64::from(layout.max_worker_id()));
        if value > max {
            let field = FieldKind::Worker;
            return Err(snowmint_engine::Error::FieldOutOfRange { field, value, max }.into());
        }
        Ok(worker_id)
    }
}

/// Parses a number, `env`, `env:NAME`, `ordinal`, `ordinal:NAME` or `ip:NETWORK`.
impl FromStr for WorkerId {
    type Err = Error;

    fn from_str(text: &str) -> Result<WorkerId> {
        Ok(match text.split_once(':').unwrap_or((text, "")) {
            ("env", "") => WorkerId::Environment(DEFAULT_VARIABLE.to_owned()),
            ("env", name) => WorkerId::Environment(name.to_owned()),
            ("ordinal", "") => WorkerId::Ordinal(POD_VARIABLE.to_owned()),
            ("ordinal", name) => WorkerId::Ordinal(name.to_owned()),
            ("ip", network) => WorkerId::Address(network.parse()?),
            _ => {
                let fixed = canonical(text).ok_or_else(|| invalid("worker_id", text, WORKERS))?;
                WorkerId::Fixed(fixed)
            }
        })
    }
}

/// Parses a number of only digits, without leading zeros.
fn canonical(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

fn from_variable(variable: &str) -> Result<u32> {
    let text = std::env::var(variable)
        .map_err(|error| errors::workers::number_missing(variable, error))?;
    canonical(&text)
        .ok_or_else(|| errors::workers::no_number(variable, secrets::shown(variable, &text)))
}

fn from_pod(variable: &str) -> Result<u32> {
    let name =
        std::env::var(variable).map_err(|error| errors::workers::pod_missing(variable, error))?;
    ordinal(&name).ok_or_else(|| errors::workers::no_pod(variable, secrets::shown(variable, &name)))
}

/// The ordinal in the name of a StatefulSet's pod, such as `web-3`. A name that ends in four octets
/// is the address of a node, such as `ip-10-0-1-23`.
fn ordinal(name: &str) -> Option<u32> {
    let is_of_a_label =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.len() > LABEL_LENGTH_MAX || !name.bytes().all(is_of_a_label) {
        return None;
    }
    let (set, digits) = name.rsplit_once('-')?;
    let octets = name.rsplit('-').take(4).filter(|part| part.parse::<u8>().is_ok()).count();
    if set.is_empty() || set.starts_with('-') || set.ends_with('-') || octets == 4 {
        return None;
    }
    canonical(digits)
}

#[cfg(unix)]
pub(crate) fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
pub(crate) fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn an_ordinal_ends_the_name_of_a_statefulsets_pod() {
        let label = format!("{}-0", "a".repeat(61));
        let named = [("web-3", 3), ("ids-a-12", 12), ("web-0", 0), ("a-1-2-3", 3), (&label, 0)];
        for (name, expected) in named {
            assert_eq!(ordinal(name), Some(expected), "{name}");
        }
        let no_pods = ["", "web", "web-", "web-x", "-1", "--1", "web--1", "web-99999999999"];
        let not_canonical = ["web-01", "web-+1", "web- 1", "web-1 ", "Web-1", "web-1.local"];
        let of_nodes = ["ip-10-0-1-23", "10-0-1-23", "pool-a-10-0-1-23"];
        let too_long = format!("{}-0", "a".repeat(62));
        let refused = no_pods.into_iter().chain(not_canonical).chain(of_nodes);
        for name in refused.chain([too_long.as_str()]) {
            assert_eq!(ordinal(name), None, "{name}");
        }
    }

    #[test]
    fn a_number_has_canonical_digits() {
        for (text, number) in [("0", 0), ("7", 7), ("4294967295", u32::MAX)] {
            assert_eq!(text.parse::<WorkerId>().unwrap(), WorkerId::Fixed(number));
        }
        for text in ["", "+7", "007", "7 ", " 7", "-0", "4294967296", "٧"] {
            assert_eq!(canonical(text), None, "{text}");
            let error = text.parse::<WorkerId>().unwrap_err();
            assert_eq!(error.code(), Code::InvalidParameter);
        }
    }

    #[test]
    fn a_worker_id_must_fit_the_layout() {
        let error = WorkerId::Fixed(1024).resolve(&Layout::TWITTER).unwrap_err();
        assert_eq!(error.code(), Code::FieldOutOfRange);
        assert_eq!(WorkerId::Fixed(1023).resolve(&Layout::TWITTER).unwrap(), 1023);
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let unset = || "SNOWMINT_TEST_UNSET".to_owned();
        for worker in [WorkerId::Environment(unset()), WorkerId::Ordinal(unset())] {
            let error = worker.resolve(&Layout::TWITTER).unwrap_err();
            assert_eq!(error.code(), Code::WorkerNotConfigured);
            assert!(error.to_string().contains("SNOWMINT_TEST_UNSET"));
        }
    }
}
