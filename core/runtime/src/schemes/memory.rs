//! The URLs `memory:` and `memory:NAME`. All uses of a name in one process share one store.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwapOption;

use crate::error::Result;
use crate::errors;
use crate::store::MemoryStore;
use crate::store::scheme::{StoreScheme, no_fillings, no_numbers};
use crate::url::Address;

pub(super) const SCHEME: StoreScheme = StoreScheme {
    name: "memory",
    alias: None,
    tls: false,
    example: "tests",
    parameters: |_| Vec::new(),
    open: |_, address, _| match name(address)? {
        "" => Ok(Arc::new(MemoryStore::new())),
        name => Ok(NAMED.store(name)?),
    },
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |_, _, _, _| Err(errors::schemes::memory_without_tables()),
    examine: |_, _, _| Err(errors::schemes::memory_without_past()),
};

const NAME_LENGTH_MAX: usize = 64;
/// The number of names that a process can use, because their stores stay until it ends.
const NAMES_MAX: usize = 65_536;

static NAMED: Named = Named(ArcSwapOption::const_empty());

/// The stores by their names. They stay until the process ends: a new store of the same name would
/// repeat the IDs of the one before.
///
/// There is no lock, because another thread could hold it at a fork. A forked child finds the
/// stores of its parent, which refuse it.
struct Named(ArcSwapOption<HashMap<Arc<str>, Arc<MemoryStore>>>);

impl Named {
    fn store(&self, name: &str) -> Result<Arc<MemoryStore>> {
        let fresh = Arc::new(MemoryStore::new());
        let mut found = None;
        self.0.rcu(|named| {
            let present = named.as_deref();
            found = present.and_then(|named| named.get(name)).map(Arc::clone);
            if found.is_some() || present.is_some_and(|named| named.len() >= NAMES_MAX) {
                return named.clone();
            }
            let mut more = present.cloned().unwrap_or_default();
            more.insert(name.into(), Arc::clone(&fresh));
            found = Some(Arc::clone(&fresh));
            Some(Arc::new(more))
        });
        found.ok_or_else(|| errors::schemes::memory_names_full(NAMES_MAX))
    }
}

/// Returns the name of a store, or an empty text for a store that no other URL opens.
pub(super) fn name(address: &Address) -> Result<&str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    match address {
        Address::Path(name) if name.len() <= NAME_LENGTH_MAX && name.bytes().all(allowed) => {
            Ok(name)
        }
        _ => Err(errors::schemes::memory_name_invalid(NAME_LENGTH_MAX)),
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn a_name_leads_to_one_store_for_good() {
        let named = Named(ArcSwapOption::empty());
        let first = Arc::downgrade(&named.store("a").unwrap());
        assert!(first.upgrade().is_some_and(|it| Arc::ptr_eq(&it, &named.store("a").unwrap())));
        assert!(!first.upgrade().is_some_and(|it| Arc::ptr_eq(&it, &named.store("b").unwrap())));
    }

    #[test]
    fn so_many_names_and_no_more() {
        let store = Arc::new(MemoryStore::new());
        let names = (1..NAMES_MAX).map(|n| (Arc::from(n.to_string()), Arc::clone(&store)));
        let named = Named(ArcSwapOption::from_pointee(names.collect::<HashMap<_, _>>()));
        named.store("last").unwrap();
        let refused = named.store("one more").unwrap_err();
        assert_eq!(refused.code(), Code::StoreFull, "{refused}");
        named.store("last").unwrap();
    }

    #[test]
    fn a_name_has_few_characters() {
        for right in ["", "a", "Test_1.orders-7", &"a".repeat(NAME_LENGTH_MAX)] {
            assert_eq!(name(&Address::Path(right.to_owned())).unwrap(), right);
        }
        for wrong in ["a b", "a/b", "a:b", "ä", &"a".repeat(NAME_LENGTH_MAX + 1)] {
            let refused = name(&Address::Path(wrong.to_owned())).unwrap_err();
            assert_eq!(refused.code(), Code::InvalidUrl, "{wrong}: {refused}");
        }
    }
}
