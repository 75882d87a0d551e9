//! Kinds and stores that this program was built without.

use super::{STORES, SourceKind};
use crate::error::Error;
use crate::errors;
use crate::secrets::redacted;

/// Kinds of sources that need the feature of the same name.
const KINDS: &[&str] = &["daily", "uuid"];

/// Schemes of stores, with the feature that each needs.
const SCHEMES: &[(&[&str], &str)] = &[
    (&["sqlite"], "sqlite"),
    (&["postgres", "postgresql"], "postgres"),
    (&["mysql", "mariadb"], "mysql"),
    (&["redis", "rediss", "redis+sentinel", "rediss+sentinel"], "redis"),
    (&["redis+cluster", "rediss+cluster"], "redis"),
    (&["etcd", "etcds"], "etcd"),
    (&["zookeeper", "zookeepers"], "zookeeper"),
    (&["http", "https"], "service"),
];

/// Returns the error for a kind of source that is not compiled in.
pub(super) fn without_kind(scheme: &str, name: &str, built: &[SourceKind]) -> Option<Error> {
    let absent = |kind: &&&str| **kind == name && !built.iter().any(|known| known.name == name);
    KINDS
        .iter()
        .find(absent)
        .map(|feature| errors::schemes::feature_missing(&redacted(scheme), feature))
}

/// Returns the error for a store that is not compiled in.
pub(super) fn without_store(scheme: &str, name: &str) -> Option<Error> {
    let (_, feature) = SCHEMES.iter().find(|(names, _)| names.contains(&name))?;
    let is_built = STORES.iter().any(|store| store.is(name));
    (!is_built).then(|| errors::schemes::feature_missing(&redacted(scheme), feature))
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn each_store_is_listed_and_none_that_is_built_is_absent() {
        for store in STORES.iter().filter(|store| store.name != "memory") {
            for name in [Some(store.name), store.alias].into_iter().flatten() {
                assert!(SCHEMES.iter().any(|(names, _)| names.contains(&name)), "{name}");
                assert!(without_store(name, name).is_none(), "{name}");
            }
        }
        let error = without_kind("uuid", "uuid", &[]).unwrap();
        assert_eq!(error.code(), Code::UnknownScheme);
        assert!(error.to_string().starts_with("uuid: needs the feature uuid"), "{error}");
    }

    #[test]
    #[cfg(not(feature = "postgres"))]
    fn a_store_that_is_not_built_names_its_feature() {
        for url in ["segment+postgres://host/ids?tag=orders", "snowflake+postgresql://host/ids"] {
            let error = crate::open(url).map(drop).unwrap_err();
            assert!(error.to_string().contains("--features postgres"), "{error}");
        }
        let error = crate::open_store("postgres://host/ids").map(drop).unwrap_err();
        assert!(error.to_string().contains("--features postgres"), "{error}");
    }
}
