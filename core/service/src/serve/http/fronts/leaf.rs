//! Leaf's server: `/api/segment/get/{key}`, `/api/snowflake/get/{key}` and `/decodeSnowflakeId`.

use hyper::StatusCode;
use serde_json::{Value, json};
use snowmint::{Layout, Result, TextForm, Timestamp};

use super::super::answer::{Answer, TEXT, answer as answered, json as json_answer};
use super::super::problem::Problem;
use super::super::query::{decoded, parameters};
use crate::args::FieldsArgs;
use crate::named::Named as NamedLayout;
use crate::serve::minting;
use crate::serve::service::Desk;
use crate::serve::setup::Setup;
use crate::serve::sources::Named;

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::serve::http) enum Asked {
    Segment,
    Snowflake,
    Decode,
}

pub(in crate::serve::http) async fn answer(
    desk: &Desk,
    asked: Asked,
    key: &str,
    query: Option<&str>,
) -> Result<Answer, Problem> {
    let setup = desk.setup();
    let named = match asked {
        Asked::Decode => return decode(&setup, query),
        Asked::Segment => by_key(&setup, key),
        Asked::Snowflake => of_snowflakes(&setup, key),
    };
    let minted = match named {
        Ok(named) => mint(desk, named).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    // Its server has one status for whatever went wrong.
    minted.map_err(|problem| problem.with_status(StatusCode::INTERNAL_SERVER_ERROR))
}

async fn mint(desk: &Desk, named: &Named) -> Result<Answer> {
    let id = minting::one(desk, named).await?;
    // The number alone, without a line's end: clients parse the whole of it.
    Ok(answered(StatusCode::OK, TEXT, TextForm::Decimal.format(id).as_bytes().to_vec()))
}

fn by_key<'a>(setup: &'a Setup, key: &str) -> Result<&'a Named, Problem> {
    Ok(setup.sources.named(&decoded(key)?)?)
}

/// Leaf's own snowflakes are the same for every key: clients write any.
fn of_snowflakes<'a>(setup: &'a Setup, key: &str) -> Result<&'a Named, Problem> {
    match &*setup.config.fronts.leaf_snowflakes {
        "" => by_key(setup, key),
        name => Ok(setup.sources.named(name)?),
    }
}

/// In the words of its page; times are UTC.
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

/// That of the source which gives the snowflakes, else Leaf's own.
fn layout(setup: &Setup) -> Result<Layout, Problem> {
    let named = setup.sources.named(&setup.config.fronts.leaf_snowflakes).ok();
    let own = named.and_then(|named| named.source().ok()).and_then(|source| source.layout());
    let none = FieldsArgs { epoch_ms: None, tick_ms: None };
    match own {
        Some(layout) => Ok(*layout),
        None => Ok(NamedLayout::parse("leaf", none)?.layout),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in the comment of its own controller.
    #[test]
    fn an_id_is_told_as_its_server_tells_it() {
        let none = FieldsArgs { epoch_ms: None, tick_ms: None };
        let layout = NamedLayout::parse("leaf", none).unwrap().layout;
        let id = ((1_567_733_700_834 - 1_288_834_974_657) << 22) | (39 << 12) | 3_448;
        let told = told(&layout, id).unwrap();
        assert_eq!(told["timestamp"], "1567733700834(2019-09-06 01:35:00.834)");
        assert_eq!((&told["workerId"], &told["sequenceId"]), (&json!("39"), &json!("3448")));
        assert!(super::told(&layout, u64::MAX).is_none());
    }
}
