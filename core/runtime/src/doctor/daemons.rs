//! Finds programs that set this machine's clock by steps, as far as their configuration shows it.

use std::fs;
use std::path::Path;

use crate::findings::Finding;

const SUBJECT: &str = "clock steps";
const CURE: &str = "chrony with `makestep 1 3` steps only while it starts, and slews from then on";
const EFFECT: &str = "after a step IDs are off true time for a while, and none repeats";

/// Returns the findings below the root of a file system.
pub(super) fn seen(root: &Path) -> Vec<Finding> {
    let read = |path: &&str| fs::read_to_string(root.join(path)).ok();
    let mut findings = Vec::new();
    let chrony = ["etc/chrony/chrony.conf", "etc/chrony.conf"];
    findings.extend(chrony.iter().find_map(read).map(|text| chrony_of(&text)));
    let ntpd = ["etc/ntpsec/ntp.conf", "etc/ntp.conf"];
    findings.extend(ntpd.iter().find_map(read).map(|text| ntpd_of(&text)));
    if root.join("run/systemd/timesync").is_dir() {
        let found =
            format!("systemd-timesyncd runs, which steps a clock that is far off: {EFFECT}");
        findings.push(Finding::weaker(SUBJECT, found, CURE));
    }
    if findings.is_empty() {
        let found = "no configuration of chrony, ntpd or systemd-timesyncd is seen here: another \
                     program may set the clock, or a container's host does";
        findings.push(Finding::hidden(SUBJECT, found));
    }
    findings
}

/// The words of each line that is not a comment.
fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with(['#', '!', ';', '%']));
    lines.map(|line| line.split_whitespace().collect())
}

fn chrony_of(text: &str) -> Finding {
    // The last setting counts, and its name may be in any case.
    let steps = lines(text).filter_map(|words| match words.as_slice() {
        [name, above_s, updates, ..] if name.eq_ignore_ascii_case("makestep") => {
            Some((above_s.to_string(), updates.parse::<i64>().ok()?))
        }
        _ => None,
    });
    match steps.last() {
        None | Some((_, 0)) => Finding::ok(SUBJECT, "chrony is configured, and never steps"),
        Some((above_s, updates @ 1..)) => {
            let found = format!(
                "chrony is configured, and steps by more than {above_s} s in its first {updates} \
                 updates alone"
            );
            Finding::ok(SUBJECT, found)
        }
        Some((above_s, updates)) => {
            let found = format!(
                "chrony is configured to step by more than {above_s} s at any time (makestep \
                 {above_s} {updates}): {EFFECT}"
            );
            Finding::weaker(SUBJECT, found, CURE)
        }
    }
}

fn ntpd_of(text: &str) -> Finding {
    let is_never = |words: Vec<&str>| {
        let pairs = words.windows(2).skip(1);
        words.first() == Some(&"tinker") && pairs.into_iter().any(|pair| *pair == ["step", "0"])
    };
    if lines(text).any(is_never) {
        return Finding::ok(SUBJECT, "ntpd is configured, and never steps (tinker step 0)");
    }
    let found = format!("ntpd is configured, and steps a clock that is off by 0.128 s: {EFFECT}");
    Finding::weaker(SUBJECT, found, format!("`tinker step 0` in its configuration; or {CURE}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Verdict;

    #[test]
    fn the_configuration_says_who_steps() {
        let none = tempfile::tempdir().unwrap();
        assert_eq!(seen(none.path())[0].verdict, Verdict::Unseen);
        for (path, text, verdict) in [
            ("etc/chrony/chrony.conf", "pool a\nmakestep 1 3\n", Verdict::Ok),
            ("etc/chrony.conf", "#makestep 1 -1\n", Verdict::Ok),
            ("etc/chrony.conf", "makestep 1 3\n  MakeStep 0.1 -1 # why\n", Verdict::Weaker),
            ("etc/ntp.conf", "server a\n", Verdict::Weaker),
            ("etc/ntpsec/ntp.conf", "tinker panic 0 step 0\n", Verdict::Ok),
            ("run/systemd/timesync/x", "", Verdict::Weaker),
        ] {
            let root = tempfile::tempdir().unwrap();
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
            let findings = seen(root.path());
            assert_eq!(findings.len(), 1);
            assert_eq!(findings[0].verdict, verdict, "{findings:?}");
        }
    }
}
