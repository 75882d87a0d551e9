//! `/v1/workers/…` and `/v1/segments/…/allocate`, as `core/server/PROTOCOL.md` defines them.

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::{Value, json};
use snowmint::{
    Allocation, Call, Code, Incarnation, KeySpaceId, Layout, Lease, LeaseRequest, Result, Source,
    Tag, allocate_one_within,
};

use super::answer::{Answer, json};
use super::authority;
use super::body::{Object, object};
use super::problem::Problem;
use super::query::decoded;
use crate::errors;
use crate::leases::{asked, key_space};
use crate::moment::now_ms;
use crate::quotas::Client;
use crate::service::RequestContext;
use crate::sources::NamedSource;
use crate::tokens::Grant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    KeySpace,
    Acquire,
    Renew,
    Release,
    Allocate,
}

/// Answers a request in the protocol's own form.
pub(crate) async fn answer(
    context: &RequestContext,
    client: Client,
    (asked, tag): (Operation, &str),
    allowed: Result<(), Problem>,
    request: &mut Request<Incoming>,
) -> Answer {
    match done(context, client, (asked, tag), allowed, request).await {
        Ok(mut body) => {
            if let Some(object) = body.as_object_mut() {
                object.entry("now_ms").or_insert_with(|| now_ms().to_string().into());
            }
            json(StatusCode::OK, &body)
        }
        Err(problem) => problem.in_protocol(context),
    }
}

async fn done(
    context: &RequestContext,
    client: Client,
    (what, tag): (Operation, &str),
    allowed: Result<(), Problem>,
    request: &mut Request<Incoming>,
) -> Result<Value, Problem> {
    let grant = authority::grant(context, client, request)?;
    grant.check_leases()?;
    if !context.service.leases.is_configured() {
        let detail = "nothing is leased here: leases.store is not set";
        return Err(Problem::new(StatusCode::NOT_FOUND, Code::Unsupported, detail));
    }
    allowed?;
    let body = object(context, request).await?;
    if body.has("key_space") {
        check_key_space(context, &body).await?;
    }
    let done = match what {
        Operation::KeySpace => of_store(json!({}), None, key_space(&context.service.leases).await?),
        Operation::Acquire => acquire(context, client, &body).await?,
        Operation::Renew => renew(context, &body).await?,
        Operation::Release => release(context, &body).await?,
        Operation::Allocate => {
            let tag = decoded(tag)?;
            let allocated = allocate(context, &grant, &tag, &body).await;
            allocated.map_err(|problem| problem.of_another_source(context, &tag))?
        }
    };
    Ok(done)
}

/// Checks that the client means this store's key space. A client of another one would discard the
/// result.
async fn check_key_space(context: &RequestContext, body: &Object) -> Result<()> {
    let asked: KeySpaceId = body.text("key_space")?.parse()?;
    match key_space(&context.service.leases).await? {
        Some(own) if own != asked => Err(errors::http::key_space_of_another_store(own, asked)),
        _ => Ok(()),
    }
}

/// Returns how many worker IDs one address may acquire in an hour.
fn per_address(context: &RequestContext) -> u32 {
    context.setup().config.leases.per_address
}

async fn acquire(
    context: &RequestContext,
    client: Client,
    body: &Object,
) -> Result<Value, Problem> {
    let (realm, layout) = realm(body)?;
    let mut request = LeaseRequest::new(realm, body.text("owner")?);
    request.max_worker_id = body.number("max_worker_id")?;
    check_largest(request.max_worker_id, &layout)?;
    request.reserve_ms = body.number("reserve_ms")?;
    request.max_ahead_ms = body.number("max_ahead_ms")?;
    request.avoid = body.has("avoid").then(|| body.number("avoid")).transpose()?;
    request.check()?;
    let token = body.token("token")?;
    context.quotas().take_lease(per_address(context), client)?;
    let ask = asked(&context.service.leases, move |store, within| {
        store.acquire(&request, &Call::new(within, token))
    });
    let lease =
        ask.await.inspect_err(|_| context.quotas().give_lease_back(per_address(context), client));
    let lease = lease.map_err(|why| match why.code() {
        Code::WorkersExhausted => errors::http::worker_ids_exhausted(),
        _ => why,
    })?;
    Ok(row(&lease))
}

