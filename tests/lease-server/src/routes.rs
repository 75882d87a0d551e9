//! The protocol's routes.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use snowmint::{
    Call, Clock, Code, CodeGroup, Error, Lease, LeaseRequest, Result, Store, Tag, TagOptions,
    Token, allocate_one,
};

use crate::faults::{Fate, Faults, ShiftedClock};

const UNAVAILABLE: &str = "503 Service Unavailable";

/// A request, as far as the protocol looks at it.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) origin: Option<String>,
    pub(crate) wanted_headers: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

/// A store behind the protocol.
pub(crate) struct Service {
    store: Arc<dyn Store>,
    faults: Arc<Faults>,
    clock: ShiftedClock,
}

impl Service {
    pub(crate) fn new(store: Arc<dyn Store>, faults: Arc<Faults>) -> Service {
        let clock = ShiftedClock(Arc::clone(&faults));
        Service { store, faults, clock }
    }

    /// The answer to a request, and what becomes of it.
    pub(crate) fn answer(&self, request: &Request) -> (Reply, Fate) {
        let at_once = Fate::Answered { after: Duration::ZERO };
        let (path, method) = (request.path.as_str(), request.method.as_str());
        if path == "/control" {
            return (self.control(request), at_once);
        }
        if method == "OPTIONS" {
            self.faults.count("preflight");
            return (preflight(request), at_once);
        }
        let fate = self.faults.next();
        let done = match (&fate, path.strip_prefix("/v1/")) {
            (Fate::Down, _) => Ok(Value::Null),
            (Fate::Refused { retry_ms }, _) => {
                let reply = self.failure(&refused(), *retry_ms);
                return (with_origin(reply, request), fate);
            }
            (_, Some(route)) if method == "POST" => self.route(route, &request.body),
            _ => Err(Error::new(Code::Unsupported, format!("no route {method} {path}"))),
        };
        let reply = match done {
            Ok(body) => self.success(body),
            Err(error) => self.failure(&error, None),
        };
        (with_origin(reply, request), fate)
    }

    fn route(&self, route: &str, body: &[u8]) -> Result<Value> {
        let body: Value = serde_json::from_slice(body)
            .map_err(|error| invalid("the body", &error.to_string()))?;
        let kind = route.rsplit('/').next().unwrap_or_default();
        self.faults.count(kind);
        match route {
            "workers/acquire" => self.acquire(&body),
            "workers/renew" => self.renew(&body),
            "workers/release" => self.release(&body),
            _ => {
                let tag = route.strip_prefix("segments/").and_then(|r| r.strip_suffix("/allocate"));
                let tag = tag.ok_or_else(|| {
                    Error::new(Code::Unsupported, format!("no route POST {route}"))
                })?;
                self.allocate(tag, &body)
            }
        }
    }

    fn acquire(&self, body: &Value) -> Result<Value> {
        let mut request = LeaseRequest::new(&text(body, "realm")?, &text(body, "owner")?);
        request.max_worker_id = number(body, "maxWorkerId")?;
        request.slab_ms = number(body, "slabMs")?;
        request.max_ahead_ms = number(body, "maxAheadMs")?;
        request.avoid = body.get("avoid").map(|_| number(body, "avoid")).transpose()?;
        Ok(row(&self.store.acquire(&request, &attempt(token(body, "token")?))?))
    }

    fn renew(&self, body: &Value) -> Result<Value> {
        let (next, slab_ms) = (attempt(token(body, "nextToken")?), number(body, "slabMs")?);
        Ok(row(&self.store.renew(&held(body)?, slab_ms, &next)?))
    }

    fn release(&self, body: &Value) -> Result<Value> {
        let held = held(body)?;
        self.store.release(&held, &attempt(held.token))?;
        Ok(json!({}))
    }

    fn allocate(&self, tag: &str, body: &Value) -> Result<Value> {
        let tag = Tag::of_row(tag)?;
        let count = body.get("count").map(|_| wide(body, "count")).transpose()?;
        let allocation = allocate_one(&*self.store, &tag, count)?;
        Ok(json!({
            "start": allocation.range.start().to_string(),
            "end": allocation.range.end().to_string(),
            "stride": allocation.range.stride().to_string(),
            "step": allocation.step.to_string(),
        }))
    }

    /// Switches, tags and evictions for tests; the state of everything for their assertions.
    fn control(&self, request: &Request) -> Reply {
        let done = serde_json::from_slice(&request.body)
            .map_err(|error| error.to_string())
            .and_then(|wanted| self.order(&wanted));
        if let (Err(message), "POST") = (done, request.method.as_str()) {
            return self.failure(&invalid("control", &message), None);
        }
        let workers: Vec<_> = self
            .store
            .workers()
            .unwrap_or_default()
            .iter()
            .map(|row| {
                json!({
                    "workerId": row.worker_id,
                    "owner": row.owner,
                    "epoch": row.epoch.to_string(),
                    "reservedMs": row.reserved_ms.to_string(),
                    "held": row.held,
                })
            })
            .collect();
        self.success(json!({ "counts": self.faults.counts(), "workers": workers }))
    }

    fn order(&self, wanted: &Value) -> std::result::Result<(), String> {
        let mut switches = wanted.clone();
        let Some(object) = switches.as_object_mut() else { return self.faults.set(wanted) };
        if let Some(tag) = object.remove("create_tag") {
            let name = Tag::of_row(tag.as_str().unwrap_or_default());
            let created = name.and_then(|tag| self.store.create_tag(&tag, TagOptions::default()));
            created.map_err(|error| error.to_string())?;
        }
        if let Some(worker_id) = object.remove("evict") {
            let worker_id = worker_id.as_u64().and_then(|id| id.try_into().ok());
            let worker_id: u32 = worker_id.ok_or("evict: a worker ID")?;
            for row in self.store.workers().map_err(|error| error.to_string())? {
                if row.worker_id == worker_id {
                    let evicted = self.store.evict(&row.realm, worker_id);
                    evicted.map_err(|error| error.to_string())?;
                }
            }
        }
        self.faults.set(&switches)
    }

