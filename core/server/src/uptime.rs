//! The time since boot, including suspends, by which leases are measured.

use std::ops::Add;
use std::time::Duration;

/// A moment since boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Uptime(Duration);

impl Uptime {
    #[cfg(target_os = "linux")]
    pub(crate) fn now() -> Uptime {
        use rustix::time::{ClockId, clock_gettime};
        let now = clock_gettime(ClockId::Boottime);
        let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
        Uptime(Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or(0)))
    }

    /// Systems other than Linux: time in suspend is not counted.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn now() -> Uptime {
        use std::sync::LazyLock;
        use std::time::Instant;
        static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
        Uptime(BEGAN.elapsed())
    }
}

impl Add<Duration> for Uptime {
    type Output = Uptime;

    fn add(self, later: Duration) -> Uptime {
        Uptime(self.0.saturating_add(later))
    }
}
