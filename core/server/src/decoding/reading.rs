//! The readings of an ID: in the layout named, or in every plausible one.

use serde_json::{Map, Value};
use snowmint::reading::Other;
use snowmint::{FieldKind, Layout, Result, Timestamp, guess_beside};

use super::layout::NamedLayout;
use super::text::Id;
use crate::errors;

/// Decodes an ID in the layout named, or in every plausible one, likeliest first. `beside` is the
/// text beside the ID, which may name its system. `naming` is the option that names a layout, for
/// messages.
///
/// # Errors
/// [`Code::IdNotInLayout`](snowmint::Code::IdNotInLayout);
/// [`Code::UnknownLayout`](snowmint::Code::UnknownLayout) if no preset's system has such an ID.
pub fn readings(
    id: &Id,
    layout: Option<&NamedLayout>,
    now_ms: i64,
    beside: &str,
    naming: &str,
) -> Result<Vec<Reading>> {
    let number = match id {
        Id::Number(number) => *number,
        Id::Other(other) => return Ok(vec![Reading::of_other(other)]),
    };
    if let Some(named) = layout {
        named.layout.decode(number)?;
        return Ok(vec![Reading::of_number(number, &named.name, &named.layout)]);
    }
    let readings: Vec<_> = guess_beside(number, now_ms, beside)
        .map(|guess| Reading::of_number(number, guess.preset.name, &guess.preset.layout))
        .collect();
    if readings.is_empty() {
        return Err(errors::decoding::layout_unknown(number, naming));
    }
    Ok(readings)
}

/// An ID decoded in one layout.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The ID as text.
    pub id: String,
    /// The layout's name, or the kind of an ID that is no 64-bit number.
    pub layout: String,
    /// The layout, unless the ID is of another kind.
    pub in_layout: Option<Layout>,
    /// The time that it was made, in Unix milliseconds, if the ID has it.
    pub unix_ms: Option<i64>,
    /// The fields in the layout's order, without time and constants.
    pub fields: Vec<(FieldKind, u64)>,
}

impl Reading {
    fn of_number(id: u64, name: &str, layout: &Layout) -> Reading {
        let is_own = |kind| !matches!(kind, FieldKind::Time | FieldKind::Constant);
        let fields = layout.fields().iter().filter(|field| is_own(field.kind()));
        Reading {
            id: id.to_string(),
            layout: name.to_owned(),
            in_layout: Some(*layout),
            unix_ms: Some(layout.parts(id).unix_ms),
            fields: fields.map(|field| (field.kind(), field.of(id))).collect(),
        }
    }

    fn of_other(other: &Other) -> Reading {
        Reading {
            id: other.text.clone(),
            layout: other.kind.clone(),
            in_layout: None,
            unix_ms: other.unix_ms,
            fields: Vec::new(),
        }
    }

    /// The reading as a JSON object.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("id".to_owned(), self.id.as_str().into());
        object.insert("layout".to_owned(), self.layout.as_str().into());
        if let Some(unix_ms) = self.unix_ms {
            object.insert("time".to_owned(), Timestamp(unix_ms).to_string().into());
            object.insert("unix_ms".to_owned(), unix_ms.into());
        }
        for &(kind, value) in &self.fields {
            object.insert(kind.name().to_owned(), value.into());
        }
        object.into()
    }
}
