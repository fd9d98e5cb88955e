//! `merels play`: a game in the terminal, between people and perfect play.

mod command;
mod dialogue;
mod player;
mod session;
mod transcript;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;
use merels_core::{Game, ReadOptions};

use crate::commands::play::dialogue::Dialogue;
use crate::commands::play::player::Player;
use crate::commands::play::session::Session;
use crate::commands::play::transcript::Transcript;
use crate::exit::Exit;
use crate::shared::arguments::{self, DatabaseArgs, NotationArgs};
use crate::shared::oracle;

/// Play a game against perfect play, or watch it play itself
///
/// By default you play White and the program plays Black. Write moves as d2 (place), a1-a4 (move or
/// jump) and a1-a4xd7 (close a mill and take d7). The program also understands undo, hint, values,
/// moves, board, save FILE, resign, quit and help.
///
/// The program never gives away a win or a draw. Among equally good moves it plays the one after
/// which most replies are mistakes. docs/play.md explains this and shows games.
///
/// Without databases, it solves small games (three, four, five, six) when the game begins.
#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Begin with this position, written as for `merels query`, instead of the empty board
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    position: Vec<String>,
    /// Begin after these moves from the empty board, as in "d2 d6 f4"; you can take them back
    ///
    /// This is the text of a game. Pass a saved game as "$(cat FILE)".
    #[arg(long, value_name = "MOVES", conflicts_with = "position")]
    moves: Option<String>,
    /// Who plays White
    #[arg(long, value_enum, default_value_t = Player::Person)]
    white: Player,
    /// Who plays Black
    #[arg(long, value_enum, default_value_t = Player::Perfect)]
    black: Player,
    /// Seed that decides among moves that are equal in every respect; the program prints it
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Show the value of the position after each move
    #[arg(long)]
    show_values: bool,
    /// Write the game to this new file when it ends or you quit
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace a file that exists, also by the command `save` in the game
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    notation: NotationArgs,
    /// Stop a game of the program against itself after N plies
    ///
    /// Such a game has no result. Under all rules, the program also stops, with a draw, when a
    /// position occurs for the third time: perfect play would repeat it for ever.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    max_plies: usize,
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &PlayArgs) -> anyhow::Result<Exit> {
    let game = start(&database.read_options(args.notation), args)?;
    if let Some(path) = &args.save {
        // Refused before the game, not after it.
        transcript::check_new(path, args.force)?;
    }
    let oracle = oracle::open(database, *game.ruleset())?;
    let players = [args.white, args.black];
    if players.contains(&Player::Perfect) {
        // A missing database is reported before the first move, not after it.
        oracle.value(*game.situation())?;
    }
    // Without a seed each game differs.
    let seed = arguments::seed_or_random(args.seed);
    let mut session = Session::new(&oracle, game, players, seed, args.max_plies);
    let stdin = io::stdin();
    let prompts = stdin.is_terminal();
    let out = anstream::stdout().lock();
    let mut dialogue = Dialogue::new(stdin.lock(), out, prompts, args.show_values, args.force);
    let result = dialogue.run(&mut session);
    // Saved even after an error, because the moves so far are worth keeping.
    if let Some(path) = &args.save {
        Transcript::of(&session).save(path, args.force)?;
    }
    result?;
    Ok(Exit::Fine)
}

/// The game at its beginning.
fn start(options: &ReadOptions, args: &PlayArgs) -> anyhow::Result<Game> {
    match &args.moves {
        Some(moves) => arguments::game(moves, options),
        None if args.position.is_empty() => Ok(Game::to_position("startpos", options)?),
        None => Ok(Game::to_position(&args.position.join(" "), options)?),
    }
}
