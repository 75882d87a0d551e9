//! The file of tokens: the permissions of each, and its SHA-256.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Deserializer};
use snowmint::public_ids::check_type;
use snowmint::{Result, Tag};

use super::secret::{Digest, is_one};
use crate::{errors, files};

/// The most tokens of a file, and its most bytes.
const MAX_TOKENS: usize = 10_000;
const MAX_BYTES: u64 = 16 << 20;
/// The most sources that a token names, and the most types.
const MAX_SOURCES: usize = 1_000;
/// The largest count, rate and burst.
pub const MAX_COUNT: u32 = 1 << 30;
/// The content of a file whose last token was revoked.
pub(super) const NONE_LEFT: &str = "# no tokens";
/// Stands for all sources.
pub(crate) const ALL: &str = "*";

/// A token's entry.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name: 1 to 64 letters, digits and the characters `_ . : -`.
    pub name: String,
    /// The SHA-256 of its text.
    #[serde(deserialize_with = "digest")]
    pub sha256: Digest,
    /// The sources whose IDs it may ask for.
    #[serde(default)]
    pub sources: BTreeSet<String>,
    /// The most IDs of one request; `None` applies the limit for all clients.
    pub max_count: Option<u32>,
    /// IDs a second; `None` means no limit.
    pub rate: Option<u32>,
    /// The most IDs at once, after a pause; `None` means as many as in a second.
    pub burst: Option<u32>,
    /// True if it may lease worker IDs, and ranges of its sources.
    #[serde(default)]
    pub leases: bool,
    /// True if it may read the state of its sources.
    #[serde(default)]
    pub reads: bool,
    /// The types of public IDs that it may make and read.
    #[serde(default)]
    pub public_ids: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tokens {
    #[serde(default)]
    token: Vec<Entry>,
}

fn digest<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Digest, D::Error> {
    let text = String::deserialize(deserializer)?;
    // The value may be a token by mistake, so the message does not repeat it.
    let wrong = || serde::de::Error::custom("sha256 is not 64 hexadecimal digits");
    Digest::from_hex(&text).ok_or_else(wrong)
}

/// Reads the tokens of a file.
///
/// # Errors
/// [`Code::UnsafeSetting`](snowmint::Code::UnsafeSetting) for a file that others may write;
/// [`Code::InvalidParameter`](snowmint::Code::InvalidParameter) for one that cannot be read or is
/// wrong.
pub fn read(path: &Path) -> Result<Vec<Entry>> {
    parse(&text(path)?, path)
}

/// Reads the tokens for a reload. An empty file is refused, because it may be about to be written;
/// a file without tokens says so in a line.
///
/// # Errors
/// As [`read`].
pub(super) fn read_again(path: &Path) -> Result<Vec<Entry>> {
    let text = text(path)?;
    if text.trim().is_empty() {
        return Err(errors::tokens::file_empty(path, NONE_LEFT));
    }
    parse(&text, path)
}

/// Reads the file's text.
///
/// # Errors
/// As [`read`].
pub(super) fn text(path: &Path) -> Result<String> {
    let unreadable = |error| errors::tokens::file_unreadable(path, error);
    let file = files::open(path).map_err(unreadable)?;
    refuse_writable(path, &file.metadata().map_err(unreadable)?)?;
    let mut text = String::new();
    file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(errors::tokens::file_too_long(path, MAX_BYTES));
    }
    Ok(text)
}

/// Refuses a file that others may write: a writer could grant itself any permission.
#[cfg(unix)]
fn refuse_writable(path: &Path, metadata: &Metadata) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = metadata.permissions().mode();
    if mode & 0o022 == 0 {
        return Ok(());
    }
    Err(errors::tokens::file_writable_by_others(path, mode))
}

/// Other systems express permissions differently, so nothing is checked.
#[cfg(not(unix))]
fn refuse_writable(_path: &Path, _metadata: &Metadata) -> Result<()> {
    Ok(())
}

/// Parses and checks the tokens of a text.
///
/// # Errors
/// [`snowmint::Code::InvalidParameter`], with the line if known.
pub(super) fn parse(text: &str, path: &Path) -> Result<Vec<Entry>> {
    let tokens: Tokens = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        // Without the line's text, which the TOML parser would add and which may hold a token.
        errors::tokens::file_malformed(path, line, &without_tokens(error.message()))
    })?;
    let all = tokens.token;
    if all.len() > MAX_TOKENS {
        return Err(errors::tokens::tokens_too_many(path, all.len(), MAX_TOKENS));
    }
    let (mut names, mut digests) = (BTreeSet::new(), BTreeSet::new());
    for entry in &all {
        let name = &entry.name;
        entry.check_name().map_err(|why| errors::tokens::token_name_invalid(path, &why))?;
        entry.check().map_err(|why| errors::tokens::token_invalid(path, name, &why))?;
        if !names.insert(name) {
            return Err(errors::tokens::token_name_repeated(path, name));
        }
        if !digests.insert(entry.sha256.to_string()) {
            return Err(errors::tokens::token_repeated(path, name));
        }
    }
    Ok(all)
}

/// Cuts a message of the TOML parser before the value that it repeats.
fn without_tokens(message: &str) -> String {
    match message.find('"') {
        Some(begin) => format!("{}…", message.get(..begin).unwrap_or_default()),
        None => message.trim().lines().collect::<Vec<_>>().join("; "),
    }
}

