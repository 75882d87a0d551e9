//! `/v1/workers/…` and `/v1/segments/…/allocate`, as `core/service/PROTOCOL.md` has them.

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::{Value, json};
use snowmint::{
    Allocation, Call, Code, Error, Incarnation, Layout, Lease, LeaseRequest, Result, Source, Tag,
    allocate_one,
};

use super::answer::{Answer, json};
use super::authority;
use super::body::{Object, object};
use super::problem::Problem;
use super::query::decoded;
use crate::moment::now_ms;
use crate::serve::leases::asked;
use crate::serve::quotas::Client;
use crate::serve::service::Desk;
use crate::serve::sources::Named;
use crate::serve::tokens::Grant;

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Acquire,
    Renew,
    Release,
    Allocate,
}

/// The answer to a request of the protocol, in the protocol's own form.
pub(crate) async fn answer(
    desk: &Desk,
    client: Client,
    (asked, tag): (Asked, &str),
    allowed: Result<(), Problem>,
    request: &mut Request<Incoming>,
) -> Answer {
    match done(desk, client, (asked, tag), allowed, request).await {
        Ok(mut body) => {
            if let Some(object) = body.as_object_mut() {
                object.entry("nowMs").or_insert_with(|| now_ms().to_string().into());
            }
            json(StatusCode::OK, &body)
        }
        Err(problem) => problem.in_protocol(desk),
    }
}

async fn done(
    desk: &Desk,
    client: Client,
    (asked, tag): (Asked, &str),
    allowed: Result<(), Problem>,
    request: &mut Request<Incoming>,
) -> Result<Value, Problem> {
    let grant = authority::grant(desk, client, request)?;
    grant.check_leases()?;
    if !desk.service.leases.is_configured() {
        let detail = "nothing is leased here: leases.store is not set";
        return Err(Problem::new(StatusCode::NOT_FOUND, Code::Unsupported, detail));
    }
    allowed?;
    let body = object(desk, request).await?;
    let done = match asked {
        Asked::Acquire => acquire(desk, client, &body).await?,
        Asked::Renew => renew(desk, &body).await?,
        Asked::Release => release(desk, &body).await?,
        Asked::Allocate => {
            let tag = decoded(tag)?;
            let allocated = allocate(desk, &grant, &tag, &body).await;
            allocated.map_err(|problem| problem.of_another_source(desk, &tag))?
        }
    };
    Ok(done)
}

async fn acquire(desk: &Desk, client: Client, body: &Object) -> Result<Value, Problem> {
    let mut request = LeaseRequest::new(realm(body)?, body.text("owner")?);
    request.max_worker_id = body.number("maxWorkerId")?;
    request.slab_ms = body.number("slabMs")?;
    request.max_ahead_ms = body.number("maxAheadMs")?;
    request.avoid = body.has("avoid").then(|| body.number("avoid")).transpose()?;
    request.check()?;
    let token = body.token("token")?;
    desk.service.quotas.take_lease(desk, client)?;
    let ask = asked(&desk.service.leases, move |store, within| {
        store.acquire(&request, &Call::new(within, token))
    });
    let lease = ask.await.inspect_err(|_| desk.service.quotas.give_lease_back(desk, client));
    let lease = lease.map_err(|why| match why.code() {
        // The store names holders, which are other clients' business.
        Code::WorkersExhausted => Error::new(why.code(), "no worker ID is free at the moment"),
        _ => why,
    })?;
    Ok(row(&lease))
}

async fn renew(desk: &Desk, body: &Object) -> Result<Value> {
    let slab_ms = body.number("slabMs")?;
    let (lease, next) = (held(body, slab_ms)?, body.token("nextToken")?);
    let ask = asked(&desk.service.leases, move |store, within| {
        store.renew(&lease, slab_ms, &Call::new(within, next))
    });
    Ok(row(&ask.await?))
}

async fn release(desk: &Desk, body: &Object) -> Result<Value> {
    let lease = held(body, 1)?;
    let ask = asked(&desk.service.leases, move |store, within| {
        store.release(&lease, &Call::new(within, lease.token))
    });
    ask.await?;
    Ok(json!({}))
}

async fn allocate(desk: &Desk, grant: &Grant, tag: &str, body: &Object) -> Result<Value, Problem> {
    grant.check_source(tag)?;
    let tag = Tag::of_row(tag)?;
    let count = body.has("count").then(|| body.wide("count")).transpose()?;
    // A client asks for more the faster it uses them up, and gets what it may have: a refusal would
    // end it. What is no count at all is the store's to refuse.
    let count = count.map(|count| count.min(desk.setup().config.limits.range_count.into()));
    let count = limited(desk, grant, &tag, count).await?;
    // Its call has a bound of its own, as long as that of the others.
    let ask = asked(&desk.service.leases, move |store, _| allocate_one(store, &tag, count));
    let allocated = match count {
        Some(count) => grant.counted(desk, count, async || ask.await).await??,
        None => ask.await?,
    };
    let Allocation { range, step, incarnation, .. } = allocated;
    let answer = json!({
        "start": range.start().to_string(),
        "end": range.end().to_string(),
        "stride": range.stride().to_string(),
        "step": step.to_string(),
    });
    Ok(of_store(answer, incarnation))
}

