//! The service's life: it starts, serves, lets readiness fall, stops.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

/// Where in its life the service is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Stores are being opened. Operators are told, clients of HTTP wait, and those of RESP are told
    /// to ask again.
    Starting,
    Serving,
    /// Requests are served, and readiness says no.
    Draining,
    /// No more connections are taken; those there are end with the request they are at.
    Stopping,
}

/// Tells everybody the phase.
#[derive(Debug)]
pub(crate) struct Phases {
    present: watch::Sender<Phase>,
    /// For those who ask at each request.
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

    /// Does something unless readiness has fallen, which waits for it; whether it was done.
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

    /// Waits until it serves.
    pub(crate) async fn started(&self) {
        if !self.has_started() {
            // On the heap: it is rare, and every connection has room for it.
            Box::pin(self.reached(Phase::Serving)).await;
        }
    }

    /// Waits until it stops.
    pub(crate) async fn stopping(&self) {
        self.reached(Phase::Stopping).await;
    }

    async fn reached(&self, wanted: Phase) {
        let mut phases = self.present.subscribe();
        // It cannot fail: whoever tells is borrowed.
        let _ = phases.wait_for(|phase| *phase >= wanted).await;
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

/// Signals to read the configuration again, which are kept until the service goes by them.
pub(crate) struct HangUps {
    #[cfg(unix)]
    taken: tokio::signal::unix::Signal,
}

impl HangUps {
    /// Takes them from now on.
    ///
    /// # Errors
    /// Of the system.
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
    /// Takes the others from now on.
    ///
    /// # Errors
    /// Of the system.
    #[cfg(unix)]
    pub(crate) fn take(hang_ups: HangUps) -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: hang_ups.taken,
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

    /// Waits for the next one that says stop: its name. One to reload stays for [`Signals::next`].
    #[cfg(unix)]
    pub(crate) async fn stop(&mut self) -> &'static str {
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
    pub(crate) fn take(HangUps {}: HangUps) -> io::Result<Signals> {
        Ok(Signals {})
    }

    /// Waits for the next one that says stop: its name.
    #[cfg(not(unix))]
    pub(crate) async fn stop(&mut self) -> &'static str {
        let Signal::Stop(name) = self.next().await;
        name
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
