//! The protocol as a transition system: what may happen next, and what it does.

use stateright::{Model, Property};

use crate::laws::{History, laws};
use crate::node::Node;
use crate::store::{Claim, Flaw, RESERVATION, Store, Tick, Token};

pub(crate) const NODES: usize = 2;

/// The limits on events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) workers: usize,
    /// The last tick that the store's clock may read.
    pub(crate) last: Tick,
    /// Requests under way at once.
    pub(crate) in_flight: usize,
    /// Crashes, each with a restart.
    pub(crate) crashes: u8,
    /// Calls given up: the request or its answer is lost, or late.
    pub(crate) timeouts: u8,
    /// Requests that arrive once more.
    pub(crate) repeats: u8,
    pub(crate) evictions: u8,
    /// Changes of a node to another worker ID, because of its clock.
    pub(crate) changes: u8,
    /// Images of a running node that are started as the other one.
    pub(crate) copies: u8,
}

/// The protocol, or one with a flaw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Protocol {
    pub(crate) bounds: Bounds,
    pub(crate) flaw: Option<Flaw>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) store: Store,
    pub(crate) nodes: [Node; NODES],
    /// Sorted. One that never arrives is lost.
    pub(crate) requests: Vec<Request>,
    spent: Spent,
    pub(crate) history: History,
}

/// The count of the limited events so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Spent {
    crashes: u8,
    timeouts: u8,
    repeats: u8,
    evictions: u8,
    changes: u8,
    copies: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Request {
    Acquire { node: usize, owner: u8, token: Token, avoid: Option<usize> },
    Renew { node: usize, claim: Claim, next: Token },
    Release { claim: Claim },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Ask {
        node: usize,
        avoid: Option<usize>,
    },
    Renew(usize),
    Close(usize),
    GiveUp(usize),
    Crash(usize),
    /// The other node becomes a copy of this one's image.
    Copy(usize),
    Issue(usize),
    /// A request arrives when the store's clock reads `now`, and its answer is heard if the node
    /// still waits for it. What the node does between the two, it may as well do before: one step
    /// is enough.
    Arrive {
        at: usize,
        now: Tick,
        repeat: bool,
    },
    /// The same, of a request for a lease, for which this worker ID is free.
    Grant {
        at: usize,
        worker: usize,
        now: Tick,
        repeat: bool,
    },
    Evict {
        worker: usize,
        now: Tick,
    },
}

impl Model for Protocol {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let workers = self.bounds.workers;
        let watching = |tick| State {
            store: Store { rows: vec![None; workers] },
            nodes: [Node::new(1), Node::new(2)],
            requests: Vec::new(),
            spent: Spent::default(),
            history: History::new(workers, tick),
        };
        (0..self.bounds.last + RESERVATION).map(watching).collect()
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (index, node) in state.nodes.iter().enumerate() {
            self.actions_of_node(state, index, node, actions);
        }
        for now in 0..=self.bounds.last {
            self.actions_of_store(state, now, actions);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        state.history.inherited = false;
        self.take(&mut state, action)?;
        for node in &mut state.nodes {
            // A lost lease without the watched tick is as good as none.
            let is_of_use = node.living().is_some() || node.may_issue(last.history.tick, self.flaw);
            node.held = node.held.filter(|_| is_of_use);
        }
        state.forget_names();
        (state != *last).then_some(state)
    }

    fn properties(&self) -> Vec<Property<Protocol>> {
        laws(self)
    }
}

