//! The rows of tables of subspaces, in `merels stats` and at the end of `merels solve`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bytesize::ByteSize;
use merels_core::{Placing, Ruleset, Subspace, grouped};
use merels_db::TableInfo;
use merels_json::Counts;
use serde::Serialize;

/// Counts of a subspace, or the totals.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// None for the totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) subspace: Option<String>,
    #[serde(flatten)]
    pub(crate) counts: Counts,
    /// The digest of the values, in hexadecimal digits; none for the totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<String>,
}

impl Row {
    /// Headings of [`Row::cells`].
    pub(crate) const HEADINGS: [&str; 9] = [
        "subspace",
        "entries",
        "positions",
        "wins",
        "draws",
        "losses",
        "longest win",
        "longest loss",
        "size",
    ];

    /// Headings of columns that a narrow terminal can do without, in this order.
    pub(crate) const SPARE: [&str; 4] = ["entries", "size", "solved", "positions"];

    /// The row of a subspace.
    pub(crate) fn new(info: &TableInfo) -> Self {
        Self {
            subspace: Some(info.subspace.to_string()),
            counts: info.into(),
            digest: Some(info.digest.to_string()),
        }
    }

    /// The totals of rows.
    pub(crate) fn total<'a>(rows: impl IntoIterator<Item = &'a Self>) -> Self {
        let counts = rows.into_iter().map(|row| row.counts).sum();
        Self { subspace: None, counts, digest: None }
    }

    /// The name of the subspace, or `total`.
    pub(crate) fn name(&self) -> &str {
        self.subspace.as_deref().unwrap_or("total")
    }

    /// The row for people, under [`Row::HEADINGS`].
    pub(crate) fn cells(&self) -> [String; 9] {
        let longest =
            |plies: Option<u16>| plies.map_or_else(|| "-".into(), |plies| plies.to_string());
        let counts = &self.counts;
        [
            self.name().to_owned(),
            grouped(counts.entries),
            grouped(counts.positions),
            grouped(counts.wins),
            grouped(counts.draws),
            grouped(counts.losses),
            longest(counts.longest_win),
            longest(counts.longest_loss),
            ByteSize::b(counts.size_bytes).display().iec().to_string(),
        ]
    }
}

/// Counts of the subspaces with the same number of stones placed.
#[derive(Debug, Serialize)]
pub(crate) struct PlyRow {
    /// Stones placed by both sides together: 0 for the empty board.
    pub(crate) ply: u8,
    /// The number of subspaces counted.
    pub(crate) subspaces: usize,
    /// The number of subspaces that the game has.
    #[serde(skip)]
    pub(crate) of: usize,
    /// Whether stones may move before all are placed, so that the number does not count plies.
    #[serde(skip)]
    mixed: bool,
    /// The sums of their counts.
    #[serde(flatten)]
    pub(crate) row: Row,
}

impl PlyRow {
    /// The rows of the placing phase, from the empty board on, summed from the rows of subspaces.
    pub(crate) fn all<'a>(
        ruleset: &Ruleset,
        rows: impl IntoIterator<Item = (Subspace, &'a Row)>,
    ) -> Vec<Self> {
        let mut plies = BTreeMap::<u8, Vec<&Row>>::new();
        for (subspace, row) in rows {
            if let Some(ply) = ply_of(ruleset, subspace) {
                plies.entry(ply).or_default().push(row);
            }
        }
        let layers = Subspace::placing_layers(ruleset);
        let row = |(ply, rows): (u8, Vec<&Row>)| Self {
            ply,
            subspaces: rows.len(),
            of: layers.get(usize::from(ply)).map_or(0, Vec::len),
            mixed: ruleset.placing == Placing::Mixed,
            row: Row::total(rows),
        };
        plies.into_iter().map(row).collect()
    }

    /// The ply or the number of stones placed, and how many subspaces are missing.
    pub(crate) fn name(&self) -> String {
        let Self { ply, subspaces, of, mixed, .. } = self;
        let name = if *mixed { format!("{ply} placed") } else { format!("ply {ply}") };
        if subspaces == of { name } else { format!("{name} ({subspaces} of {of})") }
    }

    /// The heading of the number's column.
    pub(crate) const fn heading(ruleset: &Ruleset) -> &'static str {
        match ruleset.placing {
            Placing::First => "ply",
            Placing::Mixed => "placed",
        }
    }
}

/// The number of stones placed in the positions of a subspace; none if no stone is in hand.
pub(crate) fn ply_of(ruleset: &Ruleset, subspace: Subspace) -> Option<u8> {
    let in_hand = subspace.mover_hand() + subspace.other_hand();
    if in_hand == 0 { None } else { (2 * ruleset.stones).checked_sub(in_hand) }
}

/// The order of rows: the moving phase as it is solved, by stones on the board, the more lopsided
/// subspaces first; then the placing phase from its last ply back to the empty board.
pub(crate) fn order(subspace: Subspace) -> impl Ord {
    let (mover, other) = (subspace.mover(), subspace.other());
    let in_hand = subspace.mover_hand() + subspace.other_hand();
    (in_hand, mover + other, Reverse(mover.max(other)), Reverse(mover), subspace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_count_the_stones_placed() {
        let rules = Ruleset::STANDARD;
        assert_eq!(ply_of(&rules, Subspace::placing(0, 0, 9, 9)), Some(0));
        assert_eq!(ply_of(&rules, Subspace::placing(8, 7, 0, 1)), Some(17));
        assert_eq!(ply_of(&rules, Subspace::moving(8, 7)), None);
        // A file of another game in the folder.
        assert_eq!(ply_of(&rules, Subspace::placing(0, 0, 12, 12)), None);
    }

    #[test]
    fn the_placing_phase_follows_from_its_last_ply() {
        let names = ["9-9", "5-4+2-3", "3-3", "0-0+9-9", "4-3", "8-8+1-1"];
        let mut subspaces = names.map(|name| name.parse::<Subspace>().unwrap());
        subspaces.sort_by_key(|&subspace| order(subspace));
        let sorted = subspaces.map(|subspace| subspace.to_string());
        assert_eq!(sorted, ["3-3", "4-3", "9-9", "8-8+1-1", "5-4+2-3", "0-0+9-9"]);
    }
}
