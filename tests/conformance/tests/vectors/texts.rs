//! `texts.json`.

use snowmint_engine::{TextForm, detect};

use crate::reading::{document, judge, list, text, wide};

#[test]
fn texts() {
    let document = document("texts.json");
    for row in list(&document, "texts") {
        let texts = row["texts"].as_object().unwrap();
        assert_eq!(texts.len(), TextForm::ALL.len());
        for (name, written) in texts {
            let (form, id) = (TextForm::from_name(name).unwrap(), wide(row, "id"));
            assert_eq!(Some(&*form.format(id)), written.as_str());
            assert_eq!(form.parse(written.as_str().unwrap()), Ok(id));
        }
    }
    for row in list(&document, "invalid") {
        let form = TextForm::from_name(text(row, "form")).unwrap();
        judge(row, form.parse(text(row, "text")), || panic!("it should be invalid: {row}"));
    }
    for row in list(&document, "detect") {
        assert_eq!(detect(text(row, "text")).map(TextForm::name), row["form"].as_str(), "{row}");
    }
}

#[test]
fn forms() {
    let document = document("texts.json");
    let rows = list(&document, "forms");
    assert_eq!(rows.len(), TextForm::ALL.len());
    for (row, form) in rows.iter().zip(TextForm::ALL) {
        assert_eq!(text(row, "form"), form.name());
        assert_eq!(text(row, "alphabet"), form.alphabet());
        assert_eq!(row["width"].as_u64(), form.width().map(u64::from));
        assert_eq!(row["sortable"].as_bool(), Some(form.is_sortable()));
    }
}
