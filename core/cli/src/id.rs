//! `snowmint id`: opens a source and mints any number of IDs, as fast as a pipe takes them.

use std::io::{self, Write};
use std::time::Duration;

use snowmint::{DEFAULT_DIGITS, Event, Mint, Result, Severity, Source, TextForm, on_event};
use snowmint_server::stats;

use crate::args::{IdArgs, MAX_IDS};
use crate::errors;
use crate::exit::Done;
use crate::print::{WARN, eprintln, json_line};

/// The number of IDs that are minted and written at a time.
const BLOCK: u64 = 1 << 16;
/// The bytes that a pipe takes whole: `PIPE_BUF` on Linux. POSIX guarantees 512.
const TOGETHER: usize = 4096;
/// The time that a command's lease reserves. Short, because what a command does not use is lost.
const RESERVE_MS: u32 = 2_000;
/// The sequence starts at a random number below this. A command mints few IDs, and most of them
/// would be even if all began at 0.
const START_BELOW: u32 = 1_024;

/// The time that a store gets to end the lease. After it, the lease expires.
const END_MAX: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &IdArgs) -> Done {
    check_count(args.count)?;
    let url = match &args.url {
        Some(url) => sized(url, args.count),
        None => default_url()?,
    };
    // An invalid URL is refused when it is opened.
    if let Ok(Some(placed)) = snowmint::placed(&url)
        && placed.store.starts_with("memory:")
    {
        return Err(errors::store_in_memory().into());
    }
    on_event(say).for_good();
    let source = snowmint::open(&url)?;
    check_key(&source, args.key)?;
    source.check_at_once(args.count, source.wait())?;
    let minted = mint(&source, args);
    if args.stats {
        // On standard error, because standard output has the IDs.
        eprintln!("{}", json_line(&stats::object(&source.stats())));
    }
    if args.url.is_none() {
        // The lease expires after two seconds. Ending it now would take a second durable commit, as
        // long as the first.
        std::mem::forget(source);
        return minted;
    }
    // The printed IDs are valid, whether or not the store learns that the lease has ended. A
    // failure here costs only the reserved time.
    let _ = source.close_within(END_MAX);
    minted
}

/// Prints an event of the source. The message is escaped.
fn say(event: &Event) {
    let message = &event.message;
    match event.kind.severity() {
        Severity::Info => eprintln!("snowmint: info: {message}"),
        _ => eprintln!("snowmint: {WARN}warning:{WARN:#} {message}"),
    }
}

fn check_count(count: u64) -> Result<()> {
    if (1..=MAX_IDS).contains(&count) {
        return Ok(());
    }
    Err(snowmint::engine::Error::CountOutOfRange { count, max: MAX_IDS }.into())
}

/// Requires a key for sequences. Other sources refuse a key when they are asked for it.
fn check_key(source: &Source, key: Option<u64>) -> Result<()> {
    if key.is_none() && matches!(source, Source::Sequences(_)) {
        return Err(errors::key_missing());
    }
    if key.is_some() && matches!(source, Source::Uuid(_)) {
        return Err(errors::key_of_uuid());
    }
    Ok(())
}

fn default_url() -> Result<String> {
    let url = snowmint::default_url()?;
    Ok(format!("{url}&reserve_ms={RESERVE_MS}&start=random:{START_BELOW}"))
}

/// The largest range to request, as long as a source's own grow. It bounds the loss if the reader
/// stops early, or after a failover.
const RANGE_MAX: u64 = 1_000_000;

/// Limits the reservation to the count, unless the URL sets a step or has a ring, which is filled
/// anyway.
fn sized(url: &str, count: u64) -> String {
    let (_, query) = url.split_once('?').unwrap_or((url, ""));
    let has = |name: &str| query.split('&').any(|pair| pair.split('=').next() == Some(name));
    let mut sized = url.to_owned();
    let mut add = |parameter: String| {
        let ends_open = sized.ends_with(['?', '&']);
        sized.push_str(if ends_open {
            ""
        } else if sized.contains('?') {
            "&"
        } else {
            "?"
        });
        sized.push_str(&parameter);
    };
    let is_of = |kinds: &[&str]| kinds.iter().any(|kind| url.starts_with(kind));
    let is_sized = ["step", "runway", "ring"].iter().any(|name| has(name));
    if is_of(&["segment", "daily", "sequences", "http:", "https:"]) && !is_sized {
        let most = if is_of(&["daily"]) { numbers_of_a_day(query) } else { RANGE_MAX };
        add(format!("step={}", count.min(most)));
        // No prefetching: the next range would be lost.
        if !is_of(&["sequences"]) && !has("prefetch") {
            add("prefetch=100".to_owned());
        }
    }
    sized
}

/// Returns the most numbers that a day has, which limits the step.
fn numbers_of_a_day(query: &str) -> u64 {
    let digits = query.split('&').find_map(|pair| pair.strip_prefix("digits="));
    let digits = digits.and_then(|digits| digits.parse().ok()).unwrap_or(DEFAULT_DIGITS);
    10_u64.saturating_pow(digits).saturating_sub(1).clamp(1, RANGE_MAX)
}

