//! What Leaf's nodes are opened with.

use std::path::PathBuf;

use super::LeafNodes;
use crate::error::Result;
use crate::findings::Finding;
use crate::store::ZookeeperBuilder;

/// Where Leaf's nodes are, and whose: see [`ZookeeperBuilder::leaf`].
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

    /// A directory of this address alone, on a disk that stays: with it, worker IDs are had, and
    /// their time reserved, while ZooKeeper is away. It has Leaf's `workerID.properties`, so it may
    /// be Leaf's own (`leafconf/{port}` below `java.io.tmpdir` and the name). None unless set: then
    /// IDs end when their reserved time does, three seconds at most after ZooKeeper went.
    #[must_use]
    pub fn cache(self, directory: impl Into<PathBuf>) -> Self {
        LeafNodesBuilder { cache: Some(directory.into()), ..self }
    }

    /// Looks at them, and changes nothing but the node that tells the leader's time.
    pub(crate) fn examine(self) -> Result<Vec<Finding>> {
        Ok(self.open()?.examine())
    }

    /// Opens them, which asks nobody yet.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`](crate::Code::InvalidParameter).
    pub fn open(self) -> Result<LeafNodes> {
        LeafNodes::open(self)
    }
}
