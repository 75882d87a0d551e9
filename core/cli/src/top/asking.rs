//! Requests the state of a server.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::client::conn::http1;
use hyper::header::{ACCEPT, HOST};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use snowmint::{Code, Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::endpoint::{Endpoint, Way};
use super::state::State;

/// The timeout of a request.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// In bytes; enough for tens of thousands of tags.
const MAX_ANSWER: usize = 256 << 20;
const PATH: &str = "/admin/state";

/// Requests the state on a connection of its own.
///
/// # Errors
/// [`Code::StoreUnavailable`] if the server cannot be reached, [`Code::StoreDenied`] if it refuses,
/// [`Code::Unsupported`] if this is no operators' address, [`Code::InvalidAnswer`].
pub(super) async fn state(endpoint: &Endpoint) -> Result<State> {
    let asked = timeout(ANSWERS_WITHIN, asked(endpoint)).await;
    let (status, body) = asked.unwrap_or_else(|_| Err(away(endpoint, "it does not answer")))?;
    if status != StatusCode::OK {
        return Err(refused(endpoint, status, &body));
    }
    serde_json::from_slice(&body).map_err(|error| {
        let message = format!("{} answers what no snowmint does: {error}", endpoint.text);
        Error::new(Code::InvalidAnswer, message)
    })
}

async fn asked(endpoint: &Endpoint) -> Result<(StatusCode, Bytes)> {
    match &endpoint.way {
        Way::Tcp { host, port, tls } => {
            let connected = TcpStream::connect((host.as_str(), *port)).await;
            let stream = connected.map_err(|error| away(endpoint, error))?;
            let Some(tls) = tls else { return answered(endpoint, stream).await };
            let connector = TlsConnector::from(tls.config.clone());
            let secured = connector.connect(tls.name.clone(), stream).await;
            answered(endpoint, secured.map_err(|error| not_secured(endpoint, &error))?).await
        }
        #[cfg(unix)]
        Way::Unix(path) => {
            let connected = tokio::net::UnixStream::connect(path).await;
            answered(endpoint, connected.map_err(|error| away(endpoint, error))?).await
        }
        #[cfg(not(unix))]
        Way::Unix(_) => {
            let message = "there are no Unix sockets on this system";
            Err(Error::new(Code::Unsupported, message))
        }
    }
}

async fn answered(
    endpoint: &Endpoint,
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
) -> Result<(StatusCode, Bytes)> {
    let broken = |error: &(dyn std::error::Error + 'static)| away(endpoint, root(error));
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
        .map_err(|error| Error::new(Code::InvalidUrl, error.to_string()))?;
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

fn away(endpoint: &Endpoint, why: impl std::fmt::Display) -> Error {
    let message = format!("{} cannot be reached: {why}", endpoint.text);
    Error::new(Code::StoreUnavailable, message)
}

/// Explains a failed handshake. rustls takes an answer without TLS for an invalid message.
fn not_secured(endpoint: &Endpoint, error: &std::io::Error) -> Error {
    let cause = error.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>());
    let why = match cause {
        Some(rustls::Error::InvalidMessage(_)) => "it speaks no TLS: write http://".to_owned(),
        Some(rustls::Error::InvalidCertificate(why)) => {
            format!("its certificate is not good: {why}; cafile=FILE names its authority")
        }
        _ => error.to_string(),
    };
    away(endpoint, why)
}

/// Turns the server's answer into an error.
fn refused(endpoint: &Endpoint, status: StatusCode, body: &[u8]) -> Error {
    let problem: Value = serde_json::from_slice(body).unwrap_or_default();
    let detail = problem["detail"].as_str().unwrap_or(status.canonical_reason().unwrap_or(""));
    match status {
        StatusCode::NOT_FOUND => {
            let message = format!(
                "{} is no operators' address of a snowmint that has this: name one of its \
                 admin.listen, port {}",
                endpoint.text,
                super::endpoint::PORT
            );
            Error::new(Code::Unsupported, message)
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Error::new(Code::StoreDenied, format!("{} refuses: {detail}", endpoint.text))
        }
        _ => {
            let message = format!("{} answers with {status}: {detail}", endpoint.text);
            Error::new(Code::InvalidAnswer, message)
        }
    }
}
