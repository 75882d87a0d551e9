//! A seeded simulator: the real runtime in simulated time, under faults, checked against its laws.
//!
//! Nothing of the runtime is modelled. [`snowmint::Snowflake`] and [`snowmint::Segment`] run
//! unchanged behind their traits. A [`machine`] is the host (clocks, sleep, randomness,
//! schedulers), a [`disk`] holds the files, and a [`network`] leads to the store, which is the
//! runtime's own `MemoryStore` with its own clock. Every call that waits is a coroutine that stops.
//! There the seed decides whether messages are lost, processes die, nodes stand still or clocks
//! step. There is one thread and no wall time, so a seed and a scenario always give the same
//! history.
//!
//! The [`laws`] judge what can be seen from outside: the IDs returned, the store's grants and the
//! arrival of its answers, the durable marks, and true time. Laws L1 to L4, L7, L8 and L11 of the
//! design are checked. Of L10, only the tokens of renewals are; forks and copies need real
//! processes.
//!
//! It does not cover threads that run at the same moment (the loom models do that), stores other
//! than the one in memory, and kernels.

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
