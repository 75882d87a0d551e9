//! A source as its URL describes it, before anything is opened.

use std::time::Duration;

use snowmint_engine::Layout;

use crate::error::Result;
use crate::sources::{Mint, Source};
use crate::store::Tag;

/// The properties of a source that are known without its store.
#[derive(Clone, Debug)]
pub(crate) struct Described {
    /// The kind; for a ring, the kind of its source.
    pub(crate) kind: &'static str,
    pub(crate) is_ring: bool,
    /// The wait bound of a call.
    pub(crate) wait: Duration,
    /// The layout of snowflakes.
    pub(crate) layout: Option<Layout>,
    pub(crate) tag: Option<Tag>,
    /// As [`Mint::day_size`].
    pub(crate) day_size: Option<u64>,
}

impl Described {
    pub(crate) fn of(source: &Source) -> Described {
        Described {
            kind: source.stats().kind,
            is_ring: matches!(source, Source::Ring(_)),
            wait: source.wait(),
            layout: source.layout().copied(),
            tag: source.tag().cloned(),
            day_size: source.day_size(),
        }
    }
}

type Open = dyn Fn(Duration) -> Result<Source> + Send + Sync;

/// A source whose parameters are valid, and how to open it.
pub(crate) struct Plan {
    pub(crate) described: Described,
    open: Box<Open>,
}

impl Plan {
    /// `open` gets the time for which it waits for a store that is down or locked.
    pub(crate) fn new(
        described: Described,
        open: impl Fn(Duration) -> Result<Source> + Send + Sync + 'static,
    ) -> Plan {
        Plan { described, open: Box::new(open) }
    }

    /// Returns the same source behind a ring, which `ring` makes of it.
    pub(crate) fn behind_ring(
        self,
        ring: impl Fn(Source) -> Result<Source> + Send + Sync + 'static,
    ) -> Plan {
        let described = Described { is_ring: true, ..self.described.clone() };
        Plan::new(described, move |patience| ring(self.open_within(patience)?))
    }

    /// Opens the source. Waits up to the source's own bound for a store that is down or locked.
    pub(crate) fn open(&self) -> Result<Source> {
        self.open_within(self.described.wait)
    }

    /// Opens the source. Waits up to `patience` for a store that is down or locked.
    pub(crate) fn open_within(&self, patience: Duration) -> Result<Source> {
        Ok((self.open)(patience)?.with_wait(self.described.wait))
    }
}
