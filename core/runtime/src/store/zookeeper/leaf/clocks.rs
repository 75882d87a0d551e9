//! Compares this machine's clock with those of the others, as Leaf does before it starts.

#[cfg(doc)]
use snowmint_engine::Code;

use super::endpoint::{NodeTime, node_time};
use crate::error::Result;
use crate::store::zookeeper::errors;
use crate::store::zookeeper::messages::State;

/// A server counts as live if it wrote its node within this many milliseconds.
const LIVE_MS: i64 = 10_000;
/// The difference in milliseconds up to which two clocks count as equal.
const DIFFERS_MS: i64 = 5_000;

/// Returns by how many milliseconds the clocks of live servers are ahead of the leader's, on
/// average; `None` without any. A server that reserves uses the leader's clock, so it counts as 0.
pub(super) fn of_peers<'a>(
    peers: impl Iterator<Item = (&'a str, State)>,
    leader_ms: i64,
) -> Option<i64> {
    let ahead = peers.filter_map(|(data, State { changed_ms, .. })| {
        let is_live = leader_ms.saturating_sub(changed_ms) <= LIVE_MS;
        match node_time(data).filter(|_| is_live)? {
            NodeTime::Reported(ms) => Some(ms.saturating_sub(changed_ms)),
            NodeTime::Reserved(_) => Some(0),
        }
    });
    let (mut sum, mut count) = (0_i128, 0);
    for ahead_ms in ahead {
        sum += i128::from(ahead_ms);
        count += 1;
    }
    (count > 0).then(|| i64::try_from(sum / count).unwrap_or(i64::MAX))
}

/// Compares this machine's clock with the others' average.
///
/// # Errors
/// [`Code::ClockDiffers`].
pub(super) fn check(own_ms: i64, leader_ms: i64, peers_ahead_ms: Option<i64>) -> Result<()> {
    let Some(peers_ahead_ms) = peers_ahead_ms else { return Ok(()) };
    let ahead_ms = own_ms.saturating_sub(leader_ms).saturating_sub(peers_ahead_ms);
    if ahead_ms.saturating_abs() <= DIFFERS_MS {
        return Ok(());
    }
    let how = if ahead_ms > 0 { "ahead of" } else { "behind" };
    Err(errors::clock_differs(ahead_ms.saturating_abs(), how))
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    const HOUR_MS: i64 = 3_600_000;

    fn state(changed_ms: i64) -> State {
        State { created_by: 1, created_ms: 0, changed_ms, version: 0 }
    }

    #[test]
    fn a_clock_is_compared_with_the_average_of_who_is_there() {
        let leafs = |ms: i64| format!(r#"{{"ip":"a","port":"1","timestamp":{ms}}}"#);
        let (right, ahead) = (leafs(100_000), leafs(106_000));
        let ours = r#"{"ip": "a", "port": "1", "timestamp": 103000}"#;
        let gone = leafs(100_000 - HOUR_MS);
        let of = |peers: &[(&str, i64)]| {
            of_peers(peers.iter().map(|&(data, ms)| (data, state(ms))), 101_000)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(&gone, 100_000 - HOUR_MS), ("{}", 101_000)]), None);
        assert_eq!(of(&[(&right, 100_000), (&ahead, 100_000), (ours, 100_000)]), Some(2_000));
    }

    #[test]
    fn an_hour_off_is_refused_and_nobody_else_is_no_reason() {
        for own_ms in [-HOUR_MS, HOUR_MS] {
            assert_eq!(check(own_ms, 0, Some(0)).unwrap_err().code(), Code::ClockDiffers);
            assert!(check(own_ms, 0, Some(own_ms)).is_ok());
            assert!(check(own_ms, 0, None).is_ok());
        }
        assert!(check(DIFFERS_MS, 0, Some(0)).is_ok());
        assert!(check(i64::MIN, i64::MAX, Some(i64::MAX)).is_err());
    }
}
