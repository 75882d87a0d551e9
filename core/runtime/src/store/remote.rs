//! What stores on servers have in common: deadlines, the way to a server, TLS, connections that are
//! kept, and what is said of a server that took another's place.

pub(super) mod columns;
pub(super) mod deadline;
pub(crate) mod link;
mod look_ups;
pub(super) mod pool;
pub(super) mod succession;
pub(super) mod tls;
