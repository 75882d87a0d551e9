//! The vectors as JSON values. 64-bit integers are strings there, narrower ones numbers.

use std::fmt::Debug;
use std::fs;
use std::str::FromStr;

use serde_json::Value;
use snowmint_engine::{Code, Error, Layout, Preset};

pub(crate) fn document(name: &str) -> Value {
    let path = snowmint_conformance::directory().join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap()
}

pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no text {key} in {value}"))
}

/// A 64-bit integer, written as a string in its one decimal spelling.
pub(crate) fn wide<T: FromStr + ToString>(value: &Value, key: &str) -> T
where
    T::Err: Debug,
{
    let number: T = text(value, key).parse().unwrap();
    assert_eq!(number.to_string(), text(value, key));
    number
}

/// A number of at most 32 bits.
pub(crate) fn narrow(value: &Value, key: &str) -> u32 {
    let number = value[key].as_u64().unwrap_or_else(|| panic!("no number {key} in {value}"));
    u32::try_from(number).unwrap()
}

/// A layout of fields, epoch and tick.
pub(crate) fn build(case: &Value) -> Result<Layout, Error> {
    let builder = Layout::builder().fields(text(case, "fields"))?;
    builder.epoch_ms(wide(case, "epoch_ms")).tick_ms(narrow(case, "tick_ms")).build()
}

/// A preset's layout, or one of fields, epoch and tick.
pub(crate) fn layout(case: &Value) -> Layout {
    match case["preset"].as_str() {
        Some(name) => Preset::from_name(name).unwrap().layout,
        None => build(case).unwrap(),
    }
}

/// Checks that a result is the one expected, or its error the one named.
#[track_caller]
pub(crate) fn judge<T: PartialEq + Debug>(
    case: &Value,
    result: Result<T, Error>,
    expected: impl FnOnce() -> T,
) {
    match (result, case["error"].as_str()) {
        (Ok(value), None) => assert_eq!(value, expected(), "{case}"),
        (Err(error), Some(name)) => assert_eq!(error.code().name(), name, "{case}"),
        (result, _) => panic!("{result:?} in {case}"),
    }
}

#[test]
fn every_code_is_in_the_table() {
    let table = document("errors.json");
    let rows = list(&table, "errors");
    for code in Code::ALL {
        let row = rows.iter().find(|row| narrow(row, "number") == code.number());
        let row = row.unwrap_or_else(|| panic!("{code} is missing"));
        assert_eq!((text(row, "name"), text(row, "summary")), (code.name(), code.summary()));
    }
    assert_eq!(rows.len(), Code::ALL.len());
}
