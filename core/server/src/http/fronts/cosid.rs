//! CosId's proxy server: `/segments/…`, whose ranges its client `cosid-proxy` mints from, and
//! `/ids`. Worker IDs at `/machines/…` are not offered, because that client mints by its clock
//! beyond the time that was reserved for it.

use std::borrow::Cow;

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use snowmint::{Error, Source, TextForm};

use super::super::answer::{Answer, JSON, TEXT, answer as answered};
use super::super::authority::grant_of_front;
use super::super::problem::Problem;
use super::super::query::{decoded, parameters};
use crate::errors;
use crate::minting;
use crate::quotas::Client;
use crate::service::RequestContext;
use crate::setup::Setup;
use crate::sources::NamedSource;
use crate::turns::Asker;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Operation {
    Distributor,
    Segment,
    Share,
    Id,
}

/// The source that CosId's client means if it names none.
const SHARE: &str = "__share__";

pub(in crate::http) async fn answer(
    context: &RequestContext,
    client: Client,
    asked: Operation,
    parts: [&str; 2],
    request: &Request<Incoming>,
) -> Result<Answer, Problem> {
    let grant = grant_of_front(context, client, request, None)?;
    let (setup, query) = (context.setup(), request.uri().query());
    let name = name(asked, parts)?;
    grant.check_source(&name)?;
    let named = setup.sources.named(&name)?;
    match asked {
        Operation::Distributor => {
            // The offset is ignored: as on CosId's server, a tag's start is set when the tag is
            // created.
            let [step, _offset] = parameters(query, ["step", "offset"])?;
            check_segment(named)?;
            count(setup, step.as_deref())?;
            Ok(answered(StatusCode::OK, TEXT, ""))
        }
        Operation::Segment => {
            let [step] = parameters(query, ["step"])?;
            let count = count(setup, step.as_deref())?;
            let minting = || minting::block(context, named, count, Asker::Client);
            Ok(number(grant.counted(context.quotas(), count, minting).await??))
        }
        Operation::Share | Operation::Id => {
            Ok(number(grant.counted(context.quotas(), 1, || minting::one(context, named)).await??))
        }
    }
}

/// Returns the name of the source. For a segment it is the tag's name in CosId's tables.
fn name<'a>(asked: Operation, [first, second]: [&'a str; 2]) -> Result<Cow<'a, str>, Problem> {
    match asked {
        Operation::Share => Ok(SHARE.into()),
        Operation::Id => decoded(first),
        Operation::Distributor | Operation::Segment => {
            Ok(format!("{}.{}", decoded(first)?, decoded(second)?).into())
        }
    }
}

/// Checks that the source is a segment, as every ordered source is.
fn check_segment(named: &NamedSource) -> Result<(), Error> {
    if named.turn().is_some() || matches!(named.source()?, Source::Segment(_)) {
        return Ok(());
    }
    Err(errors::http::ranges_of_no_segment())
}

/// Parses the count of numbers: the client's step, or a multiple of it.
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

/// Without a line's end, because clients parse the whole body.
fn number(id: u64) -> Answer {
    answered(StatusCode::OK, JSON, TextForm::Decimal.format(id).as_bytes().to_vec())
}
