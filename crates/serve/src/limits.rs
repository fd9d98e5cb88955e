//! The limits of a server, so that its memory is bounded, a request is answered or refused, and one
//! client cannot stop the others.

use std::thread::available_parallelism;
use std::time::Duration;

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Decoded blocks of tables that stay in memory, at most [`Limits::BLOCK_SIZE`] bytes each.
    pub blocks: usize,
    /// Look-ups that run at the same time, each on a thread of its own.
    pub look_ups: usize,
    /// Long look-ups that run at the same time, in addition to the others. A long one looks up
    /// thousands of positions.
    pub long_look_ups: usize,
    /// The threads that long look-ups share.
    pub long_threads: usize,
    /// The longest time in which a histogram counts a sample.
    pub counting: Duration,
    /// The longest wait of a request for its turn, and the longest time of a look-up.
    pub patience: Duration,
    /// The longest time in which a client sends a request.
    pub sending: Duration,
    /// The longest time in which a client that has an answer to read reads nothing.
    pub receiving: Duration,
    /// The longest body of a request, in bytes.
    pub body: usize,
    /// The longest head of a request, its address included, in bytes. It is measured as it arrives:
    /// bytes that arrive together with the last allowed one may pass.
    pub head: usize,
    /// Connections that are open at the same time. Others wait.
    pub connections: usize,
    /// Connections that are open at the same time from one address, or from one network of 2^64
    /// addresses in IPv6. The server closes others at once.
    pub connections_per_address: usize,
    /// Whether `connections_per_address` leaves out clients on the same machine: a proxy in front
    /// of the server connects from there for all its clients.
    pub loopback_is_exempt: bool,
    /// The time that open connections have to finish when the server stops.
    pub farewell: Duration,
}

impl Limits {
    /// The most bytes of a decoded block.
    pub const BLOCK_SIZE: usize = 64 * 1024;

    /// Open files besides connections and tables: standard streams, sockets of the runtime, and
    /// some to spare.
    pub const OTHER_FILES: usize = 64;

    /// These limits with as many connections as the system allows, if it allows fewer: each is an
    /// open file, and `files` may be open besides tables.
    #[must_use]
    pub fn within_files(self, files: usize) -> Self {
        // With very few files, most are still for connections.
        let rest = files.saturating_sub(Self::OTHER_FILES).max(files / 2).max(1);
        Self { connections: self.connections.min(rest), ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, Into::into);
        // More than processors: some wait for the disk.
        let look_ups = 2 * processors + 2;
        Self {
            // A line of best play alone needs thousands.
            blocks: 8192,
            look_ups,
            long_look_ups: (look_ups / 4).max(1),
            long_threads: (processors / 2).max(1),
            counting: Duration::from_secs(2),
            patience: Duration::from_secs(20),
            sending: Duration::from_secs(10),
            receiving: Duration::from_secs(10),
            body: 64 * 1024,
            head: 64 * 1024,
            connections: 2048,
            connections_per_address: 64,
            loopback_is_exempt: true,
            farewell: Duration::from_secs(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        let connections = |files| Limits::default().within_files(files).connections;
        assert_eq!(connections(usize::MAX), 2048);
        assert_eq!(connections(1024), 1024 - Limits::OTHER_FILES);
        assert_eq!(connections(100), 50);
        assert_eq!(connections(0), 1);
    }
}
