//! Numbers about requests, look-ups and connections, as text for Prometheus.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::routing::get;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::prometheus_text::{CONTENT_TYPE as TEXT, encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::connections::Connections;
use crate::error::ApiError;
use crate::explorer::Explorer;
use crate::gauges::Gauge;

/// All numbers.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    durations: Family<ByAddress, Histogram>,
    running: Family<ByKind, Gauge>,
    waiting: Family<ByKind, Gauge>,
    explorer: Explorer,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    address: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByAddress {
    address: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByKind {
    kind: &'static str,
}

/// Upper ends of the classes of durations, in seconds.
const DURATIONS: [f64; 9] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

impl Metrics {
    pub(crate) fn new(explorer: &Explorer, connections: &Connections) -> Self {
        let mut registry = Registry::with_prefix("merels");
        let requests = Family::default();
        registry.register("requests", "Answered requests", requests.clone());
        let durations = Family::new_with_constructor(durations as fn() -> Histogram);
        let help = "Seconds from the head of a request to the head of its answer";
        registry.register("request_duration_seconds", help, durations.clone());
        registry.register("connections", "Open connections", connections.open.clone());
        let help = "Connections closed at once because their client had too many";
        registry.register("connections_refused", help, connections.refused.clone());
        let (running, waiting) = (Family::default(), Family::default());
        registry.register("look_ups_running", "Look-ups that run", running.clone());
        registry.register("look_ups_waiting", "Look-ups that wait for a turn", waiting.clone());
        let explorer = explorer.clone();
        Self { registry, requests, durations, running, waiting, explorer }
    }

    /// Counts an answer of an address.
    pub(crate) fn count(&self, address: &str, status: StatusCode, duration: Duration) {
        let answered = Answered { address: address.to_owned(), status: status.as_u16() };
        self.requests.get_or_create(&answered).inc();
        let by_address = ByAddress { address: address.to_owned() };
        self.durations.get_or_create(&by_address).observe(duration.as_secs_f64());
    }

    fn text(&self) -> Result<String, ApiError> {
        for (kind, turns) in self.explorer.all_turns() {
            let kind = ByKind { kind };
            self.running.get_or_create(&kind).set(turns.running.get());
            self.waiting.get_or_create(&kind).set(turns.waiting.get());
        }
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(|_| ApiError::Internal)?;
        Ok(text)
    }
}

fn durations() -> Histogram {
    Histogram::new(DURATIONS)
}

/// The address that shows the numbers.
pub(crate) fn routes(metrics: Arc<Metrics>) -> Router {
    let answer = async move || -> Result<_, ApiError> {
        let headers = [(CONTENT_TYPE, TEXT), (CACHE_CONTROL, "no-store")];
        Ok((headers, metrics.text()?))
    };
    Router::new().route("/metrics", get(answer))
}
