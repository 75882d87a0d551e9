//! Connects to the hosts of a database.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::builder::{Host, MysqlBuilder};
use super::errors;
use super::fault::Fault;
use super::options::Options;
use super::session::Session;
use super::tls::{self, MysqlSslMode, Security};
use super::wire::{Login, Tls};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KnownKeySpace;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::link::Link;
use crate::store::sql::servers::hosts;

/// A database, as its builder and the option file describe it.
pub(super) struct Endpoint {
    hosts: Vec<Host>,
    user: String,
    database: String,
    /// The TLS configuration; `None` without TLS.
    tls: Option<Security>,
    builder: MysqlBuilder,
    /// True once a server has said that it is MariaDB.
    is_mariadb: AtomicBool,
    known: KnownKeySpace,
}

impl Endpoint {
    pub(super) fn new(builder: MysqlBuilder) -> Result<Endpoint> {
        let options = Options::read(builder.option_file.as_deref());
        let mut hosts = builder.hosts.clone();
        if hosts.is_empty() {
            hosts.extend(options.server());
        }
        if hosts.is_empty() {
            return Err(errors::server_missing(&options.note));
        }
        let is_far = hosts.iter().any(|host| matches!(host, Host::Machine { .. }));
        let tls = match is_far {
            true => security(&builder, &options)?,
            false => None,
        };
        let user = builder.user.clone().or(options.user.clone());
        let user = user.ok_or_else(|| errors::user_missing(&options.note))?;
        let database = builder.database.clone().ok_or_else(errors::database_missing)?;
        let (known, is_mariadb) = (KnownKeySpace::new(builder.key_space), AtomicBool::new(false));
        Ok(Endpoint { hosts, user, database, tls, builder, is_mariadb, known })
    }

    /// Returns the key space that the store has to be.
    pub(super) fn known(&self) -> &KnownKeySpace {
        &self.known
    }

    /// Returns what messages call the servers: "MySQL" until one has said that it is MariaDB.
    pub(super) fn place(&self) -> String {
        let kind = if self.is_mariadb.load(Ordering::Relaxed) { "MariaDB" } else { "MySQL" };
        format!("{kind} {self}")
    }

    /// Returns why the option file was not read, for the message to a refused user.
    fn note(&self) -> String {
        match self.builder.password {
            Some(_) => String::new(),
            None => self.options().note,
        }
    }

    fn options(&self) -> Options {
        Options::read(self.builder.option_file.as_deref())
    }

    /// Returns the password. The option file is read anew each time, because passwords change.
    fn password(&self) -> Option<Secret> {
        self.builder.password.clone().or_else(|| self.options().password_of(&self.user))
    }

    /// Returns true if the server's certificate is verified.
    pub(super) fn is_verified(&self) -> bool {
        self.tls.as_ref().is_some_and(|security| security.is_verified)
    }

    /// Returns true if the server's durability settings are checked.
    fn is_checked(&self) -> bool {
        !self.builder.durability_declared
    }

    /// Connects to the first host that accepts.
    pub(super) fn connect(&self, deadline: Deadline) -> Result<Session, Fault> {
        let within = self.builder.connect_within;
        let connected = hosts::connect(&self.hosts, within, deadline, |host, deadline| {
            self.log_in(host, deadline)
        });
        connected.map_err(|fault| fault.noted(|| self.note()))
    }

    fn log_in(&self, host: &Host, deadline: Deadline) -> Result<Session, Fault> {
        let (link, tls) = match host {
            Host::Socket(path) => (Link::to_path(Path::new(path), deadline), None),
            Host::Machine { name, port } => {
                let tls = self.tls.as_ref().map(|security| Tls { security, host: name });
                (Link::to_host(name, *port, deadline), tls)
            }
        };
        let password = self.password();
        let (password, user, database) = (password.as_ref(), &*self.user, &*self.database);
        let is_mariadb = &self.is_mariadb;
        let login = Login { user, password, database, tls, is_mariadb };
        let link = link.map_err(Fault::Unreachable)?;
        let mut session = Session::log_in(link, &login, self.is_checked(), deadline)?;
        if self.hosts.len() > 1 {
            session.guard(deadline)?;
        }
        Ok(session)
    }
}

/// Combines the builder's settings with the option file's. The builder's come first: a setting that
/// only the file has never weakens them. The file's authorities apply to all modes that verify.
fn security(builder: &MysqlBuilder, options: &Options) -> Result<Option<Security>> {
    let said = options.ssl_mode()?;
    let said = said.filter(|mode| builder.ssl_ca.is_none() || mode.verifies());
    let asks = builder.ssl_mode.is_none_or(MysqlSslMode::verifies);
    let roots = options.ssl_ca.as_deref().filter(|_| asks);
    tls::config(builder.ssl_mode.or(said), builder.ssl_ca.as_deref().or(roots))
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Socket(path) => f.write_str(path),
            Host::Machine { name, port } if name.contains(':') => write!(f, "[{name}]:{port}"),
            Host::Machine { name, port } => write!(f, "{name}:{port}"),
        }
    }
}

/// Shows the hosts and the database, but neither user nor password.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hosts::show(f, &self.hosts, Some(&self.database))
    }
}
