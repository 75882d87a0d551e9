//! A layout as people name it: a preset, or its fields.

use snowmint::{Layout, Preset, Result, names};

use crate::errors;

/// A layout with its name.
#[derive(Clone, Debug)]
pub struct NamedLayout {
    /// A preset's name, or the fields.
    pub name: String,
    /// The layout.
    pub layout: Layout,
    /// A note about it; empty for a layout given by its fields.
    pub note: &'static str,
}

impl From<&Preset> for NamedLayout {
    fn from(preset: &Preset) -> NamedLayout {
        NamedLayout { name: preset.name.to_owned(), layout: preset.layout, note: preset.note }
    }
}

/// The epoch and the tick of a layout that is given by its fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeBase {
    /// In Unix milliseconds; 0 if it is not given.
    pub epoch_ms: Option<i64>,
    /// In milliseconds; 1 if it is not given.
    pub tick_ms: Option<u32>,
}

impl TimeBase {
    fn is_given(self) -> bool {
        self.epoch_ms.is_some() || self.tick_ms.is_some()
    }
}

impl NamedLayout {
    /// Parses the name of a preset, or fields such as `time:41,worker:10,sequence:12`, which may
    /// end with epoch and tick as in `@0/1`.
    ///
    /// # Errors
    /// [`Code::UnknownLayout`](snowmint::Code::UnknownLayout);
    /// [`Code::InvalidLayout`](snowmint::Code::InvalidLayout);
    /// [`Code::InvalidParameter`](snowmint::Code::InvalidParameter) for an epoch or a tick of a
    /// layout that says its own.
    pub fn parse(name: &str, base: TimeBase) -> Result<NamedLayout> {
        if name.contains(':') {
            return parse_fields(name, base);
        }
        if base.is_given() {
            return Err(errors::decoding::time_base_of_preset(name));
        }
        names::preset(name).map(NamedLayout::from)
    }

    /// Parses a layout if one is named.
    ///
    /// # Errors
    /// As [`NamedLayout::parse`]; [`Code::InvalidParameter`](snowmint::Code::InvalidParameter) for
    /// an epoch or a tick alone.
    pub fn parse_if_named(name: Option<&str>, base: TimeBase) -> Result<Option<NamedLayout>> {
        match name {
            Some(name) => NamedLayout::parse(name, base).map(Some),
            None if base.is_given() => Err(errors::decoding::time_base_alone()),
            None => Ok(None),
        }
    }
}

fn parse_fields(text: &str, base: TimeBase) -> Result<NamedLayout> {
    let layout = if text.contains('@') {
        if base.is_given() {
            return Err(errors::decoding::time_base_twice(text));
        }
        names::layout(text)?
    } else {
        let builder = Layout::builder().fields(text)?;
        builder.epoch_ms(base.epoch_ms.unwrap_or(0)).tick_ms(base.tick_ms.unwrap_or(1)).build()?
    };
    Ok(NamedLayout { name: layout.fields_text().to_string(), layout, note: "" })
}
