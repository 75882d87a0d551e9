//! Notifications to a supervisor that follows systemd's protocol (`Type=notify`).

#[cfg(unix)]
use sd_notify::NotifyState;

/// Says that the service is ready, or has finished a reload.
pub(crate) fn ready() {
    #[cfg(unix)]
    tell(&[NotifyState::Ready]);
}

/// Says that a reload has begun.
pub(crate) fn reloading() {
    #[cfg(unix)]
    if let Ok(now) = NotifyState::monotonic_usec_now() {
        tell(&[NotifyState::Reloading, now]);
    }
}

/// Says that the service stops.
pub(crate) fn stopping() {
    #[cfg(unix)]
    tell(&[NotifyState::Stopping]);
}

/// Without a supervisor this does nothing.
#[cfg(unix)]
fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!("the supervisor cannot be told: {error}");
    }
}
