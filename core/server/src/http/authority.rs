//! Authentication by `Authorization: Bearer …`, and the answers to requests without a valid token.

use hyper::body::Incoming;
use hyper::header::AUTHORIZATION;
use hyper::{Request, StatusCode};

use super::problem::Problem;
use crate::config::FrontsAsk;
use crate::denial::Denial;
use crate::quotas::Client;
use crate::service::RequestContext;
use crate::tokens::{Digest, Grant};

/// Returns the permissions of a request.
///
/// # Errors
/// [`Denial::Nobody`], [`Denial::Unknown`]; [`Denial::Several`] for more than one header, of which
/// a proxy may have read another one.
#[inline]
pub(crate) fn grant(
    context: &RequestContext,
    client: Client,
    request: &Request<Incoming>,
) -> Result<Grant, Denial> {
    if request.headers().get_all(AUTHORIZATION).iter().nth(1).is_some() {
        return Err(Denial::Several);
    }
    let grant = context.setup().tokens.grant(client, || bearer(request))?;
    grant.note_use();
    Ok(grant)
}

/// Returns the permissions of a request for a replaced server's path, whose token may be in the
/// query.
///
/// # Errors
/// As [`grant`].
pub(crate) fn grant_of_front(
    context: &RequestContext,
    client: Client,
    request: &Request<Incoming>,
    token: Option<&str>,
) -> Result<Grant, Denial> {
    let setup = context.setup();
    match (setup.config.tokens.fronts, token) {
        (FrontsAsk::Open, _) => Ok(setup.tokens.everything(client)),
        (FrontsAsk::Token, Some(token)) => {
            let grant = setup.tokens.grant(client, || Digest::new(token.as_bytes()))?;
            grant.note_use();
            Ok(grant)
        }
        (FrontsAsk::Token, None) => grant(context, client, request),
    }
}

fn bearer(request: &Request<Incoming>) -> Option<Digest> {
    credentials(request.headers().get(AUTHORIZATION)?.as_bytes()).and_then(Digest::new)
}

/// Returns the token of a header; `None` for another scheme.
fn credentials(header: &[u8]) -> Option<&[u8]> {
    const SCHEME: &[u8] = b"Bearer ";
    let (scheme, token) = header.split_at_checked(SCHEME.len())?;
    scheme.eq_ignore_ascii_case(SCHEME).then(|| token.trim_ascii())
}

impl From<Denial> for Problem {
    fn from(denial: Denial) -> Problem {
        let (status, authenticate) = match denial {
            Denial::Nobody => (StatusCode::UNAUTHORIZED, Some("Bearer")),
            Denial::Unknown => (StatusCode::UNAUTHORIZED, Some("Bearer error=\"invalid_token\"")),
            Denial::Forbidden(_) => (StatusCode::FORBIDDEN, None),
            Denial::Several | Denial::TooMany { .. } => (StatusCode::BAD_REQUEST, None),
            Denial::TooFast { .. } => (StatusCode::TOO_MANY_REQUESTS, None),
        };
        let problem = Problem::new(status, denial.code(), denial.to_string());
        Problem { retry_ms: denial.retry_ms(), authenticate, ..problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bearer_is_told_from_other_schemes() {
        let token = Some(&b"smt_abc"[..]);
        for header in ["Bearer smt_abc", "bearer smt_abc", "BEARER   smt_abc "] {
            assert_eq!(credentials(header.as_bytes()), token, "{header}");
        }
        for header in ["", "smt_abc", "Bearer", "Bearersmt_abc", "Basic c210Og==", "Token smt_abc"]
        {
            assert_eq!(credentials(header.as_bytes()), None, "{header}");
        }
        assert!(credentials(b"Bearer ").and_then(Digest::new).is_none());
    }
}
