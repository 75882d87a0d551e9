//! Shared parts of stores on servers: deadlines, connections, TLS, connection pools, and the
//! messages of a server that took another's place.

#[cfg_attr(not(feature = "mysql"), allow(dead_code, reason = "MySQL tells how it was reached"))]
#[cfg(any(
    feature = "etcd",
    feature = "mysql",
    feature = "redis",
    feature = "service",
    feature = "zookeeper"
))]
pub(super) mod blocking;
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) mod columns;
pub(super) mod deadline;
#[cfg(feature = "service")]
pub(super) mod dns;
pub(super) mod errors;
#[cfg_attr(not(feature = "etcd"), allow(dead_code, reason = "etcd's clock is in its answers"))]
#[cfg(any(feature = "etcd", feature = "service"))]
pub(super) mod http;
pub(crate) mod link;
pub(super) mod look_ups;
#[cfg_attr(
    not(any(feature = "etcd", feature = "zookeeper")),
    allow(dead_code, reason = "an ID service has an order of its own")
)]
#[cfg(any(feature = "etcd", feature = "service", feature = "zookeeper"))]
pub(super) mod members;
pub(super) mod pool;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "redis"))]
pub(super) mod succession;
pub(super) mod tls;
#[cfg_attr(not(feature = "mysql"), allow(dead_code, reason = "MySQL tells how it was reached"))]
#[cfg(any(
    feature = "etcd",
    feature = "mysql",
    feature = "redis",
    feature = "service",
    feature = "zookeeper"
))]
pub(super) mod wire;
