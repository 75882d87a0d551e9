//! `/v1/decode/{id}`: the fields of an ID, or of the IDs of a text.

use hyper::StatusCode;
use serde_json::json;
use snowmint::TextForm;

use super::answer::{Answer, json};
use super::problem::Problem;
use super::query::{decoded, parameters};
use crate::decoding::{NamedLayout, Reading, TimeBase, parse, readings};
use crate::moment::now_ms;

/// Decodes each ID in the layout that the query names, or in every plausible one.
pub(crate) fn decode(id: &str, query: Option<&str>) -> Result<Answer, Problem> {
    let [layout, epoch_ms, tick_ms, format, beside] =
        parameters(query, ["layout", "epoch_ms", "tick_ms", "format", "beside"])?;
    let base = TimeBase {
        epoch_ms: epoch_ms.map(|text| whole("epoch_ms", &text)).transpose()?,
        tick_ms: tick_ms.map(|text| whole("tick_ms", &text)).transpose()?,
    };
    let layout = NamedLayout::parse_if_named(layout.as_deref(), base)?;
    let form = format.map(|name| {
        let unknown = || Problem::parameter(format!("no text form is called {name:?}"));
        TextForm::from_name(&name).ok_or_else(unknown)
    });
    let (now_ms, beside) = (now_ms(), beside.unwrap_or_default());
    let parsed = parse(&decoded(id)?, form.transpose()?, now_ms, &beside, "?format=")?;
    let beside = format!("{beside} {}", parsed.beside);
    let (mut found, mut none_likely, mut failed) = (Vec::new(), None, None);
    for id in &parsed.ids {
        match readings(id, layout.as_ref(), now_ms, &beside, "?layout=NAME") {
            Ok(readings) => {
                found.extend(readings.list.iter().map(Reading::json));
                none_likely = readings.none_likely;
            }
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    // Small numbers in a link may be no IDs.
    if let (true, Some(error)) = (found.is_empty(), failed) {
        return Err(error.into());
    }
    let mut body = json!({ "readings": found });
    if let (Some(why), [_]) = (none_likely, &*parsed.ids) {
        body["none_likely"] = why.into();
    }
    if let Some(note) = parsed.note {
        body["note"] = note.into();
    }
    Ok(json(StatusCode::OK, &body))
}

fn whole<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, Problem> {
    let wrong = |_| Problem::parameter(format!("{name}={text:?} is not a whole number"));
    text.parse().map_err(wrong)
}
