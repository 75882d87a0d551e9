//! The lock-free `&self` twin of [`Snowflake`](crate::Snowflake).

use crate::atomic::{AcqRel, Acquire, AtomicU32, AtomicU64, Relaxed, Release};
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
///   beside each other and beside the lane's owner. [`open`](Self::open),
///   [`extend`](Self::extend) and [`close`](Self::close) are the owner's: one call at a time.
/// - *Fork*: plain memory: a copy would repeat IDs. The runtime's generator guards against it.
///
/// A lane change happens in place. [`open`](Self::open) begins in a slot never reached before, and
/// [`jump`](Self::jump) counts itself in the bits that a slot leaves free; so the state takes no
/// value twice, and an exchange that succeeds proves that the lane read before it was the lane of
/// its slot. (The count is cyclic, of as many bits as the layout has beside time and sequence: a
/// thread would have to be stopped in mid-call for all of 2^bits jumps.)
#[derive(Debug)]
pub struct SharedSnowflake {
    /// Count of jumps in the top bits, next slot below; or [`CLOSED`].
    state: AtomicU64,
    end: AtomicU64,
    template: AtomicU64,
    owner: Owner,
    rule: Rule,
}

/// What only the lane's owner reads and writes.
#[derive(Debug)]
struct Owner {
    worker_id: AtomicU32,
    rollback: AtomicU32,
    jumps: AtomicU64,
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
        shared.open(lane)?;
        Ok(shared)
    }

    /// A generator without a lane: every call fails with [`Error::Closed`] until
    /// [`open`](Self::open).
    pub fn closed(layout: Layout, pace: Pace) -> SharedSnowflake {
        SharedSnowflake {
            state: AtomicU64::new(CLOSED),
            end: AtomicU64::new(0),
            template: AtomicU64::new(0),
            owner: Owner {
                worker_id: AtomicU32::new(0),
                rollback: AtomicU32::new(0),
                jumps: AtomicU64::new(0),
                left: AtomicU64::new(0),
                resume: core::array::from_fn(|_| AtomicU64::new(0)),
            },
            rule: Rule::new(layout, pace),
        }
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

    /// Moves the end of the present lane's grant up; a lower one than before changes nothing.
    pub fn extend(&self, reserved: u64) {
        self.end.fetch_max(self.rule.end_slot(reserved), Relaxed);
    }

    /// Goes on in another lane, as [`Snowflake::open`](crate::Snowflake::open) does. Calls under
    /// way end in the old lane or begin again in the new one.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`]; the old lane then stays.
    pub fn open(&self, lane: Lane) -> Result<(), Error> {
        let template = self.rule.template(lane)?;
        self.close();
        self.owner.leave_for(lane);
        // After a jump the lane may have been left above the present one.
        let left = self.owner.resume_of(lane.rollback).load(Relaxed);
        let reached = self.owner.left.load(Relaxed).max(left);
        self.enter(template, lane, self.rule.first_slot(lane.grant, reached));
        Ok(())
    }

    /// Goes on in another lane without regard to the times of IDs issued before, as
    /// [`Snowflake::jump`](crate::Snowflake::jump) does.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`]; the old lane then stays.
    pub fn jump(&self, lane: Lane) -> Result<(), Error> {
        let template = self.rule.template(lane)?;
        self.close();
        self.owner.leave_for(lane);
        self.owner.jumps.fetch_add(1, Relaxed);
        let reached = self.owner.resume_of(lane.rollback).load(Relaxed);
        self.enter(template, lane, self.rule.first_slot(lane.grant, reached));
        Ok(())
    }

    /// Stops issuing until [`open`](Self::open). When it returns, every ID issued under the
    /// present worker ID, whatever the rollback count, lies below the tick returned, and none
    /// follows.
    pub fn close(&self) -> u64 {
        // Acquire: every claim made before comes before the stores of a later `open`, so no claim
        // can have read the template or end of a lane opened after it.
        let state = self.state.swap(CLOSED, AcqRel);
        if state != CLOSED {
            let reached = (state & self.rule.slot_mask).saturating_add(1);
            self.owner.left.store(reached, Relaxed);
        }
        self.rule.fresh_tick(self.owner.reached().saturating_sub(1))
    }

    fn enter(&self, template: u64, lane: Lane, first: u64) {
        self.template.store(template, Relaxed);
        self.end.store(self.rule.end_slot(lane.grant.reserved), Relaxed);
        let free_bits = self.rule.slot_mask.leading_zeros();
        let count = self.owner.jumps.load(Relaxed);
        // Without free bits there is no worker ID or rollback count to jump to.
        let jumps =
            if free_bits == 0 { 0 } else { count.wrapping_shl(64_u32.wrapping_sub(free_bits)) };
        // Release: whoever reads this state reads the template and end stored above.
        self.state.store(jumps | first, Release);
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

impl Owner {
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
