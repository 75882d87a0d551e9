//! Checks of a ZooKeeper ensemble, for an operator.

use super::messages::Question;
use super::{ZookeeperBuilder, ZookeeperStore};
use crate::error::Result;
use crate::findings::Finding;
use crate::host::{Clock as _, System};
use crate::store::doctor::rows;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::members::Fault;
use crate::store::values::begun::Ground as _;
use crate::store::{CALL_WITHIN, SegmentAdmin as _, WorkerAdmin as _};

/// The difference in milliseconds up to which two clocks count as equal.
const CLOCK_MS: i64 = 2_000;

impl ZookeeperStore {
    /// Checks an ensemble and its key space. Changes only the node that tells the leader's time.
    pub(crate) fn examine(builder: ZookeeperBuilder) -> Result<Vec<Finding>> {
        let store = ZookeeperStore::unseen(builder)?;
        let members = store.ensemble.endpoint.members.count();
        let share = CALL_WITHIN / u32::try_from(members).unwrap_or(u32::MAX);
        let mut findings: Vec<_> =
            (0..members).map(|member| store.member(member, Deadline::after(share))).collect();
        match store.look(false) {
            Ok(()) => findings.push(rows::of_key_space(store.key_space())),
            Err(error) => {
                findings.push(Finding::failed("key space", &error));
                return Ok(findings);
            }
        }
        findings.push(store.clock(Deadline::after(CALL_WITHIN)));
        findings.extend(rows::of_tags(store.tags()));
        findings.extend(rows::of_workers(store.workers()));
        Ok(findings)
    }

    /// Checks that a member begins sessions, which it does only while most members are up.
    fn member(&self, at: usize, deadline: Deadline) -> Finding {
        const SUBJECT: &str = "server";
        let member = self.ensemble.endpoint.members.get(at);
        match self.ensemble.endpoint.connect_to(at, deadline).map_err(Fault::error) {
            Ok(_) => Finding::ok(SUBJECT, format!("ZooKeeper at {member}")),
            Err(error) if self.ensemble.endpoint.members.count() == 1 => {
                Finding::failed(SUBJECT, &error)
            }
            // The other members carry on without it, so this is a warning.
            Err(error) => {
                let cure = "see to it that most members are up";
                Finding::weaker(SUBJECT, error.to_string(), cure)
            }
        }
    }

    /// Compares this machine's clock with the leader's.
    fn clock(&self, deadline: Deadline) -> Finding {
        const SUBJECT: &str = "clock";
        let before_ms = System.now_ms();
        let question = Question::Get(&self.ensemble.endpoint.root);
        let told = self
            .ensemble
            .with_session(deadline, |session| Ok(self.checked(session, &question, deadline)?.1));
        let leader_ms = match told.map_err(Fault::error) {
            Ok(leader_ms) => leader_ms,
            Err(error) => return Finding::unseen(SUBJECT, &error),
        };
        let after_ms = System.now_ms();
        let (ahead_ms, behind_ms) = (before_ms - leader_ms, leader_ms - after_ms);
        let found = match (ahead_ms > CLOCK_MS, behind_ms > CLOCK_MS) {
            (false, false) => return Finding::ok(SUBJECT, "that of the leader tells this time"),
            (true, _) => format!("this machine's is {ahead_ms} ms ahead of the leader's"),
            (false, true) => format!("this machine's is {behind_ms} ms behind the leader's"),
        };
        Finding::weaker(SUBJECT, found, "synchronise both, by chrony or the like")
    }
}
