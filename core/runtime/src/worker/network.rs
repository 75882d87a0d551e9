//! A worker ID from the host's address in a network that all generators share.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::Layout;

use crate::error::{Error, Result};
use crate::errors;
use crate::url::invalid;

const NETWORKS: &str =
    "the network that holds every host which mints with this layout, such as ip:10.0.4.0/22";

/// An IPv4 network: `10.0.4.0/22`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: Ipv4Addr,
    prefix_bits: u32,
}

impl Network {
    /// Returns the number of this host in the network: the bits of its address after the prefix.
    ///
    /// # Errors
    /// [`Code::WorkerNotConfigured`] if the host part has more bits than the layout's worker ID, or
    /// if this host does not have exactly one address in the network; [`Code::Unsupported`] without
    /// the feature `interfaces`.
    pub(super) fn worker_id(self, layout: &Layout) -> Result<u32> {
        let (host_bits, worker_bits) = (self.host_bits(), layout.worker_bits());
        if host_bits > worker_bits {
            let prefix_bits = u32::BITS.saturating_sub(worker_bits);
            return Err(errors::workers::network_too_large(
                self,
                host_bits,
                worker_bits,
                prefix_bits,
            ));
        }
        self.host_part(&addresses()?)
    }

    fn host_part(self, addresses: &[Ipv4Addr]) -> Result<u32> {
        let inside: Vec<_> = addresses.iter().filter(|it| self.holds(**it)).collect();
        match *inside {
            [address] => Ok(address.to_bits() & !self.mask()),
            [] => Err(errors::workers::address_missing(self, addresses)),
            _ => Err(errors::workers::address_ambiguous(self, &inside)),
        }
    }

    fn host_bits(self) -> u32 {
        u32::BITS.saturating_sub(self.prefix_bits)
    }

    fn mask(self) -> u32 {
        u32::MAX.checked_shl(self.host_bits()).unwrap_or(0)
    }

    fn holds(self, address: Ipv4Addr) -> bool {
        address.to_bits() & self.mask() == self.address.to_bits()
    }
}

impl FromStr for Network {
    type Err = Error;

    fn from_str(text: &str) -> Result<Network> {
        let wrong = || invalid("worker_id", &format!("ip:{text}"), NETWORKS);
        let (address, prefix) = text.split_once('/').ok_or_else(wrong)?;
        let address: Ipv4Addr = address.parse().map_err(|_| wrong())?;
        let prefix_bits = super::canonical(prefix).filter(|&it| it <= u32::BITS);
        let network = Network { address, prefix_bits: prefix_bits.ok_or_else(wrong)? };
        let first = Ipv4Addr::from_bits(address.to_bits() & network.mask());
        if address != first {
            return Err(errors::workers::network_of_address(text, first, prefix));
        }
        if address.is_loopback() || address.is_link_local() {
            return Err(errors::workers::network_of_one_host(text));
        }
        Ok(network)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix_bits)
    }
}

/// The IPv4 addresses of this host.
#[cfg(feature = "interfaces")]
fn addresses() -> Result<Vec<Ipv4Addr>> {
    let interfaces = if_addrs::get_if_addrs().map_err(errors::workers::interfaces_unknown)?;
    let addresses = interfaces.iter().filter_map(|interface| match &interface.addr {
        if_addrs::IfAddr::V4(v4) => Some(v4.ip),
        if_addrs::IfAddr::V6(_) => None,
    });
    Ok(addresses.collect())
}

#[cfg(not(feature = "interfaces"))]
fn addresses() -> Result<Vec<Ipv4Addr>> {
    Err(errors::workers::interfaces_absent())
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    fn network(text: &str) -> Network {
        text.parse().unwrap()
    }

    #[test]
    fn a_worker_id_is_the_host_part_of_the_one_address_in_the_network() {
        let address = |text: &str| text.parse::<Ipv4Addr>().unwrap();
        let addresses = ["127.0.0.1", "10.244.1.7", "172.17.0.1"].map(address);
        assert_eq!(network("10.244.0.0/22").host_part(&addresses).unwrap(), 256 + 7);
        assert_eq!(network("10.244.1.7/32").host_part(&addresses).unwrap(), 0);
        let twice = [address("10.244.1.7"), address("10.244.3.7")];
        for (of, addresses) in [("10.244.4.0/22", &addresses[..]), ("10.244.0.0/22", &twice)] {
            let error = network(of).host_part(addresses).unwrap_err();
            assert_eq!(error.code(), Code::WorkerNotConfigured, "{error}");
            assert!(error.to_string().contains(of), "{error}");
        }
    }

    #[test]
    fn a_host_part_wider_than_the_worker_id_is_refused() {
        let error = network("10.244.0.0/21").worker_id(&Layout::TWITTER).unwrap_err();
        assert_eq!(error.code(), Code::WorkerNotConfigured);
        assert!(error.to_string().contains("11 host bits"), "{error}");
        assert!(error.to_string().contains("/22 or smaller"), "{error}");
    }

    #[test]
    fn a_network_is_stated_in_full() {
        for text in ["0.0.0.0/0", "10.0.0.0/8", "10.0.4.0/22", "255.255.255.255/32"] {
            assert_eq!(network(text).to_string(), text);
        }
        for (text, part) in [
            ("", "such as ip:10.0.4.0/22"),
            ("10.0.4.0", "such as ip:10.0.4.0/22"),
            ("10.0.4.0/022", "such as ip:10.0.4.0/22"),
            ("10.0.4.0/33", "such as ip:10.0.4.0/22"),
            ("10.0.5.7/22", "ip:10.0.4.0/22"),
            ("127.0.0.0/24", "for itself"),
            ("169.254.0.0/24", "for itself"),
        ] {
            let error = text.parse::<Network>().unwrap_err();
            assert_eq!(error.code(), Code::InvalidParameter, "{text}");
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
