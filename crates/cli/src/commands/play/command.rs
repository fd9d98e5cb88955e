//! The commands that you can type.

/// A line of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// An empty line.
    Nothing,
    Undo,
    Hint,
    Values,
    Moves,
    Board,
    /// With the name of the file.
    Save(&'a str),
    Help,
    Resign,
    Quit,
    /// Anything else is read as a move.
    Move(&'a str),
}

impl<'a> Command<'a> {
    /// The answer to `help`.
    pub(super) const HELP: &'static str = "\
d2         place a stone           a1-a4     move or jump
d2xg7      close a mill and remove the stone on g7 (also a1-a4xg7)
undo       take back your last move and the reply
hint       the move that the program would play
values     all moves with their values
moves      all moves
board      the board
save FILE  write the game to a file
resign     resign the game
quit       leave the program";

    /// Reads a line.
    pub(super) fn read(line: &'a str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let command = match word.to_ascii_lowercase().as_str() {
            "" => Self::Nothing,
            "save" => return Self::Save(rest),
            "undo" => Self::Undo,
            "hint" => Self::Hint,
            "values" => Self::Values,
            "moves" => Self::Moves,
            "board" => Self::Board,
            "help" | "?" => Self::Help,
            "resign" => Self::Resign,
            "quit" | "exit" => Self::Quit,
            _ => return Self::Move(line),
        };
        if rest.is_empty() { command } else { Self::Move(line) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_command() {
        assert_eq!(Command::read(" Undo \r\n"), Command::Undo);
        assert_eq!(Command::read("\n"), Command::Nothing);
        assert_eq!(Command::read("save My Game.txt\n"), Command::Save("My Game.txt"));
        assert_eq!(Command::read("save"), Command::Save(""));
        assert_eq!(Command::read("a1-a4 xd7"), Command::Move("a1-a4 xd7"));
        assert_eq!(Command::read("undo twice"), Command::Move("undo twice"));
    }
}
