//! The settings of TLS, and which of them belong together.

use std::path::Path;

use snowmint::Result;

use super::table::{Config, Tls};
use crate::errors;

impl Tls {
    /// Returns true if TCP connections use TLS.
    pub(crate) fn is_on(&self) -> bool {
        !self.certificate.as_os_str().is_empty()
    }

    /// Checks that certificate and key are set together, and that client certificates are only
    /// asked for with TLS.
    pub(super) fn check(&self) -> Result<()> {
        let is_set = |path: &Path| !path.as_os_str().is_empty();
        match (is_set(&self.certificate), is_set(&self.key), is_set(&self.client_ca)) {
            (true, false, _) => Err(errors::config::key_unset()),
            (false, true, _) => Err(errors::config::certificate_unset()),
            (false, false, true) => Err(errors::config::client_ca_alone()),
            _ => Ok(()),
        }
    }

    /// Checks that `ordered.address` fits the way this server listens, and that it has authorities
    /// if other servers use TLS.
    pub(super) fn check_peers(&self, address: &str, ca: &Path) -> Result<()> {
        match (address.starts_with("https:"), ca.as_os_str().is_empty()) {
            (true, true) => Err(errors::config::ordered_ca_unset()),
            (false, _) if self.is_on() => Err(errors::config::ordered_address_unencrypted(address)),
            _ => Ok(()),
        }
    }
}

impl Config {
    /// Refuses addresses off loopback without TLS: others on the network could read and change IDs.
    pub(super) fn refuse_plaintext(&self) -> Result<()> {
        let listening = self.listening().map(|(_, address)| address);
        let mut beyond = listening.filter(|address| !address.is_local());
        match beyond.next() {
            Some(address) if !self.allow_plaintext && !self.tls.is_on() => {
                Err(errors::config::address_unencrypted(address))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Layers;
    use super::super::layers::load;
    use super::*;

    fn of(text: &str) -> Result<Config> {
        load(&Layers { file: Some(text.to_owned()), ..Layers::default() })
    }

    const BOTH: &str = "[tls]\ncertificate = 'c.pem'\nkey = 'k.pem'\n";

    #[test]
    fn a_certificate_and_its_key_come_together() {
        for text in ["certificate = 'c.pem'", "key = 'k.pem'", "client_ca = 'ca.pem'"] {
            let error = of(&format!("[tls]\n{text}")).unwrap_err().to_string();
            assert!(error.contains("is set without"), "{error}");
        }
        assert!(of(BOTH).unwrap().tls.is_on());
        assert!(of(&format!("{BOTH}client_ca = 'ca.pem'")).is_ok());
    }

    #[test]
    fn other_servers_are_asked_as_they_listen() {
        let ordered = |address: &str| {
            format!(
                "[sources]\na = 'segment+sqlite:a?tag=a'\n[ordered]\nsources = ['a']\n\
                 store = 'sqlite:a'\naddress = '{address}'\n"
            )
        };
        let wrong = |text: String| of(&text).unwrap_err().to_string();
        assert!(wrong(ordered("http://a") + BOTH).contains("write https://"));
        assert!(wrong(ordered("https://a")).contains("ordered.ca is not set"));
        assert!(of(&(ordered("https://a") + "ca = 'ca.pem'\n" + BOTH)).is_ok());
        assert!(of(&ordered("http://a")).is_ok());
    }
}
