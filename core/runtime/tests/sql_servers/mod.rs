//! Tests that all SQL servers have in common. Each binary that includes them defines, by the names that
//! they import, its server, its stores and the connections that it sees.

mod commits;
mod dialects;
mod failovers;
mod forks;
mod links;
mod outages;
mod schemas;
mod sharing;
mod vouches;
