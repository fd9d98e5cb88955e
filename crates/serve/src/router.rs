//! All addresses, and the limits and headers that all answers share.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LINK, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use tower_http::cors::CorsLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyDeadlineLayer;

use crate::admission::{Admission, admit};
use crate::api;
use crate::assets;
use crate::encoding;
use crate::error::ApiError;
use crate::explorer::Explorer;
use crate::limits::Limits;
use crate::metrics::{self, Metrics};
use crate::observer::{Observer, observe};
use crate::options::Options;

/// The page loads scripts, styles and answers from this server only, none of them inline. Other
/// pages cannot show it in a frame.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// The header with the server's ruleset. Errors have it too.
const RULESET: HeaderName = HeaderName::from_static("merels-ruleset");

/// The address of the probe, which needs no look-up and no turn.
const PROBE: &str = "/healthz";

/// Everything that the server answers: the page, `/api`, and the addresses for its keeper.
pub(crate) fn router(
    explorer: Explorer,
    limits: &Limits,
    options: &Options,
    metrics: Metrics,
) -> Router {
    let metrics = Arc::new(metrics);
    let description = options.base.join("/api/openapi.json");
    let described = get(async move || description_at(&description));
    let mut all = Router::new()
        .nest("/api", api(explorer, options))
        .route("/api", described.clone())
        .route("/api/", described)
        .merge(assets::routes())
        .route(PROBE, get(async || ([(CACHE_CONTROL, "no-store")], "ok")));
    if options.metrics {
        all = all.merge(metrics::routes(Arc::clone(&metrics)));
    }
    let admission = Admission { hosts: options.hosts.clone(), probe: options.base.join(PROBE) };
    let router = options.base.nest(all);
    let router = router
        .fallback(async || ApiError::NoAddress)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(DefaultBodyLimit::max(limits.body))
        .layer(RequestBodyDeadlineLayer::new(limits.sending))
        .layer(from_fn_with_state(Arc::new(admission), admit));
    let headers = [
        (CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    let add = |router: Router, (name, value)| router.layer(header(name, value));
    let observer = Observer {
        metrics: options.metrics.then_some(metrics),
        base: options.base.clone(),
        access_log: options.access_log,
    };
    let router = headers.into_iter().fold(router, add);
    if observer.is_idle() {
        return router;
    }
    router.layer(from_fn_with_state(Arc::new(observer), observe))
}

/// The addresses below `/api`.
fn api(explorer: Explorer, options: &Options) -> Router {
    let ruleset = explorer.ruleset().to_string();
    let ruleset = HeaderValue::try_from(ruleset).expect("rules are written in ASCII");
    let api = api::routes(explorer)
        .fallback(async || ApiError::NoAddress)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(encoding::layer())
        .layer(header(CACHE_CONTROL, "no-store"))
        .layer(SetResponseHeaderLayer::overriding(RULESET, ruleset));
    match cors_layer(options) {
        Some(cors) => api.layer(cors),
        None => api,
    }
}

/// An answer that names the description of all addresses, also as RFC 8631 proposes.
fn description_at(address: &str) -> impl IntoResponse + use<> {
    let link = format!("<{address}>; rel=\"service-desc\"");
    let text = serde_json::json!({ "description": address });
    ([(LINK, link)], Json(text))
}

/// The layer that lets other pages read answers; none without such origins.
fn cors_layer(options: &Options) -> Option<CorsLayer> {
    if options.cors.is_empty() {
        return None;
    }
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([CONTENT_TYPE])
        .expose_headers([RULESET]);
    Some(if options.cors.contains(&HeaderValue::from_static("*")) {
        layer.allow_origin(tower_http::cors::Any)
    } else {
        layer.allow_origin(options.cors.clone())
    })
}

fn header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}
