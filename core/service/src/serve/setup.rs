//! What a configuration makes of the service: replaced whole by the next one, or not at all.

use snowmint::Result;

use super::config::Config;
use super::sources::{self, Sources};

/// A configuration, and what was opened for it.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) sources: Sources,
}

impl Setup {
    /// Of a service that begins: nothing is open yet.
    pub(crate) fn first(config: Config) -> Setup {
        Setup { sources: Sources::new(&config, None), config }
    }

    /// Another one in its place, with the sources that both have, and with the others opened.
    ///
    /// # Errors
    /// [`snowmint::Code::Unsupported`] for a setting that is fixed while the service runs;
    /// of a source that cannot be opened: those that could are closed again.
    pub(crate) fn successor(&self, config: Config) -> Result<Setup> {
        self.config.check_change(&config)?;
        let sources = Sources::new(&config, Some(&self.sources));
        let more = sources.beyond(&self.sources);
        if let Err(error) = sources::open(&more) {
            sources::give_up(&more);
            return Err(error);
        }
        Ok(Setup { config, sources })
    }
}
