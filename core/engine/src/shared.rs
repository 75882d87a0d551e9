//! The lock-free `&self` twin of [`Snowflake`](crate::Snowflake).

use crate::atomic::{AcqRel, Acquire, AtomicU32, AtomicU64, Relaxed, Release};
use crate::claim::Claim;
use crate::error::Error;
use crate::id::{Ids, Spread};
use crate::layout::Layout;
use crate::snowflake::{Lane, Pace, Rule};

/// The state of a closed generator, above every slot.
const CLOSED: u64 = u64::MAX;

/// Mints snowflake IDs from any thread, with one compare-and-swap for each ID or block.
///
/// - *Order*: like [`Snowflake`](crate::Snowflake), and across threads: a call that begins after
///   another has returned gets a higher slot.
/// - *Overflow, clock rollback*: like [`Snowflake`](crate::Snowflake).
/// - *Threads*: any number of threads can call [`next_id`](Self::next_id) and
///   [`issue`](Self::issue), also while the single [`owner`](Self::owner) changes lanes.
/// - *Fork*: plain memory; a copy would repeat IDs. The runtime's generator guards against that.
///
/// The lane is changed in place. [`open`](SnowflakeOwner::open) begins at a slot that was never
/// reached before, and [`jump`](SnowflakeOwner::jump) increments a count in the bits that a slot
/// leaves free. So the state never has the same value twice, and a successful exchange proves that
/// the lane read before it belongs to its slot.
///
/// The count is cyclic: when it wraps, lanes begin above everything reached before. If time and
/// sequence take 63 or 64 bits, there is no room for a count, and every jump does.
#[derive(Debug)]
pub struct SharedSnowflake {
    /// The count of jumps in the top bits and the next slot below it; or [`CLOSED`].
    state: AtomicU64,
    end: AtomicU64,
    template: AtomicU64,
    past: Past,
    claim: Claim,
    rule: Rule,
}

/// State that past lanes leave to the next one. Only the owner reads and writes it.
#[derive(Debug)]
struct Past {
    worker_id: AtomicU32,
    rollback: AtomicU32,
    jumps: AtomicU64,
    /// One above the furthest slot that any lane has reached.
    furthest: AtomicU64,
    /// The value of `furthest` when the count of jumps last wrapped: jumps begin above it.
    floor: AtomicU64,
    /// One above the next slot when the generator was last closed; 0 before that.
    left: AtomicU64,
    /// The value of `left` for each rollback count under the present worker ID.
    resume: [AtomicU64; 4],
}

impl SharedSnowflake {
    /// Creates a generator at the floor of its lane's grant.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`] for a worker ID or rollback counter that does not fit.
    pub fn new(layout: Layout, lane: Lane, pace: Pace) -> Result<SharedSnowflake, Error> {
        let shared = SharedSnowflake::closed(layout, pace);
        let template = shared.rule.template(lane)?;
        shared.past.leave_for(lane);
        shared.enter(template, lane, shared.rule.first_slot(lane.grant, 0));
        Ok(shared)
    }

    /// Creates a generator without a lane: every call fails with [`Error::Closed`] until
    /// [`open`](SnowflakeOwner::open).
    pub fn closed(layout: Layout, pace: Pace) -> SharedSnowflake {
        SharedSnowflake {
            state: AtomicU64::new(CLOSED),
            end: AtomicU64::new(0),
            template: AtomicU64::new(0),
            past: Past {
                worker_id: AtomicU32::new(0),
                rollback: AtomicU32::new(0),
                jumps: AtomicU64::new(0),
                furthest: AtomicU64::new(0),
                floor: AtomicU64::new(0),
                left: AtomicU64::new(0),
                resume: core::array::from_fn(|_| AtomicU64::new(0)),
            },
            claim: Claim::new(),
            rule: Rule::new(layout, pace),
        }
    }

    /// Prepares the generator for a process that forks. `image` is a number that differs in every
    /// copy of this memory, and is never 0 when an owner is requested. A forked child can then have
    /// an owner, whatever the parent's was doing.
    #[must_use]
    pub fn in_image(self, image: &'static AtomicU64) -> SharedSnowflake {
        SharedSnowflake { claim: self.claim.told_apart_by(image), ..self }
    }

