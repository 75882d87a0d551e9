//! `snowmint layouts`: the presets in a table, or one layout drawn.

use std::io::{self, Write};

use serde_json::json;
use snowmint::{Fit, Layout, Preset, Timestamp};
use snowmint_server::decoding::NamedLayout;
use snowmint_server::moment::{date, now_ms, span, years};

use crate::args::LayoutsArgs;
use crate::bits;
use crate::exit::Done;
use crate::print::{PLAIN, STRONG, Table, WARN, cell, grouped, json_line, output, plural, styled};

/// Shows every preset, or the named layout.
pub(crate) fn run(args: &LayoutsArgs) -> Done {
    let mut output = output();
    let now_ms = now_ms();
    let chosen = NamedLayout::parse_if_named(args.name.as_deref(), args.base.into())?;
    let all = || Preset::ALL.iter().map(NamedLayout::from).collect::<Vec<_>>();
    match (chosen, args.json) {
        (Some(named), false) => detail(&mut output, &named, now_ms)?,
        (None, false) => table(&all(), now_ms).write(&mut output)?,
        (chosen, true) => {
            for named in chosen.map_or_else(all, |named| vec![named]) {
                writeln!(output, "{}", json_line(&object(&named, now_ms)))?;
            }
        }
    }
    Ok(output.flush()?)
}

/// Returns the table, the most important columns first, because a narrow terminal shows only those.
fn table(all: &[NamedLayout], now_ms: i64) -> Table {
    let mut table = Table::new(&[
        "NAME", ">TICK", "EPOCH", "EXPIRES", ">IDS/S", ">WORKERS", "FITS", "FIELDS", "NOTE",
    ]);
    for named in all {
        let layout = &named.layout;
        let expires_ms = layout.expires_ms();
        let expires = match is_expired(layout, now_ms) {
            true => styled(format!("since {}", date(expires_ms)), WARN),
            false => cell(date(expires_ms)),
        };
        table.row(vec![
            styled(&named.name, if is_expired(layout, now_ms) { WARN } else { STRONG }),
            cell(format!("{} ms", layout.tick_ms())),
            cell(date(layout.epoch_ms())),
            expires,
            cell(layout.ids_per_second()),
            cell(workers(layout)),
            cell(narrowest(layout)),
            cell(layout),
            cell(named.note),
        ]);
    }
    table
}

fn detail(output: &mut impl Write, named: &NamedLayout, now_ms: i64) -> io::Result<()> {
    let layout = &named.layout;
    writeln!(output, "{STRONG}{}{STRONG:#}", named.name)?;
    if !named.note.is_empty() {
        writeln!(output, "{}", named.note)?;
    }
    writeln!(output)?;
    bits::draw(output, layout, None)?;
    writeln!(output)?;
    let per_tick = plural(layout.ids_per_tick(), "ID");
    let per_second = grouped(layout.ids_per_second());
    let ends_ms = layout.expires_ms();
    let (ends, style) =
        if is_expired(layout, now_ms) { ("expired", WARN) } else { ("expires", PLAIN) };
    let facts = [
        ("fields", layout.fields_text().to_string()),
        ("epoch", format!("{}  ({} ms)", Timestamp(layout.epoch_ms()), layout.epoch_ms())),
        ("tick", format!("{} ms", grouped(layout.tick_ms().into()))),
        (ends, format!("{style}{}{style:#}", expiry(layout, now_ms))),
        ("lasts", format!("{} in all", span(ends_ms.saturating_sub(layout.tick_start_ms(0))))),
        ("capacity", format!("{per_tick} a tick and worker, {per_second} a second and worker")),
        ("workers", grouped(workers(layout))),
        ("53 bits", format!("{}  (JavaScript numbers)", fit_text(layout, 53))),
        ("63 bits", format!("{}  (signed integers)", fit_text(layout, 63))),
    ];
    for (name, fact) in facts {
        writeln!(output, "{STRONG}{name:<10}{STRONG:#}{fact}")?;
    }
    Ok(())
}

fn object(named: &NamedLayout, now_ms: i64) -> serde_json::Value {
    let layout = &named.layout;
    let lasts_ms = layout.expires_ms().saturating_sub(layout.tick_start_ms(0));
    json!({
        "name": named.name,
        "fields": layout.fields_text().to_string().split(',').collect::<Vec<_>>(),
        "epoch": Timestamp(layout.epoch_ms()).to_string(),
        "epoch_ms": layout.epoch_ms(),
        "tick_ms": layout.tick_ms(),
        "expires": Timestamp(layout.expires_ms()).to_string(),
        "expires_ms": layout.expires_ms(),
        "expired": is_expired(layout, now_ms),
        "years": years(lasts_ms),
        "ids_per_tick": layout.ids_per_tick(),
        "ids_per_second": layout.ids_per_second(),
        "workers": workers(layout),
        "fits_53": fit_text(layout, 53),
        "fits_63": fit_text(layout, 63),
        "note": named.note,
    })
}

fn is_expired(layout: &Layout, now_ms: i64) -> bool {
    layout.expires_ms() <= now_ms
}

fn workers(layout: &Layout) -> u64 {
    u64::from(layout.max_worker_id()) + 1
}

fn expiry(layout: &Layout, now_ms: i64) -> String {
    let at = Timestamp(layout.expires_ms());
    let away_ms = layout.expires_ms().saturating_sub(now_ms);
    match is_expired(layout, now_ms) {
        true => format!("since {at}, {} ago: decodes only", span(-away_ms)),
        false => format!("{at}, in {}", span(away_ms)),
    }
}

/// Returns the narrowest usual integer that holds the layout's IDs, with the date if it holds them
/// only until then.
fn narrowest(layout: &Layout) -> String {
    match (layout.fits(53), layout.fits(63)) {
        (Fit::Always, _) => "53".to_owned(),
        (Fit::Until(end_ms), _) if end_ms > layout.epoch_ms() + LONG_MS => {
            format!("53 to {}", date(end_ms))
        }
        (_, Fit::Always) => "63".to_owned(),
        (_, Fit::Until(end_ms)) => format!("63 to {}", date(end_ms)),
        (_, Fit::Never) => "64".to_owned(),
    }
}

/// Twenty years. A layout that fits 53 bits only for a few weeks was not made for them.
const LONG_MS: i64 = 20 * 365 * 24 * 60 * 60 * 1000;

fn fit_text(layout: &Layout, bits: u32) -> String {
    match layout.fits(bits) {
        Fit::Always => "always".to_owned(),
        Fit::Until(end_ms) => format!("until {}", Timestamp(end_ms)),
        Fit::Never => "never".to_owned(),
    }
}