fn mint(source: &Source, args: &IdArgs) -> Done {
    let (form, json) = (args.format.unwrap_or(TextForm::Decimal), args.json);
    let writes_text = json && args.format.is_some();
    let mut output = io::stdout().lock();
    if let Source::Uuid(uuids) = source {
        if args.format.is_some() {
            return Err(errors::form_of_uuid().into());
        }
        return in_blocks(args.count, &mut output, |n, text| {
            for _ in 0..n {
                let uuid = uuids.next_uuid()?;
                line(text, json, |text| text.extend(uuid.to_string().bytes()));
            }
            Ok(())
        });
    }
    let mut ids = vec![0; args.count.min(BLOCK) as usize];
    in_blocks(args.count, &mut output, |n, text| {
        let block = ids.get_mut(..n).unwrap_or_default();
        let (taken, done) = fill(source, args.key, block);
        for &id in block.iter().take(taken) {
            match (json, writes_text) {
                (true, true) => both_forms(text, id, form),
                (true, false) => {
                    line(text, true, |text| text.extend(TextForm::Decimal.format(id).as_bytes()));
                }
                (false, _) => {
                    text.extend_from_slice(form.format(id).as_bytes());
                    text.push(b'\n');
                }
            }
        }
        done
    })
}

/// Fills the block from its start. Returns how many it filled, and the error that stopped it.
fn fill(source: &Source, key: Option<u64>, block: &mut [u64]) -> (usize, Result<()>) {
    let mut taken = 0;
    while let Some(rest) = block.get_mut(taken..).filter(|rest| !rest.is_empty()) {
        let filled = match key {
            None => source.next_block(rest),
            Some(key) => source
                .next_of(key)
                .map(|number| rest.iter_mut().take(1).map(|first| *first = number).count()),
        };
        match filled {
            Ok(filled) => taken += filled,
            Err(error) => return (taken, Err(error)),
        }
    }
    (taken, Ok(()))
}

/// Writes `count` lines, a block at a time. IDs minted before an error are written too, because
/// they would be lost. Bypasses the lock's own buffer, which is smaller than a block.
fn in_blocks(
    count: u64,
    output: &mut impl Write,
    mut lines: impl FnMut(usize, &mut Vec<u8>) -> Result<()>,
) -> Done {
    let mut text = Vec::new();
    let mut left = count;
    while left > 0 {
        let n = left.min(BLOCK);
        text.clear();
        let done = lines(n as usize, &mut text);
        write_lines(output, &text)?;
        done?;
        left -= n;
    }
    Ok(output.flush()?)
}

/// Writes whole lines at a time, so that an interrupted output ends with a complete one, as far as
/// the system allows.
fn write_lines(output: &mut impl Write, mut text: &[u8]) -> io::Result<()> {
    while !text.is_empty() {
        let most = text.get(..TOGETHER).unwrap_or(text);
        let end = most.iter().rposition(|byte| *byte == b'\n').map_or(text.len(), |last| last + 1);
        let (lines, rest) = text.split_at(end);
        output.write_all(lines)?;
        output.flush()?;
        text = rest;
    }
    Ok(())
}

fn line(text: &mut Vec<u8>, json: bool, id: impl FnOnce(&mut Vec<u8>)) {
    text.extend_from_slice(if json { br#"{"id":""# } else { b"" });
    id(text);
    text.extend_from_slice(if json { b"\"}\n" } else { b"\n" });
}

/// Writes an ID in decimal and in another form. No symbol of any form needs escaping in JSON.
fn both_forms(text: &mut Vec<u8>, id: u64, form: TextForm) {
    text.extend_from_slice(br#"{"id":""#);
    text.extend_from_slice(TextForm::Decimal.format(id).as_bytes());
    text.extend_from_slice(br#"","text":""#);
    text.extend_from_slice(form.format(id).as_bytes());
    text.extend_from_slice(b"\"}\n");
}

#[cfg(test)]
mod tests {
    use super::sized;

    #[test]
    fn reserves_what_is_asked_for_unless_told_otherwise() {
        let with = |url: &str| sized(url, 5);
        let tag = "segment+sqlite:ids.db?tag=a";
        assert_eq!(with(tag), format!("{tag}&step=5&prefetch=100"));
        assert_eq!(with(&format!("{tag}&step=7")), format!("{tag}&step=7"));
        assert_eq!(with("segment+sqlite:a.db"), "segment+sqlite:a.db?step=5&prefetch=100");
        assert_eq!(with("daily+sqlite:a.db?tag=b"), "daily+sqlite:a.db?tag=b&step=5&prefetch=100");
        let sequences = "sequences+sqlite:a.db?tag=b";
        assert_eq!(with(sequences), format!("{sequences}&step=5"));
        assert_eq!(with("snowflake:?worker_id=1"), "snowflake:?worker_id=1");
        for sized in ["ring=64", "runway=60s"] {
            assert_eq!(with(&format!("{tag}&{sized}")), format!("{tag}&{sized}"));
        }
        assert!(sized(tag, 1 << 40).contains("&step=1000000&"));
    }
}
