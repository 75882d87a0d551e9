//! The addresses of servers, and how to connect to them.

use std::env;
use std::fmt;
use std::fs;
use std::sync::Arc;

use rustls::ClientConfig;

use super::builder::{ServiceBuilder, Token};
use super::errors;
use super::fault::{self, WORDS};
use super::lists::List;
use super::server::Server;
use super::session::Session;
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::remote::blocking::Blocking;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::http::Client;
use crate::store::remote::link::Link;
use crate::store::remote::members::{Fault, Member};
use crate::store::remote::tls::{self, Trust};
use crate::store::remote::wire::Wire;

/// The environment variable with the token.
const TOKEN: &str = "SNOWMINT_TOKEN";
/// The longest token in bytes.
const TOKEN_MAX: usize = 4 << 10;
/// The longest answer in bytes that is read. The protocol allows 4 KiB, but a proxy may answer with
/// more.
const ANSWER_MAX: usize = 64 << 10;
/// The default port of `snowmint serve`.
const PORT: u16 = 8064;

pub(super) struct Endpoint {
    builder: ServiceBuilder,
    pub(super) list: List,
    /// The start of all paths: empty, or with a slash before it.
    pub(super) base: String,
    tls: Option<Arc<ClientConfig>>,
}

impl Endpoint {
    pub(super) fn new(builder: ServiceBuilder) -> Result<Endpoint> {
        let mut servers = builder.servers.clone();
        if servers.is_empty() {
            servers.push(Member { name: "localhost".to_owned(), port: PORT });
        }
        if let Some(twice) = repeated(&servers) {
            return Err(errors::server_repeated(twice));
        }
        let base = base(&builder.base)?;
        if let Some(Token::Text(text)) = &builder.token {
            bearer(&text.0, "the token")?;
        }
        let config = || {
            let trust = Trust::Name(builder.ca_file.clone());
            tls::config(&trust, builder.identity.as_ref(), &WORDS)
        };
        let tls = builder.tls.then(config).transpose()?;
        let list = List::new(builder.list.clone(), servers, builder.name_server)?;
        Ok(Endpoint { list, base, tls, builder })
    }

    /// Connects to a server. Reads the token anew each time, because it may have changed.
    pub(super) fn connect_to(&self, server: &Server, deadline: Deadline) -> Result<Session, Fault> {
        let authorization = self.authorization()?;
        let deadline = self.builder.connect_within.map_or(deadline, |it| deadline.at_most(it));
        let unasked = |error| Fault::Unasked(fault::unreachable(self, server, error));
        let Member { name, port } = &server.listed.at;
        let link = Link::to_host(name, *port, deadline).map_err(unasked)?;
        let wire = Wire::Plain(Blocking::new(link, deadline));
        let wire = match &self.tls {
            Some(config) => wire.secured(config, &server.listed.host).map_err(unasked)?,
            None => wire,
        };
        let origin = Member { name: server.listed.host.clone(), port: *port };
        let client = Client::new(wire, format!("http://{origin}"), ANSWER_MAX);
        Ok(Session::new(client, authorization))
    }

    fn authorization(&self) -> Result<Option<Secret>> {
        match &self.builder.token {
            Some(Token::Text(text)) => bearer(&text.0, "the token").map(Some),
            Some(Token::File(file)) => {
                let text = fs::read_to_string(file);
                let text = text.map_err(|error| errors::token_unreadable(file, error))?;
                bearer(text.trim(), &format!("the token in {}", file.display())).map(Some)
            }
            None => match env::var(TOKEN).ok().filter(|text| !text.is_empty()) {
                Some(text) => bearer(&text, TOKEN).map(Some),
                None => Ok(None),
            },
        }
    }

    pub(super) fn is_secured(&self) -> bool {
        self.tls.is_some()
    }
}

/// Returns a server that is named twice, because that server would get two shares of each call.
fn repeated(servers: &[Member]) -> Option<&Member> {
    servers.iter().enumerate().find(|(at, it)| servers[..*at].contains(it)).map(|(_, it)| it)
}

/// Returns the start of all paths, if it needs no escaping.
fn base(text: &str) -> Result<String> {
    let text = text.trim_matches('/');
    if text.is_empty() {
        return Ok(String::new());
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~:@!$&'()*+,;=".contains(&byte);
    if text.bytes().all(is_plain) {
        return Ok(format!("/{text}"));
    }
    Err(errors::path_unfit(text))
}

/// Returns the `Authorization` header for a token. No message shows the token.
fn bearer(token: &str, called: &str) -> Result<Secret> {
    let is_one =
        (1..=TOKEN_MAX).contains(&token.len()) && token.bytes().all(|it| it.is_ascii_graphic());
    if is_one {
        return Ok(Secret(format!("Bearer {token}")));
    }
    Err(errors::token_unfit(called, TOKEN_MAX))
}

/// Shows servers and path, no token.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, server) in self.list.named().iter().enumerate() {
            write!(f, "{}{server}", if at > 0 { "," } else { "" })?;
        }
        write!(f, "{}", self.base)
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn paths_and_tokens_are_sent_as_they_stand_or_not_at_all() {
        assert_eq!(base("/").unwrap(), "");
        assert_eq!(base("/tenant/ids/").unwrap(), "/tenant/ids");
        for wrong in ["/a b", "/a?b", "/a#b", "/ä", "/a\r\nHost: b"] {
            assert_eq!(base(wrong).unwrap_err().code(), Code::InvalidParameter, "{wrong}");
        }
        let longest = "x".repeat(TOKEN_MAX);
        assert_eq!(bearer(&longest, "it").unwrap().0, format!("Bearer {longest}"));
        for wrong in [String::new(), "S3C RET".to_owned(), "S3CRET\r\n".to_owned(), longest + "x"] {
            let error = bearer(&wrong, "it").unwrap_err();
            assert_eq!(error.code(), Code::InvalidParameter);
            assert!(!error.to_string().contains("S3C"), "{error}");
        }
    }
}
