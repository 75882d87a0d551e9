//! Which request is for what.

use hyper::body::Incoming;
use hyper::{Method, Request};

use super::answer::Answer;
use super::problem::Problem;
use super::{authority, decode, fronts, ids, origin, protocol, state};
use crate::serve::quotas::Client;
use crate::serve::service::Desk;

/// The answer to a request.
pub(crate) async fn answer(desk: &Desk, client: Client, request: Request<Incoming>) -> Answer {
    let origin = origin::allowed(&request, &desk.setup().config.http.origins);
    let mut answer = if origin::is_preflight(&request) {
        origin::preflight()
    } else if protocol::has(request.uri().path()) {
        protocol::answer(desk, client, request).await
    } else {
        let routed = routed(desk, client, &request).await;
        routed.unwrap_or_else(|problem| problem.answer(desk))
    };
    origin::reveal(&mut answer, origin);
    answer
}

async fn routed(
    desk: &Desk,
    client: Client,
    request: &Request<Incoming>,
) -> Result<Answer, Problem> {
    let path = request.uri().path();
    if let Some(name) = path.strip_prefix("/v1/ids/") {
        let grant = authority::grant(desk, client, request)?;
        check_mints(desk, request.method())?;
        return ids::mint(desk, &grant, name, request).await;
    }
    let of_key = path.strip_prefix("/v1/sequences/").and_then(|rest| rest.rsplit_once('/'));
    if let Some((name, key)) = of_key {
        let grant = authority::grant(desk, client, request)?;
        check_mints(desk, request.method())?;
        return ids::of_key(desk, &grant, name, key, request).await;
    }
    if let Some(answer) = fronts::answer(desk, client, request).await {
        return answer;
    }
    let is_known =
        path.starts_with("/v1/decode/") || matches!(path, "/v1/sources" | "/healthz" | "/readyz");
    if !is_known {
        return Err(Problem::nothing_at(path));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Problem::method("GET, HEAD"));
    }
    match path {
        "/v1/sources" => {
            let grant = authority::grant(desk, client, request)?;
            grant.check_reads()?;
            Ok(state::sources(desk, &grant))
        }
        "/healthz" => Ok(state::health()),
        "/readyz" => Ok(state::readiness(desk)),
        _ => decode::decode(path.trim_start_matches("/v1/decode/"), request.uri().query()),
    }
}

/// Whether a method mints.
fn check_mints(desk: &Desk, method: &Method) -> Result<(), Problem> {
    let gets = desk.setup().config.http.get;
    match *method {
        Method::POST => Ok(()),
        Method::GET if gets => Ok(()),
        _ => Err(Problem::method(if gets { "POST, GET" } else { "POST" })),
    }
}
