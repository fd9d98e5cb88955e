//! The content of the page: its sections, in order.

use std::collections::BTreeMap;

use merels_core::{GameEnd, Outcome, Plies, Ruleset, Side, Subspace, draw, grouped};
use merels_db::{Edition, Statistics};
use merels_query::{Line, LineEnd};

use crate::document::{Document, Figure, Table, percent};
use crate::error::AtlasError;
use crate::game::{Game, Longest, Phase, in_hand};
use crate::plots;

/// Plies on one line of a printed game.
const PLIES_IN_A_LINE: usize = 10;

/// The page about `games`, in their order.
pub(crate) fn document(games: &[Game]) -> Result<Document, AtlasError> {
    let mut page = Document { title: "Atlas of solved games".into(), ..Document::default() };
    page.paragraph(
        "`merels atlas` makes this page from the headers of databases; nothing in it is typed by \
         hand. Positions that are images of each other under the symmetries of the board count \
         once. They are won, drawn or lost for the side to move. Distances are plies to the end of \
         the game under best play. `4-3` names the positions in which the side to move has four \
         stones and the other side three; in `4-3+2-1` they have two and one more in hand.",
    );
    page.heading(2, "The games");
    page.table(overview(games));
    for game in games {
        write_game(&mut page, game)?;
    }
    Ok(page)
}

/// A row for each game. Games that differ only in the number of stones come together, by that
/// number.
fn overview(games: &[Game]) -> Table {
    let mut families: Vec<(Ruleset, Vec<&Game>)> = Vec::new();
    for game in games {
        // The same rules with the least number of stones.
        let rules = Ruleset { stones: Ruleset::MIN_STONES, ..game.ruleset };
        match families.iter_mut().find(|(family, _)| *family == rules) {
            Some((_, members)) => members.push(game),
            None => families.push((rules, vec![game])),
        }
    }
    let mut table = Table::new(
        &[&["rules", "stones a side", "empty board"], &COUNTS[..], &["edition"]].concat(),
    );
    for (_, mut members) in families {
        members.sort_by_key(|game| game.ruleset.stones);
        for game in members {
            let (_, sum) = game.sum(|_| true);
            let start = match (&game.opening, game.is_complete()) {
                (Some(opening), _) => opening.value.in_words(),
                (None, true) => "not kept".into(),
                (None, false) => "not solved".into(),
            };
            let rules = [format!("`{}`", game.ruleset), game.ruleset.stones.to_string(), start];
            let edition = [game.edition.to_string()];
            let cells = rules.into_iter().chain(counts(&sum, percent)).chain(edition);
            table.push_about(heading(game), cells);
        }
    }
    table
}

/// The heading of a game.
fn heading(game: &Game) -> String {
    game.ruleset.to_string()
}

fn write_game(page: &mut Document, game: &Game) -> Result<(), AtlasError> {
    let ruleset = &game.ruleset;
    page.heading(2, heading(game));
    if let Some(preset) = Ruleset::PRESETS.iter().find(|preset| preset.ruleset == *ruleset) {
        page.paragraph(format!("{}.", preset.summary));
    }
    if !game.is_complete() {
        page.paragraph(format!(
            "Only a part of this game is solved: {} of its {} subspaces. All numbers are for that \
             part.",
            game.tables.len(),
            game.of
        ));
    }
    if let Some(opening) = &game.opening {
        page.paragraph(format!("The empty board is a {}.", opening.value.in_words()));
        let mut table = Table::new(&["first move", "points", "value", "replies that hold it"]);
        for first in &opening.first_moves {
            table.push([
                first.point.clone(),
                first.points.to_string(),
                first.value.in_words(),
                format!("{} of {}", first.holding, first.replies),
            ]);
        }
        page.table(table);
    }
    page.heading(3, "Outcomes");
    page.table(phases(game));
    write_plots(page, game)?;
    page.heading(3, "Longest games");
    for (longest, outcome) in
        [(&game.longest_win, Outcome::Win), (&game.longest_loss, Outcome::Loss)]
    {
        write_longest(page, game, longest.as_ref(), outcome);
    }
    Ok(())
}

/// Counts by phase.
fn phases(game: &Game) -> Table {
    let mut table = Table::new(&[&["phase", "subspaces"], &COUNTS[..]].concat());
    let part = |part, whole| format!("{} ({})", grouped(part), percent(part, whole));
    let mut push = |name: &str, (subspaces, sum): (usize, Statistics)| {
        table.push([name.to_owned(), subspaces.to_string()].into_iter().chain(counts(&sum, part)));
    };
    for phase in Phase::ALL {
        push(phase.name(), game.sum(|subspace| phase.holds(subspace)));
    }
    push("together", game.sum(|_| true));
    table
}

/// Headings of [`counts`].
const COUNTS: [&str; 6] = ["positions", "won", "drawn", "lost", "longest win", "longest loss"];

/// The counts under [`COUNTS`]. `part` prints a part of a whole.
fn counts(sum: &Statistics, part: impl Fn(u64, u64) -> String) -> [String; 6] {
    let longest =
        |plies: Option<Plies>| plies.map_or_else(|| "-".into(), |plies| plies.to_string());
    [
        grouped(sum.positions),
        part(sum.wins, sum.positions),
        part(sum.draws, sum.positions),
        part(sum.losses, sum.positions),
        longest(sum.longest_win),
        longest(sum.longest_loss),
    ]
}

