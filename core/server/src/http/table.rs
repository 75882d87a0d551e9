//! The table of paths and methods. The router uses it, and a test compares `/v1/openapi.json` with
//! it.

use hyper::Method;

use super::fronts::{cosid, leaf, tinyid};
use super::problem::Problem;
use super::protocol;
use super::public_ids;
use super::stores::{Change, Listed};
use crate::config::Config;

/// A path with its methods.
#[derive(Debug)]
pub(super) struct Route<E> {
    /// The path. A name in braces is a parameter: one part between slashes, or with `+` before the
    /// name any number of parts.
    template: &'static str,
    pub(super) methods: Methods,
    pub(super) endpoint: E,
}

/// The methods of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Methods {
    Reads,
    Posts,
    Patches,
    /// Not `HEAD`, which would mint as well.
    Gets,
    /// By `POST`, and by `GET` only if configured.
    Mints,
    /// By `GET` or `POST`, as the replaced servers accept.
    Either,
}

/// The endpoint of a client's path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Endpoint {
    Ids,
    Sequence,
    Decode,
    Sources,
    OpenApi,
    Health,
    Readiness,
    Protocol(protocol::Operation),
    PublicIds(public_ids::Operation),
    Leaf(leaf::Operation),
    TinyId(tinyid::Operation),
    CosId(cosid::Operation),
}

/// The endpoint of an operator's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Metrics,
    Health,
    Readiness,
    Sources,
    OpenApi,
    State,
    Events,
    Config,
    Reload,
    Listed(Listed),
    Change(Change),
    Decode,
    Page,
    WithoutSlash,
}

/// The values of the parameters, still percent-encoded; empty if the path has fewer.
pub(super) type Parameters<'a> = [&'a str; 2];

const fn route<E: Copy>(template: &'static str, methods: Methods, endpoint: E) -> Route<E> {
    Route { template, methods, endpoint }
}

/// The paths for clients. The most frequent ones come first.
pub(super) static ROUTES: &[Route<Endpoint>] = {
    use Endpoint::{CosId, Leaf, Protocol, PublicIds, TinyId};
    use Methods::{Either, Gets, Mints, Patches, Posts, Reads};
    &[
        route("/v1/ids/{source}", Mints, Endpoint::Ids),
        route("/v1/sequences/{source}/{key}", Mints, Endpoint::Sequence),
        route("/v1/decode/{id}", Reads, Endpoint::Decode),
        route("/v1/public-ids/{type}/encode", Posts, PublicIds(public_ids::Operation::Encode)),
        route("/v1/public-ids/{type}/decode", Posts, PublicIds(public_ids::Operation::Decode)),
        route("/v1/sources", Reads, Endpoint::Sources),
        route("/v1/openapi.json", Reads, Endpoint::OpenApi),
        route("/v1/key-space", Posts, Protocol(protocol::Operation::KeySpace)),
        route("/v1/workers/acquire", Posts, Protocol(protocol::Operation::Acquire)),
        route("/v1/workers/renew", Posts, Protocol(protocol::Operation::Renew)),
        route("/v1/workers/release", Posts, Protocol(protocol::Operation::Release)),
        route("/v1/segments/{+tag}/allocate", Posts, Protocol(protocol::Operation::Allocate)),
        route("/api/segment/get/{key}", Either, Leaf(leaf::Operation::Segment)),
        route("/api/snowflake/get/{key}", Either, Leaf(leaf::Operation::Snowflake)),
        route("/decodeSnowflakeId", Either, Leaf(leaf::Operation::Decode)),
        route("/tinyid/id/nextId", Either, TinyId(tinyid::Operation::Ids)),
        route("/tinyid/id/nextIdSimple", Either, TinyId(tinyid::Operation::IdsSimple)),
        route("/tinyid/id/nextSegmentId", Either, TinyId(tinyid::Operation::Segment)),
        route("/tinyid/id/nextSegmentIdSimple", Either, TinyId(tinyid::Operation::SegmentSimple)),
        route(
            "/segments/distributor/{namespace}/{name}",
            Posts,
            CosId(cosid::Operation::Distributor),
        ),
        route("/segments/{namespace}/{name}", Patches, CosId(cosid::Operation::Segment)),
        route("/ids", Gets, CosId(cosid::Operation::Share)),
        route("/ids/{name}", Gets, CosId(cosid::Operation::Id)),
        route("/healthz", Reads, Endpoint::Health),
        route("/readyz", Reads, Endpoint::Readiness),
    ]
};

