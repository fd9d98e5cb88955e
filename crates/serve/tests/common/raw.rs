//! Requests byte by byte, as no well-behaved client sends them.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::Server;

impl Server {
    /// A connection to the server.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.base.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// All that the server answers to these bytes. The last request should close the connection.
    pub(crate) fn raw(&self, request: &str) -> String {
        let mut stream = self.connect();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(request.as_bytes());
        read_to_end(&mut stream)
    }

    /// The status of the answer to a request with these headers.
    pub(crate) fn status(&self, target: &str, headers: &str) -> u16 {
        let answer =
            self.raw(&format!("GET {target} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"));
        let status = answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3));
        status.unwrap_or_else(|| panic!("{target} {headers:?}: {answer:?}")).parse().unwrap()
    }
}

/// Reads until the server closes the connection.
pub(crate) fn read_to_end(stream: &mut TcpStream) -> String {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("{error}"),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
