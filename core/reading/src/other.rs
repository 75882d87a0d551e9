//! IDs of other systems that are no 64-bit numbers: their kinds, and the times in some of them.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use snowmint_engine::TextForm;

use crate::clean::is_integer;

/// The ticks of 100 ns from the Gregorian reform, where UUIDs of version 1 and 6 begin, to 1970.
const GREGORIAN_TICKS: u64 = 0x01b2_1dd2_1381_4000;
/// Where the seconds of a KSUID begin, in Unix seconds.
const KSUID_EPOCH_S: i64 = 1_400_000_000;
/// No Xid is older, in Unix seconds: the kind is of 2009.
const XID_FIRST_S: i64 = 1_230_768_000;
const FIREBASE: &[u8; 64] = b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
/// The alphabet of TIDs, whose order is that of ASCII.
const TID: &[u8; 32] = b"234567abcdefghijklmnopqrstuvwxyz";
/// No TID is older, in Unix milliseconds: the AT Protocol was published in 2022.
const TID_FIRST_MS: i64 = 1_640_995_200_000;
pub(crate) const DAY_MS: i64 = 86_400_000;
/// The length of a NanoID, unless another one is asked for.
const NANOID_LENGTH: usize = 21;

/// An ID that is no 64-bit number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// The kind in small letters: `ulid`, `uuid-v7`, `objectid`.
    pub kind: String,
    /// The kind in words.
    pub name: String,
    /// The ID as its kind writes it.
    pub text: String,
    /// The number of bits.
    pub bits: u32,
    /// The time that it was made, in Unix milliseconds, if the ID has it.
    pub unix_ms: Option<i64>,
    /// A sentence about the time, or about the lack of one; it may be empty.
    pub note: &'static str,
}

impl Other {
    /// Returns a sentence that says what the ID is, and that no layout has it.
    pub fn sentence(&self) -> String {
        let article = if matches!(&*self.kind, "objectid" | "xid") { "an" } else { "a" };
        let (text, name, bits) = (&self.text, &self.name, self.bits);
        let end = if bits == 64 { "which no layout has" } else { "and no 64-bit ID" };
        format!("{text:?} is {article} {name}, of {bits} bits, {end}.")
    }
}

/// Returns what a text is, or `None` if it is of no kind known here.
pub(crate) fn other(bare: &str) -> Option<Other> {
    match bare.len() {
        _ if is_integer(bare) => None,
        20 => {
            if bare.starts_with('-') {
                firebase(bare)
            } else {
                xid(bare)
            }
        }
        NANOID_LENGTH => nanoid(bare),
        24 => object_id(bare),
        26 => ulid(bare),
        27 => ksuid(bare),
        32..=47 => uuid(bare),
        _ => None,
    }
}

fn named(kind: &str, name: &str, bits: u32) -> Other {
    Other {
        kind: kind.to_owned(),
        name: name.to_owned(),
        text: String::new(),
        bits,
        unix_ms: None,
        note: "",
    }
}

fn ulid(bare: &str) -> Option<Other> {
    let (time, random) = bare.split_at_checked(10)?;
    let is_time = bare.starts_with(|first| ('0'..='7').contains(&first));
    let is_symbol = |byte: u8| byte.is_ascii_alphanumeric() && !b"iloUuILO".contains(&byte);
    if !is_time || !random.bytes().all(is_symbol) {
        return None;
    }
    let unix_ms = TextForm::Base32.parse(&format!("000{time}")).ok()?;
    Some(Other {
        text: bare.to_ascii_uppercase(),
        unix_ms: i64::try_from(unix_ms).ok(),
        note: "The last 16 symbols are random.",
        ..named("ulid", "ULID", 128)
    })
}

fn object_id(bare: &str) -> Option<Other> {
    let seconds = u32::from_str_radix(hexadecimal(bare)?.get(..8)?, 16).ok()?;
    Some(Other {
        text: bare.to_ascii_lowercase(),
        unix_ms: Some(i64::from(seconds) * 1000),
        note: "The time is in whole seconds.",
        ..named("objectid", "ObjectId of MongoDB", 96)
    })
}

fn hexadecimal(text: &str) -> Option<&str> {
    text.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(text)
}

fn ksuid(bare: &str) -> Option<Other> {
    // Base 62 also writes names in small letters and constants in capitals.
    if !is_mixed(bare) {
        return None;
    }
    // 160 bits, the most significant 32 first.
    let mut words = [0_u32; 5];
    for symbol in bare.bytes() {
        let digit = TextForm::Base62.alphabet().bytes().position(|known| known == symbol)?;
        let mut carry = digit as u64;
        for word in words.iter_mut().rev() {
            carry += u64::from(*word) * 62;
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            return None;
        }
    }
    let seconds = i64::from(*words.first()?) + KSUID_EPOCH_S;
    Some(Other {
        text: bare.to_owned(),
        unix_ms: Some(seconds * 1000),
        note: "The time is in whole seconds.",
        ..named("ksuid", "KSUID", 160)
    })
}

