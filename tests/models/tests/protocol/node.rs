//! A node: asks for a worker ID, renews it, and issues, as the runtime's `LeasedWorker` does. It compares
//! no clock with anything.

use crate::store::{Claim, Flaw, Lease, Tick, Token};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    /// Another one after each restart.
    pub(crate) owner: u8,
    pub(crate) held: Option<Held>,
    /// The token in a request that it waits for: the scheduler makes one call at a time.
    pub(crate) waits_for: Option<Token>,
    /// The next token, of a renewal whose answer has not come yet; kept for its repeats.
    pub(crate) next_token: Option<Token>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Held {
    pub(crate) lease: Lease,
    /// The store said that it is another's. What is reserved may be used up all the same.
    pub(crate) lost: bool,
    /// Its generator issued the watched tick: it will not do so again.
    pub(crate) used: bool,
}

impl Node {
    pub(crate) fn new(owner: u8) -> Node {
        Node { owner, held: None, waits_for: None, next_token: None }
    }

    /// The lease, unless it is known to be lost.
    pub(crate) fn living(&self) -> Option<Claim> {
        self.held.filter(|held| !held.lost).map(|held| held.lease.claim)
    }

    /// A lease asked for with `token`; gives the one left for it.
    pub(crate) fn granted(&mut self, token: Token, lease: Lease) -> Option<Claim> {
        if !self.hears(token) {
            return None;
        }
        let left = self.living();
        self.next_token = None;
        self.held = Some(Held { lease, lost: false, used: false });
        left
    }

    /// The answer to a renewal of `claim`: the new end, or that the lease is lost.
    pub(crate) fn renewed(&mut self, claim: Claim, next: Token, reserved: Option<Tick>) {
        if !self.hears(next) {
            return;
        }
        if let Some(held) = self.held.as_mut().filter(|held| held.lease.claim == claim) {
            self.next_token = None;
            match reserved {
                Some(reserved) => {
                    held.lease.claim.token = next;
                    // The machine's `extend` never lowers the end.
                    held.lease.reserved = held.lease.reserved.max(reserved);
                }
                None => held.lost = true,
            }
        }
    }

    /// Ends the wait for an answer, if it is this one. Others are of calls given up.
    pub(crate) fn hears(&mut self, token: Token) -> bool {
        let heard = self.waits_for == Some(token);
        self.waits_for = self.waits_for.filter(|_| !heard);
        heard
    }

    /// Returns true if its next ID may have this tick. Its clock may read anything, so it is any
    /// tick that the rule leaves, at any moment.
    pub(crate) fn may_issue(&self, tick: Tick, flaw: Option<Flaw>) -> bool {
        self.held.is_some_and(|held| {
            let Lease { floor, reserved, .. } = held.lease;
            let allowed = match flaw {
                Some(Flaw::EndIgnored) => floor <= tick,
                Some(Flaw::ExpiryByNodeClock) => tick < reserved,
                _ => (floor..reserved).contains(&tick),
            };
            allowed && !held.used
        })
    }
}
