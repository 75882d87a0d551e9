//! The signals that the screen handles.

/// A signal to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// The process is to end.
    End,
    /// The process is to stop until it is told to continue.
    #[cfg_attr(not(unix), expect(dead_code))]
    Stop,
    /// The process was stopped, and continues.
    #[cfg_attr(not(unix), expect(dead_code))]
    Continue,
}

#[cfg(unix)]
pub(super) use of_unix::Signals;

#[cfg(unix)]
mod of_unix {
    use std::future::pending;

    use rustix::process::Signal as Number;
    use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

    use super::Signal;

    /// `None` for a signal that cannot be handled; it keeps its default effect.
    pub(crate) struct Signals([(Option<Stream>, Signal); 5]);

    impl Signals {
        /// Starts to handle the signals.
        pub(crate) fn take() -> Signals {
            let kinds = [
                (Number::TERM, Signal::End),
                (Number::INT, Signal::End),
                (Number::HUP, Signal::End),
                (Number::TSTP, Signal::Stop),
                (Number::CONT, Signal::Continue),
            ];
            let take = |number: Number| signal(SignalKind::from_raw(number.as_raw())).ok();
            Signals(kinds.map(|(number, means)| (take(number), means)))
        }

        pub(crate) async fn next(&mut self) -> Signal {
            let Signals([terminate, interrupt, hangup, stop, go_on]) = self;
            tokio::select! {
                told = heard(terminate) => told,
                told = heard(interrupt) => told,
                told = heard(hangup) => told,
                told = heard(stop) => told,
                told = heard(go_on) => told,
            }
        }
    }

    async fn heard((stream, means): &mut (Option<Stream>, Signal)) -> Signal {
        match stream {
            Some(stream) => {
                stream.recv().await;
                *means
            }
            None => pending().await,
        }
    }
}

/// Only Ctrl-C exists here.
#[cfg(not(unix))]
pub(super) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(super) fn take() -> Signals {
        Signals
    }

    pub(super) async fn next(&mut self) -> Signal {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Signal::End,
            Err(_) => std::future::pending().await,
        }
    }
}
