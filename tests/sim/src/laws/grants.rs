//! The store's grants, and their arrival.

use snowmint::{Lease, Token};

use super::{Laws, REST_US, Row};
use crate::history::History;
use crate::network::{Answer, Name};
use crate::world::{Home, START_MS};

impl Laws {
    /// Checks a grant that the store made.
    pub(crate) fn granted(&mut self, history: &mut History, now_us: i64, answer: &Answer) {
        match answer {
            Answer::Lease(lease) => self.leased(history, now_us, lease),
            Answer::Range(tag, allocation) => {
                let range = allocation.range;
                let end = self.ends.entry(tag.clone()).or_default();
                if range.start() < *end && !self.restored {
                    let (start, past) = (range.start(), range.end());
                    let what = format_args!("{tag}: [{start}, {past}) granted, and {end} before");
                    history.violation(now_us, "L2", what);
                }
                *end = range.end().max(*end);
            }
            Answer::Row(_) | Answer::Done => {}
        }
    }

    fn leased(&mut self, history: &mut History, now_us: i64, lease: &Lease) {
        let token = lease.token;
        let Lease { worker_id, epoch, floor_ms, reserved_ms, .. } = *lease;
        let fresh = Row { epoch, reserved_ms, token };
        let Some(row) = self.rows.insert(worker_id, fresh).filter(|_| !self.restored) else {
            return;
        };
        let rises = if epoch > row.epoch {
            floor_ms >= row.reserved_ms
        } else {
            epoch == row.epoch && reserved_ms >= row.reserved_ms
        };
        if !rises || floor_ms > reserved_ms {
            let [floor_ms, reserved_ms, before_ms] =
                [floor_ms, reserved_ms, row.reserved_ms].map(|ms| ms - START_MS);
            let what = format_args!(
                "w{worker_id} e{epoch} [{floor_ms}, {reserved_ms}) granted, and {before_ms} before"
            );
            history.violation(now_us, "L2", what);
        }
    }

    /// Checks the token of a renewal that the store granted.
    pub(crate) fn check_token(
        &self,
        history: &mut History,
        now_us: i64,
        lease: &Lease,
        next: &Token,
    ) {
        let row = self.rows.get(&lease.worker_id).filter(|_| !self.restored);
        if row.is_some_and(|row| row.token != lease.token && row.token != *next) {
            let what = format_args!("w{} e{}: an old token renewed", lease.worker_id, lease.epoch);
            history.violation(now_us, "L10", what);
        }
    }

    /// Checks that a process does not renew too early.
    pub(crate) fn check_rest(&self, history: &mut History, now_us: i64, home: Home) {
        let answered_us = self.answered_us.get(&home).copied().unwrap_or(i64::MIN);
        if now_us < answered_us.saturating_add(REST_US) {
            let (name, rest_us) = (Name(home), now_us - answered_us);
            let what = format_args!("{name} renews again after {rest_us} us");
            history.violation(now_us, "L11", what);
        }
    }

    /// Notes that a process stood still. If it had not read the time of an answer yet, the round
    /// trip was longer for it by that much.
    pub(crate) fn stood_still(&mut self, home: Home, now_us: i64, us: i64) {
        if self.answered_us.get(&home) == Some(&now_us)
            && let Some(trip_us) = self.first_trips_us.get_mut(&home)
        {
            *trip_us += us;
        }
    }

    /// Notes that an answer of the store arrived.
    pub(crate) fn acknowledged(
        &mut self,
        home: Home,
        now_us: i64,
        answer: &Answer,
        tag: usize,
        round_trip_us: i64,
    ) {
        match answer {
            Answer::Lease(lease) => {
                // No process mints under leases of another key space than its first.
                if *self.key_spaces.entry(home).or_insert(lease.key_space) != lease.key_space {
                    return;
                }
                let held = self.leases.entry(home).or_default();
                // A restored store counts epochs again. A renewal keeps the floor.
                let key = |it: &Lease| (it.worker_id, it.epoch, it.floor_ms);
                held.retain(|it| key(it) != key(lease));
                held.push(lease.clone());
                self.first_trips_us.entry(home).or_insert(round_trip_us);
                self.answered_us.insert(home, now_us);
            }
            Answer::Range(_, allocation) => {
                let range = allocation.range;
                let ranges = self.ranges.entry((home, tag)).or_default();
                let is_fenced = self.fenced.contains(&(home, tag));
                if is_fenced || ranges.last().is_some_and(|last| range.start() < last.end()) {
                    self.fenced.insert((home, tag));
                } else {
                    ranges.push(range);
                }
            }
            Answer::Row(_) | Answer::Done => {}
        }
    }
}
