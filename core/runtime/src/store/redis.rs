//! Worker leases and segments in Redis: rows are values, replaced by a script if nobody else was
//! faster.

use std::fmt;

use redis_protocol::resp2::types::OwnedFrame;

use super::key_space::{self, KeySpace, MARK};
use super::remote::deadline::Deadline;
use super::values::{Seen, Table, Values, of_values};
use crate::error::Result;
use crate::migrate::Migration;

mod builder;
mod counters;
mod doctor;
mod fault;
mod guard;
mod place;
mod server;
mod session;
mod url;

pub use self::builder::RedisBuilder;
pub use self::counters::{RedisCounters, RedisCountersBuilder};
use self::server::Server;
pub(crate) use self::url::{Described, PARAMETERS, SECURED_PARAMETERS, builder_of, described};

/// The mark of the key space, and how it is asked for.
const SCHEMA_KEY: &str = "snowmint:schema";
const GET_MARK: [&[u8]; 2] = [b"GET", SCHEMA_KEY.as_bytes()];
const TAGS_KEY: &str = "snowmint:tags";
const WORKERS_KEY: &str = "snowmint:workers:";

/// Worker leases and segments in Redis, for all machines that reach it.
///
/// ```no_run
/// # fn main() -> snowmint::Result<()> {
/// let store = snowmint::RedisStore::builder().host("redis-1", 6379).open()?;
/// # Ok(())
/// # }
/// ```
///
/// - *Keys*: the hashes `snowmint:tags` and `snowmint:workers:{realm}`, with a value of JSON for each
///   tag and worker ID, and `snowmint:schema`, without which nothing is given: after `FLUSHALL` an
///   operator has to begin the key space again (`create`), and raise every tag first.
/// - *Durability*: `appendonly yes`, `appendfsync always`, no `allkeys-` eviction and no replicas,
///   looked at before each change; anything else is refused with
///   [`UnsafeSetting`](crate::Code::UnsafeSetting) unless somebody vouches for the server
///   ([`durability_declared`](RedisBuilder::durability_declared)). A replica is refused.
/// - *Restores*: a server that was started with an older file is found out by processes that had
///   numbers of it, which then stop ([`RangeRegressed`](crate::Code::RangeRegressed)). A new process
///   cannot know: raise every tag, and wait as long as the longest slab, before it mints.
/// - *Commits*: a change whose answer does not come in time is
///   [`OutcomeUnknown`](crate::Code::OutcomeUnknown), and what it reserved is never used.
/// - *Clock*: the server's, read before each change.
/// - *Threads*: up to four connections a process, each with one call at a time; two are kept.
/// - *Fork*: a child opens connections of its own and leaves its parent's alone.
/// - *Sentinels* name the master of each new connection ([`sentinels`](RedisBuilder::sentinels)).
///   *Clusters* are not supported.
pub struct RedisStore {
    server: Server,
}

impl RedisStore {
    /// A store on a server that is described first.
    pub fn builder() -> RedisBuilder {
        RedisBuilder::default()
    }

    fn open(builder: RedisBuilder) -> Result<RedisStore> {
        let create = builder.create;
        let store = RedisStore::unseen(builder)?;
        store.look(create)?;
        Ok(store)
    }

    fn unseen(builder: RedisBuilder) -> Result<RedisStore> {
        Ok(RedisStore { server: Server::new(builder)? })
    }

    /// Finds the key space, or begins one where that is asked for and none is there.
    pub(crate) fn look(&self, create: bool) -> Result<()> {
        key_space::look(self, create)
    }

    /// Begins a key space where there is none, or says how.
    pub(crate) fn migrate(builder: RedisBuilder, is_dry: bool) -> Result<Migration> {
        key_space::migrate(&RedisStore::unseen(builder)?, is_dry)
    }

    /// What was asked for in a table, its clock's time, and that the key space is there.
    fn seen(&self, asked: &[&[u8]], deadline: Deadline) -> Result<Seen<OwnedFrame>> {
        let (answers, now_ms) = self.server.timed(&[&GET_MARK, asked], deadline)?;
        let Ok([mark, what]) = <[OwnedFrame; 2]>::try_from(answers) else {
            return Err(self.server.strange("a question"));
        };
        key_space::check(self.server.text(mark)?.as_deref())?;
        Ok(Seen { what: self.server.sound(what)?, now_ms })
    }
}

