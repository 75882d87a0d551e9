//! Clocks that step, and stores whose clocks step.

use super::*;

const DAY_MS: i64 = 86_400_000;
const START_MS: i64 = 1_790_000_000_000;

/// The time on a machine whose wall clock is `step_ms` off from `boot_ms` on.
fn time_after(timeline: &mut Timeline, boot_ms: i64, step_ms: i64) -> i64 {
    let wall_ms = START_MS + boot_ms + step_ms;
    timeline.look(Reading::between(wall_ms, boot_ms, boot_ms)).now_ms - START_MS
}

/// A store whose clock is `step_ms` off answers in `took_ms`.
fn answer(timeline: &mut Timeline, asked_ms: i64, took_ms: i64, step_ms: i64) {
    let store_ms = START_MS + asked_ms + took_ms / 2 + step_ms;
    let sample = Sample { store_ms, asked_ms, answered_ms: asked_ms + took_ms };
    timeline.anchor_to_store(sample, false);
}

const HOUR_MS: i64 = 3_600_000;

#[test]
fn follows_a_clock_without_steps() {
    let mut timeline = Timeline::default();
    for boot_ms in (0..DAY_MS).step_by(60_000) {
        let drift_ms = boot_ms / 4_000;
        assert_eq!(time_after(&mut timeline, boot_ms, drift_ms), boot_ms + drift_ms);
    }
}

#[test]
fn follows_a_jump_ahead_once_it_has_held() {
    let mut timeline = Timeline::default();
    time_after(&mut timeline, 0, 0);
    assert_eq!(time_after(&mut timeline, 100, 3_600_000), 100);
    assert_eq!(time_after(&mut timeline, 100 + HOLD_MS - 1, 3_600_000), 100 + HOLD_MS - 1);
    let held = 100 + HOLD_MS;
    assert_eq!(time_after(&mut timeline, held, 3_600_000), held + 3_600_000);
}

#[test]
fn ignores_a_jump_ahead_that_is_put_right() {
    let mut timeline = Timeline::default();
    time_after(&mut timeline, 0, 0);
    assert_eq!(time_after(&mut timeline, 1_000, 3_600_000), 1_000);
    assert_eq!(time_after(&mut timeline, 4_000, 0), 4_000);
    assert_eq!(time_after(&mut timeline, 9_000, 3_600_000), 9_000);
}

#[test]
fn never_follows_a_jump_of_more_than_a_day() {
    let mut timeline = Timeline::default();
    time_after(&mut timeline, 0, 0);
    for boot_ms in (1_000..100_000).step_by(1_000) {
        assert_eq!(time_after(&mut timeline, boot_ms, 2 * DAY_MS), boot_ms);
    }
}

#[test]
fn slews_a_step_back_away_without_going_down() {
    let mut timeline = Timeline::default();
    let mut last = time_after(&mut timeline, 0, 0);
    for boot_ms in (50..60_000).step_by(50) {
        let now = time_after(&mut timeline, boot_ms, -20_000);
        assert!(now >= last, "{now} after {last}");
        last = now;
    }
    assert_eq!(last, 59_950 - 20_000);
}

#[test]
fn slews_a_step_back_away_however_often_it_looks() {
    let mut timeline = Timeline::default();
    let mut last = time_after(&mut timeline, 0, 0);
    for boot_ms in 1..30_000 {
        let now = time_after(&mut timeline, boot_ms, -10_000);
        assert!((0..=1).contains(&(now - last)), "{now} after {last}");
        last = now;
    }
    assert_eq!(last, 29_999 - 10_000);
}

#[test]
fn with_a_store_the_wall_clock_does_not_matter() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 20, 0);
    assert_eq!(time_after(&mut timeline, 1_020, 600_000), 1_020);
    assert_eq!(time_after(&mut timeline, 2_020, -600_000), 2_020);
}

