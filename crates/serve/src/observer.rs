//! Counts requests and writes their lines to the access log.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use axum::body::HttpBody;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::access_log::{self, Entry};
use crate::base::Base;
use crate::connections::Arrival;
use crate::metrics::Metrics;

/// Who is interested in requests.
#[derive(Debug)]
pub(crate) struct Observer {
    pub(crate) metrics: Option<Arc<Metrics>>,
    pub(crate) base: Base,
    pub(crate) access_log: bool,
}

/// The address in the numbers for all requests to unknown addresses, which clients choose.
const OTHER: &str = "other";

impl Observer {
    /// Whether nothing is observed.
    pub(crate) const fn is_idle(&self) -> bool {
        self.metrics.is_none() && !self.access_log
    }
}

/// Passes a request on, and notes its answer.
pub(crate) async fn observe(
    State(observer): State<Arc<Observer>>,
    request: Request,
    next: Next,
) -> Response {
    let (time, begin) = (SystemTime::now(), Instant::now());
    let client = request.extensions().get::<Arrival>().map(|arrival| arrival.peer.ip());
    let address = request.extensions().get::<MatchedPath>().cloned();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let response = next.run(request).await;
    let (status, duration) = (response.status(), begin.elapsed());
    if let Some(metrics) = &observer.metrics {
        let address = address.as_ref().map_or(OTHER, |path| observer.base.strip(path.as_str()));
        metrics.count(address, status, duration);
    }
    if observer.access_log {
        let bytes = response.body().size_hint().exact();
        let (method, uri) = (&method, &uri);
        access_log::write(&Entry { time, client, method, uri, status, bytes, duration });
    }
    response
}
