//! A new configuration while the service runs: by SIGHUP, or by an operator's request.

use std::sync::PoisonError;
use std::time::Instant;

use snowmint::Result;

use super::service::Service;
use super::{errors, notify, sources};

/// Reads the configuration again and applies all of it or nothing. Waits for the stores of new
/// sources.
///
/// # Errors
/// As at startup; [`snowmint::Code::Unsupported`] for a setting that cannot change while the
/// service runs; [`snowmint::Code::Closed`] if the service stops. The service then goes on
/// unchanged.
pub(crate) fn reload(service: &Service) -> Result<()> {
    let _alone = service.reloading.lock().unwrap_or_else(PoisonError::into_inner);
    notify::reloading();
    let done = replace(service);
    match &done {
        Ok(()) => tracing::info!("the configuration was read again"),
        Err(why) => tracing::error!(code = why.code().name(), "nothing was changed: {why}"),
    }
    notify::ready();
    done
}

fn replace(service: &Service) -> Result<()> {
    let config = service.origin.read_again()?;
    let present = service.setup();
    let next = present.successor(config)?;
    let unread = present.public_ids.unread_by(&next.public_ids);
    let (gone_tokens, tokens) = present.tokens.gone_in(&next.tokens);
    let new = next.sources.beyond(&present.sources);
    let gone = present.sources.beyond(&next.sources);
    if !service.replace(next) {
        sources::give_up(&new);
        return Err(errors::lifetime::service_stopping());
    }
    if gone_tokens > 0 {
        tracing::warn!("{gone_tokens} of {tokens} tokens are not in tokens.file any more");
    }
    if !unread.is_empty() {
        tracing::warn!(
            "public_ids.keys does not read what was given out until now as {}: it is not found, or, of \
             a number, another ID. Put the key that made it back beside the new one, in the same \
             realm, and reload",
            unread.join(", ")
        );
    }
    // Requests under way may still wait for IDs of removed sources.
    service.retired.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), gone));
    Ok(())
}
