//! The hosts of a database, of which the first that accepts is taken.

use std::fmt;
use std::time::Duration;

use super::fault::Fault;
use crate::store::remote::deadline::Deadline;

/// Logs in at the first host that accepts, with an equal share of the time left for each.
pub(in crate::store) fn connect<H: fmt::Display, C, S>(
    hosts: &[H],
    within: Option<Duration>,
    deadline: Deadline,
    log_in: impl Fn(&H, Deadline) -> Result<C, Fault<S>>,
) -> Result<C, Fault<S>> {
    let mut failures = Vec::new();
    for (host, left) in hosts.iter().zip((1..=hosts.len() as u32).rev()) {
        let share = deadline.share(left);
        match log_in(host, within.map_or(share, |within| share.at_most(within))) {
            Err(fault) if fault.is_of_one_host() && hosts.len() > 1 => {
                failures.push((host.to_string(), fault));
            }
            done => return done,
        }
    }
    Err(Fault::Everywhere(failures))
}

/// Shows the hosts and the database, but neither user nor password.
pub(in crate::store) fn show<H: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    hosts: &[H],
    database: Option<&str>,
) -> fmt::Result {
    for (at, host) in hosts.iter().enumerate() {
        write!(f, "{}{host}", if at > 0 { "," } else { "" })?;
    }
    database.map_or(Ok(()), |database| write!(f, ", database {database}"))
}
