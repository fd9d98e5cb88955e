//! Games: how they end, and judgements of their moves.

use merels_advice::command_for;
use merels_core::{Choice, Game, GameEnd, Geometry, Plies, Side, Situation};
use merels_query::{AnnotatedPly, Annotation, Judgement, Missing, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use crate::names::{SIDES, side_name};
use crate::value::Worth;

/// The words for the reasons why a game is over.
const REASONS: [&str; 6] =
    ["too-few-stones", "blocked", "full-board", "repetition", "ply-limit", "rules"];

/// How a game ended.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Over {
    /// `too-few-stones`, `blocked`, `full-board`, `repetition` or `ply-limit`.
    #[schemars(extend("enum" = REASONS))]
    pub reason: &'static str,
    /// The side that won; `null` if the game is a draw.
    #[schemars(extend("enum" = ["white", "black", null]))]
    pub winner: Option<&'static str>,
    /// The same in words.
    pub message: String,
}

impl From<GameEnd> for Over {
    fn from(end: GameEnd) -> Self {
        let reason = match end {
            GameEnd::TooFewStones { .. } => "too-few-stones",
            GameEnd::Blocked { .. } => "blocked",
            GameEnd::FullBoard => "full-board",
            GameEnd::Repetition => "repetition",
            GameEnd::PlyLimit { .. } => "ply-limit",
            _ => "rules",
        };
        Self { reason, winner: end.winner().map(side_name), message: end.to_string() }
    }
}

/// A game with a judgement of each move.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct AnnotatedGame {
    /// The rules.
    pub ruleset: String,
    /// The first position of the game.
    pub start: String,
    /// Its moves.
    pub plies: Vec<GamePly>,
    /// The last position of the game.
    pub position: String,
    /// The value of the last position for its side to move; `null` if a database is missing.
    pub value: Option<Worth>,
    /// How the game ended; `null` if it is not over.
    pub over: Option<Over>,
    /// The missing databases, without which some moves have no judgement.
    pub missing: Vec<MissingDatabase>,
    /// A last move that closes a mill and whose removal is pending; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub pending: Option<String>,
    /// The variations, each from the first position of the game; absent if there are none. The
    /// server returns none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<AnnotatedGame>,
}

/// A missing database.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct MissingDatabase {
    /// Its subspace.
    pub subspace: String,
    /// The command that makes it.
    pub command: String,
}

impl From<&Missing> for MissingDatabase {
    fn from(missing: &Missing) -> Self {
        let command = command_for(missing).to_string();
        Self { subspace: missing.subspace.to_string(), command }
    }
}

/// A move of a game.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct GamePly {
    /// The number of the move as games print it: White's and Black's move share it.
    pub number: usize,
    /// `white` or `black`.
    #[schemars(extend("enum" = SIDES))]
    pub side: &'static str,
    /// The move.
    pub r#move: String,
    /// The position before it.
    pub position: String,
    /// Its judgement; absent if a database is missing.
    #[serde(flatten)]
    pub judged: Option<Judged>,
}

/// The judgement of a move. Values are for the side that made it, with distances counted from
/// before the move.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Judged {
    /// The value before the move.
    pub before: Worth,
    /// The value of the move.
    pub after: Worth,
    /// `best`, `slip` (the outcome is kept, but the win takes longer or the loss comes sooner) or
    /// `blunder` (the outcome is worse).
    #[schemars(extend("enum" = ["best", "slip", "blunder"]))]
    pub verdict: &'static str,
    /// The plies that a slip cost; `null` if they are not known, and for other verdicts.
    pub lost_plies: Option<u16>,
    /// The number of legal moves.
    pub choices: usize,
    /// The number of moves that keep the outcome.
    pub holding: usize,
    /// The better moves, best first.
    pub better: Vec<BetterMove>,
}

/// A move with its value for the side that makes it.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct BetterMove {
    /// The move.
    pub r#move: String,
    /// Its value, the distance counted from before it.
    #[serde(flatten)]
    pub worth: Worth,
}

impl Judged {
    fn new(geometry: &Geometry, judgement: &Judgement) -> Self {
        let (verdict, lost) = match judgement.verdict() {
            Verdict::Best => ("best", None),
            Verdict::Slip { plies } => ("slip", plies.map(|Plies(plies)| plies)),
            Verdict::Blunder { .. } => ("blunder", None),
        };
        let better = judgement.better.iter().map(|better| BetterMove {
            r#move: better.choice.display(geometry).to_string(),
            worth: better.value.into(),
        });
        Self {
            before: judgement.best.into(),
            after: judgement.played.into(),
            verdict,
            lost_plies: lost,
            choices: judgement.choices,
            holding: judgement.holding,
            better: better.collect(),
        }
    }
}

impl AnnotatedGame {
    /// Describes an annotated game.
    pub fn new(game: &Game, annotation: &Annotation) -> Self {
        let ruleset = game.ruleset();
        let geometry = ruleset.board.geometry();
        let text = |situation: &Situation| situation.text(ruleset).to_string();
        let black_first = usize::from(game.start().position().side() == Side::Black);
        let ply = |(place, ply): (usize, &AnnotatedPly)| GamePly {
            number: place / 2 + 1,
            side: side_name(ply.side()),
            r#move: ply.step.choice.display(geometry).to_string(),
            position: text(&ply.step.before),
            judged: ply.judgement.as_ref().map(|judgement| Judged::new(geometry, judgement)),
        };
        Self {
            ruleset: ruleset.to_string(),
            start: text(game.start()),
            plies: (black_first..).zip(&annotation.plies).map(ply).collect(),
            position: text(game.situation()),
            value: annotation.last.map(Worth::from),
            over: game.end().map(Over::from),
            missing: annotation.missing.iter().map(MissingDatabase::from).collect(),
            pending: game.half().map(|half| Choice::Move(half).display(geometry).to_string()),
            variations: Vec::new(),
        }
    }

    /// The same game with its variations.
    #[must_use]
    pub fn with_variations(self, variations: Vec<Self>) -> Self {
        Self { variations, ..self }
    }
}
