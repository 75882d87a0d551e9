//! What a supervisor is told that asks for it as systemd does (`Type=notify`).

#[cfg(unix)]
use sd_notify::NotifyState;

/// The service listens, or has read its configuration again.
pub(crate) fn ready() {
    #[cfg(unix)]
    tell(&[NotifyState::Ready]);
}

/// The configuration is being read again.
pub(crate) fn reloading() {
    #[cfg(unix)]
    if let Ok(now) = NotifyState::monotonic_usec_now() {
        tell(&[NotifyState::Reloading, now]);
    }
}

/// The service stops.
pub(crate) fn stopping() {
    #[cfg(unix)]
    tell(&[NotifyState::Stopping]);
}

/// Without a supervisor there is nobody to tell.
#[cfg(unix)]
fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!("the supervisor cannot be told: {error}");
    }
}
