//! The laws, checked from outside the runtime.
//!
//! - **L1** no ID is returned twice.
//! - **L2** the store's grants of a worker ID are disjoint and rise, and so do its ranges of a tag.
//!   An ID's tick lies in a grant, and a number in a range, whose answer had reached its process
//!   when it was returned. With a mark, the tick is below what was durable by then.
//! - **L3** every ID is above those of all calls that had returned when its own call began.
//! - **L4** an ID decodes, encodes to itself, and carries a worker ID that its process held.
//! - **L7** an ID's time is true, within the [error of the clocks](Laws#the-error-of-the-clocks).
//! - **L8** under a fixed worker ID every process finds a readable mark, and begins above the ticks
//!   of the processes before it.
//! - **L10** a renewal whose token is not the row's is refused, which is how a copy is detected.
//! - **L11** no call takes longer than its bound. In a live scenario, no call fails once nothing
//!   has been wrong for [`CALM_US`]. No call reports that a clock went back if all clocks were
//!   steady, or that the store gave an invalid answer. No renewal follows an answer at once.
//!
//! A store that was begun anew is another key space. A process with a lease of the previous store
//! never mints under a lease of the new one. The IDs of those processes, and of processes that know
//! only the new store, can be the same.
//!
//! A store that was restored from an older copy repeats the grants made after the copy. Then L1 and
//! L2 hold within a process only. A segment refuses a range that is not above all its earlier ones,
//! and every later range. A generator whose lease the copy does not know loses the lease at its
//! next renewal. Until then, its IDs and those of the next holder can be the same.

use std::collections::{HashMap, HashSet};
use std::error::Error as StdError;
use std::hash::{BuildHasherDefault, Hasher};
use std::iter;

use snowmint::engine::Code;
use snowmint::{ClockPolicy, Error, KeySpaceId, Layout, Lease, Tag, Token};

use crate::history::History;
use crate::machine::{Clocks, DRIFT_PPM_MAX};
use crate::network::Name;
use crate::scenario::{Kind, Scenario};
use crate::work::Setup;
use crate::world::{Home, START_MS};

mod grants;
mod truth;

/// The longest time until a live source mints again after the last thing that went wrong: the
/// second of law L11, and the latencies of a renewal.
pub const CALM_US: i64 = 1_300_000;
/// The time by which the machine's horizon, and the runtime's waits, exceed their bounds.
const HORIZON_MS: i64 = 50;
/// Half of the longest round trip from which the runtime always takes the store's time.
const HALF_ROUND_TRIP_MS: i64 = 150;
/// A caller at the end of a horizon comes again within this time.
const NEXT_LOOK_MS: i64 = 500;
/// The least time between an answer about a lease and the next renewal.
const REST_US: i64 = 50_000;
/// The allowance beyond a call's bound, for polls and for sleeps that last a little longer.
const OVERTIME_MS: i64 = 30;

/// The past events that the laws refer to.
///
/// # The error of the clocks
///
/// A generator with a lease goes by the store's time. Its error is the sum of:
///
/// - the largest error that the store's clock ever had
/// - half the round trip of the first answer, or of the longest that always counts
/// - the drift of the boot clock, and the time that it lost in suspends
///
/// With a mark, a generator goes by the wall clock. Its error is the largest that this clock had
/// since the process began, and the same drift.
///
/// The fast path adds the coarse wall clock to an offset from the last look. After a step of the
/// wall clock, an ID may lag by the time that the policy lets IDs run ahead, for as long. The time
/// that the wall clock stood still counts as error, with the store's time too, because the fast
/// path cannot see it. A step back while the node stood still hides as much of that time.
#[derive(Debug)]
pub struct Laws {
    layout: Layout,
    policy: ClockPolicy,
    kind: Kind,
    wait_ms: i64,
    is_live: bool,
    rows: HashMap<u32, Row>,
    ends: HashMap<Tag, u64>,
    leases: HashMap<Home, Vec<Lease>>,
    ranges: HashMap<(Home, usize), Vec<snowmint::NumberRange>>,
    marks: HashMap<usize, i64>,
    /// The last tick of each fixed worker ID with its process, and the last tick of the processes
    /// before.
    ticks: HashMap<usize, (Home, u64, Option<u64>)>,
    /// Tags that a process saw go back. No later range of theirs counts as granted to it.
    fenced: HashSet<(Home, usize)>,
    minted: HashMap<(usize, u64), Home, BuildHasherDefault<Mixer>>,
    /// One above the highest ID of all calls that returned.
    reached: HashMap<(Home, usize), u64>,
    /// The round trip of the first answer that told a process the store's time.
    first_trips_us: HashMap<Home, i64>,
    /// The key space of a process's first lease.
    key_spaces: HashMap<Home, Option<KeySpaceId>>,
    /// The arrival of the store's last answer about a lease, for each process.
    answered_us: HashMap<Home, i64>,
    restored: bool,
}

