//! Published facts about the standard game.
//!
//! Sides in positions are those of the publication. A distance is in plies to the end of the game.

use merels_core::numbering::ValueCode;
use merels_core::{
    Board, Outcome, Plies, Position, Ruleset, Side, Subspace, SymmetryId, Value, grouped,
};
use merels_db::Statistics;

use crate::claims::claim::{Claim, first_stone, opening, outcomes, outcomes_of, stones};
use crate::claims::evidence::Evidence;
use crate::error::VerifyError;
use crate::fast::successors::needed;
use crate::plain::ranked_moves;

const RULES: Ruleset = Ruleset::STANDARD;

/// R. Gasser, Solving Nine Men's Morris, MSRI Publications 29, 1996.
const GASSER: &str = "Gasser 1996";
/// Two independent public solvers, whose tables agree with each other.
const TABLES: &str = "two public solvers, 2026";

/// By distance: positions of 3-3 that are won, and that are lost.
const WON_3_3: &str = "1:66472 3:33775 5:16651 7:6619 9:4770 11:2561 13:3808 15:2506 17:1185 \
                       19:776 21:1125 23:346 25:27";
const LOST_3_3: &str = "2:3125 4:4700 6:3998 8:2496 10:2099 12:2160 14:2261 16:2387 18:2116 \
                        20:2122 22:1079 24:123 26:70";

const fn moving(mover: u8, other: u8) -> Subspace {
    Subspace::moving(mover, other)
}

/// All claims, the most famous first.
pub(super) fn claims() -> Vec<Claim> {
    let mut claims = opening_claims();
    claims.extend(share_claims());
    claims.extend(count_claims());
    claims.extend(placing_counts());
    claims.extend(position_claims());
    claims
}

fn opening_claims() -> Vec<Claim> {
    let (start, first) = opening(&RULES);
    let empty = Claim::new(GASSER, "the game is a draw", "draw", vec![start], |evidence| {
        Ok(evidence.value(&Position::start(&RULES))?.to_string())
    });
    let stones = Claim::new(
        TABLES,
        "all four kinds of first stones draw",
        "draw, draw, draw, draw",
        vec![first],
        |evidence| {
            let geometry = RULES.board.geometry();
            let symmetries = geometry.symmetries();
            let kinds = geometry.points().into_iter();
            let kinds =
                kinds.filter(|point| symmetries.canonical(point.set()).1 == SymmetryId::IDENTITY);
            let outcomes = kinds.map(|point| Ok(first_stone(evidence, &RULES, point)?.to_string()));
            Ok(outcomes.collect::<Result<Vec<_>, VerifyError>>()?.join(", "))
        },
    );
    vec![empty, stones]
}

/// A claim about the counts of one subspace.
fn counted(
    source: &'static str,
    subspace: Subspace,
    claim: &str,
    expected: impl Into<String>,
    find: impl Fn(&Statistics) -> String + 'static,
) -> Claim {
    let find = move |evidence: &Evidence<'_>| Ok(find(&evidence.statistics(subspace)?));
    Claim::new(source, format!("{subspace}: {claim}"), expected, vec![subspace], find)
}

fn share_claims() -> Vec<Claim> {
    let mut claims = vec![
        counted(GASSER, moving(3, 3), "82.9 % of the positions are won", "82.9 %", |counts| {
            format!("{:.1} %", 100.0 * counts.wins as f64 / counts.positions as f64)
        }),
        counted(
            GASSER,
            moving(3, 3),
            "no loss is longer than 26 plies",
            "longest loss 26",
            |counts| format!("longest loss {}", counts.longest_loss.unwrap_or_default()),
        )
        .about_distances(),
        counted(TABLES, moving(4, 3), "every win is immediate", "longest win 1", |counts| {
            format!("longest win {}", counts.longest_win.unwrap_or_default())
        })
        .about_distances(),
    ];
    claims.extend((6..=9).map(|other| {
        let subspace = moving(3, other);
        counted(TABLES, subspace, "nothing is won", "0 won", |counts| {
            format!("{} won", grouped(counts.wins))
        })
    }));
    claims.extend((5..=9).map(|mover| {
        let subspace = moving(mover, 3);
        counted(TABLES, subspace, "nothing is lost", "0 lost", |counts| {
            format!("{} lost", grouped(counts.losses))
        })
    }));
    claims
}

