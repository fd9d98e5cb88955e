//! The shapes that answers are made of. `docs/http-api.md` and `docs/json.md` explain the fields.

mod counts;
mod rules;

use merels_core::{
    Choice, Game, GameEnd, Geometry, Outcome, Plies, Points, Ruleset, Side, Situation, Stones,
    Value, draw, draw_turn,
};
use merels_query::{AnnotatedPly, Annotation, Judgement, Line, LineEnd, LineStep, Verdict};
use serde::Serialize;

pub use counts::Counts;
pub use rules::{Rules, Section};

use crate::error::side_name;

/// A value. Whose it is, and from where the distance counts, is told where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// `win`, `draw` or `loss`.
    pub outcome: &'static str,
    /// Plies to the end of the game; none for a draw, and where it is not kept.
    pub distance: Option<u16>,
}

impl From<Value> for Worth {
    fn from(value: Value) -> Self {
        let distance = value.distance().map(|Plies(plies)| plies);
        Self { outcome: outcome_name(value.outcome()), distance }
    }
}

/// `win`, `draw` or `loss`.
pub const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// The stones of a side.
#[derive(Clone, Debug, Serialize)]
pub struct SideStones {
    /// The points that they stand on, by name.
    pub points: Vec<String>,
    /// How many are still to be placed.
    pub hand: u8,
}

impl SideStones {
    fn new(geometry: &Geometry, stones: Stones) -> Self {
        Self { points: names(geometry, stones.board), hand: stones.hand }
    }
}

/// A position without its value.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// In the form that the program prints: FEN-like on boards of 24 points, else plain.
    pub position: String,
    /// The forms that it can be written in.
    pub forms: Forms,
    /// The numbers of stones: `8-7`, `5-4+2-3`.
    pub subspace: String,
    /// `white` or `black`: whose turn it is.
    pub side: &'static str,
    /// White's stones.
    pub white: SideStones,
    /// Black's stones.
    pub black: SideStones,
    /// How many stones the side to move has still to remove, having closed a mill.
    pub remove: u8,
}

/// A position in all forms in which it can be written.
#[derive(Clone, Debug, Serialize)]
pub struct Forms {
    /// `w:a1 b:g7 move:w hand:8,8`.
    pub plain: String,
    /// The FEN-like string; only boards of 24 points have one.
    pub fen: Option<String>,
    /// A letter a point; only boards of 24 points, and no pending removal.
    pub letters: Option<String>,
    /// The board in characters, with whose turn it is below.
    pub picture: String,
}

impl Place {
    /// Describes a situation.
    pub fn new(ruleset: &Ruleset, situation: &Situation) -> Self {
        let geometry = ruleset.board.geometry();
        let position = situation.position();
        let text = situation.text(ruleset).to_string();
        let plain = situation.plain(ruleset).to_string();
        let forms = Forms {
            fen: (text != plain).then(|| text.clone()),
            letters: situation.letters(ruleset).map(|letters| letters.to_string()),
            picture: format!("{}\n{}\n", draw(geometry, position), draw_turn(situation)),
            plain,
        };
        Self {
            position: text,
            forms,
            subspace: position.subspace().to_string(),
            side: side_name(position.side()),
            white: SideStones::new(geometry, position.stones(Side::White)),
            black: SideStones::new(geometry, position.stones(Side::Black)),
            remove: situation.pending(),
        }
    }
}

