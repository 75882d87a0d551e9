//! The data of Leaf's nodes: an address and a time.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::store::zookeeper::errors;

/// The address of a Leaf server, to which its worker ID belongs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Address {
    ip: String,
    port: String,
}

impl Address {
    /// Reads `host:port`.
    pub(super) fn parse(text: &str) -> Result<Address> {
        let parts = text.rsplit_once(':').filter(|(ip, port)| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            !ip.is_empty() && ip.chars().all(is_plain) && port.parse::<u16>().is_ok()
        });
        let Some((ip, port)) = parts else {
            return Err(errors::leaf_address_invalid(text));
        };
        Ok(Address { ip: ip.to_owned(), port: port.to_owned() })
    }

    /// Returns the name of the address's node, before the number.
    pub(super) fn prefix(&self) -> String {
        format!("{}:{}-", self.ip, self.port)
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.ip, self.port)
    }
}

/// The JSON of a node. Leaf allows no other members.
#[derive(Serialize, Deserialize)]
struct Endpoint {
    ip: String,
    port: String,
    timestamp: i64,
}

/// The meaning of the time in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeTime {
    /// The time by its server's clock, which Leaf reports every three seconds.
    Reported(i64),
    /// The time up to which the worker ID is used at most, as we write it.
    Reserved(i64),
}

/// Reads a node's data; `None` if it is not Leaf's.
pub(super) fn node_time(data: &str) -> Option<NodeTime> {
    let Endpoint { ip, port, timestamp } = serde_json::from_str(data).ok()?;
    let is_ours = data == reserved(&Address { ip, port }, timestamp);
    Some(if is_ours { NodeTime::Reserved(timestamp) } else { NodeTime::Reported(timestamp) })
}

/// Writes a reserved time. The spaces, which Leaf ignores and never writes, tell it from a reported
/// time.
pub(super) fn reserved(Address { ip, port }: &Address, reserved_ms: i64) -> String {
    format!(r#"{{"ip": "{ip}", "port": "{port}", "timestamp": {reserved_ms}}}"#)
}

/// Returns the number at the end of a node's name, if the node is this address's.
pub(super) fn number(name: &str, address: &Address) -> Option<i64> {
    name.strip_prefix(&address.prefix())?.parse().ok()
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn nodes_written_by_leaf_and_by_us_are_told_apart() {
        let address = Address::parse("10.0.0.7:8080").unwrap();
        let ours = reserved(&address, 1_700);
        assert_eq!(node_time(&ours), Some(NodeTime::Reserved(1_700)));
        let leafs = r#"{"ip":"10.0.0.7","port":"8080","timestamp":1700}"#;
        assert_eq!(node_time(leafs), Some(NodeTime::Reported(1_700)));
        assert_eq!(serde_json::from_str::<Endpoint>(&ours).unwrap().timestamp, 1_700);
        for none in ["", "{}", "1700", r#"{"ip":"a","port":"1","timestamp":"x"}"#] {
            assert_eq!(node_time(none), None, "{none}");
        }
    }

    #[test]
    fn addresses_are_those_of_servers() {
        let address = Address::parse("leaf-1.lan:8080").unwrap();
        assert_eq!(number("leaf-1.lan:8080-0000000007", &address), Some(7));
        assert_eq!(number("leaf-1.lan:80800-0000000007", &address), None);
        for wrong in ["", "a", "a:", ":1", "a:70000", "a/b:1", "a b:1", "a\":1"] {
            assert_eq!(
                Address::parse(wrong).unwrap_err().code(),
                Code::InvalidParameter,
                "{wrong}"
            );
        }
    }
}
