//! All addresses, and the limits and headers that all answers share.

use std::net::Ipv6Addr;

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

use crate::api;
use crate::assets;
use crate::error::ApiError;
use crate::explorer::Explorer;
use crate::limits::Limits;

/// The page loads scripts, styles and answers from this server only, none of them inline. Other
/// pages cannot show it in a frame.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// The options of a server besides its limits.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Pages of these origins may read the answers, like the server's own page.
    cors: Vec<HeaderValue>,
}

/// The text is not an origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an origin; write it like https://example.org, or * for all")]
pub struct BadOrigin(String);

impl Options {
    /// Lets pages of `origin` read the answers; with `*`, all pages.
    ///
    /// # Errors
    /// If `origin` is not a scheme and a host, with or without a port.
    pub fn allow_origin(&mut self, origin: &str) -> Result<(), BadOrigin> {
        let sent = if origin == "*" { Some(origin.to_owned()) } else { as_sent(origin) };
        let value = sent.and_then(|sent| HeaderValue::from_str(&sent).ok());
        self.cors.push(value.ok_or_else(|| BadOrigin(origin.to_owned()))?);
        Ok(())
    }

    /// The layer that lets other pages read answers; none without such origins.
    fn cors_layer(&self) -> Option<CorsLayer> {
        if self.cors.is_empty() {
            return None;
        }
        let layer = CorsLayer::new()
            .allow_methods([Method::GET, Method::POST])
            .allow_headers([CONTENT_TYPE])
            .expose_headers([RULESET]);
        Some(if self.cors.contains(&HeaderValue::from_static("*")) {
            layer.allow_origin(tower_http::cors::Any)
        } else {
            layer.allow_origin(self.cors.clone())
        })
    }
}

/// An origin as browsers send it, so that both can be compared: in small letters, and without the
/// default port of its scheme. None if it is not an origin.
fn as_sent(origin: &str) -> Option<String> {
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

/// The header with the server's ruleset. Errors have it too.
const RULESET: HeaderName = HeaderName::from_static("merels-ruleset");

/// Everything that the server answers: the page and `/api`.
pub fn router(explorer: Explorer, limits: &Limits, options: &Options) -> Router {
    let ruleset = explorer.ruleset().to_string();
    let ruleset = HeaderValue::try_from(ruleset).expect("rules are written in ASCII");
    let mut api = api::routes(explorer)
        .fallback(async || ApiError::NoAddress)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(header(CACHE_CONTROL, "no-store"))
        .layer(SetResponseHeaderLayer::overriding(RULESET, ruleset));
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
            assert!(Options::default().allow_origin(bad).is_err(), "{bad}");
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
        assert!(Options::default().cors_layer().is_none());
    }
}
