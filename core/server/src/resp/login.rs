//! Login of a connection by `AUTH`, and the replies without permission.

use std::sync::{Arc, Weak};

use super::command::Command;
use super::mint;
use super::parse::Arguments;
use crate::denial::Denial;
use crate::quotas::Client;
use crate::service::RequestContext;
use crate::tokens::{Digest, Grant, Tokens};

/// The permissions of a connection, looked up again after a reload of the tokens.
#[derive(Debug)]
pub(super) struct Login {
    client: Client,
    digest: Option<Digest>,
    /// The tokens that `grant` was looked up in.
    tokens: Weak<Tokens>,
    grant: Result<Grant, Denial>,
}

/// The reason for refusing a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Denied {
    NoLogin,
    /// The reply to `HELLO` without a login, which may include one.
    NoHello,
    Wrong,
    NoKey,
    /// No tokens are configured.
    NoPassword,
}

impl Denied {
    /// Returns Redis' own replies, which clients recognise.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Denied::NoLogin => "NOAUTH Authentication required.",
            Denied::NoHello => {
                "NOAUTH HELLO must be called with the client already authenticated, otherwise the \
                 HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client \
                 and select the RESP protocol version at the same time"
            }
            Denied::Wrong => "WRONGPASS invalid username-password pair or user is disabled.",
            Denied::NoKey => {
                "NOPERM this user has no permissions to access one of the keys used as arguments"
            }
            Denied::NoPassword => "ERR Client sent AUTH, but no password is set",
        }
    }
}

/// The user name of clients that give none.
const DEFAULT_USER: &[u8] = b"default";

impl Login {
    pub(super) fn new(client: Client) -> Login {
        Login { client, digest: None, tokens: Weak::new(), grant: Err(Denial::Nobody) }
    }

    /// Returns the present permissions.
    #[inline]
    pub(super) fn grant(&mut self, context: &RequestContext) -> Result<&Grant, Denied> {
        let setup = context.setup();
        let tokens = &setup.tokens;
        if self.tokens.as_ptr() != Arc::as_ptr(tokens) {
            self.tokens = Arc::downgrade(tokens);
            self.grant = tokens.grant(self.client, || self.digest);
        }
        self.granted()
    }

    /// Returns the permissions that [`Login::grant`] looked up last.
    #[inline]
    pub(super) fn granted(&self) -> Result<&Grant, Denied> {
        self.grant.as_ref().map_err(|_| Denied::NoLogin)
    }

    /// Checks that a command is permitted.
    ///
    /// # Errors
    /// [`Denied`].
    #[inline]
    pub(super) fn check(
        &mut self,
        context: &RequestContext,
        command: Command,
        arguments: Arguments<'_>,
    ) -> Result<(), Denied> {
        if command.needs_no_login() {
            return Ok(());
        }
        let grant = self.grant(context)?;
        grant.note_use();
        if grant.has_all() {
            return Ok(());
        }
        let setup = context.setup();
        let is_own = |key| grant.has(mint::source_of(setup, key));
        command.keys(arguments).all(is_own).then_some(()).ok_or(Denied::NoKey)
    }

    /// Logs in by a token. A user name, if given, must be the token's.
    ///
    /// # Errors
    /// [`Denied`]; the connection keeps its login.
    pub(super) fn log_in(
        &mut self,
        context: &RequestContext,
        user: Option<&[u8]>,
        token: &[u8],
    ) -> Result<(), Denied> {
        let setup = context.setup();
        let tokens = &setup.tokens;
        if !tokens.are_needed() {
            return Err(Denied::NoPassword);
        }
        let digest = Digest::new(token);
        let grant = tokens.grant(self.client, || digest).map_err(|_| Denied::Wrong)?;
        let user = user.filter(|user| *user != DEFAULT_USER);
        if user.is_some_and(|user| grant.name().map(str::as_bytes) != Some(user)) {
            return Err(Denied::Wrong);
        }
        (self.digest, self.tokens, self.grant) = (digest, Arc::downgrade(tokens), Ok(grant));
        Ok(())
    }

    /// Forgets the login.
    pub(super) fn log_out(&mut self) {
        *self = Login::new(self.client);
    }
}
