//! The body of a request: an object in JSON.
//!
//! Browsers let a form of any site send plain text, but ask the server before another site sends
//! JSON. So the content type is checked before anything else.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use merels_core::one_line;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The object in the body of a request. Every fault is an error of the kind `body`.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            let text = "the body must be JSON, with the header 'Content-Type: application/json': \
                        {\"game\": \"1. d6 f4\"}";
            return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, text.into()));
        }
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|error| refused(error.status(), error.body_text()))?;
        // Serde would also take the fields in their order, as an array.
        if bytes.trim_ascii_start().first() == Some(&b'[') {
            let text = "the body: invalid type: array, expected an object at line 1 column 1";
            return Err(refused(StatusCode::BAD_REQUEST, text.into()));
        }
        let Json(value) = Json::from_bytes(&bytes).map_err(|error| unreadable(&error))?;
        Ok(Self(value))
    }
}

/// Whether the content type is JSON, whatever its parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE) else { return false };
    let essence = value.as_bytes().split(|&byte| byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(b"application/json")
}

/// The cause and its place, without the words in front of them.
fn unreadable(error: &JsonRejection) -> ApiError {
    let problem = one_line(error);
    let inner = problem.split_once(": ").map_or(&*problem, |(_, inner)| inner);
    refused(StatusCode::BAD_REQUEST, format!("the body: {inner}"))
}

fn refused(status: StatusCode, text: String) -> ApiError {
    ApiError::Body { status, text }
}
