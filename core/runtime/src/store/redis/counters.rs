//! Counters of `INCR` users: each key's value is the last number that was given.

use std::fmt;
use std::time::Duration;

use redis_protocol::resp2::types::OwnedFrame;
#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{MAX_NUMBER, NumberRange};

use super::builder::{Host, RedisBuilder};
use super::errors;
use super::server::Server;
use crate::error::Result;
use crate::findings::Finding;
use crate::store::doctor::rows::is_refused_by;
use crate::store::remote::deadline::Deadline;
use crate::store::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Lease, LeaseRequest, Move, SegmentAdmin,
    SegmentStore, Tag, TagChange, TagOptions, TagRow, WorkerAdmin, WorkerStore, check_step,
    tag_exhausted, tag_exists, tag_moved, unknown_tag, values,
};

/// The shortest life of a day's counter: 86 hours, and room for clock errors. A counter may be made
/// 25 hours before its day, which lasts up to 25 hours and begins up to 36 hours later elsewhere.
/// No counter is made after its day, so an expired one does not begin again.
const EXPIRE_MIN: Duration = Duration::from_secs(4 * 86_400);

/// Describes how to use the counters of a server: see [`RedisBuilder::counters`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RedisCountersBuilder {
    server: RedisBuilder,
    stride: u64,
    expire: Option<Duration>,
}

impl RedisCountersBuilder {
    pub(super) fn new(server: RedisBuilder) -> RedisCountersBuilder {
        RedisCountersBuilder { server, stride: 1, expire: None }
    }

    /// Sets the distance from one number to the next (default 1). For example, several servers each
    /// count by `INCRBY key 5`.
    #[must_use]
    pub fn stride(self, stride: u64) -> Self {
        RedisCountersBuilder { stride, ..self }
    }

    /// Lets each counter that is made here expire after this time, as a day's counter should: four
    /// days at least. By default counters never expire.
    #[must_use]
    pub fn expire(self, after: Duration) -> Self {
        RedisCountersBuilder { expire: Some(after), ..self }
    }

    /// Opens the store, which calls the server.
    ///
    /// # Errors
    /// Those of [`RedisBuilder::open`], except that no key space is needed;
    /// [`Code::InvalidParameter`].
    pub fn open(self) -> Result<RedisCounters> {
        self.server.check_failover()?;
        let store = self.unseen()?;
        store.look()?;
        Ok(store)
    }

    fn unseen(self) -> Result<RedisCounters> {
        let RedisCountersBuilder { server, stride, expire } = self;
        TagOptions::default().stride(stride).check()?;
        if expire.is_some_and(|expire| expire < EXPIRE_MIN) {
            return Err(errors::counter_short_lived(EXPIRE_MIN.as_secs()));
        }
        if server.create {
            return Err(errors::counters_without_key_space());
        }
        if server.key_space.is_some() {
            return Err(errors::counters_without_identity());
        }
        if let Some(Host::Cluster(_)) = server.host {
            return Err(errors::counters_in_cluster());
        }
        if server.restarts_vouched {
            return Err(errors::counters_without_vouching());
        }
        Ok(RedisCounters { server: Server::new(server, true)?, stride, expire })
    }

    pub(crate) fn examine(self) -> Result<Vec<Finding>> {
        let counters = self.unseen()?;
        let mut findings = counters.server.examine();
        if let Err(error) = counters.look()
            && !is_refused_by(&findings, error.code())
        {
            findings.push(Finding::failed("counters", &error));
        }
        Ok(findings)
    }
}

/// Numbers from counters of `INCR` users: each key's value is the last number that was given.
/// Processes that call `INCR` can continue beside snowmint, and no number is given twice.
///
/// - *Ranges*: `INCRBY` by as many numbers as you ask for. A missing key is refused, not created. A
///   counter beyond 2^63 gives nothing more.
/// - *Several servers*: each counts by the same [stride](RedisCountersBuilder::stride) from a
///   different first number, as shards of one segment.
/// - *Days*: `daily+redis:` has one counter a day, such as `tag:20261122`. The first process that
///   needs it makes it, and it [expires](RedisCountersBuilder::expire) some days later.
/// - *Moves*: a counter can continue in another store ([`move_tag`](crate::move_tag)). Its value
///   then becomes a text, which `INCR` refuses.
/// - *Durability* and *restores*: as for a [`RedisStore`](super::RedisStore). A counter that was
///   deleted or evicted begins again if somebody else creates it.
pub struct RedisCounters {
    server: Server,
    stride: u64,
    expire: Option<Duration>,
}

