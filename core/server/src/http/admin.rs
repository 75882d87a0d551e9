//! The operators' addresses: `/metrics`, the paths below `/admin`, and the health checks.

use std::net::IpAddr;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{HeaderMap, ORIGIN};
use hyper::{Request, StatusCode};
use serde_json::json;
use snowmint::{Code, Error};
use tokio::task::spawn_blocking;

use super::answer::{Answer, answer as answered, json as json_answer};
use super::problem::Problem;
use super::table::{OPERATORS, Operation, find};
use super::{body, decode, events, host, metrics, openapi, page, state, stores};
use crate::errors;
use crate::quotas::Client;
use crate::reload::reload;
use crate::service::RequestContext;

const TOML: &str = "application/toml";

pub(crate) async fn answer(context: &RequestContext, request: &mut Request<Incoming>) -> Answer {
    routed(context, request).await.unwrap_or_else(|problem| problem.answer(context))
}

async fn routed(
    context: &RequestContext,
    request: &mut Request<Incoming>,
) -> Result<Answer, Problem> {
    let host = host::called(request)?;
    check_asker(host, request.headers(), &context.setup().config.admin.hosts)?;
    if body::has_more(request) && !is_body_read(request.uri().path()) {
        Box::pin(body::skip(context, request)).await?;
    }
    let path = request.uri().path();
    let (route, [parameter, _]) = find(OPERATORS, path).ok_or_else(|| Problem::nothing_at(path))?;
    route.methods.check(request.method(), false)?;
    if matches!(route.endpoint, Operation::Reload | Operation::Listed(_) | Operation::Change(_)) {
        check_started(context)?;
    }
    match route.endpoint {
        Operation::Metrics => Ok(metrics::metrics(context)),
        Operation::Health => Ok(state::health()),
        Operation::Readiness => Ok(state::readiness(context)),
        Operation::Sources => {
            let grant = context.setup().tokens.everything(Client::new(None));
            Ok(state::sources(context, &grant))
        }
        Operation::OpenApi => Ok(openapi::of_operators()),
        Operation::State => Ok(events::document(context).await?),
        Operation::Events => Ok(events::follow(context).await?),
        Operation::Config => {
            let text = context.setup().config.print()?;
            Ok(answered(StatusCode::OK, TOML, text))
        }
        Operation::Reload => {
            reloaded(context).await.map_err(not_reloaded)?;
            Ok(json_answer(StatusCode::OK, &json!({ "reloaded": true })))
        }
        Operation::Listed(listed) => stores::list(context, listed, request.uri().query()).await,
        Operation::Change(change) => {
            check_changes(context)?;
            stores::change(context, change, request).await
        }
        Operation::Decode => decode::decode(parameter, request.uri().query()),
        Operation::Page => page::file(path, request.headers()),
        Operation::WithoutSlash => Ok(page::moved()),
    }
}

fn is_body_read(path: &str) -> bool {
    find(OPERATORS, path).is_some_and(|(route, _)| matches!(route.endpoint, Operation::Change(_)))
}

/// Refuses changes while the sources are being opened.
fn check_started(context: &RequestContext) -> Result<(), Problem> {
    if context.service.phases.has_started() {
        return Ok(());
    }
    Err(errors::http::service_starting().into())
}

fn check_changes(context: &RequestContext) -> Result<(), Problem> {
    if context.setup().config.admin.takes_changes() {
        return Ok(());
    }
    let detail = "these addresses are not of this machine alone, and ask for no token: use the command \
                  line, or set admin.changes = true";
    Err(Problem::new(StatusCode::FORBIDDEN, Code::StoreDenied, detail))
}

async fn reloaded(context: &RequestContext) -> snowmint::Result<()> {
    let service = Arc::clone(&context.service);
    spawn_blocking(move || reload(&service))
        .await
        .unwrap_or_else(|error| Err(errors::http::work_unfinished(error)))
}

/// Answers an unsafe setting with 400, because the operator who asked has to change it.
fn not_reloaded(why: Error) -> Problem {
    let is_unsafe = why.code() == Code::UnsafeSetting;
    let problem = Problem::from(why);
    if is_unsafe { problem.with_status(StatusCode::BAD_REQUEST) } else { problem }
}

/// A web page can point a name of its own at this machine (DNS rebinding), or send a form to it. So
/// `Host` must be an IP address or a name that the operator listed, and `Origin`, if any, must be
/// the same host.
fn check_asker(host: &str, headers: &HeaderMap, hosts: &[String]) -> Result<(), Problem> {
    if !is_known(host, hosts) {
        let detail = format!("Host is {host:?}: use an IP address, or add the name to admin.hosts");
        return Err(Problem::new(StatusCode::FORBIDDEN, Code::StoreDenied, detail));
    }
    let of_page = headers.get(ORIGIN).map(|value| value.to_str().unwrap_or_default());
    let is_own = |origin: &str| origin.split_once("://").is_some_and(|(_, it)| it == host);
    match of_page {
        Some(origin) if !is_own(origin) => {
            let detail = format!("a page of {origin:?} may not ask operators' addresses");
            Err(Problem::new(StatusCode::FORBIDDEN, Code::StoreDenied, detail))
        }
        _ => Ok(()),
    }
}

/// A stranger can point a name at this machine, but not an IP address.
fn is_known(host: &str, hosts: &[String]) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_named = |it: &String| it.eq_ignore_ascii_case(name);
    address.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || hosts.iter().any(is_named)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn asked(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        check_asker(host, &headers, &["ids.internal".to_owned()]).is_ok()
    }

    #[test]
    fn only_who_calls_it_by_its_own_name_may_ask() {
        for host in
            ["127.0.0.1:8065", "[::1]:8065", "[::1]", "localhost", "LOCALHOST:1", "10.0.0.7"]
        {
            assert!(asked(host, None), "{host}");
        }
        assert!(asked("ids.internal:8065", None) && asked("ids.internal", None));
        for host in [
            "evil.example:8065",
            "evil.example",
            "",
            "ids.internal.evil.example",
            "127.0.0.1.nip.io",
            "127.0.0.1@evil.example",
        ] {
            assert!(!asked(host, None), "{host}");
        }
    }

    #[test]
    fn only_its_own_page_may_ask() {
        assert!(asked("127.0.0.1:8065", Some("http://127.0.0.1:8065")));
        for origin in ["http://evil.example", "null", "http://127.0.0.1:80", "127.0.0.1:8065"] {
            assert!(!asked("127.0.0.1:8065", Some(origin)), "{origin}");
        }
    }
}
