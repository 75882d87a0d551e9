//! Health of the service: `/v1/sources`, `/healthz`, `/readyz`.

use hyper::StatusCode;
use serde_json::{Map, Value, json};

use super::answer::{Answer, TEXT, answer, json};
use crate::phase::Phase;
use crate::service::RequestContext;
use crate::sources::Health;
use crate::state::FailureState;
use crate::stats;
use crate::tokens::Grant;
use crate::turns::TurnHolder;

/// Answers that the event loop runs.
pub(crate) fn health() -> Answer {
    answer(StatusCode::OK, TEXT, "ok\n")
}

/// Lists every source that the client may ask for, with its state.
pub(crate) fn sources(context: &RequestContext, grant: &Grant) -> Answer {
    let setup = context.setup();
    let sources = &setup.sources;
    let own = sources.healths().filter(|(named, _)| grant.has(&named.name));
    let all = own.map(|(named, health)| {
        let mut object = json!({
            "name": named.name,
            "required": sources.requires(named),
            "ready": health.is_ready,
            "issued": named.issued.count().to_string(),
        });
        if let Some(object) = object.as_object_mut() {
            if let Some(layout) = named.source().ok().and_then(|source| source.layout()) {
                object.insert("layout".to_owned(), layout.fields_text().to_string().into());
            }
            if let Some(mut stats) = health.stats.clone() {
                // A source that lasts without a store has no runway to show.
                stats.runway_ms = stats.runway_ms.filter(|_| health.runway_ms != Some(u64::MAX));
                object.insert("stats".to_owned(), stats::object(&stats));
            }
            if let Some(turn) = named.turn() {
                let owner = match &*turn.holder() {
                    TurnHolder::ThisServer { .. } => {
                        Value::from(setup.config.ordered.address.as_str())
                    }
                    TurnHolder::OtherServer(owner) => owner.address().into(),
                    TurnHolder::Unknown { .. } => Value::Null,
                };
                object.insert("owner".to_owned(), owner);
            }
            put_why(object, &health);
        }
        object
    });
    let all: Vec<Value> = all.collect();
    json(StatusCode::OK, &json!({ "sources": all }))
}

/// Answers whether this server should receive requests: it serves, and every required source is
/// ready.
pub(crate) fn readiness(context: &RequestContext) -> Answer {
    let setup = context.setup();
    let sources = &setup.sources;
    let phase = context.service.phases.present();
    let mut is_ready = phase == Phase::Serving;
    let mut bodies = Map::new();
    for (named, health) in sources.healths().filter(|(named, _)| sources.requires(named)) {
        is_ready &= health.is_ready;
        if phase == Phase::Serving {
            health.mend(named);
        }
        let mut object = Map::new();
        object.insert("ready".to_owned(), health.is_ready.into());
        if let Some(runway_ms) = health.runway_ms.filter(|runway_ms| *runway_ms < u64::MAX) {
            object.insert("runway_ms".to_owned(), runway_ms.into());
        }
        put_why(&mut object, &health);
        bodies.insert(named.name.clone(), object.into());
    }
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let mut body = json!({ "ready": is_ready });
    if let Some(body) = body.as_object_mut() {
        if phase > Phase::Serving {
            let drain_ms = setup.config.timeouts.drain_ms;
            body.insert("stopping_within_ms".to_owned(), drain_ms.into());
        }
        if let Some(failure) = context.service.leases.failure() {
            body.insert("leases".to_owned(), of_leases(failure));
        }
        body.insert("sources".to_owned(), bodies.into());
    }
    json(status, &body)
}

/// Reports whether the store of leases answered last. It does not affect readiness, because the
/// other servers use the same store.
fn of_leases(failure: Option<FailureState>) -> Value {
    match failure.filter(|failure| !failure.over) {
        None => json!({ "up": true }),
        Some(failure) => json!({ "up": false, "why": failure.message }),
    }
}

fn put_why(object: &mut Map<String, Value>, health: &Health) {
    if let Some(why) = &health.why {
        object.insert("why".to_owned(), why.as_str().into());
    }
}
