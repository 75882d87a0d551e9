//! The builder of Leaf's nodes.

use std::path::PathBuf;

use super::LeafNodes;
use crate::error::Result;
use crate::findings::Finding;
use crate::store::ZookeeperBuilder;

/// Describes an ensemble with Leaf's nodes and the address of a server: see
/// [`ZookeeperBuilder::leaf`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeafNodesBuilder {
    pub(super) zookeeper: ZookeeperBuilder,
    pub(super) address: String,
    pub(super) cache: Option<PathBuf>,
}

impl LeafNodesBuilder {
    pub(in crate::store::zookeeper) fn new(
        zookeeper: ZookeeperBuilder,
        address: String,
    ) -> LeafNodesBuilder {
        LeafNodesBuilder { zookeeper, address, cache: None }
    }

    /// Sets a directory for this address alone, on a disk that stays. With it, you get worker IDs
    /// and reserve time while ZooKeeper is away. The directory holds Leaf's `workerID.properties`,
    /// so it may be Leaf's own (`leafconf/{port}` below `java.io.tmpdir` and the name).
    ///
    /// Without a cache, IDs end with their reserved time, at most three seconds after ZooKeeper
    /// went away.
    #[must_use]
    pub fn cache(self, directory: impl Into<PathBuf>) -> Self {
        LeafNodesBuilder { cache: Some(directory.into()), ..self }
    }

    /// Checks the nodes. Changes only the node that tells the leader's time.
    pub(crate) fn examine(self) -> Result<Vec<Finding>> {
        Ok(self.open()?.examine())
    }

    /// Opens the nodes without calling ZooKeeper yet.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`](crate::Code::InvalidParameter).
    pub fn open(self) -> Result<LeafNodes> {
        LeafNodes::open(self)
    }
}