    /// Returns the owner, which may change the lane, or `None` while another owner exists.
    pub fn owner(&self) -> Option<SnowflakeOwner<'_>> {
        self.claim.take().then(|| SnowflakeOwner { shared: self })
    }

    /// The layout.
    pub const fn layout(&self) -> &Layout {
        &self.rule.layout
    }

    /// Issues one ID at `now_ms`, in Unix milliseconds.
    ///
    /// # Errors
    /// The errors of [`issue`](Self::issue).
    #[inline(always)]
    pub fn next_id(&self, now_ms: i64) -> Result<u64, Error> {
        if let Some(id) = self.go_on(now_ms) {
            return Ok(id);
        }
        let (first, _, template) = self.claim(now_ms, 1)?;
        Ok(self.rule.places.spread(template, first))
    }

    /// Issues `n` IDs at `now_ms`, in contiguous slots, all or none.
    ///
    /// # Errors
    /// The errors of [`Snowflake::issue`](crate::Snowflake::issue), and [`Error::Closed`].
    #[inline]
    pub fn issue(&self, now_ms: i64, n: u32) -> Result<Ids, Error> {
        let (first, past, template) = self.claim(now_ms, u64::from(n))?;
        Ok(Ids::new(Spread { template, places: self.rule.places }, first, past))
    }

    fn enter(&self, template: u64, lane: Lane, first: u64) {
        self.template.store(template, Relaxed);
        self.end.store(self.rule.end_slot(lane.grant.reserved), Relaxed);
        let free_bits = self.rule.slot_mask.leading_zeros();
        let count = self.past.jumps.load(Relaxed);
        let jumps =
            if free_bits == 0 { 0 } else { count.wrapping_shl(64_u32.wrapping_sub(free_bits)) };
        // Release: a thread that reads this state also reads the template and end stored above.
        self.state.store(jumps | first, Release);
    }

    /// Returns the earliest possible tick of the next ID, or `None` while there is no lane. Other
    /// threads may issue IDs meanwhile.
    pub fn next_tick(&self) -> Option<u64> {
        let state = self.state.load(Relaxed);
        let slot = state & self.rule.slot_mask;
        (state != CLOSED).then(|| slot.wrapping_shr(u32::from(self.rule.places.sequence_bits)))
    }

    /// Attempts to claim the slot that follows the last one in its tick.
    ///
    /// It is inlined into every caller. Its order shortens the wait of the next claim, because the
    /// processor makes the exchange only once everything before it is done.
    #[inline(always)]
    fn go_on(&self, now_ms: i64) -> Option<u64> {
        // Acquire: the template and end read next belong to this state's lane or a later one. If to
        // a later lane, `close` has changed the state, and the exchange fails.
        let state = self.state.load(Acquire);
        let end = self.end.load(Relaxed);
        let template = self.template.load(Relaxed);
        let slot = state & self.rule.slot_mask;
        if !self.rule.goes_on(slot, end, now_ms) {
            return None;
        }
        // Adding one never carries into the count of jumps: the end is within the mask.
        let after = state.wrapping_add(1);
        // Release: for `close`, this claim's reads are done.
        self.state.compare_exchange(state, after, Release, Relaxed).ok()?;
        Some(self.rule.places.spread(template, slot))
    }

    /// Claims `n` slots. Returns the first, one past the last, and their lane's fixed bits.
    #[inline(never)]
    fn claim(&self, now_ms: i64, n: u64) -> Result<(u64, u64, u64), Error> {
        // Acquire and Release as in `go_on`.
        let mut state = self.state.load(Acquire);
        loop {
            let end = self.end.load(Relaxed);
            let template = self.template.load(Relaxed);
            let slot = state & self.rule.slot_mask;
            let Some((first, past)) = self.rule.claim(slot, end, now_ms, n) else {
                match self.refusal(state, now_ms, n) {
                    Ok(newer) => state = newer,
                    Err(error) => return Err(error),
                }
                continue;
            };
            let after = past | (state & !self.rule.slot_mask);
            match self.state.compare_exchange_weak(state, after, Release, Acquire) {
                Ok(_) => return Ok((first, past, template)),
                Err(newer) => state = newer,
            }
        }
    }

    /// Returns the reason why `state` could not issue, or a newer state for another attempt.
    #[cold]
    #[inline(never)]
    fn refusal(&self, state: u64, now_ms: i64, n: u64) -> Result<u64, Error> {
        let newer = self.state.load(Acquire);
        if newer != state {
            return Ok(newer);
        }
        if state == CLOSED {
            return Err(Error::Closed);
        }
        Err(self.rule.refusal(state & self.rule.slot_mask, now_ms, n))
    }
}

