//! Plots as SVG.
//!
//! All have a white background and dark text, so that you can read them on a dark page as well. The
//! three outcomes have the same colours everywhere. Readers who cannot distinguish red from green
//! can distinguish these.

use merels_core::{Outcome, Value};
use merels_db::{Statistics, ValueHistogram};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::error::AtlasError;

const WON: RGBColor = RGBColor(0x1f, 0x77, 0xb4);
const DRAWN: RGBColor = RGBColor(0xb8, 0xbc, 0xc2);
const LOST: RGBColor = RGBColor(0xe0, 0x7b, 0x39);
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);

const FONT: &str = "sans-serif";
/// Heights of text, in pixels.
const SMALL: i32 = 12;
const LARGE: i32 = 16;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws on a white background of `size` pixels.
fn drawing(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Result<(), Box<dyn std::error::Error>>,
) -> Result<String, AtlasError> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let drawn = area.fill(&WHITE).map_err(Into::into).and_then(|()| {
        draw(&area)?;
        Ok(area.present()?)
    });
    drop(area);
    drawn.map_err(|error: Box<dyn std::error::Error>| AtlasError::Drawing(error.to_string()))?;
    Ok(svg)
}

fn text_style<'a>(size: i32, horizontal: HPos) -> TextStyle<'a> {
    (FONT, size).into_font().color(&INK).pos(Pos::new(horizontal, VPos::Center))
}

/// The number of decided positions by distance, on a logarithmic scale: one bar for each distance.
/// Odd distances are wins, even ones losses. None if nothing is decided.
pub(crate) fn distances(
    title: &str,
    histogram: &ValueHistogram,
) -> Result<Option<String>, AtlasError> {
    let bars: Vec<_> = histogram
        .iter()
        .filter_map(|(value, count)| match value {
            Value::Win(plies) => Some((plies.0, count, WON)),
            Value::Loss(plies) => Some((plies.0, count, LOST)),
            Value::Draw => None,
        })
        .collect();
    let Some(longest) = bars.iter().map(|&(plies, ..)| plies).max() else { return Ok(None) };
    let most = bars.iter().map(|&(_, count, _)| count).max().unwrap_or(1);
    let svg = drawing((860, 380), |area| {
        let mut chart = ChartBuilder::on(area)
            .caption(title, text_style(LARGE, HPos::Center))
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(72)
            .build_cartesian_2d(
                -0.5..f64::from(longest) + 0.5,
                (0.8..2.0 * most as f64).log_scale(),
            )?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(INK.mix(0.15))
            .axis_style(INK)
            .label_style(text_style(SMALL, HPos::Center))
            .x_desc("plies to the end")
            .y_desc("positions")
            .x_label_formatter(&|plies| format!("{plies:.0}"))
            .y_label_formatter(&|count| power_of_ten(*count))
            .draw()?;
        for (color, label) in [(WON, "won"), (LOST, "lost")] {
            let bars = bars.iter().filter(|&&(.., of)| of == color).map(|&(plies, count, _)| {
                let middle = f64::from(plies);
                let corners = [(middle - 0.4, 0.8), (middle + 0.4, count as f64)];
                Rectangle::new(corners, color.filled())
            });
            chart.draw_series(bars)?.label(label).legend(move |(x, y)| {
                Rectangle::new([(x, y - 5), (x + 12, y + 5)], color.filled())
            });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE)
            .border_style(INK.mix(0.3))
            .label_font(text_style(SMALL, HPos::Left))
            .draw()?;
        Ok(())
    })?;
    Ok(Some(svg))
}

/// Labels of a logarithmic scale: `1`, `10000`, `1e6`.
fn power_of_ten(count: f64) -> String {
    let exponent = count.log10().round();
    if count < 0.95 {
        String::new()
    } else if exponent < 5.0 {
        format!("{count:.0}")
    } else {
        format!("{:.0}e{exponent:.0}", count / 10_f64.powf(exponent))
    }
}

