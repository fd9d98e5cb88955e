//! Errors of requests, and their form in HTTP.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use merels_advice::{command_for, told};
use merels_core::{
    GameError, NotationError, ParseSubspaceError, ReadError, TextLocation, one_line,
};
use merels_db::{DbError, DbErrorKind};
use merels_json::{SIDES, side_name};
use merels_query::QueryError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error_kinds::error_names;

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// The parameters of the address cannot be read.
    #[error("{0}")]
    Parameters(String),
    /// A position cannot be read, or cannot occur.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// A game cannot be read.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A link, or words behind a position, that are not understood.
    #[error("{0}")]
    Read(ReadError),
    /// No subspace has this name.
    #[error(transparent)]
    Subspace(#[from] ParseSubspaceError),
    /// The request contradicts itself or asks for too much.
    #[error("{0}")]
    Request(String),
    /// The databases cannot answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// No such position was found.
    #[error("{0}")]
    NoneFound(String),
    /// The address does not exist.
    #[error("there is nothing at this address; docs/http-api.md lists the addresses")]
    NoAddress,
    /// The address does not accept this method.
    #[error("this address does not accept this method")]
    Method,
    /// The request names no host, or several.
    #[error("the request needs one header Host with the name of the server")]
    NoHost,
    /// The request is for another host.
    #[error(
        "this server does not answer for the host '{0}'; start it with `--allow-host {0}` to allow \
         this name"
    )]
    OtherHost(String),
    /// The body is not JSON, too large, of unclear length, or did not arrive.
    #[error("{text}")]
    Body {
        /// The status of the response.
        status: StatusCode,
        /// What is wrong.
        text: String,
    },
    /// Too many look-ups are running.
    #[error("the server is busy; try again later")]
    Busy,
    /// The look-up takes too long.
    #[error("the answer takes too long; try again later")]
    TimedOut,
    /// A bug.
    #[error("the server failed to answer; its log shows the reason")]
    Internal,
}

impl From<ReadError> for ApiError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Position(error) => Self::Position(error),
            ReadError::Game(error) => Self::Game(error),
            other => Self::Read(other),
        }
    }
}

