//! Worker leases and segments in Redis. Each row is a value in a hash; a script replaces it only if
//! it did not change in between.

use redis_protocol::resp2::types::OwnedFrame;
use snowmint_engine::Code;

use super::remote::deadline::Deadline;
use super::values::begun::{self, Ground};
use super::values::memory::Memory;
use super::values::space::Space;
use super::values::{Seen, Swapped, Table, Values, of_values};
use super::{Standing, TagRow, Vouch};
use crate::error::Result;

mod builder;
mod cluster;
mod counters;
mod doctor;
mod endpoint;
mod errors;
mod fault;
mod guard;
mod server;
mod session;
mod starts;
mod table;
mod url;

pub use self::builder::RedisBuilder;
pub use self::counters::{RedisCounters, RedisCountersBuilder};
use self::server::Server;
use self::table::{MARKED, Named};
pub(crate) use self::url::{CLUSTER, SCHEME, SENTINEL};

/// The hash that holds the mark of the key space and the number of rows of each table.
const SCHEMA: &str = "schema";
const TAGS: &str = "tags";
const WORKERS: &str = "workers:";

/// Worker leases and segments in Redis, for all machines that reach the server.
///
/// ```no_run
/// # fn main() -> snowmint::Result<()> {
/// let store = snowmint::RedisStore::builder().host("redis-1", 6379).open()?;
/// # Ok(())
/// # }
/// ```
///
/// - *Keys*: the hashes `snowmint:tags` and `snowmint:workers:{realm}` hold a JSON value for each
///   tag and worker ID. `snowmint:schema` counts their rows. The store gives out nothing if that
///   key is missing or a hash has fewer rows than counted
///   ([`StoreMissing`](crate::Code::StoreMissing)), or if a key has an expiry. After `FLUSHALL`,
///   begin the key space again (`create`) and raise every tag before you mint.
/// - *Durability*: each call checks for `appendonly yes`, `appendfsync always`,
///   `no-appendfsync-on-rewrite no`, no `allkeys-` eviction and no replicas. Anything else is
///   refused with [`UnsafeSetting`](crate::Code::UnsafeSetting), unless you declare the server
///   durable ([`durability_declared`](RedisBuilder::durability_declared)). So is a server that is
///   writing its append-only file anew: if this is the first such file, changes are in none yet.
///   A replica is always refused.
/// - *Restores*: a process that had numbers of a server notices if that server was started with an
///   older file, and stops ([`RangeRegressed`](crate::Code::RangeRegressed)). A new process cannot
///   notice: raise every tag and wait for the longest reservation before it mints. With
///   [`restarts_vouched`](RedisBuilder::restarts_vouched), each start of the server, known by its
///   run ID, is refused until you vouch for it
///   ([`IncarnationChanged`](crate::Code::IncarnationChanged)).
/// - *Commits*: a change whose answer does not come in time fails with
///   [`OutcomeUnknown`](crate::Code::OutcomeUnknown). Its reservation is never used.
/// - *Clock*: the server's, read with each call. For up to a minute after a change, the process
///   makes its next change from the values it left and this machine's clock since then.
/// - *Threads*: up to four connections a process, each with one call at a time; two are kept.
/// - *Fork*: a child opens its own connections and does not touch its parent's.
/// - *Sentinels* name the master for each new connection ([`sentinels`](RedisBuilder::sentinels)).
///   They need a declared durability.
/// - *Clusters*: the store asks which node has its keys. All of them share one slot, because they
///   are called `{snowmint}:tags` and so on there ([`cluster`](RedisBuilder::cluster)).
pub struct RedisStore {
    server: Server,
    memory: Memory<String>,
    space: Space,
}

impl RedisStore {
    fn unseen(builder: RedisBuilder) -> Result<RedisStore> {
        builder.check_failover()?;
        let space = Space::new(builder.key_space);
        Ok(RedisStore { server: Server::new(builder, false)?, memory: Memory::new(), space })
    }

    fn key(&self, rest: &str) -> String {
        self.server.endpoint.key(rest)
    }

    fn table(&self, table: Table<'_>) -> Named {
        let name = match table {
            Table::Tags => TAGS.to_owned(),
            Table::Workers(realm) => format!("{WORKERS}{realm}"),
        };
        Named { key: self.key(&name), schema: self.key(SCHEMA), name }
    }

    /// Returns the answer to `asked` and the server's time, after checking that the table is whole.
    fn seen(&self, table: &Named, asked: &[&[u8]], deadline: Deadline) -> Result<Seen<OwnedFrame>> {
        let questions = table.questions();
        let mut all: Vec<&[&[u8]]> = questions.iter().map(Vec::as_slice).collect();
        all.push(asked);
        let (answers, now_ms) = self.server.timed(&all, deadline)?;
        Ok(Seen { what: table.checked(&self.server, &self.space, answers)?, now_ms })
    }