/// Hashes IDs. They are not chosen by an attacker, so a fast hash is enough.
#[derive(Debug, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

#[derive(Debug)]
struct Row {
    epoch: u64,
    reserved_ms: i64,
    token: Token,
}

/// A call under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) home: Home,
    pub(crate) tag: usize,
    pub(crate) count: usize,
    pub(crate) called_us: i64,
    pub(crate) frozen_us: i64,
    pub(crate) is_calm: bool,
    above: u64,
}

/// The circumstances in which a call ended, as its machine saw them.
pub(crate) struct Ending<'a> {
    pub(crate) now_us: i64,
    pub(crate) frozen_us: i64,
    pub(crate) clocks: &'a Clocks,
    /// The furthest that the store's clock was ahead, and behind.
    pub(crate) store_us: [i64; 2],
    /// True if the store's clock never stepped.
    pub(crate) is_store_steady: bool,
    /// The last time that the node stood still: from, to.
    pub(crate) stood_us: [i64; 2],
}

/// Returns true if the error, or one of its causes, says that the store gave an invalid answer.
fn is_of_an_invalid_answer(error: &Error) -> bool {
    let first: &(dyn StdError + 'static) = error;
    iter::successors(Some(first), |&error| error.source())
        .filter_map(|cause| cause.downcast_ref::<Error>())
        .any(|error| error.code() == Code::InvalidAnswer)
}

impl Laws {
    pub(crate) fn new(scenario: &Scenario, setup: &Setup) -> Laws {
        Laws {
            layout: setup.layout,
            policy: setup.policy,
            kind: scenario.kind,
            wait_ms: setup.wait_ms,
            is_live: scenario.is_live,
            rows: HashMap::new(),
            ends: HashMap::new(),
            leases: HashMap::new(),
            ranges: HashMap::new(),
            marks: HashMap::new(),
            ticks: HashMap::new(),
            fenced: HashSet::new(),
            minted: HashMap::default(),
            reached: HashMap::new(),
            first_trips_us: HashMap::new(),
            key_spaces: HashMap::new(),
            answered_us: HashMap::new(),
            restored: false,
        }
    }

    /// Notes what a node's mark file durably holds.
    pub(crate) fn mark_durable(&mut self, node: usize, mark_ms: i64) {
        self.marks.insert(node, mark_ms);
    }

    /// Notes that the store went back to an older copy.
    pub(crate) fn restored(&mut self) {
        self.restored = true;
    }

    /// Notes that a call begins.
    pub(crate) fn call(&self, home: Home, tag: usize, count: usize) -> Call {
        let above = self.reached.get(&(home, tag)).copied().unwrap_or_default();
        let (called_us, frozen_us, is_calm) = (0, 0, false);
        Call { home, tag, count, called_us, frozen_us, is_calm, above }
    }

    /// Checks the IDs that a call returned.
    pub(crate) fn issued(
        &mut self,
        history: &mut History,
        call: &Call,
        ids: &[u64],
        ending: &Ending<'_>,
    ) {
        history.figures.ids += ids.len() as u64;
        self.check_time_taken(history, call, ending);
        self.check_order(history, call, ids, ending.now_us);
        for &id in ids {
            let before = self.minted.insert((call.tag, id), call.home);
            if let Some(before) = before {
                let owed = self.restored && before != call.home;
                history.figures.owed_to_restore += u64::from(owed);
                if !owed {
                    history.figures.duplicates += 1;
                    let [one, two] = [before, call.home].map(Name);
                    let what = format_args!("{id} ({}) by {one} and {two}", self.text(id));
                    history.violation(ending.now_us, "L1", what);
                }
            }
            if self.kind == Kind::Segment {
                self.check_number(history, call, id, ending.now_us);
            } else {
                self.check_snowflake(history, call, id, ending);
            }
        }
    }

    /// Checks the failure of a call.
    pub(crate) fn failed(
        &mut self,
        history: &mut History,
        call: &Call,
        error: &Error,
        ending: &Ending<'_>,
    ) {
        let code = error.code();
        *history.figures.errors.entry(format!("{code:?}")).or_default() += 1;
        self.check_time_taken(history, call, ending);
        let is_steady = ending.clocks.is_steady && ending.is_store_steady;
        if code == Code::ClockBehind && is_steady {
            let what = format_args!("{} fails, and no clock went back: {error}", Name(call.home));
            history.violation(ending.now_us, "L11", what);
        }
        if is_of_an_invalid_answer(error) {
            let what = format_args!("{} fails, and the store did not: {error}", Name(call.home));
            history.violation(ending.now_us, "L11", what);
        }
        // A policy that may not run ahead fails, or changes workers, at each step back. It does the
        // same if it followed a wall clock that jumped ahead, up to the end of a horizon.
        let is_exact = self.policy.max_ahead_ms == 0 && self.kind != Kind::Segment;
        let is_strict = is_exact && !ending.clocks.is_steady;
        if self.is_live && call.is_calm && !is_strict {
            let name = Name(call.home);
            history.violation(ending.now_us, "L11", format_args!("{name} fails: {error}"));
        }
    }

    /// Notes the end of the history.
    pub(crate) fn close(&self, history: &mut History) {
        let (ids, longest_ms) = (history.figures.ids, history.figures.longest_call_ms);
        history.note(0, format_args!("{ids} IDs, longest call {longest_ms} ms"));
    }

    fn text(&self, id: u64) -> String {
        if self.kind == Kind::Segment {
            return "a number".into();
        }
        let parts = self.layout.parts(id);
        let (at_ms, worker_id) = (parts.unix_ms - START_MS, parts.worker_id);
        format!("w{worker_id}, {at_ms} ms, #{}, rollback {}", parts.sequence, parts.rollback)
    }

    fn check_time_taken(&self, history: &mut History, call: &Call, ending: &Ending<'_>) {
        let stood_us = ending.frozen_us - call.frozen_us;
        let took_ms = (ending.now_us - call.called_us - stood_us) / 1_000;
        history.figures.longest_call_ms = history.figures.longest_call_ms.max(took_ms);
        // A block has at most the IDs of a tick; a range may be short.
        let per_block = if self.kind == Kind::Segment { 10 } else { self.layout.ids_per_tick() };
        let blocks = (call.count as u64).div_ceil(per_block) as i64;
        let drift_ms = self.wait_ms * 2 * DRIFT_PPM_MAX / 1_000_000;
        if took_ms > blocks * (self.wait_ms + drift_ms + OVERTIME_MS) {
            let name = Name(call.home);
            let what = format_args!("{name} took {took_ms} ms, with {} to wait", self.wait_ms);
            history.violation(ending.now_us, "L11", what);
        }
    }

    fn check_order(&mut self, history: &mut History, call: &Call, ids: &[u64], now_us: i64) {
        let reached = self.reached.entry((call.home, call.tag)).or_default();
        let rises = ids.is_sorted_by(|a, b| a < b) && ids.first() >= Some(&call.above);
        let last = ids.last().copied().unwrap_or_default();
        *reached = (*reached).max(last.saturating_add(1));
        let is_promised = !matches!(
            self.policy.when_behind,
            snowmint::WhenBehind::ChangeWorker { .. } | snowmint::WhenBehind::CountRollback
        );
        if !rises && (is_promised || self.kind == Kind::Segment) {
            history.figures.order_violations += 1;
            let name = Name(call.home);
            let first = ids.first().copied().unwrap_or_default();
            let what = format_args!("{name} returns {first}, after {}", call.above.wrapping_sub(1));
            history.violation(now_us, "L3", what);
        }
    }

    fn check_number(&self, history: &mut History, call: &Call, number: u64, now_us: i64) {
        let ranges = self.ranges.get(&(call.home, call.tag)).map_or(&[][..], Vec::as_slice);
        let holds = |range: &snowmint::NumberRange| {
            (range.start()..range.end()).contains(&number)
                && (number - range.start()).is_multiple_of(range.stride())
        };
        if !ranges.iter().rev().any(holds) {
            let name = Name(call.home);
            history.violation(now_us, "L2", format_args!("{name} returns {number}, not its own"));
        }
    }

    fn check_snowflake(&mut self, history: &mut History, call: &Call, id: u64, end: &Ending<'_>) {
        let name = Name(call.home);
        let parts = match self.layout.decode(id) {
            Ok(parts) if self.layout.encode(parts).is_ok_and(|same| same == id) => parts,
            _ => {
                history.violation(end.now_us, "L4", format_args!("{name} returns {id}"));
                return;
            }
        };
        let tick = self.layout.tick_at(parts.unix_ms).unwrap_or(u64::MAX);
        match self.kind {
            Kind::Fixed => self.check_mark(history, call, id, tick, end.now_us),
            Kind::Lease | Kind::Segment => self.check_lease(history, call, id, tick, end.now_us),
        }
        self.check_truth(history, call, id, parts.unix_ms, end);
    }

    fn check_lease(&self, history: &mut History, call: &Call, id: u64, tick: u64, now_us: i64) {
        let worker_id = self.layout.parts(id).worker_id;
        let held = self.leases.get(&call.home).map_or(&[][..], Vec::as_slice);
        let mut held = held.iter().rev().filter(|lease| lease.worker_id == worker_id).peekable();
        let name = Name(call.home);
        if held.peek().is_none() {
            let what = format_args!("{name} returns {id}, w{worker_id} was never its own");
            history.violation(now_us, "L4", what);
        }
        let holds = |lease: &Lease| {
            let [floor, past] =
                [lease.floor_ms, lease.reserved_ms].map(|ms| self.layout.tick_at(ms).unwrap_or(0));
            (floor..past).contains(&tick)
        };
        if !held.any(holds) {
            let what = format_args!("{name} returns {id} ({}), not reserved", self.text(id));
            history.violation(now_us, "L2", what);
        }
    }

    fn check_mark(&mut self, history: &mut History, call: &Call, id: u64, tick: u64, now_us: i64) {
        let (home, node) = (call.home, call.home.node);
        let name = Name(home);
        if self.layout.parts(id).worker_id as usize != node {
            history.violation(now_us, "L4", format_args!("{name} returns {id}, of another"));
        }
        let mark_ms = self.marks.get(&node).copied().unwrap_or(i64::MIN);
        if self.layout.tick_at(mark_ms).is_ok_and(|mark| tick >= mark) || mark_ms == i64::MIN {
            let what = format_args!("{name} returns {id} ({}), no mark above", self.text(id));
            history.violation(now_us, "L2", what);
        }
        let (of, last, before) = self.ticks.entry(node).or_insert((home, tick, None));
        if *of != home {
            (*of, *before, *last) = (home, Some((*last).max(before.unwrap_or(0))), tick);
        }
        *last = tick.max(*last);
        if before.is_some_and(|before| tick <= before) {
            let what = format_args!("{name} returns {id} ({}), not above", self.text(id));
            history.violation(now_us, "L8", what);
        }
    }
}
