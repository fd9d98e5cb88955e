//! `/api/position`: the value of a position and of each of its moves. `/api/moves`: the same
//! without values, which needs no database.

use axum::Json;
use axum::extract::State;
use merels_core::{Choice, Game, GameEnd, Ruleset, Situation, Value};
use merels_query::Survey;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::question::{Parameters, WhichPosition, edition_of};
use crate::error::ApiError;
use crate::explorer::Explorer;
use crate::explorer::Lookup;
use merels_json::{MissingDatabase, MoveParts, Over, PositionParts, Worth};

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
    /// The outcome for the side to move; `null` without values, and if its database is missing.
    #[schemars(extend("enum" = ["win", "draw", "loss", null]))]
    outcome: Option<&'static str>,
    /// Plies to the end of the game; `null` for a draw, and if the databases keep no distances.
    distance: Option<u16>,
    /// The missing databases, without which some values are unknown; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<MissingDatabase>,
    /// How the game ended; `null` if it is not over.
    over: Option<Over>,
    /// The number of times that the position has occurred in the game, now included.
    occurrences: usize,
    /// The number of plies in a row that only moved a stone.
    plies_of_moving: usize,
    /// All legal moves, best first, and last those whose value is unknown. Empty if the game is
    /// over.
    moves: Vec<Move>,
}

/// A move with its value.
#[derive(Debug, JsonSchema, Serialize)]
struct Move {
    #[serde(flatten)]
    parts: MoveParts,
    /// The outcome for the side that makes it; `null` without values, and if a database is missing.
    #[schemars(extend("enum" = ["win", "draw", "loss", null]))]
    outcome: Option<&'static str>,
    /// Plies to the end of the game, this move included; `null` for a draw, and if the databases
    /// keep no distances.
    distance: Option<u16>,
    /// The missing database; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MissingDatabase")]
    missing: Option<MissingDatabase>,
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
    let survey = oracle.survey(*game.situation())?;
    let value = match game.end() {
        // The history can end a game as a draw in a position that could be played on.
        Some(GameEnd::Repetition | GameEnd::PlyLimit { .. }) => Ok(Value::Draw),
        _ => survey.value(),
    };
    match value.map(Worth::from) {
        Ok(worth) => (answer.outcome, answer.distance) = (Some(worth.outcome), worth.distance),
        Err(missing) => answer.missing.push(missing.into()),
    }
    answer.edition = edition_of(oracle, &survey);
    if answer.over.is_none() {
        answer.moves = moves_of(game.ruleset(), &survey);
        let of_moves = answer.moves.iter().filter_map(|mv| mv.missing.clone());
        answer.missing.extend(of_moves);
        answer.missing.sort_by(|one, next| one.subspace.cmp(&next.subspace));
        answer.missing.dedup_by(|one, next| one.subspace == next.subspace);
    }
    Ok(answer)
}

fn moves_of(ruleset: &Ruleset, survey: &Survey) -> Vec<Move> {
    let bare = |choice: &Choice| Move::new(ruleset, survey.situation(), choice);
    let valued = survey.choices().iter().map(|ranked| {
        let worth = Worth::from(ranked.value);
        let (outcome, distance) = (Some(worth.outcome), worth.distance);
        Move { outcome, distance, ..bare(&ranked.choice) }
    });
    let unvalued = survey
        .unvalued()
        .iter()
        .map(|one| Move { missing: Some((&one.missing).into()), ..bare(&one.choice) });
    let moves = valued.chain(unvalued).zip(survey.classes());
    moves.map(|(mv, class)| Move { class: Some(class), ..mv }).collect()
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
            missing: Vec::new(),
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
            missing: None,
            position: after.text(ruleset).to_string(),
            class: None,
        }
    }
}
