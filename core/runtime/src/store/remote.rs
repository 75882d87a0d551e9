//! Shared parts of stores on servers: deadlines, connections, TLS, connection pools, and the
//! messages of a server that took another's place.

pub(super) mod blocking;
pub(super) mod deadline;
#[cfg(feature = "service")]
pub(super) mod dns;
pub(super) mod errors;
#[cfg(any(feature = "etcd", feature = "service"))]
pub(super) mod http;
pub(crate) mod link;
pub(super) mod look_ups;
pub(super) mod members;
pub(super) mod pool;
pub(super) mod succession;
pub(super) mod tls;
pub(super) mod wire;
