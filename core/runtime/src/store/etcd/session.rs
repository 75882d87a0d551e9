//! A connection to a member, on which a user may be logged in.

use serde::Serialize;

use crate::secrets::Secret;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::http::{Answer, Client};
use crate::store::remote::pool::Connection;

/// A connection for one call at a time.
pub(super) struct Session {
    client: Client,
    /// The member's index in the list of members.
    pub(super) member: usize,
    /// The token that the user got at log-in.
    pub(super) token: Option<Secret>,
}

impl Session {
    pub(super) fn new(client: Client, member: usize) -> Session {
        Session { client, member, token: None }
    }

    /// Returns the answer, which may be a refusal.
    pub(super) fn ask(
        &mut self,
        path: &str,
        question: &impl Serialize,
        deadline: Deadline,
    ) -> std::io::Result<Answer> {
        let text = serde_json::to_vec(question).map_err(std::io::Error::other)?;
        let token = self.token.as_ref().map(|Secret(token)| token.as_str());
        self.client.post(path, token, &text, deadline)
    }

    /// Keeps the connection from being used again.
    pub(super) fn end(&mut self) {
        self.client.end();
    }
}

impl Connection for Session {
    fn is_of_use(&mut self) -> bool {
        self.client.is_of_use()
    }
}
