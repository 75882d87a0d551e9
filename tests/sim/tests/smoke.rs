//! Enough histories of each scenario to notice a broken law or a broken simulator. Use
//! `scripts/simulate` for real figures.

use snowmint_sim::scenario::Kind;
use snowmint_sim::{Figures, SCENARIOS, Scenario, run};

const HISTORIES: u64 = 10;

fn figures(scenario: &'static Scenario) -> Figures {
    let mut sum = Figures::default();
    for seed in 0..HISTORIES {
        let history = run(scenario, seed, false);
        let broken = &history.violations;
        assert!(broken.is_empty(), "{}, seed {seed}: {broken:#?}", scenario.name);
        sum.add(&history.figures);
    }
    sum
}

fn hold_the_laws(kind: Kind) {
    for scenario in SCENARIOS.iter().filter(|scenario| scenario.kind == kind) {
        let sum = figures(scenario);
        assert!(sum.ids > 1_000, "{}: {sum}", scenario.name);
        assert!(scenario.faults.is_empty() || !sum.faults.is_empty(), "{}", scenario.name);
    }
}

#[test]
fn the_laws_hold_under_leases() {
    hold_the_laws(Kind::Lease);
}

#[test]
fn the_laws_hold_with_marks() {
    hold_the_laws(Kind::Fixed);
}

#[test]
fn the_laws_hold_over_segments() {
    hold_the_laws(Kind::Segment);
}

#[test]
fn a_seed_gives_the_same_history_each_time() {
    for scenario in SCENARIOS {
        let hashes = [false, true].map(|is_told| run(scenario, 7, is_told).hash);
        assert_eq!(hashes[0], hashes[1], "{}", scenario.name);
        assert_ne!(hashes[0], run(scenario, 8, false).hash, "{}", scenario.name);
    }
}

#[test]
fn a_restored_store_is_found_out() {
    let scenario = Scenario::named("segments-restored").unwrap();
    let sum = figures(scenario);
    assert!(sum.errors.contains_key("RangeRegressed"), "{sum}");
}
