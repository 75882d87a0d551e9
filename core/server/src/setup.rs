//! Everything that a configuration determines. A reload replaces the whole of it, or nothing.

use std::sync::Arc;
use std::time::SystemTime;

use snowmint::{Code, Error, Result};

use rustls::ClientConfig;

use super::certificates::{self, Certificates};
use super::config::Config;
use super::errors;
use super::public_ids::Published;
use super::sources::{self, NamedSource, Sources};
use super::tokens::Tokens;

/// A configuration, and the sources, tokens, keys and certificates loaded for it.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) sources: Sources,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) public_ids: Published,
    /// The TLS settings of TCP connections; `None` without TLS.
    pub(crate) certificates: Option<Certificates>,
    /// The TLS settings of connections to other servers.
    pub(crate) client: Arc<ClientConfig>,
}

impl Setup {
    /// Loads the setup of a service that starts. No source is open yet.
    ///
    /// # Errors
    /// A certificate that cannot be used; an error in the file of tokens or of keys.
    pub(crate) fn first(config: Config) -> Result<Setup> {
        let (certificates, client) = (certificates(&config)?, certificates::of_client(&config)?);
        let tokens = Arc::new(Tokens::load(&config, None)?);
        let (public_ids, sources) = (Published::load(&config)?, Sources::new(&config, None));
        Ok(Setup { client, tokens, public_ids, sources, certificates, config })
    }

    /// Loads the next setup, keeps the sources that both have, and opens the new ones.
    ///
    /// # Errors
    /// [`snowmint::Code::Unsupported`] for a setting that cannot change while the service runs. An
    /// error of a certificate, or in the file of tokens or of keys. If a source cannot be opened,
    /// its error, and the new ones are closed again.
    pub(crate) fn successor(&self, config: Config) -> Result<Setup> {
        self.config.check_change(&config)?;
        let (certificates, client) = (certificates(&config)?, certificates::of_client(&config)?);
        let tokens = Arc::new(Tokens::load(&config, Some(&self.tokens))?);
        let public_ids = Published::load(&config)?;
        let sources = Sources::new(&config, Some(&self.sources));
        let more = sources.beyond(&self.sources);
        if let Err(error) = sources::open(&more) {
            sources::give_up(&more);
            return Err(self.held_here(&more, error));
        }
        let leaving = self.sources.beyond(&sources);
        if let Some(named) = more.iter().find(|named| named.shares_fixed_worker(&leaving)) {
            sources::give_up(&more);
            return Err(errors::sources::worker_id_held_here(&named.name));
        }
        Ok(Setup { config, sources, certificates, client, tokens, public_ids })
    }
}

impl Setup {
    /// Explains the error if this service itself may hold the source's worker ID.
    fn held_here(&self, more: &[Arc<NamedSource>], error: Error) -> Error {
        if error.code() != Code::WorkerInUse {
            return error;
        }
        let changed = more.iter().find(|named| named.needs_held_worker(&self.sources));
        match changed {
            Some(named) => errors::sources::worker_id_held_here(&named.name).caused_by(error),
            None => errors::sources::worker_id_held_until_now(error),
        }
    }
}

/// Loads the certificates, and logs a warning if one ends soon.
fn certificates(config: &Config) -> Result<Option<Certificates>> {
    let now = SystemTime::now();
    let certificates = Certificates::load(&config.tls, now)?;
    if let Some(warning) = certificates.as_ref().and_then(|loaded| loaded.warning(now)) {
        tracing::warn!("{warning}");
    }
    Ok(certificates)
}
