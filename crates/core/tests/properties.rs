//! Properties of every position: symmetry of the rules, numbers of stones, canonical forms.

use merels_core::numbering::SubspaceIndex;
use merels_core::{
    Board, Move, Placing, Point, Points, Position, Ruleset, Side, Stones, Subspace, Symmetry,
};
use proptest::prelude::*;

fn rulesets() -> impl Strategy<Value = Ruleset> {
    prop::sample::select(Ruleset::PRESETS).prop_map(|preset| preset.ruleset)
}

/// A ruleset and a position with up to its number of stones on either side, board and hand.
fn positions() -> impl Strategy<Value = (Ruleset, Position)> {
    rulesets().prop_flat_map(|ruleset| {
        let points: Vec<_> = ruleset.board.geometry().points().into_iter().collect();
        let most = ruleset.stones;
        let stones = move || (0..=most).prop_flat_map(move |board| (Just(board), 0..=most - board));
        let side = prop::sample::select(vec![Side::White, Side::Black]);
        (Just(points).prop_shuffle(), stones(), stones(), any::<bool>(), side).prop_map(
            move |(points, white, black, moving, side)| {
                let (first, rest) = points.split_at(white.0 as usize);
                let second = &rest[..black.0 as usize];
                let stones = |points: &[Point], hand| Stones {
                    board: points.iter().copied().collect(),
                    hand: if moving { 0 } else { hand },
                };
                (ruleset, Position::new(stones(first, white.1), stones(second, black.1), side))
            },
        )
    })
}

fn image_of_move(symmetry: &Symmetry, mv: &Move) -> Move {
    Move {
        from: mv.from.map(|from| symmetry.apply(from)),
        to: symmetry.apply(mv.to),
        removes: symmetry.apply_set(mv.removes),
    }
}

