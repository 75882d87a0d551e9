//! The uses of a token, and the addresses that they came from.

use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::moment::now_ms;
use crate::quotas::Client;
use crate::state::TokenNow;

/// The number of addresses that are kept.
const MAX_CLIENTS: usize = 8;

/// Counts since the start, whatever the file says in the meantime.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    uses: AtomicU64,
    last_ms: AtomicI64,
    /// The latest is first.
    clients: Mutex<Vec<IpAddr>>,
}

impl Usage {
    pub(crate) fn note(&self, client: Client) {
        self.uses.fetch_add(1, Ordering::Relaxed);
        self.last_ms.store(now_ms(), Ordering::Relaxed);
        let Some(address) = client.address() else { return };
        // If another thread is noting an address at this moment, this one is skipped.
        let Ok(mut clients) = self.clients.try_lock() else { return };
        match clients.iter().position(|known| *known == address) {
            Some(0) => {}
            Some(place) => clients.swap(0, place),
            None => {
                clients.insert(0, address);
                clients.truncate(MAX_CLIENTS);
            }
        }
    }

    pub(crate) fn now(&self) -> TokenNow {
        let uses = self.uses.load(Ordering::Relaxed);
        let clients = self.clients.lock().map(|clients| clients.clone()).unwrap_or_default();
        let last_ms = (uses > 0).then(|| self.last_ms.load(Ordering::Relaxed));
        TokenNow { uses, last_ms, clients }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_addresses_are_known_the_latest_first() {
        let usage = Usage::default();
        assert_eq!(usage.now(), TokenNow::default());
        let address = |last: u8| IpAddr::from([10, 0, 0, last]);
        for last in 0..=MAX_CLIENTS as u8 {
            usage.note(Client::new(Some(address(last))));
        }
        usage.note(Client::new(Some(address(5))));
        usage.note(Client::new(None));
        let now = usage.now();
        assert_eq!((now.uses, now.clients.len()), (MAX_CLIENTS as u64 + 3, MAX_CLIENTS));
        assert_eq!(now.clients[0], address(5));
        assert!(!now.clients.contains(&address(0)) && now.last_ms.is_some());
    }
}