#[test]
fn an_answer_of_the_store_is_no_step_back() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 10, -5);
    let mut last = time_after(&mut timeline, 10, 0);
    for round in 1..100 {
        let (asked_ms, took_ms) = (round * 100, if round % 2 == 0 { 12 } else { 2 });
        answer(&mut timeline, asked_ms, took_ms, -took_ms / 2);
        for boot_ms in asked_ms + took_ms..asked_ms + 100 {
            let now = time_after(&mut timeline, boot_ms, 0);
            assert!(now >= last, "{now} after {last}");
            last = now;
        }
    }
    assert!((last - 9_999).abs() <= 6, "{last}");
}

/// Stores read their clock at the start or the end of a transaction, so the middle of a call says
/// little.
#[test]
fn an_answer_that_can_agree_corrects_nothing() {
    for read_after_ms in [0, 1, 400, 799, 800] {
        let mut timeline = Timeline::default();
        time_after(&mut timeline, 0, 0);
        for asked_ms in [1_000, 2_000, 3_000] {
            let store_ms = START_MS + asked_ms + read_after_ms;
            let sample = Sample { store_ms, asked_ms, answered_ms: asked_ms + 800 };
            timeline.anchor_to_store(sample, asked_ms == 1_000);
            assert_eq!(timeline.ahead_of_store_ms(), 0);
            assert_eq!(time_after(&mut timeline, asked_ms + 800, 0), asked_ms + 800);
        }
    }
}

/// Checks that the time rises, by the fast path before each look and by the look, when readings of
/// the clocks are `apart_ms` from each other.
fn rises_with_readings_apart(apart_ms: i64) {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 20, 0);
    let (mut last, mut offset_ms) = (0, None);
    for look in 1..2_000 {
        let true_ms = look * 37;
        // The pause comes before the reading of wall time, or after it.
        let before_ms = if look % 2 == 0 { apart_ms } else { 0 };
        let wall_ms = START_MS + true_ms;
        let begun_ms = true_ms - before_ms;
        let said = wall_ms + offset_ms.unwrap_or(0) - START_MS;
        let time = timeline.look(Reading::between(wall_ms, begun_ms, begun_ms + apart_ms));
        let now = time.now_ms - START_MS;
        assert!(offset_ms.is_none() || now >= said, "{now} after {said} by the fast path");
        assert!(now >= last, "{now} after {last}");
        assert!((now - true_ms).abs() <= apart_ms + 2, "{now} at {true_ms}");
        (last, offset_ms) = (now, Some(time.offset_ms));
    }
}

#[test]
fn readings_apart_are_no_step_back() {
    for apart_ms in 0..=READING_MS {
        rises_with_readings_apart(apart_ms);
    }
}

#[test]
fn a_clock_that_is_put_right_takes_nothing_back() {
    let mut timeline = Timeline::default();
    time_after(&mut timeline, 0, 0);
    assert_eq!(time_after(&mut timeline, 1_000, HOUR_MS), 1_000);
    assert_eq!(time_after(&mut timeline, 1_001, -3), 1_000);
}

#[test]
fn a_wall_clock_that_went_back_a_little_is_followed() {
    let mut timeline = Timeline::default();
    time_after(&mut timeline, 1_000, 0);
    assert_eq!(time_after(&mut timeline, 1_010, -100), 910);
}

#[test]
fn ignores_a_store_that_jumps_ahead_and_is_put_right() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 20, 0);
    for asked_ms in (1_000..4_000).step_by(500) {
        answer(&mut timeline, asked_ms, 20, HOUR_MS);
        assert!(timeline.is_in_doubt());
        assert_eq!(time_after(&mut timeline, asked_ms + 20, 0), asked_ms + 20);
    }
    for asked_ms in (4_000..20_000).step_by(500) {
        answer(&mut timeline, asked_ms, 20, 0);
        assert!(!timeline.is_in_doubt());
        assert_eq!(time_after(&mut timeline, asked_ms + 20, 0), asked_ms + 20);
    }
}

#[test]
fn follows_a_store_that_jumped_ahead_once_several_answers_say_so() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 20, 0);
    for asked_ms in [1_000, 3_000, 5_000] {
        answer(&mut timeline, asked_ms, 20, HOUR_MS);
        assert_eq!(time_after(&mut timeline, asked_ms + 20, 0), asked_ms + 20);
    }
    answer(&mut timeline, 6_000, 20, HOUR_MS);
    assert!(!timeline.is_in_doubt());
    assert_eq!(time_after(&mut timeline, 6_020, 0), 6_020 + HOUR_MS);
}

