//! Routes requests to their endpoints.

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use snowmint::Code;

use super::answer::Answer;
use super::fronts::{cosid, leaf, tinyid};
use super::problem::Problem;
use super::table::{Endpoint, ROUTES, find};
use super::{authority, body, decode, host, ids, openapi, origin, protocol, public_ids, state};
use crate::quotas::Client;
use crate::service::RequestContext;

pub(crate) async fn answer(
    context: &RequestContext,
    client: Client,
    request: &mut Request<Incoming>,
) -> Answer {
    if let Err(problem) = host::called(request) {
        return problem.answer(context);
    }
    let (origin, is_foreign) = {
        let origins = &context.setup().config.http.origins;
        let headers = request.headers();
        (origin::allowed(headers, origins), origin::is_foreign(headers, origins))
    };
    let mut answer = if origin::is_preflight(request) {
        origin::preflight()
    } else if origin::is_of_server(request) {
        origin::of_server()
    } else {
        let routed = routed(context, client, is_foreign, request).await;
        routed.unwrap_or_else(|problem| problem.answer(context))
    };
    origin::reveal(&mut answer, origin);
    answer
}

async fn routed(
    context: &RequestContext,
    client: Client,
    is_foreign: bool,
    request: &mut Request<Incoming>,
) -> Result<Answer, Problem> {
    if body::has_more(request) {
        Box::pin(check_body(context, request)).await?;
    }
    // Waits before anything else of the request is held, because every connection would reserve
    // room for it.
    if !context.service.phases.has_started() && waits_for_the_start(request.uri().path()) {
        context.service.phases.started().await;
    }
    let (path, query) = (request.uri().path(), request.uri().query());
    let (route, allowed, parameters) = {
        let config = &context.setup().config;
        let found = find(ROUTES, path).filter(|(route, _)| route.endpoint.is_served(config));
        let (route, parameters) = found.ok_or_else(|| Problem::nothing_at(path))?;
        (route, route.methods.check(request.method(), config.http.get), parameters)
    };
    // Browsers send a page's request even if the page may not read the answer.
    if is_foreign && route.methods.mint() {
        let detail = "a page of this origin may not ask here: name it in http.origins";
        return Err(Problem::new(StatusCode::FORBIDDEN, Code::StoreDenied, detail));
    }
    let [first, second] = parameters;
    match (route.endpoint, allowed) {
        (Endpoint::Protocol(asked), allowed) => {
            let tag = first.to_owned();
            // Boxed, because it is rare and every connection reserves room for its largest future.
            Ok(Box::pin(protocol::answer(context, client, (asked, &tag), allowed, request)).await)
        }
        (_, Err(problem)) => Err(problem),
        (Endpoint::Ids, _) => {
            let grant = authority::grant(context, client, request)?;
            ids::mint(context, &grant, first, request).await.map_err(|problem| problem.of(first))
        }
        (Endpoint::Sequence, _) => {
            let grant = authority::grant(context, client, request)?;
            let minted = ids::of_key(context, &grant, first, second, request).await;
            minted.map_err(|problem| problem.of(first))
        }
        (Endpoint::PublicIds(asked), _) => {
            let kind = first.to_owned();
            public_ids::answer(context, client, asked, &kind, request).await
        }
        (Endpoint::Decode, _) => decode::decode(first, query),
        (Endpoint::Sources, _) => {
            let grant = authority::grant(context, client, request)?;
            grant.check_reads()?;
            Ok(state::sources(context, &grant))
        }
        (Endpoint::OpenApi, _) => Ok(openapi::of_clients(context)),
        (Endpoint::Health, _) => Ok(state::health()),
        (Endpoint::Readiness, _) => Ok(state::readiness(context)),
        (Endpoint::Leaf(asked), _) => leaf::answer(context, client, asked, first, request).await,
        (Endpoint::TinyId(asked), _) => Ok(tinyid::answer(context, client, asked, request).await),
        (Endpoint::CosId(asked), _) => {
            cosid::answer(context, client, asked, parameters, request).await
        }
    }
}

/// Drops a body that no endpoint reads. A body sent to a minting path is refused unless it is
/// empty, because its wishes would be ignored.
async fn check_body(
    context: &RequestContext,
    request: &mut Request<Incoming>,
) -> Result<(), Problem> {
    let found = find(ROUTES, request.uri().path());
    let found = found.map(|(route, [name, _])| (route.endpoint, name.to_owned()));
    if found.as_ref().is_some_and(|(endpoint, _)| endpoint.reads_body()) {
        return Ok(());
    }
    let length = body::skip(context, request).await?;
    let (name, instead) = match found {
        Some((Endpoint::Ids, name)) if length > 0 => (name, "write ?count=3 behind the path"),
        Some((Endpoint::Sequence, name)) if length > 0 => (name, "the key stands in the path"),
        _ => return Ok(()),
    };
    Err(Problem::parameter(format!("a body is not read here: {instead}")).of(&name))
}

fn waits_for_the_start(path: &str) -> bool {
    find(ROUTES, path).is_some_and(|(route, _)| !route.endpoint.is_there_from_the_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_takes_little_room() {
        fn room<'a, F>(_: fn(&'a RequestContext, Client, &'a mut Request<Incoming>) -> F) -> usize {
            size_of::<F>()
        }
        // Every connection reserves this much. Large and rare futures, such as a request to another
        // server, are boxed while they last.
        assert!(room(answer) <= 3_072, "{}", room(answer));
    }
}
