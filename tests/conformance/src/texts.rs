//! `texts.json`: IDs in every text form, other spellings, texts that
//! none may take, and guesses of the form.

use std::collections::BTreeMap;

use serde::Serialize;
use snowmint_engine::{TextForm, detect};

use crate::render::render;

#[derive(Serialize)]
struct Document {
    forms: Vec<Form>,
    texts: Vec<Texts>,
    others: Vec<Other>,
    invalid: Vec<Invalid>,
    detect: Vec<Detected>,
}

#[derive(Serialize)]
struct Form {
    form: &'static str,
    alphabet: &'static str,
    width: Option<u32>,
    sortable: bool,
}

#[derive(Serialize)]
struct Texts {
    id: String,
    texts: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct Other {
    form: &'static str,
    text: &'static str,
    id: String,
}

#[derive(Serialize)]
struct Invalid {
    form: &'static str,
    text: &'static str,
    error: &'static str,
}

#[derive(Serialize)]
struct Detected {
    text: &'static str,
    form: Option<&'static str>,
}

/// Around the powers where a digit is added, and numbers without a pattern.
const IDS: &[u64] = &[
    0,
    1,
    9,
    10,
    15,
    16,
    31,
    32,
    35,
    36,
    37,
    57,
    58,
    61,
    62,
    99,
    100,
    999,
    1234,
    99_999_999,
    100_000_000,
    u32::MAX as u64 / 2,
    1 << 31,
    u32::MAX as u64,
    1 << 32,
    (1 << 53) - 1,
    1 << 53,
    9_999_999_999_999_999,
    10_000_000_000_000_000,
    839_299_365_868_340_223, // 62^10 - 1
    839_299_365_868_340_224,
    (1 << 60) - 1,
    1 << 60,
    1_427_970_479_175_499_776, // of bwmarrin's tests
    1_428_076_403_798_048_768, // likewise
    1_541_815_603_606_036_480, // of Wikipedia's page
    i64::MAX as u64,
    1 << 63,
    9_999_999_999_999_999_999,
    10_000_000_000_000_000_000,
    0x0123_4567_89ab_cdef,
    0xfedc_ba98_7654_3210,
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0x00c0_ffee_0000_0000,
    0x5555_5555_5555_5555,
    u64::MAX - 1,
    u64::MAX,
];

/// The valid texts among these are other spellings than the canonical one.
const ODD: &[(TextForm, &[&str])] = &[
    (
        TextForm::Decimal,
        &[
            "",
            "+1",
            "-1",
            " 1",
            "1 ",
            "1_000",
            "0x10",
            "00",
            "01",
            "1.0",
            "1e3",
            "\u{0661}",
            "a",
            "18446744073709551616",
            "99999999999999999999",
            "00000000000000000001",
            "00018446744073709551615",
            "01844674407370955161",
            "184467440737095516150",
            "100000000000000000000",
        ],
    ),
    (
        TextForm::Hex,
        &[
            "",
            "0",
            "000000000000000",
            "00000000000000000",
            "000000000000000A",
            "000000000000000g",
            "000000000000ABcg",
            "0x00000000000001",
            "00000000000000é",
            "00000000000000 1",
        ],
    ),
    (
        TextForm::Base32,
        &[
            "",
            "000000000000",
            "00000000000000",
            "G000000000000",
            "ZZZZZZZZZZZZZ",
            "000000000000o",
            "000000000000O",
            "000000000000I",
            "000000000000l",
            "000000000000a",
            "000000000000U",
            "000000000000u",
            "0000000000é0",
            "00000-0000000",
            "000000000000*",
        ],
    ),
    (
        TextForm::Base32Check,
        &[
            "",
            "0000000000000",
            "000000000016JE",
            "000000000016Jd",
            "0000000000014u",
            "000000000016J!",
            "00000000016JU0",
            "G0000000000000",
            "000000000016Jo",
            "00000000001J6D",
            "FZZZZZZZZZZZZA",
            "ooooooooo1i4U",
            "0000000000O14u",
            "00000000000*00",
        ],
    ),
    (
        TextForm::ZBase32,
        &[
            "",
            "yb",
            "yy",
            "B",
            "l",
            "v",
            "0",
            "2",
            "o999999999999",
            "99999999999999",
            "ybndrfg8ejkmc",
        ],
    ),
    (
        TextForm::Base36,
        &[
            "",
            "A",
            "00",
            "0a",
            "-",
            "3w5e11264sgsg",
            "zzzzzzzzzzzzz",
            "10000000000000",
            "3W5E11264SGSF",
            "000000000000A",
            "0000000HELLO",
        ],
    ),
    (
        TextForm::Base58,
        &["", "0", "O", "I", "l", "11", "1z", "jpXCZedGfVR", "zzzzzzzzzzz", "211111111111"],
    ),
    (
        TextForm::Base58Flickr,
        &[
            "",
            "0",
            "O",
            "I",
            "l",
            "4l",
            "11",
            "1Z",
            "JPwcyDCgEup",
            "JPwcyDCgEuq",
            "ZZZZZZZZZZZ",
            "211111111111",
        ],
    ),
    (
        TextForm::Base62,
        &[
            "",
            "0",
            "0000000000",
            "000000000000",
            "LygHa16AHYG",
            "zzzzzzzzzzz",
            "0000000000-",
            "000000000é",
        ],
    ),
];

const DETECT: &[&str] = &[
    "",
    "0",
    "01",
    "7",
    "abc",
    "1541815603606036480",
    "1234567890123456",
    "18446744073709551616",
    "99999999999999999999",
    "100000000000000000000",
    "0123456789012345",
    "1565a1c2b8c02000",
    "1565A1C2B8C02000",
    "FZZZZZZZZZZZZ",
    "GZZZZZZZZZZZZ",
    "000000000016JD",
    "000000000016JE",
    "LygHa16AHYF",
    "LygHa16AHYG",
    "00000000000",
    "b8wjm1zroyyyy",
    "4jgmnx8Js8A",
    "4aaW4SzAyQK",
    "4zzv4rZaYpj",
    "1ptWyK4WgZU",
    "2OqiiyTsmm0",
    "zzzzzzzzzzz",
];

pub(crate) fn document() -> String {
    let document = Document {
        forms: TextForm::ALL.iter().copied().map(form).collect(),
        texts: IDS.iter().copied().map(texts).collect(),
        others: odd().filter_map(|(form, text)| other(form, text)).collect(),
        invalid: odd().filter_map(|(form, text)| invalid(form, text)).collect(),
        detect: DETECT
            .iter()
            .map(|text| Detected { text, form: detect(text).map(TextForm::name) })
            .collect(),
    };
    render(&document)
}

fn form(form: TextForm) -> Form {
    Form {
        form: form.name(),
        alphabet: form.alphabet(),
        width: form.width(),
        sortable: form.is_sortable(),
    }
}

fn texts(id: u64) -> Texts {
    let text = |form: &TextForm| (form.name(), form.format(id).to_string());
    Texts { id: id.to_string(), texts: TextForm::ALL.iter().map(text).collect() }
}

fn odd() -> impl Iterator<Item = (TextForm, &'static str)> {
    ODD.iter().flat_map(|&(form, texts)| texts.iter().map(move |&text| (form, text)))
}

/// A text that is read, and written otherwise.
fn other(form: TextForm, text: &'static str) -> Option<Other> {
    let id = form.parse(text).ok()?;
    (&*form.format(id) != text).then(|| Other { form: form.name(), text, id: id.to_string() })
}

fn invalid(form: TextForm, text: &'static str) -> Option<Invalid> {
    let error = form.parse(text).err()?.code().name();
    Some(Invalid { form: form.name(), text, error })
}
