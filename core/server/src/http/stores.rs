//! Operators' changes of stores: list, add, change and raise tags, list worker IDs and end leases,
//! as `snowmint segment` and `snowmint worker` do.

use std::time::Duration;

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::{Value, json};
use snowmint::{
    Result, Store, Tag, TagChange, TagOptions, WorkerRow, escaped, open_store, redacted,
};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::answer::{Answer, json as json_answer};
use super::body::{Object, object};
use super::problem::Problem;
use super::query::parameters;
use crate::rows::{self, raised_above};
use crate::service::RequestContext;
use crate::{errors, leases};

/// The longest wait for another operator's change.
const TURN_WITHIN: Duration = Duration::from_secs(5);

/// A change of a store, described by a request's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Create,
    Set,
    Raise,
    Evict,
}

/// A listing of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    Tags,
    Workers,
}

/// Lists the rows of a store. The query names the store as the state does.
pub(super) async fn list(
    context: &RequestContext,
    listed: Listed,
    query: Option<&str>,
) -> Result<Answer, Problem> {
    let [shown, tag] = parameters(query, ["store", "tag"])?;
    let tag = tag.map(|tag| Tag::of_row(&tag)).transpose()?;
    let shown = shown.ok_or_else(|| Problem::parameter("store: name one, as /admin/state does"))?;
    let rows = asked(context, &shown, move |store| match (listed, tag) {
        (Listed::Tags, Some(tag)) => Ok(store.tag(&tag)?.iter().map(rows::tag).collect()),
        (Listed::Tags, None) => Ok(store.tags()?.iter().map(rows::tag).collect()),
        (Listed::Workers, _) => Ok(store.workers()?.iter().map(rows::worker).collect()),
    });
    let rows: Vec<Value> = rows.await?;
    let name = if listed == Listed::Tags { "tags" } else { "workers" };
    Ok(json_answer(StatusCode::OK, &json!({ name: rows })))
}

/// Applies a change, and answers with the new row.
pub(super) async fn change(
    context: &RequestContext,
    change: Change,
    request: &mut Request<Incoming>,
) -> Result<Answer, Problem> {
    let body = object(context, request).await?;
    body.only(change.keys())?;
    let shown = body.text("store")?.to_owned();
    let row = match change {
        Change::Create => create(context, &shown, &body).await?,
        Change::Set => set(context, &shown, &body).await?,
        Change::Raise => raise(context, &shown, &body).await?,
        Change::Evict => evict(context, &shown, &body).await?,
    };
    Ok(json_answer(StatusCode::OK, &row))
}

impl Change {
    const fn keys(self) -> &'static [&'static str] {
        match self {
            Change::Create => &["store", "tag", "start", "step", "stride", "max"],
            Change::Set => &["store", "tag", "step", "max"],
            Change::Raise => &["store", "tag", "above"],
            Change::Evict => &["store", "realm", "worker_id"],
        }
    }
}

async fn create(context: &RequestContext, shown: &str, body: &Object) -> Result<Value, Problem> {
    let tag = Tag::of_row(body.text("tag")?)?;
    let usual = TagOptions::default();
    let options = usual
        .start(body.if_there("start", Object::wide)?.unwrap_or(usual.start))
        .step(body.if_there("step", Object::wide)?.unwrap_or(usual.step))
        .stride(body.if_there("stride", Object::wide)?.unwrap_or(usual.stride))
        .max(body.if_there("max", Object::wide)?.unwrap_or(usual.max));
    options.check()?;
    let place = shown.to_owned();
    let row = asked(context, shown, move |store| {
        store.create_tag(&tag, options)?;
        let row = store.tag(&tag)?.ok_or_else(|| errors::stores::tag_missing(&tag))?;
        tracing::info!(store = &*place, "an operator added the tag {tag}");
        Ok(rows::tag(&row))
    });
    Ok(row.await?)
}

async fn set(context: &RequestContext, shown: &str, body: &Object) -> Result<Value, Problem> {
    let tag = Tag::of_row(body.text("tag")?)?;
    let step = body.if_there("step", Object::wide)?;
    let max = body.if_there("max", Object::wide)?;
    if step.is_none() && max.is_none() {
        return Err(Problem::parameter("step and max are missing: nothing would change"));
    }
    let place = shown.to_owned();
    let row = asked(context, shown, move |store| {
        let row = store.change_tag(&tag, TagChange::default().step(step).max(max))?;
        tracing::info!(store = &*place, step, max, "an operator changed the tag {tag}");
        Ok(rows::tag(&row))
    });
    Ok(row.await?)
}

async fn raise(context: &RequestContext, shown: &str, body: &Object) -> Result<Value, Problem> {
    let tag = Tag::of_row(body.text("tag")?)?;
    let above = body.wide("above")?;
    let place = shown.to_owned();
    let row = asked(context, shown, move |store| {
        let row = raised_above(store, &tag, above)?;
        tracing::info!(store = &*place, above, "an operator raised the tag {tag}");
        Ok(rows::tag(&row))
    });
    Ok(row.await?)
}

async fn evict(context: &RequestContext, shown: &str, body: &Object) -> Result<Value, Problem> {
    let (realm, worker_id) = (body.text("realm")?.to_owned(), body.number("worker_id")?);
    let place = shown.to_owned();
    let row = asked(context, shown, move |store| {
        let find = || -> Result<WorkerRow> {
            let rows = store.workers()?.into_iter();
            let mut own = rows.filter(|row| row.realm == realm && row.worker_id == worker_id);
            own.next().ok_or_else(|| errors::stores::worker_id_never_taken(worker_id, &realm))
        };
        let before = find()?;
        if before.held {
            store.evict(&realm, worker_id)?;
            // Escaped, so that text written by others cannot start a line of the log.
            let [owner, realm] = [&before.owner, &realm].map(|text| escaped(text));
            tracing::info!(
                store = &*place,
                "an operator ended {owner}'s lease of worker ID {worker_id} in {realm}"
            );
        }
        Ok(rows::worker(&find()?))
    });
    Ok(row.await?)
}

/// Calls the store of this URL on a thread that may block, one operator after the other.
async fn asked<T: Send + 'static>(
    context: &RequestContext,
    shown: &str,
    ask: impl FnOnce(&dyn Store) -> Result<T> + Send + 'static,
) -> Result<T> {
    let url = url_of(context, shown)?;
    let turn = context.service.operating.acquire();
    let Ok(Ok(_turn)) = timeout(TURN_WITHIN, turn).await else {
        return Err(errors::stores::operators_too_many());
    };
    // The store of leases is already open, and a store in memory exists only there.
    if context.setup().config.leases.store == url {
        return leases::asked(&context.service.leases, move |store, _| ask(store)).await;
    }
    let asked = spawn_blocking(move || ask(&*open_store(&url)?));
    asked.await.unwrap_or_else(|error| Err(errors::stores::call_unfinished(error)))
}

/// Returns the URL of a configured store, with its password. No other store is opened.
fn url_of(context: &RequestContext, shown: &str) -> Result<String> {
    let setup = context.setup();
    let config = &setup.config;
    let placed = setup.sources.all().iter().filter_map(|named| named.placed());
    let own = placed.map(|placed| placed.store.as_str());
    let mut all = own.chain([config.leases.store.as_str(), config.ordered.store.as_str()]);
    let found = all.find(|url| !url.is_empty() && (*url == shown || redacted(url) == shown));
    found.map(str::to_owned).ok_or_else(|| errors::stores::store_unknown(shown))
}
