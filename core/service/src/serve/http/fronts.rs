//! The paths of the servers that this one replaces, for their clients as they are: each behind a
//! setting of its own, for they mint by `GET`.

pub(super) mod cosid;
pub(super) mod leaf;
pub(super) mod tinyid;
