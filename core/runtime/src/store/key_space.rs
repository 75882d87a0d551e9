//! Key spaces of stores of values. Each is begun once, by a mark: without it nothing is given, so that
//! a server that was emptied does not give all again.

use snowmint_engine::Code;

use super::remote::deadline::Deadline;
use super::{CALL_WITHIN, KeptIn, Migration};
use crate::error::{Error, Result};

/// The mark: the version of what is kept.
pub(super) const MARK: &str = "1";

/// Where rows may be kept.
pub(super) trait KeySpace {
    /// Where it is, as operators name it.
    fn name(&self) -> String;

    /// Its mark, if there is one.
    fn mark(&self, deadline: Deadline) -> Result<Option<String>>;

    /// What its server's own client would be told, in this order: of what is not there yet, and last to
    /// set the mark.
    fn beginning(&self, deadline: Deadline) -> Result<Vec<String>>;

    /// Sets the mark, unless there is one.
    fn begin(&self, deadline: Deadline) -> Result<()>;

    /// The key space that would take this one for rows of its own, if there is one.
    fn around(&self, _deadline: Deadline) -> Result<Option<String>> {
        Ok(None)
    }
}

/// What tags are kept below, and the worker IDs of all realms.
#[cfg(any(feature = "etcd", feature = "zookeeper"))]
const ROWS: [&str; 2] = ["tags", "workers"];

/// Of a prefix the key spaces whose rows would lie around it: of `a/tags/b` it is `a`.
#[cfg(any(feature = "etcd", feature = "zookeeper"))]
pub(super) fn outer(prefix: &str) -> impl Iterator<Item = &str> {
    let parts = prefix.match_indices('/').map(|(at, _)| prefix.split_at(at));
    parts.filter_map(|(outer, rest)| {
        let below = rest.trim_start_matches('/').split('/').next()?;
        ROWS.contains(&below).then_some(outer)
    })
}

/// Fails unless a key space of ours was begun.
///
/// # Errors
/// [`Code::StoreMissing`], [`Code::StoreSchema`].
pub(super) fn check(mark: Option<&str>) -> Result<()> {
    match mark {
        Some(MARK) => Ok(()),
        Some(other) => {
            let message = format!(
                "the key space is of version {other:?}, and not {MARK:?}: use the snowmint of it"
            );
            Err(Error::new(Code::StoreSchema, message))
        }
        None => {
            let message = "no key space was begun here, or it was taken away with all that was \
                           given: `snowmint migrate URL`, or create=true, begins one, after which \
                           every tag has to be raised if there was one";
            Err(Error::new(Code::StoreMissing, message))
        }
    }
}

/// Finds the key space, or begins one where that is asked for and none is there.
pub(super) fn look(space: &dyn KeySpace, create: bool) -> Result<()> {
    let deadline = Deadline::after(CALL_WITHIN);
    match check(space.mark(deadline)?.as_deref()) {
        Err(error) if create && error.code() == Code::StoreMissing => {
            if let Some(outer) = space.around(deadline)? {
                let message = format!(
                    "{} lies where the key space {outer} keeps its rows: name another place",
                    space.name()
                );
                return Err(Error::new(Code::InvalidUrl, message));
            }
            space.begin(deadline)
        }
        found => found,
    }
}

/// Begins a key space where there is none, or says how.
pub(super) fn migrate(space: &dyn KeySpace, is_dry: bool) -> Result<Migration> {
    let statements = match look(space, false) {
        Ok(()) => Vec::new(),
        Err(error) if error.code() == Code::StoreMissing => {
            space.beginning(Deadline::after(CALL_WITHIN))?
        }
        Err(error) => return Err(error),
    };
    if !statements.is_empty() && !is_dry {
        look(space, true)?;
    }
    Ok(Migration { place: space.name(), kept_in: KeptIn::KeySpace, statements })
}

#[cfg(all(test, any(feature = "etcd", feature = "zookeeper")))]
mod tests {
    use super::*;

    #[test]
    fn a_place_below_rows_is_told() {
        let of = |prefix| outer(prefix).collect::<Vec<_>>();
        assert_eq!(of("snowmint/tags"), ["snowmint"]);
        assert_eq!(of("a/workers/b/tags/c"), ["a", "a/workers/b"]);
        for free in ["snowmint", "tags", "a/b", "a/tagsy", "workers/a"] {
            assert!(of(free).is_empty(), "{free}");
        }
    }
}
