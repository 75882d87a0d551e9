//! Requests the state of a server.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::client::conn::http1;
use hyper::header::{ACCEPT, HOST};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use snowmint::{Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::endpoint::{Endpoint, PORT, Way};
use super::state::State;
use crate::errors;

/// The timeout of a request.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// In bytes; enough for tens of thousands of tags.
const MAX_ANSWER: usize = 256 << 20;
const PATH: &str = "/admin/state";

/// Requests the state on a connection of its own.
///
/// # Errors
/// [`Code::StoreUnavailable`](snowmint::Code::StoreUnavailable) if the server cannot be reached,
/// [`Code::StoreDenied`](snowmint::Code::StoreDenied) if it refuses,
/// [`Code::Unsupported`](snowmint::Code::Unsupported) if this is no operators' address,
/// [`Code::InvalidAnswer`](snowmint::Code::InvalidAnswer).
pub(super) async fn state(endpoint: &Endpoint) -> Result<State> {
    let asked = timeout(ANSWERS_WITHIN, asked(endpoint)).await;
    let (status, body) = asked.unwrap_or_else(|_| Err(errors::server_silent(&endpoint.text)))?;
    if status != StatusCode::OK {
        return Err(refused(endpoint, status, &body));
    }
    let state = serde_json::from_slice(&body);
    state.map_err(|error| errors::answer_unreadable(&endpoint.text, error))
}

async fn asked(endpoint: &Endpoint) -> Result<(StatusCode, Bytes)> {
    let away = |error: io::Error| errors::server_unreachable(&endpoint.text, error);
    match &endpoint.way {
        Way::Tcp { host, port, tls } => {
            let connected = TcpStream::connect((host.as_str(), *port)).await;
            let stream = connected.map_err(away)?;
            let Some(tls) = tls else { return answered(endpoint, stream).await };
            let connector = TlsConnector::from(tls.config.clone());
            let secured = connector.connect(tls.name.clone(), stream).await;
            answered(endpoint, secured.map_err(|error| not_secured(endpoint, &error))?).await
        }
        #[cfg(unix)]
        Way::Unix(path) => {
            let connected = tokio::net::UnixStream::connect(path).await;
            answered(endpoint, connected.map_err(away)?).await
        }
        #[cfg(not(unix))]
        Way::Unix(path) => Err(errors::unix_sockets_missing(path)),
    }
}

async fn answered(
    endpoint: &Endpoint,
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
) -> Result<(StatusCode, Bytes)> {
    let broken = |error: &(dyn std::error::Error + 'static)| {
        errors::server_unreachable(&endpoint.text, root(error))
    };
    let shaken = http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = shaken.map_err(|error| broken(&error))?;
    let host = match &endpoint.way {
        Way::Tcp { .. } => endpoint.text.split_once("://").map_or("", |(_, host)| host),
        Way::Unix(_) => "localhost",
    };
    let request = Request::get(PATH)
        .header(HOST, host)
        .header(ACCEPT, "application/json")
        .body(Empty::<Bytes>::new())
        .map_err(errors::request_not_made)?;
    let mut exchange = std::pin::pin!(async {
        let answer = sender.send_request(request).await.map_err(|error| broken(&error))?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, MAX_ANSWER).collect().await;
        let body = body.map_err(|error| broken(&*error))?.to_bytes();
        Ok((head.status, body))
    });
    // Drives the connection until the answer has come. If the connection ends, all of the answer
    // has arrived.
    tokio::select! {
        biased;
        answer = &mut exchange => answer,
        ended = connection => match (exchange.await, ended) {
            (Err(_), Err(error)) => Err(broken(&error)),
            (answer, _) => answer,
        },
    }
}

/// Returns the root cause of an error, which says more than the layers above it.
fn root<'a>(error: &'a (dyn std::error::Error + 'static)) -> &'a (dyn std::error::Error + 'static) {
    std::iter::successors(Some(error), |error| error.source()).last().unwrap_or(error)
}

/// Explains a failed handshake. rustls takes an answer without TLS for an invalid message.
fn not_secured(endpoint: &Endpoint, error: &io::Error) -> Error {
    let cause = error.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>());
    match cause {
        Some(rustls::Error::InvalidMessage(_)) => errors::server_without_tls(&endpoint.text),
        Some(rustls::Error::InvalidCertificate(why)) => {
            errors::certificate_refused(&endpoint.text, why)
        }
        _ => errors::server_unreachable(&endpoint.text, error),
    }
}

/// Turns the server's answer into an error.
fn refused(endpoint: &Endpoint, status: StatusCode, body: &[u8]) -> Error {
    let problem: Value = serde_json::from_slice(body).unwrap_or_default();
    let detail = problem["detail"].as_str().unwrap_or(status.canonical_reason().unwrap_or(""));
    match status {
        StatusCode::NOT_FOUND => errors::state_missing(&endpoint.text, PORT),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            errors::access_denied(&endpoint.text, detail)
        }
        _ => errors::status_unexpected(&endpoint.text, status, detail),
    }
}
