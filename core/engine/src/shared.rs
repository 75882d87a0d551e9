//! The lock-free `&self` twin of [`Snowflake`](crate::Snowflake).

use crate::atomic::{AcqRel, Acquire, AtomicU32, AtomicU64, Relaxed, Release};
use crate::claim::Claim;
use crate::error::Error;
use crate::id::{Ids, Spread};
use crate::layout::Layout;
use crate::snowflake::{Lane, Pace, Rule};

/// The state of a closed generator, above every slot.
const CLOSED: u64 = u64::MAX;

/// Mints snowflake IDs from any thread: one compare-and-swap an ID or block.
///
/// - *Order*: as [`Snowflake`](crate::Snowflake), across threads: a call that begins after another
///   returned gets a higher slot.
/// - *Overflow, clock rollback*: as there.
/// - *Threads*: [`next_id`](Self::next_id) and [`issue`](Self::issue) from any number of threads,
///   beside each other and beside the one [`owner`](Self::owner), who changes lanes.
/// - *Fork*: plain memory: a copy would repeat IDs. The runtime's generator guards against it.
///
/// A lane change happens in place. [`open`](SnowflakeOwner::open) begins in a slot never reached
/// before, and [`jump`](SnowflakeOwner::jump) counts itself in the bits that a slot leaves free; so
/// the state takes no value twice, and an exchange that succeeds proves that the lane read before it
/// was the lane of its slot. The count is cyclic: once it is used up, the lanes of its next round
/// begin above everything reached before. Where time and sequence take 63 bits or 64 there is
/// nothing to count in, and each jump does.
#[derive(Debug)]
pub struct SharedSnowflake {
    /// Count of jumps in the top bits, next slot below; or [`CLOSED`].
    state: AtomicU64,
    end: AtomicU64,
    template: AtomicU64,
    past: Past,
    claim: Claim,
    rule: Rule,
}

/// What the lanes before leave to the next: only the owner reads and writes it.
#[derive(Debug)]
struct Past {
    worker_id: AtomicU32,
    rollback: AtomicU32,
    jumps: AtomicU64,
    /// One above the furthest slot that any lane has stood at.
    furthest: AtomicU64,
    /// What that was when the count of jumps last began anew: lanes after a jump begin above.
    floor: AtomicU64,
    /// One above the next slot when the generator was last closed; 0 before.
    left: AtomicU64,
    /// The same for each rollback count under the present worker ID.
    resume: [AtomicU64; 4],
}

impl SharedSnowflake {
    /// A generator at the floor of its lane's grant.
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

    /// A generator without a lane: every call fails with [`Error::Closed`] until
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

    /// The same for a process that forks. `image` is a number of which each copy of this memory has
    /// its own, never 0 while an owner is asked for: a forked child can then have an owner, whatever
    /// the parent's was at.
    #[must_use]
    pub fn in_image(self, image: &'static AtomicU64) -> SharedSnowflake {
        SharedSnowflake { claim: self.claim.told_apart_by(image), ..self }
    }

