//! The boards: their names and what is drawn on them.

use std::fmt;

/// Which board a game is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Board {
    /// 24 points on three rings, 16 lines: Nine Men's Morris.
    Nine,
    /// The board `Nine` with its four diagonals drawn, 20 lines: Morabaraba.
    Twelve,
    /// 16 points on two rings, 8 lines: Six Men's Morris.
    Six,
    /// The board `Six` with a cross through the centre, 17 points, 14 lines: Seven Men's Morris.
    Seven,
    /// 9 points, one ring around a centre, 8 lines with the diagonals: Three Men's Morris.
    Three,
}

impl Board {
    /// All boards.
    pub const ALL: [Self; 5] = [Self::Nine, Self::Twelve, Self::Six, Self::Seven, Self::Three];

    /// The board's name, as rulesets and databases write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nine => "nine",
            Self::Twelve => "twelve",
            Self::Six => "six",
            Self::Seven => "seven",
            Self::Three => "three",
        }
    }

    pub(crate) const fn rings(self) -> i8 {
        match self {
            Self::Nine | Self::Twelve => 3,
            Self::Six | Self::Seven => 2,
            Self::Three => 1,
        }
    }

    /// Whether the board is three rings and nothing else: 24 points.
    pub(crate) const fn has_24_points(self) -> bool {
        self.rings() == 3 && !self.has_centre()
    }

    pub(crate) const fn has_diagonals(self) -> bool {
        matches!(self, Self::Twelve | Self::Three)
    }

    pub(crate) const fn has_centre(self) -> bool {
        matches!(self, Self::Seven | Self::Three)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
