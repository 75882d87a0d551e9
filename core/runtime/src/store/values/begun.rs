//! The beginning of a key space in a store of values. A mark records it, once. Nothing is given
//! without the mark, so that a server that lost its data does not give everything again.

use snowmint_engine::Code;

use super::space::Space;
use super::{Values, errors};
use crate::error::Result;
use crate::store::key_space::KeySpace;
use crate::store::remote::deadline::Deadline;
use crate::store::{CALL_WITHIN, KeptIn, Migration};

/// A place where a key space may be kept.
pub(in crate::store) trait Ground: Values {
    /// Returns the place, as operators name it.
    fn name(&self) -> String;

    /// Reads the mark, if there is one.
    fn mark(&self, deadline: Deadline) -> Result<Option<String>>;

    /// Returns the client commands that create what is missing, in order; the last sets the mark.
    fn beginning(&self, mark: &str, deadline: Deadline) -> Result<Vec<String>>;

    /// Sets the mark, unless there is one.
    fn begin(&self, mark: &str, deadline: Deadline) -> Result<()>;

    /// Finds the key space. With `create`, begins one if there is none.
    fn look(&self, create: bool) -> Result<()> {
        look(self, create)
    }

    /// Finds a key space that would mistake this one for its own rows.
    fn around(&self, _deadline: Deadline) -> Result<Option<String>> {
        Ok(None)
    }
}

/// The names below which the tags, and the worker IDs of all realms, are kept.
const ROWS: [&str; 2] = ["tags", "workers"];

/// Returns the prefixes of key spaces whose rows could contain this prefix: `a` for `a/tags/b`.
pub(in crate::store) fn outer(prefix: &str) -> impl Iterator<Item = &str> {
    let parts = prefix.match_indices('/').map(|(at, _)| prefix.split_at(at));
    parts.filter_map(|(outer, rest)| {
        let below = rest.trim_start_matches('/').split('/').next()?;
        ROWS.contains(&below).then_some(outer)
    })
}

/// Finds the key space, or begins one if there is none and `create` is set.
pub(in crate::store) fn look(ground: &(impl Ground + ?Sized), create: bool) -> Result<()> {
    let deadline = Deadline::after(CALL_WITHIN);
    match ground.space().note(ground.mark(deadline)?.as_deref()) {
        Err(error) if create && error.code() == Code::StoreMissing => {
            if let Some(outer) = ground.around(deadline)? {
                return Err(errors::place_within_key_space(&ground.name(), &outer));
            }
            ground.begin(&Space::mark(&KeySpace::begun()?)?, deadline)?;
            // Another process may have been faster, so the mark is read again.
            ground.space().note(ground.mark(deadline)?.as_deref())
        }
        found => found,
    }
}

/// Begins a key space if there is none; a dry run only returns the commands.
pub(in crate::store) fn migrate(ground: &impl Ground, is_dry: bool) -> Result<Migration> {
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
    Ok(Migration::new(ground.name(), KeptIn::KeySpace, statements))
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