    fn answer(&self, asked: &[&[u8]], deadline: Deadline) -> Result<OwnedFrame> {
        let (_, mut answers) = self.server.guarded(&[asked], deadline)?;
        answers.pop().ok_or_else(|| self.server.strange("a question"))
    }
}

impl Ground for RedisStore {
    fn look(&self, create: bool) -> Result<()> {
        let restarts_vouched = self.server.endpoint.builder.restarts_vouched;
        match begun::look(self, create) {
            // Allowed, so that an operator can open the store to vouch for the start. Its calls are
            // refused.
            Err(error) if restarts_vouched && error.code() == Code::IncarnationChanged => Ok(()),
            looked => looked,
        }
    }

    fn name(&self) -> String {
        format!("Redis {}", self.server.endpoint)
    }

    fn mark(&self, deadline: Deadline) -> Result<Option<String>> {
        let answer = self.answer(&[b"HGET", self.key(SCHEMA).as_bytes(), MARKED], deadline)?;
        self.server.text(answer)
    }

    fn beginning(&self, mark: &str, _deadline: Deadline) -> Result<Vec<String>> {
        Ok(vec![format!("HSETNX {} \"\" '{mark}'", self.key(SCHEMA))])
    }

    fn begin(&self, mark: &str, deadline: Deadline) -> Result<()> {
        if self.server.endpoint.builder.restarts_vouched {
            let present = self.start(deadline)?;
            self.note_start(&present, deadline)?;
        }
        let key = self.key(SCHEMA);
        let set: [&[u8]; 4] = [b"HSETNX", key.as_bytes(), MARKED, mark.as_bytes()];
        self.server.change(&set, deadline).map(drop)
    }
}

impl Values for RedisStore {
    type Value = String;

    fn space(&self) -> &Space {
        &self.space
    }

    fn swap_mark(&self, new: &str, deadline: Deadline) -> Result<()> {
        let (key, known) = (self.key(SCHEMA), self.space.text());
        let swap: [&[u8]; 6] = [
            b"EVAL",
            include_bytes!("redis/swap_mark.lua"),
            b"1",
            key.as_bytes(),
            known.as_bytes(),
            new.as_bytes(),
        ];
        self.server.change(&swap, deadline).map(drop)
    }

    fn memory(&self) -> Option<&Memory<String>> {
        Some(&self.memory)
    }

    fn all(&self, table: Table<'_>, deadline: Deadline) -> Result<Seen<Vec<(String, String)>>> {
        let table = self.table(table);
        let Seen { what, now_ms } =
            self.seen(&table, &[b"HGETALL", table.key.as_bytes()], deadline)?;
        Ok(Seen { what: self.server.pairs(what)?, now_ms })
    }

    fn one(
        &self,
        table: Table<'_>,
        name: &str,
        deadline: Deadline,
    ) -> Result<Seen<Option<String>>> {
        let table = self.table(table);
        let get: [&[u8]; 3] = [b"HGET", table.key.as_bytes(), name.as_bytes()];
        let Seen { what, now_ms } = self.seen(&table, &get, deadline)?;
        Ok(Seen { what: self.server.text(what)?, now_ms })
    }

    fn swap(
        &self,
        table: Table<'_>,
        name: &str,
        known: &Seen<Option<String>>,
        new: &str,
        deadline: Deadline,
    ) -> Result<Swapped<String>> {
        let (table, begun) = (self.table(table), self.space.text());
        let is_known: &[u8] = if known.what.is_some() { b"1" } else { b"0" };
        let swap: [&[u8]; 11] = [
            b"EVAL",
            include_bytes!("redis/swap.lua"),
            b"2",
            table.key.as_bytes(),
            table.schema.as_bytes(),
            begun.as_bytes(),
            table.name.as_bytes(),
            name.as_bytes(),
            is_known,
            known.what.as_deref().unwrap_or_default().as_bytes(),
            new.as_bytes(),
        ];
        let (swapped, now_ms) = self.server.changed(&swap, deadline)?;
        match swapped {
            OwnedFrame::Integer(1) => Ok(Swapped::Done(Seen { what: new.to_owned(), now_ms })),
            OwnedFrame::Array(instead) => {
                let present = table.checked(&self.server, &self.space, instead)?;
                Ok(Swapped::Other(Seen { what: self.server.text(present)?, now_ms }))
            }
            _ => Err(self.server.strange("a change")),
        }
    }

    fn vouch(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
        self.vouch_for(vouch)
    }

    fn standing(&self) -> Result<Standing> {
        self.standing_of_start()
    }

    fn realms(&self, deadline: Deadline) -> Result<Vec<String>> {
        let answer = self.answer(&[b"HKEYS", self.key(SCHEMA).as_bytes()], deadline)?;
        let tables = self.server.texts(answer)?;
        let realms = tables.iter().filter_map(|it| it.strip_prefix(WORKERS)).map(str::to_owned);
        let mut realms: Vec<_> = realms.collect();
        realms.sort();
        Ok(realms)
    }
}

of_values!(RedisStore, RedisBuilder);
