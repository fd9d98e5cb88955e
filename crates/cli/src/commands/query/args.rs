//! The arguments of `merels query`.

use clap::Args;

use crate::commands::query::format::Format;
use crate::commands::query::formats;

/// Look a position up: its value, and that of every legal move
///
/// A position is written in any of these ways; letters may be large or small:
///
///   merels query w:d7,g7,g1 b:a4,g4,d5 move:b
///       the points with stones and the side to move; `hand:9,8` tells the stones
///       in hand, if any, `remove:1` that a mill is closed and a stone still to be
///       removed. For every board.
///   merels query '@*******/********/OO@O**@* b m s 3 0 3 0'
///       the FEN-like string of the field's most used program, in quotes
///   merels query '.WWBW..B/......../.B......|B|9|9'
///       24 letters, then the side to move and the stones that White and Black
///       have placed so far
///   merels query "$(cat picture.txt)"
///       the picture that this command prints, with the lines below it
///
/// docs/notation.md explains them, docs/query.md shows more. Without a database, positions of
/// small subspaces are solved on the spot, which takes a second or two.
///
/// Distances are in plies to the end of the game under best play (the winner hurries, the loser
/// delays). A move with its removal is one ply, so a win in N moves is 2N-1 plies.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct QueryArgs {
    /// The position, in one word or several; without it, standard input has one a line
    ///
    /// Empty lines and lines that begin with # are skipped. A line that cannot be answered is
    /// reported, the others are answered all the same, and the exit code is 1.
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    pub(super) position: Vec<String>,
    /// Ask about the position after these moves from the empty board, as in "d2 d6 f4"
    ///
    /// Numbers, comments in braces and results are skipped: the list of a game can be given as it is, that of a
    /// file as "$(cat FILE)". If the game is over, by rules about its history too, that is told.
    #[arg(long, value_name = "MOVES", conflicts_with = "position")]
    pub(super) moves: Option<String>,
    /// Show the line of best play to the end, with the value after each ply
    ///
    /// Of equally good moves the first is taken. A drawn line is shown until a position occurs again.
    #[arg(long)]
    pub(super) line: bool,
    /// Show the best moves only, all of them
    #[arg(long)]
    pub(super) all_best: bool,
    /// Show which moves are the same by a symmetry of the board
    #[arg(long)]
    pub(super) symmetries: bool,
    /// How to answer
    #[arg(long, default_value = "text", value_parser = formats::parser())]
    pub(super) format: &'static dyn Format,
    /// Threads that answer the lines of standard input [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) threads: Option<u16>,
}
