//! The edges of a board, and the lines that a stone closes by moving along them.

use crate::rows::slides::Slides;

/// An edge of the board from a midpoint to a corner, or to a midpoint with a higher number.
pub(crate) struct Edge {
    pub(crate) points: [u8; 2],
    /// For an arrival on each of the two points from the other: the other points of the line that
    /// it can close; none if there is no such line.
    pub(crate) closes: [u32; 2],
}

/// The edges of a board whose rows can be swept.
pub(crate) struct Edges(pub(crate) Vec<Edge>);

impl Edges {
    /// The edges of the board with these slides and this mask of `corners`. None if its rows cannot
    /// be swept: two corners are neighbours, or an arriving stone can close more than one line.
    pub(crate) fn of(slides: &Slides, corners: u32) -> Option<Self> {
        let mut edges = Vec::new();
        for point in 0..24 {
            for other in ones(slides.neighbours(point)) {
                let [is_corner, other_is_corner] = [point, other].map(|p| corners >> p & 1 == 1);
                if is_corner && other_is_corner {
                    return None;
                }
                if is_corner || !other_is_corner && point > other {
                    continue;
                }
                let closes = [closes(slides, point, other)?, closes(slides, other, point)?];
                edges.push(Edge { points: [point as u8, other as u8], closes });
            }
        }
        Some(Self(edges))
    }
}

/// The other points of the only line that a stone can close by arriving on `point` from `other`; no
/// points if there is no such line. None if there are several.
fn closes(slides: &Slides, point: usize, other: usize) -> Option<u32> {
    let lines = slides.lines().iter();
    let mut lines = lines.filter(|&line| line >> point & 1 == 1 && line >> other & 1 == 0);
    let rest = lines.next().map_or(0, |line| line & !(1 << point));
    lines.next().is_none().then_some(rest)
}

/// The positions of the ones of a mask.
#[inline(always)]
pub(crate) fn ones(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lowest
        })
    })
}

/// The unions of two `lines` that have points in common.
pub(crate) fn crossings(lines: &[u32]) -> Vec<u32> {
    let pairs = lines.iter().enumerate().flat_map(|(i, line)| {
        let others = lines[i + 1..].iter().filter(move |&other| line & other != 0);
        others.map(move |other| line | other)
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use merels_core::Board;

    use super::*;

    /// The edges of the standard board, and the lines that an arrival along them can close.
    #[test]
    fn every_edge_lies_in_a_line() {
        let slides = Slides::of(Board::Nine);
        let edges = Edges::of(&slides, 0xfff).unwrap();
        assert_eq!(edges.0.len(), 32);
        for edge in &edges.0 {
            for ([point, other], rest) in
                [edge.points, [edge.points[1], edge.points[0]]].into_iter().zip(edge.closes)
            {
                assert_eq!(rest.count_ones(), 2);
                assert!(slides.lines().contains(&(rest | 1 << point)));
                assert_eq!(rest >> other & 1, 0);
            }
        }
        // Neighbouring corners, and many lines through one point.
        assert!(Edges::of(&Slides::of(Board::Twelve), 0xfff).is_none());
        // From an arm of the cross a stone reaches a centre on which several lines meet.
        assert!(Edges::of(&Slides::of(Board::Seven), 0xff).is_none());
    }

    #[test]
    fn two_lines_have_five_points_or_four() {
        // Each point on two lines counts once, each point on three lines three times.
        for (board, count) in [(Board::Nine, 24), (Board::Twelve, 48), (Board::Six, 8)] {
            let lines: Vec<_> = board.geometry().lines().iter().map(|line| line.bits()).collect();
            let crossings = crossings(&lines);
            assert_eq!(crossings.len(), count, "{board}");
            assert!(crossings.iter().all(|points| points.count_ones() == 5), "{board}");
        }
        let lines: Vec<_> =
            Board::Seven.geometry().lines().iter().map(|line| line.bits()).collect();
        let fours = crossings(&lines).into_iter().filter(|points| points.count_ones() == 4);
        assert_eq!(fours.count(), 4);
    }
}
