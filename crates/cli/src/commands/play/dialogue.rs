//! The dialogue: shows the game, reads a line, obeys it.

use std::io::{self, BufRead, Write};
use std::path::Path;

use anyhow::Context;
use merels_core::{Choice, Side};

use crate::advice::told;
use crate::commands::play::command::Command;
use crate::commands::play::player::Player;
use crate::commands::play::session::{Session, Undone};
use crate::commands::play::transcript::Transcript;
use crate::output::CANNOT_WRITE;
use crate::output::screen::{
    coloured, edition_in_words, name, wrapped, write_moves, write_situation, write_unvalued,
};
use crate::output::style::HEADING;

/// Reads what a person types, and writes the answers.
pub(super) struct Dialogue<I, O> {
    input: I,
    out: O,
    /// Whether the input is a terminal. If not, its lines are not visible and are printed.
    prompts: bool,
    /// Whether values are shown without a command.
    show_values: bool,
    /// Whether `save` replaces files.
    force: bool,
}

/// What comes after a command.
enum Next {
    /// Show the new position.
    Show,
    /// Read the next line: the position is the same.
    Ask,
    Leave,
}

impl<I: BufRead, O: Write> Dialogue<I, O> {
    pub(super) const fn new(
        input: I,
        out: O,
        prompts: bool,
        show_values: bool,
        force: bool,
    ) -> Self {
        Self { input, out, prompts, show_values, force }
    }

    /// Plays until the person leaves a finished game or the input ends.
    ///
    /// # Errors
    /// If a missing or damaged database keeps the program from moving, or the system refuses to
    /// read or write.
    pub(super) fn run(&mut self, session: &mut Session<'_>) -> anyhow::Result<()> {
        self.introduce(session).context(CANNOT_WRITE)?;
        let mut next = Next::Show;
        loop {
            let ending = session.ending();
            if ending.is_none() && session.player(session.side()) == Player::Perfect {
                let side = session.side();
                let choice = session.let_program_play()?;
                self.write_move(session, side, &choice)?;
                next = Next::Show;
                continue;
            }
            match next {
                Next::Leave => return Ok(()),
                Next::Show => self.show(session)?,
                Next::Ask => {}
            }
            if ending.is_some() && !session.has_person() {
                return Ok(());
            }
            let Some(line) = self.read(session)? else { return Ok(()) };
            next = self.obey(session, Command::read(&line))?;
        }
    }

    fn introduce(&mut self, session: &Session<'_>) -> io::Result<()> {
        let players = [Side::White, Side::Black].map(|side| session.player(side));
        write!(self.out, "White: {}. Black: {}.", players[0], players[1])?;
        if players.contains(&Player::Perfect) {
            write!(self.out, " Seed {}.", session.seed())?;
        }
        if let Some(edition) = session.edition() {
            write!(self.out, " Databases: {}.", edition_in_words(edition))?;
        }
        let help = if session.has_person() { " `help` lists the commands." } else { "" };
        writeln!(self.out, "{help}")
    }

    /// Prints the program's move.
    fn write_move(
        &mut self,
        session: &Session<'_>,
        side: Side,
        choice: &Choice,
    ) -> anyhow::Result<()> {
        let geometry = session.ruleset().board.geometry();
        write!(self.out, "{} plays {}", name(side), choice.display(geometry))
            .context(CANNOT_WRITE)?;
        if self.show_values {
            let value = coloured(session.value()?);
            write!(self.out, "; {}: {value}", name(side.opponent())).context(CANNOT_WRITE)?;
        }
        writeln!(self.out).context(CANNOT_WRITE)
    }

    /// Shows the position, and the result if the game is over.
    fn show(&mut self, session: &Session<'_>) -> anyhow::Result<()> {
        let value = if self.show_values { Some(coloured(session.value()?)) } else { None };
        let write = || {
            writeln!(self.out)?;
            write_situation(&mut self.out, session.ruleset(), session.situation(), value)?;
            if let Some(ending) = session.ending() {
                writeln!(self.out, "\n{HEADING}{}{HEADING:#}", session.in_words(ending))?;
                writeln!(self.out, "{}", session.moves_and_result())?;
            }
            Ok::<_, io::Error>(())
        };
        write().context(CANNOT_WRITE)
    }