impl RedisCounters {
    /// Checks that the server keeps what it acknowledges.
    pub(crate) fn look(&self) -> Result<()> {
        self.server.guarded(&[], Deadline::after(CALL_WITHIN)).map(drop)
    }

    /// Returns the row of a tag, its value and the server's time.
    fn seen(&self, tag: &Tag, deadline: Deadline) -> Result<Option<(TagRow, String, i64)>> {
        let get: [&[u8]; 2] = [b"GET", tag.as_str().as_bytes()];
        let (mut answers, now_ms) = self.server.timed(&[&get], deadline)?;
        let answer = answers.pop().ok_or_else(|| self.server.strange("a question"))?;
        let Some(value) = self.server.text(answer)? else { return Ok(None) };
        Ok(Some((self.row(tag, &value)?, value, now_ms)))
    }

    /// Reads the value of a counter, or of a tag that has moved.
    fn row(&self, tag: &Tag, value: &str) -> Result<TagRow> {
        if value.starts_with('{') {
            return values::tag_row(tag, value);
        }
        let last = value.parse::<i64>().ok().filter(|last| last.to_string() == value);
        let last = last.ok_or_else(|| errors::no_counter(tag, value))?;
        let stride = i128::from(self.stride);
        let next = u64::try_from(i128::from(last) + stride).ok().filter(|next| *next <= MAX_NUMBER);
        let row = TagRow::new(tag, TagOptions::default().stride(self.stride));
        match next {
            Some(next) => Ok(TagRow { next, ..row }),
            None if last > 0 => Ok(TagRow { next: MAX_NUMBER, ..row }),
            None => Err(errors::counter_below_zero(tag, last)),
        }
    }

    fn take(&self, request: &AllocationRequest, deadline: Deadline) -> Result<Allocation> {
        let AllocationRequest { tag, count } = request;
        count.map_or(Ok(()), check_step)?;
        let step = TagOptions::default().step;
        // Checked before the counter changes, so that a request that must fail uses up no numbers.
        let (row, ..) = self.seen(tag, deadline)?.ok_or_else(|| unknown_tag(tag))?;
        let (_, after) = row.taken(Some(count.unwrap_or(step)), 0)?;
        let numbers = (after.next - row.next) / self.stride;
        let by = (numbers * self.stride).to_string();
        let script = include_bytes!("counters.lua");
        let key = tag.as_str().as_bytes();
        let answer = self.server.change(&[b"EVAL", script, b"1", key, by.as_bytes()], deadline)?;
        let OwnedFrame::Array(parts) = answer else { return Err(self.server.strange("a change")) };
        let [is_counted, value] =
            <[OwnedFrame; 2]>::try_from(parts).map_err(|_| self.server.strange("a change"))?;
        let Some(value) = self.server.text(value)? else { return Err(unknown_tag(tag)) };
        match is_counted {
            OwnedFrame::Integer(1) => {
                let range = self.range_up_to(tag, &value, numbers)?;
                Ok(Allocation::new(range, step))
            }
            // The tag moved in the meantime.
            _ => Err(tag_moved(&self.row(tag, &value)?)),
        }
    }

    /// Returns the last `numbers` numbers up to the counter's value.
    fn range_up_to(&self, tag: &Tag, value: &str, numbers: u64) -> Result<NumberRange> {
        let last: i128 = value.parse().map_err(|_| errors::no_counter(tag, value))?;
        let next = last + i128::from(self.stride);
        let first = next - i128::from(numbers) * i128::from(self.stride);
        let [first, next] = [first, next].map(|it| u64::try_from(it).ok());
        let (Some(first), Some(next)) = (first, next) else {
            return Err(errors::no_counter(tag, value));
        };
        if next > MAX_NUMBER {
            return Err(tag_exhausted(tag, MAX_NUMBER));
        }
        Ok(NumberRange::new(first, next, self.stride)?)
    }

