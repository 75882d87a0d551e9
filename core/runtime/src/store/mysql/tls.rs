//! How connections are secured, in the words of MySQL's clients.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use rustls::ClientConfig;
use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::store::remote::tls::{self, Trust, Words};

/// How a connection is secured: the words of MySQL's `ssl-mode`.
///
/// A connection over a Unix socket is never encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MysqlSslMode {
    /// Not at all.
    Disabled,
    /// Encrypted where the server can, without knowing who it is: unless set, and no authorities
    /// are named.
    Preferred,
    /// Encrypted, without knowing who the server is. One that wants to be shown the password, as
    /// MySQL's `caching_sha2_password` does at a user's first log-in, is refused; so it is above.
    Required,
    /// Encrypted, and one of the authorities that are named vouches for the server's certificate:
    /// unless set, where some are.
    VerifyCa,
    /// Encrypted, and the certificate is for the host that was named, by the word of an authority
    /// that is named or, without one, of the system's.
    VerifyIdentity,
}

/// What can be written in a URL; also in capitals, and as PostgreSQL's clients write it.
pub(super) const SSL_MODES: &str = "disabled, preferred, required, verify_ca or verify_identity";
/// Names the file of authorities.
pub(super) const SSL_CA: &str = "ssl-ca";

pub(super) const WORDS: Words =
    Words { roots: SSL_CA, authority: Some("ssl-mode=verify_ca"), plain: "ssl-mode=disabled" };

impl FromStr for MysqlSslMode {
    type Err = ();

    fn from_str(text: &str) -> Result<MysqlSslMode, ()> {
        match text.to_ascii_lowercase().replace('-', "_").as_str() {
            "disabled" | "disable" => Ok(MysqlSslMode::Disabled),
            "preferred" | "prefer" => Ok(MysqlSslMode::Preferred),
            "required" | "require" => Ok(MysqlSslMode::Required),
            "verify_ca" => Ok(MysqlSslMode::VerifyCa),
            "verify_identity" | "verify_full" => Ok(MysqlSslMode::VerifyIdentity),
            _ => Err(()),
        }
    }
}

impl MysqlSslMode {
    /// Whether somebody vouches for the server.
    pub(super) fn verifies(self) -> bool {
        matches!(self, MysqlSslMode::VerifyCa | MysqlSslMode::VerifyIdentity)
    }
}

/// What connections are secured by.
pub(super) struct Security {
    pub(super) config: Arc<ClientConfig>,
    /// Whether a server that cannot is left.
    pub(super) is_required: bool,
    /// Whether somebody vouches for the server.
    pub(super) is_verified: bool,
}

/// What connections are secured by; none for those that are not.
pub(super) fn config(mode: Option<MysqlSslMode>, roots: Option<&Path>) -> Result<Option<Security>> {
    let unset = if roots.is_some() { MysqlSslMode::VerifyCa } else { MysqlSslMode::Preferred };
    let mode = mode.unwrap_or(unset);
    let trust = match (mode, roots.map(Path::to_owned)) {
        (MysqlSslMode::Disabled | MysqlSslMode::Preferred | MysqlSslMode::Required, Some(_)) => {
            let message = format!(
                "{SSL_CA} names authorities that nobody would ask: say ssl-mode=verify_ca or \
                 verify_identity"
            );
            return Err(Error::new(Code::InvalidParameter, message));
        }
        (MysqlSslMode::Disabled, None) => return Ok(None),
        (MysqlSslMode::Preferred | MysqlSslMode::Required, None) => Trust::Any,
        (MysqlSslMode::VerifyCa, Some(file)) => Trust::Authority(file),
        (MysqlSslMode::VerifyCa, None) => {
            let message = format!(
                "ssl-mode=verify_ca needs the file of your own authorities, as the system's sign \
                 for anybody: name it by {SSL_CA}, or say ssl-mode=verify_identity"
            );
            return Err(Error::new(Code::InvalidParameter, message));
        }
        (MysqlSslMode::VerifyIdentity, file) => Trust::Name(file),
    };
    Ok(Some(Security {
        config: tls::config(&trust, None, &WORDS)?,
        is_required: mode != MysqlSslMode::Preferred,
        is_verified: mode.verifies(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_read_as_both_communities_write_them() {
        for (text, mode) in [
            ("DISABLED", MysqlSslMode::Disabled),
            ("preferred", MysqlSslMode::Preferred),
            ("REQUIRED", MysqlSslMode::Required),
            ("require", MysqlSslMode::Required),
            ("VERIFY_CA", MysqlSslMode::VerifyCa),
            ("verify-ca", MysqlSslMode::VerifyCa),
            ("VERIFY_IDENTITY", MysqlSslMode::VerifyIdentity),
            ("verify-full", MysqlSslMode::VerifyIdentity),
        ] {
            assert_eq!(text.parse(), Ok(mode), "{text}");
        }
        assert!("allow".parse::<MysqlSslMode>().is_err());
    }

    /// One that is named and not asked would seem to be.
    #[test]
    fn authorities_are_asked_or_refused() {
        let file = Some(Path::new("/nowhere.pem"));
        for mode in [MysqlSslMode::Disabled, MysqlSslMode::Preferred, MysqlSslMode::Required] {
            let message = config(Some(mode), file).err().unwrap().to_string();
            assert!(message.contains("verify_ca"), "{message}");
        }
        for mode in [None, Some(MysqlSslMode::VerifyCa), Some(MysqlSslMode::VerifyIdentity)] {
            let message = config(mode, file).err().unwrap().to_string();
            assert!(message.contains("/nowhere.pem cannot be read"), "{message}");
        }
        let message = config(Some(MysqlSslMode::VerifyCa), None).err().unwrap().to_string();
        assert!(message.contains("name it by ssl-ca"), "{message}");
        assert!(config(Some(MysqlSslMode::Disabled), None).unwrap().is_none());
        let is_required = |mode| config(mode, None).unwrap().unwrap().is_required;
        assert!(!is_required(None) && !is_required(Some(MysqlSslMode::Preferred)));
        assert!(is_required(Some(MysqlSslMode::Required)));
    }
}