/// How a game has ended.
#[derive(Clone, Debug, Serialize)]
pub struct Over {
    /// `too-few-stones`, `blocked`, `full-board`, `repetition` or `ply-limit`.
    pub reason: &'static str,
    /// The side that has won; none if the game is a draw.
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

/// A move taken apart.
#[derive(Clone, Debug, Serialize)]
pub struct MoveParts {
    /// As people write it: `d2`, `a1-a4xd7`, `xd7`.
    pub r#move: String,
    /// Where the stone comes from; none if it is placed, or if a pending removal is made.
    pub from: Option<String>,
    /// Where it goes; none for a pending removal.
    pub to: Option<String>,
    /// The stones that it removes.
    pub removes: Vec<String>,
}

impl MoveParts {
    /// Takes a choice apart.
    pub fn new(geometry: &Geometry, choice: &Choice) -> Self {
        let (from, to, removes) = match choice {
            Choice::Move(mv) => (mv.from, Some(mv.to), mv.removes),
            Choice::Removal(removes) => (None, None, *removes),
        };
        let name = |point| geometry.name(point).to_string();
        Self {
            r#move: choice.display(geometry).to_string(),
            from: from.map(name),
            to: to.map(name),
            removes: names(geometry, removes),
        }
    }
}

/// The line of best play.
#[derive(Clone, Debug, Serialize)]
pub struct Principal {
    /// `over` (the game), `repeats` (the last position has occurred before in the line) or `cut` (after many
    /// plies of a draw).
    pub end: &'static str,
    /// What is played.
    pub plies: Vec<LinePly>,
}

/// A ply of the line of best play.
#[derive(Clone, Debug, Serialize)]
pub struct LinePly {
    /// The move.
    pub r#move: String,
    /// What it leads to.
    pub after: After,
}

/// A position with what it is worth to its side to move.
#[derive(Clone, Debug, Serialize)]
pub struct After {
    /// The position.
    pub position: String,
    /// Its value for the side to move in it.
    #[serde(flatten)]
    pub worth: Worth,
}

impl Principal {
    /// Describes a line.
    pub fn new(ruleset: &Ruleset, line: &Line) -> Self {
        let geometry = ruleset.board.geometry();
        let ply = |step: &LineStep| {
            let position = Situation::from(step.position).text(ruleset).to_string();
            let after = After { position, worth: step.value.into() };
            LinePly { r#move: step.choice.display(geometry).to_string(), after }
        };
        let end = match line.end {
            LineEnd::Over => "over",
            LineEnd::Repeats => "repeats",
            LineEnd::Cut => "cut",
        };
        Self { end, plies: line.steps.iter().map(ply).collect() }
    }
}

/// A game with a judgement of each of its moves.
#[derive(Clone, Debug, Serialize)]
pub struct AnnotatedGame {
    /// The rules.
    pub ruleset: String,
    /// Where it begins.
    pub start: String,
    /// Its moves.
    pub plies: Vec<GamePly>,
    /// Where it ends.
    pub position: String,
    /// What the last position is worth to its side to move; none if a database is missing.
    pub value: Option<Worth>,
    /// How the game has ended; none if it goes on.
    pub over: Option<Over>,
    /// The databases without which some moves could not be judged.
    pub missing: Vec<MissingDatabase>,
}

/// A database that is not there.
#[derive(Clone, Debug, Serialize)]
pub struct MissingDatabase {
    /// Its subspace.
    pub subspace: String,
    /// The command that makes it.
    pub command: String,
}

/// A move of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GamePly {
    /// The number of the move in print; White's moves raise it.
    pub number: usize,
    /// `white` or `black`.
    pub side: &'static str,
    /// The move.
    pub r#move: String,
    /// The position before it.
    pub position: String,
    /// What is known about it; absent if a database is missing.
    #[serde(flatten)]
    pub judged: Option<Judged>,
}

/// What a move was worth. Values are those of the side that made it, with distances from before it.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// What the side had.
    pub before: Worth,
    /// What the move made of it.
    pub after: Worth,
    /// `best`, `slip` (the outcome stands, but the win takes longer or the loss comes sooner) or `blunder`.
    pub verdict: &'static str,
    /// How many plies a slip cost; none if that is not known, and for other verdicts.
    pub lost_plies: Option<u16>,
    /// How many legal moves there were.
    pub choices: usize,
    /// How many of them keep the outcome.
    pub holding: usize,
    /// What would have been better, best first.
    pub better: Vec<BetterMove>,
}

/// A move with what it is worth to the side that makes it.
#[derive(Clone, Debug, Serialize)]
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
    /// Describes a game that has been judged.
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
        let missing = annotation.missing.iter().map(|(subspace, command)| MissingDatabase {
            subspace: subspace.to_string(),
            command: command.clone(),
        });
        Self {
            ruleset: ruleset.to_string(),
            start: text(game.start()),
            plies: (black_first..).zip(&annotation.plies).map(ply).collect(),
            position: text(game.situation()),
            value: annotation.last.map(Worth::from),
            over: game.end().map(Over::from),
            missing: missing.collect(),
        }
    }
}

/// The names of points, in their order.
pub(crate) fn names(geometry: &Geometry, points: Points) -> Vec<String> {
    points.into_iter().map(|point| geometry.name(point).to_string()).collect()
}