#[test]
fn two_answers_far_apart_do_not_support_a_jump() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 20, 0);
    answer(&mut timeline, 1_000, 20, HOUR_MS);
    answer(&mut timeline, 21_000, 20, HOUR_MS);
    assert_eq!(time_after(&mut timeline, 21_020, 0), 21_020);
}

#[test]
fn slews_away_that_a_store_was_an_hour_ahead() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 20, HOUR_MS);
    let mut last = time_after(&mut timeline, 20, 0);
    assert_eq!(last, HOUR_MS + 20);
    for asked_ms in (20_000..2 * HOUR_MS + 60_000).step_by(20_000) {
        let now = time_after(&mut timeline, asked_ms, 0);
        assert!(now > last, "{now} after {last}");
        last = now;
        answer(&mut timeline, asked_ms, 20, 0);
        let ahead_ms = timeline.ahead_of_store_ms();
        assert!((now - asked_ms - ahead_ms).abs() <= 20, "{ahead_ms} at {asked_ms}");
    }
    assert!((last - (2 * HOUR_MS + 40_000)).abs() <= JITTER_MS, "{last}");
}

#[test]
fn takes_a_first_answer_however_late_and_then_better_ones() {
    let mut timeline = Timeline::default();
    let wrong_ms = 300_000;
    answer(&mut timeline, 0, 4_000, 1_500);
    assert_eq!(time_after(&mut timeline, 4_000, wrong_ms), 5_500);
    // An answer that is as slow says nothing new. A quick answer does, and its correction is
    // slewed.
    answer(&mut timeline, 5_000, 4_000, -1_500);
    assert_eq!(time_after(&mut timeline, 9_000, wrong_ms), 10_500);
    answer(&mut timeline, 10_000, 20, 0);
    assert_eq!(time_after(&mut timeline, 10_020, wrong_ms), 11_520);
    assert_eq!(time_after(&mut timeline, 12_020, wrong_ms), 12_520);
    assert_eq!(time_after(&mut timeline, 14_020, wrong_ms), 14_020);
    // A slow answer does not undo it.
    answer(&mut timeline, 15_000, 4_000, 1_500);
    assert_eq!(time_after(&mut timeline, 19_000, wrong_ms), 19_000);
}

#[test]
fn follows_a_late_grant_as_far_as_is_certain() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 20, 0);
    for (store_ms, expected_ms) in [(1_500, 7_000), (7_200, 7_200)] {
        let sample = Sample { store_ms: START_MS + store_ms, asked_ms: 1_000, answered_ms: 7_000 };
        timeline.anchor_to_store(sample, true);
        assert_eq!(time_after(&mut timeline, 7_000, 0), expected_ms);
    }
}

#[test]
fn follows_a_step_that_a_late_answer_shows_as_far_as_is_certain() {
    for (step_ms, store_ms, expected_ms) in [(2_000, 9_000, 11_000), (-2_000, 5_000, 8_000)] {
        let mut timeline = Timeline::default();
        answer(&mut timeline, 0, 20, 0);
        for asked_ms in [1_000, 3_000, 5_000] {
            answer(&mut timeline, asked_ms, 20, step_ms.max(0));
        }
        let sample = Sample { store_ms: START_MS + store_ms, asked_ms: 6_000, answered_ms: 7_000 };
        timeline.anchor_to_store(sample, false);
        assert_eq!(time_after(&mut timeline, 9_000, 0), expected_ms);
    }
}