impl Protocol {
    fn take(&self, state: &mut State, action: Action) -> Option<()> {
        match action {
            Action::Ask { node, avoid } => {
                state.spent.changes += u8::from(avoid.is_some());
                let token = state.fresh_token();
                state.nodes[node].waits_for = Some(token);
                let owner = state.nodes[node].owner;
                state.requests.push(Request::Acquire { node, owner, token, avoid });
            }
            Action::Renew(node) => {
                let fresh = state.fresh_token();
                let claim = state.nodes[node].living()?;
                let next = *state.nodes[node].next_token.get_or_insert(fresh);
                state.nodes[node].waits_for = Some(next);
                state.requests.push(Request::Renew { node, claim, next });
            }
            Action::Close(node) => {
                let claim = state.nodes[node].living()?;
                state.nodes[node].held = None;
                state.requests.push(Request::Release { claim });
            }
            Action::GiveUp(node) => {
                state.spent.timeouts += 1;
                state.nodes[node].waits_for = None;
            }
            Action::Crash(node) => {
                state.spent.crashes += 1;
                state.nodes[node].held.iter().for_each(|held| state.history.crashed(node, held));
                state.nodes[node] = Node::new(state.fresh_owner());
            }
            Action::Copy(node) => {
                state.spent.copies += 1;
                state.history.copied(&state.nodes[node], &state.nodes[node].held?);
                state.nodes[1 - node] = state.nodes[node];
                // The answer goes to the original alone.
                state.nodes[1 - node].waits_for = None;
            }
            Action::Issue(node) => {
                let held = state.nodes[node].held.as_mut()?;
                held.used = true;
                state.history.issued(&held.lease);
            }
            Action::Arrive { at, now, repeat } => {
                let request = state.receive(at, repeat);
                self.arrive(state, request, now);
            }
            Action::Grant { at, worker, now, repeat } => {
                let Request::Acquire { node, owner, token, .. } = state.receive(at, repeat) else {
                    return None;
                };
                let lease = state.store.acquire(worker, owner, token, now, self.flaw);
                state.history.granted(node, &lease);
                let left = state.nodes[node].granted(token, lease);
                state.requests.extend(left.map(|claim| Request::Release { claim }));
            }
            Action::Evict { worker, now } => {
                state.spent.evictions += 1;
                state.store.evict(worker, now);
            }
        }
        Some(())
    }

    fn actions_of_node(&self, state: &State, node: usize, at: &Node, actions: &mut Vec<Action>) {
        let Bounds { in_flight, crashes, timeouts, changes, copies, .. } = self.bounds;
        let (living, spent) = (at.living(), &state.spent);
        let has_room = state.requests.len() < in_flight;
        if has_room && at.waits_for.is_none() {
            match living {
                None => actions.push(Action::Ask { node, avoid: None }),
                Some(claim) => {
                    actions.push(Action::Renew(node));
                    let change = Action::Ask { node, avoid: Some(claim.worker) };
                    actions.extend((spent.changes < changes).then_some(change));
                }
            }
        }
        let started = at.held.is_some() || at.waits_for.is_some();
        actions.extend((has_room && living.is_some()).then_some(Action::Close(node)));
        let waits = at.waits_for.is_some();
        actions.extend((waits && spent.timeouts < timeouts).then_some(Action::GiveUp(node)));
        actions.extend((started && spent.crashes < crashes).then_some(Action::Crash(node)));
        actions.extend((at.held.is_some() && spent.copies < copies).then_some(Action::Copy(node)));
        actions.extend(at.may_issue(state.history.tick, self.flaw).then_some(Action::Issue(node)));
    }

    fn actions_of_store(&self, state: &State, now: Tick, actions: &mut Vec<Action>) {
        let may_repeat = state.spent.repeats < self.bounds.repeats;
        for (at, request) in state.requests.iter().enumerate() {
            for repeat in [false, true].into_iter().take(1 + usize::from(may_repeat)) {
                let before = actions.len();
                if let Request::Acquire { avoid, .. } = *request {
                    let grant = |worker| Action::Grant { at, worker, now, repeat };
                    actions.extend(state.store.free(avoid, now).map(grant));
                }
                if actions.len() == before {
                    actions.push(Action::Arrive { at, now, repeat });
                }
            }
        }
        if state.spent.evictions < self.bounds.evictions {
            let evict = |worker| Action::Evict { worker, now };
            actions.extend((0..self.bounds.workers).map(evict));
        }
    }

    /// Lets the store handle a request, and the node its answer.
    fn arrive(&self, state: &mut State, request: Request, now: Tick) {
        let State { store, nodes, history, .. } = state;
        match request {
            // No worker ID is free.
            Request::Acquire { node, token, .. } => {
                nodes[node].hears(token);
            }
            Request::Renew { node, claim, next } => {
                let reserved = store.renew(claim, next, now, self.flaw);
                if let Some(reserved) = reserved {
                    history.renewed(claim, next, reserved);
                }
                nodes[node].renewed(claim, next, reserved);
            }
            Request::Release { claim } => store.release(claim, now, self.flaw),
        }
    }
}

impl State {
    /// The request, which stays under way if it is to arrive again.
    fn receive(&mut self, at: usize, repeat: bool) -> Request {
        if repeat {
            self.spent.repeats += 1;
            return self.requests[at];
        }
        self.requests.remove(at)
    }
}
