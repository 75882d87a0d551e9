//! The service's life: it serves, lets readiness fall, stops.

use std::io;

use tokio::sync::watch;

/// Where in its life the service is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    Serving,
    /// Requests are served, and readiness says no.
    Draining,
    /// No more connections are taken; those there are end with the request they are at.
    Stopping,
}

/// Tells everybody the phase.
#[derive(Debug)]
pub(crate) struct Phases(watch::Sender<Phase>);

impl Phases {
    pub(crate) fn new() -> Phases {
        Phases(watch::Sender::new(Phase::Serving))
    }

    pub(crate) fn set(&self, phase: Phase) {
        self.0.send_replace(phase);
    }

    pub(crate) fn present(&self) -> Phase {
        *self.0.borrow()
    }

    /// Waits until it stops.
    pub(crate) async fn stopping(&self) {
        let mut phases = self.0.subscribe();
        // It cannot fail: whoever tells is borrowed.
        let _ = phases.wait_for(|phase| *phase == Phase::Stopping).await;
    }
}

/// The signals that ask a process to end.
pub(crate) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    /// Takes them from now on.
    ///
    /// # Errors
    /// Of the system.
    #[cfg(unix)]
    pub(crate) fn take() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next one, and names it.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }

    /// There is Ctrl-C alone.
    ///
    /// # Errors
    /// None.
    #[cfg(not(unix))]
    pub(crate) fn take() -> io::Result<Signals> {
        Ok(Signals {})
    }

    /// Waits for the next one, and names it.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> &'static str {
        match tokio::signal::ctrl_c().await {
            Ok(()) => "Ctrl-C",
            // Nobody can stop it but by ending the process.
            Err(_) => std::future::pending().await,
        }
    }
}
