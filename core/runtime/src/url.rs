//! Splits URLs: `scheme:address?name=value&…`. The known schemes and parameters are in the tables
//! of `schemes`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::errors;
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
            return Err(errors::url::scheme_missing(&redacted(url), example));
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
        Err(errors::url::source_without_path(called, &stands, &redacted(&right)))
    }

    /// Parses the parameters and assigns each to the taker that knows its name.
    pub(crate) fn parameters<const N: usize>(
        &self,
        takers: &[Taker<'_>; N],
    ) -> Result<[Parameters; N]> {
        let mut taken = std::array::from_fn(|_| Parameters::default());
        let mut secret = None;
        for pair in self.query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').ok_or_else(|| no_value(pair, secret))?;
            let Some(at) = takers.iter().position(|taker| taker.names.contains(&name)) else {
                return Err(unknown(self.scheme, name, secret, takers));
            };
            taken[at].add(name, value)?;
            secret = secret.or_else(|| is_secret(name).then_some(name));
        }
        Ok(taken)
    }
}

fn no_value(pair: &str, secret: Option<&str>) -> Error {
    match secret {
        Some(secret) => errors::url::no_parameter_behind_secret(Code::InvalidParameter, secret),
        None => errors::url::value_missing(&redacted(pair)),
    }
}

fn unknown(scheme: &str, name: &str, secret: Option<&str>, takers: &[Taker<'_>]) -> Error {
    if let Some(secret) = secret {
        return errors::url::no_parameter_behind_secret(Code::UnknownParameter, secret);
    }
    let meant = meant(name, takers.iter().flat_map(|taker| &taker.names).copied());
    let takers: Vec<_> = takers.iter().map(|taker| (taker.called, &*taker.names)).collect();
    errors::url::parameter_unknown(scheme, &redacted(name), &meant, &takers)
}

/// The error for a value that does not fit its parameter.
pub(crate) fn invalid(name: &str, value: &str, expected: &str) -> Error {
    errors::url::value_not_possible(name, shown(name, value), expected)
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
#[derive(Clone)]
pub(crate) struct Taker<'a> {
    /// Its name in messages.
    pub(crate) called: &'a str,
    pub(crate) names: Vec<&'static str>,
}

/// The parameter that may be repeated. Its value is a further URL.
const REPEATED: &str = "at";

/// Parameters that are taken one by one.
#[derive(Clone, Default)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(crate) fn add(&mut self, name: &str, value: &str) -> Result<()> {
        if name != REPEATED && self.0.iter().any(|(known, _)| known == name) {
            return Err(errors::url::parameter_repeated(name));
        }
        let value = percent_decode_str(value)
            .decode_utf8()
            .map_err(|error| errors::url::value_not_utf8(name, error))?;
        self.0.push((name.to_owned(), value.into_owned()));
        Ok(())
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Adds the value of a parameter that is in the address instead.
    pub(crate) fn add_of_address(&mut self, name: &str, value: Option<String>) -> Result<()> {
        let Some(value) = value else { return Ok(()) };
        if self.0.iter().any(|(known, _)| known == name) {
            return Err(errors::url::parameter_also_in_address(name));
        }
        self.0.push((name.to_owned(), value));
        Ok(())
    }

    /// Adds the user and the password of an address.
    pub(crate) fn log_in(&mut self, machines: &Machines) -> Result<()> {
        self.add_of_address("user", machines.user.clone())?;
        let password = machines.password.clone().map(|Secret(password)| password);
        self.add_of_address("password", password)
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
    /// A path on this machine, or the name of a store in memory, as written in the URL.
    Path(String),
    Machines(Machines),
}

impl Address {
    #[cfg(any(test, feature = "sqlite"))]
    pub(crate) fn file(&self, called: &str) -> Result<&str> {
        match self {
            Address::Path(path) => Ok(path),
            Address::Machines(machines) => {
                Err(errors::url::file_of_another_machine(called, &machines.to_string()))
            }
        }
    }

    /// Returns the servers and the path on them. There are no servers if parameters name them, as in
    /// `postgres:///ids?host=/run/postgresql`. A path that begins without a slash gives `None`.
    pub(crate) fn machines(&self) -> Option<Machines> {
        match self {
            Address::Machines(machines) => Some(machines.clone()),
            Address::Path(path) if path.is_empty() || path.starts_with('/') => {
                let path = percent_decode_str(path).decode_utf8().ok()?.into_owned();
                Some(Machines { user: None, password: None, hosts: Vec::new(), path })
            }
            Address::Path(_) => None,
        }
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Machines {
    pub(crate) user: Option<String>,
    pub(crate) password: Option<Secret>,
    /// The servers in their order; empty if there is only a user with a path.
    pub(crate) hosts: Vec<HostPort>,
    /// The path after the servers, with its slash.
    pub(crate) path: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
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
            None if path.contains('@') || has_bare_at(query) => {
                return Err(errors::url::at_sign_behind_hosts());
            }
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
            return Err(errors::url::at_sign_behind_hosts());
        }
        if path.starts_with("/,") || (hosts.contains(',') && hosts.ends_with(':')) {
            return Err(errors::url::hosts_with_schemes_or_paths());
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

fn decoded(what: &str, text: &str) -> Result<String> {
    let decoded = percent_decode_str(text)
        .decode_utf8()
        .map_err(|error| errors::url::part_not_utf8(what, error))?;
    Ok(decoded.into_owned())
}

impl HostPort {
    /// Parses a host. Errors show no part of the text, because it may belong to a password.
    pub(crate) fn parse(text: &str) -> Result<HostPort> {
        let (host, port) = match text.strip_prefix('[').map(|text| text.split_once(']')) {
            Some(Some((host, rest))) => {
                (host, rest.strip_prefix(':').or(rest.is_empty().then_some("")))
            }
            Some(None) => return Err(errors::url::bracket_not_closed()),
            None => match text.split_once(':') {
                Some((_, port)) if port.contains(':') => {
                    return Err(errors::url::brackets_missing());
                }
                Some((host, port)) => (host, Some(port).filter(|port| !port.is_empty())),
                None => (text, Some("")),
            },
        };
        let port = match port {
            Some("") => None,
            Some(port) => port
                .parse()
                .ok()
                .filter(|port| *port > 0)
                .map(Some)
                .ok_or_else(errors::url::port_out_of_range)?,
            None => return Err(errors::url::port_out_of_range()),
        };
        let host = decoded("host", host)?;
        if host.is_empty() {
            return Err(errors::url::host_without_name());
        }
        Ok(HostPort { host, port })
    }
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
