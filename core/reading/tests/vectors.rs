//! Holds the reader to `tests/vectors/readings.json`.

#![allow(clippy::unwrap_used)]

use serde_json::{Map, Value, json};
use snowmint_engine::TextForm;
use snowmint_reading::{Number, One, Reading, advice, read};

const VECTORS: &str = include_str!("../../../tests/vectors/readings.json");

#[test]
fn every_text_is_read_as_the_vectors_say() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let now_ms = vectors["now_ms"].as_str().unwrap().parse().unwrap();
    let readings = vectors["readings"].as_array().unwrap();
    assert!(readings.len() > 80);
    for vector in readings {
        let text = vector["text"].as_str().unwrap();
        assert_eq!(&told(text, now_ms), vector, "{text}");
    }
}

/// Returns a reading in the shape of the vectors.
fn told(text: &str, now_ms: i64) -> Value {
    let mut facts = match read(text, None, now_ms) {
        Reading::One(one) => told_of_one(one),
        Reading::Many(many) => {
            let ids: Vec<_> = many.ids.iter().map(u64::to_string).collect();
            let sentence = many.problem.map(|problem| problem.sentence);
            json!({ "kind": "ids", "ids": ids, "beside": many.beside, "sentence": sentence })
        }
    };
    let advice = advice(text).map(Value::from);
    let is_same = advice.as_ref() == Some(&facts["sentence"]);
    facts["advice"] = if is_same { true.into() } else { advice.into() };
    facts["text"] = text.into();
    let facts = facts.as_object().unwrap().clone();
    facts.into_iter().filter(|(_, value)| !value.is_null()).collect::<Map<_, _>>().into()
}

fn told_of_one(one: One) -> Value {
    let digits = |numbers: [u64; 2]| numbers.map(|number| number.to_string());
    match one {
        One::Number(Number { certain: Some((form, id)), note, .. }) => {
            let sentence = note.map(|note| note.sentence);
            json!({
                "kind": "id", "form": form.name(), "ids": [id.to_string()], "sentence": sentence,
            })
        }
        One::Number(number) => {
            let forms = number.readings.iter().map(|(form, _)| form.name()).collect::<Vec<_>>();
            json!({ "kind": "uncertain", "forms": forms })
        }
        One::Other(other) => json!({
            "kind": "other",
            "name": other.kind,
            "unix_ms": other.unix_ms.map(|unix_ms| unix_ms.to_string()),
            "sentence": other.sentence(),
        }),
        One::Problem(problem) => json!({
            "kind": "problem",
            "code": problem.code.name(),
            "between": problem.damage.map(|damage| digits([damage.low, damage.high])),
            "sentence": problem.sentence,
        }),
    }
}

#[test]
fn a_form_that_is_named_also_reads_words() {
    let read = |text| read(text, Some(TextForm::Base36), 0);
    let Reading::One(One::Number(number)) = read("hello") else { panic!("a word") };
    assert_eq!(number.certain, Some((TextForm::Base36, 29_234_652)));
}

#[test]
fn the_look_of_a_text_decides_also_where_another_form_has_a_plausible_id() {
    let Reading::One(One::Number(number)) = read("0000000000007", None, 1_796_000_000_000) else {
        panic!("a number")
    };
    assert_eq!(number.certain, Some((TextForm::Base32, 7)));
}

#[test]
fn a_damaged_id_is_dated_as_far_as_its_digits_go() {
    let dating = |text, beside| {
        let Reading::One(One::Problem(problem)) = read(text, None, 0) else { panic!("{text}") };
        problem.damage.unwrap().dating(1_796_000_000_000, beside).unwrap()
    };
    assert_eq!(
        dating("1.2E+18", "tweet"),
        "As an ID of twitter it was made between 2019-07-13T11:12:20.623Z and \
         2020-04-14T09:56:38.533Z."
    );
    assert_eq!(
        dating("1541815603606036480.0", "tweet"),
        "As an ID of twitter it has the time 2022-06-28T16:07:40.105Z all the same."
    );
}
