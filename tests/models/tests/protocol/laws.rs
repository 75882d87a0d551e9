//! The history, as far as the laws need it. Neither store nor nodes look here.

use stateright::Property;

use crate::model::{Protocol, State};
use crate::node::{Held, Node};
use crate::store::{Claim, Lease, Tick, Token};

/// L1, which every flaw of what is granted must break.
pub(crate) const UNIQUE: &str = "L1 no slot twice";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct History {
    /// One tick, the same in all of a history, is watched under every worker ID; each tick is
    /// watched in some histories. The IDs of others change nothing, so they are not among the
    /// actions, and nothing has to be remembered of them.
    pub(crate) tick: Tick,
    workers: Vec<Past>,
    /// The token of a renewal under way when an image was copied.
    pub(crate) copied_call: Option<Token>,
    /// The last step gave a worker ID to another node than the one that crashed with it.
    pub(crate) inherited: bool,
    repeated: bool,
    unreserved: bool,
    overlapping: bool,
}

/// The history of one worker ID.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Past {
    /// True if the watched tick was issued.
    issued: bool,
    /// The end of all that was ever reserved.
    top: Tick,
    /// The node that crashed with the last lease.
    orphan_of: Option<usize>,
    /// Below it, two copies of an image may repeat each other (law L10): the end of what the image
    /// held, or of what was asked for then.
    copied_below: Tick,
}

impl History {
    pub(crate) fn new(workers: usize, tick: Tick) -> History {
        History {
            tick,
            workers: vec![Past::default(); workers],
            copied_call: None,
            inherited: false,
            repeated: false,
            unreserved: false,
            overlapping: false,
        }
    }

    pub(crate) fn granted(&mut self, node: usize, lease: &Lease) {
        let past = &mut self.workers[lease.claim.worker];
        self.overlapping |= lease.floor < past.top;
        self.inherited = past.orphan_of.take().is_some_and(|crashed| crashed != node);
        past.top = past.top.max(lease.reserved);
    }

    pub(crate) fn renewed(&mut self, claim: Claim, next: Token, reserved: Tick) {
        let past = &mut self.workers[claim.worker];
        past.top = past.top.max(reserved);
        if self.copied_call == Some(next) {
            past.copied_below = past.copied_below.max(reserved);
        }
    }

    pub(crate) fn issued(&mut self, lease: &Lease) {
        let past = &mut self.workers[lease.claim.worker];
        self.repeated |= past.issued && self.tick >= past.copied_below;
        self.unreserved |= !(lease.floor..lease.reserved).contains(&self.tick);
        past.issued = true;
    }

    pub(crate) fn crashed(&mut self, node: usize, with: &Held) {
        self.workers[with.lease.claim.worker].orphan_of = Some(node);
    }

    pub(crate) fn copied(&mut self, node: &Node, held: &Held) {
        self.copied_call = node.next_token;
        self.workers[held.lease.claim.worker].copied_below = held.lease.reserved;
    }
}

pub(crate) fn laws(protocol: &Protocol) -> Vec<Property<Protocol>> {
    let mut laws = vec![
        Property::always(UNIQUE, |_, state: &State| !state.history.repeated),
        Property::always("L2 only what its lease reserved", |_, state: &State| {
            !state.history.unreserved
        }),
        Property::always("L2 intervals rise", |_, state: &State| !state.history.overlapping),
        Property::always("L2 intervals are disjoint", |_, state: &State| are_disjoint(state)),
    ];
    // The search must have seen these events, or the laws might hold because nothing happened.
    if protocol.bounds.workers > 1 {
        laws.push(Property::sometimes("both nodes issue", |_, state: &State| {
            state.nodes.iter().all(|node| node.held.is_some_and(|held| held.used))
        }));
    }
    if protocol.bounds.crashes > 0 {
        laws.push(Property::sometimes("a worker ID changes hands", |_, state: &State| {
            state.history.inherited
        }));
    }
    laws
}

/// Two leases of one worker ID have no tick in common. Two copies of an image have the same lease.
fn are_disjoint(state: &State) -> bool {
    let [Some(a), Some(b)] = state.nodes.each_ref().map(|node| node.held.map(|held| held.lease))
    else {
        return true;
    };
    let same_worker = a.claim.worker == b.claim.worker;
    !same_worker || a.claim.epoch == b.claim.epoch || a.reserved <= b.floor || b.reserved <= a.floor
}
