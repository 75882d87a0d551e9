//! Asks another server of the same ordered sources, through its HTTP API.

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::header::{ACCEPT, AUTHORIZATION, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rustls::ClientConfig;
use serde_json::Value;
use snowmint::{Code, Error, NumberRange, Result};
use tokio::time::timeout;

use super::Owner;
use crate::errors;

/// The header of a request from another server: the owner that it expects here.
pub(crate) const SENT_ON: HeaderName = HeaderName::from_static("snowmint-sent-on");

/// The timeout of a request to another server.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
const CONNECTS_WITHIN: Duration = Duration::from_secs(1);
/// In bytes: a million ranges of one number each, 24 bytes a range.
const MAX_ANSWER: usize = 24 << 20;

/// One event loop's connections to other servers.
#[derive(Clone, Debug)]
pub(crate) struct Peers {
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
    /// The token that is sent with each request, if one is set.
    authorization: Option<HeaderValue>,
    /// True if only servers whose certificate is trusted are asked.
    by_tls_alone: bool,
}

impl Peers {
    pub(crate) fn new(tls: &ClientConfig) -> Peers {
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_nodelay(true);
        connector.set_connect_timeout(Some(CONNECTS_WITHIN));
        let secured = HttpsConnectorBuilder::new().with_tls_config(tls.clone()).https_or_http();
        let connector = secured.enable_http1().wrap_connector(connector);
        let mut builder = Client::builder(TokioExecutor::new());
        let client = builder.pool_timer(TokioTimer::new()).build(connector);
        Peers { client, authorization: None, by_tls_alone: false }
    }

    /// Returns a client with the same connections that sends `authorization`.
    pub(crate) fn showing(&self, authorization: Option<&HeaderValue>) -> Peers {
        Peers { authorization: authorization.cloned(), ..self.clone() }
    }

    /// Sets whether only servers with TLS are asked. The store supplies the address, and the server
    /// at that address receives the token.
    pub(crate) fn by_tls_alone(self, by_tls_alone: bool) -> Peers {
        Peers { by_tls_alone, ..self }
    }

    /// Asks for `count` numbers of a source. The answer may have fewer if no more are left.
    ///
    /// # Errors
    /// The other server's errors; [`Code::StoreUnavailable`] if it cannot be reached.
    pub(crate) async fn ids(&self, owner: &Owner, name: &str, count: usize) -> Result<Vec<u64>> {
        let words = self.asked(owner, name, &format!("count={count}")).await?;
        if words.is_empty() || words.len() > count {
            return Err(errors::turns::numbers_miscounted(owner));
        }
        Ok(words)
    }

    /// Asks for ranges with `count` numbers in all. The answer may have fewer if no more are left.
    ///
    /// # Errors
    /// As [`Peers::ids`].
    pub(crate) async fn ranges(
        &self,
        owner: &Owner,
        name: &str,
        count: u64,
    ) -> Result<Vec<NumberRange>> {
        self.ranges_of(owner, name, count, "ranges").await
    }

    /// Returns the last of `count` consecutive numbers.
    ///
    /// # Errors
    /// As [`Peers::ids`].
    pub(crate) async fn block(&self, owner: &Owner, name: &str, count: u64) -> Result<u64> {
        match *self.ranges_of(owner, name, count, "block").await? {
            [range] if range.count() == count => Ok(range.end() - 1),
            _ => Err(errors::turns::block_miscounted(owner)),
        }
    }

    async fn ranges_of(
        &self,
        owner: &Owner,
        name: &str,
        count: u64,
        form: &str,
    ) -> Result<Vec<NumberRange>> {
        let words = self.asked(owner, name, &format!("count={count}&form={form}")).await?;
        let (ranges, rest) = words.as_chunks();
        if ranges.is_empty() || !rest.is_empty() {
            return Err(errors::turns::ranges_incomplete(owner));
        }
        let range = |[start, end, stride]: &[u64; 3]| {
            NumberRange::new(*start, *end, *stride)
                .map_err(|_| errors::turns::range_malformed(owner))
        };
        ranges.iter().map(range).collect()
    }

    /// Sends a request and returns the numbers of its binary answer.
    async fn asked(&self, owner: &Owner, name: &str, query: &str) -> Result<Vec<u64>> {
        let name = utf8_percent_encode(name, NON_ALPHANUMERIC);
        let uri = format!("{}/v1/ids/{name}?{query}", owner.address()).parse::<Uri>();
        let uri = uri.map_err(|_| errors::turns::address_malformed(owner))?;
        if self.by_tls_alone && uri.scheme_str() != Some("https") {
            return Err(errors::turns::owner_without_tls(owner));
        }
        let mut request = Request::new(Empty::new());
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        headers.insert(ACCEPT, HeaderValue::from_static("application/octet-stream"));
        let meant = HeaderValue::try_from(owner.as_str());
        headers.insert(SENT_ON, meant.map_err(|_| errors::turns::address_malformed(owner))?);
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        let away = |why: &dyn Display| errors::turns::owner_unreachable(owner, why);
        let answered = async {
            let answer = self.client.request(request).await.map_err(|error| away(&error))?;
            let (head, body) = answer.into_parts();
            let body = Limited::new(body, MAX_ANSWER).collect().await;
            let body = body.map_err(|error| away(&error))?.to_bytes();
            Ok(Response::from_parts(head, body))
        };
        let answer = timeout(ANSWERS_WITHIN, answered).await;
        let answer = answer.unwrap_or_else(|error| Err(away(&error)))?;
        if answer.status() != StatusCode::OK {
            return Err(refused(owner, answer.status(), answer.body()));
        }
        let (words, rest) = answer.body().as_chunks();
        if rest.is_empty() {
            Ok(words.iter().map(|word| u64::from_be_bytes(*word)).collect())
        } else {
            Err(errors::turns::numbers_incomplete(owner))
        }
    }
}

/// Turns the other server's answer into an error with the same code.
fn refused(owner: &Owner, status: StatusCode, body: &[u8]) -> Error {
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return errors::turns::token_refused(owner);
    }
    let problem: Value = serde_json::from_slice(body).unwrap_or_default();
    let code = problem["code"].as_str();
    let code = Code::ALL.iter().find(|it| Some(it.name()) == code);
    match (code, problem["detail"].as_str()) {
        (Some(code), Some(detail)) => errors::turns::request_refused(*code, detail),
        _ => errors::turns::answer_malformed(owner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_peer_is_asked_in_the_clear_where_tls_is_required() {
        let roots = rustls::RootCertStore::empty();
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        let tls =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let tls = tls.unwrap().with_root_certificates(roots).with_no_client_auth();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        // No server listens at port 1.
        let ask = |by_tls_alone, address: &str| {
            let peers = Peers::new(&tls).by_tls_alone(by_tls_alone);
            runtime.block_on(peers.ids(&Owner::new(address), "orders", 1)).unwrap_err().code()
        };
        assert_eq!(ask(true, "http://127.0.0.1:1 7"), Code::StoreDenied);
        assert_eq!(ask(true, "https://127.0.0.1:1 7"), Code::StoreUnavailable);
        assert_eq!(ask(false, "http://127.0.0.1:1 7"), Code::StoreUnavailable);
    }

    #[test]
    fn a_refusal_keeps_its_code() {
        let owner = Owner::new("http://a 7");
        let of = |status, body| refused(&owner, status, body);
        let body = br#"{"code":"tag_exhausted","detail":"the end"}"#;
        let error = of(StatusCode::GONE, body);
        assert_eq!((error.code(), error.to_string()), (Code::TagExhausted, "the end".to_owned()));
        for body in [&b"<html>"[..], b"{}", br#"{"code":"none","detail":"x"}"#, b""] {
            assert_eq!(of(StatusCode::BAD_GATEWAY, body).code(), Code::InvalidAnswer);
        }
        // The client knows nothing of this server's own token, so the message names the setting.
        let error = of(StatusCode::UNAUTHORIZED, body);
        assert!(error.to_string().contains("ordered.token_file"), "{error}");
    }
}
