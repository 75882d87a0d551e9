//! The address of a server, and how to connect to it.

use std::env;
use std::fmt;
use std::io;
use std::sync::Arc;

use redis_protocol::resp2::types::OwnedFrame;
use rustls::ClientConfig;
use snowmint_engine::Code;

use super::builder::{Host, RedisBuilder};
use super::errors;
use super::fault::{self, WORDS};
use super::session::Session;
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::remote::blocking::Blocking;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::link::Link;
use crate::store::remote::tls::{self, Trust};
use crate::store::remote::wire::Wire;

/// The start of all our keys.
const KEYS: &str = "snowmint";

pub(super) struct Endpoint {
    host: Host,
    tls: Option<Arc<ClientConfig>>,
    pub(super) builder: RedisBuilder,
}

impl Endpoint {
    pub(super) fn new(builder: RedisBuilder) -> Result<Endpoint> {
        let local = || RedisBuilder::default().host("localhost", None).host;
        let host = builder.host.clone().or_else(local).expect("a host was just named");
        let trust = match (&builder.ca_certs, builder.any_name) {
            (Some(file), true) => Trust::Authority(file.clone()),
            (file, false) => Trust::Name(file.clone()),
            (None, true) => return Err(errors::authorities_missing()),
        };
        let tls = builder.tls.then(|| tls::config(&trust, None, &WORDS)).transpose()?;
        Ok(Endpoint { host, tls, builder })
    }

    /// Connects, logs in, and refuses a server that must not give anything yet.
    pub(super) fn connect(&self, deadline: Deadline) -> Result<Session> {
        let mut session = self.connection(deadline)?;
        self.check_start(&mut session, deadline)?;
        Ok(session)
    }

    fn connection(&self, deadline: Deadline) -> Result<Session> {
        let deadline = self.builder.connect_within.map_or(deadline, |it| deadline.at_most(it));
        match &self.host {
            Host::Cluster(nodes) => return self.owner(nodes, deadline),
            Host::Watched { master, sentinels } => {
                return self.watched(master, sentinels, deadline);
            }
            Host::Machine { .. } | Host::Socket(_) => {}
        }
        let wire = self.wire(deadline).map_err(|error| fault::unreachable(self, error))?;
        let mut session = Session::new(wire);
        self.log_in(&mut session, deadline)?;
        Ok(session)
    }

    /// Logs a user in, if there is one, and selects the database.
    pub(super) fn log_in(&self, session: &mut Session, deadline: Deadline) -> Result<()> {
        let password =
            self.builder.password.clone().or_else(|| {
                env::var("REDISCLI_AUTH").ok().filter(|text| !text.is_empty()).map(Secret)
            });
        let database = self.builder.database.to_string();
        let mut commands: Vec<Vec<&[u8]>> = Vec::new();
        commands.extend(proof(self.builder.user.as_deref(), password.as_ref()));
        commands.push(vec![b"SELECT", database.as_bytes()]);
        let commands: Vec<&[&[u8]]> = commands.iter().map(Vec::as_slice).collect();
        let answers = session.ask(&commands, deadline);
        for answer in answers.map_err(|error| fault::unreachable(self, error))? {
            if let OwnedFrame::Error(text) = answer {
                return Err(fault::said(self, &text));
            }
        }
        Ok(())
    }

    /// Returns a key of ours. In a cluster, the part in braces decides its slot.
    pub(super) fn key(&self, rest: &str) -> String {
        match self.host {
            Host::Cluster(_) => format!("{{{KEYS}}}:{rest}"),
            _ => format!("{KEYS}:{rest}"),
        }
    }

    fn wire(&self, deadline: Deadline) -> io::Result<Wire> {
        match &self.host {
            Host::Socket(path) => {
                Ok(Wire::Plain(Blocking::new(Link::to_path(path, deadline)?, deadline)))
            }
            Host::Machine { name, port } => self.wire_to(name, *port, deadline),
            Host::Watched { .. } | Host::Cluster(_) => Err(errors::server_looked_for()),
        }
    }

    pub(super) fn wire_to(&self, name: &str, port: u16, deadline: Deadline) -> io::Result<Wire> {
        let wire = Wire::Plain(Blocking::new(Link::to_host(name, port, deadline)?, deadline));
        match &self.tls {
            Some(config) => wire.secured(config, name),
            None => Ok(wire),
        }
    }

    /// Connects to the master that the first truthful sentinel names. A sentinel that was cut off
    /// may name a server that is gone or has become a replica.
    fn watched(
        &self,
        master: &str,
        sentinels: &[(String, u16)],
        deadline: Deadline,
    ) -> Result<Session> {
        let mut failure = errors::sentinels_unnamed();
        let count = u32::try_from(sentinels.len()).unwrap_or(u32::MAX);
        for ((name, port), left) in sentinels.iter().zip((1..=count).rev()) {
            match self.watched_by(master, (name, *port), deadline.share(left)) {
                Err(error) if error.code() != Code::StoreDenied => failure = error,
                done => return done,
            }
        }
        Err(failure)
    }

