//! The layouts of the vectors beside the presets.

/// Name, fields, epoch and tick.
pub(super) type Custom = (&'static str, &'static str, i64, u32);

/// Layouts at the limits, and of shapes that no preset has.
pub(super) const CUSTOM: &[Custom] = &[
    ("narrow", "time:8,worker:4,sequence:4", 0, 1),
    (
        "nine-fields-below-zeros",
        "zero:1,time:36,datacenter:3,worker:4,process:2,shard:1,constant:1=1,sequence:9,rollback:2,constant:5=21",
        1_600_000_000_000,
        10,
    ),
    ("time-only", "time:62", 0, 1),
    ("longest", "time:62", (1 << 62) - 1, 1),
    ("one-tick-bit", "time:1,worker:1,sequence:1", 1_700_000_000_000, 86_400_000),
    ("widest-worker", "time:32,worker:32", 1_500_000_000_000, 1000),
    ("widest-sequence", "time:32,sequence:32", 1_500_000_000_000, 1000),
    ("epoch-before-1970", "zero:1,time:45,worker:8,sequence:10", -86_400_001, 10),
    ("epoch-inside-a-tick", "zero:1,time:35,worker:10,sequence:18", 1_600_000_000_007, 1000),
    ("constant-on-top", "constant:2=2,time:40,worker:10,sequence:12", 1_600_000_000_000, 1),
    ("constant-below", "zero:1,time:41,worker:8,constant:2=1,sequence:12", 1_600_000_000_000, 1),
    ("time-at-the-bottom", "sequence:10,worker:10,time:44", 0, 1),
    ("no-worker-no-room", "rollback:2,time:46,sequence:16", 0, 1),
    ("no-sequence", "zero:1,time:51,worker:12", 1_600_000_000_000, 1),
    ("longest-tick", "zero:1,time:30,worker:10,sequence:23", 0, u32::MAX),
    ("worker-in-three-parts", "zero:1,process:3,time:41,shard:4,sequence:10,datacenter:5", 0, 1),
];

/// The fault, then the values as in [`CUSTOM`].
pub(super) const INVALID: &[Custom] = &[
    ("65 bits", "zero:1,time:42,worker:10,sequence:12", 0, 1),
    ("far too wide", "time:62,worker:32,sequence:32", 0, 1),
    ("no time", "worker:10,sequence:12", 0, 1),
    ("time twice", "time:20,time:21,sequence:12", 0, 1),
    ("worker twice", "time:41,worker:5,worker:5,sequence:12", 0, 1),
    ("sequence twice", "time:41,sequence:6,sequence:6", 0, 1),
    ("time too wide", "time:63", 0, 1),
    ("sequence too wide", "time:31,sequence:33", 0, 1),
    ("worker too wide", "time:31,worker:33", 0, 1),
    ("workers together too wide", "time:24,datacenter:20,worker:20", 0, 1),
    ("rollback too wide", "time:41,rollback:3,sequence:12", 0, 1),
    ("a field of 0 bits", "time:41,worker:0,sequence:12", 0, 1),
    ("a constant of 64 bits", "constant:64=1", 0, 1),
    ("a constant that does not fit", "constant:2=4,time:41,sequence:12", 0, 1),
    (
        "ten fields",
        "constant:1=1,time:36,datacenter:3,worker:4,process:2,shard:1,constant:1=1,sequence:9,rollback:2,constant:5=21",
        0,
        1,
    ),
    ("a tick of 0", "time:41,worker:10,sequence:12", 0, 0),
    ("ends past 64-bit milliseconds", "time:62", 1 << 62, 1),
    ("ends past them by its tick", "time:62,sequence:2", 0, 3),
    ("an epoch at the end of time", "time:41,sequence:12", i64::MAX, 1),
    ("begins before 64-bit milliseconds", "time:41,sequence:12", i64::MIN, 1000),
    ("nothing", "", 0, 1),
    ("an unknown field", "time:41,machine:10,sequence:12", 0, 1),
    ("upper case", "Time:41,worker:10,sequence:12", 0, 1),
    ("no width", "time,worker:10,sequence:12", 0, 1),
    ("a width that is no number", "time:x,worker:10,sequence:12", 0, 1),
    ("a negative width", "time:-41,worker:10,sequence:12", 0, 1),
    ("a constant without a value", "constant:2,time:41,sequence:12", 0, 1),
    ("a value for another field", "time:41=5,sequence:12", 0, 1),
    ("a comma at the end", "time:41,worker:10,sequence:12,", 0, 1),
    ("a space", "time:41, worker:10,sequence:12", 0, 1),
];
