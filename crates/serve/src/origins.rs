//! Origins: which other pages may read the answers.

use std::net::Ipv6Addr;

/// An origin as browsers send it, so that both can be compared: in small letters, and without the
/// default port of its scheme. None if it is not an origin.
pub(crate) fn as_sent(origin: &str) -> Option<String> {
    let origin = origin.to_ascii_lowercase();
    let (scheme, rest) = origin.split_once("://")?;
    let usual_port = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let (host, rest) = match rest.strip_prefix('[') {
        Some(inner) => {
            let (address, rest) = inner.split_once(']')?;
            (format!("[{}]", address.parse::<Ipv6Addr>().ok()?), rest)
        }
        None => {
            let (host, rest) = rest.split_at(rest.find(':').unwrap_or(rest.len()));
            let in_names = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
            (!host.is_empty() && host.chars().all(in_names)).then(|| (host.to_owned(), rest))?
        }
    };
    if rest.is_empty() {
        return Some(format!("{scheme}://{host}"));
    }
    let digits = rest.strip_prefix(':').filter(|port| port.bytes().all(|c| c.is_ascii_digit()))?;
    let port: u16 = digits.parse().ok()?;
    let port = if port == usual_port { String::new() } else { format!(":{port}") };
    Some(format!("{scheme}://{host}{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins() {
        for good in ["http://localhost:8000", "https://example.org"] {
            assert_eq!(as_sent(good).as_deref(), Some(good));
        }
        for bad in [
            "example.org",
            "https://",
            "https://a.org/path",
            "https://*",
            "http://a\nb",
            "https://a.org:99999",
            "https://a.org:+80",
            "https://a.org:",
            "https://user@a.org",
            "https://[::1",
            "ftp://a.org",
            "https://m\u{fc}hle.org",
        ] {
            assert_eq!(as_sent(bad), None, "{bad}");
        }
        // As browsers send them.
        for (written, sent) in [
            ("https://EXAMPLE.org", "https://example.org"),
            ("HTTPS://a.org:443", "https://a.org"),
            ("http://a.org:443", "http://a.org:443"),
            ("http://localhost:08000", "http://localhost:8000"),
            ("http://[0:0::1]:80", "http://[::1]"),
        ] {
            assert_eq!(as_sent(written).as_deref(), Some(sent));
        }
    }
}
