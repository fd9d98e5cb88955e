//! The list of addresses: a router and the document about it.

use std::future::Future;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::api::body::Body;
use crate::api::openapi::responses::{self, Errors};
use crate::api::openapi::schemas::Schemas;
use crate::api::question::{NoParameters, Parameters};
use crate::error::{self, ApiError};
use crate::explorer::Explorer;

/// Where the addresses begin, relative to the document itself. So it holds behind every prefix that
/// a server in front puts before `/api`.
const SERVER: &str = "../api";

/// The addresses so far.
pub(crate) struct Addresses {
    router: Router<Explorer>,
    schemas: Schemas,
    paths: Map<String, Value>,
}

/// What the types of a handler do not say about an address.
pub(crate) struct About {
    /// What it returns.
    pub(crate) summary: &'static str,
    /// Its errors besides those of every address.
    pub(crate) errors: Errors,
}

impl Addresses {
    pub(crate) fn new() -> Self {
        Self { router: Router::new(), schemas: Schemas::new(), paths: Map::new() }
    }

    /// An address that answers a question in its parameters.
    pub(crate) fn get<Q, A, F, R>(mut self, path: &str, about: &About, handler: F) -> Self
    where
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        A: Serialize + JsonSchema + 'static,
        F: Fn(State<Explorer>, Parameters<Q>) -> R + Clone + Send + Sync + 'static,
        R: Future<Output = Result<Json<A>, ApiError>> + Send + 'static,
    {
        let operation = self.operation::<Q, A>(path, about);
        let method =
            get(move |state: State<Explorer>, question: Parameters<Q>| handler(state, question));
        self.add(path, "get", operation, method)
    }

    /// An address that answers a question in its body.
    pub(crate) fn post<Q, B, A, F, R>(mut self, path: &str, about: &About, handler: F) -> Self
    where
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        B: DeserializeOwned + JsonSchema + Send + 'static,
        A: Serialize + JsonSchema + 'static,
        F: Fn(State<Explorer>, Parameters<Q>, Body<B>) -> R + Clone + Send + Sync + 'static,
        R: Future<Output = Result<Json<A>, ApiError>> + Send + 'static,
    {
        let mut operation = self.operation::<Q, A>(path, about);
        let schema = self.schemas.of_body::<B>();
        let content = json!({ "application/json": { "schema": schema } });
        operation["requestBody"] = json!({ "required": true, "content": content });
        let method = post(move |state: State<Explorer>, question: Parameters<Q>, body: Body<B>| {
            handler(state, question, body)
        });
        self.add(path, "post", operation, method)
    }

    fn operation<Q: JsonSchema, A: JsonSchema>(&mut self, path: &str, about: &About) -> Value {
        let answer = self.schemas.of_answer::<A>();
        json!({
            "operationId": path.trim_start_matches('/').trim_end_matches(".json"),
            "summary": about.summary,
            "parameters": self.schemas.of_parameters::<Q>(),
            "responses": responses::of(&answer, about.errors),
        })
    }

    fn add(
        mut self,
        path: &str,
        method: &str,
        operation: Value,
        handler: MethodRouter<Explorer>,
    ) -> Self {
        self.router = self.router.route(path, handler);
        self.paths.insert(path.to_owned(), json!({ method: operation }));
        self
    }

    /// The router of these addresses and of the document about them.
    pub(crate) fn into_router(mut self, path: &str, about: &About) -> Router<Explorer> {
        let operation = self.operation::<NoParameters, Map<String, Value>>(path, about);
        self.paths.insert(path.to_owned(), json!({ "get": operation }));
        let document = Bytes::from(document(&self.paths, self.schemas).to_string());
        let answer = async move |Parameters(NoParameters {}): Parameters<NoParameters>| {
            ([(CONTENT_TYPE, "application/json")], document.clone())
        };
        self.router.route(path, get(answer))
    }
}

fn document(paths: &Map<String, Value>, mut schemas: Schemas) -> Value {
    // The responses refer to it by name.
    schemas.of_answer::<error::Body>();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "merels",
            "summary": "Values of positions in Nine Men's Morris and its relatives",
            "description": "The server answers for one ruleset, which the header `merels-ruleset` \
                of every answer names. Distances are in plies to the end of the game under best \
                play. Later versions may add fields to answers, but will keep these. An address \
                refuses unknown parameters. An unknown address returns an error of the kind \
                `address` (404), and a wrong method one of the kind `method` (405). The server \
                cuts off a request whose head or address is too long (431, 414), without a body.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT or Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": SERVER, "description": "this server" }],
        "paths": paths,
        "components": {
            "schemas": schemas.into_definitions(),
            "headers": responses::headers(),
        },
    })
}
