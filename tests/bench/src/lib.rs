//! What the bench and its instruction counts share.

pub mod bulk;
pub mod command;
pub mod databases;
pub mod measure;
pub mod memory;
pub mod minting;
pub mod opaque;
pub mod peers;
pub mod report;
pub mod segments;
pub mod stores;
pub mod subjects;
pub mod sustained;
pub mod uuids;
