//! Examines this machine for IDs that are made on it.

use std::path::{Path, PathBuf};

use snowmint_engine::Code;

use super::daemons;
use crate::findings::{Finding, Verdict, places};
use crate::host::paths::state_directory;
use crate::host::process::ForkGuard;
use crate::host::{Clock, System};

/// Examines this machine: its clock, what sets the clock, how forks are noticed, and the directory
/// in which fixed worker IDs keep their files and locks. A fact that cannot be seen, for example in
/// a container, is [`Unseen`](super::Verdict::Unseen).
pub fn examine_host() -> Vec<Finding> {
    let mut findings = vec![time(), clock_source(), synchronised()];
    findings.extend(daemons::seen(Path::new("/")));
    findings.push(boot_time());
    findings.push(forks());
    findings.extend(state());
    findings
}

/// Unix milliseconds when this was written: a clock before it is wrong.
const WRITTEN_MS: i64 = 1_760_000_000_000;

fn time() -> Finding {
    let now_ms = System.now_ms();
    let shown = snowmint_engine::Timestamp(now_ms);
    if now_ms >= WRITTEN_MS {
        return Finding::ok("time", shown.to_string());
    }
    let found = format!("{shown}, which is over: IDs would be of that time");
    Finding::weaker("time", found, "set the clock, and have it follow time servers")
}

/// The clock source of the kernel. A slow one makes each reading of the clock much dearer.
fn clock_source() -> Finding {
    const SUBJECT: &str = "clock source";
    const SLOW: [&str; 5] = ["hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"];
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    let Ok(name) = std::fs::read_to_string(path) else {
        return Finding::hidden(SUBJECT, "it is not told here");
    };
    let name = name.trim();
    if !SLOW.contains(&name) {
        return Finding::ok(SUBJECT, name);
    }
    let found = format!("{name}, which is slow to read: IDs are made at a fraction of the pace");
    Finding::weaker(SUBJECT, found, "have the machine, or its hypervisor, offer tsc or its like")
}

#[cfg(target_os = "linux")]
fn synchronised() -> Finding {
    #[expect(unsafe_code, reason = "the kernel's clock discipline is asked through libc alone")]
    fn asked() -> (i32, libc::timex) {
        // SAFETY: a struct of numbers only, for which zero is a valid value.
        let mut told: libc::timex = unsafe { std::mem::zeroed() };
        // SAFETY: a valid struct, whose `modes` of 0 asks and changes nothing.
        let state = unsafe { libc::adjtimex(&raw mut told) };
        (state, told)
    }
    let (state, told) = asked();
    let is_synchronised = told.status & libc::STA_UNSYNC == 0 && state != libc::TIME_ERROR;
    judged(state, is_synchronised, told.maxerror)
}

#[cfg(not(target_os = "linux"))]
fn synchronised() -> Finding {
    Finding::hidden(SYNCHRONISED, "it is not told here")
}

const SYNCHRONISED: &str = "synchronised";

#[cfg(target_os = "linux")]
fn judged(state: i32, is_synchronised: bool, error_us: libc::c_long) -> Finding {
    if state < 0 {
        return Finding::hidden(SYNCHRONISED, "could not be seen: the kernel does not tell");
    }
    if is_synchronised {
        let error_ms = error_us / 1_000;
        let found = format!("the kernel says so, and that it is off by {error_ms} ms at most");
        return Finding::ok(SYNCHRONISED, found);
    }
    let found = "the kernel knows of nobody who keeps the clock true. IDs are as far off as it is, \
                 and a fixed worker ID whose state file is lost relies on it (a container's host may \
                 keep it without saying so)";
    Finding::weaker(SYNCHRONISED, found, "have it follow time servers: chrony, or the like")
}

/// The clock that cannot be set, with which steps of the wall clock are detected.
#[cfg(target_os = "linux")]
fn boot_time() -> Finding {
    use rustix::time::{ClockId, clock_gettime};
    let suspended_s =
        clock_gettime(ClockId::Boottime).tv_sec - clock_gettime(ClockId::Monotonic).tv_sec;
    let up_s = System.boot_ms() / 1_000;
    let found =
        format!("counted through suspends: up for {up_s} s, {suspended_s} s of it suspended");
    Finding::ok("boot time", found)
}

