//! The address of a cluster, and how to connect to its members.

use std::env;
use std::fmt;
use std::sync::{Arc, OnceLock};

use rustls::ClientConfig;

use super::builder::EtcdBuilder;
use super::errors;
use super::fault::{self, WORDS};
use super::messages::{AUTHENTICATE, Authenticate, Authenticated};
use super::session::Session;
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::Incarnation;
use crate::store::remote::blocking::Blocking;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::http::Client;
use crate::store::remote::link::Link;
use crate::store::remote::members::{Fault, Member, Members};
use crate::store::remote::tls::{self, Trust};
use crate::store::remote::wire::Wire;
use crate::store::values::progress::Progress;

/// The default prefix of all keys.
const PREFIX: &str = "snowmint";
/// The longest answer in bytes that is read. A single answer can hold all rows.
const ANSWER_MAX: usize = 64 << 20;

pub(super) struct Endpoint {
    builder: EtcdBuilder,
    pub(super) members: Members,
    /// The prefix of all keys, with a slash at its end.
    pub(super) prefix: String,
    tls: Option<Arc<ClientConfig>>,
    /// The ID of the cluster that answered first.
    cluster: OnceLock<String>,
    /// The highest revision that a member reported.
    pub(super) progress: Progress,
}

impl Endpoint {
    pub(super) fn new(builder: EtcdBuilder) -> Result<Endpoint> {
        let members = match builder.members.as_slice() {
            [] => EtcdBuilder::default().member("localhost", None).members,
            members => members.to_owned(),
        };
        let prefix = format!("{}/", builder.prefix.as_deref().unwrap_or(PREFIX));
        let config = || {
            let trust = Trust::Name(builder.ca_file.clone());
            tls::config(&trust, builder.identity.as_ref(), &WORDS)
        };
        let tls = builder.tls.then(config).transpose()?;
        Ok(Endpoint {
            members: Members::new(members),
            prefix,
            tls,
            cluster: OnceLock::new(),
            progress: Progress::new(),
            builder,
        })
    }

    /// Connects to a member, and logs in if a user is set.
    pub(super) fn connect_to(&self, member: usize, deadline: Deadline) -> Result<Session, Fault> {
        let deadline = self.builder.connect_within.map_or(deadline, |it| deadline.at_most(it));
        let passing = |error| Fault::Passing(fault::unreachable(self, member, error));
        let Member { name, port } = self.members.get(member);
        let link = Link::to_host(name, *port, deadline).map_err(passing)?;
        let wire = Wire::Plain(Blocking::new(link, deadline));
        let wire = match &self.tls {
            Some(config) => wire.secured(config, name).map_err(passing)?,
            None => wire,
        };
        let client = Client::new(wire, format!("http://{}", self.members.get(member)), ANSWER_MAX);
        let mut session = Session::new(client, member);
        if let Some(user) = &self.builder.user {
            session.token = Some(self.log_in(&mut session, user, deadline)?);
        }
        Ok(session)
    }

    fn log_in(
        &self,
        session: &mut Session,
        name: &str,
        deadline: Deadline,
    ) -> Result<Secret, Fault> {
        let of_environment = || env::var("ETCDCTL_PASSWORD").ok().map(Secret);
        let Secret(password) =
            self.builder.password.clone().or_else(of_environment).unwrap_or_default();
        let question = Authenticate { name, password: &password };
        let member = self.members.get(session.member);
        let answer = session.ask(AUTHENTICATE, &question, deadline);
        let unreachable = |error| Fault::Passing(fault::unreachable(self, session.member, error));
        let answer = answer.map_err(unreachable)?;
        let answer = fault::sound(member, answer)?;
        let strange = |_| errors::strange_answer(member, "a log-in");
        let told: Authenticated = serde_json::from_slice(&answer.body).map_err(strange)?;
        Ok(Secret(told.token))
    }

    /// Refuses a member of another cluster than the first: two clusters would give the same
    /// numbers.
    pub(super) fn check_cluster(&self, member: usize, cluster: &str) -> Result<()> {
        if self.cluster.get_or_init(|| cluster.to_owned()) == cluster {
            return Ok(());
        }
        Err(errors::cluster_differs(self.members.get(member)))
    }

    /// Returns the cluster's ID and the prefix. A cluster gets a new ID if it was begun anew with
    /// other addresses or another `--initial-cluster-token`.
    pub(super) fn incarnation(&self) -> Option<Incarnation> {
        let cluster = self.cluster.get()?;
        Some(format!("etcd {cluster}/{}", self.prefix.trim_end_matches('/')).into())
    }

    pub(super) fn is_secured(&self) -> bool {
        self.tls.is_some()
    }
}

/// Shows members and prefix, neither user nor password.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.members, self.prefix.trim_end_matches('/'))
    }
}
