//! `/v1/public-ids/{type}/encode` and `…/decode`: public IDs for clients without the keys.

use std::fmt::Display;

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::{Value, json};
use snowmint::public_ids::{PublicIdForm, PublicIds};
use snowmint::{Code, Error, TextForm};
use tokio::task::yield_now;

use super::answer::{Answer, json};
use super::authority;
use super::body::{Object, object_of_any_text};
use super::ids::check;
use super::problem::Problem;
use super::query::parameters;
use crate::errors;
use crate::quotas::Client;
use crate::service::RequestContext;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Encode,
    Decode,
}

/// The bytes of the longest public ID in JSON, with quotes and a comma.
const ITEM_BYTES: usize = 64;
/// The number converted before other work of this event loop gets its turn: a few hundred
/// microseconds.
const AT_ONCE: usize = 64;

pub(crate) async fn answer(
    context: &RequestContext,
    client: Client,
    asked: Operation,
    kind: &str,
    request: &mut Request<Incoming>,
) -> Result<Answer, Problem> {
    let grant = authority::grant(context, client, request)?;
    grant.check_public_ids(kind)?;
    let [form] = parameters(request.uri().query(), ["form"])?;
    let form =
        form.map_or(Ok(PublicIdForm::default()), |name| name.parse()).map_err(Error::from)?;
    let kind = kind.to_owned();
    // Taken before the body is read, so that a reload meanwhile does not matter.
    let setup = context.setup();
    let ids = setup.public_ids.of(&kind, form).ok_or_else(|| {
        let detail = format!("no type of public IDs is called {kind:?} here");
        Problem::new(StatusCode::NOT_FOUND, Code::Unsupported, detail)
    })?;
    // Checks that the form has a key: 0 can be encoded in every form.
    ids.encode(0).map_err(Error::from)?;
    let most = setup.config.public_ids.count;
    let limits = &setup.config.limits;
    let bytes = usize::try_from(most).unwrap_or(usize::MAX).saturating_mul(ITEM_BYTES);
    let bytes = bytes.max(usize::try_from(limits.body_bytes).unwrap_or(usize::MAX));
    let body = object_of_any_text(context, request, bytes).await?;
    let given = texts(&body, if asked == Operation::Encode { "ids" } else { "public" })?;
    let count = given.len() as u64;
    check(count, most)?;
    let convert = match asked {
        Operation::Encode => encode,
        Operation::Decode => decode,
    };
    let converting = async || {
        let mut done = Vec::with_capacity(given.len());
        for (round, texts) in given.chunks(AT_ONCE).enumerate() {
            for (at, text) in (round * AT_ONCE..).zip(texts) {
                done.push(convert(ids, at, text)?);
            }
            yield_now().await;
        }
        Ok(done)
    };
    let done = grant.counted(context.quotas(), count, converting).await??;
    let name = if asked == Operation::Encode { "public" } else { "ids" };
    Ok(json(StatusCode::OK, &json!({ name: done })))
}

/// Reads the array of strings, the body's only member.
fn texts<'a>(body: &'a Object, key: &str) -> Result<Vec<&'a str>, Problem> {
    let texts = body.texts(key)?;
    if let Some(other) = body.other_than(key) {
        return Err(Problem::parameter(format!("no member is called {other:?}: there is {key}")));
    }
    Ok(texts)
}

fn encode(ids: &PublicIds, at: usize, text: &str) -> Result<Value, Error> {
    let wrong = |code, why: &dyn Display| errors::http::id_without_public_form(at, code, why);
    let id = TextForm::Decimal.parse(text).map_err(|error| wrong(error.code(), &error))?;
    let public = ids.encode(id).map_err(|error| wrong(error.code(), &error))?;
    Ok(public.as_str().into())
}

/// Returns null for any text that is no public ID, without a reason, so that all wrong texts look
/// alike.
fn decode(ids: &PublicIds, _: usize, text: &str) -> Result<Value, Error> {
    Ok(ids.decode(text).map_or(Value::Null, |id| id.to_string().into()))
}
