//! The whole of the addresses, with what all answers have in common: limits and headers.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method};
use tower_http::cors::CorsLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyDeadlineLayer;

use crate::{ApiError, Explorer, Limits, api, assets};

/// The page takes scripts, styles and answers from this server alone, and nothing that stands in the page
/// itself; it is shown in no frame of others.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// What a server is told beyond its limits.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Pages of these origins may read the answers, besides the server's own page.
    cors: Vec<HeaderValue>,
}

/// A text that is no origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no origin; one is written as https://example.org, or * for all")]
pub struct BadOrigin(String);

impl Options {
    /// Lets pages of `origin` read the answers; `*` lets all.
    ///
    /// # Errors
    /// If it is not a scheme and a host, with a port if need be.
    pub fn allow_origin(&mut self, origin: &str) -> Result<(), BadOrigin> {
        let bad = || BadOrigin(origin.to_owned());
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let is_host = host.is_some_and(|host| {
            !host.is_empty() && !host.contains(['/', '?', '#', '@', '*', ' ', ','])
        });
        if origin != "*" && !is_host {
            return Err(bad());
        }
        self.cors.push(HeaderValue::from_str(origin).map_err(|_| bad())?);
        Ok(())
    }

    /// What makes answers readable elsewhere; none if nobody has asked for it.
    fn cors_layer(&self) -> Option<CorsLayer> {
        if self.cors.is_empty() {
            return None;
        }
        let layer = CorsLayer::new()
            .allow_methods([Method::GET, Method::POST])
            .allow_headers([CONTENT_TYPE]);
        Some(if self.cors.contains(&HeaderValue::from_static("*")) {
            layer.allow_origin(tower_http::cors::Any)
        } else {
            layer.allow_origin(self.cors.clone())
        })
    }
}

/// Everything that the server answers: the page, and `/api`.
pub fn router(explorer: Explorer, limits: &Limits, options: &Options) -> Router {
    let mut api = api::routes(explorer)
        .fallback(async || ApiError::NoAddress)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(header(CACHE_CONTROL, "no-store"));
    if let Some(cors) = options.cors_layer() {
        api = api.layer(cors);
    }
    let router = Router::new()
        .nest("/api", api)
        .merge(assets::routes())
        .fallback(async || ApiError::NoAddress)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(DefaultBodyLimit::max(limits.body))
        .layer(RequestBodyDeadlineLayer::new(limits.sending));
    let headers = [
        (CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    headers.into_iter().fold(router, |router, (name, value)| router.layer(header(name, value)))
}

fn header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins() {
        for good in ["http://localhost:8000", "https://example.org", "*"] {
            assert_eq!(Options::default().allow_origin(good), Ok(()), "{good}");
        }
        for bad in ["example.org", "https://", "https://a.org/path", "https://*", "http://a\nb"] {
            assert!(Options::default().allow_origin(bad).is_err(), "{bad}");
        }
        assert!(Options::default().cors_layer().is_none());
    }
}