/// The right to change the lane of a [`SharedSnowflake`], from [`SharedSnowflake::owner`] until it
/// is dropped. Only one exists at a time. Two threads cannot share it:
///
/// ```compile_fail,E0596
/// use snowmint_engine::{Lane, Layout, Pace, SharedSnowflake};
///
/// let flake = SharedSnowflake::closed(Layout::TWITTER, Pace::default());
/// let owner = flake.owner().unwrap();
/// let other = &owner;
/// other.open(Lane::of_worker(1));
/// ```
#[derive(Debug)]
#[must_use = "dropped, it gives its place back"]
pub struct SnowflakeOwner<'a> {
    shared: &'a SharedSnowflake,
}

impl SnowflakeOwner<'_> {
    /// Moves the end of the present lane's grant up; a lower end changes nothing.
    pub fn extend(&mut self, reserved: u64) {
        self.shared.end.fetch_max(self.shared.rule.end_slot(reserved), Relaxed);
    }

    /// Changes to another lane, like [`Snowflake::open`](crate::Snowflake::open). Calls in progress
    /// finish in the old lane or start again in the new one.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`]; the old lane stays.
    pub fn open(&mut self, lane: Lane) -> Result<(), Error> {
        let SharedSnowflake { rule, past, .. } = self.shared;
        let template = rule.template(lane)?;
        self.close();
        past.leave_for(lane);
        // After a jump, this lane may have been left above the present one.
        let left = past.resume_of(lane.rollback).load(Relaxed);
        let reached = past.left.load(Relaxed).max(left);
        self.shared.enter(template, lane, rule.first_slot(lane.grant, reached));
        Ok(())
    }

    /// Changes to another lane regardless of earlier IDs' times, like
    /// [`Snowflake::jump`](crate::Snowflake::jump). When the count of jumps wraps, it begins above
    /// all of them.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`]; the old lane stays.
    pub fn jump(&mut self, lane: Lane) -> Result<(), Error> {
        let SharedSnowflake { rule, past, .. } = self.shared;
        let template = rule.template(lane)?;
        self.close();
        past.leave_for(lane);
        let floor = past.count_jump(rule.slot_mask.leading_zeros());
        let reached = past.resume_of(lane.rollback).load(Relaxed).max(floor);
        self.shared.enter(template, lane, rule.first_slot(lane.grant, reached));
        Ok(())
    }

    /// Stops issuing until [`open`](Self::open). When it returns, every ID issued under the present
    /// worker ID, whatever its rollback count, lies below the returned tick, and no more follow.
    pub fn close(&mut self) -> u64 {
        let SharedSnowflake { rule, past, state, .. } = self.shared;
        // Acquire: every earlier claim comes before the stores of a later `open`, so no such claim
        // can have read the template or end of a lane opened afterwards.
        let state = state.swap(CLOSED, AcqRel);
        if state != CLOSED {
            past.leave((state & rule.slot_mask).saturating_add(1));
        }
        rule.fresh_tick(past.reached().saturating_sub(1))
    }
}

impl Drop for SnowflakeOwner<'_> {
    fn drop(&mut self) {
        self.shared.claim.give_back();
    }
}

impl Past {
    /// Notes that the present lane ends below `left`.
    fn leave(&self, left: u64) {
        self.left.store(left, Relaxed);
        self.furthest.store(self.furthest.load(Relaxed).max(left), Relaxed);
    }

    /// Counts a jump in `bits` bits, and returns the slot below which the lane must not begin.
    fn count_jump(&self, bits: u32) -> u64 {
        let jumps = self.jumps.load(Relaxed).wrapping_add(1);
        self.jumps.store(jumps, Relaxed);
        if jumps & 1_u64.wrapping_shl(bits).wrapping_sub(1) == 0 {
            // The counts start over, and must not meet a slot with which they were used before.
            self.floor.store(self.furthest.load(Relaxed), Relaxed);
        }
        self.floor.load(Relaxed)
    }

    /// Notes where the lane that was just closed stood, and which lane comes next.
    fn leave_for(&self, lane: Lane) {
        let left = self.left.load(Relaxed);
        let rollback = self.rollback.swap(lane.rollback, Relaxed);
        if self.worker_id.swap(lane.worker_id, Relaxed) == lane.worker_id {
            self.resume_of(rollback).store(left, Relaxed);
        } else {
            self.resume.iter().for_each(|slot| slot.store(0, Relaxed));
        }
    }

    /// Returns the furthest slot of the present worker ID, under any of its rollback counts.
    fn reached(&self) -> u64 {
        let left = self.left.load(Relaxed);
        self.resume.iter().fold(left, |reached, slot| reached.max(slot.load(Relaxed)))
    }

    #[expect(clippy::indexing_slicing, reason = "the index is masked to the array's length")]
    fn resume_of(&self, rollback: u32) -> &AtomicU64 {
        &self.resume[(rollback & 3) as usize]
    }
}