impl Entry {
    /// Checks that the name is valid, and is not a token put there by mistake.
    fn check_name(&self) -> Result<()> {
        if is_one(&self.name) {
            return Err(errors::tokens::token_in_place_of_name());
        }
        let checked = Tag::new(&self.name).map(drop);
        checked.map_err(|_| errors::tokens::name_malformed(&snowmint::reading::shown(&self.name)))
    }

    /// Checks what the types do not express.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`](snowmint::Code::InvalidParameter).
    pub fn check(&self) -> Result<()> {
        self.check_name()?;
        if self.sources.len() > MAX_SOURCES {
            return Err(errors::tokens::sources_too_many(self.sources.len(), MAX_SOURCES));
        }
        for source in self.sources.iter().filter(|source| *source != ALL) {
            Tag::of_row(source)?;
        }
        if self.public_ids.len() > MAX_SOURCES {
            return Err(errors::tokens::types_too_many(self.public_ids.len(), MAX_SOURCES));
        }
        for kind in self.public_ids.iter().filter(|kind| *kind != ALL) {
            check_type(kind).map_err(|error| errors::tokens::type_invalid(kind, error))?;
        }
        let numbers = [("max_count", self.max_count), ("rate", self.rate), ("burst", self.burst)];
        for (key, number) in numbers {
            if number.is_some_and(|number| !(1..=MAX_COUNT).contains(&number)) {
                return Err(errors::tokens::number_out_of_range(key, MAX_COUNT));
            }
        }
        if self.burst.is_some() && self.rate.is_none() {
            return Err(errors::tokens::burst_without_rate());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use snowmint::Code;

    use super::*;

    const HEX: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn of(text: &str) -> Result<Vec<Entry>> {
        parse(&text.replace("HEX", &format!("'{HEX}'")), Path::new("tokens.toml"))
    }

    #[test]
    fn an_entry_may_nothing_that_it_does_not_say() {
        let all = of("[[token]]\nname = 'shop'\nsha256 = HEX").unwrap();
        let [entry] = &all[..] else { panic!("{all:?}") };
        assert!(entry.sources.is_empty() && !entry.leases && !entry.reads);
        assert!(entry.public_ids.is_empty());
        assert_eq!((entry.max_count, entry.rate, entry.burst), (None, None, None));
        assert!(of("").unwrap().is_empty());
    }

    #[test]
    fn a_wrong_entry_is_refused_with_its_line_or_name() {
        let entry = "[[token]]\nname = 'shop'\nsha256 = HEX\n";
        for (text, said) in [
            (format!("{entry}colour = 1"), "line 4: unknown field `colour`"),
            ("colour = 1".to_owned(), "line 1: unknown field `colour`"),
            (format!("{entry}rate = 'x'"), "line 4: invalid type"),
            (format!("{entry}rate = -1"), "line 4: "),
            (format!("{entry}rate"), "line 4: "),
            ("[[token]]\nname = 'shop'".to_owned(), "missing field `sha256`"),
            (entry.replace("HEX", "'abc'"), "line 3: sha256 is not 64 hexadecimal digits"),
            (format!("{entry}{entry}"), "two tokens are called \"shop\""),
            (format!("{entry}{}", entry.replace("shop", "b")), "\"b\" is the same as one before"),
            (entry.replace("shop", "a b"), "a b"),
            (format!("{entry}sources = ['a b']"), "token \"shop\": "),
            (format!("{entry}public_ids = ['Order']"), "public_ids: \"Order\": a type is 1 to 32"),
            (format!("{entry}rate = 0"), "rate is not possible: use 1 to "),
            (format!("{entry}max_count = 1073741825"), "max_count is not possible"),
            (format!("{entry}burst = 5"), "burst is of a rate"),
        ] {
            let error = of(&text).unwrap_err();
            assert_eq!(error.code(), Code::InvalidParameter, "{text}");
            assert!(error.to_string().contains(said), "{text}: {error}");
        }
        let full = "max_count = 1073741824\nrate = 1\nburst = 1\nsources = ['*', 'shop/orders']\n\
                    public_ids = ['*', 'order']";
        of(&format!("{entry}{full}")).unwrap();
    }

    #[test]
    fn a_token_that_stands_there_by_mistake_is_not_repeated() {
        let entry = "[[token]]\nname = 'shop'\nsha256 = HEX\n";
        for text in [
            format!("{entry}token = 'smt_abc'"),
            format!("{entry}rate = 'smt_abc'"),
            format!("{entry}= 'smt_abc'"),
            entry.replace("HEX", "'smt_abc'"),
            entry.replace("shop", "smt_abc"),
        ] {
            let error = of(&text).unwrap_err().to_string();
            assert!(!error.contains("smt_abc"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_write_is_refused() {
        use std::fs::{Permissions, set_permissions, write};
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tokens.toml");
        write(&path, "").unwrap();
        for (mode, is_taken) in [(0o600, true), (0o644, true), (0o620, false), (0o602, false)] {
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let code = read(&path).err().map(|error| error.code());
            assert_eq!(code, (!is_taken).then_some(Code::UnsafeSetting), "{mode:o}");
        }
    }
}
