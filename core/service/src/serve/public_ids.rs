//! Public IDs that the service makes and reads: keys, and what is derived of them for each type.

use std::collections::BTreeMap;

use snowmint::Result;
use snowmint::public_ids::{PublicIdForm, PublicIdKeys, PublicIds};

use super::config::Config;

/// The public IDs of the types that are configured, in each form; none where no keys are.
#[derive(Debug, Default)]
pub(crate) struct Published(BTreeMap<String, Vec<PublicIds>>);

impl Published {
    /// By the keys that are in the configuration's file now.
    ///
    /// # Errors
    /// [`snowmint::Code::InvalidKeys`], [`snowmint::Code::KeysExposed`].
    pub(crate) fn load(config: &Config) -> Result<Published> {
        if config.public_ids.keys.is_empty() {
            return Ok(Published::default());
        }
        let keys = PublicIdKeys::open(&config.public_ids.keys)?;
        if keys.numbers().is_none() {
            tracing::warn!(
                "public_ids.keys has several keys and names none by `numbers`: forms of numbers are \
                 refused; `snowmint public-ids rotate FILE --numbers SYMBOL` names one"
            );
        }
        let types = config.public_ids.types.iter().map(|kind| {
            let forms = PublicIdForm::ALL.iter().map(|&form| keys.public_ids(kind, form));
            Ok((kind.clone(), forms.collect::<snowmint::public_ids::Result<_>>()?))
        });
        types.collect::<Result<_>>().map(Published)
    }

    /// The forms that the keys of a later configuration do not read any more, or numbers as other IDs.
    ///
    /// One type that both have tells it of all: they have the same keys.
    pub(crate) fn unread_by(&self, later: &Published) -> Vec<&'static str> {
        let of_both = |(kind, ids)| Some((ids, later.0.get(kind)?));
        let Some((ids, later)) = self.0.iter().find_map(of_both) else { return Vec::new() };
        let is_unread = |(ids, later): &(&PublicIds, &PublicIds)| {
            // A form without a key gave nothing out.
            ids.encode(0).is_ok_and(|public| !matches!(later.decode(&public), Ok(0)))
        };
        ids.iter().zip(later).filter(is_unread).map(|(ids, _)| ids.form().name()).collect()
    }

    /// Those of a type in a form.
    pub(crate) fn of(&self, kind: &str, form: PublicIdForm) -> Option<&PublicIds> {
        self.0.get(kind)?.iter().find(|ids| ids.form() == form)
    }
}