/// The paths on operators' addresses.
pub(super) static OPERATORS: &[Route<Operation>] = {
    use Methods::{Gets, Posts, Reads};
    &[
        route("/", Reads, Operation::Page),
        route("/page.css", Reads, Operation::Page),
        route("/page.js", Reads, Operation::Page),
        route("/explorer", Reads, Operation::WithoutSlash),
        route("/explorer/", Reads, Operation::Page),
        route("/explorer/{file}", Reads, Operation::Page),
        route("/metrics", Reads, Operation::Metrics),
        route("/healthz", Reads, Operation::Health),
        route("/readyz", Reads, Operation::Readiness),
        route("/v1/sources", Reads, Operation::Sources),
        route("/v1/openapi.json", Reads, Operation::OpenApi),
        route("/admin/state", Reads, Operation::State),
        route("/admin/events", Gets, Operation::Events),
        route("/admin/config", Reads, Operation::Config),
        route("/admin/reload", Posts, Operation::Reload),
        route("/admin/tags", Reads, Operation::Listed(Listed::Tags)),
        route("/admin/tags/create", Posts, Operation::Change(Change::Create)),
        route("/admin/tags/change", Posts, Operation::Change(Change::Set)),
        route("/admin/tags/raise", Posts, Operation::Change(Change::Raise)),
        route("/admin/workers", Reads, Operation::Listed(Listed::Workers)),
        route("/admin/workers/evict", Posts, Operation::Change(Change::Evict)),
        route("/v1/decode/{id}", Reads, Operation::Decode),
    ]
};

/// Returns the route of a path, and the values of its parameters.
pub(super) fn find<'a, E>(
    routes: &'static [Route<E>],
    path: &'a str,
) -> Option<(&'static Route<E>, Parameters<'a>)> {
    routes.iter().find_map(|route| Some((route, route.parameters(path)?)))
}

impl<E> Route<E> {
    /// Returns the parameters of a path if it matches this route.
    fn parameters<'a>(&self, path: &'a str) -> Option<Parameters<'a>> {
        let (mut template, mut path) = (self.template, path);
        let mut parameters = [""; 2];
        for parameter in &mut parameters {
            let Some((before, name, after)) = parameter_of(template) else { break };
            path = path.strip_prefix(before)?;
            let end = match name.strip_prefix('+') {
                Some(_) => path.strip_suffix(after)?.len(),
                None => path.find('/').unwrap_or(path.len()),
            };
            (*parameter, path) =
                path.split_at_checked(end).filter(|(value, _)| !value.is_empty())?;
            template = after;
        }
        (path == template).then_some(parameters)
    }

    /// Returns the path as the OpenAPI document writes it.
    pub(super) fn documented(&self) -> String {
        self.template.replace("{+", "{")
    }
}

/// Splits a template at its first parameter: the text before, the name, the text after.
fn parameter_of(template: &'static str) -> Option<(&'static str, &'static str, &'static str)> {
    let (before, rest) = template.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

impl Methods {
    /// Returns true if a request may mint or change something.
    pub(super) fn mint(self) -> bool {
        !matches!(self, Methods::Reads)
    }

    /// Returns the value of `Allow`; `gets` adds `GET` to minting paths.
    pub(super) const fn allow(self, gets: bool) -> &'static str {
        match self {
            Methods::Reads => "GET, HEAD",
            Methods::Posts => "POST",
            Methods::Patches => "PATCH",
            Methods::Gets => "GET",
            Methods::Mints if gets => "POST, GET",
            Methods::Mints => "POST",
            Methods::Either => "GET, POST",
        }
    }

    /// Checks the method of a request.
    ///
    /// # Errors
    /// A method that the path does not have.
    pub(super) fn check(self, method: &Method, gets: bool) -> Result<(), Problem> {
        let allow = self.allow(gets);
        let is_one = allow.split(", ").any(|one| one == method.as_str());
        if is_one { Ok(()) } else { Err(Problem::method(allow)) }
    }
}

