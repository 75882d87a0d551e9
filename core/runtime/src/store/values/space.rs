//! The mark of a key space in a store of values: a text that every change is conditional on.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
#[cfg(doc)]
use snowmint_engine::Code;

use super::errors;
use crate::error::{Error, Result};
use crate::host::process::PerProcess;
use crate::store::key_space::KeySpace;
use crate::store::{KeySpaceId, KnownKeySpace};

/// The version of the stored format.
const VERSION: u32 = 1;

/// The key space that a handle works in, and its mark as it was last read.
pub(in crate::store) struct Space {
    known: KnownKeySpace,
    mark: PerProcess<Mutex<Option<(String, KeySpace)>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mark {
    version: u32,
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    layout: Option<String>,
    #[serde(default)]
    from_ms: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changes_to: Option<String>,
}

impl Space {
    /// Creates the space of this identity, or of the one that is seen first.
    pub(in crate::store) const fn new(pinned: Option<KeySpaceId>) -> Space {
        Space { known: KnownKeySpace::new(pinned), mark: PerProcess::new() }
    }

    /// Returns the text of a key space's mark.
    pub(in crate::store) fn mark(space: &KeySpace) -> Result<String> {
        let KeySpace { id, layout, from_ms, changes_to } = space.clone();
        super::text(&Mark { version: VERSION, id: id.to_string(), layout, from_ms, changes_to })
    }

    /// Notes the mark that was read.
    ///
    /// # Errors
    /// [`Code::StoreMissing`] if there is none, [`Code::StoreSchema`] if it is not snowmint's,
    /// [`Code::IncarnationChanged`] if it belongs to another key space.
    pub(in crate::store) fn note(&self, text: Option<&str>) -> Result<()> {
        let text = text.ok_or_else(errors::key_space_missing)?;
        if self.with(|mark| mark.as_ref().is_some_and(|(known, _)| known == text)) {
            return Ok(());
        }
        let space = parsed(text)?;
        self.known.check(space.id)?;
        self.with(|mark| *mark = Some((text.to_owned(), space)));
        Ok(())
    }

    /// Returns the mark as it was last read, or an empty text, which no mark is, before that.
    pub(in crate::store) fn text(&self) -> String {
        self.with(|mark| mark.as_ref().map(|(text, _)| text.clone())).unwrap_or_default()
    }

    /// Returns the key space as it was last read.
    pub(super) fn present(&self) -> Result<KeySpace> {
        self.with(|mark| mark.as_ref().map(|(_, space)| space.clone()))
            .ok_or_else(errors::key_space_missing)
    }

    pub(in crate::store) fn id(&self) -> Option<KeySpaceId> {
        self.known.get()
    }

    fn with<R>(&self, work: impl FnOnce(&mut Option<(String, KeySpace)>) -> R) -> R {
        let mark = self.mark.get_or_init(Mutex::default);
        let mut guard: MutexGuard<'_, _> = mark.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut guard)
    }
}

fn parsed(text: &str) -> Result<KeySpace> {
    let wrong = |error: &dyn Display| errors::value_foreign("the key space", error);
    let Mark { version, id, layout, from_ms, changes_to } =
        serde_json::from_str(text).map_err(|error| wrong(&error))?;
    if version != VERSION {
        return Err(errors::key_space_of_another_version(version, VERSION));
    }
    let id = id.parse().map_err(|error: Error| wrong(&error))?;
    Ok(KeySpace { id, layout, from_ms, changes_to })
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn l1_a_handle_stays_in_the_key_space_that_it_saw_first() {
        let (first, other) = (KeySpace::begun().unwrap(), KeySpace::begun().unwrap());
        let space = Space::new(None);
        assert_eq!((space.text(), space.id()), (String::new(), None));
        assert_eq!(space.note(None).unwrap_err().code(), Code::StoreMissing);
        space.note(Some(&Space::mark(&first).unwrap())).unwrap();
        let claimed = KeySpace { layout: Some("a".to_owned()), ..first.clone() };
        space.note(Some(&Space::mark(&claimed).unwrap())).unwrap();
        let strange = Space::mark(&other).unwrap();
        assert_eq!(space.note(Some(&strange)).unwrap_err().code(), Code::IncarnationChanged);
        assert_eq!((space.id(), space.present().unwrap()), (Some(first.id), claimed));
        let pinned = Space::new(Some(first.id));
        assert_eq!(pinned.note(Some(&strange)).unwrap_err().code(), Code::IncarnationChanged);
        for text in ["1", "", r#"{"version":2,"id":"00000000000000000000000000000000"}"#] {
            assert_eq!(pinned.note(Some(text)).unwrap_err().code(), Code::StoreSchema, "{text}");
        }
    }
}
