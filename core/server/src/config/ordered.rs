//! The settings of sources whose numbers rise over all servers.

use std::collections::BTreeMap;
use std::time::Duration;

use hyper::Uri;
use snowmint::Result;

use super::table::{Ordered, Tls};
use crate::errors;

/// A limit, because each has a thread.
const MAX_ORDERED: usize = 64;

impl Ordered {
    pub(crate) fn wait(&self) -> Duration {
        Duration::from_millis(self.wait_ms.into())
    }

    /// Checks that servers can find each other: a shared store, and an address that others can
    /// reach.
    pub(super) fn check(&self, sources: &BTreeMap<String, String>, tls: &Tls) -> Result<()> {
        if self.sources.is_empty() {
            return Ok(());
        }
        if self.sources.len() > MAX_ORDERED {
            return Err(errors::config::ordered_too_many(MAX_ORDERED));
        }
        let is_segment =
            |name: &&String| sources.get(*name).is_none_or(|url| url.starts_with("segment+"));
        if let Some(name) = self.sources.iter().find(|name| !is_segment(name)) {
            return Err(errors::config::ordered_not_segment(name));
        }
        let mut realms = BTreeMap::new();
        for name in &self.sources {
            let of_tag = realm(sources.get(name).map_or("", String::as_str));
            if let Some(other) = realms.insert(of_tag, name) {
                return Err(errors::config::ordered_of_one_tag(other, name));
            }
        }
        if self.store.is_empty() {
            return Err(errors::config::ordered_store_unset());
        }
        let uri = self.address.parse::<Uri>().ok();
        let is_address = uri.is_some_and(|uri| {
            matches!(uri.scheme_str(), Some("http" | "https"))
                && uri.host().is_some()
                && uri.path() == "/"
        });
        if !is_address || self.address.ends_with('/') {
            return Err(errors::config::ordered_address_malformed(&self.address));
        }
        tls.check_peers(&self.address, &self.ca)
    }
}

/// Returns the realm of a source's turns. It depends on the tag alone, because servers may have the
/// tag under different names and still only one at a time may give its numbers.
pub(crate) fn realm(url: &str) -> String {
    let parameters = url.split_once('?').map_or("", |(_, parameters)| parameters);
    let of = |name: &str| {
        let mut pairs = parameters.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
    };
    let namespace = of("namespace").map_or(String::new(), |namespace| format!("{namespace}/"));
    format!("turns of {namespace}{}", of("tag").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_of_a_tag_and_not_of_a_name() {
        let of = |url| realm(url);
        assert_eq!(of("segment+sqlite:a.db?tag=orders&step=10"), "turns of orders");
        assert_eq!(of("segment+redis://h?step=10&tag=orders"), "turns of orders");
        assert_eq!(of("segment+redis://h?namespace=shop&tag=orders"), "turns of shop/orders");
    }
}