    /// Replaces a value, and tries again for as long as others change it first.
    fn change(
        &self,
        tag: &Tag,
        lasts: Lasts,
        mut work: impl FnMut(&TagRow, i64) -> Result<(TagRow, String)>,
    ) -> Result<TagRow> {
        let deadline = Deadline::after(CALL_WITHIN);
        let (script, key) = (include_bytes!("replace.lua"), tag.as_str().as_bytes());
        loop {
            let (row, known, now_ms) = self.seen(tag, deadline)?.ok_or_else(|| unknown_tag(tag))?;
            let (row, new) = work(&row, now_ms)?;
            let lasts: &[u8] = match lasts {
                Lasts::AsBefore => b"",
                Lasts::ForEver => b"moved",
            };
            let replace: [&[u8]; 7] =
                [b"EVAL", script, b"1", key, known.as_bytes(), new.as_bytes(), lasts];
            if let OwnedFrame::Integer(1) = self.server.change(&replace, deadline)? {
                return Ok(row);
            }
            if deadline.left().is_zero() {
                return Err(errors::counter_contended(tag));
            }
        }
    }

    /// Returns the value of a counter whose next number is `next`.
    fn value_before(&self, next: u64) -> String {
        (i128::from(next) - i128::from(self.stride)).to_string()
    }
}

impl SegmentStore for RedisCounters {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        let deadline = Deadline::after(call.within);
        Ok(requests.iter().map(|request| self.take(request, deadline)).collect())
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        Ok(self.seen(tag, Deadline::after(CALL_WITHIN))?.map(|(row, ..)| row))
    }

    /// False: the value does not show that an operator raised it.
    fn tells_raises(&self) -> bool {
        false
    }
}

impl SegmentAdmin for RedisCounters {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        tag.check_new()?;
        options.check()?;
        if options.stride != self.stride || options.max != TagOptions::default().max {
            return Err(errors::counter_with_stride_or_max());
        }
        self.look()?;
        let value = self.value_before(options.start);
        let expire = self.expire.map(|expire| expire.as_secs().to_string());
        let key = tag.as_str().as_bytes();
        let mut set: Vec<&[u8]> = vec![b"SET", key, value.as_bytes(), b"NX"];
        if let Some(expire) = &expire {
            set.extend([b"EX", expire.as_bytes()]);
        }
        match self.server.change(&set, Deadline::after(CALL_WITHIN))? {
            OwnedFrame::Null => Err(tag_exists(tag)),
            _ => Ok(()),
        }
    }

    fn lets_tags_go(&self) -> bool {
        self.expire.is_some()
    }

    fn change_tag(&self, tag: &Tag, to: TagChange) -> Result<TagRow> {
        to.check()?;
        if to.step.is_some() || to.max.is_some() {
            return Err(errors::counter_with_step_or_max());
        }
        self.change(tag, Lasts::AsBefore, |row, now_ms| {
            let row = row.changed(to, now_ms)?;
            let value = self.value_before(row.next);
            Ok((row, value))
        })
    }

    fn close_for_move(&self, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
        self.change(tag, Lasts::ForEver, |row, now_ms| {
            let row = row.closed_for_move(moving, now_ms)?;
            let value = values::tag_text(&row)?;
            Ok((row, value))
        })
    }
}

impl WorkerStore for RedisCounters {
    fn acquire(&self, _: &LeaseRequest, _: &Call) -> Result<Lease> {
        Err(errors::counters_without_workers())
    }

    fn renew(&self, _: &Lease, _: u32, _: &Call) -> Result<Lease> {
        Err(errors::counters_without_workers())
    }

    fn release(&self, _: &Lease, _: &Call) -> Result<()> {
        Err(errors::counters_without_workers())
    }
}

impl WorkerAdmin for RedisCounters {}

#[derive(Clone, Copy)]
enum Lasts {
    AsBefore,
    ForEver,
}

/// Shows no password.
impl fmt::Debug for RedisCounters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = self.server.endpoint.to_string();
        let mut shown = f.debug_struct("RedisCounters");
        shown.field("place", &endpoint).field("stride", &self.stride).finish_non_exhaustive()
    }
}
