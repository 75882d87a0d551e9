//! The readings of an ID: in the layout named, or in every plausible one.

use serde_json::{Map, Value};
use snowmint::reading::Other;
use snowmint::{Doubt, FieldKind, Layout, Result, Timestamp, guess_beside};

use super::layout::NamedLayout;
use super::text::Id;
use crate::errors;

/// The readings of an ID.
#[derive(Clone, Debug)]
pub struct Readings {
    /// The likely readings first, then the doubtful ones.
    pub list: Vec<Reading>,
    /// The reason if no reading is likely: a sentence without a full stop.
    pub none_likely: Option<String>,
}

/// Decodes an ID in the layout named, or in every plausible one. `beside` is the text beside the
/// ID, which may name its system. `naming` is the option that names a layout, for messages.
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
) -> Result<Readings> {
    let only = |reading| Readings { list: vec![reading], none_likely: None };
    let number = match id {
        Id::Number(number) => *number,
        Id::Other(other) => return Ok(only(Reading::of_other(other))),
    };
    if let Some(named) = layout {
        named.layout.decode(number)?;
        return Ok(only(Reading::of_number(number, &named.name, &named.layout)));
    }
    let guesses = guess_beside(number, now_ms, beside);
    let none_likely = guesses.none_likely();
    let reading = |guess: snowmint::Guess| Reading {
        doubt: guess.doubt,
        ..Reading::of_number(number, guess.preset.name, &guess.preset.layout)
    };
    let list: Vec<_> = guesses.map(reading).collect();
    match none_likely {
        Some(why) if list.is_empty() => Err(errors::decoding::layout_unknown(number, &why, naming)),
        why => Ok(Readings { list, none_likely: why.map(|why| why.to_string()) }),
    }
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
    /// The reason why the reading is not likely, or `None` if it is, or the layout was named.
    pub doubt: Option<Doubt>,
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
            doubt: None,
        }
    }

    fn of_other(other: &Other) -> Reading {
        Reading {
            id: other.text.clone(),
            layout: other.kind.clone(),
            in_layout: None,
            unix_ms: other.unix_ms,
            fields: Vec::new(),
            doubt: None,
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
        if let Some(doubt) = self.doubt {
            object.insert("doubt".to_owned(), doubt.name().into());
        }
        object.into()
    }
}
