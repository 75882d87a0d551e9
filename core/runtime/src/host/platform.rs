//! The platform of a source as one type, so that sources need no type parameter for it.

#[cfg(feature = "embedding")]
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "embedding")]
use super::Host;
use super::rounds::SchedulerLoop;
use super::{Clock, Random, Sleep, Spawn, System};
use crate::error::Result;

/// The operating system, or the host that an embedder has brought instead.
#[derive(Clone, Default)]
pub(crate) enum Platform {
    #[default]
    System,
    #[cfg(feature = "embedding")]
    Brought(Arc<dyn Host>),
}

/// Calls the same function of either.
macro_rules! on {
    ($platform:expr, $host:ident => $call:expr) => {
        match $platform {
            Platform::System => {
                let $host = &System;
                $call
            }
            #[cfg(feature = "embedding")]
            Platform::Brought($host) => $call,
        }
    };
}

impl Clock for Platform {
    #[inline]
    fn coarse_ms(&self) -> i64 {
        on!(self, host => host.coarse_ms())
    }

    #[inline]
    fn now_ns(&self) -> i64 {
        on!(self, host => host.now_ns())
    }

    #[inline]
    fn now_ms(&self) -> i64 {
        on!(self, host => host.now_ms())
    }

    #[inline]
    fn boot_ms(&self) -> i64 {
        on!(self, host => host.boot_ms())
    }
}

impl Sleep for Platform {
    fn sleep(&self, duration: Duration) {
        on!(self, host => host.sleep(duration));
    }

    fn is_interrupted(&self) -> bool {
        on!(self, host => host.is_interrupted())
    }
}

impl Random for Platform {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        on!(self, host => host.fill(bytes))
    }

    fn token(&self) -> Result<[u8; 16]> {
        on!(self, host => host.token())
    }
}

impl Spawn for Platform {
    fn spawn(&self, name: &str, scheduler: SchedulerLoop) -> Result<()> {
        on!(self, host => host.spawn(name, scheduler))
    }
}
