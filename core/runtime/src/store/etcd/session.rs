//! A connection to a member, on which a user may be logged in.

use serde::Serialize;

use crate::secrets::Secret;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::http::{Answer, Client};
use crate::store::remote::pool::Connection;

/// A connection, which its owner alone uses.
pub(super) struct Session {
    client: Client,
    /// Which of the members it leads to.
    pub(super) member: usize,
    /// What the user was given at his log-in.
    pub(super) token: Option<Secret>,
}

impl Session {
    pub(super) fn new(client: Client, member: usize) -> Session {
        Session { client, member, token: None }
    }

    /// What is answered, be it a refusal.
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

    /// Keeps it from being used again.
    pub(super) fn end(&mut self) {
        self.client.end();
    }
}

impl Connection for Session {
    fn is_of_use(&mut self) -> bool {
        self.client.is_of_use()
    }
}
