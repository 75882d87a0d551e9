//! The errors of a server that took another's place, and of its confirmation by an operator.

use super::errors;
use crate::error::Error;
use crate::store::Incarnation;
use crate::store::errors::leases::recovery;

/// Returns the advice that ends the refusals of a server.
pub(in crate::store) fn cure(server: &Option<Incarnation>) -> String {
    recovery(named(server))
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