fn xid(bare: &str) -> Option<Other> {
    let is_symbol = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'v').contains(&byte);
    // The last symbol has one bit of the 96, and four that are 0.
    if !bare.bytes().all(is_symbol) || !bare.ends_with(['0', 'g']) {
        return None;
    }
    let bits = u64::from_str_radix(bare.get(..7)?, 32).ok()?;
    let seconds = i64::try_from(bits >> 3).ok().filter(|seconds| *seconds >= XID_FIRST_S)?;
    Some(Other {
        text: bare.to_owned(),
        unix_ms: Some(seconds * 1000),
        note: "The time is in whole seconds.",
        ..named("xid", "Xid", 96)
    })
}

fn firebase(bare: &str) -> Option<Other> {
    let digit = |symbol| FIREBASE.iter().position(|known| *known == symbol);
    let digits = bare.bytes().map(digit).collect::<Option<Vec<_>>>()?;
    let unix_ms = digits.iter().take(8).fold(0_i64, |time, digit| time << 6 | *digit as i64);
    Some(Other {
        text: bare.to_owned(),
        unix_ms: Some(unix_ms),
        note: "The last 12 symbols are random.",
        ..named("firebase-push-id", "push ID of Firebase", 120)
    })
}

/// Reads a TID of the AT Protocol, which Bluesky uses: 53 bits of Unix microseconds above 10 others.
/// Texts of other forms look alike, so its time has to be since the protocol was published.
pub(crate) fn tid(bare: &str, now_ms: i64) -> Option<Other> {
    let digit = |symbol| TID.iter().position(|known| *known == symbol);
    let digits = bare.bytes().map(digit).collect::<Option<Vec<_>>>().filter(|it| it.len() == 13)?;
    let bits = digits.iter().fold(0_u128, |bits, digit| bits << 5 | *digit as u128);
    let unix_ms = i64::try_from((bits >> 10) / 1000).ok()?;
    (TID_FIRST_MS..=now_ms.saturating_add(DAY_MS)).contains(&unix_ms).then(|| Other {
        text: bare.to_owned(),
        unix_ms: Some(unix_ms),
        note: "The last 10 bits name the clock.",
        ..named("tid", "TID of the AT Protocol", 64)
    })
}

fn nanoid(bare: &str) -> Option<Other> {
    let is_symbol = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (is_mixed(bare) && bare.bytes().all(is_symbol)).then(|| Other {
        text: bare.to_owned(),
        note: "If it is one, it is random and holds no time.",
        ..named("nanoid", "text like a NanoID", 126)
    })
}

/// Returns true if a text has letters in both cases.
fn is_mixed(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Reads a UUID with or without hyphens, and also as a URN. Without hyphens, version and variant
/// have to be right, as hashes look alike.
fn uuid(bare: &str) -> Option<Other> {
    let is_urn = bare.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("urn:uuid:"));
    let text = if is_urn { bare.get(9..)? } else { bare };
    let digits = match text.len() {
        32 => text.to_ascii_lowercase(),
        36 => {
            let parts: Vec<_> = text.split('-').collect();
            if !parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12]) {
                return None;
            }
            parts.concat().to_ascii_lowercase()
        }
        _ => return None,
    };
    let half = |from, to| u64::from_str_radix(hexadecimal(digits.get(from..to)?)?, 16).ok();
    let (upper, lower) = (half(0, 16)?, half(16, 32)?);
    let version = (upper >> 12 & 15) as u32;
    let is_standard = (1..=8).contains(&version) && lower >> 62 == 2;
    if text.len() == 32 && !is_standard {
        return None;
    }
    let part = |from, to| digits.get(from..to).unwrap_or_default();
    let parts = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)];
    Some(Other {
        text: parts.join("-"),
        unix_ms: time_of_uuid(upper, version),
        note: note_of_uuid(upper | lower == 0, version),
        ..named(&format!("uuid-v{version}"), &format!("UUID of version {version}"), 128)
    })
}

fn time_of_uuid(upper: u64, version: u32) -> Option<i64> {
    let (low, middle, high) = (upper >> 32, upper >> 16 & 0xffff, upper & 0xfff);
    let ticks = match version {
        1 => high << 48 | middle << 32 | low,
        6 => low << 28 | middle << 12 | high,
        7 => return i64::try_from(low << 16 | middle).ok(),
        _ => return None,
    };
    Some((ticks as i64 - GREGORIAN_TICKS as i64).div_euclid(10_000))
}

fn note_of_uuid(is_nil: bool, version: u32) -> &'static str {
    match version {
        1 | 6 | 7 => "",
        3 => "It is a hash of a name (MD5) and holds no time.",
        4 => "It is random and holds no time.",
        5 => "It is a hash of a name (SHA-1) and holds no time.",
        8 => "Only who made it knows what it holds.",
        _ if is_nil => "It is the nil UUID, which stands for none.",
        _ => "No such version is known.",
    }
}
