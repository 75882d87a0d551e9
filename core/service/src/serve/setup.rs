//! What a configuration makes of the service: replaced whole by the next one, or not at all.

use std::sync::Arc;
use std::time::SystemTime;

use snowmint::{Code, Error, Result};

use rustls::ClientConfig;

use super::certificates::{self, Certificates};
use super::config::Config;
use super::public_ids::Published;
use super::sources::{self, Named, Sources};
use super::tokens::Tokens;

/// A configuration, and what was opened for it.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) sources: Sources,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) public_ids: Published,
    /// Of connections over TCP; none where they are not secured.
    pub(crate) certificates: Option<Certificates>,
    /// Of connections to other servers.
    pub(crate) client: Arc<ClientConfig>,
}

impl Setup {
    /// Of a service that begins: no source is open yet.
    ///
    /// # Errors
    /// Of a certificate that cannot be used; of the file of tokens, or of keys.
    pub(crate) fn first(config: Config) -> Result<Setup> {
        let (certificates, client) = (certificates(&config)?, certificates::of_client(&config)?);
        let tokens = Arc::new(Tokens::load(&config, None)?);
        let (public_ids, sources) = (Published::load(&config)?, Sources::new(&config, None));
        Ok(Setup { client, tokens, public_ids, sources, certificates, config })
    }

    /// Another one in its place, with the sources that both have, and with the others opened.
    ///
    /// # Errors
    /// [`snowmint::Code::Unsupported`] for a setting that is fixed while the service runs;
    /// of a certificate that cannot be used; of the file of tokens, or of keys; of a source that cannot
    /// be opened: those that could are closed again.
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
        Ok(Setup { config, sources, certificates, client, tokens, public_ids })
    }
}

impl Setup {
    /// The same, where what holds a source's worker ID may be this service itself.
    fn held_here(&self, more: &[Arc<Named>], error: Error) -> Error {
        if error.code() != Code::WorkerInUse {
            return error;
        }
        let changed = more.iter().find(|named| named.needs_held_worker(&self.sources));
        let message = match changed {
            Some(named) => format!(
                "sources.{}: this service holds its worker ID itself, by the URL that the source \
                 has now, or had within the last seconds: reload again in a moment, or restart it to \
                 change the URL of the same worker ID",
                named.name
            ),
            None => format!(
                "{error}; a source that this service had until just now gives its worker ID back \
                 within seconds: then reload again"
            ),
        };
        Error::new(Code::WorkerInUse, message).caused_by(error)
    }
}

/// What is in the files now.
fn certificates(config: &Config) -> Result<Option<Certificates>> {
    let now = SystemTime::now();
    let certificates = Certificates::load(&config.tls, now)?;
    if let Some(warning) = certificates.as_ref().and_then(|loaded| loaded.warning(now)) {
        tracing::warn!("{warning}");
    }
    Ok(certificates)
}