fn count_claims() -> Vec<Claim> {
    let rows = [
        (moving(3, 3), outcomes(140_621, 269, 28_736, Some(25), Some(26))),
        (moving(3, 4), outcomes(102_281, 658_117, 0, Some(33), None)),
        (moving(4, 3), outcomes(75_397, 681_906, 3_095, Some(1), Some(32))),
        (moving(4, 4), outcomes(159, 3_225_409, 29, Some(9), Some(8))),
    ];
    let mut claims: Vec<_> = rows
        .into_iter()
        .map(|(subspace, row)| {
            counted(TABLES, subspace, "outcomes", row, outcomes_of).about_distances()
        })
        .collect();
    let three = moving(3, 3);
    let won = |plies| ValueCode::from_value(Value::Win(plies));
    let lost = |plies| ValueCode::from_value(Value::Loss(plies));
    for (outcome, expected, code) in
        [("won", WON_3_3, won as fn(Plies) -> Option<ValueCode>), ("lost", LOST_3_3, lost)]
    {
        let claim = format!("3-3: {outcome} positions by distance");
        let by_distance = Claim::new(TABLES, claim, expected, vec![three], move |evidence| {
            let counts = evidence.counts(three)?;
            let by_distance = (0..=ValueCode::MAX_PLIES.0).filter_map(|plies| {
                let count = counts.positions.count(code(Plies(plies))?);
                (count > 0).then(|| format!("{plies}:{count}"))
            });
            Ok(by_distance.collect::<Vec<_>>().join(" "))
        });
        claims.push(by_distance.about_distances());
    }
    let boards = "2,232,160 won, 4,112 drawn, 455,648 lost of 2,691,920";
    claims.push(Claim::new(
        TABLES,
        "3-3: images counted apart",
        boards,
        vec![three],
        move |evidence| {
            let counts = evidence.counts(three)?.boards.statistics();
            let [wins, draws, losses, all] =
                [counts.wins, counts.draws, counts.losses, counts.positions].map(grouped);
            Ok(format!("{wins} won, {draws} drawn, {losses} lost of {all}"))
        },
    ));
    claims.extend(totals());
    claims
}

fn totals() -> [Claim; 2] {
    let sum = |evidence: &Evidence<'_>| {
        let mut total = Statistics::default();
        for subspace in Subspace::all_moving(&RULES) {
            let counts = evidence.statistics(subspace)?;
            total.positions += counts.positions;
            total.wins += counts.wins;
            total.draws += counts.draws;
            total.losses += counts.losses;
            total.longest_win = total.longest_win.max(counts.longest_win);
            total.longest_loss = total.longest_loss.max(counts.longest_loss);
        }
        Ok::<_, VerifyError>(total)
    };
    let expected = outcomes(4_325_452_782, 1_832_093_880, 2_747_046_939, Some(203), Some(204));
    let expected = format!("{} positions: {expected}", grouped(8_904_593_601));
    let all = Subspace::all_moving(&RULES);
    let total = Claim::new(
        TABLES,
        "all 49 subspaces without stones in hand",
        expected,
        all,
        move |evidence| {
            let total = sum(evidence)?;
            Ok(format!("{} positions: {}", grouped(total.positions), outcomes_of(&total)))
        },
    );
    let longest = Claim::new(
        TABLES,
        "where the longest win and the longest loss are",
        "win in 203 in 8-7, loss in 204 in 7-8",
        vec![moving(8, 7), moving(7, 8)],
        |evidence| {
            let win = evidence.statistics(moving(8, 7))?.longest_win.unwrap_or_default();
            let loss = evidence.statistics(moving(7, 8))?.longest_loss.unwrap_or_default();
            Ok(format!("win in {win} in 8-7, loss in {loss} in 7-8"))
        },
    );
    [total.about_distances(), longest.about_distances()]
}

