//! The store: one row a worker ID, one transaction at a time. `acquire`, `renew`, `release` and
//! `evict` are those of the runtime's `store/memory.rs`, with ticks for milliseconds.

/// A time. Every clock, floor and end is one; a slot of the engine is as good as a tick here.
pub(crate) type Tick = u8;
/// Two tokens are equal or not, and that is all there is to them.
pub(crate) type Token = u8;

/// The token of a released lease, which nobody has.
pub(crate) const RELEASED: Token = 0;
/// The ticks that a grant or renewal reserves from the store's clock on.
pub(crate) const RESERVATION: Tick = 2;
/// `LeaseRequest::reach_ms` of this reservation: a quarter of it, rounded up, must be left.
const REACH: Tick = RESERVATION - RESERVATION.div_ceil(4);

/// The flaws that a protocol may have. The laws must detect each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// A grant begins at the store's clock, not above what was reserved before.
    FloorIsNow,
    /// A renewal ends at the store's clock and a reservation, even where more was reserved.
    RenewalLowersReserved,
    /// Whoever asks for it renews.
    RenewalUnchecked,
    /// Owner and epoch are enough to renew.
    TokenUnchecked,
    /// A release gives back what is reserved past the store's clock.
    ReleaseForgetsReserved,
    /// A holder issues whatever tick its clock shows above the floor.
    EndIgnored,
    /// A lease is a time to live and no more: a holder issues what its clock shows until then.
    ExpiryByNodeClock,
}

/// The rows. Its clock goes where it likes: each transaction is told what it reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Store {
    /// None: a worker ID that nobody ever had.
    pub(crate) rows: Vec<Option<Row>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(crate) owner: u8,
    pub(crate) epoch: u8,
    pub(crate) token: Token,
    pub(crate) reserved: Tick,
    pub(crate) expires: Tick,
}

/// The proof of a lease that its holder shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Claim {
    pub(crate) worker: usize,
    pub(crate) epoch: u8,
    pub(crate) owner: u8,
    pub(crate) token: Token,
}

/// The store's answer: the holder may issue `[floor, reserved)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lease {
    pub(crate) claim: Claim,
    pub(crate) floor: Tick,
    pub(crate) reserved: Tick,
}

impl Store {
    /// The worker IDs that may be taken. The store prefers some; here it may be any of them.
    pub(crate) fn free(&self, avoid: Option<usize>, now: Tick) -> impl Iterator<Item = usize> {
        let allowed = (0..self.rows.len()).filter(move |&worker| avoid != Some(worker));
        allowed.filter(move |&worker| self.rows[worker].is_none_or(|row| row.free_from() <= now))
    }

    /// Takes a worker ID that is free.
    pub(crate) fn acquire(
        &mut self,
        worker: usize,
        owner: u8,
        token: Token,
        now: Tick,
        flaw: Option<Flaw>,
    ) -> Lease {
        let unused = Row { owner, epoch: 0, token, reserved: now, expires: now };
        let row = self.rows[worker].get_or_insert(unused);
        let end = now + RESERVATION;
        let floor = if flaw == Some(Flaw::FloorIsNow) { now } else { row.reserved.max(now) };
        let (epoch, reserved) = (row.epoch + 1, row.reserved.max(end));
        *row = Row { owner, epoch, token, reserved, expires: end };
        Lease { claim: Claim { worker, epoch, owner, token }, floor, reserved }
    }

    /// Reserves more and replaces the token; gives the new end, or nothing if the lease is lost.
    pub(crate) fn renew(
        &mut self,
        claim: Claim,
        next: Token,
        now: Tick,
        flaw: Option<Flaw>,
    ) -> Option<Tick> {
        let end = now + RESERVATION;
        let row = self.rows[claim.worker].as_mut()?;
        let knows_token = [claim.token, next].contains(&row.token);
        let holds = match flaw {
            Some(Flaw::RenewalUnchecked) => true,
            Some(Flaw::TokenUnchecked) => row.belongs_to(claim),
            _ => row.belongs_to(claim) && knows_token,
        };
        if !holds {
            return None;
        }
        let lowers = flaw == Some(Flaw::RenewalLowersReserved);
        row.token = next;
        row.reserved = if lowers { end } else { row.reserved.max(end) };
        row.expires = row.expires.max(end);
        Some(row.reserved)
    }

    /// Ends a lease for good; what is reserved stays so.
    pub(crate) fn release(&mut self, claim: Claim, now: Tick, flaw: Option<Flaw>) {
        let row = self.rows[claim.worker].as_mut();
        if let Some(row) = row.filter(|row| row.belongs_to(claim) && row.token == claim.token) {
            row.expires = row.expires.min(now);
            row.token = RELEASED;
            if flaw == Some(Flaw::ReleaseForgetsReserved) {
                row.reserved = row.reserved.min(now);
            }
        }
    }

    /// An operator ends a lease.
    pub(crate) fn evict(&mut self, worker: usize, now: Tick) {
        if let Some(row) = &mut self.rows[worker] {
            row.expires = row.expires.min(now);
            row.epoch += 1;
        }
    }
}

impl Row {
    /// `Row::free_ms`: when it can be taken, if nobody renews it.
    pub(crate) fn free_from(&self) -> Tick {
        self.expires.max(self.reserved.saturating_sub(REACH))
    }

    fn belongs_to(&self, claim: Claim) -> bool {
        self.owner == claim.owner && self.epoch == claim.epoch
    }
}
