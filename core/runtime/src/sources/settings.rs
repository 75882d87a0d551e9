//! The settings that builders of sources have in common.

/// Adds `wait`, with its documentation, and `host` to a builder that has fields of these names.
macro_rules! wait_and_host {
    ($(#[$of_wait:meta])+) => {
        $(#[$of_wait])+
        pub fn wait(mut self, wait: std::time::Duration) -> Self {
            self.wait = wait;
            self
        }

        /// Sets another host than the operating system, for simulation.
        #[cfg(feature = "embedding")]
        pub fn host(mut self, host: impl $crate::host::Host) -> Self {
            self.host = $crate::host::Platform::Brought(std::sync::Arc::new(host));
            self
        }
    };
}
pub(super) use wait_and_host;
