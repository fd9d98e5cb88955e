//! `/api/position`: the value of a position and of each of its moves. `/api/moves`: the same
//! without values, which needs no database.

use axum::Json;
use axum::extract::State;
use merels_core::{Choice, Game, GameEnd, Ruleset, Situation, Value};
use merels_query::Analysis;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::question::{Parameters, WhichPosition, edition_of};
use crate::error::ApiError;
use crate::explorer::Explorer;
use crate::explorer::Lookup;
use merels_json::{MoveParts, Over, PositionParts, Worth};

/// A position and its moves.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "PositionAnswer")]
pub(crate) struct Answer {
    /// The rules.
    ruleset: String,
    /// The edition of the databases that answer; `null` if the position was solved on the spot or
    /// needs no database.
    #[schemars(extend("enum" = ["full", "compact", "outcome", "statistics", null]))]
    edition: Option<&'static str>,
    #[serde(flatten)]
    place: PositionParts,
    /// The outcome for the side to move; `null` without values.
    #[schemars(extend("enum" = ["win", "draw", "loss", null]))]
    outcome: Option<&'static str>,
    /// Plies to the end of the game; `null` for a draw, and if the databases keep no distances.
    distance: Option<u16>,
    /// How the game ended; `null` if it is not over.
    over: Option<Over>,
    /// The number of times that the position has occurred in the game, now included.
    occurrences: usize,
    /// The number of plies in a row that only moved a stone.
    plies_of_moving: usize,
    /// All legal moves, best first. Empty if the game is over.
    moves: Vec<Move>,
}

/// A move with its value.
#[derive(Debug, JsonSchema, Serialize)]
struct Move {
    #[serde(flatten)]
    parts: MoveParts,
    /// The outcome for the side that makes it; `null` without values.
    #[schemars(extend("enum" = ["win", "draw", "loss", null]))]
    outcome: Option<&'static str>,
    /// Plies to the end of the game, this move included; `null` for a draw, and if the databases
    /// keep no distances.
    distance: Option<u16>,
    /// The position after it.
    position: String,
    /// A symmetry of the board maps the positions after moves with the same number to each other;
    /// `null` without values.
    class: Option<usize>,
}

/// Answers `/api/position`.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(which): Parameters<WhichPosition>,
) -> Result<Json<Answer>, ApiError> {
    let look_up = explorer.look_up(move |oracle| {
        let game = which.game(oracle.ruleset())?;
        with_values(oracle, &game)
    });
    look_up.await.map(Json)
}

/// Answers `/api/moves`.
pub(crate) async fn moves(
    State(explorer): State<Explorer>,
    Parameters(which): Parameters<WhichPosition>,
) -> Result<Json<Answer>, ApiError> {
    let answer = explorer.work_out(move |ruleset| Ok(without_values(&which.game(ruleset)?)));
    answer.await.map(Json)
}

fn without_values(game: &Game) -> Answer {
    let mut answer = Answer::of(game);
    if answer.over.is_none() {
        let (ruleset, situation) = (game.ruleset(), game.situation());
        let mut choices = situation.choices(ruleset);
        choices.sort_by_cached_key(|choice| choice.notation_order(ruleset.board.geometry()));
        let described = choices.iter().map(|choice| Move::new(ruleset, situation, choice));
        answer.moves = described.collect();
    }
    answer
}

fn with_values(oracle: &Lookup, game: &Game) -> Result<Answer, ApiError> {
    let mut answer = Answer::of(game);
    let analysis = oracle.analyse(*game.situation())?;
    let value = match game.end() {
        // The history can end a game as a draw in a position that could be played on.
        Some(GameEnd::Repetition | GameEnd::PlyLimit { .. }) => Value::Draw,
        _ => analysis.value(),
    };
    let worth = Worth::from(value);
    (answer.outcome, answer.distance) = (Some(worth.outcome), worth.distance);
    answer.edition = edition_of(oracle, &analysis);
    if answer.over.is_none() {
        answer.moves = ranked_moves(game.ruleset(), &analysis);
    }
    Ok(answer)
}

fn ranked_moves(ruleset: &Ruleset, analysis: &Analysis) -> Vec<Move> {
    let ranked = analysis.choices().iter().zip(analysis.classes());
    let described = ranked.map(|(ranked, class)| {
        let worth = Worth::from(ranked.value);
        let bare = Move::new(ruleset, analysis.situation(), &ranked.choice);
        Move { outcome: Some(worth.outcome), distance: worth.distance, class: Some(class), ..bare }
    });
    described.collect()
}

impl Answer {
    /// The answer without values and moves.
    fn of(game: &Game) -> Self {
        Self {
            ruleset: game.ruleset().to_string(),
            edition: None,
            place: PositionParts::new(game.ruleset(), game.situation()),
            outcome: None,
            distance: None,
            over: game.end().map(Over::from),
            occurrences: game.occurrences(),
            plies_of_moving: game.plies_of_moving(),
            moves: Vec::new(),
        }
    }
}

impl Move {
    /// A move without a value.
    fn new(ruleset: &Ruleset, situation: &Situation, choice: &Choice) -> Self {
        let after = situation.after(choice);
        Self {
            parts: MoveParts::new(ruleset.board.geometry(), choice),
            outcome: None,
            distance: None,
            position: after.text(ruleset).to_string(),
            class: None,
        }
    }
}
