//! Connects to the hosts of a database.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode as Wanted;

use super::builder::{Host, PostgresBuilder};
use super::errors;
use super::fault::Fault;
use super::passwords::{Login, Passwords};
use super::schema::Schema;
use super::session::{Session, Terms};
use super::statement::Statement;
use super::tls::{self, Connector, SslMode};
use crate::error::Result;
use crate::store::KnownKeySpace;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::link::Link;
use crate::store::sql::servers::hosts;

const APPLICATION_NAME: &str = "snowmint";

/// A database as its builder describes it, with its user and the certificates read from files.
pub(super) struct Endpoint {
    builder: PostgresBuilder,
    user: String,
    ssl_mode: SslMode,
    tls: Option<Arc<ClientConfig>>,
    terms: Terms,
    known: KnownKeySpace,
}

impl Endpoint {
    /// Describes a database with snowmint's tables.
    pub(super) fn new(builder: PostgresBuilder) -> Result<Endpoint> {
        let schema = Schema::new(builder.schema.as_deref())?;
        Endpoint::with(builder, Some(schema))
    }

    /// Describes a database with tables of others, which the user's search path finds.
    pub(super) fn of_others(builder: PostgresBuilder) -> Result<Endpoint> {
        Endpoint::with(builder, None)
    }

    fn with(builder: PostgresBuilder, schema: Option<Schema>) -> Result<Endpoint> {
        if builder.hosts.is_empty() {
            return Err(errors::host_missing());
        }
        let user = user(builder.user.as_deref())?;
        let roots = builder.ssl_root_certificates.as_deref();
        let ssl_mode = SslMode::meant(builder.ssl_mode, roots);
        let is_far = builder.hosts.iter().any(|host| host.socket().is_none());
        let tls = if is_far { tls::config(ssl_mode, roots)? } else { None };
        let is_checked = !builder.durability_declared;
        let terms = Terms { schema, is_checked, is_synchronous: builder.synchronous_replication };
        let known = KnownKeySpace::new(builder.key_space);
        Ok(Endpoint { builder, user, ssl_mode, tls, terms, known })
    }

    /// Reads the sources of passwords, anew for each connection, because passwords change.
    fn passwords(&self) -> Passwords {
        Passwords::read(self.builder.password_file.as_deref())
    }

    /// Returns what messages call the servers.
    pub(super) fn place(&self) -> String {
        format!("PostgreSQL {self}")
    }

    /// Returns why the password file was not read, for the message to a refused user.
    fn note(&self) -> String {
        if self.builder.password.is_some() { String::new() } else { self.passwords().note }
    }

    /// Returns the key space that the store has to be.
    pub(super) fn known(&self) -> &KnownKeySpace {
        &self.known
    }

    /// Returns true for the modes that always verify the server's certificate.
    pub(super) fn is_verified(&self) -> bool {
        matches!(self.ssl_mode, SslMode::VerifyCa | SslMode::VerifyFull)
    }

    /// Connects to the first host that accepts.
    pub(super) fn connect(&self, deadline: Deadline) -> Result<Session, Fault> {
        let within = self.builder.connect_within;
        let connected = hosts::connect(&self.builder.hosts, within, deadline, |host, deadline| {
            self.log_in(host, deadline)
        });
        connected.map_err(|fault| fault.noted(|| self.note()))
    }

    fn log_in(&self, host: &Host, deadline: Deadline) -> Result<Session, Fault> {
        let link = match host.socket() {
            Some(path) => Link::to_path(Path::new(&path), deadline),
            None => Link::to_host(&host.name, host.port, deadline),
        };
        let connector = self.connector(host)?;
        let config = self.config(host, &connector);
        let link = link.map_err(Fault::Unreachable)?;
        let mut session = Session::log_in(link, &config, connector, self.terms.clone(), deadline)?;
        if self.builder.read_write {
            let asked = Statement::plain("SELECT current_setting('transaction_read_only') = 'on'");
            for row in session.read(&asked, deadline)? {
                if row.try_get(0)? {
                    return Err(Fault::read_only());
                }
            }
        }
        Ok(session)
    }

    /// Returns the TLS configuration for a host. A Unix socket needs none.
    fn connector(&self, host: &Host) -> Result<Connector> {
        let Some(tls) = self.tls.as_ref().filter(|_| host.socket().is_none()) else {
            return Ok(Connector(None));
        };
        let name = ServerName::try_from(host.name.clone())
            .map_err(|error| errors::host_name_malformed(&host.name, error))?;
        Ok(Connector(Some((Arc::clone(tls), name))))
    }

    fn config(&self, host: &Host, connector: &Connector) -> Config {
        let PostgresBuilder { password, database, .. } = &self.builder;
        let mut config = Config::new();
        config.ssl_mode(match (&connector.0, self.ssl_mode) {
            (None, _) | (_, SslMode::Disable) => Wanted::Disable,
            (_, SslMode::Prefer) => Wanted::Prefer,
            _ => Wanted::Require,
        });
        let name = self.builder.application_name.as_deref().unwrap_or(APPLICATION_NAME);
        config.application_name(name).user(&self.user);
        if let Some(database) = database {
            config.dbname(database);
        }
        let database = database.as_deref().unwrap_or(&self.user);
        let login = Login { host: &host.name, port: host.port, database, user: &self.user };
        // Without any password the driver fails by itself, and its error does not name the user.
        let password = password.clone().or_else(|| self.passwords().of(&login)).unwrap_or_default();
        config.password(password.0);
        config
    }
}

/// Returns the named user, or the environment's, or the operating system's.
fn user(named: Option<&str>) -> Result<String> {
    let named = named.map(str::to_owned).filter(|user| !user.is_empty());
    let of_environment = || std::env::var("PGUSER").ok().filter(|user| !user.is_empty());
    let Some(user) = named.or_else(of_environment) else {
        return whoami::username().map_err(errors::user_missing);
    };
    Ok(user)
}

impl Host {
    /// Returns the path of the socket, if the host is one of this machine.
    fn socket(&self) -> Option<String> {
        let directory = self.name.strip_suffix('/').unwrap_or(&self.name);
        self.name.starts_with('/').then(|| format!("{directory}/.s.PGSQL.{}", self.port))
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.socket() {
            Some(path) => f.write_str(&path),
            None if self.name.contains(':') => write!(f, "[{}]:{}", self.name, self.port),
            None => write!(f, "{}:{}", self.name, self.port),
        }
    }
}

/// Shows the hosts and the database, but neither user nor password.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hosts::show(f, &self.builder.hosts, self.builder.database.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_builder_and_its_config_show_no_password() {
        let builder = PostgresBuilder::default().host("db", 1).user("ann").password("S3CRET");
        let endpoint = Endpoint::new(builder.clone()).unwrap();
        let config = endpoint.config(&builder.hosts[0], &Connector(None));
        assert_eq!(config.get_password(), Some(&b"S3CRET"[..]));
        let shown = format!("{builder:?} {config:?} {endpoint}");
        assert!(shown.contains("ann") && !shown.contains("S3CRET"), "{shown}");
    }
}
