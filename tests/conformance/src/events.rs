//! `events.json`: the table of what listeners hear of.

use serde::Serialize;
use serde_json::Value;
use snowmint::EventKind;

use crate::render::render;

#[derive(Serialize)]
struct Document {
    events: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    number: u32,
    name: &'static str,
    severity: &'static str,
    summary: &'static str,
}

pub(crate) fn document() -> String {
    let row = |kind: &EventKind| Row {
        number: kind.number(),
        name: kind.name(),
        severity: kind.severity().name(),
        summary: kind.summary(),
    };
    render(&Document { events: EventKind::ALL.iter().map(row).collect() })
}

/// Fails unless every number of the committed `events.json` still has its name in the runtime.
///
/// # Errors
/// Names the change: published numbers and names are frozen, and a retired one stays.
pub fn frozen_events_kept(committed: &str) -> Result<(), String> {
    let document: Value = serde_json::from_str(committed).map_err(|error| error.to_string())?;
    let rows = document["events"].as_array().ok_or("events.json has no list of events")?;
    for row in rows {
        let mut kinds = EventKind::ALL.iter();
        let known = kinds.find(|kind| Some(u64::from(kind.number())) == row["number"].as_u64());
        let known = known.map(|kind| kind.name());
        if known.is_none() || known != row["name"].as_str() {
            return Err(format!("event {row} is frozen; the runtime has {known:?}"));
        }
    }
    Ok(())
}
