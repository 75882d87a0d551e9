//! What keeps a generator from having a worker ID.

use std::env::VarError;
use std::fmt::{Debug, Display};
#[cfg(feature = "interfaces")]
use std::io;
use std::path::Path;

use snowmint_engine::{Code, Timestamp};

use crate::error::Error;

// Worker IDs from the environment.

pub(crate) fn number_missing(variable: &str, error: VarError) -> Error {
    let message = format!("no worker ID: set the environment variable {variable} to a number");
    Error::new(Code::WorkerNotConfigured, message).caused_by(error)
}

pub(crate) fn no_number(variable: &str, shown: &str) -> Error {
    let message = format!(
        "{variable}={shown:?} is no worker ID: set it to a number from 0 on, digits alone and \
         without leading zeros"
    );
    Error::new(Code::WorkerNotConfigured, message)
}

pub(crate) fn pod_missing(variable: &str, error: VarError) -> Error {
    let message = format!(
        "no worker ID: set the environment variable {variable} to the pod's name (fieldRef \
         metadata.name); the host's name is not used, as it may be that of a node"
    );
    Error::new(Code::WorkerNotConfigured, message).caused_by(error)
}

pub(crate) fn no_pod(variable: &str, shown: &str) -> Error {
    let message = format!(
        "{variable}={shown:?} is no name of a StatefulSet's pod: that is a DNS label which ends in \
         -0, -1, … (and not in the address of a node); set it from fieldRef metadata.name, or use \
         another kind of worker ID"
    );
    Error::new(Code::WorkerNotConfigured, message)
}

// Worker IDs from an address.

pub(crate) fn network_of_address(text: &str, first: impl Display, prefix: &str) -> Error {
    let message = format!(
        "worker_id=ip:{text} names an address, and a network is wanted: write ip:{first}/{prefix}, \
         if that holds every host"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn network_of_one_host(text: &str) -> Error {
    let message = format!(
        "worker_id=ip:{text} is a network that each host has for itself: state the network that \
         all hosts share"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn network_too_large(
    network: impl Display,
    host_bits: u32,
    worker_bits: u32,
    prefix_bits: u32,
) -> Error {
    let message = format!(
        "the network {network} has {host_bits} host bits and the layout {worker_bits} worker bits: \
         two hosts could get the same worker ID; state a network of /{prefix_bits} or smaller that \
         holds all hosts, or lease worker IDs from a store"
    );
    Error::new(Code::WorkerNotConfigured, message)
}

pub(crate) fn address_missing(network: impl Display, addresses: impl Debug) -> Error {
    let message = format!(
        "this host has no address in the network {network}, but {addresses:?}: state the network \
         that holds all hosts, or use another kind of worker ID"
    );
    Error::new(Code::WorkerNotConfigured, message)
}

pub(crate) fn address_ambiguous(network: impl Display, inside: impl Debug) -> Error {
    let message = format!(
        "this host has several addresses in the network {network}, {inside:?}: which one its \
         worker ID comes from cannot be told; state a smaller network, or use another kind of \
         worker ID"
    );
    Error::new(Code::WorkerNotConfigured, message)
}

#[cfg(feature = "interfaces")]
pub(crate) fn interfaces_unknown(error: io::Error) -> Error {
    let message = "the network interfaces cannot be listed; use another kind of worker ID";
    Error::new(Code::WorkerNotConfigured, message).caused_by(error)
}

#[cfg(not(feature = "interfaces"))]
pub(crate) fn interfaces_absent() -> Error {
    let message = "worker_id=ip needs the feature interfaces of the crate snowmint, which this \
                   program was built without; use another kind of worker ID";
    Error::new(Code::Unsupported, message)
}

// Fixed worker IDs.

pub(crate) fn worker_id_of_parent(worker_id: u32) -> Error {
    let message = format!(
        "worker ID {worker_id} is its parent's: a forked child, or a restored image, needs a \
         worker ID of its own; open a generator after the fork or the restore, or lease worker IDs \
         from a store"
    );
    Error::new(Code::Forked, message)
}

pub(crate) fn mark_ahead(now_ms: i64, worker_id: u32, floor_ms: i64, path: &Path) -> Error {
    let message = format!(
        "the clock reads {}, and worker ID {worker_id} has reserved its time up to {} (in {}): set \
         the clock right, wait, or use another worker ID",
        Timestamp(now_ms),
        Timestamp(floor_ms),
        path.display()
    );
    Error::new(Code::MarkAhead, message)
}

pub(crate) fn state_file_in_doubt() -> Error {
    let message = "the state file could not be written; it is being opened anew";
    Error::new(Code::LeaseLost, message)
}

// Leased worker IDs.

pub(crate) fn lease_missing() -> Error {
    Error::new(Code::LeaseLost, "this process has no lease to renew: acquire one")
}

pub(crate) fn process_restored_meanwhile() -> Error {
    let message =
        "the process was restored while the store was asked; what it answered is not used";
    Error::new(Code::OutcomeUnknown, message)
}