    fn watched_by(
        &self,
        master: &str,
        sentinel: (&str, u16),
        deadline: Deadline,
    ) -> Result<Session> {
        let unreachable = |error| fault::unreachable(self, error);
        // The sentinel may use half of the time; the master gets the rest.
        let found = self.master_by(master, sentinel, deadline.share(2))?;
        let (name, port) = found.ok_or_else(|| unreachable(errors::master_unknown(sentinel)))?;
        let mut session = Session::new(self.wire_to(&name, port, deadline).map_err(unreachable)?);
        self.log_in(&mut session, deadline)?;
        let info: [&[u8]; 2] = [b"INFO", b"replication"];
        let told = session.ask(&[&info], deadline).map_err(unreachable)?;
        if told.iter().any(is_replica) {
            return Err(unreachable(errors::replica_for_master(&name, port)));
        }
        Ok(session)
    }

    fn master_by(
        &self,
        master: &str,
        (name, port): (&str, u16),
        deadline: Deadline,
    ) -> Result<Option<(String, u16)>> {
        let unreachable = |error| fault::unreachable(self, error);
        let wire = self.wire_to(name, port, deadline).map_err(unreachable)?;
        let RedisBuilder { sentinel_user, sentinel_password, .. } = &self.builder;
        let question: Vec<&[u8]> = vec![b"SENTINEL", b"get-master-addr-by-name", master.as_bytes()];
        let proof = proof(sentinel_user.as_deref(), sentinel_password.as_ref());
        let questions: Vec<_> = proof.into_iter().chain([question]).collect();
        let questions: Vec<&[&[u8]]> = questions.iter().map(Vec::as_slice).collect();
        let answers = Session::new(wire).ask(&questions, deadline).map_err(unreachable)?;
        let refusal = answers.iter().find_map(|answer| match answer {
            OwnedFrame::Error(said) => fault::denied_by_sentinel(self, (name, port), said),
            _ => None,
        });
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let text = |it: OwnedFrame| match it {
            OwnedFrame::BulkString(bytes) => String::from_utf8(bytes).ok(),
            _ => None,
        };
        let no_sentinel = |said: &str| unreachable(errors::no_sentinel(name, port, said));
        match answers.into_iter().next_back() {
            Some(OwnedFrame::Array(parts)) => {
                let parts: Vec<_> = parts.into_iter().filter_map(text).collect();
                let [host, port] = <[String; 2]>::try_from(parts).map_err(|_| no_sentinel(""))?;
                let port = port.parse().map_err(|_| no_sentinel(&port))?;
                Ok(Some((host, port)))
            }
            Some(OwnedFrame::Null) => Ok(None),
            Some(OwnedFrame::Error(said)) => Err(no_sentinel(&said)),
            _ => Err(no_sentinel("")),
        }
    }
}

/// Returns the `AUTH` command, if a user or a password is set.
fn proof<'a>(user: Option<&'a str>, password: Option<&'a Secret>) -> Option<Vec<&'a [u8]>> {
    if user.is_none() && password.is_none() {
        return None;
    }
    // A user who needs no password accepts any.
    let password = password.map_or("", |Secret(password)| password);
    Some([Some("AUTH"), user, Some(password)].into_iter().flatten().map(str::as_bytes).collect())
}

const REPLICA: &[u8] = b"role:slave";

/// Returns true if the answer to `INFO replication` is that of a replica.
pub(super) fn is_replica(told: &OwnedFrame) -> bool {
    matches!(told, OwnedFrame::BulkString(info)
        if info.windows(REPLICA.len()).any(|part| part == REPLICA))
}

/// Shows host and database, neither user nor password.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Socket(path) => write!(f, "{}", path.display())?,
            Host::Machine { name, port } if name.contains(':') => write!(f, "[{name}]:{port}")?,
            Host::Machine { name, port } => write!(f, "{name}:{port}")?,
            Host::Watched { master, sentinels } => {
                let names: Vec<_> =
                    sentinels.iter().map(|(name, port)| format!("{name}:{port}")).collect();
                write!(f, "{master} of {}", names.join(","))?;
            }
            Host::Cluster(nodes) => {
                let names: Vec<_> =
                    nodes.iter().map(|(name, port)| format!("{name}:{port}")).collect();
                return write!(f, "the cluster of {}", names.join(","));
            }
        }
        write!(f, ", database {}", self.builder.database)
    }
}
