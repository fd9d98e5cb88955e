//! Sizes of the moving phase of the standard game against published totals.

use merels_core::numbering::{Pair, SubspaceIndex, binomial, burnside_count};
use merels_core::{Board, Ruleset, Subspace};

fn entries(subspace: Subspace) -> u64 {
    SubspaceIndex::new(Board::Nine, subspace).entries()
}

#[test]
fn boards_without_symmetry() {
    let boards: u64 = Subspace::all_moving(&Ruleset::STANDARD)
        .into_iter()
        .map(|subspace| {
            let (mover, other) = (subspace.mover(), subspace.other());
            binomial(24, mover) * binomial(24 - mover, other)
        })
        .sum();
    assert_eq!(boards, 142_430_121_724);
}

#[test]
fn positions_up_to_symmetry() {
    let count = |mover, other| burnside_count(Board::Nine.geometry(), mover, other);
    let published = [
        ((3, 3), 169_626),
        ((4, 3), 760_398),
        ((4, 4), 3_225_597),
        ((5, 5), 30_914_424),
        ((8, 8), 591_726_690),
        ((9, 9), 409_106_740),
    ];
    for ((mover, other), positions) in published {
        assert_eq!(count(mover, other), positions, "{mover}-{other}");
        assert_eq!(count(other, mover), positions, "{other}-{mover}");
    }
    let all = Subspace::all_moving(&Ruleset::STANDARD);
    let total: u64 = all.iter().map(|subspace| count(subspace.mover(), subspace.other())).sum();
    assert_eq!(total, 8_904_593_601);
}

#[test]
fn index_entries() {
    let all = Subspace::all_moving(&Ruleset::STANDARD);
    assert_eq!(all.into_iter().map(entries).sum::<u64>(), 9_193_626_407);
}

/// Gasser keyed both subspaces of a pair by the side that makes the index smaller, and counted the
/// pair twice where the sides differ.
#[test]
fn index_range_of_gassers_paper() {
    let range: u64 = Pair::all_moving(&Ruleset::STANDARD)
        .into_iter()
        .map(|pair| {
            let subspaces: Vec<_> = pair.subspaces().collect();
            let smaller = subspaces.iter().copied().map(entries).min().unwrap();
            smaller * subspaces.len() as u64
        })
        .sum();
    assert_eq!(range, 9_074_932_579);
}
