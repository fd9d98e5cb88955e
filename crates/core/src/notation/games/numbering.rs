//! The numbers in front of moves.

use crate::notation::game::Game;

/// The numbers of the moves of a line. They count moves of both sides, or plies.
#[derive(Clone, Copy)]
pub(super) struct Numbering {
    /// The plies before the line: its first number may be any.
    pub(super) start: usize,
    /// How much the numbers exceed the usual numbers of moves, and the number of plies before them.
    pub(super) offsets: Option<(usize, usize)>,
}

impl Numbering {
    /// Whether `digits` is the number of the next move. If not, the number that is due.
    pub(super) fn check(&mut self, digits: &str, game: &Game) -> Result<(), usize> {
        let (due, _) = game.next_number();
        let plies = game.steps().len();
        let Ok(found) = digits.parse::<usize>() else { return Err(due) };
        let first = || match plies == self.start {
            true => (found.wrapping_sub(due), found.wrapping_sub(plies)),
            false => (0, 1),
        };
        let (moves, before) = self.offsets.unwrap_or_else(first);
        self.offsets = Some((moves, before));
        let due = due.wrapping_add(moves);
        if found == due || found == plies.wrapping_add(before) { Ok(()) } else { Err(due) }
    }
}

/// Of `1...`, not of `1.`
pub(super) fn is_blacks_number(text: &str) -> bool {
    text.contains('…') || text.matches('.').count() > 1
}