/// Bars of the same height, one for each group of positions, divided by outcome. Each group has a
/// name, and `axis` describes the names.
pub(crate) fn shares(
    title: &str,
    axis: &str,
    groups: &[(String, Statistics)],
) -> Result<String, AtlasError> {
    const LEFT: i32 = 60;
    const TOP: i32 = 44;
    const HEIGHT: i32 = 240;
    const WIDTH: i32 = 34;
    let right = LEFT + WIDTH * groups.len() as i32;
    let size = ((right + 110).max(420) as u32, (TOP + HEIGHT + 64) as u32);
    drawing(size, |area| {
        area.draw(&Text::new(title, (size.0 as i32 / 2, 20), text_style(LARGE, HPos::Center)))?;
        for share in [0, 25, 50, 75, 100] {
            let y = TOP + HEIGHT - HEIGHT * share / 100;
            let line = vec![(LEFT - 4, y), (right, y)];
            area.draw(&PathElement::new(line, INK.mix(0.2)))?;
            let label = format!("{share} %");
            area.draw(&Text::new(label, (LEFT - 8, y), text_style(SMALL, HPos::Right)))?;
        }
        for (i, (name, statistics)) in groups.iter().enumerate() {
            let left = LEFT + WIDTH * i as i32;
            let mut bottom = TOP + HEIGHT;
            let mut sum = 0;
            for (_, count, color) in outcomes(statistics) {
                sum += count;
                let share = sum as f64 / statistics.positions.max(1) as f64;
                let top = TOP + HEIGHT - (f64::from(HEIGHT) * share).round() as i32;
                area.draw(&Rectangle::new(
                    [(left + 3, top), (left + WIDTH - 3, bottom)],
                    color.filled(),
                ))?;
                bottom = top;
            }
            let place = (left + WIDTH / 2, TOP + HEIGHT + 12);
            area.draw(&Text::new(name.clone(), place, text_style(SMALL, HPos::Center)))?;
        }
        let place = ((LEFT + right) / 2, TOP + HEIGHT + 36);
        area.draw(&Text::new(axis, place, text_style(SMALL, HPos::Center)))?;
        legend(area, (right + 16, TOP + 8))
    })
}

/// A field for each subspace without stones in hand. Its colour mixes those of the outcomes; its
/// text is the shares of wins, draws and losses in percent.
pub(crate) fn heat_map(title: &str, fields: &[(u8, u8, Statistics)]) -> Result<String, AtlasError> {
    const LEFT: i32 = 70;
    const TOP: i32 = 64;
    const FIELD: (i32, i32) = (66, 50);
    let bounds = |stones: &mut dyn Iterator<Item = u8>| {
        stones.fold((u8::MAX, 0), |(least, most), n| (least.min(n), most.max(n)))
    };
    let (first_row, last_row) = bounds(&mut fields.iter().map(|field| field.0));
    let (first, last) = bounds(&mut fields.iter().map(|field| field.1));
    let x = |other: u8| LEFT + FIELD.0 * i32::from(other - first);
    let y = |mover: u8| TOP + FIELD.1 * i32::from(mover - first_row);
    let right = x(last) + FIELD.0;
    let bottom = y(last_row) + FIELD.1;
    let size = ((right + 110).max(420) as u32, (bottom + 20) as u32);
    drawing(size, |area| {
        area.draw(&Text::new(title, (size.0 as i32 / 2, 18), text_style(LARGE, HPos::Center)))?;
        let heading = "stones of the other side";
        area.draw(&Text::new(heading, ((LEFT + right) / 2, 40), text_style(SMALL, HPos::Center)))?;
        for other in first..=last {
            let place = (x(other) + FIELD.0 / 2, TOP - 10);
            area.draw(&Text::new(other.to_string(), place, text_style(SMALL, HPos::Center)))?;
        }
        for mover in first_row..=last_row {
            let place = (LEFT - 8, y(mover) + FIELD.1 / 2);
            let label =
                if mover == first_row { format!("to move: {mover}") } else { mover.to_string() };
            area.draw(&Text::new(label, place, text_style(SMALL, HPos::Right)))?;
        }
        for (mover, other, statistics) in fields {
            let (left, top) = (x(*other), y(*mover));
            let corners = [(left + 1, top + 1), (left + FIELD.0 - 1, top + FIELD.1 - 1)];
            area.draw(&Rectangle::new(corners, blend(statistics).filled()))?;
            for (line, (outcome, count, _)) in outcomes(statistics).into_iter().enumerate() {
                let sign = match outcome {
                    Outcome::Win => '+',
                    Outcome::Draw => '=',
                    Outcome::Loss => '-',
                };
                let share = 100.0 * count as f64 / statistics.positions.max(1) as f64;
                let place = (left + FIELD.0 / 2, top + 11 + 14 * line as i32);
                let label = format!("{sign} {share:.1}");
                area.draw(&Text::new(label, place, text_style(SMALL, HPos::Center)))?;
            }
        }
        legend(area, (right + 16, TOP + 8))
    })
}

