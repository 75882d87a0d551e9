//! Tests that all SQL servers have in common. Each binary that includes them defines, by the names that
//! they import, its server, its stores and the connections that it sees.

mod commits;
mod crowds;
mod dialects;
pub(crate) mod failovers;
mod forks;
mod links;
mod migrations;
mod moves;
mod nodes;
mod outages;
pub(crate) mod rounds;
mod schemas;
mod sharing;
pub(crate) mod vouches;
