//! A random choice of positions.

use std::collections::BTreeSet;

use fastrand::Rng;
use merels_core::numbering::Index;
use merels_core::{Position, Situation, Value};

use crate::commands::list::choice::List;

/// At most `count` of the positions of a list, each class with the same probability, in the order
/// of the list.
///
/// Without a filter only the chosen positions are looked up. With one, all are: any of them may be
/// among the few that it lets through.
pub(super) fn of(
    list: &List,
    count: usize,
    seed: u64,
    longest: bool,
) -> anyhow::Result<Vec<(Position, Value)>> {
    let mut rng = Rng::with_seed(seed);
    let classes = list.arrangements.index().positions();
    let is_part = (count as u64) < classes;
    if list.filter.is_open() && !longest && is_part {
        return drawn(list, count, &mut rng);
    }
    let wanted = list.wanted(longest)?;
    // Reservoir sampling (Vitter's algorithm R), with the place of each position in the list.
    let mut chosen: Vec<(usize, (Position, Value))> = Vec::new();
    let mut seen = 0;
    list.each(|piece| {
        for found in piece.into_iter().filter(|(_, value)| wanted.include(*value)) {
            if chosen.len() < count {
                chosen.push((seen, found));
            } else {
                let place = rng.usize(..=seen);
                if let Some(slot) = chosen.get_mut(place) {
                    *slot = (seen, found);
                }
            }
            seen += 1;
        }
        Ok(())
    })?;
    chosen.sort_unstable_by_key(|(place, _)| *place);
    Ok(chosen.into_iter().map(|(_, found)| found).collect())
}

/// `count` different classes, of which there are more.
fn drawn(list: &List, count: usize, rng: &mut Rng) -> anyhow::Result<Vec<(Position, Value)>> {
    let index = list.arrangements.index();
    let classes = index.positions();
    let draw = |count: u64, rng: &mut Rng| {
        let mut entries = BTreeSet::new();
        while (entries.len() as u64) < count {
            let entry = Index(rng.u64(..index.entries()));
            // A class has one first entry, so each is as probable as the others.
            if list.arrangements.is_first(entry) {
                entries.insert(entry.0);
            }
        }
        entries
    };
    let entries: Vec<_> = if count as u64 <= classes / 2 {
        draw(count as u64, rng).into_iter().collect()
    } else {
        // Those that are left out are fewer.
        let left_out = draw(classes - count as u64, rng);
        let all = (0..index.entries()).filter(|&entry| list.arrangements.is_first(Index(entry)));
        all.filter(|entry| !left_out.contains(entry)).collect()
    };
    let board = index.board();
    let canonical = |entry: u64| list.arrangements.position(Index(entry)).canonical(board);
    let positions: Vec<_> = entries.into_iter().map(canonical).collect();
    let ruleset = list.oracle.ruleset();
    let situations = positions.iter().map(|position| Situation::new(*position, ruleset));
    let situations = situations.collect::<Result<Vec<_>, _>>()?;
    let values = list.oracle.values(&situations).into_iter();
    let values = values.collect::<Result<Vec<_>, _>>()?;
    Ok(positions.into_iter().zip(values).collect())
}
