//! How a key space begins in a store of values: once, by a mark. Without it nothing is given, so that
//! a server that was emptied does not give all again.

use snowmint_engine::Code;

use super::space::Space;
use crate::error::{Error, Result};
use crate::store::key_space::KeySpace;
use crate::store::remote::deadline::Deadline;
use crate::store::{CALL_WITHIN, KeptIn, Migration};

/// Where rows may be kept.
pub(in crate::store) trait Ground {
    /// The key space that this handle works in.
    fn space(&self) -> &Space;

    /// Where it is, as operators name it.
    fn name(&self) -> String;

    /// Its mark, if there is one.
    fn mark(&self, deadline: Deadline) -> Result<Option<String>>;

    /// What its server's own client would be told, in this order: of what is not there yet, and last to
    /// set the mark.
    fn beginning(&self, mark: &str, deadline: Deadline) -> Result<Vec<String>>;

    /// Sets the mark, unless there is one.
    fn begin(&self, mark: &str, deadline: Deadline) -> Result<()>;

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
pub(in crate::store) fn outer(prefix: &str) -> impl Iterator<Item = &str> {
    let parts = prefix.match_indices('/').map(|(at, _)| prefix.split_at(at));
    parts.filter_map(|(outer, rest)| {
        let below = rest.trim_start_matches('/').split('/').next()?;
        ROWS.contains(&below).then_some(outer)
    })
}

/// Finds the key space, or begins one where that is asked for and none is there.
pub(in crate::store) fn look(ground: &dyn Ground, create: bool) -> Result<()> {
    let deadline = Deadline::after(CALL_WITHIN);
    match ground.space().note(ground.mark(deadline)?.as_deref()) {
        Err(error) if create && error.code() == Code::StoreMissing => {
            if let Some(outer) = ground.around(deadline)? {
                let message = format!(
                    "{} lies where the key space {outer} keeps its rows: name another place",
                    ground.name()
                );
                return Err(Error::new(Code::InvalidUrl, message));
            }
            ground.begin(&Space::mark(&KeySpace::begun()?)?, deadline)?;
            // Another may have been faster.
            ground.space().note(ground.mark(deadline)?.as_deref())
        }
        found => found,
    }
}

/// Begins a key space where there is none, or says how.
pub(in crate::store) fn migrate(ground: &dyn Ground, is_dry: bool) -> Result<Migration> {
    let statements = match look(ground, false) {
        Ok(()) => Vec::new(),
        Err(error) if error.code() == Code::StoreMissing => {
            let mark = Space::mark(&KeySpace::begun()?)?;
            ground.beginning(&mark, Deadline::after(CALL_WITHIN))?
        }
        Err(error) => return Err(error),
    };
    if !statements.is_empty() && !is_dry {
        look(ground, true)?;
    }
    Ok(Migration { place: ground.name(), kept_in: KeptIn::KeySpace, statements })
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
