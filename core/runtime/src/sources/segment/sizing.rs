//! The size of a segment's ranges.

use std::time::Duration;

use snowmint_engine::{MAX_STEP, Prefetch, StepSize};

use crate::error::Result;
use crate::errors;

/// Leaf's limit of the adaptive step.
const MAX_ADAPTIVE_STEP: u64 = 1_000_000;
/// A day, because numbers at hand when a process ends are lost.
const MAX_RUNWAY_MS: u32 = 24 * 60 * 60 * 1000;

#[derive(Clone, Copy, Debug)]
pub(super) enum Sizing {
    /// A fixed size, whatever the tag's step is.
    Set(StepSize),
    /// Adaptive from the tag's step on, as in Leaf.
    Leaf,
    /// Adaptive from the tag's step on, so that each range lasts this many milliseconds.
    Lasting(u32),
}

impl Sizing {
    pub(super) fn new(
        step: Option<StepSize>,
        runway: Option<Duration>,
        prefetch: Prefetch,
    ) -> Result<Sizing> {
        match (step, runway) {
            (None, None) => Ok(Sizing::Leaf),
            (Some(step), None) => Ok(Sizing::Set(step)),
            (None, Some(runway)) => lasting(runway, prefetch),
            (Some(_), Some(_)) => Err(errors::sources::step_and_runway()),
        }
    }

    /// The step size for a tag with this step.
    pub(super) fn step(self, of_tag: u64) -> Result<StepSize> {
        match self {
            Sizing::Set(step) => Ok(step),
            Sizing::Leaf => Ok(StepSize::adaptive(of_tag, of_tag.max(MAX_ADAPTIVE_STEP))?),
            Sizing::Lasting(ms) => Ok(StepSize::adaptive(of_tag, MAX_STEP)?.lasting(ms)),
        }
    }
}

/// Checks that ranges can have the required size.
pub(crate) fn check(
    step: Option<StepSize>,
    runway: Option<Duration>,
    prefetch: Prefetch,
) -> Result<()> {
    Sizing::new(step, runway, prefetch).map(drop)
}

/// Sizes ranges so that the numbers left when the next range is requested last as long as the
/// runway.
fn lasting(runway: Duration, prefetch: Prefetch) -> Result<Sizing> {
    let runway_ms = u32::try_from(runway.as_millis()).unwrap_or(u32::MAX);
    if !(1..=MAX_RUNWAY_MS).contains(&runway_ms) {
        return Err(errors::sources::runway_out_of_range(runway));
    }
    let ready = u64::from(prefetch.ready_percent());
    if ready == 0 {
        return Err(errors::sources::runway_without_numbers());
    }
    let range_ms = (u64::from(runway_ms) * 100).div_ceil(ready);
    Ok(Sizing::Lasting(u32::try_from(range_ms).unwrap_or(u32::MAX)))
}
