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

    /// Does something unless readiness has fallen, which waits for it; whether it was done.
    pub(crate) fn while_serving(&self, work: impl FnOnce()) -> bool {
        let mut is_done = false;
        self.0.send_if_modified(|phase| {
            is_done = *phase == Phase::Serving;
            if is_done {
                work();
            }
            false
        });
        is_done
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

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// To end, by the signal of this name.
    Stop(&'static str),
    /// To read the configuration again.
    #[cfg(unix)]
    Reload,
}

/// The signals that the service goes by.
pub(crate) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
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
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.terminate.recv() => Signal::Stop("SIGTERM"),
            _ = self.interrupt.recv() => Signal::Stop("SIGINT"),
            _ = self.hang_up.recv() => Signal::Reload,
        }
    }

    /// Waits for the next one that says stop: its name.
    pub(crate) async fn stop(&mut self) -> &'static str {
        loop {
            match self.next().await {
                Signal::Stop(name) => return name,
                #[cfg(unix)]
                Signal::Reload => {}
            }
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

    /// Waits for the next one.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> Signal {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Signal::Stop("Ctrl-C"),
            // Nobody can stop it but by ending the process.
            Err(_) => std::future::pending().await,
        }
    }
}
