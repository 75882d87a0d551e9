//! A connection to a server, with the token that was read for it.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::endpoint::Endpoint;
use super::server::Server;
use super::{errors, fault};
use crate::secrets::Secret;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::http::{Client, is_no_http};
use crate::store::remote::members::Fault;
use crate::store::remote::pool::Connection;
use crate::store::remote::tls;

/// A connection for one call at a time.
pub(super) struct Session {
    client: Client,
    /// The `Authorization` header.
    authorization: Option<Secret>,
    /// True after the first question. A server may end a kept connection at any time.
    was_asked: bool,
}

impl Session {
    pub(super) fn new(client: Client, authorization: Option<Secret>) -> Session {
        Session { client, authorization, was_asked: false }
    }

    /// Returns the answer, or the fault of a refusal.
    pub(super) fn ask<T: DeserializeOwned>(
        &mut self,
        (endpoint, server): (&Endpoint, &Server),
        path: &str,
        question: &impl Serialize,
        deadline: Deadline,
    ) -> Result<T, Fault> {
        let text = serde_json::to_vec(question).map_err(errors::question_unwritable)?;
        let (path, was_asked) = (format!("{}{path}", endpoint.base), self.was_asked);
        self.was_asked = true;
        let authorization = self.authorization.as_ref().map(|Secret(it)| it.as_str());
        match self.client.post(&path, authorization, &text, deadline) {
            Ok(answer) => fault::sound(server, &answer),
            Err(error) => {
                let is_refused = was_asked && is_end(&error) || tls::refuses_client(&error);
                let is_no_http = is_no_http(&error);
                let error = fault::unreachable(endpoint, server, error);
                Err(match (is_refused, is_no_http) {
                    (true, _) => Fault::LoggedOut(error),
                    // The other side does not speak HTTP, so it has done nothing.
                    (_, true) => Fault::Unasked(error),
                    _ => Fault::Passing(error),
                })
            }
        }
    }

    /// Keeps the connection from being used again.
    pub(super) fn end(&mut self) {
        self.client.end();
    }
}

/// Returns true if the other side ended the connection.
fn is_end(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

impl Connection for Session {
    fn is_of_use(&mut self) -> bool {
        self.client.is_of_use()
    }
}
