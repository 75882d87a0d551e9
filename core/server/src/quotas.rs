//! Limits for each client address: the rate of IDs without a token, and the number of worker IDs.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::denial::Denial;

mod meter;

pub(crate) use meter::{Allowance, Meter, now_ns};

/// The limit of addresses that are remembered, for each kind of quota.
const MAX_ADDRESSES: usize = 1 << 16;
const HOUR: Duration = Duration::from_secs(3_600);

/// The address that a client is counted under.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(Option<IpAddr>);

impl Client {
    /// Counts IPv6 clients by their /64 network, because one user usually has all of it. Over a
    /// Unix socket there is no address, and nothing is counted.
    pub(crate) fn new(address: Option<IpAddr>) -> Client {
        Client(address.map(|address| match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
            address => address,
        }))
    }

    /// Returns its address or its IPv6 network.
    pub(crate) fn address(self) -> Option<IpAddr> {
        self.0
    }

    pub(crate) fn is_known(self) -> bool {
        self.0.is_some()
    }
}

/// The quotas that addresses have used.
#[derive(Debug, Default)]
pub(crate) struct Quotas {
    /// IDs a second without a token.
    pub(crate) rates: Addresses,
    /// Worker IDs acquired in an hour.
    leases: Addresses,
}

impl Quotas {
    /// Counts one worker ID against an address's hourly limit; 0 means no limit.
    ///
    /// # Errors
    /// [`Denial::TooFast`].
    pub(crate) fn take_lease(&self, per_address: u32, client: Client) -> Result<(), Denial> {
        let Some(of) = of_leases(per_address) else { return Ok(()) };
        let taken = self.leases.of(client, |meter| meter.take(&of, now_ns(), 1));
        taken.unwrap_or(Ok(())).map_err(|after| {
            let what = format!("your address has acquired {} worker IDs in an hour", of.burst);
            Denial::TooFast { after, what }
        })
    }

    /// Returns a worker ID that was not granted to the limit.
    pub(crate) fn give_lease_back(&self, per_address: u32, client: Client) {
        if let Some(of) = of_leases(per_address) {
            self.leases.of(client, |meter| meter.give_back(&of, 1));
        }
    }
}

fn of_leases(per_address: u32) -> Option<Allowance> {
    let count = u64::from(per_address);
    (count > 0).then_some(Allowance { count, per: HOUR, burst: count })
}

#[derive(Debug, Default)]
pub(crate) struct Addresses(Mutex<HashMap<IpAddr, Meter>>);

impl Addresses {
    /// Calls `ask` with the meter of an address; returns `None` without an address.
    pub(crate) fn of<T>(&self, client: Client, ask: impl FnOnce(&Meter) -> T) -> Option<T> {
        let address = client.0?;
        let mut meters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if meters.len() >= MAX_ADDRESSES && !meters.contains_key(&address) {
            forget_half(&mut meters);
        }
        Some(ask(meters.entry(address).or_default()))
    }
}

/// Forgets the half that has used the least, because most of it is back at its full allowance.
fn forget_half(meters: &mut HashMap<IpAddr, Meter>) {
    let mut all: Vec<u64> = meters.values().map(Meter::full_ns).collect();
    let middle = all.len() / 2;
    let (_, middle, _) = all.select_nth_unstable(middle);
    let middle = *middle;
    meters.retain(|_, meter| meter.full_ns() > middle);
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn client(text: &str) -> Client {
        Client::new(Some(text.parse().unwrap()))
    }

    fn take(addresses: &Addresses, client: Client, now_ns: u64) -> Option<bool> {
        let of = Allowance::a_second(1);
        addresses.of(client, |meter| meter.take(&of, now_ns, 1).is_ok())
    }

    #[test]
    fn each_address_has_its_own_and_a_network_of_ipv6_has_one() {
        let addresses = Addresses::default();
        for (text, is_new) in [
            ("10.0.0.1", true),
            ("10.0.0.2", true),
            ("10.0.0.1", false),
            ("::ffff:10.0.0.1", false),
            ("2001:db8::1", true),
            ("2001:db8::ffff:1", false),
            ("2001:db8:0:1::1", true),
        ] {
            assert_eq!(take(&addresses, client(text), 0), Some(is_new), "{text}");
        }
        assert_eq!(take(&addresses, Client::new(None), 0), None);
    }

    #[test]
    fn addresses_that_used_least_are_forgotten_where_there_are_too_many() {
        let addresses = Addresses::default();
        let of = |number: u32| Client::new(Some(Ipv4Addr::from_bits(number).into()));
        for number in 0..MAX_ADDRESSES as u32 {
            assert_eq!(take(&addresses, of(number), number.into()), Some(true));
        }
        let last = MAX_ADDRESSES as u32;
        assert_eq!(take(&addresses, of(last), u64::from(last)), Some(true));
        let known = addresses.0.lock().unwrap().len();
        assert_eq!(known, MAX_ADDRESSES / 2);
        for (number, is_forgotten) in [(last, false), (last - 1, false), (0, true)] {
            assert_eq!(take(&addresses, of(number), last.into()), Some(is_forgotten), "{number}");
        }
    }
}
