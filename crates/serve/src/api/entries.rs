//! The positions of a subspace: all of them, or random ones.

use fastrand::Rng;
use merels_core::numbering::Index;
use merels_core::{Arrangements, Position, Ruleset, Side, Situation, Stones, Subspace};

/// The entries of a subspace, as positions that can occur.
pub(super) struct Entries<'a> {
    ruleset: &'a Ruleset,
    arrangements: Arrangements,
}

impl<'a> Entries<'a> {
    /// The entries of `subspace`; none if the game has no such subspace.
    pub(super) fn of(ruleset: &'a Ruleset, subspace: Subspace) -> Option<Self> {
        Some(Self { ruleset, arrangements: Arrangements::of(ruleset, subspace)? })
    }

    /// The number of entries.
    pub(super) fn len(&self) -> u64 {
        self.arrangements.index().entries()
    }

    /// The position of an entry below [`Entries::len`]; none if it cannot occur. White is to move
    /// if both sides can be.
    pub(super) fn position(&self, entry: u64) -> Option<Situation> {
        let white = self.arrangements.position(Index(entry));
        [white, with_colours_exchanged(&white)].into_iter().find_map(|it| self.situation(it))
    }

    /// Whether an entry is the first one of its position: a few symmetric positions have several.
    pub(super) fn is_first(&self, entry: u64) -> bool {
        self.arrangements.is_first(Index(entry))
    }

    /// A random position: an image of an entry under a random symmetry, with either side to move if
    /// both sides can be. None if it cannot occur.
    pub(super) fn any(&self, rng: &mut Rng) -> Option<Situation> {
        let position = self.position(rng.u64(..self.len()))?;
        let symmetries = self.ruleset.board.geometry().symmetries();
        let (_, symmetry) = symmetries.iter().nth(rng.usize(..symmetries.len()))?;
        let image = |side| {
            let stones = position.position().stones(side);
            Stones { board: symmetry.apply_set(stones.board), ..stones }
        };
        let image =
            Position::new(image(Side::White), image(Side::Black), position.position().side());
        let exchanged = self.situation(with_colours_exchanged(&image));
        exchanged.filter(|_| rng.bool()).or_else(|| self.situation(image))
    }

    /// The position, if it can occur in a game that White has begun.
    fn situation(&self, position: Position) -> Option<Situation> {
        let situation = Situation::new(position, self.ruleset).ok();
        situation.filter(|_| position.fits_white_first(self.ruleset))
    }
}

/// The same position with the colours of all stones exchanged.
fn with_colours_exchanged(position: &Position) -> Position {
    let (white, black) = (position.stones(Side::White), position.stones(Side::Black));
    Position::new(black, white, position.side().opponent())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries<'a>(ruleset: &'a Ruleset, name: &str) -> Option<Entries<'a>> {
        Entries::of(ruleset, name.parse().expect("a subspace"))
    }

    #[test]
    fn positions_are_of_the_subspace_and_can_occur() {
        let mut rng = Rng::with_seed(1);
        let cases = [("standard", "4-3"), ("standard", "1-2+8-7"), ("three", "1-1+2-2")];
        for (rules, name) in cases {
            let ruleset: Ruleset = rules.parse().unwrap();
            let entries = entries(&ruleset, name).unwrap();
            let drawn: Vec<_> = (0..200).filter_map(|_| entries.any(&mut rng)).collect();
            assert!(drawn.len() > 100, "{rules} {name}: {}", drawn.len());
            let drawn: Vec<_> = drawn.iter().map(Situation::position).collect();
            for position in &drawn {
                assert_eq!(position.subspace().to_string(), name);
                assert_eq!(position.check(&ruleset), Ok(()), "{position:?}");
            }
            // With all stones placed either side may be to move; before, the hands decide.
            let black = drawn.iter().filter(|position| position.side() == Side::Black).count();
            assert_eq!((1..drawn.len()).contains(&black), name == "4-3", "{rules} {name}: {black}");
        }
    }

    #[test]
    fn a_subspace_that_no_game_has_is_refused() {
        let standard = Ruleset::STANDARD;
        for name in ["10-3", "2-3", "5-5+1-9"] {
            assert!(entries(&standard, name).is_none(), "{name}");
        }
    }
}
