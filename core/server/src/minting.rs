//! Mints from a source by its name: here, or at the server that has the turn.

use snowmint::{Code, Error, NumberRange, Result, Segment, Source};

use super::service::RequestContext;
use super::sources::NamedSource;
use super::turns::{Asker, Owner, Turn};
use super::{errors, polling};

/// Returns the next ID, within the source's wait.
///
/// # Errors
/// As [`Source::next_id`].
#[inline]
pub(crate) async fn one(context: &RequestContext, named: &NamedSource) -> Result<u64> {
    let id = match named.turn() {
        None => {
            let source = named.source()?;
            polling::one(source).await.map_err(|why| by_request(why, named, source))?
        }
        Some(turn) => one_in_turn(context, named, turn).await?,
    };
    context.minted(named, 1, id);
    Ok(id)
}

async fn one_in_turn(context: &RequestContext, named: &NamedSource, turn: &Turn) -> Result<u64> {
    let ids = many_in_turn(context, named, turn, 1, Asker::Client).await?;
    ids.first().copied().ok_or_else(errors::minting::id_missing)
}

/// Returns `count` rising IDs, within the source's wait, or fewer if no more come in time.
///
/// # Errors
/// As [`Source::next_ids`], if it got none.
pub(crate) async fn many(
    context: &RequestContext,
    named: &NamedSource,
    count: usize,
    asker: Asker,
) -> Result<Vec<u64>> {
    let ids = match named.turn() {
        None => {
            let source = named.source()?;
            polling::many(source, count).await.map_err(|why| by_request(why, named, source))?
        }
        Some(turn) => many_in_turn(context, named, turn, count, asker).await?,
    };
    context.minted(named, ids.len() as u64, ids.last().copied().unwrap_or_default());
    Ok(ids)
}

async fn many_in_turn(
    context: &RequestContext,
    named: &NamedSource,
    turn: &Turn,
    count: usize,
    asker: Asker,
) -> Result<Vec<u64>> {
    let here = async |source: &Source| polling::many(source, count).await;
    let there = async |owner: &Owner| context.peers().ids(owner, &named.name, count).await;
    turn.taken(asker, here, there).await
}

/// Parses the key of a sequence. Each key has exactly one spelling.
///
/// # Errors
/// [`Code::InvalidKey`].
pub(crate) fn key(text: &str) -> Result<u64> {
    let key = text.parse().ok().filter(|key: &u64| key.to_string() == text);
    key.ok_or_else(|| errors::minting::key_malformed(text))
}

/// Returns the next number of a key of sequences.
///
/// # Errors
/// As [`Source::next_of`].
pub(crate) async fn of_key(context: &RequestContext, named: &NamedSource, key: u64) -> Result<u64> {
    let source = named.source()?;
    let asked = polling::of_key(source, key).await;
    let number = asked.map_err(|why| match (why.code(), source) {
        (Code::Unsupported, Source::Sequences(_)) => why,
        (Code::Unsupported, _) => errors::minting::source_without_keys(&named.name),
        _ => why,
    })?;
    context.minted(named, 1, number);
    Ok(number)
}

/// Returns ranges of `count` numbers in all, or of fewer if no more come in time.
///
/// # Errors
/// As [`Segment::next_range`], if it got none; [`Code::Unsupported`] unless the source is a
/// segment.
pub(crate) async fn ranges(
    context: &RequestContext,
    named: &NamedSource,
    count: u64,
    asker: Asker,
) -> Result<Vec<NumberRange>> {
    let here = async |source: &Source| polling::ranges(segment(source)?, count).await;
    let ranges = match named.turn() {
        None => here(named.source()?).await?,
        Some(turn) => {
            let there =
                async |owner: &Owner| context.peers().ranges(owner, &named.name, count).await;
            turn.taken(asker, here, there).await?
        }
    };
    let count = ranges.iter().map(NumberRange::count).sum();
    context.minted(named, count, ranges.last().map(last).unwrap_or_default());
    Ok(ranges)
}

/// Returns the last of `count` consecutive numbers.
///
/// # Errors
/// As [`Segment::next_range`]; [`Code::Unsupported`] unless the source is a segment, if the tag has
/// a stride, or if `count` is too large for the tag's ranges.
pub(crate) async fn block(
    context: &RequestContext,
    named: &NamedSource,
    count: u64,
    asker: Asker,
) -> Result<u64> {
    let here = async |source: &Source| polling::block(segment(source)?, count).await;
    let last = match named.turn() {
        None => here(named.source()?).await?,
        Some(turn) => {
            let there =
                async |owner: &Owner| context.peers().block(owner, &named.name, count).await;
            turn.taken(asker, here, there).await?
        }
    };
    context.minted(named, count, last);
    Ok(last)
}

/// Returns one range of at most `most` numbers, for a client that mints from it.
///
/// # Errors
/// As [`Segment::next_range`]; [`Code::Unsupported`] unless the source is a segment, or if it is
/// ordered.
pub(crate) async fn range(
    context: &RequestContext,
    named: &NamedSource,
    most: u64,
) -> Result<NumberRange> {
    if named.turn().is_some() {
        return Err(errors::minting::range_without_order());
    }
    let range = polling::range(segment(named.source()?)?, most).await?;
    context.minted(named, range.count(), last(&range));
    Ok(range)
}

/// Names the right request in the message, because the library's own error names its calls.
fn by_request(why: Error, named: &NamedSource, source: &Source) -> Error {
    match (why.code(), source) {
        (Code::Unsupported, Source::Sequences(_)) => errors::minting::key_missing(&named.name),
        (Code::Unsupported, Source::Uuid(_)) => errors::minting::source_of_uuids(&named.name),
        _ => why,
    }
}

fn segment(source: &Source) -> Result<&Segment> {
    match source {
        Source::Segment(segment) => Ok(segment),
        _ => Err(errors::minting::source_without_ranges()),
    }
}

fn last(range: &NumberRange) -> u64 {
    range.start() + (range.count() - 1) * range.stride()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_of_a_range_is_of_its_stride() {
        assert_eq!(last(&NumberRange::new(1, 11, 1).unwrap()), 10);
        assert_eq!(last(&NumberRange::new(21, 31, 5).unwrap()), 26);
    }
}
