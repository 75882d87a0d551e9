//! The errors of a server that took another's place, and of its confirmation by an operator.

use super::errors;
use crate::error::Error;
use crate::store::{Incarnation, LeaseRequest};

/// The error of such a server while it gives no worker ID. `terms` are the store's for the table
/// and the time.
pub(in crate::store) fn waits(
    request: &LeaseRequest,
    wait_ms: i64,
    longest_ms: i64,
    terms: [&str; 2],
) -> Error {
    errors::leases_unknown(&request.realm, wait_ms, longest_ms, terms)
}

/// The error of a server that gives no worker ID until an operator has confirmed it.
pub(in crate::store) fn leases_unvouched(request: &LeaseRequest, server: &str) -> Error {
    errors::leases_unvouched(&request.realm, server)
}

/// Returns the advice that ends the refusals of a server.
pub(in crate::store) fn cure(server: &Option<Incarnation>) -> String {
    errors::recovery(named(server))
}

/// The error for a confirmation of another server.
pub(in crate::store) fn another(
    vouched: &Option<Incarnation>,
    present: &Option<Incarnation>,
) -> Error {
    errors::server_not_vouched_for(named(present), named(vouched))
}

fn named(server: &Option<Incarnation>) -> &str {
    server.as_deref().unwrap_or("unknown")
}
