//! The values of a source's own parameters.

use std::time::Duration;

use snowmint_engine::{ClockPolicy, Layout, Prefetch};

use crate::error::Result;
use crate::errors;
use crate::names;
#[cfg(feature = "uuid")]
use crate::sources::UuidVersion;
use crate::store::{Tag, check_step};
use crate::url::{Parameters, invalid};
use crate::waiting::DEFAULT_WAIT;

pub(super) fn layout(own: &mut Parameters) -> Result<Layout> {
    let name = own.take("layout").unwrap_or_else(|| "twitter".to_owned());
    let epoch_ms = own.take_parsed("epoch_ms", "Unix milliseconds")?;
    let tick_ms = own.take_parsed("tick_ms", "milliseconds from 1 on")?;
    if name.contains('@') && (epoch_ms.is_some() || tick_ms.is_some()) {
        return Err(errors::schemes::epoch_stated_twice(&name));
    }
    if name.contains('@') {
        return names::layout(&name);
    }
    if name.contains(':') {
        let fields = Layout::builder().fields(&name)?;
        return Ok(fields.epoch_ms(epoch_ms.unwrap_or(0)).tick_ms(tick_ms.unwrap_or(1)).build()?);
    }
    let preset = names::preset(&name)?;
    if epoch_ms.is_some() || tick_ms.is_some() {
        return Err(errors::schemes::epoch_of_preset(&name, preset.layout.fields_text()));
    }
    Ok(preset.layout)
}

pub(super) fn policy(own: &mut Parameters) -> Result<ClockPolicy> {
    let name = own.take("policy").unwrap_or_else(|| "snowmint".to_owned());
    let mut policy = names::policy(&name)?;
    if let Some(max_ahead_ms) = own.take_parsed("max_ahead_ms", "milliseconds from 0 to 3600000")? {
        policy.max_ahead_ms = max_ahead_ms;
    }
    Ok(policy)
}

pub(super) fn tag(own: &mut Parameters, called: &str) -> Result<Tag> {
    let namespace = own.take("namespace");
    match (own.take("tag"), namespace) {
        (Some(name), Some(namespace)) => Tag::within(&namespace, &name),
        (Some(name), None) => Tag::new(&name),
        (None, _) => Err(errors::schemes::tag_missing(called)),
    }
}

pub(super) fn step(own: &mut Parameters) -> Result<Option<u64>> {
    let step = own.take_parsed("step", "a number from 1 to 1073741824")?;
    step.map_or(Ok(()), check_step)?;
    Ok(step)
}

pub(super) fn prefetch(own: &mut Parameters) -> Result<Option<Prefetch>> {
    let expected = "a percentage from 0 to 100";
    match own.take_parsed::<u8>("prefetch", expected)? {
        Some(percent) if percent > 100 => Err(invalid("prefetch", &percent.to_string(), expected)),
        percent => Ok(percent.map(|used_percent| Prefetch::DoubleBucket { used_percent })),
    }
}

pub(super) fn runway(own: &mut Parameters) -> Result<Option<Duration>> {
    let expected = "a time from 1ms to 24h, as 60s or 5m";
    let Some(text) = own.take("runway") else { return Ok(None) };
    duration(&text).map(Some).ok_or_else(|| invalid("runway", &text, expected))
}

/// Parses a duration such as `60s`, `5m` or `1h30m`.
fn duration(text: &str) -> Option<Duration> {
    let (mut rest, mut sum_ms) = (text, 0_u64);
    while !rest.is_empty() {
        let (number, tail) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let past = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(past);
        let unit_ms = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return None,
        };
        sum_ms = number.parse::<u64>().ok()?.checked_mul(unit_ms)?.checked_add(sum_ms)?;
        rest = tail;
    }
    (!text.is_empty()).then_some(Duration::from_millis(sum_ms))
}

pub(super) fn wait(own: &mut Parameters) -> Result<Duration> {
    let wait_ms = own.take_parsed("wait_ms", "milliseconds from 0 on")?;
    Ok(wait_ms.map_or(DEFAULT_WAIT, Duration::from_millis))
}

#[cfg(feature = "uuid")]
pub(super) fn uuid_version(own: &mut Parameters) -> Result<UuidVersion> {
    match own.take("version").as_deref() {
        Some("4") => Ok(UuidVersion::V4),
        Some("7") | None => Ok(UuidVersion::V7),
        Some(other) => Err(invalid("version", other, "4 or 7")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, ms) in [("1ms", 1), ("60s", 60_000), ("5m", 300_000), ("1h30m", 5_400_000)] {
            assert_eq!(duration(text), Some(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "60", "s", "-1s", "1.5s", "5 m", "1d", "99999999999999999999s", "1s2"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
