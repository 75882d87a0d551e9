//! `/v1/ids/{source}`: IDs, or ranges of numbers. `/v1/sequences/{source}/{key}`: a key's next
//! number.

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use snowmint::engine::Error as EngineError;
use snowmint::{Error, NumberRange, Source, TextForm, Uuid};

use super::accept::{Form, form};
use super::answer::{Answer, BINARY, JSON, TEXT, answer};
use super::problem::Problem;
use super::query::{decoded, parameters};
use crate::counters::NO_NUMBER;
use crate::errors;
use crate::minting;
use crate::service::RequestContext;
use crate::sources::{NamedSource, days};
use crate::tokens::Grant;
use crate::turns::{Asker, SENT_ON};

/// Mints as many IDs as the query asks for.
pub(crate) async fn mint(
    context: &RequestContext,
    grant: &Grant,
    name: &str,
    request: &Request<Incoming>,
) -> Result<Answer, Problem> {
    let form = form(request.headers())?;
    let [count, shape] = parameters(request.uri().query(), ["count", "form"])?;
    let name = decoded(name)?;
    let setup = context.setup();
    grant.check_source(setup.sources.name_of(&name))?;
    let (mut named, date) = setup.sources.meant(&name)?;
    let count = count.as_deref().map_or(Ok(1), number)?;
    let day;
    if let Some(date) = date {
        day = days::day(named, date).await?;
        named = &day;
    }
    let asker = asker(named, request)?;
    let unmetered;
    let grant = match asker {
        Asker::Client => grant,
        // The other server has already counted its client.
        Asker::Server => {
            unmetered = grant.without_rate_of_address();
            &unmetered
        }
    };
    match shape.as_deref() {
        None | Some("list") => list(context, grant, named, count, form, asker).await,
        Some("ranges") => ranges(context, grant, named, count, form, asker).await,
        Some("block") => block(context, grant, named, count, form, asker).await,
        Some(other) => {
            let detail = format!("form={other:?} is not possible: use list, ranges or block");
            Err(Problem::parameter(detail))
        }
    }
}

/// Returns whether a client or another server asks. A server must name this owner of the turn,
/// because another service may have the address by now.
fn asker(named: &NamedSource, request: &Request<Incoming>) -> Result<Asker, Error> {
    match request.headers().get(SENT_ON) {
        None => Ok(Asker::Client),
        Some(meant) if named.turn().is_some_and(|turn| turn.is_of(meant.as_bytes())) => {
            Ok(Asker::Server)
        }
        Some(_) => Err(errors::http::turn_of_another_server()),
    }
}

/// Mints the next number of a key.
pub(crate) async fn of_key(
    context: &RequestContext,
    grant: &Grant,
    name: &str,
    key: &str,
    request: &Request<Incoming>,
) -> Result<Answer, Problem> {
    let form = form(request.headers())?;
    let [] = parameters(request.uri().query(), [])?;
    let name = decoded(name)?;
    grant.check_source(&name)?;
    let setup = context.setup();
    let named = setup.sources.named(&name)?;
    let key = minting::key(&decoded(key)?)?;
    let number =
        grant.counted(context.quotas(), 1, || minting::of_key(context, named, key)).await??;
    Ok(written(&[number], form))
}

/// Parses a count: digits alone.
fn number(text: &str) -> Result<u64, Problem> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        let detail = format!("count={text:?} is not a whole number from 1 on");
        return Err(Problem::parameter(detail));
    }
    text.parse().map_err(|_| errors::http::count_above_limits().into())
}

/// Checks a count against its limit.
///
/// # Errors
/// [`snowmint::Code::CountOutOfRange`].
pub(super) fn check(count: u64, max: u32) -> Result<(), Error> {
    match count {
        1.. if count <= u64::from(max) => Ok(()),
        _ => Err(EngineError::CountOutOfRange { count, max: max.into() }.into()),
    }
}

async fn list(
    context: &RequestContext,
    grant: &Grant,
    named: &NamedSource,
    count: u64,
    form: Form,
    asker: Asker,
) -> Result<Answer, Problem> {
    check(count, context.setup().config.limits.count)?;
    if let Some(source @ Source::Uuid(_)) = named.opened() {
        grant.take(context.quotas(), count)?;
        let uuids = (0..count).map(|_| source.next_uuid()).collect::<Result<Vec<_>, _>>()?;
        context.minted(named, count, NO_NUMBER);
        return Ok(written_uuids(&uuids, form));
    }
    if count == 1 && asker == Asker::Client {
        let id = grant.counted(context.quotas(), 1, || minting::one(context, named)).await??;
        return Ok(written(&[id], form));
    }
    let minting =
        || minting::many(context, named, usize::try_from(count).unwrap_or(usize::MAX), asker);
    Ok(written(&grant.counted(context.quotas(), count, minting).await??, form))
}

/// The bytes of the longest number in JSON: 20 digits, two quotes and a comma.
const ID_BYTES: usize = 23;

fn written(ids: &[u64], form: Form) -> Answer {
    let text = |body: &mut Vec<u8>, id: &u64| {
        body.extend_from_slice(TextForm::Decimal.format(*id).as_bytes());
    };
    listed(ids, form, text, |body, id| body.extend_from_slice(&id.to_be_bytes()))
}

fn written_uuids(uuids: &[Uuid], form: Form) -> Answer {
    let text = |body: &mut Vec<u8>, uuid: &Uuid| {
        body.extend_from_slice(uuid.to_string().as_bytes());
    };
    listed(uuids, form, text, |body, uuid| body.extend_from_slice(uuid.as_bytes()))
}