fn write_plots(page: &mut Document, game: &Game) -> Result<(), AtlasError> {
    let ruleset = game.ruleset;
    let figure = |kind: &str, caption: String, svg| Figure {
        name: format!("{}-{kind}", ruleset.to_string().replace([',', '='], "-")),
        caption,
        svg,
    };
    for phase in Phase::ALL {
        if game.sum(|subspace| phase.holds(subspace)).0 == 0 {
            continue;
        }
        let title = format!("{ruleset}: distances, {} phase", phase.name());
        let Some(histogram) = game.histogram(phase) else {
            page.paragraph(format!(
                "The files of the {} phase have an older format, without the number of positions by distance.",
                phase.name()
            ));
            continue;
        };
        match plots::distances(&title, &histogram)? {
            Some(svg) => page.figure(figure(
                &format!("distances-{}", phase.name()),
                format!(
                    "Positions of the {} phase by distance to the end, on a logarithmic scale",
                    phase.name()
                ),
                svg,
            )),
            None => page.paragraph(format!("In the {} phase everything is drawn.", phase.name())),
        }
    }
    for phase in Phase::ALL {
        let (what, key): (_, &dyn Fn(Subspace) -> u8) = match phase {
            Phase::Moving => ("stones on the board", &Subspace::on_board),
            Phase::Placing => ("stones placed", &|subspace| {
                (2 * ruleset.stones).saturating_sub(in_hand(subspace))
            }),
        };
        let groups = grouped_by(game, |subspace| phase.holds(subspace).then(|| key(subspace)));
        if groups.is_empty() {
            continue;
        }
        let phase = phase.name();
        let svg = plots::shares(&format!("{ruleset}: outcomes, {phase} phase"), what, &groups)?;
        let caption = format!("Outcomes of the {phase} phase by {what}, for the side to move");
        page.figure(figure(&format!("outcomes-{phase}"), caption, svg));
    }
    let fields: Vec<_> = game
        .tables
        .iter()
        .filter(|(subspace, _)| subspace.is_moving())
        .map(|(subspace, table)| (subspace.mover(), subspace.other(), table.statistics))
        .collect();
    if !fields.is_empty() {
        let svg =
            plots::heat_map(&format!("{ruleset}: outcomes by stones of both sides"), &fields)?;
        let caption = "Outcomes of the moving phase by stones of both sides, in percent";
        page.figure(figure("subspaces", caption.into(), svg));
    }
    Ok(())
}

/// The sums of the subspaces for which `key` returns a number, by that number.
fn grouped_by(game: &Game, key: impl Fn(Subspace) -> Option<u8>) -> Vec<(String, Statistics)> {
    let mut groups = BTreeMap::<u8, Statistics>::new();
    for (&subspace, table) in &game.tables {
        if let Some(key) = key(subspace) {
            groups.entry(key).or_default().merge(&table.statistics);
        }
    }
    groups.into_iter().map(|(key, statistics)| (key.to_string(), statistics)).collect()
}

fn write_longest(page: &mut Document, game: &Game, longest: Option<&Longest>, outcome: Outcome) {
    let Some(Longest { subspace, plies, position, line }) = longest else {
        page.paragraph(format!("No position is a {outcome}."));
        return;
    };
    let ruleset = &game.ruleset;
    let heading = format!("Longest {outcome}: {}, in `{subspace}`", plies.in_words());
    let Some(position) = position else {
        page.paragraph(format!(
            "{heading}. The file has an older format, which names no position."
        ));
        return;
    };
    let mover = match position.side() {
        Side::White => "White",
        Side::Black => "Black",
    };
    page.paragraph(format!("{heading}, {mover} to move: `{}`.", position.plain(ruleset)));
    let picture = draw(ruleset.board.geometry(), position);
    match line {
        Some(line) => {
            let text = format!("{picture}\n{}", moves(ruleset, line));
            page.details("The position, and a line of best play from it", text);
        }
        None => {
            page.details("The position", picture);
            page.paragraph(why_no_line(game.edition));
        }
    }
}

const fn why_no_line(edition: Edition) -> &'static str {
    if !edition.has_distances() {
        "The edition `outcome` keeps no distances, so there is no line of best play."
    } else if !edition.can_restore() {
        "The edition `statistics` keeps no values, so there is no line of best play."
    } else {
        "The values of the line of best play are missing."
    }
}

/// The moves of a line, ten plies on each line of text, and how it ends.
fn moves(ruleset: &Ruleset, line: &Line) -> String {
    let geometry = ruleset.board.geometry();
    let mut text = String::new();
    let first = usize::from(line.start.position().side() == Side::Black);
    for (place, step) in line.steps.iter().enumerate() {
        let ply = place + first;
        if place > 0 {
            text.push(if place.is_multiple_of(PLIES_IN_A_LINE) { '\n' } else { ' ' });
        }
        if ply.is_multiple_of(2) {
            text.push_str(&format!("{}. ", ply / 2 + 1));
        } else if place == 0 {
            text.push_str("1... ");
        }
        text.push_str(&step.choice.display(geometry).to_string());
    }
    let end = match line.end {
        LineEnd::Over => {
            let last = line.steps.last().map_or(*line.start.position(), |step| step.position);
            GameEnd::of_position(&last, ruleset).map(|end| format!("The game is over: {end}."))
        }
        LineEnd::Repeats => Some("A position occurs again: a draw.".into()),
        LineEnd::Cut => Some("The line is cut off here.".into()),
    };
    format!("{text}\n{}\n", end.unwrap_or_default())
}
