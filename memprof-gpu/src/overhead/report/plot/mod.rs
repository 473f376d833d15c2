//! A report as a drawing: a panel for each operation, with the ratio over the size.

mod axis;
mod colours;
mod panel;

use super::{Clock, Report, Series};
use axis::Axis;
use colours::{INK, MUTED, PAPER, colour};
use core::error::Error;
use core::fmt;
use memprof_profile::Device;
use panel::Panel;
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, DashedPathElement, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle};

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

const MARGIN: i32 = 24;
/// Title and legend.
const HEAD: i32 = 92;
/// The name of a device above its panels.
const BAND: i32 = 30;
const PANEL: (i32, i32) = (232, 190);
const COLUMNS: usize = 4;
/// Below it the legend would not fit.
const LEAST_COLUMNS: usize = 3;

/// Why there is no drawing.
#[non_exhaustive]
pub enum PlotError {
    /// No row has a ratio.
    Nothing,
    /// The drawing could not be made.
    Drawing(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for PlotError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => out.write_str(
                "there is nothing to draw: no operation was measured whose ratio is known",
            ),
            Self::Drawing(_) => out.write_str("the drawing could not be made"),
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for PlotError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for PlotError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Nothing => None,
            Self::Drawing(cause) => Some(cause.as_ref()),
        }
    }
}

/// The series of one device, in panels.
struct Section<'r> {
    device: Device,
    panels: Vec<(&'r str, Vec<Series<'r>>)>,
}

impl Report {
    /// The ratios over the sizes as an SVG: a panel for each operation, both axes logarithmic, the
    /// noise as a band around 1. It is readable on light and on dark pages, whose choice it follows.
    ///
    /// # Errors
    /// If no operation was measured whose ratio is known.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let sections = sections(self);
        if sections.is_empty() {
            return Err(PlotError::Nothing);
        }
        let most = sections.iter().map(|section| section.panels.len()).max().unwrap_or(0);
        let columns = most.clamp(LEAST_COLUMNS, COLUMNS);
        let rows = |section: &Section<'_>| pixels(section.panels.len().div_ceil(columns));
        let heights = sections.iter().map(|section| BAND + rows(section) * PANEL.1);
        let width = 2 * MARGIN + pixels(columns) * PANEL.0;
        let height = HEAD + heights.sum::<i32>() + MARGIN / 2;
        let mut svg = String::new();
        let size = (width.unsigned_abs(), height.unsigned_abs());
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&area, &sections, columns, width)
            .and_then(|()| area.present())
            .map_err(|error| PlotError::Drawing(Box::new(error)))?;
        drop(area);
        Ok(colours::with_both_themes(&svg))
    }
}

fn sections(report: &Report) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for mut series in report.series() {
        series.timings.retain(|(_, timing)| {
            timing.ratio.is_some_and(|ratio| ratio.value.is_finite() && ratio.value > 0.0)
        });
        series.timings.sort_by_key(|(elements, _)| *elements);
        if series.timings.is_empty() {
            continue;
        }
        let index = sections.iter().position(|section| section.device == series.device);
        let index = index.unwrap_or_else(|| {
            sections.push(Section { device: series.device, panels: Vec::new() });
            sections.len() - 1
        });
        let panels = &mut sections[index].panels;
        match panels.iter_mut().find(|(operation, _)| *operation == series.operation) {
            Some((_, others)) => others.push(series),
            None => panels.push((series.operation, vec![series])),
        }
    }
    sections
}

