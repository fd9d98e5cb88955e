//! What a board alone leaves out: whose turn it is and the stones in hand, if only one answer fits.

use crate::board::point::Points;
use crate::notation::problem::NotationProblem;
use crate::notation::setup::Setup;
use crate::play::position::{Position, Side, Stones};
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

/// The only position with these stones on the board that a game begun by White can have, with
/// `side` to move if that is known. `example` writes a position with all that is needed.
///
/// # Errors
/// No position fits, or several do.
pub(crate) fn fill_in(
    setup: &Setup<'_>,
    side: Option<Side>,
    ruleset: &Ruleset,
    example: impl Fn(&Position) -> String,
) -> Result<Situation, NotationProblem> {
    let sides: &[Side] = match side {
        Some(Side::White) => &[Side::White],
        Some(Side::Black) => &[Side::Black],
        None => &[Side::White, Side::Black],
    };
    let mut fitting = sides.iter().flat_map(|&side| candidates(setup, side, ruleset));
    match (fitting.next(), fitting.next()) {
        (Some(situation), None) => Ok(situation),
        (Some(one), Some(other)) => Err(NotationProblem::Ambiguous {
            one: example(one.position()),
            other: example(other.position()),
        }),
        (None, _) => {
            let stones = |side: Side| Stones { board: setup.stones(side), hand: 0 };
            let side = side.unwrap_or(Side::White);
            let position = Position::new(stones(Side::White), stones(Side::Black), side);
            Err(match Situation::new(position, ruleset) {
                Err(cause) => cause.into(),
                Ok(_) => NotationProblem::NoHands,
            })
        }
    }
}

/// The positions with these stones on the board and this side to move, by the numbers in hand.
fn candidates<'a>(
    setup: &Setup<'_>,
    side: Side,
    ruleset: &'a Ruleset,
) -> impl Iterator<Item = Situation> + use<'a> {
    let (white, black): (Points, Points) = (setup.stones(Side::White), setup.stones(Side::Black));
    let all = ruleset.stones;
    let hands = (0..=all).flat_map(move |white| (0..=all).map(move |black| (white, black)));
    hands.filter_map(move |(white_hand, black_hand)| {
        let white = Stones { board: white, hand: white_hand };
        let black = Stones { board: black, hand: black_hand };
        let position = Position::new(white, black, side);
        if !position.fits_white_first(ruleset) {
            return None;
        }
        Situation::new(position, ruleset).ok()
    })
}
