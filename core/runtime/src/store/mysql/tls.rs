//! TLS modes, in the words of MySQL's clients.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use rustls::ClientConfig;

use super::errors;
use crate::error::Result;
use crate::store::remote::tls::{self, Trust, Words};

/// Sets how a connection is secured, in the words of MySQL's `ssl-mode`.
///
/// A connection over a Unix socket is never encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MysqlSslMode {
    /// No encryption.
    Disabled,
    /// Encryption if the server supports it, without verifying the server. This is the default if
    /// you name no authorities.
    Preferred,
    /// Encryption, without verifying the server. In this mode and those above, a server on another
    /// machine that asks for the password itself is refused. MySQL's `caching_sha2_password` does
    /// so at a user's first log-in. The near end of a tunnel is on this machine.
    Required,
    /// Encryption, with a certificate that one of the authorities you name has signed. This is the
    /// default if you name authorities.
    VerifyCa,
    /// Encryption, with a certificate for the host that you named. It has to be signed by an
    /// authority that you name or, if you name none, by one of the system's.
    VerifyIdentity,
}

/// The words that a URL accepts; also in capitals, and as PostgreSQL's clients spell them.
pub(super) const SSL_MODES: &str = "disabled, preferred, required, verify_ca or verify_identity";
/// The parameter with the file of authorities.
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
    /// Returns true if the mode verifies the server's certificate.
    pub(super) fn verifies(self) -> bool {
        matches!(self, MysqlSslMode::VerifyCa | MysqlSslMode::VerifyIdentity)
    }
}

/// The TLS configuration of a connection.
pub(super) struct Security {
    pub(super) config: Arc<ClientConfig>,
    /// True if a server without TLS is refused.
    pub(super) is_required: bool,
    /// True if the server's certificate is verified.
    pub(super) is_verified: bool,
}

/// Returns the configuration for a mode; `None` without TLS.
pub(super) fn config(mode: Option<MysqlSslMode>, roots: Option<&Path>) -> Result<Option<Security>> {
    let unset = if roots.is_some() { MysqlSslMode::VerifyCa } else { MysqlSslMode::Preferred };
    let mode = mode.unwrap_or(unset);
    let trust = match (mode, roots.map(Path::to_owned)) {
        (MysqlSslMode::Disabled | MysqlSslMode::Preferred | MysqlSslMode::Required, Some(_)) => {
            return Err(errors::authorities_unused(SSL_CA));
        }
        (MysqlSslMode::Disabled, None) => return Ok(None),
        (MysqlSslMode::Preferred | MysqlSslMode::Required, None) => Trust::Any,
        (MysqlSslMode::VerifyCa, Some(file)) => Trust::Authority(file),
        (MysqlSslMode::VerifyCa, None) => return Err(errors::authorities_missing(SSL_CA)),
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

    /// Authorities that are named and not used would give false safety.
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
