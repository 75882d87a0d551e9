//! Finds names of systems in the text beside an ID: keys, hosts and words.

use super::bit;
use crate::preset::Preset;

/// The first bytes of a text count. More would make a guess slow, and a key or a host is short.
const LENGTH_MAX: usize = 500;

/// Returns the presets that a text names, a bit for each.
pub(super) fn named(beside: &str) -> u32 {
    let bytes = beside.as_bytes();
    let bytes = bytes.get(..LENGTH_MAX).unwrap_or(bytes);
    let named = |preset: &Preset| preset.names.iter().any(|name| speaks(bytes, name));
    let presets = Preset::ALL.iter().enumerate().filter(|(_, preset)| named(preset));
    presets.fold(0, |bits, (rank, _)| bits | bit(rank))
}

/// Returns true if a text contains a name, in any case: as a word of its own, or within a key
/// (`tweetId`, `tweet_ids`). A name with a dot has to be a host, or the end of a host.
fn speaks(bytes: &[u8], name: &str) -> bool {
    let is_host = name.contains('.');
    let found = |window: &[u8]| window.eq_ignore_ascii_case(name.as_bytes());
    bytes.windows(name.len()).enumerate().filter(|(_, window)| found(window)).any(|(at, window)| {
        let (before, rest) = bytes.split_at(at);
        let after = rest.get(window.len()..).unwrap_or_default();
        if is_host { bounds_host(before, after) } else { bounds_word(before, window, after) }
    })
}

/// Returns true if a host name is complete: `m.example` is a host of `example`, but `example.org`,
/// `an-example` and `examples` are not.
fn bounds_host(before: &[u8], after: &[u8]) -> bool {
    let goes_on = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let ends = match after {
        [b'.', next, ..] => !goes_on(*next),
        [next, ..] => !goes_on(*next),
        [] => true,
    };
    ends && !before.last().is_some_and(|&byte| goes_on(byte))
}

/// Returns true if a word is complete. Words end where letters do, and before a capital, as in
/// `tweetId`. A plural counts as the word.
fn bounds_word(before: &[u8], word: &[u8], after: &[u8]) -> bool {
    let begins = match (before.last(), word.first()) {
        (Some(last), Some(first)) => {
            !last.is_ascii_alphabetic() || last.is_ascii_lowercase() && first.is_ascii_uppercase()
        }
        _ => true,
    };
    let after = match after {
        [b's' | b'S', rest @ ..] => rest,
        _ => after,
    };
    begins && !after.first().is_some_and(u8::is_ascii_lowercase)
}
