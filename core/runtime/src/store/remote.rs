//! What stores on servers have in common: deadlines, the way to a server, TLS, connections that are
//! kept.

pub(super) mod columns;
pub(super) mod deadline;
pub(crate) mod link;
mod look_ups;
pub(super) mod pool;
pub(super) mod tls;
