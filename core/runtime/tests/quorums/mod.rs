//! Tests that etcd and ZooKeeper have in common. Each binary that includes them defines, by the names
//! that they import, its server and its stores.

mod forks;
mod links;
mod moves;
mod restores;
