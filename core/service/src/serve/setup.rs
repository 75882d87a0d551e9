//! What a configuration makes of the service: replaced whole by the next one, or not at all.

use std::sync::Arc;

use snowmint::Result;

use super::config::Config;
use super::sources::{self, Sources};
use super::tokens::Tokens;

/// A configuration, and what was opened for it.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) sources: Sources,
    pub(crate) tokens: Arc<Tokens>,
}

impl Setup {
    /// Of a service that begins: nothing is open yet.
    ///
    /// # Errors
    /// Of the file of tokens.
    pub(crate) fn first(config: Config) -> Result<Setup> {
        let tokens = Arc::new(Tokens::load(&config, None)?);
        Ok(Setup { sources: Sources::new(&config, None), tokens, config })
    }

    /// Another one in its place, with the sources that both have, and with the others opened.
    ///
    /// # Errors
    /// [`snowmint::Code::Unsupported`] for a setting that is fixed while the service runs;
    /// of the file of tokens; of a source that cannot be opened: those that could are closed again.
    pub(crate) fn successor(&self, config: Config) -> Result<Setup> {
        self.config.check_change(&config)?;
        let tokens = Arc::new(Tokens::load(&config, Some(&self.tokens))?);
        let sources = Sources::new(&config, Some(&self.sources));
        let more = sources.beyond(&self.sources);
        if let Err(error) = sources::open(&more) {
            sources::give_up(&more);
            return Err(error);
        }
        Ok(Setup { config, sources, tokens })
    }
}
