//! What stores on servers have in common: sockets with a deadline, TLS, connections that are kept.

pub(super) mod link;
pub(super) mod pool;
pub(super) mod tls;
