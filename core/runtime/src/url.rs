//! Splits URLs: `scheme:address?name=value&…`. The known schemes and parameters are in the tables
//! of `schemes`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::secrets::{Secret, is_secret, redacted, shown};

/// A URL in its parts, which are not checked yet.
pub(crate) struct UrlText<'a> {
    /// The text before the first colon.
    pub(crate) scheme: &'a str,
    address: &'a str,
    query: &'a str,
}

impl<'a> UrlText<'a> {
    /// Splits a URL. `example` is a valid URL for the error message.
    pub(crate) fn parse(url: &'a str, example: &str) -> Result<UrlText<'a>> {
        let Some((scheme, rest)) = url.split_once(':') else {
            let message = format!("{:?} is no URL: it should look like {example}", redacted(url));
            return Err(Error::new(Code::InvalidUrl, message));
        };
        let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
        Ok(UrlText { scheme, address, query })
    }

    /// The kind of a source, and the scheme of its store if one is named.
    pub(crate) fn kind_and_store(&self) -> (&'a str, Option<&'a str>) {
        match self.scheme.split_once('+') {
            Some((kind, store)) => (kind, Some(store)),
            None => (self.scheme, None),
        }
    }

    /// Returns the same address with another scheme, with or without its path, and with only the
    /// named parameters.
    pub(crate) fn by_scheme(&self, scheme: &str, has_path: bool, names: &[&str]) -> String {
        let address = match self.address.strip_prefix("//").filter(|_| !has_path) {
            Some(machines) => &self.address[..2 + machines.find('/').unwrap_or(machines.len())],
            None => self.address,
        };
        let is_own = |pair: &&str| pair.split_once('=').is_some_and(|it| names.contains(&it.0));
        let own: Vec<_> = self.query.split('&').filter(is_own).collect();
        let mark = if own.is_empty() { "" } else { "?" };
        format!("{scheme}:{address}{mark}{}", own.join("&"))
    }

    /// The path after the machines of an address.
    pub(crate) fn path_of_machines(&self) -> &'a str {
        let machines = self.address.strip_prefix("//").unwrap_or_default();
        machines.find('/').map_or("", |at| &machines[at..])
    }

    /// The part between the scheme and the parameters.
    pub(crate) fn address(&self) -> Result<Address> {
        match self.address.strip_prefix("//") {
            // `sqlite:///dir/ids.db` is the same as `sqlite:/dir/ids.db`.
            Some(path) if path.starts_with('/') => Ok(Address::Path(path.to_owned())),
            None => Ok(Address::Path(self.address.to_owned())),
            Some(machines) => Machines::parse(machines, self.query).map(Address::Machines),
        }
    }

    /// Checks that the address is empty, for a source without a store.
    pub(crate) fn no_address(&self, called: &str) -> Result<()> {
        let stands = match self.address {
            "" => return Ok(()),
            "//" => "//".to_owned(),
            _ => self.address()?.shown().into_owned(),
        };
        let mark = if self.query.is_empty() { "" } else { "?" };
        let right = format!("{called}:{mark}{}", self.query);
        let right = redacted(&right);
        let message =
            format!("{called}: takes no path, but {stands:?} stands there: write {right}");
        Err(Error::new(Code::InvalidUrl, message))
    }

    /// Parses the parameters and assigns each to the taker that knows its name.
    pub(crate) fn parameters<const N: usize>(
        &self,
        takers: [Taker<'_>; N],
    ) -> Result<[Parameters; N]> {
        let mut taken = std::array::from_fn(|_| Parameters::default());
        let mut secret = None;
        for pair in self.query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').ok_or_else(|| no_value(pair, secret))?;
            let Some(at) = takers.iter().position(|taker| taker.names.contains(&name)) else {
                return Err(unknown(self.scheme, name, secret, &takers));
            };
            taken[at].add(name, value)?;
            secret = secret.or_else(|| is_secret(name).then_some(name));
        }
        Ok(taken)
    }
}

fn no_value(pair: &str, secret: Option<&str>) -> Error {
    let message = match secret {
        Some(secret) => after(secret),
        None => {
            let pair = redacted(pair);
            format!("the parameter {pair:?} has no value: write {pair}=…")
        }
    };
    Error::new(Code::InvalidParameter, message)
}

/// The text after a secret parameter may be the end of its value, so it is not shown.
fn after(secret: &str) -> String {
    format!("what follows {secret}= is no parameter: write & in a value as %26")
}

