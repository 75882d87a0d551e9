//! Source URLs: `kind[+store]:path?name=value&…`.

use std::str::FromStr;

use percent_encoding::percent_decode_str;
use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::names::invalid;

/// A source URL taken apart. Parameters are taken one by one; those left over are unknown.
#[derive(Debug)]
pub(crate) struct SourceUrl<'a> {
    /// What to open: `snowflake`, `segment`, ….
    pub(crate) kind: &'a str,
    /// The store's kind, where one is named.
    pub(crate) store: Option<&'a str>,
    /// What follows the scheme, up to the `?`, as it stands.
    pub(crate) path: &'a str,
    parameters: Vec<(String, String)>,
    asked: Vec<&'static str>,
}

impl<'a> SourceUrl<'a> {
    /// Takes a URL apart.
    pub(crate) fn parse(url: &'a str) -> Result<SourceUrl<'a>> {
        let Some((scheme, rest)) = url.split_once(':') else {
            let message = format!(
                "{url:?} is no source URL: it should look like \
                 snowflake+sqlite:ids.db?layout=twitter"
            );
            return Err(Error::new(Code::InvalidUrl, message));
        };
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (kind, store) = match scheme.split_once('+') {
            Some((kind, store)) => (kind, Some(store)),
            None => (scheme, None),
        };
        // `sqlite:///dir/ids.db` is the same as `sqlite:/dir/ids.db`.
        let path = path.strip_prefix("//").filter(|path| path.starts_with('/')).unwrap_or(path);
        Ok(SourceUrl { kind, store, path, parameters: parameters(query)?, asked: Vec::new() })
    }

    /// The value of a parameter, if it is given.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<String> {
        self.asked.push(name);
        let at = self.parameters.iter().position(|(known, _)| known == name)?;
        Some(self.parameters.remove(at).1)
    }

    /// The value of a parameter as a number or the like.
    pub(crate) fn take_parsed<T: FromStr>(
        &mut self,
        name: &'static str,
        expected: &str,
    ) -> Result<Option<T>> {
        let Some(text) = self.take(name) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| invalid(name, &text, expected))
    }

    /// Refuses parameters that nobody asked for.
    pub(crate) fn finish(&self) -> Result<()> {
        let Some((name, _)) = self.parameters.first() else { return Ok(()) };
        let known = self.asked.join(", ");
        let message = format!("{} has no parameter {name:?}; it has {known}", self.kind);
        Err(Error::new(Code::UnknownParameter, message))
    }
}

fn parameters(query: &str) -> Result<Vec<(String, String)>> {
    let mut parameters: Vec<(String, String)> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let Some((name, value)) = pair.split_once('=') else {
            let message = format!("the parameter {pair:?} has no value: write {pair}=…");
            return Err(Error::new(Code::InvalidParameter, message));
        };
        if parameters.iter().any(|(known, _)| known == name) {
            let message = format!("the parameter {name:?} stands twice");
            return Err(Error::new(Code::InvalidParameter, message));
        }
        let value = percent_decode_str(value).decode_utf8().map_err(|error| {
            let message = format!("the value of {name:?} is not UTF-8");
            Error::new(Code::InvalidParameter, message).caused_by(error)
        })?;
        parameters.push((name.to_owned(), value.into_owned()));
    }
    Ok(parameters)
}
