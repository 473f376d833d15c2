//! One operation: its ratios over the sizes.

use super::colours::{BAND, GRID, INK, MUTED, colour};
use super::{Area, Axis, Clock, Drawn, PANEL, Series, mark, stroke, write, write_at};
use crate::overhead::comparison::{Timing, Verdict};
use memprof_profile::text::{Shown, shortened};
use plotters::element::{PathElement, Polygon};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

/// From the panel's corner to the axes' ends: left, top, right, bottom.
const INSET: (i32, i32, i32, i32) = (44, 24, 14, 34);
/// Pixels from one label to the next.
const APART: (f64, f64) = (40.0, 18.0);
const LONGEST_NAME: usize = 26;

pub(super) struct Panel<'p, 's> {
    pub(super) area: &'p Area<'s>,
    pub(super) corner: (i32, i32),
    pub(super) sizes: &'p Axis,
    pub(super) ratios: &'p Axis,
}

impl Panel<'_, '_> {
    pub(super) fn draw(&self, operation: &str, series: &[Series<'_>], dtypes: &[&str]) -> Drawn {
        let name = shortened(&Shown(operation).to_string(), LONGEST_NAME);
        write(self.area, &name, (self.corner.0 + INSET.0, self.corner.1 + 2), INK, 13, false)?;
        self.band(series)?;
        self.grid()?;
        for one in series {
            let number = dtypes.iter().position(|&dtype| dtype == one.dtype).unwrap_or(0);
            self.line(one, number)?;
        }
        Ok(())
    }

    fn width() -> f64 {
        f64::from(PANEL.0 - INSET.0 - INSET.2)
    }

    fn height() -> f64 {
        f64::from(PANEL.1 - INSET.1 - INSET.3)
    }

    /// From places on the axes to a place on the drawing.
    fn at(&self, along: f64, up: f64) -> (i32, i32) {
        let left = f64::from(self.corner.0 + INSET.0);
        let top = f64::from(self.corner.1 + INSET.1);
        let across = left + along * Self::width();
        (across.round() as i32, (top + (1.0 - up) * Self::height()).round() as i32)
    }

    #[expect(clippy::cast_precision_loss, reason = "a place on a drawing")]
    fn along(&self, elements: u64) -> f64 {
        self.sizes.place(elements.max(1) as f64)
    }

    fn grid(&self) -> Drawn {
        let labels = (HPos::Right, VPos::Center);
        for (up, label) in self.ratios.marks(APART.1 / Self::height()) {
            let is_one = label == "1×";
            let style = if is_one { MUTED.stroke_width(1) } else { GRID.stroke_width(1) };
            let (left, right) = (self.at(0.0, up), self.at(1.0, up));
            self.area.draw(&PathElement::new(vec![left, right], style))?;
            write_at(self.area, label, (left.0 - 6, left.1), MUTED, labels)?;
        }
        for (along, label) in self.sizes.marks(APART.0 / Self::width()) {
            let (bottom, top) = (self.at(along, 0.0), self.at(along, 1.0));
            self.area.draw(&PathElement::new(vec![bottom, top], GRID.stroke_width(1)))?;
            let below = (bottom.0, bottom.1 + 6);
            write_at(self.area, label, below, MUTED, (HPos::Center, VPos::Top))?;
        }
        Ok(())
    }

    /// The noise of whichever series has the most of it at a size.
    fn band(&self, series: &[Series<'_>]) -> Drawn {
        let mut noises: Vec<(u64, f64)> = Vec::new();
        for (elements, timing) in series.iter().flat_map(|series| &series.timings) {
            let Some(noise) = timing.noise else { continue };
            match noises.iter_mut().find(|(size, _)| size == elements) {
                Some((_, most)) => *most = most.max(noise),
                None => noises.push((*elements, noise)),
            }
        }
        noises.sort_by_key(|(elements, _)| *elements);
        // Of one size, the band is as wide as a mark.
        let widen = if noises.len() == 1 { 4 } else { 0 };
        let edge = |sign: f64, shift: i32| {
            let point = move |&(elements, noise): &(u64, f64)| {
                let (across, down) =
                    self.at(self.along(elements), self.ratios.place(1.0 + sign * noise));
                (across + shift, down)
            };
            noises.iter().map(point).collect::<Vec<_>>()
        };
        let mut outline = edge(1.0, -widen);
        if widen > 0 {
            outline.extend(edge(1.0, widen));
            outline.extend(edge(-1.0, widen));
        }
        outline.extend(edge(-1.0, -widen).into_iter().rev());
        if outline.is_empty() {
            return Ok(());
        }
        self.area.draw(&Polygon::new(outline, BAND.filled()))
    }

    fn line(&self, series: &Series<'_>, number: usize) -> Drawn {
        let colour = colour(number);
        let value = |timing: &Timing| timing.ratio.map_or(1.0, |ratio| ratio.value);
        let place = |(elements, timing): &(u64, &Timing)| {
            self.at(self.along(*elements), self.ratios.place(value(timing)))
        };
        let points: Vec<(i32, i32)> = series.timings.iter().map(place).collect();
        let is_dashed = series.clock == Clock::Device;
        stroke(self.area, &points, colour.stroke_width(2), is_dashed)?;
        for ((_, timing), &point) in series.timings.iter().zip(&points) {
            if let Some((low, high)) = timing.ratio.and_then(|ratio| ratio.interval) {
                let end = |ratio: f64| (point.0, self.at(0.0, self.ratios.place(ratio)).1);
                let whisker = vec![end(low), end(high)];
                self.area.draw(&PathElement::new(whisker, colour.stroke_width(1)))?;
            }
            let differs = matches!(timing.verdict, Verdict::Slower | Verdict::Faster);
            mark(self.area, point, colour, differs)?;
        }
        Ok(())
    }
}
