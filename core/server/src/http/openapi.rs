//! `/v1/openapi.json`: the paths that this service answers in its configuration.

use hyper::StatusCode;
use serde_json::Value;

use super::answer::{Answer, json};
use super::table::{Endpoint, OPERATORS, ROUTES, Route};
use crate::config::Config;
use crate::service::RequestContext;

/// The document of all paths in any configuration. The version is filled in.
const DOCUMENT: &str = include_str!("../../openapi.json");

/// Returns the document for clients.
pub(super) fn of_clients(context: &RequestContext) -> Answer {
    json(StatusCode::OK, &for_clients(&context.setup().config))
}

/// Returns the document for operators.
pub(super) fn of_operators() -> Answer {
    json(StatusCode::OK, &served(OPERATORS.iter(), false))
}

fn for_clients(config: &Config) -> Value {
    // Without a store of leases the protocol's paths only answer that it is missing, so they are
    // left out.
    let leases = !config.leases.store.is_empty();
    let is_served = |route: &&Route<Endpoint>| {
        route.endpoint.is_served(config)
            && (leases || !matches!(route.endpoint, Endpoint::Protocol(_)))
    };
    served(ROUTES.iter().filter(is_served), config.http.get)
}

/// Returns the document of these routes alone, with minting by `GET` if `gets`.
fn served<'a, E: 'a>(routes: impl Iterator<Item = &'a Route<E>>, gets: bool) -> Value {
    let mut document: Value =
        serde_json::from_str(DOCUMENT).expect("the document was read by its test");
    let routes: Vec<_> = routes.collect();
    if let Some(version) = document.pointer_mut("/info/version") {
        *version = env!("CARGO_PKG_VERSION").into();
    }
    if let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) {
        paths.retain(|path, methods| {
            let route = routes.iter().find(|route| route.documented() == *path);
            let allow = route.map_or("", |route| route.methods.allow(gets));
            if let Some(methods) = methods.as_object_mut() {
                methods.retain(|method, _| allow.contains(&method.to_uppercase()));
            }
            route.is_some()
        });
    }
    document
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use snowmint::Code;

    use super::*;

    fn document() -> Value {
        serde_json::from_str(DOCUMENT).unwrap()
    }

    /// Returns the paths with their methods, without `HEAD`, which each `GET` implies.
    fn documented(document: &Value) -> BTreeSet<(String, String)> {
        let paths = document["paths"].as_object().unwrap().iter();
        let pairs = paths.flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().keys();
            methods.map(|method| (path.clone(), method.to_uppercase()))
        });
        pairs.collect()
    }

    #[test]
    fn the_document_has_the_routes_and_nothing_else() {
        let of_clients = ROUTES.iter().map(|route| (route.documented(), route.methods));
        let of_operators = OPERATORS.iter().map(|route| (route.documented(), route.methods));
        let routes = of_clients.chain(of_operators).flat_map(|(path, methods)| {
            let methods = methods.allow(true).split(", ").filter(|method| *method != "HEAD");
            methods.map(move |method| (path.clone(), method.to_owned()))
        });
        assert_eq!(documented(&document()), routes.collect());
    }

    #[test]
    fn each_parameter_of_a_path_is_described() {
        let document = document();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let own = operation.get("parameters").and_then(Value::as_array);
                let described = own.into_iter().flatten().filter_map(|parameter| {
                    let parameter = match parameter.get("$ref").and_then(Value::as_str) {
                        Some(place) => document.pointer(place.trim_start_matches('#'))?,
                        None => parameter,
                    };
                    (parameter["in"] == "path").then(|| parameter["name"].as_str())?
                });
                let in_path = path.split('/').filter_map(|part| {
                    part.strip_prefix('{').and_then(|part| part.strip_suffix('}'))
                });
                assert!(in_path.eq(described), "{method} {path}");
            }
        }
    }

    #[test]
    fn the_codes_are_those_of_the_table() {
        let codes = document()["components"]["schemas"]["Code"]["enum"].clone();
        let names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(codes, Value::from(names));
    }

    #[test]
    fn a_path_that_is_not_served_is_not_documented() {
        let mut config = Config::default();
        let paths = |config: &Config| documented(&for_clients(config));
        let has = |config: &Config, path: &str, method: &str| {
            paths(config).contains(&(path.to_owned(), method.to_owned()))
        };
        assert!(has(&config, "/v1/ids/{source}", "POST"));
        assert!(!has(&config, "/v1/ids/{source}", "GET"));
        assert!(!has(&config, "/decodeSnowflakeId", "GET"));
        assert!(!has(&config, "/tinyid/id/nextId", "GET"));
        assert!(has(&config, "/readyz", "GET"));
        assert!(!has(&config, "/v1/workers/acquire", "POST"));
        (config.http.get, config.fronts.leaf, config.fronts.tinyid) = (true, true, true);
        config.fronts.cosid = true;
        assert_eq!(paths(&config).len(), paths(&Config::default()).len() + 2 + 3 * 2 + 4 * 2 + 4);
        config.leases.store = "sqlite:ids.db".to_owned();
        assert!(has(&config, "/v1/workers/acquire", "POST"));
        assert!(!has(&config, "/metrics", "GET") && !has(&config, "/admin/reload", "POST"));
        assert_eq!(for_clients(&config)["info"]["version"], env!("CARGO_PKG_VERSION"));
        let of_operators = documented(&served(OPERATORS.iter(), false));
        assert_eq!(of_operators.len(), OPERATORS.len());
    }
}
