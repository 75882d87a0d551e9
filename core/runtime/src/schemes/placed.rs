//! What the URL of a source says of its store and tag, with neither opened.

use super::{STORES, SourceKind, Taker, no_source, schemes_of_sources};
use crate::error::Result;
use crate::store::Tag;
use crate::url::UrlText;

/// Where a source has its numbers or worker IDs from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placed {
    /// The store's own URL, as [`open_store`](crate::open_store) takes it: passwords included.
    pub store: String,
    /// The tag, with its namespace, of a source that has one.
    pub tag: Option<String>,
}

/// By a table of kinds; `None` for a source without a store.
pub(crate) fn placed_by(url: &str, kinds: &'static [SourceKind]) -> Result<Option<Placed>> {
    let text = UrlText::parse(url, "snowflake+sqlite:ids.db?layout=twitter")?;
    if let Some(scheme) = STORES.iter().find(|scheme| scheme.is_short(text.scheme)) {
        let store = text.by_scheme(scheme.name, false, scheme.parameters);
        let path = text.path_of_machines();
        let tag = Some(path.trim_matches('/').to_owned()).filter(|tag| !tag.is_empty());
        return Ok(Some(Placed { store, tag }));
    }
    let (name, store) = text.kind_and_store();
    let kind = kinds.iter().find(|kind| kind.name == name && kind.is_on_store() == store.is_some());
    let Some(kind) = kind else { return Err(no_source(&text, kinds)) };
    let Some(store) = store else { return Ok(None) };
    let scheme = schemes_of_sources().find(|scheme| scheme.is(store));
    let scheme = scheme.ok_or_else(|| no_source(&text, kinds))?;
    let taker = Taker { called: kind.name, names: kind.parameters };
    let [mut own, _] = text.parameters([taker, scheme.taker()])?;
    let tag = match (own.take("namespace"), own.take("tag")) {
        (Some(namespace), Some(tag)) => Some(Tag::within(&namespace, &tag)?.as_str().to_owned()),
        (_, tag) => tag,
    };
    Ok(Some(Placed { store: text.by_scheme(scheme.name, true, scheme.parameters), tag }))
}

#[cfg(all(test, feature = "sqlite", feature = "postgres", feature = "service"))]
mod tests {
    use crate::placed;

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
        for url in ["uuid:", "snowflake:?worker=7"] {
            assert_eq!(placed(url).unwrap(), None, "{url}");
        }
        for url in ["", "segment:?tag=a", "segment+oracle:x?tag=a", "segment+sqlite:a.db?tga=a"] {
            assert!(placed(url).is_err(), "{url}");
        }
    }
}
