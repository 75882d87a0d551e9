//! The paths of the servers that this one replaces, for their clients as they are: each behind a
//! setting of its own, for they mint by `GET`.

use hyper::body::Incoming;
use hyper::{Method, Request};

use super::answer::Answer;
use super::problem::Problem;
use crate::serve::quotas::Client;
use crate::serve::service::Desk;

mod leaf;
mod tinyid;

/// The answer to a request of another server's client; `None` where the path is none of theirs, or
/// theirs is not served here.
pub(crate) async fn answer(
    desk: &Desk,
    client: Client,
    request: &Request<Incoming>,
) -> Option<Result<Answer, Problem>> {
    let setup = desk.setup();
    let fronts = &setup.config.fronts;
    let path = request.uri().path();
    let leaf = leaf::Asked::from_path(path).filter(|_| fronts.leaf);
    let tinyid = tinyid::Asked::from_path(path).filter(|_| fronts.tinyid);
    if leaf.is_none() && tinyid.is_none() {
        return None;
    }
    // As their servers have it.
    if !matches!(*request.method(), Method::GET | Method::POST) {
        return Some(Err(Problem::method("GET, POST")));
    }
    match (leaf, tinyid) {
        (Some(asked), _) => Some(leaf::answer(desk, client, asked, request).await),
        (_, Some(asked)) => Some(Ok(tinyid::answer(desk, client, asked, request).await)),
        (None, None) => None,
    }
}
