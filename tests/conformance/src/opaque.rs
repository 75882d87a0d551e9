//! `opaque.json`: public forms of IDs, texts and keys that are refused, and NIST's own samples of the
//! ciphers below.

mod refusals;

use std::collections::BTreeMap;

use serde::Serialize;
use snowmint_opaque::{NumberWidth, PublicIdCodec, PublicIdKeys, TokenForm};

use crate::render::render;

#[derive(Serialize)]
struct Document {
    aes: &'static [Block],
    ff1: &'static [Numerals],
    keyrings: &'static [Keyring],
    ids: Vec<Row>,
    refused: Vec<refusals::Text>,
    refused_keys: Vec<refusals::Keys>,
}

#[derive(Serialize)]
struct Block {
    source: &'static str,
    key: &'static str,
    plain: &'static str,
    enciphered: &'static str,
}

#[derive(Serialize)]
struct Numerals {
    source: &'static str,
    key: &'static str,
    radix: u32,
    tweak: &'static str,
    plain: &'static str,
    enciphered: &'static str,
}

pub(crate) struct Keyring {
    pub(crate) name: &'static str,
    realm: &'static str,
    current: char,
    numbers: char,
    keys: &'static [(char, &'static str)],
}

#[derive(Serialize)]
struct Row {
    keyring: &'static str,
    key: char,
    r#type: &'static str,
    id: String,
    token: String,
    base64url: String,
    uuid: String,
    number_64: String,
    number_63: Option<String>,
    number_53: Option<String>,
}

/// Key of the samples in SP 800-38A, SP 800-38G and FIPS 197, appendix B.
const KEY: &str = "2b7e151628aed2a6abf7158809cf4f3c";
const KEY_192: &str = "2b7e151628aed2a6abf7158809cf4f3cef4359d8d580aa4f";
const KEY_256: &str = "2b7e151628aed2a6abf7158809cf4f3cef4359d8d580aa4f7f036d6f04fc6a94";

const AES: &[Block] = &[
    Block {
        source: "FIPS 197, appendix B",
        key: KEY,
        plain: "3243f6a8885a308d313198a2e0370734",
        enciphered: "3925841d02dc09fbdc118597196a0b32",
    },
    Block {
        source: "FIPS 197, appendix C.1",
        key: "000102030405060708090a0b0c0d0e0f",
        plain: "00112233445566778899aabbccddeeff",
        enciphered: "69c4e0d86a7b0430d8cdb78070b4c55a",
    },
    Block {
        source: "SP 800-38A, F.1.1, block 1",
        key: KEY,
        plain: "6bc1bee22e409f96e93d7e117393172a",
        enciphered: "3ad77bb40d7a3660a89ecaf32466ef97",
    },
    Block {
        source: "SP 800-38A, F.1.1, block 2",
        key: KEY,
        plain: "ae2d8a571e03ac9c9eb76fac45af8e51",
        enciphered: "f5d3d58503b9699de785895a96fdbaaf",
    },
    Block {
        source: "SP 800-38A, F.1.1, block 3",
        key: KEY,
        plain: "30c81c46a35ce411e5fbc1191a0a52ef",
        enciphered: "43b1cd7f598ece23881b00e3ed030688",
    },
    Block {
        source: "SP 800-38A, F.1.1, block 4",
        key: KEY,
        plain: "f69f2445df4f9b17ad2b417be66c3710",
        enciphered: "7b0c785e27e8ad3f8223207104725dd4",
    },
];

const TWEAK_10: &str = "39383736353433323130";
const TWEAK_36: &str = "3737373770717273373737";
const PLAIN_10: &str = "0123456789";
const PLAIN_36: &str = "0123456789abcdefghi";

#[rustfmt::skip]
const FF1: &[Numerals] = &[
    sample("SP 800-38G, FF1, sample 1", KEY, 10, "", PLAIN_10, "2433477484"),
    sample("SP 800-38G, FF1, sample 2", KEY, 10, TWEAK_10, PLAIN_10, "6124200773"),
    sample("SP 800-38G, FF1, sample 3", KEY, 36, TWEAK_36, PLAIN_36, "a9tv40mll9kdu509eum"),
    sample("SP 800-38G, FF1, sample 4", KEY_192, 10, "", PLAIN_10, "2830668132"),
    sample("SP 800-38G, FF1, sample 5", KEY_192, 10, TWEAK_10, PLAIN_10, "2496655549"),
    sample("SP 800-38G, FF1, sample 6", KEY_192, 36, TWEAK_36, PLAIN_36, "xbj3kv35jrawxv32ysr"),
    sample("SP 800-38G, FF1, sample 7", KEY_256, 10, "", PLAIN_10, "6657667009"),
    sample("SP 800-38G, FF1, sample 8", KEY_256, 10, TWEAK_10, PLAIN_10, "1001623463"),
    sample("SP 800-38G, FF1, sample 9", KEY_256, 36, TWEAK_36, PLAIN_36, "xs8a0azh2avyalyzuwd"),
];

