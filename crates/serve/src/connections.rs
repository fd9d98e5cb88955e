//! Open connections: how many there are, and how many of one client.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::metrics::counter::Counter;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::gauges::{Gauge, Held};
use crate::limits::Limits;

/// The addresses of a connection. Each of its requests has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// The client's.
    pub(crate) peer: SocketAddr,
    /// The server's.
    pub(crate) local: SocketAddr,
}

/// The connections of a server.
#[derive(Debug)]
pub(crate) struct Connections {
    places: Arc<Semaphore>,
    per_client: usize,
    loopback_is_exempt: bool,
    of_clients: Arc<OfClients>,
    pub(crate) open: Gauge,
    /// Those that were closed at once.
    pub(crate) refused: Counter,
}

/// The number of open connections of each client that has any.
#[derive(Debug, Default)]
struct OfClients(Mutex<HashMap<IpAddr, usize>>);

/// A place among the open connections.
pub(crate) type Place = OwnedSemaphorePermit;

/// Counts as an open connection until it is dropped.
#[derive(Debug)]
pub(crate) struct Open {
    _place: Place,
    _held: Held,
    client: Option<(Arc<OfClients>, IpAddr)>,
}

impl Connections {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            places: Arc::new(Semaphore::new(limits.connections)),
            per_client: limits.connections_per_address,
            loopback_is_exempt: limits.loopback_is_exempt,
            of_clients: Arc::default(),
            open: Gauge::default(),
            refused: Counter::default(),
        }
    }

    /// Waits until one more connection may be open.
    pub(crate) async fn place(&self) -> Place {
        Arc::clone(&self.places).acquire_owned().await.expect("the semaphore is never closed")
    }

    /// Counts a connection from `peer`; none if this client has too many.
    pub(crate) fn admit(&self, place: Place, peer: IpAddr) -> Option<Open> {
        let peer = peer.to_canonical();
        let client = if self.loopback_is_exempt && peer.is_loopback() {
            None
        } else {
            let client = client_of(peer);
            if !self.of_clients.add(client, self.per_client) {
                self.refused.inc();
                return None;
            }
            Some((Arc::clone(&self.of_clients), client))
        };
        Some(Open { _place: place, _held: Held::new(&self.open), client })
    }
}

impl OfClients {
    /// Counts a connection of `client`, unless it has `most`.
    fn add(&self, client: IpAddr, most: usize) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.get(&client).copied().unwrap_or(0);
        let fits = count < most;
        if fits {
            counts.insert(client, count + 1);
        }
        fits
    }

    fn remove(&self, client: IpAddr) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&client);
            }
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some((clients, client)) = &self.client {
            clients.remove(*client);
        }
    }
}

/// The client that an address belongs to. In IPv6, one client has a network of 2^64 addresses.
fn client_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of these addresses are admitted, in turn, with two places each.
    async fn admitted(limits: Limits, addresses: &[&str]) -> Vec<bool> {
        let connections = Connections::new(&Limits { connections_per_address: 2, ..limits });
        let mut open = Vec::new();
        for address in addresses {
            let place = connections.place().await;
            open.push(connections.admit(place, address.parse().expect("an address")));
        }
        let admitted: Vec<_> = open.iter().map(Option::is_some).collect();
        let count = admitted.iter().filter(|&&admitted| admitted).count();
        assert_eq!(connections.open.get(), count as i64);
        assert_eq!(connections.refused.get(), (addresses.len() - count) as u64);
        drop(open);
        assert_eq!(connections.open.get(), 0);
        // No client is remembered without a connection.
        assert!(connections.of_clients.0.lock().expect("no panic").is_empty());
        admitted
    }

    #[tokio::test]
    async fn one_client_has_few_connections() {
        let four = ["192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"];
        assert_eq!(admitted(Limits::default(), &four).await, [true, true, false, true]);
        let six = ["2001:db8::1", "2001:db8::2:1", "2001:db8::3:0:0:1", "2001:db8:0:1::1"];
        assert_eq!(admitted(Limits::default(), &six).await, [true, true, false, true]);
    }

    #[tokio::test]
    async fn a_proxy_on_the_machine_has_any_number() {
        let proxy = ["127.0.0.1", "127.0.0.1", "127.0.0.1", "::1", "::1", "::1"];
        assert_eq!(admitted(Limits::default(), &proxy).await, [true; 6]);
        let counted = Limits { loopback_is_exempt: false, ..Limits::default() };
        let expected = [true, true, false, true, true, false];
        assert_eq!(admitted(counted, &proxy).await, expected);
    }
}
