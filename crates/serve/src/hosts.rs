//! The names that a server answers to.
//!
//! A page of another site can let its own name lead to the address of this server. For the browser
//! the server is then a part of that site, whose scripts may read everything. But the browser still
//! sends the name that it used, so the server answers only to its own names.

use std::net::IpAddr;

use axum::http::uri::Authority;

/// A host, without its port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    Address(IpAddr),
    /// In small letters, and without a dot at the end.
    Name(String),
}

impl Host {
    /// A host as requests name it, with or without a port; also an IPv6 address without brackets.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Ok(address) = text.parse::<IpAddr>() {
            return Some(Self::Address(address.to_canonical()));
        }
        let authority: Authority = text.parse().ok()?;
        if text.contains('@') {
            return None;
        }
        // The port is read only to refuse what is none.
        let host = authority.host();
        match text[host.len()..].strip_prefix(':') {
            None | Some("") => {}
            Some(port) => _ = port.parse::<u16>().ok()?,
        }
        if let Some(inner) = host.strip_prefix('[') {
            let address: IpAddr = inner.strip_suffix(']')?.parse().ok()?;
            return Some(Self::Address(address.to_canonical()));
        }
        if let Ok(address) = host.parse::<IpAddr>() {
            return Some(Self::Address(address));
        }
        let name = host.strip_suffix('.').unwrap_or(host);
        let in_names = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let is_name = !name.is_empty() && name.chars().all(in_names);
        is_name.then(|| Self::Name(name.to_ascii_lowercase()))
    }

    /// Whether only programs on the same machine reach a server by this name.
    fn is_loopback(&self) -> bool {
        match self {
            Self::Address(address) => address.is_loopback(),
            Self::Name(name) => name == "localhost" || name.ends_with(".localhost"),
        }
    }
}

/// The hosts that a server answers to, besides loopback and the addresses of its connections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hosts {
    all: bool,
    known: Vec<Host>,
}

impl Hosts {
    pub(crate) fn allow_all(&mut self) {
        self.all = true;
    }

    pub(crate) fn allow(&mut self, host: Host) {
        self.known.push(host);
    }

    /// Whether a request to `host` is answered that arrived at the address `local`.
    pub(crate) fn include(&self, host: &Host, local: Option<IpAddr>) -> bool {
        let is_local = |local: IpAddr| *host == Host::Address(local.to_canonical());
        self.all
            || host.is_loopback()
            || local.is_some_and(is_local)
            || self.known.iter().any(|known| known == host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_same_machine() {
        let hosts = Hosts::default();
        for host in [
            "localhost",
            "LOCALHOST:7878",
            "localhost.:80",
            "mill.localhost",
            "127.0.0.1",
            "127.9.9.9:1",
            "[::1]",
            "[::1]:7878",
            "[::ffff:127.0.0.1]:7878",
        ] {
            assert!(hosts.include(&Host::parse(host).unwrap(), None), "{host}");
        }
        for host in [
            "example.org",
            "localhost.example.org",
            "notlocalhost",
            "127.0.0.1.example.org",
            "127.1",
            "2130706433",
            "0.0.0.0",
            "192.0.2.1",
            "[2001:db8::1]",
        ] {
            assert!(!hosts.include(&Host::parse(host).unwrap(), None), "{host}");
        }
    }

    #[test]
    fn names_and_addresses_that_are_allowed() {
        let mut hosts = Hosts::default();
        for name in ["Example.org:80", "::2"] {
            hosts.allow(Host::parse(name).unwrap());
        }
        let included = |host: &str, local: &str| {
            hosts.include(&Host::parse(host).unwrap(), Some(local.parse().unwrap()))
        };
        assert!(included("example.ORG:7878", "192.0.2.1"));
        assert!(included("[::2]:1", "192.0.2.1"));
        assert!(!included("www.example.org", "192.0.2.1"));
        // The address at which the connection arrived.
        assert!(included("192.0.2.1:7878", "192.0.2.1"));
        assert!(included("192.0.2.1:7878", "::ffff:192.0.2.1"));
        assert!(included("[2001:db8::1]", "2001:db8::1"));
        assert!(!included("192.0.2.2:7878", "192.0.2.1"));
        hosts.allow_all();
        assert!(hosts.include(&Host::parse("anything").unwrap(), None));
    }

    #[test]
    fn texts_that_name_no_host() {
        for text in [
            "",
            ":80",
            "a b",
            "user@localhost",
            "localhost:x",
            "localhost:99999",
            "a/b",
            "[::1",
            "[localhost]",
            "loc\u{e4}lhost",
            "a,b",
            "*",
            ".",
        ] {
            assert_eq!(Host::parse(text), None, "{text}");
        }
    }
}
