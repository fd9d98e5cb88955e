//! The limits of a server, so that its memory is bounded and a request is answered or refused.

use std::thread::available_parallelism;
use std::time::Duration;

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Look-ups that run at the same time, each on a thread of its own.
    pub look_ups: usize,
    /// The longest wait of a request for its turn, and the longest time of a look-up.
    pub patience: Duration,
    /// The longest time in which a client sends a request.
    pub sending: Duration,
    /// The longest body of a request, in bytes.
    pub body: usize,
    /// The longest head of a request, its address included, in bytes. It is measured as it arrives:
    /// bytes that arrive together with the last allowed one may pass.
    pub head: usize,
    /// Connections that are open at the same time. Others wait.
    pub connections: usize,
    /// The time that open connections have to finish when the server stops.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, Into::into);
        Self {
            // More than processors: some wait for the disk.
            look_ups: 2 * processors + 2,
            patience: Duration::from_secs(20),
            sending: Duration::from_secs(10),
            body: 64 * 1024,
            head: 64 * 1024,
            connections: 256,
            farewell: Duration::from_secs(5),
        }
    }
}
