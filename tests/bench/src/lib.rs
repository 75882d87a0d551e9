//! Code that the bench and its instruction counts share. The counts do without the feature `peers`.

pub mod measure;
pub mod stores;
pub mod subjects;

#[cfg(feature = "peers")]
pub mod bulk;
#[cfg(feature = "peers")]
pub mod command;
#[cfg(feature = "peers")]
pub mod databases;
#[cfg(feature = "peers")]
pub mod memory;
#[cfg(feature = "peers")]
pub mod minting;
#[cfg(feature = "peers")]
pub mod peers;
#[cfg(feature = "peers")]
pub mod public_ids;
#[cfg(feature = "peers")]
pub mod report;
#[cfg(feature = "peers")]
pub mod segments;
#[cfg(feature = "peers")]
pub mod sustained;
#[cfg(feature = "peers")]
pub mod uuids;
