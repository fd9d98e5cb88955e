//! The facts about one game, read from its databases.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use merels_core::numbering::{Index, SubspaceIndex};
use merels_core::{Plies, Position, Ruleset, Side, Subspace};
use merels_db::{Distribution, Edition, Expectation, Folder, Statistics, Table, ValueHistogram};
use merels_query::{Line, OnTheSpot, Opening, Oracle, QueryError};

use crate::error::{AtlasError, is_absent};

/// The most plies of a line from a drawn position.
const DRAWN_PLIES: usize = 60;

/// A solved game, or a part of it.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) ruleset: Ruleset,
    pub(crate) edition: Edition,
    /// The counts in the headers.
    pub(crate) tables: BTreeMap<Subspace, Counted>,
    /// Subspaces in the manifest whose files are missing.
    pub(crate) gone: Vec<Subspace>,
    /// The number of subspaces of the whole game.
    pub(crate) of: usize,
    /// None if the empty board is not solved.
    pub(crate) opening: Option<Opening>,
    pub(crate) longest_win: Option<Longest>,
    pub(crate) longest_loss: Option<Longest>,
}

/// The counts of a header.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub(crate) statistics: Statistics,
    pub(crate) distribution: Box<Distribution>,
}

/// A longest win or loss.
#[derive(Debug)]
pub(crate) struct Longest {
    pub(crate) subspace: Subspace,
    pub(crate) plies: Plies,
    /// One such position, with colours that occur in a game.
    pub(crate) position: Option<Position>,
    /// A line of best play by both sides; none if the edition does not keep it.
    pub(crate) line: Option<Line>,
}

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// With stones in hand.
    Placing,
    /// All stones are on the board.
    Moving,
}

impl Phase {
    pub(crate) const ALL: [Self; 2] = [Self::Moving, Self::Placing];

    pub(crate) const fn holds(self, subspace: Subspace) -> bool {
        matches!(self, Self::Moving) == subspace.is_moving()
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Placing => "placing",
            Self::Moving => "moving",
        }
    }
}

impl Game {
    /// Reads the headers of a folder, and looks up single positions.
    pub(crate) fn read(db: &Path, ruleset: Ruleset) -> Result<Self, AtlasError> {
        let folder = Folder::open(db, ruleset)?;
        let ruleset = *folder.ruleset();
        let mut tables = BTreeMap::new();
        let mut all = Subspace::all_moving(&ruleset);
        all.extend(Subspace::placing_layers(&ruleset).concat());
        for subspace in folder.subspaces_present()?.into_iter().filter(|found| all.contains(found))
        {
            let edition = Some(folder.edition());
            let expectation = Expectation { ruleset, subspace, edition };
            let table = Table::open(&folder.path_of(subspace), &expectation)?;
            let header = table.header();
            let (statistics, distribution) = (header.statistics, header.distribution.clone());
            tables.insert(subspace, Counted { statistics, distribution });
        }
        let manifest = folder.load_manifest()?;
        let listed = manifest.iter().map(|info| info.subspace);
        let gone = listed.filter(|subspace| !tables.contains_key(subspace)).collect();
        let mut game = Self {
            ruleset,
            edition: folder.edition(),
            tables,
            gone,
            of: all.len(),
            opening: None,
            longest_win: None,
            longest_loss: None,
        };
        let oracle = Oracle::open_or_solve(db, ruleset)?;
        if game.tables.contains_key(&Position::start(&ruleset).subspace()) {
            game.opening = present(oracle.opening())?;
        }
        game.longest_win = game.longest(
            &oracle,
            |statistics| statistics.longest_win,
            |counted| counted.longest_win,
        )?;
        game.longest_loss = game.longest(
            &oracle,
            |statistics| statistics.longest_loss,
            |counted| counted.longest_loss,
        )?;
        Ok(game)
    }

    /// Whether every subspace of the game has a table.
    pub(crate) fn is_complete(&self) -> bool {
        self.tables.len() == self.of
    }

    /// All tables: those without stones in hand first, then by the number of stones on the board.
    pub(crate) fn in_order(&self) -> Vec<(Subspace, &Counted)> {
        let mut tables: Vec<_> =
            self.tables.iter().map(|(&subspace, table)| (subspace, table)).collect();
        tables.sort_by_key(|&(subspace, _)| {
            let (mover, other) = (subspace.mover(), subspace.other());
            (in_hand(subspace), mover + other, Reverse(mover.max(other)), Reverse(mover), subspace)
        });
        tables
    }

    /// The number of subspaces for which `is_counted` holds, and the sums over them.
    pub(crate) fn sum(&self, is_counted: impl Fn(Subspace) -> bool) -> (usize, Statistics) {
        let mut sum = Statistics::default();
        let mut count = 0;
        for (_, table) in self.tables.iter().filter(|&(&subspace, _)| is_counted(subspace)) {
            sum.merge(&table.statistics);
            count += 1;
        }
        (count, sum)
    }

    /// How many positions of a phase have each value; none if there is no table.
    pub(crate) fn histogram(&self, phase: Phase) -> Option<ValueHistogram> {
        let mut sum = None;
        for (_, table) in self.tables.iter().filter(|&(&subspace, _)| phase.holds(subspace)) {
            let histogram = &table.distribution.histogram;
            sum.get_or_insert_with(ValueHistogram::default).merge(histogram);
        }
        sum
    }

    fn longest(
        &self,
        oracle: &Oracle<OnTheSpot>,
        plies: impl Fn(&Statistics) -> Option<Plies>,
        entry: impl Fn(&Distribution) -> Option<u64>,
    ) -> Result<Option<Longest>, AtlasError> {
        let mut found: Option<(Plies, Subspace, &Counted)> = None;
        for (subspace, table) in self.in_order() {
            if let Some(plies) = plies(&table.statistics)
                && found.is_none_or(|(longest, ..)| longest < plies)
            {
                found = Some((plies, subspace, table));
            }
        }
        let Some((plies, subspace, table)) = found else { return Ok(None) };
        let entry = entry(&table.distribution);
        let position = entry.map(|entry| {
            let index = SubspaceIndex::new(self.ruleset.board, subspace);
            let (mover, other) = index.stones_at(Index(entry));
            with_the_right_colours(Position::of_subspace(subspace, mover, other), &self.ruleset)
        });
        let line = match position {
            // Without distances the line is not the longest.
            Some(position) if self.edition.has_distances() => {
                present(oracle.line(position, DRAWN_PLIES))?
            }
            _ => None,
        };
        Ok(Some(Longest { subspace, plies, position, line }))
    }
}

/// The position, or the one with colours exchanged if only that one occurs in a game.
fn with_the_right_colours(position: Position, ruleset: &Ruleset) -> Position {
    let [white, black] = [Side::White, Side::Black].map(|side| position.stones(side));
    let exchanged = Position::new(black, white, position.side().opponent());
    let occurs = |it: &Position| it.check(ruleset).is_ok() && it.fits_white_first(ruleset);
    if !occurs(&position) && occurs(&exchanged) { exchanged } else { position }
}

/// The stones that both sides together have in hand.
pub(crate) const fn in_hand(subspace: Subspace) -> u8 {
    subspace.mover_hand() + subspace.other_hand()
}

/// The answer, or none if the values are missing.
fn present<T>(answer: Result<T, QueryError>) -> Result<Option<T>, QueryError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        // Tables have entries for some positions that no game reaches, and queries refuse these.
        Err(QueryError::Missing(_) | QueryError::Impossible { .. }) => Ok(None),
        Err(QueryError::Database(error)) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}
