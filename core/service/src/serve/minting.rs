//! Minting of a source by its name: here, or where its turn is.

use snowmint::{Code, Error, NumberRange, Result, Segment, Source};

use super::order::{Asker, Owner, Turn};
use super::polling;
use super::service::LoopContext;
use super::sources::Named;

/// The next ID, within the source's own bound.
///
/// # Errors
/// As [`Source::next_id`].
#[inline]
pub(crate) async fn one(context: &LoopContext, named: &Named) -> Result<u64> {
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

async fn one_in_turn(context: &LoopContext, named: &Named, turn: &Turn) -> Result<u64> {
    let ids = many_in_turn(context, named, turn, 1, Asker::Client).await?;
    ids.first().copied().ok_or_else(|| Error::new(Code::InvalidAnswer, "no ID came"))
}

/// `count` rising IDs, within the source's own bound; fewer where there are no more by
/// then.
///
/// # Errors
/// As [`Source::next_ids`], where there was none.
pub(crate) async fn many(
    context: &LoopContext,
    named: &Named,
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
    context: &LoopContext,
    named: &Named,
    turn: &Turn,
    count: usize,
    asker: Asker,
) -> Result<Vec<u64>> {
    let here = async |source: &Source| polling::many(source, count).await;
    let there = async |owner: &Owner| context.peers().ids(owner, &named.name, count).await;
    turn.taken(asker, here, there).await
}

/// The key of a sequence as it was written, each in one way.
///
/// # Errors
/// [`Code::InvalidKey`].
pub(crate) fn key(text: &str) -> Result<u64> {
    let key = text.parse().ok().filter(|key: &u64| key.to_string() == text);
    key.ok_or_else(|| {
        let message = format!(
            "the key {text:?} is not a whole number of 64 bits: digits alone, without a zero before \
             them"
        );
        Error::new(Code::InvalidKey, message)
    })
}

/// The next number of a key, of sequences.
///
/// # Errors
/// As [`Source::next_of`].
pub(crate) async fn of_key(context: &LoopContext, named: &Named, key: u64) -> Result<u64> {
    let source = named.source()?;
    let asked = polling::of_key(source, key).await;
    let number = asked.map_err(|why| match (why.code(), source) {
        (Code::Unsupported, Source::Sequences(_)) => why,
        (Code::Unsupported, _) => without_keys(named),
        _ => why,
    })?;
    context.minted(named, 1, number);
    Ok(number)
}

/// Ranges of `count` numbers in all; of fewer where there are no more by then.
///
/// # Errors
/// As [`Segment::next_range`], where there was none; [`Code::Unsupported`] of what is no segment.
pub(crate) async fn ranges(
    context: &LoopContext,
    named: &Named,
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

/// The last of `count` numbers that follow each other without a gap.
///
/// # Errors
/// As [`Segment::next_range`]; [`Code::Unsupported`] of what is no segment, where numbers do not
/// follow each other, or `count` are too many for the tag's ranges.
pub(crate) async fn block(
    context: &LoopContext,
    named: &Named,
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

/// One range, of `most` numbers at most, for a client that mints from it by itself.
///
/// # Errors
/// As [`Segment::next_range`]; [`Code::Unsupported`] of what is no segment, or is given in turn.
pub(crate) async fn range(context: &LoopContext, named: &Named, most: u64) -> Result<NumberRange> {
    if named.turn().is_some() {
        let message = "clients that mint from ranges of their own keep no order: ask for numbers";
        return Err(Error::new(Code::Unsupported, message));
    }
    let range = polling::range(segment(named.source()?)?, most).await?;
    context.minted(named, range.count(), last(&range));
    Ok(range)
}

/// The request for what a source makes, where another was sent: the library names its calls.
fn by_request(why: Error, named: &Named, source: &Source) -> Error {
    let name = &named.name;
    let message = match (why.code(), source) {
        (Code::Unsupported, Source::Sequences(_)) => format!(
            "{name} has a sequence for each key: ask POST /v1/sequences/{name}/KEY, or INCR \
             seq:{name}:KEY"
        ),
        (Code::Unsupported, Source::Uuid(_)) => {
            format!("{name} makes UUIDs: ask POST /v1/ids/{name}")
        }
        _ => return why,
    };
    Error::new(Code::Unsupported, message)
}

fn without_keys(named: &Named) -> Error {
    let name = &named.name;
    let message = format!("{name} has no keys: ask POST /v1/ids/{name}, or INCR {name}");
    Error::new(Code::Unsupported, message)
}

fn segment(source: &Source) -> Result<&Segment> {
    match source {
        Source::Segment(segment) => Ok(segment),
        _ => Err(Error::new(Code::Unsupported, "only a segment has ranges: ask for single IDs")),
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
