//! Tags and their configuration as JSON.
#![allow(clippy::unwrap_used)]

use snowmint::{Tag, TagChange, TagOptions};

#[test]
fn a_tag_is_its_name() {
    for name in ["orders", "shop/orders"] {
        let tag = Tag::of_row(name).unwrap();
        let text = format!("\"{name}\"");
        assert_eq!(serde_json::to_string(&tag).unwrap(), text);
        assert_eq!(serde_json::from_str::<Tag>(&text).unwrap(), tag);
    }
    let refusal = serde_json::from_str::<Tag>("\"two words\"").unwrap_err().to_string();
    assert!(refusal.contains("use 1 to 64 letters"), "{refusal}");
}

#[test]
fn options_that_are_left_out_have_their_defaults() {
    let options = TagOptions::default();
    let text = r#"{"start":"1","step":1000,"stride":1,"max":"9223372036854775806"}"#;
    assert_eq!(serde_json::to_string(&options).unwrap(), text);
    assert_eq!(serde_json::from_str::<TagOptions>(text).unwrap(), options);
    assert_eq!(serde_json::from_str::<TagOptions>("{}").unwrap(), options);
    let column = serde_json::from_str::<TagOptions>(r#"{"max":2147483647}"#).unwrap();
    assert_eq!(column, options.max(2_147_483_647));
    let refusal = serde_json::from_str::<TagOptions>(r#"{"stepp":5}"#).unwrap_err().to_string();
    assert!(refusal.contains("`step`"), "{refusal}");
}

#[test]
fn a_change_changes_what_it_names() {
    let change = TagChange::default().next(5).step(7);
    let text = r#"{"next":"5","step":7,"max":null}"#;
    assert_eq!(serde_json::to_string(&change).unwrap(), text);
    assert_eq!(serde_json::from_str::<TagChange>(text).unwrap(), change);
    let raise = serde_json::from_str::<TagChange>(r#"{"next":5}"#).unwrap();
    assert_eq!(raise, TagChange::default().next(5));
}
