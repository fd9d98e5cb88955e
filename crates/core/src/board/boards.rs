//! The boards: one specification each, from which everything else about a board follows.

use std::fmt;

/// What distinguishes a board.
pub(crate) struct Specification {
    /// The name in rulesets and databases.
    name: &'static str,
    /// The byte in files.
    byte: u8,
    /// Square rings around the centre.
    pub(crate) rings: u8,
    /// Whether lines join the corners of the rings.
    pub(crate) diagonals: bool,
    /// Whether the centre is a point: the lines that join the rings then go through it.
    pub(crate) centre: bool,
    /// The drawing, in words.
    pub(crate) drawn: &'static str,
    /// A remark on its lines for the rules in words.
    pub(crate) remark: Option<&'static str>,
}

/// Defines the boards, each with its specification.
macro_rules! boards {
    ($($(#[$about:meta])* $Board:ident $specification:tt)+) => {
        /// The board on which a game is played.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Board {
            $($(#[$about])* $Board,)+
        }

        impl Board {
            /// All boards.
            pub const ALL: [Self; [$(stringify!($Board)),+].len()] = [$(Self::$Board),+];

            /// The board's entry in the table above.
            pub(crate) const fn specification(self) -> &'static Specification {
                match self {
                    $(Self::$Board => &Specification $specification,)+
                }
            }
        }
    };
}

boards! {
    /// 24 points on three rings, 16 lines: Nine Men's Morris.
    Nine {
        name: "nine",
        byte: 0,
        rings: 3,
        diagonals: false,
        centre: false,
        drawn: "three squares, one within the other, with the middles of their sides joined",
        remark: None,
    }
    /// The board `Nine` with its four diagonals drawn, 20 lines: Morabaraba.
    Twelve {
        name: "twelve",
        byte: 1,
        rings: 3,
        diagonals: true,
        centre: false,
        drawn: "three squares, one within the other, with the middles of their sides and their \
                corners joined",
        remark: None,
    }
    /// 16 points on two rings, 8 lines: Six Men's Morris.
    Six {
        name: "six",
        byte: 2,
        rings: 2,
        diagonals: false,
        centre: false,
        drawn: "two squares, one within the other, with the middles of their sides joined",
        remark: Some("The lines that join the two squares have only two points, too few for a mill."),
    }
    /// The board `Six` with a cross through the centre, 17 points, 14 lines: Seven Men's Morris.
    Seven {
        name: "seven",
        byte: 4,
        rings: 2,
        diagonals: false,
        centre: true,
        drawn: "two squares, one within the other, and a cross through the middles of their sides \
                and the centre",
        remark: Some(
            "Both lines of the cross have five points, and any three of them in a row can form a \
             mill: four in a row are two mills.",
        ),
    }
    /// 9 points, one ring around a centre, 8 lines with the diagonals: Three Men's Morris.
    Three {
        name: "three",
        byte: 3,
        rings: 1,
        diagonals: true,
        centre: true,
        drawn: "a square with both diagonals and a cross through the middles of its sides, all \
                through the centre",
        remark: None,
    }
}

impl Board {
    /// The board's name in rulesets and databases.
    pub const fn name(self) -> &'static str {
        self.specification().name
    }

    /// The byte for the board in a file.
    pub const fn byte(self) -> u8 {
        self.specification().byte
    }

    /// The board with this byte in files; none if no board has it.
    pub fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|board| board.byte() == byte)
    }

    /// The number of rings, of eight points each; none if the board has other points, too.
    pub(crate) const fn rings_alone(self) -> Option<u8> {
        let Specification { rings, centre, .. } = self.specification();
        if *centre { None } else { Some(*rings) }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
