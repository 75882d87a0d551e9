//! The state of the service for operators: `/admin/state` once, and `/admin/events` as a stream.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{Channel, Either};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use snowmint::Result;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::{spawn_blocking, spawn_local};

use super::answer::{Answer, JSON, answer};
use crate::service::{RequestContext, Service};
use crate::{errors, watch};

const EVENTS: &str = "text/event-stream";
/// The events that wait while the connection sends another one.
const WAITING: usize = 1;
/// Tells a client that is cut off to reconnect after a second.
const RETRY: &[u8] = b"retry: 1000\n\n";

/// Returns the state.
///
/// # Errors
/// [`snowmint::Code::Internal`].
pub(super) async fn document(context: &RequestContext) -> Result<Answer> {
    let service = Arc::clone(&context.service);
    let text = aside(move || watch::document(&*service)).await?;
    Ok(answer(StatusCode::OK, JSON, text))
}

/// Streams the state and its changes until the client leaves or the service stops.
///
/// # Errors
/// [`snowmint::Code::Overloaded`] if the limit of listeners is reached.
pub(super) async fn follow(context: &RequestContext) -> Result<Answer> {
    let service = Arc::clone(&context.service);
    let (first, events) = listened(&service).await?;
    let (mut sender, body) = Channel::new(WAITING);
    spawn_local(async move {
        let stopping = service.phases.stopping();
        tokio::select! {
            () = stopping => {}
            () = send(&service, &mut sender, first, events) => {}
        }
    });
    let (mut head, _) = answer(StatusCode::OK, EVENTS, Bytes::new()).into_parts();
    // Otherwise nginx would buffer the events.
    let name = HeaderName::from_static("x-accel-buffering");
    head.headers.insert(name, HeaderValue::from_static("no"));
    Ok(Response::from_parts(head, Either::Right(body)))
}

/// Sends the events until the client has gone.
async fn send(
    service: &Arc<Service>,
    sender: &mut http_body_util::channel::Sender<Bytes>,
    mut first: Bytes,
    mut events: Receiver<Bytes>,
) {
    if sender.send_data(Bytes::from_static(RETRY)).await.is_err() {
        return;
    }
    loop {
        if sender.send_data(first).await.is_err() {
            return;
        }
        loop {
            match events.recv().await {
                Ok(event) => match sender.send_data(event).await {
                    Ok(()) => {}
                    Err(_) => return,
                },
                // The client missed events, so it starts over with the full state.
                Err(RecvError::Lagged(_)) => break,
                Err(RecvError::Closed) => return,
            }
        }
        drop(events);
        match listened(service).await {
            Ok(anew) => (first, events) = anew,
            Err(_) => return,
        }
    }
}

async fn listened(service: &Arc<Service>) -> Result<(Bytes, Receiver<Bytes>)> {
    let service = Arc::clone(service);
    aside(move || watch::listen(&service)).await
}

/// Runs on a thread of its own, because it looks at all sources.
async fn aside<T: Send + 'static>(look: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    spawn_blocking(look).await.unwrap_or_else(|error| Err(errors::http::work_unfinished(error)))
}
