//! The addresses under `/api`.

mod annotate;
mod best;
mod body;
mod entries;
mod folder;
mod histogram;
mod line;
mod position;
mod question;
mod random;
mod rules;
mod stats;

use axum::Router;
use axum::routing::{get, post};

use crate::explorer::Explorer;

/// All of them.
pub(crate) fn routes(explorer: Explorer) -> Router {
    Router::new()
        .route("/rules", get(rules::answer))
        .route("/position", get(position::answer))
        .route("/moves", get(position::moves))
        .route("/line", get(line::answer))
        .route("/best", get(best::answer))
        .route("/random", get(random::answer))
        .route("/stats", get(stats::answer))
        .route("/histogram", get(histogram::answer))
        .route("/annotate", post(annotate::answer))
        .with_state(explorer)
}