    /// The one that may change the lane; `None` while there is another.
    pub fn owner(&self) -> Option<SnowflakeOwner<'_>> {
        self.claim.take().then(|| SnowflakeOwner { shared: self })
    }

    /// The layout.
    pub const fn layout(&self) -> &Layout {
        &self.rule.layout
    }

    /// One ID at `now_ms`, Unix milliseconds.
    ///
    /// # Errors
    /// As [`issue`](Self::issue).
    #[inline(always)]
    pub fn next_id(&self, now_ms: i64) -> Result<u64, Error> {
        if let Some(id) = self.go_on(now_ms) {
            return Ok(id);
        }
        let (first, _, template) = self.claim(now_ms, 1)?;
        Ok(self.rule.places.spread(template, first))
    }

    /// `n` IDs at `now_ms`, in contiguous slots, all or none.
    ///
    /// # Errors
    /// As [`Snowflake::issue`](crate::Snowflake::issue), and [`Error::Closed`].
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
        // Release: whoever reads this state reads the template and end stored above.
        self.state.store(jumps | first, Release);
    }

    /// The tick that the next ID is in at the earliest; `None` while there is no lane. Other threads
    /// may go on from it meanwhile.
    pub fn next_tick(&self) -> Option<u64> {
        let state = self.state.load(Relaxed);
        let slot = state & self.rule.slot_mask;
        (state != CLOSED).then(|| slot.wrapping_shr(u32::from(self.rule.places.sequence_bits)))
    }

    /// One attempt at the slot that follows the last one in its tick.
    ///
    /// Part of every caller, and in an order that keeps short what the next claim waits for: the
    /// processor makes the exchange only when everything before is done.
    #[inline(always)]
    fn go_on(&self, now_ms: i64) -> Option<u64> {
        // Acquire: the template and end read next are those of this state's lane, or of a later
        // one. If of a later one, `close` has changed the state and the exchange fails.
        let state = self.state.load(Acquire);
        let end = self.end.load(Relaxed);
        let template = self.template.load(Relaxed);
        let slot = state & self.rule.slot_mask;
        if !self.rule.goes_on(slot, end, now_ms) {
            return None;
        }
        // One more carries nothing into the count of jumps: the end is within the mask.
        let after = state.wrapping_add(1);
        // Release: `close` sees this claim's reads as done.
        self.state.compare_exchange(state, after, Release, Relaxed).ok()?;
        Some(self.rule.places.spread(template, slot))
    }

    /// Claims `n` slots: first, one past the last, and the fixed bits of their lane.
    #[inline(never)]
    fn claim(&self, now_ms: i64, n: u64) -> Result<(u64, u64, u64), Error> {
        // Acquire and Release: as in `go_on`.
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

    /// Why `state` could not issue; or a newer state, with which to try again.
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

/// What may change the lane of a [`SharedSnowflake`], one at a time: from
/// [`SharedSnowflake::owner`] until it is dropped. Two threads cannot share it:
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
    /// Moves the end of the present lane's grant up; a lower one than before changes nothing.
    pub fn extend(&mut self, reserved: u64) {
        self.shared.end.fetch_max(self.shared.rule.end_slot(reserved), Relaxed);
    }

    /// Goes on in another lane, as [`Snowflake::open`](crate::Snowflake::open) does. Calls under
    /// way end in the old lane or begin again in the new one.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`]; the old lane then stays.
    pub fn open(&mut self, lane: Lane) -> Result<(), Error> {
        let SharedSnowflake { rule, past, .. } = self.shared;
        let template = rule.template(lane)?;
        self.close();
        past.leave_for(lane);
        // After a jump the lane may have been left above the present one.
        let left = past.resume_of(lane.rollback).load(Relaxed);
        let reached = past.left.load(Relaxed).max(left);
        self.shared.enter(template, lane, rule.first_slot(lane.grant, reached));
        Ok(())
    }

    /// Goes on in another lane without regard to the times of IDs issued before, as
    /// [`Snowflake::jump`](crate::Snowflake::jump) does; where the count of jumps is used up, above
    /// all of them.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`]; the old lane then stays.
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

    /// Stops issuing until [`open`](Self::open). When it returns, every ID issued under the
    /// present worker ID, whatever the rollback count, lies below the tick returned, and none
    /// follows.
    pub fn close(&mut self) -> u64 {
        let SharedSnowflake { rule, past, state, .. } = self.shared;
        // Acquire: every claim made before comes before the stores of a later `open`, so no claim
        // can have read the template or end of a lane opened after it.
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
    /// The present lane ends below `left`.
    fn leave(&self, left: u64) {
        self.left.store(left, Relaxed);
        self.furthest.store(self.furthest.load(Relaxed).max(left), Relaxed);
    }

    /// Counts a jump in so many bits; gives what the lane must not begin below.
    fn count_jump(&self, bits: u32) -> u64 {
        let jumps = self.jumps.load(Relaxed).wrapping_add(1);
        self.jumps.store(jumps, Relaxed);
        if jumps & 1_u64.wrapping_shl(bits).wrapping_sub(1) == 0 {
            // The counts come again, and must not with a slot that they came with before.
            self.floor.store(self.furthest.load(Relaxed), Relaxed);
        }
        self.floor.load(Relaxed)
    }

    /// Notes where the lane just closed stood, and which comes next.
    fn leave_for(&self, lane: Lane) {
        let left = self.left.load(Relaxed);
        let rollback = self.rollback.swap(lane.rollback, Relaxed);
        if self.worker_id.swap(lane.worker_id, Relaxed) == lane.worker_id {
            self.resume_of(rollback).store(left, Relaxed);
        } else {
            self.resume.iter().for_each(|slot| slot.store(0, Relaxed));
        }
    }

    /// The furthest that the present worker ID has come, under any of its rollback counts.
    fn reached(&self) -> u64 {
        let left = self.left.load(Relaxed);
        self.resume.iter().fold(left, |reached, slot| reached.max(slot.load(Relaxed)))
    }

    #[expect(clippy::indexing_slicing, reason = "the index is masked to the array's length")]
    fn resume_of(&self, rollback: u32) -> &AtomicU64 {
        &self.resume[(rollback & 3) as usize]
    }
}
