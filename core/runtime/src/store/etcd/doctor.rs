//! Checks of an etcd cluster, for an operator.

use snowmint_engine::Code;

use super::fault;
use super::messages::{MEMBERS, Members, Nothing, STATUS, Status};
use super::{EtcdBuilder, EtcdStore, Heard};
use crate::error::Result;
use crate::findings::Finding;
use crate::host::{Clock as _, System};
use crate::store::doctor::rows;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::members::Member;
use crate::store::values::begun::Ground as _;
use crate::store::{CALL_WITHIN, SegmentAdmin as _, WorkerAdmin as _};

/// The difference in milliseconds, outside the second that a member tells, up to which two clocks
/// count as equal.
const CLOCK_MS: i64 = 2_000;

impl EtcdStore {
    /// Checks a cluster and its key space. Changes nothing.
    pub(crate) fn examine(builder: EtcdBuilder) -> Result<Vec<Finding>> {
        let store = EtcdStore::unseen(builder)?;
        let share = CALL_WITHIN / u32::try_from(store.endpoint.members.count()).unwrap_or(u32::MAX);
        let mut findings = Vec::new();
        for member in 0..store.endpoint.members.count() {
            findings.extend(store.member(member, Deadline::after(share)));
        }
        let deadline = Deadline::after(CALL_WITHIN);
        findings.push(store.cluster(deadline));
        match store.look(false) {
            Ok(()) => findings.push(rows::of_key_space(store.key_space())),
            Err(error) => {
                findings.push(Finding::failed("key space", &error));
                return Ok(findings);
            }
        }
        findings.extend(rows::of_tags(store.tags()));
        findings.extend(rows::of_workers(store.workers()));
        Ok(findings)
    }

    /// Reports the state of a member and how far its clock is from this machine's.
    fn member(&self, member: usize, deadline: Deadline) -> Vec<Finding> {
        const SUBJECT: &str = "server";
        let name = self.endpoint.members.get(member);
        let before_ms = System.now_ms();
        let asked = self.endpoint.connect_to(member, deadline).and_then(|mut session| {
            let answer = session.ask(STATUS, &Nothing {}, deadline);
            let answer =
                answer.map_err(|error| fault::unreachable(&self.endpoint, member, error))?;
            let answer = fault::sound(name, answer)?;
            Ok((self.told::<Status>(&answer.body, member)?, answer.date_ms))
        });
        let (status, second_ms) = match asked {
            Ok(told) => told,
            Err(fault) => {
                let error = fault.error();
                // The other members carry on without it, so this is a warning.
                let cure = "see to it that most members are up";
                return vec![match self.endpoint.members.count() {
                    1 => Finding::failed(SUBJECT, &error),
                    _ => Finding::weaker(SUBJECT, error.to_string(), cure),
                }];
            }
        };
        let clock = second_ms.map(|second_ms| clock(name, second_ms, before_ms));
        std::iter::once(state(name, &status)).chain(clock).collect()
    }

    /// Reports the number of voting members and how many of them may be down.
    fn cluster(&self, deadline: Deadline) -> Finding {
        const SUBJECT: &str = "cluster";
        match self.ask_any(MEMBERS, &Nothing {}, |_: &Members| true, deadline) {
            Ok(Heard { told: Members { members }, .. }) => {
                let voters = members.iter().filter(|member| !member.is_learner).count();
                let down = voters.saturating_sub(1) / 2;
                let found = format!("members: {voters}, of which {down} may be down");
                match down {
                    0 => Finding::weaker(SUBJECT, found, "use 3 members or 5"),
                    _ => Finding::ok(SUBJECT, found),
                }
            }
            Err(error) => Finding::unseen(SUBJECT, &error),
        }
    }
}

fn state(name: &Member, status: &Status) -> Finding {
    const SUBJECT: &str = "server";
    let found = format!("etcd {} at {name}", status.version);
    let has_leader = status.leader.as_deref().is_some_and(|leader| leader != "0");
    match status.errors.as_slice() {
        [] if status.is_learner => {
            let found = format!("{found} is a learner, which answers no questions");
            Finding::weaker(SUBJECT, found, "name members that vote")
        }
        [] if !has_leader => no_leader(format!("{found} knows no leader")),
        [] => Finding::ok(SUBJECT, found),
        errors => {
            let found = format!("{found}: {}", errors.join(", "));
            match has_leader {
                true => Finding::refused(
                    SUBJECT,
                    Code::StoreFull,
                    found,
                    "see to it, and disarm the alarm",
                ),
                false => no_leader(found),
            }
        }
    }
}

fn no_leader(found: String) -> Finding {
    Finding::refused("server", Code::StoreUnavailable, found, "start most members")
}

fn clock(name: &Member, second_ms: i64, before_ms: i64) -> Finding {
    let after_ms = System.now_ms();
    let ahead_ms = before_ms - second_ms - super::SECOND_MS;
    let behind_ms = second_ms - after_ms;
    let found = match (ahead_ms > CLOCK_MS, behind_ms > CLOCK_MS) {
        (false, false) => return Finding::ok("clock", format!("that of {name} tells this second")),
        (true, _) => format!("this machine's is {ahead_ms} ms ahead of that of {name}"),
        (false, true) => format!("this machine's is {behind_ms} ms behind that of {name}"),
    };
    Finding::weaker("clock", found, "synchronise both, by chrony or the like")
}
