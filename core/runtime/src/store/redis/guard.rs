//! Whether a server keeps what it acknowledges.

use std::collections::HashMap;

use snowmint_engine::Code;

use crate::error::{Error, Result};

/// How a server is set up, by the names of its settings and of what it tells of replication.
#[derive(Debug, Default)]
pub(super) struct Told(pub(super) HashMap<String, String>);

impl Told {
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Adds what a section of INFO says.
    pub(super) fn add_info(&mut self, text: &str) {
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        self.0.extend(lines.map(|(name, value)| (name.to_owned(), value.trim().to_owned())));
    }

    pub(super) fn is_replica(&self) -> bool {
        self.get("role") == "slave"
    }

    /// What may be lost of what it acknowledged, each with what would be right.
    pub(super) fn weaknesses(&self, keys_expire: bool) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        let mut wanted = |name: &'static str, right: &str| {
            if self.get(name) != right {
                let is = self.get(name);
                found.push((name, format!("{name} is {is:?} and has to be {right:?}")));
            }
        };
        wanted("appendonly", "yes");
        wanted("appendfsync", "always");
        wanted("no-appendfsync-on-rewrite", "no");
        let policy = self.get("maxmemory-policy");
        let takes_ours =
            policy.starts_with("allkeys") || keys_expire && policy.starts_with("volatile");
        if self.get("maxmemory") != "0" && takes_ours {
            let (which, right) = match keys_expire {
                true => ("keys with an expiry, as counters can have", "\"noeviction\" is right"),
                false => ("any key", "\"noeviction\" or a \"volatile-\" one is right"),
            };
            let found_it =
                format!("maxmemory-policy is {policy:?}, which takes {which} away: {right}");
            found.push(("maxmemory-policy", found_it));
        }
        if !["", "0"].contains(&self.get("connected_slaves")) {
            let count = self.get("connected_slaves");
            let found_it = format!(
                "{count} replicas may take its place without its last changes: numbers belong on a \
                 server without any"
            );
            found.push(("replication", found_it));
        }
        found
    }

    /// Refuses what could repeat numbers.
    pub(super) fn check(&self, is_declared: bool, keys_expire: bool) -> Result<()> {
        if self.is_replica() {
            let message = "this is a replica: name the server that takes changes";
            return Err(Error::new(Code::StoreReadOnly, message));
        }
        match self.weaknesses(keys_expire).first() {
            Some((_, weakness)) if !is_declared => {
                let message = format!(
                    "Redis could lose what it acknowledged, and repeat it: {weakness}; or say \
                     durability=declared, where something else keeps it"
                );
                Err(Error::new(Code::UnsafeSetting, message))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(changes: &[(&str, &str)]) -> Told {
        let sound = [
            ("appendonly", "yes"),
            ("appendfsync", "always"),
            ("no-appendfsync-on-rewrite", "no"),
            ("maxmemory", "0"),
            ("role", "master"),
            ("connected_slaves", "0"),
        ];
        let all = sound.iter().chain(changes);
        Told(all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn what_could_be_lost_is_refused_unless_it_is_declared() {
        assert!(told(&[]).check(false, false).is_ok());
        for changes in [
            &[("appendonly", "no")][..],
            &[("appendfsync", "everysec")],
            &[("no-appendfsync-on-rewrite", "yes")],
            &[("maxmemory", "9"), ("maxmemory-policy", "allkeys-lru")],
            &[("connected_slaves", "1")],
        ] {
            let error = told(changes).check(false, false).unwrap_err();
            assert_eq!(error.code(), Code::UnsafeSetting, "{changes:?}");
            assert!(told(changes).check(true, false).is_ok());
        }
        assert!(
            told(&[("maxmemory", "9"), ("maxmemory-policy", "volatile-lru")])
                .check(false, false)
                .is_ok()
        );
        let volatile = told(&[("maxmemory", "9"), ("maxmemory-policy", "volatile-ttl")]);
        let error = volatile.check(false, true).unwrap_err();
        assert!(error.to_string().contains("\"noeviction\" is right"), "{error}");
        let error = told(&[("role", "slave")]).check(true, false).unwrap_err();
        assert_eq!(error.code(), Code::StoreReadOnly);
        assert_eq!(Told::default().check(false, false).unwrap_err().code(), Code::UnsafeSetting);
    }
}
