//! Tags: the names of sequences of numbers.

use std::fmt;
use std::str::FromStr;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::MAX_TAG_LENGTH;

use super::errors;
use crate::error::{Error, Result};

/// The character between a namespace and a name; neither may contain it.
const SEPARATOR: char = '/';

/// The name of a sequence of numbers: 1 to 64 of `A-Z a-z 0-9 _ . : -`, or such a name in a
/// namespace. Stores create no tags called `.` or `..`, which are places in paths and URLs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(String);

impl Tag {
    /// Creates a tag without a namespace.
    ///
    /// # Errors
    /// [`Code::InvalidTag`].
    pub fn new(name: &str) -> Result<Tag> {
        if let Some((namespace, within)) = name.split_once(SEPARATOR)
            && Tag::within(namespace, within).is_ok()
        {
            return Err(errors::tags::namespace_in_tag(name, namespace, within));
        }
        check(name, "tag")?;
        Ok(Tag(name.to_owned()))
    }

    /// Creates the tag of an application that shares its store with others. Its row is called
    /// `namespace/name`, which no tag without a namespace can be. Both together, with the slash,
    /// have at most 64 characters.
    ///
    /// ```
    /// # use snowmint::Tag;
    /// assert_eq!(Tag::within("shop", "orders")?.as_str(), "shop/orders");
    /// # Ok::<(), snowmint::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Code::InvalidTag`].
    pub fn within(namespace: &str, name: &str) -> Result<Tag> {
        check(namespace, "namespace")?;
        check(name, "tag")?;
        let full = format!("{namespace}{SEPARATOR}{name}");
        if full.len() > MAX_TAG_LENGTH {
            return Err(errors::tags::too_long_with_namespace(&full, SEPARATOR));
        }
        Ok(Tag(full))
    }

    /// Creates a tag from a row's name, with or without a namespace.
    ///
    /// # Errors
    /// [`Code::InvalidTag`].
    pub fn of_row(name: &str) -> Result<Tag> {
        match name.split_once(SEPARATOR) {
            Some((namespace, name)) => Tag::within(namespace, name),
            None => Tag::new(name),
        }
    }

    /// Refuses a namespace, for tables in which the owner names the rows.
    pub(crate) fn check_plain(&self) -> Result<()> {
        match self.0.split_once(SEPARATOR) {
            Some((namespace, name)) => {
                Err(errors::tags::namespace_of_owners_table(name, namespace))
            }
            None => Ok(()),
        }
    }

    /// Refuses names that paths and URLs treat as places. Rows that exist stay valid.
    pub(crate) fn check_new(&self) -> Result<()> {
        let is_place = |name: &str| matches!(name, "." | "..");
        if !self.0.split(SEPARATOR).any(is_place) {
            return Ok(());
        }
        Err(errors::tags::name_of_place(&self.0))
    }

    /// Returns the name, with its namespace.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn check(name: &str, called: &str) -> Result<()> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
    if !name.is_empty() && name.len() <= MAX_TAG_LENGTH && name.bytes().all(allowed) {
        return Ok(());
    }
    Err(errors::tags::name_invalid(name, called))
}

/// Parses a tag, with a namespace if there is a slash: see [`Tag::of_row`].
impl FromStr for Tag {
    type Err = Error;

    fn from_str(name: &str) -> Result<Tag> {
        Tag::of_row(name)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn a_namespace_and_a_name_are_told_apart() {
        let shop = Tag::within("shop", "orders").unwrap();
        assert_eq!(shop.as_str(), "shop/orders");
        assert_eq!(Tag::of_row("shop/orders").unwrap(), shop);
        assert_eq!(shop.to_string().parse::<Tag>().unwrap(), shop);
        assert_eq!(Tag::of_row("orders").unwrap(), Tag::new("orders").unwrap());
        let wrong = ["shop/orders", "/orders", "shop/", "/", "a/b/c", ""];
        assert!(wrong.iter().all(|name| Tag::new(name).is_err()), "no tag has a slash");
        let error = Tag::new(wrong[0]).unwrap_err().to_string();
        assert!(error.contains("say namespace=shop&tag=orders"), "{error}");
        assert!(wrong[1..].iter().all(|name| Tag::of_row(name).is_err()));
        let longest = "x".repeat(MAX_TAG_LENGTH - 5);
        assert!(Tag::within("shop", &longest).is_ok());
        let error = Tag::within("shop", &format!("{longest}x")).unwrap_err();
        assert_eq!(error.code(), Code::InvalidTag);
    }

    #[test]
    fn one_that_is_too_long_is_told_how_long() {
        assert!(Tag::new(&"a".repeat(MAX_TAG_LENGTH)).is_ok());
        let error = Tag::new(&"a".repeat(MAX_TAG_LENGTH + 1)).unwrap_err().to_string();
        assert!(
            error.contains("a\" and so on, of 65 characters, is no tag: use 1 to 64"),
            "{error}"
        );
        let error = Tag::new("a b").unwrap_err().to_string();
        assert!(error.starts_with("\"a b\" is no tag: use 1 to 64"), "{error}");
    }

    #[test]
    fn no_tag_is_made_that_a_path_takes_for_a_place() {
        for name in [".", "..", "../orders", "shop/..", "./."] {
            let error = Tag::of_row(name).unwrap().check_new().unwrap_err();
            assert_eq!(error.code(), Code::InvalidTag, "{name}");
        }
        for name in ["...", ".orders", "a..b", "shop/a."] {
            assert!(Tag::of_row(name).unwrap().check_new().is_ok(), "{name}");
        }
    }

    #[test]
    fn tables_of_others_have_no_namespace() {
        assert!(Tag::new("orders").unwrap().check_plain().is_ok());
        let error = Tag::within("shop", "orders").unwrap().check_plain().unwrap_err();
        assert_eq!(error.code(), Code::InvalidTag);
        assert!(error.to_string().contains("leave out namespace=shop"), "{error}");
    }
}
