//! A layout as the command line names it: a preset, or its fields.

use clap::Args as ClapArgs;
use snowmint::{Code, Error, Field, FieldKind, Layout, Preset, Result, names};

#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) layout: Layout,
    /// Empty for a layout given by its fields.
    pub(crate) note: &'static str,
}

impl From<&Preset> for Named {
    fn from(preset: &Preset) -> Named {
        Named { name: preset.name.to_owned(), layout: preset.layout, note: preset.note }
    }
}

impl Named {
    /// Parses the name of a preset, or fields such as `time:41,worker:10,sequence:12`, which may
    /// end with epoch and tick as in `@0/1`.
    pub(crate) fn parse(name: &str, fields: FieldsArgs) -> Result<Named> {
        if name.contains(':') {
            return of_fields(name, fields);
        }
        if fields.is_given() {
            let message = format!(
                "--epoch-ms and --tick-ms belong to a layout given by its fields, and {name:?} \
                 names a preset, which has its own"
            );
            return Err(Error::new(Code::InvalidParameter, message));
        }
        names::preset(name).map(Named::from)
    }
}

/// What a layout given by its fields needs besides.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct FieldsArgs {
    /// Epoch of a layout given by its fields, Unix milliseconds [default: 0]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub(crate) epoch_ms: Option<i64>,
    /// Tick of a layout given by its fields, in milliseconds [default: 1]
    #[arg(long, value_name = "MS")]
    pub(crate) tick_ms: Option<u32>,
}

impl FieldsArgs {
    /// Returns true if either option is given.
    pub(crate) fn is_given(self) -> bool {
        self.epoch_ms.is_some() || self.tick_ms.is_some()
    }

    /// Refuses these options if no layout is given.
    pub(crate) fn refuse(self) -> Result<()> {
        if !self.is_given() {
            return Ok(());
        }
        let message = "--epoch-ms and --tick-ms belong to a layout given by its fields, and none \
                       is given";
        Err(Error::new(Code::InvalidParameter, message))
    }
}

fn of_fields(text: &str, fields: FieldsArgs) -> Result<Named> {
    if text.contains('@') {
        if fields.is_given() {
            let message = format!(
                "the layout {text} says its epoch and tick: leave out --epoch-ms and --tick-ms"
            );
            return Err(Error::new(Code::InvalidParameter, message));
        }
        let layout = names::layout(text)?;
        return Ok(Named { name: layout.fields_text().to_string(), layout, note: "" });
    }
    let builder = Layout::builder().fields(text)?;
    let layout = builder
        .epoch_ms(fields.epoch_ms.unwrap_or(0))
        .tick_ms(fields.tick_ms.unwrap_or(1))
        .build()?;
    Ok(Named { name: layout.fields_text().to_string(), layout, note: "" })
}

/// Returns the name of a field: `zero` for constant bits that are 0.
pub(crate) fn field_name(layout: &Layout, field: Field) -> &'static str {
    match field.kind() {
        FieldKind::Constant if field.of(constant_bits(layout)) == 0 => "zero",
        kind => kind.name(),
    }
}

/// Returns the layout's constant bits, as its first ID has them.
pub(crate) fn constant_bits(layout: &Layout) -> u64 {
    layout.min_id(layout.epoch_ms()).unwrap_or(0)
}