impl Endpoint {
    /// Returns true if the configuration enables it.
    pub(super) fn is_served(self, config: &Config) -> bool {
        match self {
            Endpoint::PublicIds(_) => !config.public_ids.keys.is_empty(),
            Endpoint::Leaf(_) => config.fronts.leaf,
            Endpoint::TinyId(_) => config.fronts.tinyid,
            Endpoint::CosId(_) => config.fronts.cosid,
            _ => true,
        }
    }

    /// Returns true if it reads the request's body.
    pub(super) fn reads_body(self) -> bool {
        matches!(self, Endpoint::Protocol(_) | Endpoint::PublicIds(_) | Endpoint::TinyId(_))
    }

    /// Returns true if it works before the sources are open.
    pub(super) fn is_there_from_the_start(self) -> bool {
        use Endpoint::{Decode, Health, OpenApi, Readiness};
        matches!(self, Decode | Health | OpenApi | Readiness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str) -> Option<(String, Parameters<'_>)> {
        find(ROUTES, path).map(|(route, parameters)| (route.documented(), parameters))
    }

    fn found<'a>(template: &str, parameters: Parameters<'a>) -> Option<(String, Parameters<'a>)> {
        Some((template.to_owned(), parameters))
    }

    #[test]
    fn a_parameter_is_what_stands_between_slashes() {
        assert_eq!(of("/v1/ids/orders"), found("/v1/ids/{source}", ["orders", ""]));
        let template = "/v1/sequences/{source}/{key}";
        assert_eq!(of("/v1/sequences/chat/42"), found(template, ["chat", "42"]));
        assert_eq!(of("/readyz"), found("/readyz", ["", ""]));
        let template = "/v1/segments/{tag}/allocate";
        assert_eq!(of("/v1/segments/a/allocate"), found(template, ["a", ""]));
        assert_eq!(of("/v1/segments/shop/orders/allocate"), found(template, ["shop/orders", ""]));
        let template = "/segments/distributor/{namespace}/{name}";
        assert_eq!(of("/segments/distributor/shop/orders"), found(template, ["shop", "orders"]));
        let template = "/segments/{namespace}/{name}";
        assert_eq!(of("/segments/shop/orders"), found(template, ["shop", "orders"]));
        assert_eq!(of("/api/segment/get/orders"), found("/api/segment/get/{key}", ["orders", ""]));
    }

    #[test]
    fn other_paths_are_of_no_route() {
        for path in [
            "",
            "/",
            "/v1/ids",
            "/v1/ids/",
            "/v1/ids/a/b",
            "/v1/sequences/chat",
            "/v1/sequences/chat/",
            "/v1/sequences//42",
            "/v1/workers",
            "/v1/workers/evict",
            "/v1/segments/allocate",
            "/v1/segments//allocate",
            "/api/segment/get/a/b",
            "/api/get/a",
            "/id/nextId",
            "/tinyid/id/",
            "/tinyid/id/nextid",
            "/readyz/",
            "/ids/a/b",
            "/ids/",
            "/segments/shop",
            "/segments/a/b/c",
            "/machines/shop",
        ] {
            assert_eq!(of(path), None, "{path}");
        }
    }

    #[test]
    fn methods_are_checked_by_their_list() {
        for (methods, gets, has) in [
            (Methods::Mints, false, [false, true, false]),
            (Methods::Mints, true, [true, true, false]),
            (Methods::Reads, false, [true, false, true]),
            (Methods::Posts, true, [false, true, false]),
            (Methods::Patches, true, [false, false, false]),
            (Methods::Gets, true, [true, false, false]),
            (Methods::Either, false, [true, true, false]),
        ] {
            let asked = [Method::GET, Method::POST, Method::HEAD];
            assert_eq!(asked.map(|method| methods.check(&method, gets).is_ok()), has);
        }
    }
}
