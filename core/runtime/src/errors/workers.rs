//! Errors that keep a generator from having a worker ID.

use std::env::VarError;
use std::fmt::{Debug, Display};
#[cfg(feature = "interfaces")]
use std::io;
use std::path::Path;

use snowmint_engine::Timestamp;

// Worker IDs from the environment.

errors! {
    number_missing(variable: &str, error: VarError) => WorkerNotConfigured caused_by error:
        "no worker ID: set the environment variable {variable} to a number";

    no_number(variable: &str, shown: &str) => WorkerNotConfigured:
        "{variable}={shown:?} is no worker ID: set it to a number from 0 on, digits alone and \
         without leading zeros";

    pod_missing(variable: &str, error: VarError) => WorkerNotConfigured caused_by error:
        "no worker ID: set the environment variable {variable} to the pod's name (fieldRef \
         metadata.name); the host's name is not used, as it may be that of a node";

    no_pod(variable: &str, shown: &str) => WorkerNotConfigured:
        "{variable}={shown:?} is no name of a StatefulSet's pod. That is a DNS label which ends in \
         -0, -1, … (and not in the address of a node); set it from fieldRef metadata.name, or use \
         another kind of worker ID";

    // Worker IDs from an address.

    network_of_address(text: &str, first: impl Display, prefix: &str) => InvalidParameter:
        "worker_id=ip:{text} names an address, and a network is wanted: write ip:{first}/{prefix}, \
         if that holds every host";

    network_of_one_host(text: &str) => InvalidParameter:
        "worker_id=ip:{text} is a network that each host has for itself: state the network that \
         all hosts share";

    network_too_large(
        network: impl Display,
        host_bits: u32,
        worker_bits: u32,
        prefix_bits: u32,
    ) => WorkerNotConfigured:
        "the network {network} has {host_bits} host bits and the layout {worker_bits} worker bits: \
         two hosts could get the same worker ID. State a network of /{prefix_bits} or smaller that \
         holds all hosts, or lease worker IDs from a store";

    address_missing(network: impl Display, addresses: impl Debug) => WorkerNotConfigured:
        "this host has no address in the network {network}, but {addresses:?}: state the network \
         that holds all hosts, or use another kind of worker ID";

    address_ambiguous(network: impl Display, inside: impl Debug) => WorkerNotConfigured:
        "this host has several addresses in the network {network}, {inside:?}: which one its \
         worker ID comes from cannot be told; state a smaller network, or use another kind of \
         worker ID";

    #[cfg(feature = "interfaces")]
    interfaces_unknown(error: io::Error) => WorkerNotConfigured caused_by error:
        "the network interfaces cannot be listed; use another kind of worker ID";

    #[cfg(not(feature = "interfaces"))]
    interfaces_absent() => Unsupported:
        "worker_id=ip needs the feature interfaces of the crate snowmint, which this program was \
         built without; use another kind of worker ID";

    // Fixed worker IDs.

    worker_id_of_parent(worker_id: u32) => Forked:
        "worker ID {worker_id} is its parent's: a forked child, or a restored image, needs a \
         worker ID of its own. Open a generator after the fork or the restore, or lease worker IDs \
         from a store";

    mark_ahead(now_ms: i64, worker_id: u32, floor_ms: i64, path: &Path) => MarkAhead:
        "the clock reads {}, and worker ID {worker_id} has reserved its time up to {} (in {}): set \
         the clock right, wait, or use another worker ID",
        Timestamp(now_ms), Timestamp(floor_ms), path.display();

    state_file_in_doubt() => LeaseLost:
        "the state file could not be written; it is being opened anew";

    // Leased worker IDs.

    lease_missing() => LeaseLost: "this process has no lease to renew: acquire one";

    process_restored_meanwhile() => OutcomeUnknown:
        "the process was restored while the store was asked; what it answered is not used";
}