    /// The next line; none at the end of the input.
    fn read(&mut self, session: &Session<'_>) -> anyhow::Result<Option<String>> {
        let prompt = if session.ending().is_some() { "over" } else { name(session.side()) };
        if self.prompts {
            write!(self.out, "{HEADING}{prompt}>{HEADING:#} ").context(CANNOT_WRITE)?;
        }
        self.out.flush().context(CANNOT_WRITE)?;
        let mut line = Vec::new();
        let read = self.input.read_until(b'\n', &mut line).context("cannot read standard input")?;
        if read == 0 {
            if self.prompts {
                writeln!(self.out).context(CANNOT_WRITE)?;
            }
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if !self.prompts {
            writeln!(self.out, "{prompt}> {line}").context(CANNOT_WRITE)?;
        }
        Ok(Some(line))
    }

    /// Obeys a command. A wrong move, a file that cannot be written or a missing database is
    /// reported and does not end the game.
    fn obey(&mut self, session: &mut Session<'_>, command: Command<'_>) -> anyhow::Result<Next> {
        let (text, next) = answer(session, command, self.force)
            .unwrap_or_else(|error| (told(error.as_ref()), Next::Ask));
        if !text.is_empty() {
            writeln!(self.out, "{text}").context(CANNOT_WRITE)?;
        }
        Ok(next)
    }
}

/// Obeys a command; `force` lets it replace files. Returns the reply and what comes next.
fn answer(
    session: &mut Session<'_>,
    command: Command<'_>,
    force: bool,
) -> anyhow::Result<(String, Next)> {
    let ask = |text: &str| Ok((text.to_owned(), Next::Ask));
    let show = |text: &str| Ok((text.to_owned(), Next::Show));
    match command {
        Command::Nothing => ask(""),
        Command::Quit => Ok((String::new(), Next::Leave)),
        Command::Help => ask(Command::HELP),
        Command::Board => show(""),
        Command::Save("") => ask("save needs the name of a file, as in `save game.txt`"),
        Command::Save(path) => {
            Transcript::of(session).save(Path::new(path), force)?;
            ask(&format!("Saved the game to {path}."))
        }
        Command::Undo => match session.take_back() {
            Undone::Nothing => ask("You have no move to take back."),
            Undone::Resignation => show("The resignation is taken back."),
            Undone::Plies(1) => show("One ply is taken back."),
            Undone::Plies(plies) => show(&format!("{plies} plies are taken back.")),
        },
        _ if session.ending().is_some() => {
            ask("The game is over: `undo` takes back your last move, `quit` leaves.")
        }
        Command::Hint => {
            let (choice, value) = (session.hint()?, session.value()?);
            let geometry = session.ruleset().board.geometry();
            ask(&format!("{}: {}", choice.display(geometry), coloured(value)))
        }
        Command::Values => ask(&values(session)?),
        Command::Moves => ask(&moves(session)),
        Command::Resign => {
            session.resign();
            show("")
        }
        Command::Move(text) => {
            session.play(text)?;
            show("")
        }
    }
}

/// The moves with their values.
fn values(session: &Session<'_>) -> anyhow::Result<String> {
    let survey = session.oracle().survey(*session.situation())?;
    let geometry = session.ruleset().board.geometry();
    let mut text = Vec::new();
    write_moves(&mut text, geometry, survey.choices(), None)?;
    write_unvalued(&mut text, geometry, survey.unvalued(), None)?;
    if let Some(one) = survey.unvalued().first() {
        writeln!(text, "unknown: {}", told(&one.missing))?;
    }
    Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
}

/// The moves in the order of their names.
fn moves(session: &Session<'_>) -> String {
    let geometry = session.ruleset().board.geometry();
    let mut choices = session.situation().choices(session.ruleset());
    choices.sort_by_cached_key(|choice| choice.notation_order(geometry));
    wrapped(choices.iter().map(|choice| choice.display(geometry).to_string()))
}