const fn sample(
    source: &'static str,
    key: &'static str,
    radix: u32,
    tweak: &'static str,
    plain: &'static str,
    enciphered: &'static str,
) -> Numerals {
    Numerals { source, key, radix, tweak, plain, enciphered }
}

/// The shortest key, the longest, one between; several of which an older one has the numbers.
const KEYRINGS: &[Keyring] = &[
    Keyring { name: "one", realm: "", current: '1', numbers: '1', keys: &[('1', KEY)] },
    Keyring {
        name: "long",
        realm: "shop",
        current: 'a',
        numbers: 'a',
        keys: &[('a', "9f02c4e86ab1d35770fe1842b66d09c37e5ad1f408962b8b4dc3a710ef58329c")],
    },
    Keyring {
        name: "rotated",
        realm: "shop",
        current: 'z',
        numbers: '0',
        keys: &[
            ('0', "c45b0e97d2136f8ae1704bb85d29fc0d"),
            ('9', "1ad86c03f7b24e95800b6de25f13a47cc952be31"),
            ('z', "e70f4a15936cd8b20d81fb5ea2374c69"),
        ],
    },
    Keyring {
        name: "another realm",
        realm: "Shop-2:eu.west_1",
        current: '0',
        numbers: '0',
        keys: &[('0', "c45b0e97d2136f8ae1704bb85d29fc0d")],
    },
];

const TYPES: &[&str] = &["order", "user", "order_item", "v2", "a_type_of_32_bytes_and_no_more_0"];

/// The number of IDs whose forms are written down.
const COUNT: usize = 500;

/// The ends of what numbers hold, and around them.
const EDGES: &[u64] = &[
    0,
    1,
    2,
    u32::MAX as u64,
    (1 << 53) - 1,
    1 << 53,
    i64::MAX as u64,
    1 << 63,
    u64::MAX - 1,
    u64::MAX,
    1_541_815_603_606_036_480,
    1_541_815_603_606_036_481,
];

pub(crate) fn document() -> String {
    render(&Document {
        aes: AES,
        ff1: FF1,
        keyrings: KEYRINGS,
        ids: rows(),
        refused: refusals::texts(&KEYRINGS[2]),
        refused_keys: refusals::keys(),
    })
}

/// Every type under every key of every keyring: with each of the edges, and then with numbers without
/// a pattern, short ones among them.
fn rows() -> Vec<Row> {
    let keys = KEYRINGS.iter().flat_map(|ring| ring.keys.iter().map(move |(key, _)| (ring, *key)));
    let makers: Vec<Maker> = keys
        .flat_map(|(ring, key)| TYPES.iter().map(move |kind| Maker::new(ring, key, kind)))
        .collect();
    let edges = makers.iter().flat_map(|maker| EDGES.iter().map(move |&id| maker.row(id)));
    let mixed = (1_u64..).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (n % 30));
    let mixed = makers.iter().cycle().zip(mixed).map(|(maker, id)| maker.row(id));
    edges.chain(mixed).take(COUNT).collect()
}

/// A type's forms under one key.
struct Maker {
    keyring: &'static str,
    key: char,
    kind: &'static str,
    codec: PublicIdCodec,
    short: PublicIdCodec,
}

impl Maker {
    fn new(ring: &Keyring, key: char, kind: &'static str) -> Maker {
        let codec = || ring.open(key).codec(kind).expect("a type");
        let short = codec().with_form(TokenForm::Base64Url);
        Maker { keyring: ring.name, key, kind, codec: codec(), short }
    }

    fn row(&self, id: u64) -> Row {
        let codec = &self.codec;
        let number = |width| codec.encode_number(id, width).ok().map(|number| number.to_string());
        Row {
            keyring: self.keyring,
            key: self.key,
            r#type: self.kind,
            id: id.to_string(),
            token: codec.encode(id).into(),
            base64url: self.short.encode(id).into(),
            uuid: codec.encode_uuid(id).iter().map(|byte| format!("{byte:02x}")).collect(),
            number_64: number(NumberWidth::Bits64).expect("64 bits hold every ID"),
            number_63: number(NumberWidth::Bits63),
            number_53: number(NumberWidth::Bits53),
        }
    }
}

impl Keyring {
    /// The keys, with that one current.
    pub(crate) fn open(&self, current: char) -> PublicIdKeys {
        let keys: BTreeMap<char, &str> = self.keys.iter().copied().collect();
        let document = serde_json::json!({
            "realm": self.realm, "current": current, "numbers": self.numbers, "keys": keys,
        });
        PublicIdKeys::from_bytes(document.to_string().as_bytes()).expect("keys of the vectors")
    }
}

impl Serialize for Keyring {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'a> {
            name: &'a str,
            realm: &'a str,
            current: char,
            numbers: char,
            keys: BTreeMap<char, &'a str>,
        }
        let Keyring { name, realm, current, numbers, .. } = *self;
        let keys = self.keys.iter().copied().collect();
        Written { name, realm, current, numbers, keys }.serialize(serializer)
    }
}
