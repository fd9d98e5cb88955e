//! The rules that are a choice among a few: one entry for each choice, with its word in text, its
//! byte in files and its sentences.

/// Defines a rule. An entry is `Choice: word, byte in files, sentences`; all choices of a rule have
/// the same number of sentences. [`RuleSection`](crate::RuleSection) uses the sentences; the rule's
/// comment names their order.
macro_rules! rule {
    (
        $(#[$about_rule:meta])*
        $Rule:ident, $count:literal {
            $($(#[$about:meta])* $Choice:ident: $word:literal, $byte:literal, $sentences:expr;)+
        }
    ) => {
        $(#[$about_rule])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Rule {
            $($(#[$about])* $Choice,)+
        }

        impl $Rule {
            /// All choices, the usual one first.
            pub const ALL: &[Self] = &[$(Self::$Choice),+];

            /// The word for the choice in a ruleset's text.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$Choice => $word,)+
                }
            }

            /// The byte for the choice in a file.
            pub const fn byte(self) -> u8 {
                match self {
                    $(Self::$Choice => $byte,)+
                }
            }

            /// The choice with this byte in files; none if no choice has it.
            pub const fn from_byte(byte: u8) -> Option<Self> {
                match byte {
                    $($byte => Some(Self::$Choice),)+
                    _ => None,
                }
            }

            /// The sentences of the rules in words about the choice.
            pub(crate) const fn sentences(self) -> [&'static str; $count] {
                match self {
                    $(Self::$Choice => $sentences,)+
                }
            }
        }
    };
}

rule! {
    /// Whether a side with three stones (board and hand together) may jump to any empty point.
    Flying, 1 {
        /// A side with exactly three stones jumps.
        AtThree: "three", 0, [
            "Flying: a side that has exactly three stones, board and hand together, moves a stone to \
             any empty point.",
        ];
        /// Stones always slide along a line.
        Never: "never", 1, ["Stones never jump, even if their side has only three."];
    }
}

rule! {
    /// Which stones a side may remove when it closes a mill.
    // The sentences: the rule; the removal of the second of two stones.
    Removal, 2 {
        /// Stones in mills are protected, unless all stones on the board are in mills.
        Protected: "protected", 0, [
            "A stone in a mill is protected, unless all stones of its side on the board are in mills: \
             then any of them may be removed.",
            "The first removal counts for the second: if it takes the only stone outside mills, any \
             other stone may follow; if it breaks a mill, the rest of that mill is open. If the other \
             side has only one stone on the board, the move removes one.",
        ];
        /// Stones in mills are always protected. If all are in mills, the move removes nothing.
        Strict: "strict", 1, [
            "A stone in a mill is never removed. If all stones of the other side on the board are in \
             mills, closing a mill removes nothing, and the turn is over.",
            "If the first removal takes the only stone outside mills, the move removes one.",
        ];
        /// Any stone may be removed.
        Free: "free", 2, [
            "Any stone may be removed, in a mill or not.",
            "If the other side has only one stone on the board, the move removes one.",
        ];
    }
}

rule! {
    /// How many stones a move that closes two mills removes.
    DoubleMill, 1 {
        /// One, as for one mill.
        One: "one", 1, ["A move that closes two mills removes one stone."];
        /// Two.
        Two: "two", 2, [
            "A move that closes two mills or more removes two stones, one after the other.",
        ];
    }
}

rule! {
    /// Whether stones may move while others are still in hand.
    // The sentences: placing; moves meanwhile; how moving starts; a side that cannot move.
    Placing, 4 {
        /// All stones are placed first.
        First: "first", 0, [
            "The sides take turns to place a stone on any empty point, until no stone is in hand.",
            "No stone moves before that.",
            "When all stones are placed, the sides take turns to move a stone along a drawn line to a \
             neighbouring empty point.",
            "A side that is to move and cannot loses.",
        ];
        /// Each turn is a placing or a move, as long as stones are in hand (Lasker's game).
        Mixed: "mixed", 1, [
            "A side that has stones in hand either places one on any empty point or moves one that is \
             on the board.",
            "A side that has placed all its stones moves them, even while the other side has stones \
             in hand.",
            "A stone moves along a drawn line to a neighbouring empty point.",
            "A side that is to move and cannot loses, even if the other side still has stones in hand.",
        ];
    }
}

rule! {
    /// What happens when the placing phase ends on a full board.
    // The sentence follows a colon.
    FullBoard, 1 {
        /// The side to move cannot move and loses.
        Loss: "loss", 0, ["the side to move, White, cannot move and loses"];
        /// The game is a draw.
        Draw: "draw", 1, ["the game is a draw"];
    }
}

rule! {
    /// Whether the third occurrence of a position ends the game as a draw.
    Repetition, 1 {
        /// No such rule; endless play is still a draw.
        Unlimited: "unlimited", 0, [
            "Endless play is a draw. No rule counts how often a position occurs.",
        ];
        /// The third occurrence is a draw.
        Threefold: "threefold", 1, [
            "The game is a draw when a position occurs for the third time, with the same side to move \
             and the same stones in hand.",
        ];
    }
}