    fn success(&self, mut body: Value) -> Reply {
        if let Some(object) = body.as_object_mut() {
            let now_ms = self.clock.now_ms().to_string();
            object.entry("nowMs").or_insert(Value::String(now_ms));
        }
        json_reply("200 OK", &body)
    }

    fn failure(&self, error: &Error, retry_ms: Option<u64>) -> Reply {
        let mut body = json!({
            "code": error.code().name(),
            "message": error.to_string(),
            "nowMs": self.clock.now_ms().to_string(),
        });
        if let (Some(retry_ms), Some(object)) = (retry_ms, body.as_object_mut()) {
            object.insert("retryMs".to_owned(), retry_ms.into());
        }
        json_reply(status(error.code()), &body)
    }
}

fn json_reply(status: &'static str, body: &Value) -> Reply {
    let headers = vec![
        ("Content-Type", "application/json".to_owned()),
        ("Cache-Control", "no-store".to_owned()),
    ];
    Reply { status, headers, body: body.to_string() }
}

/// As the protocol's table has it: of the codes that stand there alone, else of the code's group.
fn status(code: Code) -> &'static str {
    match code {
        Code::UnknownTag | Code::Unsupported => return "404 Not Found",
        Code::LeaseLost | Code::RealmMismatch => return "409 Conflict",
        Code::TagExhausted => return "410 Gone",
        Code::WorkersExhausted => return UNAVAILABLE,
        _ => {}
    }
    match code.group() {
        CodeGroup::Store => UNAVAILABLE,
        CodeGroup::Internal => "500 Internal Server Error",
        CodeGroup::Layout
        | CodeGroup::Stall
        | CodeGroup::Closed
        | CodeGroup::Text
        | CodeGroup::Segment
        | CodeGroup::Worker
        | CodeGroup::Url
        | CodeGroup::Parameter => "400 Bad Request",
    }
}

fn preflight(request: &Request) -> Reply {
    let headers = vec![
        ("Access-Control-Allow-Methods", "POST".to_owned()),
        (
            "Access-Control-Allow-Headers",
            request.wanted_headers.clone().unwrap_or_else(|| "content-type".to_owned()),
        ),
        ("Access-Control-Max-Age", "600".to_owned()),
    ];
    with_origin(Reply { status: "204 No Content", headers, body: String::new() }, request)
}

fn with_origin(mut reply: Reply, request: &Request) -> Reply {
    if let Some(origin) = &request.origin {
        reply.headers.push(("Access-Control-Allow-Origin", origin.clone()));
        reply.headers.push(("Vary", "Origin".to_owned()));
    }
    reply
}

fn row(lease: &Lease) -> Value {
    json!({
        "workerId": lease.worker_id,
        "epoch": lease.epoch.to_string(),
        "floorMs": lease.floor_ms.to_string(),
        "reservedMs": lease.reserved_ms.to_string(),
        "nowMs": lease.now_ms.to_string(),
    })
}

fn held(body: &Value) -> Result<Lease> {
    let time = |key| text(body, key)?.parse().map_err(|_| invalid(key, "Unix milliseconds"));
    let (realm, owner) = (text(body, "realm")?, text(body, "owner")?);
    let mut lease = Lease::new(&realm, number(body, "workerId")?, &owner, token(body, "token")?);
    lease.epoch = wide(body, "epoch")?;
    lease.floor_ms = time("floorMs")?;
    lease.reserved_ms = time("reservedMs")?;
    Ok(lease)
}

fn attempt(token: Token) -> Call {
    Call::new(Duration::from_secs(60), token)
}

fn refused() -> Error {
    Error::new(Code::StoreUnavailable, "the store is unavailable on request")
}

fn invalid(what: &str, why: &str) -> Error {
    Error::new(Code::InvalidParameter, format!("{what}: {why}"))
}

fn text(body: &Value, key: &str) -> Result<String> {
    let text = body.get(key).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| invalid(key, "a string is needed"))
}

fn number(body: &Value, key: &str) -> Result<u32> {
    let number = body.get(key).and_then(Value::as_u64).and_then(|wide| wide.try_into().ok());
    number.ok_or_else(|| invalid(key, "a number of 32 bits is needed"))
}

fn wide(body: &Value, key: &str) -> Result<u64> {
    text(body, key)?.parse().map_err(|_| invalid(key, "decimal digits are needed"))
}

fn token(body: &Value, key: &str) -> Result<Token> {
    let digits = text(body, key)?;
    let number = u128::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 32);
    number.map(u128::to_be_bytes).ok_or_else(|| invalid(key, "32 hexadecimal digits are needed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The protocol's sentence "and the other codes of stores" holds for those to come as well.
    #[test]
    fn what_a_store_says_is_no_fault_of_the_request() {
        for code in Code::ALL.iter().filter(|code| code.group() == CodeGroup::Store) {
            assert_eq!(status(*code), UNAVAILABLE, "{code}");
        }
        for code in [Code::InvalidParameter, Code::InvalidTag, Code::InvalidStep] {
            assert_eq!(status(code), "400 Bad Request", "{code}");
        }
        assert_eq!(status(Code::WorkersExhausted), UNAVAILABLE);
        assert_eq!(status(Code::Internal), "500 Internal Server Error");
    }
}
