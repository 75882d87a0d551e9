//! A node as the runtime sees it: clocks of every kind, sleep, randomness, and schedulers.

use std::time::Duration;

use snowmint::{Clock, Random as Randomness, Result, SchedulerLoop, Sleep, Spawn};

use crate::random::Random;
use crate::scenario::Scenario;
use crate::world::{Home, START_MS, World, micros};

/// The largest drift between clocks, in parts per million.
pub const DRIFT_PPM_MAX: i64 = 1_000;
/// The interval at which processes look at their clocks, unless no IDs are asked for.
const LOOK_US: i64 = 1_000_000;
/// The number of random bytes that distinguish processes of the same name.
const NAME_BYTES: usize = 4;

/// The clocks of a machine.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    wall_drift_ppm: i64,
    boot_drift_ppm: i64,
    /// Wall time minus true time, without drift.
    step_us: i64,
    /// The reading of the wall clock while it stands still.
    stuck_at_us: Option<i64>,
    /// The resolution of the coarse clock.
    coarse_us: i64,
    /// The resolution of the precise clock.
    precise_us: i64,
    boot_start_us: i64,
    /// True if boot time stands still while the machine is suspended.
    pub(crate) boot_stops: bool,
    /// The time spent suspended.
    pub(crate) suspended_us: i64,
    /// The furthest that wall time was ahead of true time since the process began, and behind.
    pub(crate) ahead_us: i64,
    pub(crate) behind_us: i64,
    /// The last time that the wall clock was disturbed.
    pub(crate) disturbed_us: i64,
    /// The time at which the machine could see that: at the end of a pause, if it was in the pause
    /// or just before.
    pub(crate) seen_us: i64,
    /// True if the wall clock was never disturbed.
    pub(crate) is_steady: bool,
    /// The time that the wall clock stood still since the process began, and the start of the
    /// present standstill.
    stood_us: i64,
    stuck_since_us: i64,
    /// Time that passes for dead processes, at each reading.
    afterlife_us: i64,
}

impl Clocks {
    /// Draws a machine's clocks.
    pub fn of(random: &mut Random, scenario: &Scenario) -> Clocks {
        let mut clocks = Clocks {
            wall_drift_ppm: random.between(-DRIFT_PPM_MAX, DRIFT_PPM_MAX),
            boot_drift_ppm: random.between(-DRIFT_PPM_MAX, DRIFT_PPM_MAX),
            step_us: random.between(-scenario.skew_ms, scenario.skew_ms) * 1_000,
            coarse_us: random.pick(&[1_000, 4_000, 4_000, 10_000]),
            precise_us: 1,
            boot_start_us: random.between(0, 1_000_000_000),
            boot_stops: random.chance(300_000),
            disturbed_us: -1_000_000_000,
            seen_us: -1_000_000_000,
            is_steady: true,
            ..Clocks::default()
        };
        clocks.begin(0);
        clocks
    }

    /// Returns the wall clock's reading, in microseconds since the start of true time.
    fn wall_us(&self, now_us: i64) -> i64 {
        self.stuck_at_us.unwrap_or(now_us + now_us * self.wall_drift_ppm / 1_000_000 + self.step_us)
    }

    fn boot_us(&self, now_us: i64) -> i64 {
        let awake_us = now_us - if self.boot_stops { self.suspended_us } else { 0 };
        self.boot_start_us + awake_us + awake_us * self.boot_drift_ppm / 1_000_000
    }

    pub(crate) fn step(&mut self, now_us: i64, by_us: i64) {
        self.step_us += by_us;
        self.disturb(now_us);
        self.note(now_us);
    }

    pub(crate) fn stick(&mut self, now_us: i64) {
        self.stuck_at_us = Some(self.wall_us(now_us));
        self.stuck_since_us = now_us;
        self.disturb(now_us);
    }

    /// Lets a stopped wall clock run again: from where it stopped if `is_late`, otherwise from the
    /// right time.
    pub(crate) fn go_on(&mut self, now_us: i64, is_late: bool) {
        self.note(now_us);
        self.stood_us = self.stood_us(now_us);
        if let Some(stuck_at_us) = self.stuck_at_us.take()
            && is_late
        {
            self.step_us += stuck_at_us - self.wall_us(now_us);
        }
        self.disturb(now_us);
    }

    fn disturb(&mut self, now_us: i64) {
        (self.disturbed_us, self.seen_us, self.is_steady) = (now_us, now_us, false);
    }

    /// Notes that the machine stands still until `until_us`, and sees nothing before that.
    pub(crate) fn stand_still(&mut self, now_us: i64, until_us: i64) {
        if now_us < self.seen_us + LOOK_US {
            self.seen_us = until_us;
        }
    }

    /// Returns how long the wall clock stood still since the process began.
    pub(crate) fn stood_us(&self, now_us: i64) -> i64 {
        let since_us = self.stuck_at_us.map_or(now_us, |_| self.stuck_since_us);
        self.stood_us + now_us - since_us
    }

    pub(crate) fn is_stuck(&self) -> bool {
        self.stuck_at_us.is_some()
    }

