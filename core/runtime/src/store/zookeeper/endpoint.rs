//! The address of an ensemble, and how to begin sessions with its members.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustls::ClientConfig;

use super::builder::ZookeeperBuilder;
use super::errors;
use super::fault::{self, WORDS};
use super::messages::{Owner, State};
use super::session::Session;
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::Incarnation;
use crate::store::remote::blocking::Blocking;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::link::Link;
use crate::store::remote::members::{Fault, Member, Members};
use crate::store::remote::tls::{self, Trust};
use crate::store::remote::wire::Wire;
use crate::store::values::progress::Progress;

/// The default node above all of ours.
const PREFIX: &str = "snowmint";
/// A member that is just starting may never answer an early connection, so the connection is tried
/// again after this time.
const FIRST_WITHIN: Duration = Duration::from_secs(1);

pub(super) struct Endpoint {
    builder: ZookeeperBuilder,
    pub(super) members: Members,
    /// The path of the node above all of ours.
    pub(super) root: String,
    tls: Option<Arc<ClientConfig>>,
    /// The transaction and the time of the mark that was found first.
    begun: OnceLock<(i64, i64)>,
    /// The highest number of writes that the clock's node reported.
    pub(super) progress: Progress,
}

impl Endpoint {
    pub(super) fn new(builder: ZookeeperBuilder) -> Result<Endpoint> {
        let members = match builder.members.as_slice() {
            [] => ZookeeperBuilder::default().member("localhost", None).members,
            members => members.to_owned(),
        };
        let root = format!("/{}", builder.prefix.as_deref().unwrap_or(PREFIX));
        let config = || {
            let trust = Trust::Name(builder.ca_file.clone());
            tls::config(&trust, builder.identity.as_ref(), &WORDS)
        };
        let tls = builder.tls.then(config).transpose()?;
        let (members, begun) = (Members::new(members), OnceLock::new());
        Ok(Endpoint { members, root, tls, begun, progress: Progress::new(), builder })
    }

    /// Begins a session with a member.
    pub(super) fn connect_to(&self, at: usize, deadline: Deadline) -> Result<Session, Fault> {
        let deadline = self.builder.connect_within.map_or(deadline, |it| deadline.at_most(it));
        let first = deadline.at_most(FIRST_WITHIN);
        match self.begin(at, first) {
            Err(Fault::Passing(_)) if first.left().is_zero() && !deadline.left().is_zero() => {
                self.begin(at, deadline)
            }
            begun => begun,
        }
    }

    fn begin(&self, at: usize, deadline: Deadline) -> Result<Session, Fault> {
        let member = self.members.get(at);
        let passing = |error| fault::unreachable(member, error);
        let Member { name, port } = member;
        let link = Link::to_host(name, *port, deadline).map_err(passing)?;
        let wire = Wire::Plain(Blocking::new(link, deadline));
        let wire = match &self.tls {
            Some(config) => wire.secured(config, name).map_err(passing)?,
            None => wire,
        };
        let mut session = Session::begin(wire, at).map_err(passing)?;
        if let Some(user) = &self.builder.user {
            let Secret(password) = self.builder.password.clone().unwrap_or_default();
            let logged_in = session.log_in(user, &password).map_err(passing)?;
            logged_in.map_err(|refusal| fault::refused(member, "the user", refusal))?;
        }
        Ok(session)
    }

    pub(super) fn path(&self, rest: &str) -> String {
        format!("{}/{rest}", self.root)
    }

    /// Returns the owner of the nodes that we create.
    pub(super) fn owner(&self) -> Owner {
        match self.builder.user {
            Some(_) => Owner::User,
            None => Owner::Everybody,
        }
    }

    /// Refuses another mark than the first: another key space would give the same numbers.
    pub(super) fn check_mark(&self, mark: State) -> Result<()> {
        let State { created_by, created_ms, .. } = mark;
        if *self.begun.get_or_init(|| (created_by, created_ms)) == (created_by, created_ms) {
            return Ok(());
        }
        Err(errors::nodes_begun_anew(self))
    }

    /// Returns a name of the key space, which changes when the key space is begun anew.
    pub(super) fn incarnation(&self) -> Option<Incarnation> {
        let (created_by, created_ms) = self.begun.get()?;
        Some(format!("ZooKeeper {created_by:x} {created_ms}{}", self.root).into())
    }
}

/// Shows members and root, neither user nor password.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.members, self.root)
    }
}
