//! Checks of a Redis server, for an operator.

use std::time::Instant;

use snowmint_engine::Code;

use super::builder::{DECLARE, FAILOVER};
use super::guard::Weakness;
use super::server::Server;
use super::{RedisBuilder, RedisStore};
use crate::error::{Error, Result};
use crate::findings::Finding;
use crate::host::{Clock as _, System};
use crate::store::doctor::rows;
use crate::store::remote::deadline::Deadline;
use crate::store::values::begun::Ground as _;
use crate::store::values::memory::Memory;
use crate::store::values::space::Space;
use crate::store::{CALL_WITHIN, SegmentAdmin as _, WorkerAdmin as _};

/// The difference in milliseconds up to which two clocks count as equal.
const CLOCK_MS: i64 = 2_000;
const DURABILITY: &str = "durability";
/// Errors that the check of the server reports, and that looking at the key space would repeat.
const TOLD: [Code; 2] = [Code::StoreUnavailable, Code::UnsafeSetting];

impl RedisStore {
    /// Checks a server and its key space. Changes nothing.
    pub(crate) fn examine(builder: RedisBuilder) -> Result<Vec<Finding>> {
        let space = Space::new(builder.key_space);
        let store =
            RedisStore { server: Server::new(builder, false)?, memory: Memory::new(), space };
        let mut findings = store.server.examine();
        match store.look(false) {
            Ok(()) => findings.push(rows::of_key_space(store.key_space())),
            Err(error) => {
                let is_told = rows::is_refused_by(&findings, error.code());
                if is_told && TOLD.contains(&error.code()) {
                    return Ok(findings);
                }
                findings.push(Finding::failed("key space", &error));
            }
        }
        findings.extend(rows::of_tags(store.tags()));
        findings.extend(rows::of_workers(store.workers()));
        Ok(findings)
    }
}

impl Server {
    pub(super) fn examine(&self) -> Vec<Finding> {
        const SUBJECT: &str = "server";
        let deadline = Deadline::after(CALL_WITHIN);
        let (told, _) = match self.told(&[], false, deadline) {
            Ok(told) => told,
            Err(error) => {
                let silent = Finding::failed(SUBJECT, &error);
                return [silent].into_iter().chain(self.failover()).collect();
            }
        };
        let role = match told.is_replica() {
            false => Finding::ok(SUBJECT, format!("Redis at {}, it takes changes", self.endpoint)),
            true => {
                let (found, cure) = ("this is a replica", "name the server that takes changes");
                Finding::refused(SUBJECT, Code::StoreReadOnly, found, cure)
            }
        };
        let mut findings = vec![role];
        findings.extend(self.failover());
        findings.extend(self.durability(deadline));
        findings.push(self.clock(deadline));
        findings
    }

    /// Reports the risk of a failover, whatever the present number of replicas.
    fn failover(&self) -> Option<Finding> {
        let builder = &self.endpoint.builder;
        builder.is_watched().then(|| match builder.durability_declared {
            true => {
                let found = format!("{FAILOVER}; durability=declared vouches");
                Finding::weaker(DURABILITY, found, "raise every tag after each failover")
            }
            false => Finding::refused(DURABILITY, Code::UnsafeSetting, FAILOVER, DECLARE),
        })
    }

    fn durability(&self, deadline: Deadline) -> Vec<Finding> {
        let told = match self.told(&[], true, deadline) {
            Ok((told, _)) => told,
            Err(error) => return vec![Finding::unseen(DURABILITY, &error)],
        };
        let weaknesses = self.weaknesses(&told);
        if weaknesses.is_empty() {
            let found =
                "each change is on its disk before it is acknowledged, and nothing is evicted";
            return vec![Finding::ok(DURABILITY, found)];
        }
        let finding = |Weakness { found, cure }| match self.endpoint.builder.durability_declared {
            true => {
                Finding::weaker(DURABILITY, format!("{found}; durability=declared vouches"), cure)
            }
            false => Finding::refused(DURABILITY, Code::UnsafeSetting, found, cure),
        };
        weaknesses.into_iter().map(finding).collect()
    }

    fn clock(&self, deadline: Deadline) -> Finding {
        const SUBJECT: &str = "clock";
        let begun = Instant::now();
        let told = self.timed(&[&[b"PING"]], deadline);
        let away_ms = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        match told {
            Ok((_, now_ms)) => {
                let differs_ms = now_ms - System.now_ms();
                let found =
                    format!("the server's differs by {differs_ms} ms, asked in {away_ms} ms");
                match differs_ms.abs() > CLOCK_MS.saturating_add(away_ms) {
                    true => {
                        Finding::weaker(SUBJECT, found, "synchronise both, by chrony or the like")
                    }
                    false => Finding::ok(SUBJECT, found),
                }
            }
            Err(error) => Finding::unseen(SUBJECT, &Error::new(error.code(), error.to_string())),
        }
    }
}
