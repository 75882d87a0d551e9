//! `errors.json`: the table of error codes.

use serde::Serialize;
use serde_json::Value;
use snowmint_engine::Code;

use crate::render::render;

#[derive(Serialize)]
struct Document {
    errors: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    number: u32,
    name: &'static str,
    summary: &'static str,
}

pub(crate) fn document() -> String {
    let row =
        |code: &Code| Row { number: code.number(), name: code.name(), summary: code.summary() };
    render(&Document { errors: Code::ALL.iter().map(row).collect() })
}

/// Fails unless every number of the committed `errors.json` still has its name in the engine.
///
/// # Errors
/// Names the change: published numbers and names are frozen, and a retired one stays.
pub fn frozen_codes_kept(committed: &str) -> Result<(), String> {
    let document: Value = serde_json::from_str(committed).map_err(|error| error.to_string())?;
    let rows = document["errors"].as_array().ok_or("errors.json has no list of errors")?;
    for row in rows {
        let number = row["number"].as_u64().and_then(|number| u32::try_from(number).ok());
        let known = number.and_then(Code::from_number).map(Code::name);
        if known.is_none() || known != row["name"].as_str() {
            return Err(format!("error code {row} is frozen; the engine has {known:?}"));
        }
    }
    Ok(())
}
