//! The sums of a subspace: wins, draws, losses, and the longest of them.

use std::fmt;

use merels_core::numbering::{Codes, FarCodes, ValueCode};
use merels_core::{Plies, Value};

/// What a table's header says about the values in it.
///
/// Counts are over positions up to symmetry, not over entries: some positions have more than one
/// entry, where the mover's stones are symmetric in themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Positions up to symmetry: the sum of the next three.
    pub positions: u64,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// The longest distance of a win; none if there is no win.
    pub longest_win: Option<Plies>,
    /// The longest distance of a loss; none if there is no loss.
    pub longest_loss: Option<Plies>,
}

/// Bytes that are counted side by side.
const LANES: usize = 32;

impl Statistics {
    /// The sums over one position for each of these codes. That is much faster than a histogram.
    ///
    /// # Panics
    /// If a byte is no [`ValueCode`].
    #[track_caller]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        const DRAW: u8 = ValueCode::DRAW.byte();
        let (mut wins, mut losses) = (0, 0);
        // Wins in front of all else, the longest first; losses behind all else, the longest last.
        let mut least = [u8::MAX; LANES];
        let mut most = [0; LANES];
        // So many lines that a byte holds the counts of a lane.
        for lines in bytes.chunks(LANES * usize::from(u8::MAX)) {
            let mut won = [0_u8; LANES];
            let mut lost = [0_u8; LANES];
            let mut count = |line: &[u8; LANES]| {
                for (i, &code) in line.iter().enumerate() {
                    won[i] += u8::from(code > DRAW);
                    lost[i] += u8::from(code < DRAW);
                    least[i] = least[i].min(code ^ 0x80);
                    most[i] = most[i].max(code.wrapping_add(0x81));
                }
            };
            let (lines, rest) = lines.as_chunks();
            lines.iter().for_each(&mut count);
            if !rest.is_empty() {
                let mut line = [DRAW; LANES];
                line[..rest.len()].copy_from_slice(rest);
                count(&line);
            }
            let sum =
                |counts: &[u8; LANES]| counts.iter().map(|&count| u64::from(count)).sum::<u64>();
            wins += sum(&won);
            losses += sum(&lost);
        }
        let least = least.into_iter().fold(u8::MAX, u8::min);
        let most = most.into_iter().fold(0, u8::max);
        assert_ne!(least, 0, "bytes that are no value codes were counted");
        let plies = |found: bool, code: u8| {
            let code = ValueCode::from_byte(code).filter(|_| found)?;
            code.value().distance()
        };
        let positions = bytes.len() as u64;
        Self {
            positions,
            wins,
            draws: positions - wins - losses,
            losses,
            longest_win: plies(wins > 0, least ^ 0x80),
            longest_loss: plies(losses > 0, most.wrapping_sub(0x81)),
        }
    }

    /// The sums over one position for each of these codes.
    ///
    /// # Panics
    /// If a byte is no [`ValueCode`].
    #[track_caller]
    pub fn of_codes(codes: Codes<&[u8]>) -> Self {
        let Codes { near, far: Some(far) } = codes else { return Self::of_bytes(codes.near) };
        const CODES: FarCodes = FarCodes::FILES;
        let (loss, win) = (CODES.loss().byte(), CODES.win().byte());
        let (mut last_loss, mut first_win) = (0, u8::MAX);
        for (&near, &far) in near.iter().zip(far) {
            last_loss = last_loss.max(if near == loss { far } else { 0 });
            first_win = first_win.min(if near == win { far } else { u8::MAX });
        }
        let mut sums = Self::of_bytes(near);
        let exact = |longest: Option<Plies>, byte| {
            let is_far = longest.is_some_and(|plies| plies >= CODES.first());
            let code = ValueCode::from_byte(byte).filter(|_| is_far);
            code.map_or(longest, |code| CODES.value_of_far(code).distance())
        };
        sums.longest_win = exact(sums.longest_win, first_win);
        sums.longest_loss = exact(sums.longest_loss, last_loss);
        sums
    }

    /// Adds what `other` has summed up.
    pub fn merge(&mut self, other: &Self) {
        self.positions += other.positions;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.longest_win = self.longest_win.max(other.longest_win);
        self.longest_loss = self.longest_loss.max(other.longest_loss);
    }

    /// Why the numbers contradict each other, if they do. With far codes, distances may be longer.
    pub(crate) fn contradiction(&self, entries: u64, has_far: bool) -> Option<&'static str> {
        let sum = self.wins.checked_add(self.draws).and_then(|n| n.checked_add(self.losses));
        let codable = |value: Option<Value>| {
            value.is_none_or(|value| match has_far {
                true => FarCodes::FILES.codes_of(value).is_some(),
                false => ValueCode::from_value(value).is_some(),
            })
        };
        if sum != Some(self.positions) {
            Some("wins, draws and losses do not add up to the positions")
        } else if self.positions > entries {
            Some("more positions than entries")
        } else if self.positions == 0 && entries > 0 {
            Some("entries without positions")
        } else if self.longest_win.is_some() != (self.wins > 0)
            || self.longest_loss.is_some() != (self.losses > 0)
        {
            Some("a longest win or loss is given where there is none, or none where there is one")
        } else if !codable(self.longest_win.map(Value::Win))
            || !codable(self.longest_loss.map(Value::Loss))
        {
            Some("a longest win or loss that no value has")
        } else {
            None
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, wins, draws, losses, .. } = self;
        write!(f, "{positions} positions: {wins} won, {draws} drawn, {losses} lost")?;
        if let Some(plies) = self.longest_win {
            write!(f, ", longest win {plies}")?;
        }
        if let Some(plies) = self.longest_loss {
            write!(f, ", longest loss {plies}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "no value codes")]
    fn what_is_undecided_is_not_summed_up() {
        Statistics::of_bytes(&[127, 128, 200, 3]);
    }

    #[test]
    fn contradictions_are_found() {
        let sound = Statistics {
            positions: 2,
            wins: 1,
            draws: 1,
            longest_win: Some(Plies(1)),
            ..Statistics::default()
        };
        assert_eq!(sound.contradiction(2, false), None);
        for (wrong, entries) in [
            (sound, 1),
            (Statistics { wins: 2, ..sound }, 9),
            (Statistics { wins: u64::MAX, ..sound }, 9),
            (Statistics { longest_win: None, ..sound }, 9),
            (Statistics { longest_win: Some(Plies(2)), ..sound }, 9),
            (Statistics { longest_loss: Some(Plies(2)), ..sound }, 9),
            (Statistics::default(), 9),
        ] {
            assert!(wrong.contradiction(entries, false).is_some(), "{wrong:?}");
        }
    }
}
