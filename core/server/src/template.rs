//! The keys of `daily.keys`: the names that clients use for one day's counter.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A template as the configuration writes it, for example `{source}:{yyyyMMdd}` or
/// `icr:{source}:{yyyy}:{MM}:{dd}`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Template {
    text: String,
    pieces: Vec<Piece>,
    /// The length in bytes of all pieces but the source's name, which may have any length.
    fixed: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Source,
    Year,
    Month,
    Day,
}

impl Piece {
    fn length(&self) -> usize {
        match self {
            Piece::Text(text) => text.len(),
            Piece::Source => 0,
            Piece::Year => 4,
            Piece::Month | Piece::Day => 2,
        }
    }
}

impl Template {
    /// Returns `{source}:{yyyyMMdd}`.
    pub(crate) fn usual() -> Template {
        let pieces =
            vec![Piece::Source, Piece::Text(":".to_owned()), Piece::Year, Piece::Month, Piece::Day];
        Template { text: "{source}:{yyyyMMdd}".to_owned(), fixed: 9, pieces }
    }

    /// Returns the source and the day, as `yyyymmdd`, that a key names. Does not check that either
    /// exists.
    pub(crate) fn read<'a>(&self, key: &'a str) -> Option<(&'a str, u32)> {
        let length = key.len().checked_sub(self.fixed).filter(|length| *length > 0)?;
        let (mut rest, mut source, mut date) = (key, "", 0);
        for piece in &self.pieces {
            let (part, after) = match piece {
                Piece::Source => rest.split_at_checked(length)?,
                _ => rest.split_at_checked(piece.length())?,
            };
            rest = after;
            match piece {
                Piece::Source => source = part,
                Piece::Text(text) if text == part => {}
                Piece::Text(_) => return None,
                Piece::Year => date += 10_000 * digits(part)?,
                Piece::Month => date += 100 * digits(part)?,
                Piece::Day => date += digits(part)?,
            }
        }
        Some((source, date))
    }
}

fn digits(text: &str) -> Option<u32> {
    let all = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| all)
}

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Template, String> {
        let wrong = || {
            format!(
                "{text:?} is no template of keys: it needs {{source}} and {{yyyyMMdd}}, or \
                 {{yyyy}}, {{MM}} and {{dd}}, each once"
            )
        };
        let (mut pieces, mut rest) = (Vec::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            pieces.push(Piece::Text(before.to_owned()));
            let (name, after) = after.split_once('}').ok_or_else(wrong)?;
            match name {
                "source" => pieces.push(Piece::Source),
                "yyyyMMdd" => pieces.extend([Piece::Year, Piece::Month, Piece::Day]),
                "yyyy" => pieces.push(Piece::Year),
                "MM" => pieces.push(Piece::Month),
                "dd" => pieces.push(Piece::Day),
                _ => return Err(wrong()),
            }
            rest = after;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        pieces.retain(|piece| *piece != Piece::Text(String::new()));
        let once = |wanted: Piece| pieces.iter().filter(|piece| **piece == wanted).count() == 1;
        let is_whole = [Piece::Source, Piece::Year, Piece::Month, Piece::Day].map(once);
        if is_whole != [true; 4] || rest.contains('}') {
            return Err(wrong());
        }
        let fixed = pieces.iter().map(Piece::length).sum();
        Ok(Template { text: text.to_owned(), pieces, fixed })
    }
}

impl TryFrom<String> for Template {
    type Error = String;

    fn try_from(text: String) -> Result<Template, String> {
        text.parse()
    }
}

impl From<Template> for String {
    fn from(template: Template) -> String {
        template.text
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(template: &str, key: &'static str) -> Option<(&'static str, u32)> {
        template.parse::<Template>().unwrap().read(key)
    }

    #[test]
    fn a_key_names_a_source_and_a_day() {
        let usual = "{source}:{yyyyMMdd}";
        assert_eq!(Template::usual(), usual.parse().unwrap());
        assert_eq!(of(usual, "orders:20261122"), Some(("orders", 20_261_122)));
        assert_eq!(of(usual, "shop:orders:20261122"), Some(("shop:orders", 20_261_122)));
        let dotted = "icr:{source}:{yyyy}:{MM}:{dd}";
        assert_eq!(of(dotted, "icr:order:2026:11:22"), Some(("order", 20_261_122)));
        assert_eq!(of("{dd}{MM}{yyyy}{source}", "22112026orders"), Some(("orders", 20_261_122)));
        assert_eq!(of("{yyyy}-{MM}-{dd}/{source}/no", "2026-11-22/ü/no"), Some(("ü", 20_261_122)));
    }

    #[test]
    fn other_keys_name_none() {
        for key in [
            "",
            "orders",
            ":20261122",
            "orders:2026112",
            "orders:+0261122",
            "orders:2026112x",
            "orders-20261122",
            "orders:20261122 ",
            "orders:２０２６１１２２",
            "ü20261122",
        ] {
            assert_eq!(of("{source}:{yyyyMMdd}", key), None, "{key}");
        }
    }

    #[test]
    fn a_template_has_each_part_once() {
        for text in [
            "",
            "{source}",
            "{yyyyMMdd}",
            "{source}:{yyyyMMdd}:{dd}",
            "{source}:{source}:{yyyyMMdd}",
            "{source}:{yyyy}{MM}",
            "{source}:{yyyymmdd}",
            "{source}:{yyyyMMdd",
            "{source}:{yyyyMMdd}}",
            "{}{source}:{yyyyMMdd}",
        ] {
            assert!(text.parse::<Template>().unwrap_err().contains("{yyyyMMdd}"), "{text}");
        }
    }
}
