//! The value of a position: outcome and distance.
//!
//! One point of view everywhere: the side to move. One metric: plies to the end of the game
//! (DTW, distance to win), the winner minimising and the loser maximising; a removal belongs to
//! the move that earned it. A side that has lost already (blocked, or fewer than three stones) is
//! lost in 0, so losses are even and wins are odd.

use std::fmt;

/// A number of plies (moves of one side).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Plies(pub u16);

impl Plies {
    /// An unknown distance; longer than all others.
    pub const UNKNOWN: Self = Self(u16::MAX);

    /// One ply more; unknown stays unknown.
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The number with its unit.
    ///
    /// ```
    /// use merels_core::Plies;
    ///
    /// assert_eq!([1, 2].map(|plies| Plies(plies).in_words()), ["1 ply", "2 plies"]);
    /// ```
    pub fn in_words(self) -> String {
        format!("{self} {}", if self == Self(1) { "ply" } else { "plies" })
    }
}

impl fmt::Debug for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Win, draw or loss for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The side to move loses against best play.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move can force a win.
    Win,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

/// The value of a position for the side to move, with the exact distance to the end of the game.
///
/// The order is the mover's preference: a quick loss is least, then slow losses, the draw, slow
/// wins, and the quickest win is greatest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// Lost in this many plies (even).
    Loss(Plies),
    /// Drawn.
    Draw,
    /// Won in this many plies (odd).
    Win(Plies),
}

impl Value {
    /// The value of a position whose mover has lost already.
    pub const LOST: Self = Self::Loss(Plies(0));

    /// Win, draw or loss without the distance.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Loss(_) => Outcome::Loss,
            Self::Draw => Outcome::Draw,
            Self::Win(_) => Outcome::Win,
        }
    }

    /// Plies to the end; none for a draw, or if the distance is unknown.
    pub const fn distance(self) -> Option<Plies> {
        match self {
            Self::Loss(Plies::UNKNOWN) | Self::Win(Plies::UNKNOWN) | Self::Draw => None,
            Self::Loss(plies) | Self::Win(plies) => Some(plies),
        }
    }

    /// The value with its unit; if the distance is unknown, only the outcome.
    ///
    /// ```
    /// use merels_core::{Plies, Value};
    ///
    /// let values = [Value::Win(Plies(1)), Value::Loss(Plies(0)), Value::Draw];
    /// assert_eq!(values.map(Value::in_words), ["win in 1 ply", "loss in 0 plies", "draw"]);
    /// assert_eq!(Value::Loss(Plies::UNKNOWN).in_words(), "loss");
    /// ```
    pub fn in_words(self) -> String {
        let outcome = self.outcome();
        match self.distance() {
            Some(plies) => format!("{outcome} in {}", plies.in_words()),
            None => outcome.to_string(),
        }
    }

    /// The same outcome in an unknown number of plies.
    #[must_use]
    pub const fn without_distance(self) -> Self {
        match self {
            Self::Loss(_) => Self::Loss(Plies::UNKNOWN),
            Self::Draw => Self::Draw,
            Self::Win(_) => Self::Win(Plies::UNKNOWN),
        }
    }

    /// Whether both can be true of the same position: they are equal, or have the same outcome and
    /// one of the distances is unknown.
    pub fn agrees_with(self, other: Self) -> bool {
        let unknown = |value: Self| value == value.without_distance();
        self == other || (self.outcome() == other.outcome() && (unknown(self) || unknown(other)))
    }

    /// The value, for the side that makes it, of a move to a position of this value (the opponent's
    /// view): the opposite outcome, one ply further from the end.
    pub const fn before(self) -> Self {
        match self {
            Self::Loss(plies) => Self::Win(plies.next()),
            Self::Draw => Self::Draw,
            Self::Win(plies) => Self::Loss(plies.next()),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |value: &Self| match *value {
            Self::Loss(Plies(plies)) => (0, i32::from(plies)),
            Self::Draw => (1, 0),
            Self::Win(Plies(plies)) => (2, -i32::from(plies)),
        };
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.outcome().fmt(f)?;
        self.distance().map_or(Ok(()), |plies| write!(f, " in {plies}"))
    }
}