impl From<DbError> for ApiError {
    fn from(error: DbError) -> Self {
        Self::Query(error.into())
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> Self {
        let problem = one_line(&rejection);
        let inner = problem.strip_prefix("Failed to deserialize query string: ");
        let problem = inner.unwrap_or(&problem);
        Self::Parameters(format!("the parameters of the address: {problem}"))
    }
}

/// An error in JSON.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Error")]
pub(crate) struct Body {
    /// What is wrong.
    error: Fields,
}

/// What is wrong with a request.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ErrorFields")]
struct Fields {
    /// The kind, for programs.
    #[schemars(extend("enum" = error_names()))]
    kind: &'static str,
    /// What is wrong and what to do, in one line.
    message: String,
    /// The subspace whose database is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    subspace: Option<String>,
    /// The command that makes the missing database.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    command: Option<String>,
    /// The line of the fault in the text of a position or game, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    line: Option<usize>,
    /// The column of the fault, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    column: Option<usize>,
    /// The move at fault in a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MoveAtFault")]
    r#move: Option<MoveAtFault>,
    /// What is wrong in a game, without the location.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    problem: Option<String>,
}

/// A move of a game.
#[derive(Debug, JsonSchema, Serialize)]
struct MoveAtFault {
    /// The number of the move as games print it.
    number: usize,
    /// `white` or `black`.
    #[schemars(extend("enum" = SIDES))]
    side: &'static str,
}

impl ApiError {
    /// The status, and the word for the kind of error.
    fn kind(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Parameters(_) => (StatusCode::BAD_REQUEST, "parameters"),
            Self::Position(_) | Self::Read(_) => (StatusCode::BAD_REQUEST, "position"),
            Self::Game(_) => (StatusCode::BAD_REQUEST, "game"),
            Self::Subspace(_) => (StatusCode::BAD_REQUEST, "subspace"),
            Self::Request(_) => (StatusCode::BAD_REQUEST, "request"),
            Self::Query(error) => kind_of_query(error),
            Self::NoneFound(_) => (StatusCode::NOT_FOUND, "none-found"),
            Self::NoAddress => (StatusCode::NOT_FOUND, "address"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "method"),
            Self::NoHost => (StatusCode::BAD_REQUEST, "host"),
            Self::OtherHost(_) => (StatusCode::MISDIRECTED_REQUEST, "host"),
            Self::Body { status, .. } => (*status, "body"),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            Self::TimedOut => (StatusCode::SERVICE_UNAVAILABLE, "timed-out"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }

    /// The location of the fault in a text.
    const fn location(&self) -> Option<TextLocation> {
        match self {
            Self::Position(error) => error.location(),
            Self::Game(error) => Some(error.location()),
            _ => None,
        }
    }

    fn fields(&self, kind: &'static str) -> Fields {
        let (subspace, command) = match self {
            Self::Query(QueryError::Missing(missing)) => {
                (Some(missing.subspace.to_string()), Some(command_for(missing).to_string()))
            }
            _ => (None, None),
        };
        let (at_fault, problem) = match self {
            Self::Game(error) => (error.number(), Some(one_line(error.problem()))),
            _ => (None, None),
        };
        let at_fault = at_fault.map(|(number, side)| MoveAtFault { number, side: side_name(side) });
        Fields {
            kind,
            message: match self {
                // A transparent error hides the one that has the advice.
                Self::Query(error) => told(error),
                _ => told(self),
            },
            subspace,
            command,
            line: self.location().and_then(|location| location.line),
            column: self.location().map(|location| location.column),
            r#move: at_fault,
            problem,
        }
    }
}

/// The kind of an error of the databases: the client's fault, a missing database, or a fault of a
/// database or the system.
const fn kind_of_query(error: &QueryError) -> (StatusCode, &'static str) {
    let kind = match error {
        QueryError::Impossible { .. } => return (StatusCode::BAD_REQUEST, "position"),
        QueryError::Stopped => return (StatusCode::SERVICE_UNAVAILABLE, "timed-out"),
        QueryError::Missing(_) => DbErrorKind::Missing,
        QueryError::Database(error) => error.kind(),
        QueryError::Inconsistent { .. } => DbErrorKind::Damaged,
        _ => DbErrorKind::System,
    };
    match kind {
        DbErrorKind::Missing => (StatusCode::NOT_FOUND, "missing"),
        DbErrorKind::System => (StatusCode::INTERNAL_SERVER_ERROR, "system"),
        DbErrorKind::Damaged => (StatusCode::INTERNAL_SERVER_ERROR, "damaged"),
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, kind) = self.kind();
        let error = self.fields(kind);
        if status.is_server_error() {
            tracing::warn!("{status}: {}", error.message);
        } else {
            tracing::debug!("{status}: {}", error.message);
        }
        (status, Json(Body { error })).into_response()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use merels_core::Subspace;
    use merels_db::Edition;

    use super::*;

    #[test]
    fn missing_files_and_refusals_of_the_system_are_no_damage() {
        let (path, subspace) = (PathBuf::from("x"), Subspace::moving(3, 3));
        let kind = |error: DbError| {
            let (status, kind) = ApiError::from(error).kind();
            (status.as_u16(), kind)
        };
        let not_kept =
            DbError::NotKept { path: path.clone(), edition: Edition::Statistics, subspace };
        assert_eq!(kind(not_kept), (404, "missing"));
        assert_eq!(kind(DbError::NoTable { path: path.clone(), subspace }), (404, "missing"));
        assert_eq!(kind(DbError::Locked { path: path.clone() }), (500, "system"));
        let reason = "cut off".into();
        assert_eq!(kind(DbError::Damaged { path, block: None, reason }), (500, "damaged"));
    }
}
