//! `INCR`, `INCRBY` and `GET`: the next ID, a block, the last ID.

use std::time::Duration;

use snowmint::engine::Error as EngineError;
use snowmint::{Error, Result};

use super::reply::{self, Protocol};
use crate::errors;
use crate::minting;
use crate::service::RequestContext;
use crate::setup::Setup;
use crate::sources::{NamedSource, days};
use crate::tokens::Grant;
use crate::turns::Asker;

/// Parses an integer as strictly as Redis: no `+`, no leading zeros.
pub(super) fn number(text: &[u8]) -> Option<i64> {
    let number: i64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    (number.to_string().as_bytes() == text).then_some(number)
}

/// Returns the source that a name stands for, and how long a request of it may wait.
pub(super) fn waits(context: &RequestContext, name: &[u8]) -> (String, Duration) {
    let setup = context.setup();
    let wait = meant(setup, name).map_or(Duration::ZERO, |(named, _)| named.wait());
    (source_of(setup, name).to_owned(), wait)
}

/// Replies the last ID that the source gave over any protocol, or null before the first. Mints
/// nothing.
pub(super) fn last(
    context: &RequestContext,
    name: &[u8],
    protocol: Protocol,
    output: &mut Vec<u8>,
) {
    let setup = context.setup();
    let last = match meant(setup, name) {
        Ok((named, Of::All)) => named.issued.last(),
        Ok((named, Of::Day(date))) => named.days.present(date).and_then(|day| day.issued.last()),
        Ok((_, Of::Key(_))) | Err(_) => None,
    };
    match last {
        Some(id) => reply::bulk(output, id.to_string().as_bytes()),
        None => reply::null(output, protocol),
    }
}

/// The part of a source that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    All,
    Key(u64),
    /// A day, as `yyyymmdd`.
    Day(u32),
}

/// Returns true if the name stands for numbers.
pub(super) fn is_known(context: &RequestContext, name: &[u8]) -> bool {
    match meant(context.setup(), name) {
        Ok((named, Of::Day(date))) => days::check(named, date).is_ok(),
        meant => meant.is_ok(),
    }
}

fn meant<'a>(setup: &'a Setup, name: &[u8]) -> Result<(&'a NamedSource, Of)> {
    let name = text(name)?;
    match setup.sources.meant(name) {
        Ok((named, day)) => Ok((named, day.map_or(Of::All, Of::Day))),
        // A source that is configured under such a name comes first.
        Err(unknown) => {
            let (source, key) = of_key(name).ok_or_else(|| unknown.clone())?;
            match (setup.sources.named(source), minting::key(key)) {
                (named, Ok(key)) => Ok((named?, Of::Key(key))),
                (Ok(_), Err(wrong)) => Err(wrong),
                (Err(_), Err(_)) => Err(unknown),
            }
        }
    }
}

/// Returns the name of the source that a name stands for, which need not exist.
pub(super) fn source_of<'a>(setup: &Setup, name: &'a [u8]) -> &'a str {
    // Invalid UTF-8 names no source; looking it up reports the error.
    let Ok(name) = std::str::from_utf8(name) else { return "" };
    match setup.sources.meant(name) {
        Ok((_, None)) => name,
        Ok(_) => setup.sources.name_of(name),
        Err(_) => of_key(name).map_or(name, |(source, _)| source),
    }
}

/// Mints the next ID.
///
/// # Errors
/// The source's errors; [`snowmint::Code::Overloaded`] if the rate limit is used up.
pub(super) async fn next(context: &RequestContext, grant: &Grant, name: &[u8]) -> Result<u64> {
    let setup = context.setup();
    let (named, of) = meant(setup, name)?;
    match of {
        Of::All => grant.counted(context.quotas(), 1, || minting::one(context, named)).await?,
        Of::Day(date) => {
            let day = days::day(named, date).await?;
            grant.counted(context.quotas(), 1, || minting::one(context, &day)).await?
        }
        Of::Key(key) => {
            grant.counted(context.quotas(), 1, || minting::of_key(context, named, key)).await?
        }
    }
}

/// Splits `seq:chat:42` into source and key, as written.
fn of_key(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("seq:")?.rsplit_once(':')
}

/// Mints a block of consecutive numbers, and returns the last.
///
/// # Errors
/// As [`next`]; [`snowmint::Code::CountOutOfRange`].
pub(super) async fn block(
    context: &RequestContext,
    grant: &Grant,
    name: &[u8],
    count: i64,
) -> Result<u64> {
    let setup = context.setup();
    let max = u64::from(setup.config.limits.range_count);
    let count = match u64::try_from(count) {
        Ok(1) => return next(context, grant, name).await,
        Ok(count) if (1..=max).contains(&count) => count,
        Ok(count) => return Err(EngineError::CountOutOfRange { count, max }.into()),
        Err(_) => return Err(errors::resp::count_negative()),
    };
    let (mut named, of) = meant(setup, name)?;
    let day;
    if let Of::Day(date) = of {
        day = days::day(named, date).await?;
        named = &day;
    }
    grant
        .counted(context.quotas(), count, || minting::block(context, named, count, Asker::Client))
        .await?
}

fn text(name: &[u8]) -> Result<&str> {
    std::str::from_utf8(name).map_err(|_| errors::resp::name_not_utf8())
}

/// Replies an ID. The protocol's integers are signed, so IDs of 64 bits are refused.
pub(super) fn integer(context: &RequestContext, minted: Result<u64>, output: &mut Vec<u8>) {
    let minted = minted.and_then(|id| match i64::try_from(id) {
        Ok(_) => Ok(id),
        Err(_) => Err(errors::resp::id_too_large(id)),
    });
    match minted {
        Ok(id) => reply::integer(output, id),
        Err(error) => refused(context, &error, output),
    }
}

/// Replies an error with its code, and counts it.
pub(super) fn refused(context: &RequestContext, error: &Error, output: &mut Vec<u8>) {
    context.count(|counters| counters.failed(error.code(), None, &error.to_string()));
    reply::error(output, &format!("{}: {error}", error.code()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_as_redis_takes_it() {
        for number_of in [0, 1, -1, i64::MAX, i64::MIN] {
            assert_eq!(number(number_of.to_string().as_bytes()), Some(number_of));
        }
        for other in ["+1", "01", "-0", " 1", "1 ", "", "9223372036854775808", "one"] {
            assert_eq!(number(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn a_key_of_a_sequence_has_its_source_before_it() {
        assert_eq!(of_key("seq:chat:42"), Some(("chat", "42")));
        assert_eq!(of_key("seq:a:b:7"), Some(("a:b", "7")));
        assert_eq!(of_key("seq:chat:me"), Some(("chat", "me")));
        for other in ["chat:42", "seq:chat", "SEQ:chat:1"] {
            assert_eq!(of_key(other), None, "{other}");
        }
    }
}
