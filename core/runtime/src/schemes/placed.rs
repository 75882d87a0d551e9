//! Reads the kind, the store and the tag from a source's URL without opening anything.

use super::{STORES, SourceKind, no_source};
use crate::error::Result;
use crate::store::Tag;
use crate::store::scheme::StoreScheme;
use crate::url::{Parameters, UrlText};

const EXAMPLE: &str = "snowflake+sqlite:ids.db?layout=twitter";

/// The store and the tag from which a source has its numbers or worker IDs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placed {
    /// The URL of the store for [`open_store`](crate::open_store), including any password.
    pub store: String,
    /// The tag with its namespace, if the source has one.
    pub tag: Option<String>,
}

pub(crate) fn kind_by(url: &str, kinds: &'static [SourceKind]) -> Result<&'static str> {
    let text = UrlText::parse(url, EXAMPLE)?;
    let short = STORES.iter().find(|scheme| scheme.is_short(text.scheme));
    let (name, store) = match short {
        Some(scheme) => ("segment", Some(scheme.name)),
        None => text.kind_and_store(),
    };
    let (kind, _, mut own) = taken_apart(&text, name, store, kinds)?;
    Ok(if own.take("ring").is_some() { "ring" } else { kind.name })
}

/// Returns a source's kind, the scheme of its store, if it has one, and its own parameters.
fn taken_apart(
    text: &UrlText<'_>,
    name: &str,
    store: Option<&str>,
    kinds: &'static [SourceKind],
) -> Result<(&'static SourceKind, Option<&'static StoreScheme>, Parameters)> {
    let kind = kinds.iter().find(|kind| kind.name == name && kind.is_on_store() == store.is_some());
    let Some(kind) = kind else { return Err(no_source(text, kinds)) };
    let Some(store) = store else {
        let [own] = text.parameters(&[kind.taker()])?;
        return Ok((kind, None, own));
    };
    let scheme = STORES.iter().find(|scheme| scheme.is(store));
    let scheme = scheme.ok_or_else(|| no_source(text, kinds))?;
    let [own, _] = text.parameters(&[kind.taker(), scheme.taker()])?;
    Ok((kind, Some(scheme), own))
}

/// Returns where the source of a URL has its numbers from; `None` for a source without a store.
pub(crate) fn placed_by(url: &str, kinds: &'static [SourceKind]) -> Result<Option<Placed>> {
    let text = UrlText::parse(url, EXAMPLE)?;
    if let Some(scheme) = STORES.iter().find(|scheme| scheme.is_short(text.scheme)) {
        let store = text.by_scheme(scheme.name, false, &scheme.parameters());
        let path = text.path_of_machines();
        let tag = Some(path.trim_matches('/').to_owned()).filter(|tag| !tag.is_empty());
        return Ok(Some(Placed { store, tag }));
    }
    let (name, store) = text.kind_and_store();
    let (_, scheme, mut own) = taken_apart(&text, name, store, kinds)?;
    let Some(scheme) = scheme else { return Ok(None) };
    let tag = match (own.take("namespace"), own.take("tag")) {
        (Some(namespace), Some(tag)) => Some(Tag::within(&namespace, &tag)?.as_str().to_owned()),
        (_, tag) => tag,
    };
    Ok(Some(Placed { store: text.by_scheme(scheme.name, true, &scheme.parameters()), tag }))
}

#[cfg(all(test, feature = "sqlite", feature = "postgres", feature = "service"))]
mod tests {
    use crate::{Code, kind_of, placed};

    #[test]
    fn a_url_says_what_it_opens() {
        for (url, kind) in [
            ("snowflake:?worker_id=7", "snowflake"),
            ("snowflake+sqlite:a.db?create=true", "snowflake"),
            ("snowflake+sqlite:a.db?ring=64", "ring"),
            ("segment+postgres://h/ids?tag=a", "segment"),
            ("http://a:1/orders", "segment"),
            ("http://a:1/orders?ring=64", "ring"),
            ("sequences+sqlite:a.db?tag=chat", "sequences"),
        ] {
            assert_eq!(kind_of(url).unwrap(), kind, "{url}");
        }
        for (url, code) in [
            ("nonsense", Code::InvalidUrl),
            ("flake:?worker_id=7", Code::UnknownScheme),
            ("segment:?tag=a", Code::UnknownScheme),
            ("snowflake:?wroker=7", Code::UnknownParameter),
        ] {
            assert_eq!(kind_of(url).unwrap_err().code(), code, "{url}");
        }
    }

    #[test]
    fn a_source_is_on_the_store_of_its_url() {
        for (url, store, tag) in [
            ("segment+sqlite:a.db?tag=orders", "sqlite:a.db", Some("orders")),
            (
                "segment+sqlite:a.db?step=9&namespace=shop&tag=orders",
                "sqlite:a.db",
                Some("shop/orders"),
            ),
            ("snowflake+sqlite:a.db?create=true&ring=64", "sqlite:a.db?create=true", None),
            (
                "segment+postgres://me:p%26w@h:1,i:2/ids?sslmode=disable&tag=orders&ring=64",
                "postgres://me:p%26w@h:1,i:2/ids?sslmode=disable",
                Some("orders"),
            ),
            (
                "http://a:1,b:2/shop/orders?token=t&step=5",
                "http://a:1,b:2?token=t",
                Some("shop/orders"),
            ),
            ("snowflake+http://a:1/below", "http://a:1/below", None),
        ] {
            let placed = placed(url).unwrap().unwrap();
            assert_eq!((placed.store.as_str(), placed.tag.as_deref()), (store, tag), "{url}");
        }
        for url in ["uuid:", "snowflake:?worker_id=7"] {
            assert_eq!(placed(url).unwrap(), None, "{url}");
        }
        for url in ["", "segment:?tag=a", "segment+oracle:x?tag=a", "segment+sqlite:a.db?tga=a"] {
            assert!(placed(url).is_err(), "{url}");
        }
    }
}
