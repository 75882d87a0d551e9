//! HTTP/1.1: one connection, from its first request to its end.

use std::convert::Infallible;
use std::rc::Rc;
use std::time::Instant;

use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::time::sleep_until;

use super::listen::Protocol;
use super::patience::{Patience, Verdict, Watched};
use super::quotas::Client;
use super::service::{LoopContext, RequestContext};
use super::stream::Stream;

mod accept;
mod admin;
mod answer;
mod authority;
mod body;
mod decode;
mod events;
mod fronts;
mod host;
mod ids;
mod metrics;
mod openapi;
mod origin;
mod page;
mod problem;
mod protocol;
mod public_ids;
mod query;
mod route;
mod state;
mod stores;
mod table;

/// Answers the requests of a connection until either side ends it.
pub(crate) async fn serve(stream: Stream, protocol: Protocol, context: Rc<LoopContext>) {
    let setup = context.setup();
    let patience = Patience::new(Instant::now(), &setup.config.timeouts, context.spread());
    let patience = Rc::new(patience);
    let client = Client::new(stream.address());
    let io = TokioIo::new(Watched::new(stream, Rc::clone(&patience)));
    let service = service_fn(|mut request| {
        patience.answering();
        let (context, patience) = (RequestContext::of_request(&context), Rc::clone(&patience));
        async move {
            let has_body = body::has_more(&request);
            let mut answer = match protocol {
                Protocol::Admin => admin::answer(&context, &mut request).await,
                _ => route::answer(&context, client, &mut request).await,
            };
            if has_body {
                Box::pin(body::finish(&context, &mut request, &mut answer)).await;
            }
            context.count(|counters| counters.answered(answer.status().as_u16()));
            patience.answered();
            Ok::<_, Infallible>(answer)
        }
    });
    let mut builder = Builder::new();
    let header_bytes = usize::try_from(setup.config.limits.header_bytes).unwrap_or(usize::MAX);
    drop(setup);
    builder.max_buf_size(header_bytes);
    let connection = builder.serve_connection(io, service);
    let (look, stopping) = (sleep_until(Instant::now().into()), context.service.phases.stopping());
    tokio::pin!(connection, look, stopping);
    let mut retired = false;
    let verdict =
        |retired| patience.verdict(Instant::now(), &context.setup().config.timeouts, retired);
    loop {
        tokio::select! {
            // A client's error has been answered already, and the log gains nothing from it.
            _ = &mut connection => return,
            () = &mut stopping, if !retired => {
                patience.stop(Instant::now());
                retired = true;
                connection.as_mut().graceful_shutdown();
                look.as_mut().reset(Instant::now().into());
            }
            () = &mut look => match verdict(retired) {
                Verdict::Look(at) => look.as_mut().reset(at.into()),
                Verdict::End => return,
                Verdict::Retire => {
                    retired = true;
                    connection.as_mut().graceful_shutdown();
                }
            },
        }
    }
}
