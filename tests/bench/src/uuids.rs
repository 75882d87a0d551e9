//! UUIDs, beside those of the `uuid` crate.

use snowmint::{UuidSource, UuidVersion};
use uuid::Uuid;

use crate::measure::{Contestant, Effort, Outcome, per_operation};
use crate::peers;
use crate::report::Line;

pub fn uuids(effort: Effort) -> Vec<Line> {
    let v4 = one_version(
        effort,
        "UUIDs of version 4",
        UuidVersion::V4,
        [("uuid, fast-rng", Uuid::new_v4), ("uuid", peers::uuid_v4_of_getrandom)],
    );
    let v7 = one_version(
        effort,
        "UUIDs of version 7",
        UuidVersion::V7,
        [("uuid, fast-rng", Uuid::now_v7), ("uuid", peers::uuid_v7_of_getrandom)],
    );
    [v4, v7].concat()
}

/// Another maker of UUIDs, by its name.
type Rival = (&'static str, fn() -> Uuid);

fn one_version(
    effort: Effort,
    group: &'static str,
    version: UuidVersion,
    others: [Rival; 2],
) -> Vec<Line> {
    const OURS: &str = "UuidSource::next_uuid";
    let count = effort.operations / 5;
    let source = UuidSource::new(version);
    let mut contestants = vec![Contestant::new(OURS, || {
        per_operation(count, || source.next_uuid().expect("random bits"))
    })];
    contestants.extend(
        others.map(|(name, next)| Contestant::new(name, move || per_operation(count, next))),
    );
    let outcome = Outcome::of(effort.rounds, contestants);
    let line = |name: &str| Line::new(group, name, outcome.median(name), "ns");
    let peers = others
        .map(|(name, _)| line(name).against(OURS, outcome.ratio(name, &[OURS])).at_least(1.0));
    std::iter::once(line(OURS)).chain(peers).collect()
}
