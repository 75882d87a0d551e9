//! tinyid's server: `/tinyid/id/nextId`, `nextIdSimple`, `nextSegmentId`, `nextSegmentIdSimple`.
//! Its client mints from the segments that `nextSegmentIdSimple` returns.

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::{Value, json};
use snowmint::NumberRange;

use super::super::answer::{Answer, TEXT, answer as answered, json as json_answer};
use super::super::authority::grant_of_front;
use super::super::body::{form, has_more};
use super::super::problem::Problem;
use super::super::query::parameters;
use crate::minting;
use crate::quotas::Client;
use crate::service::RequestContext;
use crate::sources::NamedSource;
use crate::tokens::Grant;
use crate::turns::Asker;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Operation {
    Ids,
    IdsSimple,
    Segment,
    SegmentSimple,
}

/// tinyid's codes for a token without permission, and for any other error.
const TOKEN_ERROR: u32 = 5;
const SYSTEM_ERROR: u32 = 6;
/// The client fetches the next segment once it has used one of this many parts.
const LOADING_PARTS: u64 = 5;

/// Answers a request. Errors also have status 200: a code in JSON, and empty text in the simple
/// forms.
pub(in crate::http) async fn answer(
    context: &RequestContext,
    client: Client,
    asked: Operation,
    request: &mut Request<Incoming>,
) -> Answer {
    let given = given(context, client, asked, request).await.map_err(|problem| {
        let code = match problem.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => TOKEN_ERROR,
            _ => SYSTEM_ERROR,
        };
        (code, problem.count(context))
    });
    match (asked, given) {
        (Operation::Ids | Operation::Segment, Ok(given)) => {
            let body = json!({ "data": given.json(), "code": 200, "message": "" });
            json_answer(StatusCode::OK, &body)
        }
        (Operation::Ids | Operation::Segment, Err((code, message))) => {
            let body = json!({ "data": null, "code": code, "message": message });
            json_answer(StatusCode::OK, &body)
        }
        (Operation::IdsSimple | Operation::SegmentSimple, given) => {
            let text = given.map(|given| given.text()).unwrap_or_default();
            answered(StatusCode::OK, TEXT, text)
        }
    }
}

enum Given {
    Ids(Vec<u64>),
    Segment(Segment),
}

/// A segment as tinyid's client reads it. The next ID is the first above `current` that is
/// `remainder` modulo `delta`, and the last is at most `max`.
#[derive(Debug, PartialEq, Eq)]
struct Segment {
    current: u64,
    loading: u64,
    max: u64,
    delta: u64,
    remainder: u64,
}

impl Given {
    fn json(&self) -> Value {
        match self {
            Given::Ids(ids) => json!(ids),
            Given::Segment(Segment { current, loading, max, delta, remainder }) => json!({
                "maxId": max,
                "loadingId": loading,
                "currentId": current,
                "delta": delta,
                "remainder": remainder,
            }),
        }
    }

    fn text(&self) -> String {
        let numbers = match self {
            Given::Ids(ids) => ids.clone(),
            Given::Segment(Segment { current, loading, max, delta, remainder }) => {
                vec![*current, *loading, *max, *delta, *remainder]
            }
        };
        numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
    }
}

async fn given(
    context: &RequestContext,
    client: Client,
    asked: Operation,
    request: &mut Request<Incoming>,
) -> Result<Given, Problem> {
    let mut all = request.uri().query().unwrap_or_default().to_owned();
    if has_more(request)
        && let Some(form) = Box::pin(form(context, request)).await?
    {
        // As on tinyid's server, parameters come in the query or in a form.
        all = format!("{all}&{form}");
    }
    let [kind, size, token] = parameters(Some(&all), ["bizType", "batchSize", "token"])?;
    let grant = grant_of_front(context, client, request, token.as_deref())?;
    let kind = kind.ok_or_else(|| Problem::parameter("bizType is not given"))?;
    grant.check_source(&kind)?;
    let setup = context.setup();
    let named = setup.sources.named(&kind)?;
    match asked {
        Operation::Ids | Operation::IdsSimple => {
            let count = size.as_deref().map_or(Ok(1), |size| count(context, &grant, size))?;
            let minting = || minting::many(context, named, count, Asker::Client);
            Ok(Given::Ids(grant.counted(context.quotas(), count as u64, minting).await??))
        }
        Operation::Segment | Operation::SegmentSimple => {
            Ok(Given::Segment(segment(context, &grant, named).await?))
        }
    }
}

/// Parses a count. One above the limit is reduced to it, as on tinyid's server.
fn count(context: &RequestContext, grant: &Grant, size: &str) -> Result<usize, Problem> {
    let most = grant.most().min(context.setup().config.limits.count.into());
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    match size.parse::<usize>() {
        Ok(count @ 1..) => Ok(count.min(most)),
        _ => Err(Problem::parameter(format!("batchSize={size:?} is not a whole number from 1 on"))),
    }
}

/// Gives the rest of the source's present range, which no other client gets.
async fn segment(
    context: &RequestContext,
    grant: &Grant,
    named: &NamedSource,
) -> Result<Segment, Problem> {
    let most =
        grant.take_up_to(context.quotas(), context.setup().config.limits.range_count.into())?;
    let range = minting::range(context, named, most).await;
    grant.give_back(context.quotas(), most - range.as_ref().map_or(0, NumberRange::count));
    Ok(Segment::of(&range?))
}

impl Segment {
    fn of(range: &NumberRange) -> Segment {
        let (start, delta) = (range.start(), range.stride());
        let current = start.saturating_sub(1);
        let max = start + (range.count() - 1) * delta;
        let loading = current + (max - current) / LOADING_PARTS;
        Segment { current, loading, max, delta, remainder: start % delta }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mints from `currentId` on, as tinyid's client does.
    fn minted(segment: &Segment) -> Vec<u64> {
        let numbers = segment.current + 1..=segment.max;
        numbers.filter(|number| number % segment.delta == segment.remainder).collect()
    }

    #[test]
    fn its_client_mints_the_range_and_nothing_else() {
        for (start, end, stride) in
            [(1, 11, 1), (1_001, 2_001, 1), (7, 8, 1), (3, 103, 5), (5, 6, 9)]
        {
            let range = NumberRange::new(start, end, stride).unwrap();
            let segment = Segment::of(&range);
            let own: Vec<_> = (0..range.count()).map(|at| start + at * stride).collect();
            assert_eq!(minted(&segment), own, "{segment:?}");
            assert!(segment.current <= segment.loading && segment.loading <= segment.max);
        }
    }

    #[test]
    fn texts_are_numbers_and_commas() {
        assert_eq!(Given::Ids(vec![7, 8]).text(), "7,8");
        let segment = Segment::of(&NumberRange::new(1, 101, 1).unwrap());
        assert_eq!(Given::Segment(segment).text(), "0,20,100,1,0");
    }
}