async fn renew(context: &RequestContext, body: &Object) -> Result<Value> {
    let reserve_ms = body.number("reserve_ms")?;
    let (lease, next) = (held(body, reserve_ms)?, body.token("next_token")?);
    let ask = asked(&context.service.leases, move |store, within| {
        store.renew(&lease, reserve_ms, &Call::new(within, next))
    });
    Ok(row(&ask.await?))
}

async fn release(context: &RequestContext, body: &Object) -> Result<Value> {
    let lease = held(body, 1)?;
    let ask = asked(&context.service.leases, move |store, within| {
        store.release(&lease, &Call::new(within, lease.token))
    });
    ask.await?;
    Ok(json!({}))
}

async fn allocate(
    context: &RequestContext,
    grant: &Grant,
    tag: &str,
    body: &Object,
) -> Result<Value, Problem> {
    grant.check_source(tag)?;
    let tag = Tag::of_row(tag)?;
    let count = body.has("count").then(|| body.wide("count")).transpose()?;
    // A count above the limit is reduced, not refused: a client asks for more as it uses them
    // faster, and a refusal would stop it. The store refuses a count of zero.
    let count = count.map(|count| count.min(context.setup().config.limits.range_count.into()));
    let count = limited(context, grant, &tag, count).await?;
    let ask = asked(&context.service.leases, move |store, within| {
        allocate_one_within(store, &tag, count, within)
    });
    let allocated = match count {
        Some(count) => grant.counted(context.quotas(), count, async || ask.await).await??,
        None => ask.await?,
    };
    let Allocation { range, step, incarnation, key_space, .. } = allocated;
    let answer = json!({
        "start": range.start().to_string(),
        "end": range.end().to_string(),
        "stride": range.stride().to_string(),
        "step": step.to_string(),
    });
    Ok(of_store(answer, incarnation, key_space))
}

/// Returns how many numbers to reserve, within the most that one request may have. If the request
/// names no count, the tag's step applies; it is read only if a limit exists.
async fn limited(
    context: &RequestContext,
    grant: &Grant,
    tag: &Tag,
    count: Option<u64>,
) -> Result<Option<u64>> {
    let most = grant.most();
    if most == u64::MAX {
        return Ok(count);
    }
    if let Some(count) = count {
        return Ok(Some(count.min(most)));
    }
    let (name, tag) = (tag, tag.clone());
    let ask = asked(&context.service.leases, move |store, _| store.tag(&tag));
    let row = ask.await?.ok_or_else(|| errors::http::leased_tag_missing(name))?;
    Ok(Some(row.step.min(most)))
}

fn row(lease: &Lease) -> Value {
    let answer = json!({
        "worker_id": lease.worker_id,
        "epoch": lease.epoch.to_string(),
        "floor_ms": lease.floor_ms.to_string(),
        "reserved_ms": lease.reserved_ms.to_string(),
        "now_ms": lease.now_ms.to_string(),
    });
    of_store(answer, lease.incarnation.clone(), lease.key_space)
}

/// Adds the store's identity and key space, if it has them. A client that asks several servers
/// detects one on another store by them.
fn of_store(
    mut answer: Value,
    incarnation: Option<Incarnation>,
    key_space: Option<KeySpaceId>,
) -> Value {
    if let Some(object) = answer.as_object_mut() {
        let incarnation = incarnation.map(|it| ("incarnation".to_owned(), (*it).into()));
        let key_space = key_space.map(|it| ("key_space".to_owned(), it.to_string().into()));
        object.extend(incarnation.into_iter().chain(key_space));
    }
    answer
}

/// Returns the realm, which must be a layout's text, and that layout. Clients may not use other
/// realms: the store may also hold the turns of ordered tags, and servers trust their owners.
fn realm(body: &Object) -> Result<(&str, Layout)> {
    let realm = body.text("realm")?;
    if let Some(layout) = layout_of(realm) {
        return Ok((realm, layout));
    }
    Err(errors::http::realm_of_no_layout())
}