/// A [`Value`] in one byte, in the order of [`Value`]: the code of a database entry.
///
/// | code | meaning |
/// |---|---|
/// | `e` = 0..=126 | loss in `2 e` plies |
/// | 127 | draw |
/// | `255 - k`, `k` = 0..=126 | win in `2 k + 1` plies |
/// | 128 | never used |
///
/// Because the codes have the order of the values, "the best removal" and "the best placing" are a
/// plain minimum over the opponent's codes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueCode(u8);

impl ValueCode {
    /// Drawn.
    pub const DRAW: Self = Self(127);
    /// Lost already.
    pub const LOST: Self = Self(0);
    /// The longest distance that a code can express.
    pub const MAX_PLIES: Plies = Plies(253);

    /// The code of a byte; none for 128, the only byte that is not a code.
    pub const fn from_byte(byte: u8) -> Option<Self> {
        if byte == 128 { None } else { Some(Self(byte)) }
    }

    /// The byte itself.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The code of `value`; none if its distance is too long, or of the wrong parity.
    pub const fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Draw => Some(Self::DRAW),
            Value::Loss(Plies(plies)) if plies % 2 == 0 && plies <= 252 => {
                Some(Self((plies / 2) as u8))
            }
            Value::Win(Plies(plies)) if plies % 2 == 1 && plies <= 253 => {
                Some(Self(255 - (plies / 2) as u8))
            }
            _ => None,
        }
    }

    /// The code of what is decided at distance `plies`: a loss if even, a win if odd.
    /// None beyond [`ValueCode::MAX_PLIES`].
    pub const fn at_distance(plies: Plies) -> Option<Self> {
        if plies.0.is_multiple_of(2) {
            Self::from_value(Value::Loss(plies))
        } else {
            Self::from_value(Value::Win(plies))
        }
    }

    /// The value of the code.
    pub const fn value(self) -> Value {
        match self.0 {
            127 => Value::Draw,
            0..=126 => Value::Loss(Plies(self.0 as u16 * 2)),
            _ => Value::Win(Plies((255 - self.0) as u16 * 2 + 1)),
        }
    }
}

impl fmt::Debug for ValueCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0, self.value())
    }
}

impl From<ValueCode> for Value {
    fn from(code: ValueCode) -> Self {
        code.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_keep_the_order_of_values() {
        let codes: Vec<_> = (0..=255).filter_map(ValueCode::from_byte).collect();
        assert_eq!(codes.len(), 255);
        for pair in codes.windows(2) {
            assert!(pair[0].value() < pair[1].value(), "{pair:?}");
        }
        for code in codes {
            assert_eq!(ValueCode::from_value(code.value()), Some(code));
        }
    }

    #[test]
    fn values_without_a_code() {
        for value in [
            Value::Loss(Plies(1)),
            Value::Win(Plies(2)),
            Value::Win(Plies(255)),
            Value::Loss(Plies(254)),
        ] {
            assert_eq!(ValueCode::from_value(value), None, "{value}");
        }
        assert_eq!(ValueCode::from_byte(128), None);
        assert!(ValueCode::at_distance(ValueCode::MAX_PLIES).is_some());
        assert!(ValueCode::at_distance(ValueCode::MAX_PLIES.next()).is_none());
    }

    #[test]
    fn a_move_turns_the_value_round() {
        assert_eq!(Value::LOST.before(), Value::Win(Plies(1)));
        let unknown = Value::Loss(Plies::UNKNOWN);
        assert_eq!(unknown.before(), Value::Win(Plies(9)).without_distance());
        assert_eq!((unknown.distance(), unknown.to_string().as_str()), (None, "loss"));
        assert!(unknown.agrees_with(Value::LOST) && !unknown.agrees_with(Value::Draw));
        assert!(!Value::LOST.agrees_with(Value::Loss(Plies(2))));
        assert_eq!(Value::Win(Plies(1)).before(), Value::Loss(Plies(2)));
        assert_eq!(Value::Draw.before(), Value::Draw);
    }
}
