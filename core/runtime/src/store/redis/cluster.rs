//! Clusters. All our keys lie in one slot, so one node holds them all. Each new connection looks
//! for that node again.

use redis_protocol::resp2::types::OwnedFrame;
use snowmint_engine::Code;

use super::endpoint::Endpoint;
use super::session::Session;
use super::{errors, fault};
use crate::error::Result;
use crate::store::remote::deadline::Deadline;

/// The error words of a node for a key that another node has or will have.
const ELSEWHERE: [&str; 4] = ["MOVED ", "ASK ", "TRYAGAIN ", "CLUSTERDOWN "];

/// Returns true if another node may answer instead.
pub(super) fn is_elsewhere(said: &str) -> bool {
    ELSEWHERE.iter().any(|word| said.starts_with(word))
}

impl Endpoint {
    /// Connects to the node that holds our keys, as named by the first node that answers.
    pub(super) fn owner(&self, nodes: &[(String, u16)], deadline: Deadline) -> Result<Session> {
        let mut failure = errors::nodes_unnamed();
        let count = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        for (node, left) in nodes.iter().zip((1..=count).rev()) {
            match self.owner_by(node, deadline.share(left)) {
                Err(error) if error.code() != Code::StoreDenied => failure = error,
                done => return done,
            }
        }
        Err(failure)
    }

    fn owner_by(&self, node: &(String, u16), deadline: Deadline) -> Result<Session> {
        let mut session = self.session_with(node, deadline)?;
        let key = self.key("");
        let slot: [&[u8]; 3] = [b"CLUSTER", b"KEYSLOT", key.as_bytes()];
        let answers = session.ask(&[&slot, &[b"CLUSTER", b"SLOTS"]], deadline);
        let answers = answers.map_err(|error| fault::unreachable(self, error))?;
        let (slot, slots) = match <[OwnedFrame; 2]>::try_from(answers) {
            Ok([OwnedFrame::Integer(slot), OwnedFrame::Array(slots)]) => (slot, slots),
            Ok([OwnedFrame::Error(said), _]) => return Err(fault::said(self, &said)),
            _ => return Err(errors::strange_answer(self, "CLUSTER SLOTS")),
        };
        let owner = slots.iter().find_map(|range| owner_in(range, slot));
        let owner = owner.ok_or_else(|| errors::slot_without_node(self, slot))?;
        // A node that does not know its own name leaves the name out.
        let owner = if owner.0.is_empty() { (node.0.clone(), owner.1) } else { owner };
        if owner == *node { Ok(session) } else { self.session_with(&owner, deadline) }
    }

    fn session_with(&self, (name, port): &(String, u16), deadline: Deadline) -> Result<Session> {
        let wire = self.wire_to(name, *port, deadline);
        let mut session = Session::new(wire.map_err(|error| fault::unreachable(self, error))?);
        self.log_in(&mut session, deadline)?;
        Ok(session)
    }
}

/// Returns the master of a range of slots if the range includes `slot`.
fn owner_in(range: &OwnedFrame, slot: i64) -> Option<(String, u16)> {
    let OwnedFrame::Array(parts) = range else { return None };
    let [OwnedFrame::Integer(first), OwnedFrame::Integer(last), OwnedFrame::Array(master), ..] =
        parts.as_slice()
    else {
        return None;
    };
    let [name, OwnedFrame::Integer(port), ..] = master.as_slice() else { return None };
    let name = match name {
        OwnedFrame::BulkString(name) => String::from_utf8(name.clone()).ok()?,
        _ => String::new(),
    };
    (first..=last).contains(&&slot).then_some((name, u16::try_from(*port).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> OwnedFrame {
        OwnedFrame::BulkString(text.as_bytes().to_vec())
    }

    #[test]
    fn the_master_of_a_range_is_found() {
        let master = |name| OwnedFrame::Array(vec![name, OwnedFrame::Integer(7_000), text("id")]);
        let range = |name| {
            let (first, last) = (OwnedFrame::Integer(100), OwnedFrame::Integer(200));
            OwnedFrame::Array(vec![first, last, master(name), master(text("replica"))])
        };
        for slot in [100, 200] {
            assert_eq!(owner_in(&range(text("a")), slot), Some(("a".to_owned(), 7_000)));
        }
        assert_eq!(owner_in(&range(text("a")), 201), None);
        assert_eq!(owner_in(&range(OwnedFrame::Null), 150), Some((String::new(), 7_000)));
        assert_eq!(owner_in(&text("none"), 150), None);
    }

    #[test]
    fn a_moved_reply_tells_that_another_node_has_the_key() {
        assert!(is_elsewhere("MOVED 7 127.0.0.1:7000"));
        assert!(!is_elsewhere("WRONGTYPE Operation against a key"));
    }
}
