//! Checks that a server keeps what it acknowledges.

use std::collections::HashMap;

use super::errors;
use crate::error::Result;

/// The fields of `INFO` that show a running or planned rewrite of the append-only file.
const REWRITES: [&str; 2] = ["aof_rewrite_in_progress", "aof_rewrite_scheduled"];
const WAIT: &str = "wait until INFO persistence has aof_rewrite_in_progress:0 and \
                    aof_rewrite_scheduled:0";
const SET: &str = "set it so, by CONFIG SET and in its file of settings, and wait until INFO \
                   persistence has aof_rewrite_in_progress:0 and aof_rewrite_scheduled:0";
/// A server that started without its append-only file may have loaded an older snapshot, and
/// `CONFIG SET` writes a new file from that.
const SWITCH_ON: &str = "if it ever had an append-only file, stop it, keep that file, set appendonly \
                         to yes in its file of settings, start it, and see that its log says DB \
                         loaded from append only file: CONFIG SET would replace the file by what is \
                         in memory, which may be older. If it had none, use CONFIG SET. If the file \
                         is lost, run `snowmint recover URL --all` before anything mints";

/// A way in which a server may lose what it acknowledged.
pub(super) struct Weakness {
    pub(super) found: String,
    pub(super) cure: &'static str,
}

/// The settings of a server and the fields of its `INFO`, by name.
#[derive(Debug, Default)]
pub(super) struct ServerFacts(pub(super) HashMap<String, String>);

impl ServerFacts {
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Adds the fields of a section of `INFO`.
    pub(super) fn add_info(&mut self, text: &str) {
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        self.0.extend(lines.map(|(name, value)| (name.to_owned(), value.trim().to_owned())));
    }

    pub(super) fn is_replica(&self) -> bool {
        self.get("role") == "slave"
    }

    pub(super) fn weaknesses(&self, keys_expire: bool) -> Vec<Weakness> {
        let wanted = [
            ("appendonly", "yes", SWITCH_ON),
            ("appendfsync", "always", SET),
            ("no-appendfsync-on-rewrite", "no", SET),
        ];
        let others = wanted.iter().filter(|(name, right, _)| self.get(name) != *right);
        let settings = others.map(|&(name, right, cure)| Weakness {
            found: format!("{name} is {:?} and has to be {right:?}", self.get(name)),
            cure,
        });
        let also = [self.of_rewrite(), self.of_eviction(keys_expire), self.of_replicas()];
        settings.chain(also.into_iter().flatten()).collect()
    }

    /// After `CONFIG SET appendonly yes`, changes are in no file until the first rewrite ends.
    /// `INFO` cannot tell that rewrite from a later one, so every rewrite counts. A rewrite that
    /// failed is scheduled again.
    fn of_rewrite(&self) -> Option<Weakness> {
        let is_done = REWRITES.iter().all(|name| self.get(name) == "0");
        (self.get("appendonly") == "yes" && !is_done).then(|| Weakness {
            found:
                "it writes its append-only file anew; if that is the first one since appendonly \
                    was set, all that came since is in none"
                    .to_owned(),
            cure: WAIT,
        })
    }

    fn of_eviction(&self, keys_expire: bool) -> Option<Weakness> {
        let policy = self.get("maxmemory-policy");
        let takes_ours =
            policy.starts_with("allkeys") || keys_expire && policy.starts_with("volatile");
        let (which, right) = match keys_expire {
            true => ("keys with an expiry, as counters can have", "\"noeviction\" is right"),
            false => ("any key", "\"noeviction\" or a \"volatile-\" one is right"),
        };
        (self.get("maxmemory") != "0" && takes_ours).then(|| Weakness {
            found: format!("maxmemory-policy is {policy:?}, which takes {which} away: {right}"),
            cure: SET,
        })
    }

    fn of_replicas(&self) -> Option<Weakness> {
        let count = self.get("connected_slaves");
        (!["", "0"].contains(&count)).then(|| Weakness {
            found: format!("{count} replicas may take its place without its last changes"),
            cure: "keep numbers on a server without any",
        })
    }

    /// Refuses a server that could repeat numbers.
    pub(super) fn check(&self, is_declared: bool, keys_expire: bool) -> Result<()> {
        if self.is_replica() {
            return Err(errors::replica_named());
        }
        match self.weaknesses(keys_expire).first() {
            Some(Weakness { found, cure }) if !is_declared => {
                Err(errors::durability_weak(found, cure))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    fn told(changes: &[(&str, &str)]) -> ServerFacts {
        let sound = [
            ("appendonly", "yes"),
            ("appendfsync", "always"),
            ("no-appendfsync-on-rewrite", "no"),
            ("maxmemory", "0"),
            ("role", "master"),
            ("connected_slaves", "0"),
            ("aof_rewrite_in_progress", "0"),
            ("aof_rewrite_scheduled", "0"),
        ];
        let all = sound.iter().chain(changes);
        ServerFacts(all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn a_setting_that_could_lose_data_is_refused_unless_declared() {
        assert!(told(&[]).check(false, false).is_ok());
        let off = told(&[("appendonly", "no")]).check(false, false).unwrap_err();
        assert!(off.to_string().contains("stop it, keep that file"), "{off}");
        for changes in [
            &[("appendonly", "no")][..],
            &[("appendfsync", "everysec")],
            &[("no-appendfsync-on-rewrite", "yes")],
            &[("maxmemory", "9"), ("maxmemory-policy", "allkeys-lru")],
            &[("connected_slaves", "1")],
            &[("aof_rewrite_in_progress", "1")],
            &[("aof_rewrite_scheduled", "1")],
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
        assert_eq!(
            ServerFacts::default().check(false, false).unwrap_err().code(),
            Code::UnsafeSetting
        );
    }
}