fn image(symmetry: &Symmetry, position: &Position) -> Position {
    let stones = |side| {
        let Stones { board, hand } = position.stones(side);
        Stones { board: symmetry.apply_set(board), hand }
    };
    Position::new(stones(Side::White), stones(Side::Black), position.side())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn moves_commute_with_symmetries((ruleset, position) in positions()) {
        let moves = ruleset.legal_moves(&position);
        for (_, symmetry) in ruleset.board.geometry().symmetries().iter() {
            let there = image(symmetry, &position);
            let mut mapped: Vec<_> = moves.iter().map(|mv| image_of_move(symmetry, mv)).collect();
            let mut legal = ruleset.legal_moves(&there);
            mapped.sort();
            legal.sort();
            prop_assert_eq!(mapped, legal);
            prop_assert_eq!(ruleset.ending(&there), ruleset.ending(&position));
            for mv in &moves {
                let next = image_of_move(symmetry, mv).apply(&there);
                prop_assert_eq!(next, image(symmetry, &mv.apply(&position)));
            }
        }
    }

    #[test]
    fn stones_add_up_after_every_move((ruleset, position) in positions()) {
        let geometry = ruleset.board.geometry();
        let (mover, other) = (position.mover(), position.other());
        let before = position.subspace();
        let moves = ruleset.legal_moves(&position);
        let mut distinct = moves.clone();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), moves.len(), "no move is listed twice");
        for mv in moves {
            let next = mv.apply(&position);
            prop_assert_eq!(next.side(), position.side().opponent());
            prop_assert!(!position.occupied().contains(mv.to));
            prop_assert!(other.board.contains_all(mv.removes));
            prop_assert!(!next.mover().board.intersects(next.other().board));
            prop_assert!(geometry.points().contains_all(next.occupied()));
            // The side that moved keeps its stones; only the other side loses some.
            prop_assert_eq!(next.other().total(), mover.total());
            prop_assert_eq!(next.mover().total() + mv.removes.len(), other.total());
            prop_assert_eq!(next.mover().hand, other.hand);
            match mv.from {
                None => {
                    prop_assert!(mover.hand > 0);
                    prop_assert_eq!(next.other().board, mover.board.with(mv.to));
                }
                Some(from) => {
                    prop_assert!(mover.hand == 0 || ruleset.placing == Placing::Mixed);
                    prop_assert!(mover.board.contains(from));
                    prop_assert!(
                        ruleset.flies(mover.total()) || geometry.neighbours(from).contains(mv.to)
                    );
                    prop_assert_eq!(next.other().board, mover.board.without(from).with(mv.to));
                    let after = match mv.removes.len() {
                        0 => Some(before.swapped()),
                        1 => before.after_removal(),
                        _ => continue,
                    };
                    match after {
                        Some(after) => prop_assert_eq!(next.subspace(), after),
                        None => prop_assert!(ruleset.ending(&next).is_some()),
                    }
                }
            }
        }
    }

    #[test]
    fn a_removal_needs_a_mill_and_takes_no_more_than_one_stone_for_each((ruleset, position) in positions()) {
        let geometry = ruleset.board.geometry();
        for mv in ruleset.legal_moves(&position) {
            let stones = mv.apply(&position).other().board;
            let mills = geometry.mills_at(stones, mv.to);
            prop_assert!(mv.removes.len() as usize <= mills.min(2));
            if mills == 0 {
                continue;
            }
            // A mill removes nothing only if no stone may be removed.
            prop_assert_eq!(
                mv.removes.is_empty(),
                ruleset.removable(position.other().board).is_empty()
            );
            // Without diagonals, a slide to a point leaves one of its two lines.
            let slides = mv.from.is_some() && !ruleset.flies(position.mover().total());
            if slides && matches!(ruleset.board, Board::Nine | Board::Six) {
                prop_assert_eq!(mills, 1);
            }
        }
    }

    #[test]
    fn slides_that_close_nothing_can_be_taken_back((ruleset, position) in positions()) {
        // With the same side to move again, the stone may go back to where it came from.
        if position.mover().hand > 0 {
            return Ok(());
        }
        for mv in ruleset.legal_moves(&position) {
            let (Some(from), true) = (mv.from, mv.removes.is_empty()) else { continue };
            let next = mv.apply(&position);
            let again = Position::new(
                next.stones(Side::White),
                next.stones(Side::Black),
                position.side(),
            );
            let back = ruleset.legal_moves(&again);
            prop_assert!(back.iter().any(|back| back.from == Some(mv.to) && back.to == from));
        }
    }

    #[test]
    fn all_images_of_a_set_have_one_canonical_form(
        board in prop::sample::select(Board::ALL.to_vec()),
        mask: u32,
    ) {
        let geometry = board.geometry();
        let set = geometry.points().intersection(Points::from_bits(mask >> 8));
        let symmetries = geometry.symmetries();
        let (smallest, led) = symmetries.canonical(set);
        prop_assert_eq!(symmetries.apply(led, set), smallest);
        prop_assert_eq!(symmetries.canonical(smallest).0, smallest);
        for (_, symmetry) in symmetries.iter() {
            let there = symmetry.apply_set(set);
            prop_assert!(smallest <= there);
            prop_assert_eq!(symmetries.canonical(there).0, smallest);
        }
    }

    #[test]
    fn an_entry_stands_for_images_of_one_position(
        mover in 3_u8..=9,
        other in 3_u8..=9,
        points in Just((0..24).map(Point::new).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let set = |points: &[Point]| points.iter().copied().collect::<Points>();
        let (key, rest) = points.split_at(mover as usize);
        let (key, stones) = (set(key), set(&rest[..other as usize]));
        let order = SubspaceIndex::new(Board::Nine, Subspace::moving(mover, other));
        let index = order.index_of(key, stones);
        prop_assert!(index.0 < order.entries());
        let found = order.stones_at(index);
        let symmetries = Board::Nine.geometry().symmetries();
        prop_assert!(
            symmetries.iter().any(|(_, s)| (s.apply_set(key), s.apply_set(stones)) == found)
        );
    }
}
