//! Leaf's server: `/api/segment/get/{key}`, `/api/snowflake/get/{key}` and `/decodeSnowflakeId`.

use std::borrow::Cow;

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::{Value, json};
use snowmint::{Layout, TextForm, Timestamp};

use super::super::answer::{Answer, TEXT, answer as answered, json as json_answer};
use super::super::authority::grant_of_front;
use super::super::problem::Problem;
use super::super::query::{decoded, parameters};
use crate::decoding::{NamedLayout, TimeBase};
use crate::minting;
use crate::quotas::Client;
use crate::service::RequestContext;
use crate::setup::Setup;
use crate::tokens::Grant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Operation {
    Segment,
    Snowflake,
    Decode,
}

pub(in crate::http) async fn answer(
    context: &RequestContext,
    client: Client,
    asked: Operation,
    key: &str,
    request: &Request<Incoming>,
) -> Result<Answer, Problem> {
    if asked == Operation::Decode {
        return decode(context.setup(), request.uri().query());
    }
    let grant = grant_of_front(context, client, request, None)?;
    // Leaf answers every error with 500. It has no tokens or limits, so those refusals keep their
    // status.
    minted(context, &grant, asked, key).await.map_err(|problem| match problem {
        problem if problem.is_denial() => problem,
        problem => problem.with_status(StatusCode::INTERNAL_SERVER_ERROR),
    })
}

async fn minted(
    context: &RequestContext,
    grant: &Grant,
    asked: Operation,
    key: &str,
) -> Result<Answer, Problem> {
    let setup = context.setup();
    let name = name(setup, asked, key)?;
    grant.check_source(&name)?;
    let named = setup.sources.named(&name)?;
    let id = grant.counted(context.quotas(), 1, || minting::one(context, named)).await??;
    // Without a line's end, because clients parse the whole body.
    Ok(answered(StatusCode::OK, TEXT, TextForm::Decimal.format(id).as_bytes().to_vec()))
}

/// Returns the name of the source. Leaf's snowflakes ignore the key, and clients write any, so
/// `fronts.leaf_snowflakes` may name the source.
fn name<'a>(setup: &'a Setup, asked: Operation, key: &'a str) -> Result<Cow<'a, str>, Problem> {
    match (asked, &*setup.config.fronts.leaf_snowflakes) {
        (Operation::Snowflake, "") | (Operation::Segment, _) => decoded(key),
        (Operation::Snowflake | Operation::Decode, name) => Ok(name.into()),
    }
}

/// Decodes an ID in the form of Leaf's page; times are UTC.
fn decode(setup: &Setup, query: Option<&str>) -> Result<Answer, Problem> {
    let [id] = parameters(query, ["snowflakeId"])?;
    let layout = layout(setup)?;
    let body = id.and_then(|id| id.parse().ok()).and_then(|id| told(&layout, id));
    let error = || json!({ "errorMsg": "snowflakeId is no ID of this layout" });
    Ok(json_answer(StatusCode::OK, &body.unwrap_or_else(error)))
}

fn told(layout: &Layout, id: u64) -> Option<Value> {
    let parts = layout.decode(id).ok()?;
    let time = Timestamp(parts.unix_ms).to_string().replace('T', " ");
    Some(json!({
        "timestamp": format!("{}({})", parts.unix_ms, time.trim_end_matches('Z')),
        "workerId": parts.worker_id.to_string(),
        "sequenceId": parts.sequence.to_string(),
    }))
}

/// Returns the layout of the configured snowflake source, or else Leaf's own.
fn layout(setup: &Setup) -> Result<Layout, Problem> {
    let named = setup.sources.named(&setup.config.fronts.leaf_snowflakes).ok();
    let own = named.and_then(|named| named.source().ok()).and_then(|source| source.layout());
    let none = TimeBase::default();
    match own {
        Some(layout) => Ok(*layout),
        None => Ok(NamedLayout::parse("leaf", none)?.layout),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in a comment of Leaf's controller.
    #[test]
    fn an_id_is_told_as_its_server_tells_it() {
        let none = TimeBase::default();
        let layout = NamedLayout::parse("leaf", none).unwrap().layout;
        let id = ((1_567_733_700_834 - 1_288_834_974_657) << 22) | (39 << 12) | 3_448;
        let told = told(&layout, id).unwrap();
        assert_eq!(told["timestamp"], "1567733700834(2019-09-06 01:35:00.834)");
        assert_eq!((&told["workerId"], &told["sequenceId"]), (&json!("39"), &json!("3448")));
        assert!(super::told(&layout, u64::MAX).is_none());
    }
}
