//! Requests that are refused before any address sees them: those to other hosts, and those whose
//! length is unclear.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, HOST, TRANSFER_ENCODING};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::connections::Arrival;
use crate::error::ApiError;
use crate::hosts::{Host, Hosts};

/// What requests must fulfil.
#[derive(Debug)]
pub(crate) struct Admission {
    pub(crate) hosts: Hosts,
    /// The address that answers to every host: a container's probe uses any name, and the answer
    /// says nothing.
    pub(crate) probe: String,
}

/// Refuses a request, or passes it on.
pub(crate) async fn admit(
    State(admission): State<Arc<Admission>>,
    request: Request,
    next: Next,
) -> Response {
    match admission.check(&request) {
        Ok(()) => next.run(request).await,
        Err(error) => {
            let mut response = error.into_response();
            // Nothing behind a refused head is read as a request.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            response
        }
    }
}

impl Admission {
    fn check(&self, request: &Request) -> Result<(), ApiError> {
        // Bodies are small, so clients know their length. With both headers for it, two programs
        // may disagree about where a request ends.
        if request.headers().contains_key(TRANSFER_ENCODING) {
            let text = "this server needs the header Content-Length instead of Transfer-Encoding";
            return Err(ApiError::Body { status: StatusCode::LENGTH_REQUIRED, text: text.into() });
        }
        if request.uri().path() == self.probe {
            return Ok(());
        }
        let local = request.extensions().get::<Arrival>().map(|arrival| arrival.local.ip());
        let mut sent = request.headers().get_all(HOST).iter();
        let (Some(host), None) = (sent.next(), sent.next()) else { return Err(ApiError::NoHost) };
        self.check_host(host.to_str().map_err(|_| ApiError::NoHost)?, local)?;
        match request.uri().authority() {
            Some(authority) => self.check_host(authority.as_str(), local),
            None => Ok(()),
        }
    }

    fn check_host(&self, text: &str, local: Option<IpAddr>) -> Result<(), ApiError> {
        let host = Host::parse(text).ok_or(ApiError::NoHost)?;
        if self.hosts.include(&host, local) {
            return Ok(());
        }
        Err(ApiError::OtherHost(match host {
            Host::Address(address) => address.to_string(),
            Host::Name(name) => name,
        }))
    }
}
