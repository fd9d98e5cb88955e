//! Numbers that go up and down: open connections, running look-ups.

pub(crate) use prometheus_client::metrics::gauge::Gauge;

/// Counts as one in a gauge until it is dropped.
#[derive(Debug)]
pub(crate) struct Held(Gauge);

impl Held {
    pub(crate) fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.dec();
    }
}
