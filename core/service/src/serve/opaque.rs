//! Public IDs that the service makes and reads: keys, and what is derived of them for each type.

use std::collections::BTreeMap;

use snowmint::Result;
use snowmint::opaque::{Form, Opaque, PublicIds};

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
        if config.opaque.keys.is_empty() {
            return Ok(Published::default());
        }
        let opaque = Opaque::open(&config.opaque.keys)?;
        let types = config.opaque.types.iter().map(|kind| {
            let forms = Form::ALL.iter().map(|&form| opaque.public_ids(kind, form));
            Ok((kind.clone(), forms.collect::<snowmint::opaque::Result<_>>()?))
        });
        types.collect::<Result<_>>().map(Published)
    }

    /// Those of a type in a form.
    pub(crate) fn of(&self, kind: &str, form: Form) -> Option<&PublicIds> {
        self.0.get(kind)?.iter().find(|ids| ids.form() == form)
    }
}
