//! Owners, tokens and epochs are compared and nothing else: two states that differ in their names
//! alone are one state. Without this the search would not end.

use crate::model::{Request, State};
use crate::node::Node;
use crate::store::{Claim, RELEASED, Token};

/// The owner of a row whose holder is gone for good.
const NOBODY: u8 = 0;

impl State {
    /// A token that is nowhere else.
    pub(crate) fn fresh_token(&self) -> Token {
        self.tokens().into_iter().max().unwrap_or(RELEASED) + 1
    }

    /// An owner that is nowhere else.
    pub(crate) fn fresh_owner(&self) -> u8 {
        self.owners().into_iter().max().unwrap_or(NOBODY) + 1
    }

    /// Drops what can have no effect any more, and names the rest in the order in which it stands.
    pub(crate) fn forget_names(&mut self) {
        // It matters in `free_from` alone, and through no later change of the row below that.
        self.store.rows.iter_mut().flatten().for_each(|row| row.expires = row.free_from());
        let (rows, nodes) = (&self.store.rows, &self.nodes);
        self.requests.retain(|request| match request {
            Request::Acquire { .. } => true,
            Request::Renew { claim, next, .. } => {
                let is_awaited = nodes.iter().any(|node| node.waits_for == Some(*next));
                is_awaited || rows[claim.worker].is_some_and(|row| row.epoch == claim.epoch)
            }
            Request::Release { claim } => {
                rows[claim.worker].is_some_and(|row| row.epoch == claim.epoch)
            }
        });
        self.requests.sort_unstable();
        self.rename_tokens();
        self.rename_owners();
        (0..self.store.rows.len()).for_each(|worker| self.rename_epochs(worker));
        self.requests.sort_unstable();
    }

    /// A row's token that nobody has is as good as that of a released lease.
    fn rename_tokens(&mut self) {
        let known = in_order(self.tokens());
        let renamed = |token: Token| match token {
            RELEASED => RELEASED,
            _ => {
                known.iter().position(|&name| name == token).map_or(RELEASED, |at| at as Token + 1)
            }
        };
        self.store.rows.iter_mut().flatten().for_each(|row| row.token = renamed(row.token));
        for node in &mut self.nodes {
            node.waits_for = node.waits_for.map(renamed);
            node.next_token = node.next_token.map(renamed);
        }
        self.for_each_claim(|claim| claim.token = renamed(claim.token));
        for request in &mut self.requests {
            match request {
                Request::Acquire { token, .. } => *token = renamed(*token),
                Request::Renew { next, .. } => *next = renamed(*next),
                Request::Release { .. } => {}
            }
        }
        let copied = &mut self.history.copied_call;
        *copied = copied.map(renamed).filter(|&token| token != RELEASED);
    }

    fn rename_owners(&mut self) {
        let known = in_order(self.owners());
        let renamed = |owner: u8| {
            known.iter().position(|&name| name == owner).map_or(NOBODY, |at| at as u8 + 1)
        };
        self.store.rows.iter_mut().flatten().for_each(|row| row.owner = renamed(row.owner));
        self.nodes.iter_mut().for_each(|node| node.owner = renamed(node.owner));
        self.for_each_claim(|claim| claim.owner = renamed(claim.owner));
        for request in &mut self.requests {
            if let Request::Acquire { owner, .. } = request {
                *owner = renamed(*owner);
            }
        }
    }

    /// Counts the epochs of one worker ID that are left, in their order.
    fn rename_epochs(&mut self, worker: usize) {
        let Some(row) = self.store.rows[worker] else { return };
        let mut left = vec![row.epoch];
        self.for_each_claim(|claim| {
            left.extend((claim.worker == worker).then_some(claim.epoch));
        });
        left.sort_unstable();
        left.dedup();
        let renamed = |epoch: u8| left.partition_point(|&other| other < epoch) as u8 + 1;
        self.store.rows[worker].iter_mut().for_each(|row| row.epoch = renamed(row.epoch));
        self.for_each_claim(|claim| {
            if claim.worker == worker {
                claim.epoch = renamed(claim.epoch);
            }
        });
    }

    fn for_each_claim(&mut self, mut visit: impl FnMut(&mut Claim)) {
        let held = self.nodes.iter_mut().filter_map(|node| node.held.as_mut());
        held.for_each(|held| visit(&mut held.lease.claim));
        for request in &mut self.requests {
            match request {
                Request::Renew { claim, .. } | Request::Release { claim } => visit(claim),
                Request::Acquire { .. } => {}
            }
        }
    }

    fn claims(&self) -> impl Iterator<Item = Claim> {
        let held = self.nodes.iter().filter_map(|node| node.held.map(|held| held.lease.claim));
        held.chain(self.requests.iter().filter_map(|request| match *request {
            Request::Renew { claim, .. } | Request::Release { claim } => Some(claim),
            Request::Acquire { .. } => None,
        }))
    }

    /// The tokens that somebody can still show.
    fn tokens(&self) -> Vec<Token> {
        let nodes = self.nodes.iter().flat_map(|node| {
            let Node { waits_for, next_token, .. } = *node;
            [waits_for, next_token]
        });
        let requests = self.requests.iter().map(|request| match *request {
            Request::Acquire { token, .. } | Request::Renew { next: token, .. } => Some(token),
            Request::Release { .. } => None,
        });
        let claims = self.claims().map(|claim| claim.token);
        claims.chain(nodes.chain(requests).flatten()).collect()
    }

    /// The owners that somebody can still show.
    fn owners(&self) -> Vec<u8> {
        let requests = self.requests.iter().filter_map(|request| match *request {
            Request::Acquire { owner, .. } => Some(owner),
            _ => None,
        });
        let nodes = self.nodes.iter().map(|node| node.owner);
        nodes.chain(requests).chain(self.claims().map(|claim| claim.owner)).collect()
    }
}

/// Each name once, where it stands first.
fn in_order(names: Vec<u8>) -> Vec<u8> {
    let mut known = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}