impl KeySpace for RedisStore {
    fn name(&self) -> String {
        format!("Redis {}", self.server.place)
    }

    fn mark(&self, deadline: Deadline) -> Result<Option<String>> {
        let (_, mut answers) = self.server.guarded(&[&GET_MARK], deadline)?;
        let answer = answers.pop().ok_or_else(|| self.server.strange("a question"))?;
        self.server.text(answer)
    }

    fn beginning(&self) -> String {
        format!("SET {SCHEMA_KEY} {MARK} NX")
    }

    fn begin(&self, deadline: Deadline) -> Result<()> {
        let set: [&[u8]; 4] = [b"SET", SCHEMA_KEY.as_bytes(), MARK.as_bytes(), b"NX"];
        self.server.change(&set, deadline).map(drop)
    }
}

fn key(table: Table<'_>) -> String {
    match table {
        Table::Tags => TAGS_KEY.to_owned(),
        Table::Workers(realm) => format!("{WORKERS_KEY}{realm}"),
    }
}

impl Values for RedisStore {
    type Value = String;

    fn all(&self, table: Table<'_>, deadline: Deadline) -> Result<Seen<Vec<(String, String)>>> {
        let Seen { what, now_ms } = self.seen(&[b"HGETALL", key(table).as_bytes()], deadline)?;
        Ok(Seen { what: self.server.pairs(what)?, now_ms })
    }

    fn one(
        &self,
        table: Table<'_>,
        name: &str,
        deadline: Deadline,
    ) -> Result<Seen<Option<String>>> {
        let Seen { what, now_ms } =
            self.seen(&[b"HGET", key(table).as_bytes(), name.as_bytes()], deadline)?;
        Ok(Seen { what: self.server.text(what)?, now_ms })
    }

    fn swap(
        &self,
        table: Table<'_>,
        name: &str,
        known: Option<&String>,
        new: &str,
        deadline: Deadline,
    ) -> Result<bool> {
        let is_known: &[u8] = if known.is_some() { b"1" } else { b"0" };
        let script = include_bytes!("redis/swap.lua");
        let swapped = self.server.change(
            &[
                b"EVAL",
                script,
                b"1",
                key(table).as_bytes(),
                name.as_bytes(),
                is_known,
                known.map_or("", String::as_str).as_bytes(),
                new.as_bytes(),
            ],
            deadline,
        )?;
        match swapped {
            OwnedFrame::Integer(done) => Ok(done == 1),
            _ => Err(self.server.strange("a change")),
        }
    }

    fn realms(&self, deadline: Deadline) -> Result<Vec<String>> {
        let pattern = format!("{WORKERS_KEY}*");
        let (mut found, mut cursor) = (Vec::new(), "0".to_owned());
        loop {
            let scan: [&[u8]; 6] =
                [b"SCAN", cursor.as_bytes(), b"MATCH", pattern.as_bytes(), b"COUNT", b"1000"];
            let (_, mut answers) = self.server.guarded(&[&scan], deadline)?;
            let Some(OwnedFrame::Array(parts)) = answers.pop() else {
                return Err(self.server.strange("SCAN"));
            };
            let Ok([next, keys]) = <[OwnedFrame; 2]>::try_from(parts) else {
                return Err(self.server.strange("SCAN"));
            };
            let keys = self.server.texts(keys)?;
            found.extend(
                keys.iter().filter_map(|it| it.strip_prefix(WORKERS_KEY)).map(str::to_owned),
            );
            cursor = self.server.text(next)?.unwrap_or_default();
            if cursor == "0" {
                found.sort();
                found.dedup();
                return Ok(found);
            }
        }
    }
}

of_values!(RedisStore);

/// Without a password.
impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.server.place.to_string();
        f.debug_struct("RedisStore").field("place", &place).finish_non_exhaustive()
    }
}
