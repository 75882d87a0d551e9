//! A seeded simulator: the real runtime in simulated time, under faults, judged by its laws.
//!
//! Nothing of the runtime is modelled. [`snowmint::Snowflake`] and [`snowmint::Segment`] run as they
//! are, behind their traits: a [`machine`] is the host (clocks, sleep, randomness, schedulers), a
//! [`disk`] the files, a [`network`] the store, which is the runtime's own `MemoryStore` on a clock
//! of its own. Every call of theirs that waits is a coroutine that stops: there messages are lost,
//! processes die, nodes stand still and clocks step, as the seed says. There is one thread and no
//! wall time, so a seed and a scenario give the same history each time.
//!
//! What the [`laws`] judge is seen from outside: the IDs returned, the grants that the store made
//! and whose answers arrived, the marks that were durable, and true time. Laws L1 to L4, L7, L8
//! and L11 of the design are held; L10 (forks and copies) needs real processes.
//!
//! What it does not do: threads that run at the same moment (the models with loom do that), stores
//! other than the one in memory, and kernels.

pub mod disk;
pub mod history;
pub mod laws;
pub mod machine;
pub mod network;
pub mod random;
pub mod scenario;
pub mod work;
pub mod world;

pub use history::{Figures, History};
pub use scenario::{SCENARIOS, Scenario};
pub use world::run;