/// Writes IDs in a form, each by its text or its bytes.
fn listed<T>(
    ids: &[T],
    form: Form,
    text: impl Fn(&mut Vec<u8>, &T),
    bytes: impl Fn(&mut Vec<u8>, &T),
) -> Answer {
    let mut body = Vec::with_capacity(ids.len() * ID_BYTES + 16);
    let kind = match form {
        Form::Json => {
            body.extend_from_slice(b"{\"ids\":[");
            for (place, id) in ids.iter().enumerate() {
                body.extend_from_slice(if place == 0 { b"\"" } else { b",\"" });
                text(&mut body, id);
                body.push(b'"');
            }
            body.extend_from_slice(b"]}\n");
            JSON
        }
        Form::Text => {
            for id in ids {
                text(&mut body, id);
                body.push(b'\n');
            }
            TEXT
        }
        Form::Binary => {
            ids.iter().for_each(|id| bytes(&mut body, id));
            BINARY
        }
    };
    answer(StatusCode::OK, kind, body)
}

async fn ranges(
    context: &RequestContext,
    grant: &Grant,
    named: &NamedSource,
    count: u64,
    form: Form,
    asker: Asker,
) -> Result<Answer, Problem> {
    check(count, context.setup().config.limits.range_count)?;
    let minting = || minting::ranges(context, named, count, asker);
    Ok(written_ranges(&grant.counted(context.quotas(), count, minting).await??, form))
}

/// Mints one range of consecutive numbers.
async fn block(
    context: &RequestContext,
    grant: &Grant,
    named: &NamedSource,
    count: u64,
    form: Form,
    asker: Asker,
) -> Result<Answer, Problem> {
    check(count, context.setup().config.limits.range_count)?;
    let minting = || minting::block(context, named, count, asker);
    let last = grant.counted(context.quotas(), count, minting).await??;
    Ok(written_ranges(
        &[NumberRange::new(last + 1 - count, last + 1, 1).map_err(Error::from)?],
        form,
    ))
}

fn written_ranges(ranges: &[NumberRange], form: Form) -> Answer {
    let parts = |range: &NumberRange| [range.start(), range.end(), range.stride()];
    let (kind, body) = match form {
        Form::Json => {
            let objects = ranges.iter().map(|range| {
                let [start, end, stride] = parts(range);
                format!(r#"{{"start":"{start}","end":"{end}","stride":"{stride}"}}"#)
            });
            let objects = objects.collect::<Vec<_>>().join(",");
            (JSON, format!("{{\"ranges\":[{objects}]}}\n").into_bytes())
        }
        Form::Text => {
            let lines = ranges.iter().map(|range| {
                let [start, end, stride] = parts(range);
                format!("{start} {end} {stride}\n")
            });
            (TEXT, lines.collect::<String>().into_bytes())
        }
        Form::Binary => {
            let numbers = ranges.iter().flat_map(parts);
            (BINARY, numbers.flat_map(u64::to_be_bytes).collect())
        }
    };
    answer(StatusCode::OK, kind, body)
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use hyper::header::CONTENT_TYPE;
    use snowmint::Code;
    use tokio::runtime::Builder;

    use super::*;

    fn parts(answer: Answer) -> (String, Vec<u8>) {
        let kind = answer.headers()[CONTENT_TYPE].to_str().unwrap().to_owned();
        let runtime = Builder::new_current_thread().build().unwrap();
        let body = runtime.block_on(answer.into_body().collect()).unwrap();
        (kind, body.to_bytes().to_vec())
    }

    #[test]
    fn ids_are_written_in_each_form() {
        let ids = [7, u64::MAX];
        let (kind, body) = parts(written(&ids, Form::Json));
        assert_eq!(kind, "application/json");
        assert_eq!(body, b"{\"ids\":[\"7\",\"18446744073709551615\"]}\n");
        let (_, body) = parts(written(&ids, Form::Text));
        assert_eq!(body, b"7\n18446744073709551615\n");
        let (kind, body) = parts(written(&ids, Form::Binary));
        assert_eq!(kind, "application/octet-stream");
        assert_eq!(body, [[0, 0, 0, 0, 0, 0, 0, 7], [0xff; 8]].concat());
    }

    #[test]
    fn ranges_are_written_in_each_form() {
        let ranges = [NumberRange::new(1, 11, 1).unwrap(), NumberRange::new(21, 31, 5).unwrap()];
        let (_, body) = parts(written_ranges(&ranges, Form::Json));
        let value: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(value["ranges"][1]["start"], "21");
        assert_eq!(value["ranges"][1]["stride"], "5");
        let (_, body) = parts(written_ranges(&ranges, Form::Text));
        assert_eq!(body, b"1 11 1\n21 31 5\n");
        assert_eq!(parts(written_ranges(&ranges, Form::Binary)).1.len(), 48);
    }

    #[test]
    fn a_count_is_a_whole_number_within_its_limit() {
        assert_eq!(number("5").unwrap(), 5);
        assert_eq!(number("100000000000000000000").unwrap_err().code, Code::CountOutOfRange);
        for text in ["", "-1", "1.5", "a", " 1"] {
            assert!(number(text).is_err(), "{text}");
        }
        assert!(check(1, 10).is_ok() && check(10, 10).is_ok());
        for count in [0, 11, u64::MAX] {
            assert_eq!(check(count, 10).unwrap_err().code(), Code::CountOutOfRange);
        }
    }
}