#[cfg(not(target_os = "linux"))]
fn boot_time() -> Finding {
    let found = "it may stand still while the machine is suspended, which then looks like a step of \
                 the clock ahead: that is followed after some seconds";
    Finding::weaker("boot time", found, "none is needed where the machine is not suspended")
}

fn forks() -> Finding {
    const SUBJECT: &str = "fork guard";
    if cfg!(not(unix)) {
        return Finding::ok(SUBJECT, "processes do not fork here");
    }
    if ForkGuard::new().is_of_the_kernel() {
        return Finding::ok(SUBJECT, "the kernel empties a page in every child (MADV_WIPEONFORK)");
    }
    let found = "a handler of fork tells a child: one that is made behind the C library's back, by a \
                 raw clone, is not noticed, and repeats IDs";
    Finding::weaker(SUBJECT, found, "Linux 4.14 or later, without a sandbox that hides the advice")
}

/// The directory of fixed worker IDs, and of the leases of `snowmint id`.
fn state() -> Vec<Finding> {
    const SUBJECT: &str = "state directory";
    let directory = match state_directory() {
        Ok(directory) => directory,
        Err(error) => {
            let cure = "set HOME or XDG_STATE_HOME, or name paths in URLs (state=, sqlite:)";
            return vec![Finding::weaker(SUBJECT, error.to_string(), cure)];
        }
    };
    let Some(there) = nearest(&directory) else {
        return vec![Finding::hidden(SUBJECT, format!("{} is on nothing", directory.display()))];
    };
    let found = match there == directory {
        true => format!("{} is there", directory.display()),
        false => format!("{} is made when it is needed", directory.display()),
    };
    let access = places::access(&there);
    if there != directory && access.verdict == Verdict::Refused {
        return vec![unmade(&directory, &access)];
    }
    vec![Finding::ok(SUBJECT, found), access, places::file_system(&there)]
}

/// A directory that this user may not create. The cure names another path, because this user can
/// rarely change the directories above.
fn unmade(directory: &Path, access: &Finding) -> Finding {
    let found = format!("{} cannot be made: {}", directory.display(), access.found);
    let cure = "set XDG_STATE_HOME to a directory of this user's, or HOME, or name paths in URLs \
                (state=, sqlite:)";
    Finding::refused("state directory", Code::StoreReadOnly, found, cure)
}

/// Returns the path, or the nearest existing directory above it.
fn nearest(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|it| it.is_dir()).map(Path::to_owned)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn each_question_has_a_finding() {
        let findings = examine_host();
        let subjects: Vec<_> = findings.iter().map(|it| it.subject).collect();
        for subject in ["time", "clock source", "synchronised", "clock steps", "boot time"] {
            assert!(subjects.contains(&subject), "{subjects:?}");
        }
        assert!(subjects.contains(&"fork guard") && subjects.contains(&"state directory"));
    }

    #[test]
    fn a_home_that_cannot_be_made_is_told_what_to_set() {
        let access = Finding::refused("access", Code::StoreReadOnly, "/ is user 0's", "write it");
        let unmade = unmade(Path::new("/nonexistent/.local/state/snowmint"), &access);
        assert_eq!(unmade.verdict, Verdict::Refused);
        assert!(unmade.found.ends_with("cannot be made: / is user 0's"), "{unmade:?}");
        assert!(unmade.cure.unwrap().starts_with("set XDG_STATE_HOME"));
    }

    #[test]
    fn a_clock_that_nobody_keeps_is_weaker() {
        for (state, is_synchronised, verdict) in [
            (libc::TIME_OK, true, Verdict::Ok),
            (libc::TIME_INS, true, Verdict::Ok),
            (libc::TIME_ERROR, false, Verdict::Weaker),
            (-1, true, Verdict::Unseen),
        ] {
            assert_eq!(judged(state, is_synchronised, 16_000).verdict, verdict);
        }
    }
}
