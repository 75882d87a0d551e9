//! Where a server is, and how a connection to it comes about.

use std::env;
use std::fmt;
use std::io;
use std::sync::Arc;

use redis_protocol::resp2::types::OwnedFrame;
use rustls::ClientConfig;

use super::builder::{Host, RedisBuilder};
use super::fault::{self, WORDS};
use super::session::Session;
use crate::error::{Error, Result};
use crate::secrets::Secret;
use crate::store::remote::blocking::Blocking;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::link::Link;
use crate::store::remote::tls::{self, Trust};
use crate::store::remote::wire::Wire;

/// What all keys begin with.
const KEYS: &str = "snowmint";

/// A server as its builder describes it.
pub(super) struct Place {
    host: Host,
    /// What connections are secured by.
    tls: Option<Arc<ClientConfig>>,
    pub(super) builder: RedisBuilder,
}

impl Place {
    pub(super) fn new(builder: RedisBuilder) -> Result<Place> {
        let local = || RedisBuilder::default().host("localhost", None).host;
        let host = builder.host.clone().or_else(local).expect("a host was just named");
        let trust = match (&builder.ca_certs, builder.any_name) {
            (Some(file), true) => Trust::Authority(file.clone()),
            (file, false) => Trust::Name(file.clone()),
            (None, true) => {
                let message = "a certificate for any name needs the file of your own authorities, \
                               as the system's sign for anybody: name it by ssl_ca_certs";
                return Err(Error::new(snowmint_engine::Code::InvalidParameter, message));
            }
        };
        let tls = builder.tls.then(|| tls::config(&trust, None, &WORDS)).transpose()?;
        Ok(Place { host, tls, builder })
    }

    /// A connection on which a user is logged in.
    pub(super) fn connect(&self, deadline: Deadline) -> Result<Session> {
        let deadline = self.builder.connect_within.map_or(deadline, |it| deadline.at_most(it));
        if let Host::Cluster(nodes) = &self.host {
            return self.owner(nodes, deadline);
        }
        let wire = self.wire(deadline).map_err(|error| fault::unreachable(self, error))?;
        let mut session = Session::new(wire);
        self.log_in(&mut session, deadline)?;
        Ok(session)
    }

    /// Logs a user in, where there is one, and takes the database.
    pub(super) fn log_in(&self, session: &mut Session, deadline: Deadline) -> Result<()> {
        let password =
            self.builder.password.clone().or_else(|| {
                env::var("REDISCLI_AUTH").ok().filter(|text| !text.is_empty()).map(Secret)
            });
        let database = self.builder.database.to_string();
        let mut commands: Vec<Vec<&[u8]>> = Vec::new();
        let user = self.builder.user.as_deref();
        if user.is_some() || password.is_some() {
            // Of a user who needs none any is right.
            let password = password.as_ref().map_or("", |Secret(password)| password);
            let words = [Some("AUTH"), user, Some(password)];
            commands.push(words.into_iter().flatten().map(str::as_bytes).collect());
        }
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

    /// A key of ours, with the part that decides its slot in a cluster.
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
            Host::Watched { master, sentinels } => {
                let (name, port) = self.master(master, sentinels, deadline)?;
                self.wire_to(&name, port, deadline)
            }
            Host::Cluster(_) => Err(strange("a node is looked for by its slot".to_owned())),
        }
    }

    pub(super) fn wire_to(&self, name: &str, port: u16, deadline: Deadline) -> io::Result<Wire> {
        let wire = Wire::Plain(Blocking::new(Link::to_host(name, port, deadline)?, deadline));
        match &self.tls {
            Some(config) => wire.secured(config, name),
            None => Ok(wire),
        }
    }

    /// Where the master is, by the first sentinel that answers.
    fn master(
        &self,
        master: &str,
        sentinels: &[(String, u16)],
        deadline: Deadline,
    ) -> io::Result<(String, u16)> {
        let mut failure = strange("no sentinel is named".to_owned());
        let count = u32::try_from(sentinels.len()).unwrap_or(u32::MAX);
        for ((name, port), left) in sentinels.iter().zip((1..=count).rev()) {
            match self.master_by(master, (name, *port), deadline.share(left)) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {
                    failure = strange(format!("the sentinel {name}:{port} knows no such master"));
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn master_by(
        &self,
        master: &str,
        (name, port): (&str, u16),
        deadline: Deadline,
    ) -> io::Result<Option<(String, u16)>> {
        let mut session = Session::new(self.wire_to(name, port, deadline)?);
        let question: [&[u8]; 3] = [b"SENTINEL", b"get-master-addr-by-name", master.as_bytes()];
        let answer = session.ask(&[&question], deadline)?.pop();
        let text = |it: OwnedFrame| match it {
            OwnedFrame::BulkString(bytes) => String::from_utf8(bytes).ok(),
            _ => None,
        };
        let no_sentinel = |said: &str| strange(format!("{name}:{port} is no sentinel: {said}"));
        match answer {
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

fn strange(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Host and database: neither user nor password.
impl fmt::Display for Place {
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