fn unknown(scheme: &str, name: &str, secret: Option<&str>, takers: &[Taker<'_>]) -> Error {
    let message = match secret {
        Some(secret) => after(secret),
        None => {
            let all = takers.iter().flat_map(|taker| taker.names).copied();
            let meant = meant(name, all);
            let each: Vec<_> = takers.iter().map(Taker::list).collect();
            let (name, each) = (redacted(name), each.join("; "));
            format!("{scheme} has no parameter {name:?}{meant}: {each}")
        }
    };
    Error::new(Code::UnknownParameter, message)
}

/// The error for a value that does not fit its parameter.
pub(crate) fn invalid(name: &str, value: &str, expected: &str) -> Error {
    let value = shown(name, value);
    Error::new(Code::InvalidParameter, format!("{name}={value:?} is not possible: use {expected}"))
}

/// Returns the known name that was probably meant, as a question, or an empty text.
pub(crate) fn meant(name: &str, known: impl Iterator<Item = &'static str>) -> String {
    /// Two errors, such as a wrong letter and two swapped letters.
    const ERRORS_MAX: usize = 2;
    // Beginnings of names count as similar, for example `max_ahead`, or `worker_id` for `worker`.
    let begins = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| !rest.is_empty() && short.len() > 2)
    };
    let distance = |known: &str| match begins(known, name) || begins(name, known) {
        true => 1,
        false => strsim::osa_distance(name, known),
    };
    let near = known.map(|known| (distance(known), known)).min();
    match near {
        Some((errors, near))
            if (1..=ERRORS_MAX).contains(&errors) && errors < near.len().min(name.len()) =>
        {
            format!(", did you mean {near}?")
        }
        _ => String::new(),
    }
}

/// The names of the parameters of a source or a store.
#[derive(Clone, Copy)]
pub(crate) struct Taker<'a> {
    /// Its name in messages.
    pub(crate) called: &'a str,
    pub(crate) names: &'static [&'static str],
}

impl Taker<'_> {
    fn list(&self) -> String {
        let names = if self.names.is_empty() { "none" } else { &self.names.join(", ") };
        format!("{} takes {names}", self.called)
    }
}

/// The parameter that may be repeated. Its value is a further URL.
const REPEATED: &str = "at";

/// Parameters that are taken one by one.
#[derive(Clone, Default)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(crate) fn add(&mut self, name: &str, value: &str) -> Result<()> {
        if name != REPEATED && self.0.iter().any(|(known, _)| known == name) {
            let message = format!("the parameter {name:?} stands twice");
            return Err(Error::new(Code::InvalidParameter, message));
        }
        let value = percent_decode_str(value).decode_utf8().map_err(|error| {
            let message = format!("the value of {name:?} is not UTF-8");
            Error::new(Code::InvalidParameter, message).caused_by(error)
        })?;
        self.0.push((name.to_owned(), value.into_owned()));
        Ok(())
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes the value of a parameter that may be in the address instead.
    #[cfg(any(feature = "etcd", feature = "mysql", feature = "redis", feature = "zookeeper"))]
    pub(crate) fn take_once(
        &mut self,
        name: &str,
        named: Option<String>,
    ) -> Result<Option<String>> {
        match (named, self.take(name)) {
            (Some(_), Some(_)) => {
                let message =
                    format!("{name} stands in the address and as a parameter: say it once");
                Err(Error::new(Code::InvalidParameter, message))
            }
            (named, given) => Ok(named.or(given)),
        }
    }

    /// Takes the values of the parameter that may be repeated.
    pub(crate) fn take_repeated(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.take(REPEATED)).collect()
    }

    pub(crate) fn take_parsed<T: FromStr>(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>> {
        let Some(text) = self.take(name) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| invalid(name, &text, expected))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |(name, value): &(String, String)| {
            (name.clone(), redacted(shown(name, value)).into_owned())
        };
        f.debug_map().entries(self.0.iter().map(pair)).finish()
    }
}

#[derive(Debug)]
pub(crate) enum Address {
    /// A path on this machine, as written in the URL; empty for a store in memory.
    Path(String),
    Machines(Machines),
}

impl Address {
    #[cfg(any(test, feature = "sqlite"))]
    pub(crate) fn file(&self, called: &str) -> Result<&str> {
        match self {
            Address::Path(path) => Ok(path),
            Address::Machines(machines) => {
                let message = format!(
                    "{called} is a file of this machine, but {machines} names another: write \
                     {called}:ids.db, or {called}:/dir/ids.db"
                );
                Err(Error::new(Code::InvalidUrl, message))
            }
        }
    }

    /// Checks that the address is empty.
    pub(crate) fn none(&self, called: &str) -> Result<()> {
        if matches!(self, Address::Path(path) if path.is_empty()) {
            return Ok(());
        }
        let stands = self.shown();
        let message = format!("{called}: takes no path, but {stands:?} stands there");
        Err(Error::new(Code::InvalidUrl, message))
    }

    /// The address without a password.
    fn shown(&self) -> Cow<'_, str> {
        match self {
            Address::Path(path) => redacted(path),
            Address::Machines(machines) => Cow::Owned(machines.to_string()),
        }
    }
}

/// Servers with a path on them: `//user:password@host:port,host:port/path`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Machines {
    pub(crate) user: Option<String>,
    pub(crate) password: Option<Secret>,
    /// The servers in their order; empty if there is only a user with a path.
    pub(crate) hosts: Vec<HostPort>,
    /// The path after the servers, with its slash.
    pub(crate) path: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HostPort {
    /// A name or an address; an IPv6 address without its brackets.
    pub(crate) host: String,
    pub(crate) port: Option<u16>,
}

