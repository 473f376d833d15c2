//! The drawing of the selected branches: an SVG with a rectangle for each, as an image.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a drawing rounds amounts to pixels, and widths are not negative"
)]

use super::escaped;
use super::selection::Selection;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use memprof_profile::text::{Units, shortened};
use std::fmt::Write;

/// The size of the drawing, in pixels.
const WIDTH: f64 = 900.0;
const ROW: usize = 20;
/// The maximum number of levels. Only the tree shows deeper levels.
const MAX_LEVELS: usize = 12;
/// The width of a character, in pixels.
const CHARACTER: f64 = 7.0;
/// The minimum width of a rectangle, in pixels.
const MIN: f64 = 1.0;

/// Fill colours with enough contrast for black text. Neighbouring rectangles have different fills.
const FILLS: [&str; 6] = ["#f4a261", "#e9c46a", "#8ecae6", "#a8dadc", "#b7c4a1", "#d4a5a5"];

pub(super) fn write(html: &mut String, selection: &Selection) {
    let image = STANDARD.encode(svg(selection));
    let name = escaped(&selection.rows[0].name);
    let _ = write!(
        html,
        "<img alt=\"A drawing of {name}: the tree below has the same numbers\" \
         src=\"data:image/svg+xml;base64,{image}\" style=\"max-width:100%\">"
    );
}

fn svg(selection: &Selection) -> String {
    let mut shapes = String::new();
    let mut levels = 0;
    let total = selection.total() as f64;
    // The left edges of the selected branches. Parents are before their children.
    let mut lefts = vec![0.0; selection.rows.len()];
    for (index, row) in selection.rows.iter().enumerate() {
        let scale = |bytes: u64| if total > 0.0 { bytes as f64 / total * WIDTH } else { WIDTH };
        let mut left: f64 = lefts[index];
        for &child in &row.children {
            lefts[child] = left;
            left += scale(selection.rows[child].bytes);
        }
        let width = scale(row.bytes);
        if row.level >= MAX_LEVELS || width < MIN {
            continue;
        }
        levels = levels.max(row.level + 1);
        let (x, y) = (lefts[index], row.level * ROW);
        let fill = FILLS[index % FILLS.len()];
        let _ = write!(
            shapes,
            "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" fill=\"{fill}\"/>",
            (width - 1.0).max(MIN),
            ROW - 1,
        );
        let room = (width / CHARACTER) as usize;
        if room >= 4 {
            let text = format!("{} {}", row.name, Units::Iec.show(row.bytes));
            let text = escaped(&shortened(&text, room - 1));
            let _ = write!(shapes, "<text x=\"{:.1}\" y=\"{}\">{text}</text>", x + 3.0, y + 14);
        }
    }
    let height = levels * ROW;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"monospace\" font-size=\"11\">{shapes}</svg>"
    )
}