/// The outcomes, the best first, with counts and colours.
fn outcomes(statistics: &Statistics) -> [(Outcome, u64, RGBColor); 3] {
    [
        (Outcome::Win, statistics.wins, WON),
        (Outcome::Draw, statistics.draws, DRAWN),
        (Outcome::Loss, statistics.losses, LOST),
    ]
}

/// The colours of the outcomes, mixed by their shares and light enough for text.
fn blend(statistics: &Statistics) -> RGBColor {
    const LIGHT: f64 = 0.45;
    let all = statistics.positions.max(1) as f64;
    let mixed = |part: fn(RGBColor) -> u8| {
        let sum: f64 = outcomes(statistics)
            .into_iter()
            .map(|(_, count, color)| count as f64 / all * f64::from(part(color)))
            .sum();
        (sum + (255.0 - sum) * LIGHT).round() as u8
    };
    RGBColor(mixed(|color| color.0), mixed(|color| color.1), mixed(|color| color.2))
}

/// The legend: which colour is which outcome.
fn legend(area: &Area<'_>, (left, top): (i32, i32)) -> Result<(), Box<dyn std::error::Error>> {
    for (i, (outcome, _, color)) in outcomes(&Statistics::default()).into_iter().enumerate() {
        let y = top + 22 * i as i32;
        area.draw(&Rectangle::new([(left, y - 6), (left + 14, y + 6)], color.filled()))?;
        let name = match outcome {
            Outcome::Win => "+ won",
            Outcome::Draw => "= drawn",
            Outcome::Loss => "- lost",
        };
        area.draw(&Text::new(name, (left + 20, y), text_style(SMALL, HPos::Left)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use merels_core::numbering::ValueCode;

    use super::*;

    fn statistics(wins: u64, draws: u64, losses: u64) -> Statistics {
        let positions = wins + draws + losses;
        Statistics { positions, wins, draws, losses, ..Statistics::default() }
    }

    #[test]
    fn plots_have_a_background_and_every_bar() {
        let mut histogram = ValueHistogram::default();
        assert_eq!(distances("Nothing", &histogram).unwrap(), None);
        for (byte, count) in [(255, 1_000_000), (254, 20), (1, 3), (127, 9)] {
            histogram.add_times(ValueCode::from_byte(byte).unwrap(), count);
        }
        let svg = distances("Distances", &histogram).unwrap().unwrap();
        assert!(svg.starts_with("<svg"), "{svg}");
        assert!(svg.contains("fill=\"#FFFFFF\""), "{svg}");
        assert_eq!(svg.matches("#1F77B4").count(), 2 + 1, "two bars and the legend: {svg}");
        assert_eq!(svg.matches("#E07B39").count(), 1 + 1, "{svg}");

        let groups = [("6".to_owned(), statistics(1, 2, 1)), ("7".to_owned(), statistics(0, 0, 5))];
        let svg = shares("Shares", "stones", &groups).unwrap();
        assert!(svg.contains("Shares") && svg.contains("#B8BCC2"), "{svg}");
        let svg =
            heat_map("Map", &[(3, 3, statistics(3, 0, 1)), (4, 3, statistics(0, 4, 0))]).unwrap();
        assert!(svg.contains("+ 75.0") && svg.contains("= 100.0"), "{svg}");
        assert_eq!(
            svg,
            heat_map("Map", &[(3, 3, statistics(3, 0, 1)), (4, 3, statistics(0, 4, 0))]).unwrap()
        );
    }

    #[test]
    fn powers_of_ten_are_short() {
        let texts = [0.8, 1.0, 100.0, 1e4, 1e5, 1e9].map(power_of_ten);
        assert_eq!(texts, ["", "1", "100", "10000", "1e5", "1e9"]);
    }
}
