//! The addresses under `/api`.

mod annotate;
mod best;
mod body;
mod entries;
mod folder;
mod histogram;
mod line;
mod openapi;
mod position;
mod question;
mod random;
mod rules;
mod stats;

use axum::Router;

use crate::api::openapi::addresses::{About, Addresses};
use crate::api::openapi::responses::{DATABASES, READING, REQUEST, SUBSPACE, WORK};
use crate::explorer::Explorer;

/// All of them.
pub(crate) fn routes(explorer: Explorer) -> Router {
    let addresses = Addresses::new()
        .get(
            "/rules",
            &About { summary: "The rules, and a drawing of the board", errors: &[] },
            rules::answer,
        )
        .get(
            "/position",
            &About {
                summary: "The value of a position and of each of its moves",
                errors: &[READING, DATABASES, WORK],
            },
            position::answer,
        )
        .get(
            "/moves",
            &About {
                summary: "A position and its moves without values, which needs no database",
                errors: &[READING, WORK],
            },
            position::moves,
        )
        .get(
            "/line",
            &About {
                summary: "The line of best play, with the first of equally good moves",
                errors: &[READING, DATABASES, WORK],
            },
            line::answer,
        )
        .get(
            "/best",
            &About {
                summary: "The move that `merels play` would play",
                errors: &[READING, REQUEST, DATABASES, WORK],
            },
            best::answer,
        )
        .get(
            "/random",
            &About {
                summary: "A random position to practise with",
                errors: &[SUBSPACE, REQUEST, &["none-found"], DATABASES, WORK],
            },
            random::answer,
        )
        .get(
            "/stats",
            &About { summary: "The counts of the databases", errors: &[DATABASES, WORK] },
            stats::answer,
        )
        .get(
            "/histogram",
            &About {
                summary: "How often each distance occurs in a subspace",
                errors: &[SUBSPACE, REQUEST, DATABASES, WORK],
            },
            histogram::answer,
        )
        .post(
            "/annotate",
            &About {
                summary: "Judges each move of a game",
                errors: &[&["body", "game"], REQUEST, DATABASES, WORK],
            },
            annotate::answer,
        );
    let about = About { summary: "This description of all addresses", errors: &[] };
    addresses.into_router("/openapi.json", &about).with_state(explorer)
}