/// The machine sleeps again and again for `slept_ms`, and boot time stands still with it.
#[test]
fn jumps_of_the_wall_clock_in_a_row_do_not_take_the_time_back() {
    for slept_ms in [1, 20, 49, 76, 1_118] {
        let mut timeline = Timeline::default();
        answer(&mut timeline, 0, 2, 0);
        time_after(&mut timeline, 10, 0);
        for night in 1..100 {
            let (boot_ms, step_ms) = (10 + 7 * night, slept_ms * night);
            let Time { offset_ms, horizon_ms, .. } = timeline.last.unwrap().time;
            let said = (START_MS + boot_ms + step_ms + offset_ms).min(horizon_ms) - START_MS;
            let now = time_after(&mut timeline, boot_ms, step_ms);
            assert!(now >= said, "{now} after {said}");
            assert!((boot_ms..=boot_ms + HORIZON_MS + 1).contains(&now), "{now} at {boot_ms}");
        }
    }
}

/// A machine keeps the horizon that it was given, also if an inexact reading produced it.
#[test]
fn a_machine_keeps_the_horizon_it_was_given() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 2, 0);
    let mut given_ms = 0;
    for boot_ms in 10..100 {
        let wall_ms = START_MS + boot_ms;
        // The first reading is late.
        let late_ms = if given_ms == 0 { 8 } else { 0 };
        let time = timeline.look(Reading::between(wall_ms, boot_ms, boot_ms + late_ms));
        assert!(time.horizon_ms >= given_ms, "{} after {given_ms}", time.horizon_ms);
        given_ms = time.horizon_ms;
    }
    assert_eq!(given_ms, START_MS + 99 + HORIZON_MS);
}

#[test]
fn survives_every_reading() {
    let mut timeline = Timeline::default();
    for wall_ms in [0, i64::MIN, i64::MAX, -1, START_MS] {
        for boot_ms in [0, i64::MIN, i64::MAX, 5] {
            timeline.look(Reading::between(wall_ms, boot_ms, boot_ms));
            timeline.look(Reading::between(wall_ms, i64::MIN, boot_ms));
            let answered_ms = boot_ms.saturating_add(1);
            let sample = Sample { store_ms: wall_ms, asked_ms: boot_ms, answered_ms };
            timeline.anchor_to_store(sample, boot_ms == 5);
            timeline.look(Reading::between(wall_ms, boot_ms, i64::MAX));
        }
    }
}

#[test]
fn l7_a_step_back_that_is_put_right_is_paid_back_no_further() {
    let mut timeline = Timeline::default();
    time_after(&mut timeline, 0, 0);
    let wrong_ms = HOLD_MS + 3_000;
    for boot_ms in (100..wrong_ms).step_by(50) {
        time_after(&mut timeline, boot_ms, -HOUR_MS);
    }
    for boot_ms in (wrong_ms..wrong_ms + 2 * HOLD_MS).step_by(50) {
        let behind_ms = boot_ms - time_after(&mut timeline, boot_ms, 0);
        assert!(behind_ms <= wrong_ms / 2, "{behind_ms} ms behind");
    }
    let right_ms = wrong_ms + 2 * HOLD_MS;
    assert_eq!(time_after(&mut timeline, right_ms, 0), right_ms);
}

#[test]
fn l7_a_store_put_right_is_followed_as_well() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 2, 0);
    answer(&mut timeline, 20_000, 2, -HOUR_MS);
    for asked_ms in (40_000..=60_000).step_by(1_000) {
        answer(&mut timeline, asked_ms, 2, 0);
        let behind_ms = asked_ms - time_after(&mut timeline, asked_ms, 0);
        assert!(behind_ms <= 10_010, "{behind_ms} ms behind");
    }
    assert_eq!(time_after(&mut timeline, 61_000, 0), 61_000);
}

#[test]
fn a_new_lease_can_be_used_from_its_beginning_on() {
    let mut timeline = Timeline::default();
    answer(&mut timeline, 0, 2, 0);
    time_after(&mut timeline, 2, 0);
    // The next store's clock is ahead by less than the error of a slow reading.
    let store_ms = START_MS + 1_004;
    timeline.anchor_to_store(Sample { store_ms, asked_ms: 1_000, answered_ms: 1_002 }, true);
    let reading = Reading::between(START_MS + 1_002, 999, 1_005);
    assert!(timeline.look(reading).now_ms >= store_ms);
}
