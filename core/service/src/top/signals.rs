//! The signals that the screen goes by.

/// What the process was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// To end.
    End,
    /// To stop until it is told to continue.
    #[cfg_attr(not(unix), expect(dead_code))]
    Stop,
    /// It was stopped, and goes on.
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

    /// `None` of one that the system does not give: it has its own way then.
    pub(crate) struct Signals([(Option<Stream>, Signal); 5]);

    impl Signals {
        /// Takes them from now on.
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

        /// Waits for the next one.
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

/// There is Ctrl-C alone.
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
