//! What an operator should know of a server of Redis.

use std::time::Instant;

use snowmint_engine::Code;

use super::{RedisBuilder, RedisStore};
use crate::doctor::{Finding, rows};
use crate::error::{Error, Result};
use crate::host::{Clock as _, System};
use crate::store::remote::deadline::Deadline;
use crate::store::values::Seen;
use crate::store::{CALL_WITHIN, SegmentAdmin as _, WorkerAdmin as _};

/// From so many milliseconds on a clock is another one.
const CLOCK_MS: i64 = 2_000;

impl RedisStore {
    /// Looks at a server, and changes nothing.
    pub(crate) fn examine(builder: RedisBuilder) -> Result<Vec<Finding>> {
        let store = RedisStore::unseen(builder)?;
        let deadline = Deadline::after(CALL_WITHIN);
        let (told, _) = match store.told(&[], false, deadline) {
            Ok(told) => told,
            Err(error) => return Ok(vec![Finding::failed("server", &error)]),
        };
        let role = Finding::ok("server", format!("Redis at {}, it takes changes", store.place));
        let replica = "this is a replica";
        let role = match told.is_replica() {
            false => role,
            true => Finding::refused(
                "server",
                Code::StoreReadOnly,
                replica,
                "name the server that takes changes",
            ),
        };
        let mut findings = vec![role];
        findings.extend(store.durability(deadline));
        match store.is_begun(deadline) {
            Ok(true) => findings.push(Finding::ok("key space", "it was begun here")),
            Ok(false) => findings.push(Finding::failed("key space", &super::not_begun())),
            // What refuses it was told above.
            Err(error) if error.code() == Code::UnsafeSetting => return Ok(findings),
            Err(error) => findings.push(Finding::failed("key space", &error)),
        }
        findings.push(store.clock(deadline));
        findings.extend(rows::of_tags(store.tags()));
        findings.extend(rows::of_workers(store.workers()));
        Ok(findings)
    }

    fn durability(&self, deadline: Deadline) -> Vec<Finding> {
        const SUBJECT: &str = "durability";
        let told = match self.told(&[], true, deadline) {
            Ok((told, _)) => told,
            Err(error) => return vec![Finding::unseen(SUBJECT, &error)],
        };
        let weaknesses = told.weaknesses();
        if weaknesses.is_empty() {
            let found =
                "each change is on its disk before it is acknowledged, and nothing is evicted";
            return vec![Finding::ok(SUBJECT, found)];
        }
        let cure = "set it so, by CONFIG SET and in its file of settings";
        let finding = |(_, found): (_, String)| match self.place.builder.durability_declared {
            true => Finding::weaker(SUBJECT, format!("{found}; durability=declared vouches"), cure),
            false => Finding::refused(SUBJECT, Code::UnsafeSetting, found, cure),
        };
        weaknesses.into_iter().map(finding).collect()
    }

    fn clock(&self, deadline: Deadline) -> Finding {
        const SUBJECT: &str = "clock";
        let begun = Instant::now();
        let told = self.seen(&[b"PING"], deadline);
        let away_ms = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        match told {
            Ok(Seen { now_ms, .. }) => {
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
