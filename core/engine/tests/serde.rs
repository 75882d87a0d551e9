//! Tests of `serde`, with JSON and with a format that is not for people.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_test::{Configure, Token, assert_de_tokens_error, assert_tokens};
use snowmint_engine::{
    ClockPolicy, Code, Id, Layout, Parts, Preset, SequenceStart, TextForm, WhenBehind, WhenFull,
};

/// Writes a value as this JSON, and reads it back.
fn is_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), text);
    assert_eq!(serde_json::from_str::<T>(text).unwrap(), *value);
}

fn refusal<T: DeserializeOwned + Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

#[test]
fn ids_are_text_where_people_read() {
    for id in [0, 7, 1 << 53, 1_541_815_603_606_036_480, u64::MAX] {
        is_json(&Id(id), &format!("\"{id}\""));
        assert_eq!(serde_json::from_str::<Id>(&id.to_string()).unwrap(), Id(id));
        assert_tokens(&Id(id).compact(), &[Token::U64(id)]);
    }
    is_json(&BTreeMap::from([(Id(7), Id(8))]), r#"{"7":"8"}"#);
    is_json(&Some(vec![Id(1)]), r#"["1"]"#);
}

#[test]
fn a_refused_id_says_why() {
    let above = "18446744073709551616";
    assert!(refusal::<Id>(&format!("\"{above}\"")).contains("the largest ID"));
    for text in [above, "-1", "1.5", "true", "null", "[1]"] {
        assert!(refusal::<Id>(text).contains("a 64-bit ID in decimal"), "{}", refusal::<Id>(text));
    }
    assert!(refusal::<Id>("\"12x\"").contains("\"12x\": no dec number"), "the text is named");
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    #[serde(with = "snowmint_engine::serde::string")]
    unsigned: u64,
    #[serde(with = "snowmint_engine::serde::string")]
    signed: i64,
    #[serde(default, with = "snowmint_engine::serde::string::option")]
    parent: Option<u64>,
}

#[test]
fn fields_of_numbers_are_text_too() {
    let row = Row { unsigned: u64::MAX, signed: -1, parent: Some(7) };
    let all = u64::MAX;
    is_json(&row, &format!(r#"{{"unsigned":"{all}","signed":"{all}","parent":"7"}}"#));
    let row = Row { unsigned: 1, signed: 2, parent: None };
    is_json(&row, r#"{"unsigned":"1","signed":"2","parent":null}"#);
    assert_eq!(serde_json::from_str::<Row>(r#"{"unsigned":1,"signed":"2"}"#).unwrap(), row);
}

#[test]
fn layouts_are_their_fields_and_read_by_name() {
    let twitter = r#"{"fields":"zero:1,time:41,datacenter:5,worker:5,sequence:12","epoch_ms":1288834974657,"tick_ms":1}"#;
    is_json(&Layout::TWITTER, twitter);
    for preset in Preset::ALL {
        let text = serde_json::to_string(&preset.layout).unwrap();
        assert_eq!(serde_json::from_str::<Layout>(&text).unwrap(), preset.layout, "{text}");
        let name = format!("\"{}\"", preset.name);
        assert_eq!(serde_json::from_str::<Layout>(&name).unwrap(), preset.layout, "{name}");
    }
    let plain: Layout = serde_json::from_str("\"time:41,worker:10,sequence:12\"").unwrap();
    let table = r#"{"fields":"time:41,worker:10,sequence:12"}"#;
    assert_eq!(serde_json::from_str::<Layout>(table).unwrap(), plain);
    let constant = Layout::builder().constant(3, 5).time(41).worker(8).sequence(12).tick_ms(10);
    let constant = constant.epoch_ms(-1).build().unwrap();
    is_json(
        &constant,
        r#"{"fields":"constant:3=5,time:41,worker:8,sequence:12","epoch_ms":-1,"tick_ms":10}"#,
    );
    assert_tokens(
        &constant.compact(),
        &[
            Token::Struct { name: "Layout", len: 3 },
            Token::Str("fields"),
            Token::Str("constant:3=5,time:41,worker:8,sequence:12"),
            Token::Str("epoch_ms"),
            Token::I64(-1),
            Token::Str("tick_ms"),
            Token::U32(10),
            Token::StructEnd,
        ],
    );
}

#[test]
fn a_refused_layout_says_why() {
    assert!(refusal::<Layout>("\"twiter\"").contains("\"twiter\": "));
    assert!(refusal::<Layout>("7").contains("a preset's name"));
    assert!(refusal::<Layout>(r#"{"fields":"time:99"}"#).contains("invalid layout"));
    assert!(refusal::<Layout>(r#"{"fields":"time:41","tick_ms":0}"#).contains("invalid layout"));
    assert!(refusal::<Layout>(r#"{"fields":"time:41","epoch":0}"#).contains("epoch_ms"));
}

#[test]
fn policies_and_starts_are_their_parts() {
    let text = r#"{"max_ahead_ms":1000,"when_behind":{"wait":{"max_ms":5000}},"when_full":"wait"}"#;
    is_json(&ClockPolicy::SNOWMINT, text);
    for (name, policy) in ClockPolicy::ALL {
        let text = serde_json::to_string(policy).unwrap();
        assert_eq!(serde_json::from_str::<ClockPolicy>(&text).unwrap(), *policy, "{text}");
        let named = serde_json::from_str::<ClockPolicy>(&format!("\"{name}\"")).unwrap();
        assert_eq!(named, *policy, "{name}");
    }
    is_json(&WhenBehind::CountRollback, r#""count_rollback""#);
    is_json(&WhenBehind::ChangeWorker { max_ms: 15 }, r#"{"change_worker":{"max_ms":15}}"#);
    is_json(&WhenFull::Fail, r#""fail""#);
    is_json(&SequenceStart::Zero, r#""zero""#);
    is_json(&SequenceStart::Vibrate { max_offset: 9 }, r#"{"vibrate":{"max_offset":9}}"#);
    is_json(&SequenceStart::Random { below: 100, seed: 7 }, r#"{"random":{"below":100,"seed":7}}"#);
    assert!(refusal::<ClockPolicy>("\"twiter\"").contains("\"twiter\": "));
}

#[test]
fn parts_forms_and_codes() {
    let parts = Layout::TWITTER.decode(1_541_815_603_606_036_480).unwrap();
    is_json(&parts, r#"{"unix_ms":1656432460105,"worker_id":378,"sequence":0,"rollback":0}"#);
    let of_time = Parts { unix_ms: 5, ..Parts::default() };
    assert_eq!(serde_json::from_str::<Parts>(r#"{"unix_ms":5}"#).unwrap(), of_time);
    assert!(refusal::<Parts>(r#"{"worker_id":7}"#).contains("unix_ms"));
    assert!(refusal::<Parts>(r#"{"unix_ms":5,"worker":7}"#).contains("worker_id"));
    for &form in TextForm::ALL {
        is_json(&form, &format!("\"{form}\""));
        assert_tokens(&form.compact(), &[Token::Str(form.name())]);
    }
    for &code in Code::ALL {
        is_json(&code, &format!("\"{code}\""));
        assert_tokens(&code.compact(), &[Token::U32(code.number())]);
    }
    assert_de_tokens_error::<serde_test::Compact<Code>>(
        &[Token::U32(1)],
        "no code has the number 1",
    );
}