fn draw(area: &Area<'_>, sections: &[Section<'_>], columns: usize, width: i32) -> Drawn {
    area.fill(&PAPER)?;
    write(
        area,
        "time through the wrapper ÷ time of the raw operation",
        (MARGIN, 20),
        INK,
        17,
        true,
    )?;
    let all = || sections.iter().flat_map(|section| &section.panels).flat_map(|(_, series)| series);
    let mut dtypes: Vec<&str> = all().map(|series| series.dtype).collect();
    let mut seen = Vec::new();
    dtypes.retain(|dtype| {
        !seen.contains(dtype) && {
            seen.push(*dtype);
            true
        }
    });
    legend(area, &dtypes, all().any(|series| series.clock == Clock::Device))?;
    let mut top = HEAD;
    for section in sections {
        let ours = || section.panels.iter().flat_map(|(_, series)| series);
        let (sizes, ratios) = (Axis::of_sizes(ours()), Axis::of_ratios(ours()));
        write(area, &section.device.to_string(), (MARGIN, top), INK, 14, true)?;
        area.draw(&PathElement::new(
            vec![(MARGIN + 64, top + 9), (width - MARGIN, top + 9)],
            colours::GRID.stroke_width(1),
        ))?;
        for (index, (operation, series)) in section.panels.iter().enumerate() {
            let (row, column) = (pixels(index / columns), pixels(index % columns));
            let corner = (MARGIN + column * PANEL.0, top + BAND + row * PANEL.1);
            Panel { area, corner, sizes: &sizes, ratios: &ratios }
                .draw(operation, series, &dtypes)?;
        }
        top += BAND + pixels(section.panels.len().div_ceil(columns)) * PANEL.1;
    }
    Ok(())
}

/// Types by colour, then what lines and marks mean.
fn legend(area: &Area<'_>, dtypes: &[&str], has_devices: bool) -> Drawn {
    const LINE: i32 = 58;
    let mut left = MARGIN;
    for (index, dtype) in dtypes.iter().enumerate() {
        let style = colour(index).stroke_width(2);
        area.draw(&PathElement::new(vec![(left, LINE), (left + 18, LINE)], style))?;
        area.draw(&Circle::new((left + 9, LINE), 3, colour(index).filled()))?;
        write(area, dtype, (left + 24, LINE - 6), INK, 12, false)?;
        left += 24 + wide(dtype) + 18;
    }
    if has_devices {
        for (clock, style) in [("host time", false), ("device time", true)] {
            stroke(area, &[(left, LINE), (left + 24, LINE)], MUTED.stroke_width(2), style)?;
            write(area, clock, (left + 30, LINE - 6), MUTED, 12, false)?;
            left += 30 + wide(clock) + 18;
        }
    }
    for (words, is_filled) in [("differs", true), ("within the noise", false)] {
        mark(area, (left + 4, LINE), MUTED, is_filled)?;
        write(area, words, (left + 14, LINE - 6), MUTED, 12, false)?;
        left += 14 + wide(words) + 18;
    }
    area.draw(&Rectangle::new([(left, LINE - 6), (left + 18, LINE + 6)], colours::BAND.filled()))?;
    write(area, "noise: raw ÷ raw", (left + 24, LINE - 6), MUTED, 12, false)
}

/// A count as a factor of lengths, which stay in range.
fn pixels(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX).min(100_000)
}

/// About how wide a word is in the legend's size.
fn wide(word: &str) -> i32 {
    6 * pixels(word.chars().count())
}

fn mark(area: &Area<'_>, at: (i32, i32), colour: RGBColor, is_filled: bool) -> Drawn {
    area.draw(&Circle::new(at, 3, if is_filled { colour.filled() } else { PAPER.filled() }))?;
    area.draw(&Circle::new(at, 3, colour.stroke_width(1)))
}

fn stroke(area: &Area<'_>, points: &[(i32, i32)], style: ShapeStyle, is_dashed: bool) -> Drawn {
    if is_dashed {
        area.draw(&DashedPathElement::new(points.to_vec(), 5, 3, style))
    } else {
        area.draw(&PathElement::new(points.to_vec(), style))
    }
}

fn write(
    area: &Area<'_>,
    text: &str,
    at: (i32, i32),
    colour: RGBColor,
    size: i32,
    is_bold: bool,
) -> Drawn {
    let weight = if is_bold { FontStyle::Bold } else { FontStyle::Normal };
    let style: TextStyle<'_> = ("sans-serif", size, weight).into_font().color(&colour);
    area.draw(&Text::new(text, at, style))
}

fn write_at(
    area: &Area<'_>,
    text: &str,
    at: (i32, i32),
    colour: RGBColor,
    anchor: (HPos, VPos),
) -> Drawn {
    let style: TextStyle<'_> = ("sans-serif", 11).into_font().color(&colour);
    area.draw(&Text::new(text, at, style.pos(Pos::new(anchor.0, anchor.1))))
}