fn placing_counts() -> Vec<Claim> {
    let rows = [
        ("ply 2", Subspace::placing(1, 1, 8, 8), [46, 0, 46, 0]),
        ("ply 3", Subspace::placing(1, 2, 8, 7), [428, 31, 397, 0]),
        ("ply 4", Subspace::placing(2, 2, 7, 7), [4200, 532, 3641, 27]),
    ];
    let line = |[positions, wins, draws, losses]: [u64; 4]| {
        let [positions, wins, draws, losses] = [positions, wins, draws, losses].map(grouped);
        format!("{positions} positions: {wins} won, {draws} drawn, {losses} lost")
    };
    let claim = |(ply, subspace, row)| {
        counted(
            TABLES,
            subspace,
            &format!("outcomes after {ply} of the opening"),
            line(row),
            move |counts| line([counts.positions, counts.wins, counts.draws, counts.losses]),
        )
    };
    rows.into_iter().map(claim).collect()
}

fn position(white: (&str, u8), black: (&str, u8), side: Side) -> Position {
    Position::new(
        stones(Board::Nine, white.0, white.1),
        stones(Board::Nine, black.0, black.1),
        side,
    )
}

fn position_claims() -> Vec<Claim> {
    use Side::{Black, White};
    let board = |white, black, side| position((white, 0), (black, 0), side);
    let blocked = board("d7 d6 a4 b4 e5 c3 e3 d2 g1", "a7 b6 c5 d5 c4 d3 b2 a1 d1", Black);
    let exact = [
        (GASSER, "figure 9", board("d7 g7 g1", "a4 g4 d5", Black), "loss in 26"),
        (GASSER, "figure 14", position(("a7 g1 a1", 6), ("d6 d2", 7), Black), "win in 39"),
        (GASSER, "figure 3 (blocked)", blocked, "loss in 0"),
        (TABLES, "a longest win", board("a4 a7 g7", "d7 d1 a1", White), "win in 25"),
        (TABLES, "a longest loss", board("g7 g4 b6 c4", "d7 g1 d6", White), "loss in 32"),
        (TABLES, "blocked", board("a4 a7 d7 g7", "g4 a1 b4 d6", White), "loss in 0"),
        (TABLES, "a win by blocking", board("d7 g4 g1 b4", "a4 a7 g7 a1", White), "win in 1"),
        (TABLES, "all stones in mills", board("a4 a7 d7", "g7 g4 g1", White), "win in 1"),
        (TABLES, "a draw", board("a4 d7 g1", "g7 d1 b4 c5", White), "draw"),
    ];
    let mut claims: Vec<_> = exact
        .into_iter()
        .map(|(source, name, position, value)| {
            let subspace = position.subspace();
            let claim = format!("a position of {subspace}: {name}");
            let claim = Claim::new(source, claim, value, vec![subspace], move |evidence| {
                Ok(evidence.value(&position)?.to_string())
            });
            if value == "draw" { claim } else { claim.about_distances() }
        })
        .collect();

    let figure_10 = board("a7 d7 b6 d5 c4 c3 d3 a1", "d6 f6 c5 a4 e3 b2 g1", White);
    let needs = vec![figure_10.subspace()];
    claims.push(Claim::new(
        GASSER,
        "a position of 8-7: figure 10",
        "win",
        needs,
        move |evidence| Ok(evidence.value(&figure_10)?.outcome().to_string()),
    ));

    let figure_12 = position(("d6 b4 e4 d3 f2", 4), ("d5 c4 f4 d2", 5), Black);
    let mut needs = needed(&RULES, figure_12.subspace());
    needs.push(figure_12.subspace());
    claims.push(Claim::new(
        GASSER,
        "figure 12: a draw, and so is every legal move",
        "draw, 0 other moves",
        needs,
        move |evidence| {
            let moves = ranked_moves(&RULES, &figure_12, &evidence.database)?;
            let others = moves.iter().filter(|ranked| ranked.value.outcome() != Outcome::Draw);
            Ok(format!("{}, {} other moves", evidence.value(&figure_12)?, others.count()))
        },
    ));
    claims
}
