//! Key spaces of stores of values. Each is begun once, by a mark: without it nothing is given, so that
//! a server that was emptied does not give all again.

use snowmint_engine::Code;

use super::CALL_WITHIN;
use super::remote::deadline::Deadline;
use crate::error::{Error, Result};
use crate::migrate::Migration;

/// The mark: the version of what is kept.
pub(super) const MARK: &str = "1";

/// Where rows may be kept.
pub(super) trait KeySpace {
    /// Where it is, as operators name it.
    fn name(&self) -> String;

    /// Its mark, if there is one.
    fn mark(&self, deadline: Deadline) -> Result<Option<String>>;

    /// What its server's own client would be told to set the mark.
    fn beginning(&self) -> String;

    /// Sets the mark, unless there is one.
    fn begin(&self, deadline: Deadline) -> Result<()>;
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
        Err(error) if create && error.code() == Code::StoreMissing => space.begin(deadline),
        found => found,
    }
}

/// Begins a key space where there is none, or says how.
pub(super) fn migrate(space: &dyn KeySpace, is_dry: bool) -> Result<Migration> {
    let statements = match look(space, false) {
        Ok(()) => Vec::new(),
        Err(error) if error.code() == Code::StoreMissing => vec![space.beginning()],
        Err(error) => return Err(error),
    };
    if !statements.is_empty() && !is_dry {
        look(space, true)?;
    }
    Ok(Migration { place: space.name(), statements })
}
