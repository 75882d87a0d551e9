//! The public IDs that the service makes and reads, with the keys derived for each type.

use std::collections::BTreeMap;

use snowmint::Result;
use snowmint::public_ids::{PublicIdForm, PublicIdKeys, PublicIds};

use super::config::Config;

/// The codecs of each configured type, in each form; empty without keys.
#[derive(Debug, Default)]
pub(crate) struct Published(BTreeMap<String, Vec<PublicIds>>);

impl Published {
    /// Reads the keys from the configured file.
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

    /// Returns the forms that the later keys cannot read any more, or read as different IDs.
    ///
    /// One type that both have is enough, because all types derive from the same keys.
    pub(crate) fn unread_by(&self, later: &Published) -> Vec<&'static str> {
        let of_both = |(kind, ids)| Some((ids, later.0.get(kind)?));
        let Some((ids, later)) = self.0.iter().find_map(of_both) else { return Vec::new() };
        let is_unread = |(ids, later): &(&PublicIds, &PublicIds)| {
            // A form without a key has given out no IDs.
            ids.encode(0).is_ok_and(|public| !matches!(later.decode(&public), Ok(0)))
        };
        ids.iter().zip(later).filter(is_unread).map(|(ids, _)| ids.form().name()).collect()
    }

    /// Returns the codec of a type in a form.
    pub(crate) fn of(&self, kind: &str, form: PublicIdForm) -> Option<&PublicIds> {
        self.0.get(kind)?.iter().find(|ids| ids.form() == form)
    }
}