    pub(crate) fn coarsen(&mut self, coarse_us: i64, precise_us: i64) {
        (self.coarse_us, self.precise_us, self.is_steady) = (coarse_us, precise_us, false);
    }

    pub(crate) fn resolution_us(&self) -> i64 {
        self.coarse_us.max(self.precise_us)
    }

    /// Returns how far the wall clock is ahead of true time.
    pub(crate) fn off_us(&self, now_us: i64) -> i64 {
        self.wall_us(now_us) - now_us
    }

    /// Records the present error of the wall clock.
    pub(crate) fn note(&mut self, now_us: i64) {
        let off_us = self.off_us(now_us);
        self.ahead_us = self.ahead_us.max(off_us);
        self.behind_us = self.behind_us.max(-off_us);
    }

    /// Starts a new process, for which earlier errors do not matter.
    pub(crate) fn begin(&mut self, now_us: i64) {
        (self.ahead_us, self.behind_us, self.suspended_us) = (i64::MIN, i64::MIN, 0);
        (self.stood_us, self.stuck_since_us) = (0, now_us);
        self.note(now_us);
    }
}

/// The host of a process.
#[derive(Clone)]
pub struct Machine {
    world: World,
    home: Home,
}

#[derive(Clone, Copy)]
enum Reading {
    Coarse,
    Precise,
    Boot,
}

impl Machine {
    /// Creates the host of a process.
    pub(crate) fn new(world: World, home: Home) -> Machine {
        Machine { world, home }
    }

    /// Reads a clock, in microseconds of its own. The node may stop before the value is used.
    fn read_us(&self, reading: Reading) -> i64 {
        let (value_us, pause_us, delay_us) = {
            let mut state = self.world.lock();
            let now_us = state.now_us;
            let is_alive = state.is_alive(self.home);
            let clocks = &mut state.nodes[self.home.node].clocks;
            let value_us = match reading {
                // For a dead process every deadline has passed, so that it comes to an end.
                Reading::Boot if !is_alive => {
                    clocks.afterlife_us += 3_600_000_000;
                    clocks.boot_us(now_us) + clocks.afterlife_us
                }
                Reading::Boot => clocks.boot_us(now_us),
                Reading::Coarse => {
                    START_MS * 1_000 + floor_to(clocks.wall_us(now_us), clocks.resolution_us())
                }
                Reading::Precise => {
                    START_MS * 1_000 + floor_to(clocks.wall_us(now_us), clocks.precise_us)
                }
            };
            clocks.note(now_us);
            let Scenario { read_pause, read_delay, thread_delay, .. } = *state.scenario;
            let random = &mut state.random;
            let stops = is_alive && random.chance(read_pause);
            let longest_us = random.pick(&[2_000, 60_000, 2_000_000, 9_000_000]);
            let pause_us = stops.then(|| random.between(1, longest_us));
            let is_late = is_alive && random.chance(read_delay);
            let pause_us = pause_us.or_else(|| is_late.then(|| random.between(1, 20_000)));
            // Only the cheap clock is read by threads that hold no lock.
            let is_free = matches!(reading, Reading::Coarse) && is_alive;
            let waits = is_free && random.chance(thread_delay);
            let delay_us = waits.then(|| random.between(1, 60_000));
            (value_us, pause_us, delay_us)
        };
        if let Some(pause_us) = pause_us {
            self.world.stand_still(self.home, pause_us);
        }
        if let Some(delay_us) = delay_us {
            self.world.delay_thread(self.home, delay_us);
        }
        value_us
    }
}

fn floor_to(value: i64, unit: i64) -> i64 {
    value.div_euclid(unit.max(1)) * unit.max(1)
}

impl Clock for Machine {
    fn coarse_ms(&self) -> i64 {
        self.read_us(Reading::Coarse).div_euclid(1_000)
    }

    fn now_ns(&self) -> i64 {
        self.read_us(Reading::Precise).saturating_mul(1_000)
    }

    fn boot_ms(&self) -> i64 {
        self.read_us(Reading::Boot).div_euclid(1_000)
    }
}

impl Sleep for Machine {
    fn sleep(&self, duration: Duration) {
        let late_us = self.world.lock().random.below(300) as i64;
        self.world.wait_in_runtime_us(micros(duration) + late_us);
    }
}

impl Randomness for Machine {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        let mut state = self.world.lock();
        // A request of this length is for the end of a process's name; tokens are longer.
        if state.scenario.namesakes && bytes.len() == NAME_BYTES {
            bytes.fill(0);
            return Ok(());
        }
        let is_twin = state.scenario.twins;
        let node = &mut state.nodes[self.home.node];
        let drawn = if is_twin { &mut node.twins_random } else { &mut state.random };
        bytes.iter_mut().for_each(|byte| *byte = drawn.bits() as u8);
        Ok(())
    }
}

impl Spawn for Machine {
    fn spawn(&self, _: &str, scheduler: SchedulerLoop) -> Result<()> {
        let (world, home) = (self.world.clone(), self.home);
        let keep = Box::new(move || world.keep(home, scheduler));
        let mut state = self.world.lock();
        let after_us = state.random.below(500) as i64;
        state.start(after_us, Some(home), keep);
        Ok(())
    }
}
