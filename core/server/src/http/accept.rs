//! The form in which a client wants its IDs.

use hyper::StatusCode;
use hyper::header::{ACCEPT, HeaderMap};
use snowmint::Code;

use super::problem::Problem;

/// A form of IDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// An object, with IDs as strings.
    Json,
    /// Decimal, one a line.
    Text,
    /// 64 bits each, the most significant byte first.
    Binary,
}

/// The forms, the preferred one first.
const FORMS: [(Form, &str, &str); 3] = [
    (Form::Json, "application", "json"),
    (Form::Text, "text", "plain"),
    (Form::Binary, "application", "octet-stream"),
];

/// Returns the form that a request accepts with the largest weight. At equal weights JSON comes
/// before text, and text before binary.
///
/// # Errors
/// Fails if it accepts none of them.
pub(crate) fn form(headers: &HeaderMap) -> Result<Form, Problem> {
    let values = || headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut alone = values();
    let first = match (headers.contains_key(ACCEPT), alone.next(), alone.next()) {
        (false, ..) => return Ok(Form::Json),
        (true, first, None) => first.and_then(|first| first.split_once('/')),
        _ => None,
    };
    // A shortcut for most clients, which name exactly one form.
    let said = FORMS.iter().find(|(_, kind, subtype)| first == Some((*kind, *subtype)));
    if let Some((form, ..)) = said {
        return Ok(*form);
    }
    let ranges: Vec<_> = values().flat_map(|value| value.split(',')).filter_map(range).collect();
    let weighed = FORMS.iter().map(|(form, kind, subtype)| (*form, weight(&ranges, kind, subtype)));
    let mut best = None;
    for (form, weight) in weighed {
        if weight > best.map_or(0, |(_, most)| most) {
            best = Some((form, weight));
        }
    }
    best.map(|(form, _)| form).ok_or_else(|| {
        let detail = "accept application/json, text/plain or application/octet-stream";
        Problem::new(StatusCode::NOT_ACCEPTABLE, Code::Unsupported, detail)
    })
}

/// A range of media types, and its weight in thousandths.
struct MediaRange<'a> {
    kind: &'a str,
    subtype: &'a str,
    weight: u32,
}

fn range(text: &str) -> Option<MediaRange<'_>> {
    let mut parts = text.split(';').map(str::trim);
    let (kind, subtype) = parts.next()?.split_once('/')?;
    let quality = parts.filter_map(|part| part.split_once('=')).find(|(name, _)| *name == "q");
    let weight = quality.map_or(Some(1.0), |(_, value)| value.parse::<f32>().ok())?;
    // The conversion saturates.
    Some(MediaRange { kind, subtype, weight: (weight.min(1.0) * 1_000.0) as u32 })
}

/// Returns the weight of a media type, from the most specific range that covers it.
fn weight(ranges: &[MediaRange<'_>], kind: &str, subtype: &str) -> u32 {
    let closeness = |range: &&MediaRange<'_>| match (range.kind, range.subtype) {
        ("*", "*") => Some(0),
        (of, "*") if of.eq_ignore_ascii_case(kind) => Some(1),
        (of, own) if of.eq_ignore_ascii_case(kind) && own.eq_ignore_ascii_case(subtype) => Some(2),
        _ => None,
    };
    let fitting = ranges.iter().filter_map(|range| Some((closeness(&range)?, range.weight)));
    fitting.max_by_key(|(closeness, _)| *closeness).map_or(0, |(_, weight)| weight)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn of(value: &str) -> Option<Form> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_str(value).unwrap());
        form(&headers).ok()
    }

    #[test]
    fn the_heaviest_form_is_taken_and_json_where_nothing_is_said() {
        assert_eq!(form(&HeaderMap::new()).ok(), Some(Form::Json));
        for (value, expected) in [
            ("*/*", Some(Form::Json)),
            ("text/plain", Some(Form::Text)),
            ("Text/Plain; charset=utf-8", Some(Form::Text)),
            ("text/*", Some(Form::Text)),
            ("application/octet-stream", Some(Form::Binary)),
            ("application/*", Some(Form::Json)),
            ("application/json;q=0.5, text/plain", Some(Form::Text)),
            ("application/json;q=0, */*", Some(Form::Text)),
            ("text/html, */*;q=0.1", Some(Form::Json)),
            ("text/html", None),
            ("application/json;q=0", None),
            ("nonsense", None),
            ("", None),
        ] {
            assert_eq!(of(value), expected, "{value}");
        }
    }
}