/// How many numbers are given: as many as are asked for, or the most that one request may have. Where
/// the request does not say, it is for as many as the tag's step, which has to be looked at where that
/// is not for all.
async fn limited(desk: &Desk, grant: &Grant, tag: &Tag, count: Option<u64>) -> Result<Option<u64>> {
    let most = grant.most();
    if most == u64::MAX {
        return Ok(count);
    }
    if let Some(count) = count {
        return Ok(Some(count.min(most)));
    }
    let (name, tag) = (tag, tag.clone());
    let ask = asked(&desk.service.leases, move |store, _| store.tag(&tag));
    let row = ask.await?.ok_or_else(|| {
        let message = format!("no tag is called {name}");
        Error::new(Code::UnknownTag, message)
    })?;
    Ok(Some(row.step.min(most)))
}

fn row(lease: &Lease) -> Value {
    let answer = json!({
        "workerId": lease.worker_id,
        "epoch": lease.epoch.to_string(),
        "floorMs": lease.floor_ms.to_string(),
        "reservedMs": lease.reserved_ms.to_string(),
        "nowMs": lease.now_ms.to_string(),
    });
    of_store(answer, lease.incarnation.clone())
}

/// With what the store calls itself, where it does: a client that asks several servers tells one
/// that is on another store by it.
fn of_store(mut answer: Value, incarnation: Option<Incarnation>) -> Value {
    if let (Some(incarnation), Some(object)) = (incarnation, answer.as_object_mut()) {
        object.insert("incarnation".to_owned(), (*incarnation).into());
    }
    answer
}

/// The realm of a layout. Others are no client's: a store may have the turns of ordered tags as well,
/// and servers believe whoever has one.
fn realm(body: &Object) -> Result<&str> {
    let realm = body.text("realm")?;
    if of_layout(realm) {
        return Ok(realm);
    }
    let message = "realm: the text of a layout is needed, as \
                   zero:1,time:41,worker:10,sequence:12@1288834974657/1: its fields, its epoch in \
                   Unix milliseconds, its tick in milliseconds";
    Err(Error::new(Code::RealmMismatch, message))
}

/// Whether a text is the one by which stores know a layout.
fn of_layout(realm: &str) -> bool {
    realm.parse::<Layout>().is_ok_and(|layout| layout.to_string() == realm)
}

/// The lease that a client says it has; the store judges.
fn held(body: &Object, slab_ms: u32) -> Result<Lease> {
    let (realm, owner) = (realm(body)?, body.text("owner")?);
    let mut limits = LeaseRequest::new(realm, owner);
    limits.slab_ms = slab_ms;
    limits.check()?;
    let mut lease = Lease::new(realm, body.number("workerId")?, owner, body.token("token")?);
    lease.epoch = body.wide("epoch")?;
    lease.floor_ms = body.moment_ms("floorMs")?;
    lease.reserved_ms = body.moment_ms("reservedMs")?;
    Ok(lease)
}

impl Problem {
    /// The same of a name that no tag has, and a source here: a tag made for it would be another key
    /// space beside that source's.
    fn of_another_source(self, desk: &Desk, name: &str) -> Problem {
        let setup = desk.setup();
        let source = setup.sources.named(name).ok().and_then(Named::opened);
        let detail = match source.filter(|_| self.code == Code::UnknownTag) {
            None => return self,
            Some(Source::Snowflake(_)) => format!(
                "no tag {name}: {name} is a source of snowflakes here: use snowflake+http://… in \
                 place of http://…/{name}, or ask POST /v1/ids/{name}"
            ),
            Some(_) => format!(
                "no tag {name}: {name} is a source here, of another kind or of another tag: ask as \
                 GET /v1/sources says"
            ),
        };
        Problem { detail, ..self }
    }

    /// The same in the protocol's form and with its statuses.
    fn in_protocol(self, desk: &Desk) -> Answer {
        desk.count(|counters| counters.failed(self.code, None, &self.detail));
        let status = match self.code {
            Code::Unsupported if self.status == StatusCode::BAD_REQUEST => StatusCode::NOT_FOUND,
            Code::LeaseLost | Code::RealmMismatch => StatusCode::CONFLICT,
            _ => self.status,
        };
        let mut body = json!({
            "code": self.code.name(),
            "message": self.detail,
            "nowMs": now_ms().to_string(),
        });
        // A lease that is lost is lost for good.
        let retry_ms = self.retry_ms.filter(|_| status != StatusCode::CONFLICT);
        let problem = Problem { retry_ms, ..self };
        if let (Some(retry_ms), Some(object)) = (problem.retry_ms, body.as_object_mut()) {
            object.insert("retryMs".to_owned(), retry_ms.into());
        }
        let mut answer = json(status, &body);
        problem.put_headers(answer.headers_mut());
        answer
    }
}

#[cfg(test)]
mod tests {
    use snowmint::Preset;

    use super::*;

    #[test]
    fn a_realm_is_of_a_layout() {
        for Preset { layout, .. } in Preset::ALL {
            assert!(of_layout(&layout.to_string()));
        }
        let fields = "zero:1,time:41,worker:10,sequence:12";
        assert!(of_layout(&format!("{fields}@-5/10")));
        for other in ["@+5/10", "@05/10", "@5/010", "@5/0", "@5", "/10", "@5/10 ", "@5/10/1", ""] {
            assert!(!of_layout(&format!("{fields}{other}")), "{other}");
        }
        // Other fields than it has, though they read as its own.
        assert!(!of_layout("turns of orders") && !of_layout("turns of orders@0/1"));
        assert!(!of_layout("time:41,worker:10,sequence:12@0/1"));
    }
}