/// Returns the layout that stores know by this text.
fn layout_of(realm: &str) -> Option<Layout> {
    realm.parse().ok().filter(|layout: &Layout| layout.to_string() == realm)
}

/// Refuses a worker ID above the layout's largest, because no ID could contain it.
fn check_largest(max_worker_id: u32, layout: &Layout) -> Result<()> {
    let max = layout.max_worker_id();
    if max_worker_id <= max {
        return Ok(());
    }
    Err(errors::http::worker_id_too_large(max_worker_id, max))
}

/// Returns the lease that a client claims to hold; the store judges the claim.
fn held(body: &Object, reserve_ms: u32) -> Result<Lease> {
    let ((realm, _), owner) = (realm(body)?, body.text("owner")?);
    let mut limits = LeaseRequest::new(realm, owner);
    limits.reserve_ms = reserve_ms;
    limits.check()?;
    let mut lease = Lease::new(realm, body.number("worker_id")?, owner, body.token("token")?);
    lease.epoch = body.wide("epoch")?;
    lease.floor_ms = body.moment_ms("floor_ms")?;
    lease.reserved_ms = body.moment_ms("reserved_ms")?;
    if lease.floor_ms >= lease.reserved_ms {
        return Err(errors::http::floor_not_below_reserved());
    }
    Ok(lease)
}

impl Problem {
    /// Explains an unknown tag that is the name of a source here. A tag created for it would be a
    /// second key space beside the source's.
    fn of_another_source(self, context: &RequestContext, name: &str) -> Problem {
        let setup = context.setup();
        let source = setup.sources.named(name).ok().and_then(NamedSource::opened);
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

    /// Answers in the protocol's form, with its statuses.
    fn in_protocol(self, context: &RequestContext) -> Answer {
        self.tell(context);
        let status = match self.code {
            Code::Unsupported if self.status == StatusCode::BAD_REQUEST => StatusCode::NOT_FOUND,
            Code::LeaseLost | Code::RealmMismatch | Code::IncarnationChanged => {
                StatusCode::CONFLICT
            }
            _ => self.status,
        };
        let mut body = json!({
            "code": self.code.name(),
            "message": self.detail,
            "now_ms": now_ms().to_string(),
        });
        // A retry does not bring back a lost lease.
        let retry_ms = self.retry_ms.filter(|_| status != StatusCode::CONFLICT);
        let problem = Problem { retry_ms, ..self };
        if let (Some(retry_ms), Some(object)) = (problem.retry_ms, body.as_object_mut()) {
            object.insert("retry_ms".to_owned(), retry_ms.into());
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

    fn of(realm: &str) -> bool {
        layout_of(realm).is_some()
    }

    #[test]
    fn a_realm_is_of_a_layout() {
        for Preset { layout, .. } in Preset::ALL {
            assert!(of(&layout.to_string()));
        }
        let fields = "zero:1,time:41,worker:10,sequence:12";
        assert!(of(&format!("{fields}@-5/10")));
        for other in ["@+5/10", "@05/10", "@5/010", "@5/0", "@5", "/10", "@5/10 ", "@5/10/1", ""] {
            assert!(!of(&format!("{fields}{other}")), "{other}");
        }
        // Fields that the layout does not have, although the text parses.
        assert!(!of("turns of orders") && !of("turns of orders@0/1"));
        assert!(!of("time:41,worker:10,sequence:12@0/1"));
    }

    #[test]
    fn no_worker_id_is_leased_that_the_layout_has_not() {
        let fields = |fields: &str| layout_of(&format!("{fields}@0/1")).unwrap();
        let small = fields("zero:1,time:41,worker:3,sequence:19");
        assert!(check_largest(7, &small).is_ok());
        let refused = check_largest(8, &small).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidParameter);
        assert!(refused.to_string().contains("above 7"), "{refused}");
        let of_none = fields("zero:1,time:41,sequence:22");
        assert!(check_largest(0, &of_none).is_ok() && check_largest(1, &of_none).is_err());
        let split = fields("zero:1,time:41,datacenter:5,worker:5,sequence:12");
        assert!(check_largest(1023, &split).is_ok() && check_largest(1024, &split).is_err());
    }
}
