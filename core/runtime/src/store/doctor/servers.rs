//! Findings that database servers share: the network path to them, and free connections.

use snowmint_engine::Code;

use crate::findings::Finding;
use crate::store::remote::link::Way;
use crate::store::sql::servers::Refusals;

/// The largest number of connections that one process opens to a database.
const CONNECTIONS: i64 = 4;

/// Reports whether something stands between this machine and the server. A server sees the port
/// that a client connects from, or no port if the client is on the server's own machine.
pub(crate) fn between(way: &Way, seen: Option<u16>) -> Finding {
    let subject = "way";
    if way.port == seen {
        return Finding::ok(subject, "the server sees the connection as it was opened here");
    }
    let shown = |port: Option<u16>| port.map_or("no port".to_owned(), |it| format!("port {it}"));
    let found = format!(
        "the server sees another connection than was opened here ({}, not {}): a pooler, a proxy or \
         an address translation is between. A pooler has to keep a transaction on one connection",
        shown(seen),
        shown(way.port)
    );
    Finding::ok(subject, found)
}

/// The subject of findings about failovers.
pub(crate) const FAILOVERS: &str = "failovers";

/// Reports whether a server took another's place, given its incarnation, and what it refuses until
/// an operator confirms it.
pub(crate) fn failovers(present: &str, refusals: &Refusals) -> Finding {
    let found = format!("this server is {present}");
    let Refusals { makes_none, tags: refused, wait_ms } = *refusals;
    if makes_none || refused > 0 {
        let found = format!(
            "{found}, and took another's place or has its tables from a copy: {refused} tags give no \
             range{}",
            if makes_none { ", and none is made" } else { "" }
        );
        let cure = format!(
            "end whatever still mints from another copy, then run `snowmint recover --server \
             {present} URL`, which says what to look up"
        );
        return Finding::refused(FAILOVERS, Code::IncarnationChanged, found, cure);
    }
    if wait_ms > 0 {
        let found = format!(
            "{found}, and took another's place or has its tables from a copy: it gives no worker ID \
             for {wait_ms} ms"
        );
        return Finding::weaker(FAILOVERS, found, "none is needed: it goes on by itself");
    }
    Finding::ok(FAILOVERS, found + ", and nothing waits for an operator")
}

/// The security of a connection, as its server sees it.
pub(crate) struct Secured<'a> {
    pub(crate) way: &'a Way,
    /// The port that the server sees the connection come from.
    pub(crate) seen: Option<u16>,
    pub(crate) cipher: Option<&'a str>,
    /// True if the server's certificate was checked.
    pub(crate) is_verified: bool,
}

impl Secured<'_> {
    /// Reports whether the connection is private; `verify` is the setting that would make it so.
    pub(crate) fn finding(&self, verify: &str) -> Finding {
        let subject = "TLS";
        let cure = format!("say {verify}, with the roots that the server's certificate is of");
        let is_whole = self.way.port == self.seen;
        match self.cipher {
            _ if !is_whole && self.is_verified => {
                Finding::ok(subject, "up to who answers, whose certificate is checked")
            }
            _ if !is_whole => {
                Finding::hidden(subject, "what is between hides how the connection is secured")
            }
            _ if self.way.is_local => Finding::ok(subject, "the connection leaves no machine"),
            Some(cipher) if self.is_verified => {
                Finding::ok(subject, format!("{cipher}, and the server's certificate is checked"))
            }
            Some(cipher) => {
                let found =
                    format!("{cipher}, with whoever answers: who the server is, is not checked");
                Finding::weaker(subject, found, cure)
            }
            None => {
                let found = "none: whoever is on the way can read and change what is said";
                Finding::weaker(subject, found, cure)
            }
        }
    }
}

/// Reports whether there are connections left for another process.
pub(crate) fn room(max: i64, used: i64) -> Finding {
    let left = max.saturating_sub(used).max(0);
    let found = format!("{left} of {max} connections are left");
    if left >= CONNECTIONS {
        return Finding::ok("connections", found);
    }
    let found = format!("{found}, and a process takes up to {CONNECTIONS}");
    Finding::weaker("connections", found, "raise max_connections, or put a pooler before it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Verdict;

    #[test]
    fn a_pooler_or_proxy_is_found_by_ports_that_differ() {
        let way = |port| Way { port, is_local: true };
        for (opened, seen, is_between) in [
            (Some(1), Some(1), false),
            (None, None, false),
            (Some(1), Some(2), true),
            (Some(1), None, true),
            (None, Some(1), true),
        ] {
            let finding = between(&way(opened), seen);
            assert_eq!(finding.found.contains("a pooler, a proxy"), is_between, "{finding:?}");
        }
    }

    #[test]
    fn only_another_machine_has_to_be_reached_in_private() {
        let far = Way { port: Some(1), is_local: false };
        let near = Way { port: Some(1), is_local: true };
        for (way, seen, cipher, is_verified, verdict) in [
            (&near, 1, None, false, Verdict::Ok),
            (&near, 2, None, false, Verdict::Unseen),
            (&far, 1, None, false, Verdict::Weaker),
            (&far, 1, Some("AES"), false, Verdict::Weaker),
            (&far, 1, Some("AES"), true, Verdict::Ok),
            (&far, 2, Some("AES"), false, Verdict::Unseen),
            (&far, 2, None, true, Verdict::Ok),
        ] {
            let secured = Secured { way, seen: Some(seen), cipher, is_verified };
            assert_eq!(secured.finding("x").verdict, verdict, "{cipher:?}");
        }
    }

    #[test]
    fn a_process_needs_four_connections() {
        assert_eq!(
            [room(100, 96), room(100, 97), room(1, 9)].map(|it| it.verdict),
            [Verdict::Ok, Verdict::Weaker, Verdict::Weaker]
        );
    }
}
