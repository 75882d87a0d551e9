//! CosId's proxy server: `/segments/…`, of which its client `cosid-proxy` mints, and `/ids`. Worker
//! IDs, at `/machines/…`, are not given: its client mints on as its clock says, and not only within
//! the time that was reserved for it.

use std::borrow::Cow;

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use snowmint::{Code, Error, Source, TextForm};

use super::super::answer::{Answer, JSON, TEXT, answer as answered};
use super::super::authority::grant_of_front;
use super::super::problem::Problem;
use super::super::query::{decoded, parameters};
use crate::serve::minting;
use crate::serve::order::Asker;
use crate::serve::quotas::Client;
use crate::serve::service::RequestContext;
use crate::serve::setup::Setup;
use crate::serve::sources::Named;

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::serve::http) enum Asked {
    Distributor,
    Segment,
    Share,
    Id,
}

/// The name of its IDs for which a request names none.
const SHARE: &str = "__share__";

pub(in crate::serve::http) async fn answer(
    context: &RequestContext,
    client: Client,
    asked: Asked,
    parts: [&str; 2],
    request: &Request<Incoming>,
) -> Result<Answer, Problem> {
    let grant = grant_of_front(context, client, request, None)?;
    let (setup, query) = (context.setup(), request.uri().query());
    let name = name(asked, parts)?;
    grant.check_source(&name)?;
    let named = setup.sources.named(&name)?;
    match asked {
        Asked::Distributor => {
            // Where the numbers of a tag begin is said when it is made, as on its own server.
            let [step, _offset] = parameters(query, ["step", "offset"])?;
            check_segment(named)?;
            count(setup, step.as_deref())?;
            Ok(answered(StatusCode::OK, TEXT, ""))
        }
        Asked::Segment => {
            let [step] = parameters(query, ["step"])?;
            let count = count(setup, step.as_deref())?;
            let minting = || minting::block(context, named, count, Asker::Client);
            Ok(number(grant.counted(context.quotas(), count, minting).await??))
        }
        Asked::Share | Asked::Id => {
            Ok(number(grant.counted(context.quotas(), 1, || minting::one(context, named)).await??))
        }
    }
}

/// The source that is meant: of a segment its tag, as its tables name it.
fn name<'a>(asked: Asked, [first, second]: [&'a str; 2]) -> Result<Cow<'a, str>, Problem> {
    match asked {
        Asked::Share => Ok(SHARE.into()),
        Asked::Id => decoded(first),
        Asked::Distributor | Asked::Segment => {
            Ok(format!("{}.{}", decoded(first)?, decoded(second)?).into())
        }
    }
}

/// One whose numbers are given in turn is a segment, wherever it is open.
fn check_segment(named: &Named) -> Result<(), Error> {
    if named.turn().is_some() || matches!(named.source()?, Source::Segment(_)) {
        return Ok(());
    }
    Err(Error::new(Code::Unsupported, "only a segment has ranges: ask at /ids"))
}

/// How many numbers a client takes: its step, or several of them.
fn count(setup: &Setup, step: Option<&str>) -> Result<u64, Problem> {
    let max = u64::from(setup.config.limits.range_count);
    let step = step.ok_or_else(|| Problem::parameter("step is not given"))?;
    match step.parse() {
        Ok(count) if (1..=max).contains(&count) => Ok(count),
        _ => {
            let detail = format!("step={step:?} is not a whole number from 1 to {max}");
            Err(Problem::parameter(detail))
        }
    }
}

/// The number alone, without a line's end: clients parse the whole of it.
fn number(id: u64) -> Answer {
    answered(StatusCode::OK, JSON, TextForm::Decimal.format(id).as_bytes().to_vec())
}