impl Machines {
    /// Parses the text between the two slashes and the parameters.
    fn parse(text: &str, query: &str) -> Result<Machines> {
        let (authority, path) = text.split_at(text.find('/').unwrap_or(text.len()));
        let (users, hosts) = match authority.rsplit_once('@') {
            Some((users, hosts)) => (Some(users), hosts),
            // An `@` further on means that a part of a password looks like a host, a path or a
            // parameter.
            None if path.contains('@') || has_bare_at(query) => return Err(bare_at()),
            None => (None, authority),
        };
        let (user, password) = match users.map(|users| users.split_once(':').unwrap_or((users, "")))
        {
            Some((user, password)) => (decoded("user", user)?, decoded("password", password)?),
            None => (String::new(), String::new()),
        };
        // `//ann@/ids?host=…`: the hosts are parameters.
        let has_hosts = !hosts.is_empty() || users.is_none() || path.is_empty();
        if !has_hosts && (path.contains('@') || has_bare_at(query)) {
            return Err(bare_at());
        }
        if path.starts_with("/,") || (hosts.contains(',') && hosts.ends_with(':')) {
            return Err(wrong_host(SEVERAL));
        }
        let hosts = hosts.split(',').filter(|_| has_hosts);
        Ok(Machines {
            user: Some(user).filter(|user| !user.is_empty()),
            password: Some(password).filter(|password| !password.is_empty()).map(Secret),
            hosts: hosts.map(HostPort::parse).collect::<Result<_>>()?,
            path: decoded("path", path)?,
        })
    }
}

/// Returns true if the parameters contain an `@`, except in parameters that are URLs.
fn has_bare_at(query: &str) -> bool {
    let is_url = |pair: &str| pair.split_once('=').is_some_and(|(name, _)| name == REPEATED);
    query.split('&').any(|pair| pair.contains('@') && !is_url(pair))
}

fn bare_at() -> Error {
    let message = "an @ stands behind the hosts: in a password write / as %2F, ? as %3F and @ as \
                   %40, and @ anywhere else as %40";
    Error::new(Code::InvalidUrl, message)
}

fn decoded(what: &str, text: &str) -> Result<String> {
    let decoded = percent_decode_str(text).decode_utf8().map_err(|error| {
        Error::new(Code::InvalidUrl, format!("the {what} is not UTF-8")).caused_by(error)
    })?;
    Ok(decoded.into_owned())
}

impl HostPort {
    /// Parses a host. Errors show no part of the text, because it may belong to a password.
    pub(crate) fn parse(text: &str) -> Result<HostPort> {
        let (host, port) = match text.strip_prefix('[').map(|text| text.split_once(']')) {
            Some(Some((host, rest))) => {
                (host, rest.strip_prefix(':').or(rest.is_empty().then_some("")))
            }
            Some(None) => return Err(wrong_host("an IPv6 address has no closing bracket")),
            None => match text.split_once(':') {
                Some((_, port)) if port.contains(':') => {
                    return Err(wrong_host("an IPv6 address stands in brackets: [::1]:5432"));
                }
                Some((host, port)) => (host, Some(port).filter(|port| !port.is_empty())),
                None => (text, Some("")),
            },
        };
        let port = match port {
            Some("") => None,
            Some(port) => {
                port.parse().ok().filter(|port| *port > 0).map(Some).ok_or_else(wrong_port)?
            }
            None => return Err(wrong_port()),
        };
        let host = decoded("host", host)?;
        if host.is_empty() {
            return Err(wrong_host("a host has no name: write //host:port,host:port"));
        }
        Ok(HostPort { host, port })
    }
}

/// The error for a list of whole URLs, or for a list with a path in the middle.
const SEVERAL: &str = "several hosts have one scheme before them and one path behind them: write \
                       //host:port,host:port/path";

fn wrong_host(message: &str) -> Error {
    Error::new(Code::InvalidUrl, message)
}

fn wrong_port() -> Error {
    let message = "the port of a host is no number from 1 to 65535: write //host:port, and in a \
                   password / as %2F and ? as %3F";
    Error::new(Code::InvalidUrl, message)
}

/// Hides the password.
impl fmt::Display for Machines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("//")?;
        match (&self.user, &self.password) {
            (Some(user), Some(password)) => write!(f, "{user}:{password}@")?,
            (None, Some(password)) => write!(f, "{password}@")?,
            // A lone user may be a token.
            (Some(_), None) => write!(f, "{}@", Secret::default())?,
            (None, None) => {}
        }
        for (at, host) in self.hosts.iter().enumerate() {
            write!(f, "{}{host}", if at > 0 { "," } else { "" })?;
        }
        f.write_str(&self.path)
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.host.contains(':') { ("[", "]") } else { ("", "") };
        write!(f, "{open}{}{close}", self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

#[cfg(test)]
mod tests;
