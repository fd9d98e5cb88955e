//! The arguments of `merels query`.

use clap::Args;

use crate::commands::query::as_form::AsForm;
use crate::shared::arguments::NotationArgs;
use crate::shared::output::{Format, OutputArgs};

/// Look a position up: its value, and that of every legal move
///
/// Write a position in any of these ways, in capital or small letters:
///
///   merels query w:d7,g7,g1 b:a4,g4,d5 move:b
///       the points with stones and the side to move; `hand:9,8` adds stones in
///       hand, `remove:1` a stone to remove after a closed mill. Works on every
///       board.
///   merels query '@*******/********/OO@O**@* b m s 3 0 3 0'
///       the FEN-like string of the most widely used mill program, in quotes
///   merels query '.WWBW..B/......../.B......|B|9|9'
///       24 letters, then the side to move and the stones that White and Black
///       have placed so far
///   merels query "$(cat picture.txt)"
///       the picture that this command prints, with the lines below it
///
///   merels query start moves d6 f4
///       a position and the moves behind it; `start` is the empty board. Also
///       `position fen ... moves ...`, a game, and the link of the page that
///       `merels serve` shows
///
/// docs/notation.md explains these and other ways, docs/query.md shows more
/// examples. Without a database, `query` solves positions of small subspaces on
/// the spot, which takes a second or two.
///
/// Distances are plies to the end of the game under best play (the winner
/// hurries, the loser delays). A move and its removal are one ply, so a win in
/// N moves is 2N-1 plies.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct QueryArgs {
    /// The position, in one word or several; or a file with a position in each line
    ///
    /// `-`, or nothing, is standard input. Empty lines and lines that begin with # are skipped. If
    /// a line has no answer, `query` reports it on standard error, answers the others, and ends
    /// with exit code 1.
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    pub(super) position: Vec<String>,
    /// Look up the position after these moves from the empty board, as in "d2 d6 f4"
    ///
    /// Move numbers, comments in braces and results are skipped, so you can pass the list of a
    /// whole game, or a file as "$(cat FILE)". The answer says whether the game is over, including
    /// by a rule about its history.
    #[arg(long, value_name = "MOVES", conflicts_with = "position")]
    pub(super) moves: Option<String>,
    #[command(flatten)]
    pub(super) notation: NotationArgs,
    /// Write the position in this form, and nothing else; no database is needed
    #[arg(long = "as", value_name = "FORM", value_enum)]
    pub(super) as_form: Option<AsForm>,
    /// Show the line of best play to the end, with the value after each ply
    ///
    /// It follows the first of equally good moves. A drawn line ends when a position occurs again.
    #[arg(long)]
    pub(super) line: bool,
    /// Show all best moves and no others
    #[arg(long)]
    pub(super) all_best: bool,
    /// Show which moves are equal by a symmetry of the board
    #[arg(long)]
    pub(super) symmetries: bool,
    #[command(flatten)]
    pub(super) output: OutputArgs<Format>,
    /// Threads for the lines of a file [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) threads: Option<u16>,
}
