//! Names of sequences of numbers.

use std::fmt;

use snowmint_engine::{Code, MAX_TAG_LENGTH};

use crate::error::{Error, Result};

/// The name of a sequence of numbers: 1 to 64 of `A-Z a-z 0-9 _ . : -`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(String);

impl Tag {
    /// Checks a name.
    ///
    /// # Errors
    /// [`Code::InvalidTag`].
    pub fn new(name: &str) -> Result<Tag> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
        if name.is_empty() || name.len() > MAX_TAG_LENGTH || !name.bytes().all(allowed) {
            let shown: String = name.chars().take(MAX_TAG_LENGTH).collect();
            let message = format!(
                "{shown:?} is no tag: use 1 to {MAX_TAG_LENGTH} letters, digits and the \
                 characters _ . : -"
            );
            return Err(Error::new(Code::InvalidTag, message));
        }
        Ok(Tag(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
