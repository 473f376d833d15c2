//! The picture as SVG: a head that names both profiles, a legend, and the frames.

use super::DiffFlamegraph;
use super::frames::{Frame, Name, frames};
use super::joined::{JoinedTree, Sides};
use super::palette::{Change, style};
use crate::escape::Escaped;
use core::fmt::{self, Write};
use memprof_profile::Profile;
use memprof_profile::text::{Shown, change, columns, cut};
use memprof_profile::tree::Origin;
use memprof_profile::views::{Grouped, Units};

/// The margin around the picture, in pixels.
const MARGIN: f64 = 16.0;
/// The distance between lines of the head.
const LINE: f64 = 20.0;
/// The height of a frame, and the distance from the top of a frame to the top of the frame below
/// it.
const FRAME: f64 = 19.0;
const ROW: f64 = 20.0;
/// The largest width of one text column (a letter) at a font size of 12 pixels.
const COLUMN: f64 = 7.3;
/// The space between a frame's edge and its text.
const INSET: f64 = 4.0;
/// A shorter text would be unreadable, so it is left out.
const MIN_COLUMNS: usize = 3;
/// The size of a colour mark in the legend.
const SWATCH: f64 = 14.0;

pub(super) fn write(
    drawn: &DiffFlamegraph<'_>,
    joined: &JoinedTree<'_>,
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let width = f64::from(drawn.width);
    let frames = frames(joined, width - 2.0 * MARGIN);
    let (legend, top) = legend(width, MARGIN + 5.0 * LINE);
    let rows = frames.iter().map(|frame| frame.depth + 1).max().unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "at most some thousand rows")]
    let height = top + rows as f64 * ROW + MARGIN;
    let [before, after] = drawn.names.each_ref().map(|name| Shown(name).to_string());
    let label = format!("Changes from {before} to {after}");
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n<style>{}</style>\n\
         <defs><pattern id=\"gone\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect class=\"hatched\" width=\"8\" height=\"8\"/>\
         <path class=\"hatching\" d=\"M0 0V8\" stroke-width=\"3\"/></pattern></defs>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        Escaped(&label),
        style()
    )?;
    head(drawn, joined.0[0].total, width, out)?;
    out.write_str(&legend)?;
    frames.iter().try_for_each(|frame| draw(frame, top, drawn.units, out))?;
    out.write_str("</svg>\n")
}

/// Writes the names of both profiles and the total change.
fn head(
    drawn: &DiffFlamegraph<'_>,
    total: Sides,
    width: f64,
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let most = columns_that_fit(width - 2.0 * MARGIN);
    let mut y = MARGIN + 12.0;
    let mut line = |class: &str, text: &str| {
        let written = writeln!(
            out,
            "<text{class} x=\"{MARGIN}\" y=\"{y}\">{}</text>",
            Escaped(&cut(text, most))
        );
        y += LINE;
        written
    };
    line(" class=\"title\"", "Changes")?;
    let [before, after] = drawn.names.each_ref().map(|name| Shown(name).to_string());
    let profiles = [drawn.before, drawn.after];
    let names = [before, after].into_iter().zip(profiles);
    for (side, (name, profile)) in ["before: ", "after:  "].into_iter().zip(names) {
        let facts = format!(" · {}{}", drawn.units.show(profile.total_bytes()), exactness(profile));
        let name = cut(&name, most.saturating_sub(side.len() + columns(&facts)));
        line("", &format!("{side}{name}{facts}"))?;
    }
    line("", &format!("change: {}", change(total.change(), drawn.units)))?;
    line(
        "",
        "A frame's width adds up, path by path, the larger of the bytes before and after. Empty space below it is its own bytes.",
    )
}

/// Returns a note that states whether the profile is exact; empty if the profile's origin does not
/// record this.
fn exactness(profile: &Profile) -> &'static str {
    match profile.origin() {
        _ if profile.is_exact() => " · exact",
        Origin::Values => " · not exact",
        _ => "",
    }
}

/// Returns the legend, drawn from `top` downwards, and the position of its lower end.
fn legend(width: f64, top: f64) -> (String, f64) {
    let mut legend = String::new();
    let (mut x, mut y) = (MARGIN, top + 6.0);
    for &kind in Change::ALL {
        #[expect(clippy::cast_precision_loss, reason = "a few columns")]
        let takes = SWATCH + INSET + kind.description().len() as f64 * COLUMN + 18.0;
        if x + takes > width {
            (x, y) = (MARGIN, y + LINE);
        }
        let _ = writeln!(
            legend,
            "<g class=\"f {}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{SWATCH}\" height=\"{SWATCH}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            kind.as_str(),
            x + SWATCH + INSET,
            y + 11.0,
            kind.description()
        );
        x += takes;
    }
    (legend, y + LINE + 6.0)
}

fn draw(frame: &Frame<'_>, top: f64, units: Units, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let sides = frame.total;
    let kind = Change::of(sides);
    let name = match frame.name {
        Name::Path(name) => Shown(name).to_string(),
        Name::Others(count) => format!("({} others)", Grouped(count as u64)),
    };
    #[expect(clippy::cast_precision_loss, reason = "at most some thousand rows")]
    let y = top + frame.depth as f64 * ROW;
    let x = MARGIN + frame.left;
    let bytes = |bytes: Option<u64>| bytes.map_or("absent".to_owned(), whole);
    write!(
        out,
        "<g class=\"f {}\"><title>{}\nbefore: {}\nafter: {}\nchange: {}</title>\
         <rect x=\"{x:.2}\" y=\"{y}\" width=\"{:.2}\" height=\"{FRAME}\"/>",
        kind.as_str(),
        Escaped(&name),
        bytes(sides.before),
        bytes(sides.after),
        change(sides.change(), Units::Bytes),
        frame.width,
    )?;
    let available = columns_that_fit(frame.width - 2.0 * INSET);
    if available >= MIN_COLUMNS {
        let whole = format!("{name}  {}", figure(sides, kind, units));
        // Half a figure would mislead more than no figure.
        let text = if columns(&whole) <= available { whole } else { cut(&name, available) };
        write!(out, "<text x=\"{:.2}\" y=\"{}\">{}</text>", x + INSET, y + 13.5, Escaped(&text))?;
    }
    out.write_str("</g>\n")
}

/// Returns the figure to draw after the name of a frame.
fn figure(sides: Sides, kind: Change, units: Units) -> String {
    match kind {
        Change::Same => units.show(sides.larger()).to_string(),
        Change::New | Change::Removed => {
            format!("{} {}", change(sides.change(), units), kind.description())
        }
        _ => change(sides.change(), units),
    }
}

fn whole(bytes: u64) -> String {
    Units::Bytes.show(bytes).to_string()
}

/// Returns the number of text columns that fit.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is not negative")]
fn columns_that_fit(pixels: f64) -> usize {
    (pixels.max(0.0) / COLUMN) as usize
}
