//! The phases of the service: it starts, serves, drains, and stops.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Stores are being opened. Operators get answers, HTTP clients wait, and RESP clients are told
    /// to ask again.
    Starting,
    Serving,
    /// Requests are served, but `/readyz` says no.
    Draining,
    /// No more connections are accepted. Open ones end after their present request.
    Stopping,
}

/// Publishes the phase.
#[derive(Debug)]
pub(crate) struct Phases {
    present: watch::Sender<Phase>,
    /// A copy that each request can read cheaply.
    has_started: AtomicBool,
}

impl Phases {
    pub(crate) fn new() -> Phases {
        Phases { present: watch::Sender::new(Phase::Starting), has_started: AtomicBool::new(false) }
    }

    pub(crate) fn set(&self, phase: Phase) {
        self.has_started.store(phase >= Phase::Serving, Ordering::Release);
        self.present.send_replace(phase);
    }

    /// Does `work` only while the service serves, and returns true if it did. A change of phase
    /// waits for it.
    pub(crate) fn while_serving(&self, work: impl FnOnce()) -> bool {
        let mut is_done = false;
        self.present.send_if_modified(|phase| {
            is_done = *phase == Phase::Serving;
            if is_done {
                work();
            }
            false
        });
        is_done
    }

    pub(crate) fn present(&self) -> Phase {
        *self.present.borrow()
    }

    #[inline]
    pub(crate) fn has_started(&self) -> bool {
        self.has_started.load(Ordering::Acquire)
    }

    pub(crate) async fn started(&self) {
        if !self.has_started() {
            // Boxed, because the wait is rare and every connection reserves room for its largest
            // future.
            Box::pin(self.reached(Phase::Serving)).await;
        }
    }

    pub(crate) async fn stopping(&self) {
        self.reached(Phase::Stopping).await;
    }

    async fn reached(&self, wanted: Phase) {
        let mut phases = self.present.subscribe();
        // This cannot fail, because the sender lives as long as `self`.
        let _ = phases.wait_for(|phase| *phase >= wanted).await;
    }
}

/// The request that a signal makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Stop; the name is the signal's.
    Stop(&'static str),
    /// Read the configuration again.
    #[cfg(unix)]
    Reload,
}

/// The reload signal, taken early. Signals are kept until the service handles them.
pub(crate) struct HangUps {
    #[cfg(unix)]
    taken: tokio::signal::unix::Signal,
}

impl HangUps {
    /// Starts to take the signal.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn take() -> io::Result<HangUps> {
        Ok(HangUps {
            #[cfg(unix)]
            taken: {
                use tokio::signal::unix::{SignalKind, signal};
                signal(SignalKind::hangup())?
            },
        })
    }
}

/// The signals that the service handles.
pub(crate) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
}

impl Signals {
    /// Starts to take the other signals.
    ///
    /// # Errors
    /// The system's error.
    #[cfg(unix)]
    pub(crate) fn take(hang_ups: HangUps) -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: hang_ups.taken,
        })
    }

    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.terminate.recv() => Signal::Stop("SIGTERM"),
            _ = self.interrupt.recv() => Signal::Stop("SIGINT"),
            _ = self.hang_up.recv() => Signal::Reload,
        }
    }

    /// Waits for the next stop signal, and returns its name. A reload signal stays for
    /// [`Signals::next`].
    #[cfg(unix)]
    pub(crate) async fn stop(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }

    /// Only Ctrl-C exists here.
    ///
    /// # Errors
    /// None.
    #[cfg(not(unix))]
    pub(crate) fn take(HangUps {}: HangUps) -> io::Result<Signals> {
        Ok(Signals {})
    }

    /// Waits for the next stop signal, and returns its name.
    #[cfg(not(unix))]
    pub(crate) async fn stop(&mut self) -> &'static str {
        let Signal::Stop(name) = self.next().await;
        name
    }

    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> Signal {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Signal::Stop("Ctrl-C"),
            // Without the signal, only ending the process stops it.
            Err(_) => std::future::pending().await,
        }
    }
}
