//! The paths of servers that this one replaces, for their unchanged clients. Each needs a setting
//! of its own, because these paths mint by `GET`.

pub(super) mod cosid;
pub(super) mod leaf;
pub(super) mod tinyid;
