//! The access log: a line about each request.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use axum::http::{Method, StatusCode, Uri};

/// An answered request.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) time: SystemTime,
    /// The address of the client, or of the proxy in front of the server.
    pub(crate) client: Option<IpAddr>,
    pub(crate) method: &'a Method,
    pub(crate) uri: &'a Uri,
    pub(crate) status: StatusCode,
    /// The length of the answer's body. It is unknown if the body is compressed while it is sent.
    pub(crate) bytes: Option<u64>,
    /// The time until the head of the answer was ready.
    pub(crate) duration: Duration,
}

impl Display for Entry<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let time = humantime::format_rfc3339_millis(self.time);
        write!(f, "{time} ")?;
        match self.client {
            Some(client) => write!(f, "{}", client.to_canonical())?,
            None => f.write_str("-")?,
        }
        let target = self.uri.path_and_query().map_or("-", |target| target.as_str());
        // A client chooses these texts, so they must not end the line or move the cursor.
        let (method, target) = (self.method.as_str(), target.as_bytes().escape_ascii());
        write!(f, " {method} {target} {} ", self.status.as_u16())?;
        match self.bytes {
            Some(bytes) => write!(f, "{bytes}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {:.1}ms", self.duration.as_secs_f64() * 1000.0)
    }
}

/// Writes the line to standard error.
pub(crate) fn write(entry: &Entry<'_>) {
    let line = format!("{entry}\n");
    // A log that cannot be written does not stop the server.
    let _ = io::stderr().write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(uri: &[u8], client: Option<&str>, bytes: Option<u64>) -> String {
        let entry = Entry {
            time: SystemTime::UNIX_EPOCH,
            client: client.map(|client| client.parse().unwrap()),
            method: &Method::GET,
            uri: &Uri::try_from(uri).unwrap(),
            status: StatusCode::OK,
            bytes,
            duration: Duration::from_micros(1234),
        };
        entry.to_string()
    }

    #[test]
    fn lines() {
        assert_eq!(
            line(b"/api/position?fen=a+b", Some("::ffff:192.0.2.1"), Some(17)),
            "1970-01-01T00:00:00.000Z 192.0.2.1 GET /api/position?fen=a+b 200 17 1.2ms"
        );
        assert_eq!(
            line(b"http://a.org/x", None, None),
            "1970-01-01T00:00:00.000Z - GET /x 200 - 1.2ms"
        );
        // Bytes beyond ASCII could be control characters of the terminal.
        let odd = line("/x?\u{9b}31m".as_bytes(), None, None);
        assert!(odd.contains(r" /x?\xc2\x9b31m "), "{odd}");
    }
}
